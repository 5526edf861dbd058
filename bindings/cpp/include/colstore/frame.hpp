/// @file
/// colstore::frame: a table seen through columns of one's own and cuts.

#ifndef COLSTORE_FRAME_HPP
#define COLSTORE_FRAME_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// With the whole language of expressions, which is what a frame is told.
#include <colstore/column_data.hpp>
#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/filter.hpp>
#include <colstore/frame_edit.hpp>
#include <colstore/frame_read.hpp>
#include <colstore/functions.hpp>
#include <colstore/literal.hpp>
#include <colstore/operators.hpp>
#include <colstore/params.hpp>
#include <colstore/rows.hpp>
#include <colstore/table.hpp>
#include <colstore/value_set.hpp>

namespace colstore {

class batches;
class batch_size;

/// A table seen through columns of one's own and cuts: computed columns, the rows that cuts leave, what comes of them.
/// Nothing is computed before it is asked for. It keeps the files open that it reads.
///
///     auto late = flights.edit().assign("speed", col("distance") / col("air_time") * 60).filter("dep_delay > 15");
///     const double fastest = late.max("speed").as<double>();
///
/// Edits change the frame, or throw and leave it as it was; clone() gives another one that is as this one is. They give
/// the frame again, so that they can be written one after the other. Any number of threads may use a frame at once: a
/// call sees it as it was when the call began. Calls that read columns by name look at the schema first; give threads
/// that edit meanwhile a clone.
///
/// A text is read as an expression (see expr::parse), also as the value of a column; values beside expressions are
/// constants, as colstore::literal says.
class frame : public frame_reading {
public:
    /// Takes a handle of the C interface.
    explicit frame(::colstore_frame *handle) noexcept : frame_reading(handle) {}

    /// A frame of all columns of a table, for some of its rows in their order, or for all. It needs the table no more,
    /// and copies a selection that borrows.
    ///
    /// @throws error with status::value if the rows were made for another number of rows.
    explicit frame(const table &of, which_rows rows = {}) : frame_reading(make(of, rows)) {}

    /// Another frame that is as this one is now. Rows that cuts have left are not looked for again.
    [[nodiscard]] frame clone() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_frame *made = nullptr;
        detail::check(::colstore_frame_clone(c_handle(), &made, &err), err);
        return frame(made);
    }

    /// Gives a column: one of that name is replaced in its place, others come last. The value is an expression over the
    /// columns that are there before, a text that is read as one, or a value that every row has.
    ///
    /// @throws error with status::key for a name that is no column, with status::type if there is no operation for the
    /// operands, with status::value for a column of another number of rows.
    template <class V>
    frame &assign(std::string_view name, V &&value) &
    {
        static_assert(detail::is_operand<std::decay_t<V>>,
                      "a column is an expression, a text, read as one, or a value; give a container as memory()");
        return assign({{name, std::forward<V>(value)}});
    }
    /// Gives several columns: `assign({{"r", sqrt(col("x"))}, {"half", "x / 2"}})`. All are over the columns that are
    /// there before, none over one another.
    frame &assign(std::initializer_list<assignment> columns) &
    {
        std::vector<const ::colstore_expr *> values;
        detail::names_list names;
        for (const assignment &one : columns) {
            names.push_back(one.name());
            values.push_back(one.c_handle());
        }
        return edit([&](auto handle, auto err) {
            return ::colstore_frame_assign(handle, names.data(), names.sizes(), values.data(), values.size(), err);
        });
    }

    /// Takes columns away: `drop("x")`, `drop({"x", "y"})`.
    ///
    /// @throws error with status::key if one is not there.
    frame &drop(const column_names &columns) &
    {
        const detail::names_list &names = columns.list();
        return edit([&](auto handle, auto err) {
            return ::colstore_frame_drop(handle, names.data(), names.sizes(), names.size(), err);
        });
    }

    /// Keeps these columns, in this order.
    ///
    /// @throws error with status::key if one is not there, with status::value if one is named twice.
    frame &select(const column_names &columns) &
    {
        const detail::names_list &names = columns.list();
        return edit([&](auto handle, auto err) {
            return ::colstore_frame_select(handle, names.data(), names.sizes(), names.size(), err);
        });
    }

    /// Gives a column another name, in its place.
    ///
    /// @throws error with status::key if it is not there, with status::value if two would have one name.
    frame &rename(std::string_view name, std::string_view new_name) & { return rename({{name, new_name}}); }
    /// Gives several columns other names: `rename({{"x", "y"}, {"y", "x"}})`.
    frame &rename(std::initializer_list<name_pair> names) &
    {
        const auto [olds, news] = detail::apart(names);
        return edit([&, o = &olds, n = &news](auto handle, auto err) {
            return ::colstore_frame_rename(handle, o->data(), o->sizes(), n->data(), n->sizes(), o->size(), err);
        });
    }

    /// Casts the values of a column to a dtype, as NumPy's `astype` does.
    ///
    /// @throws error with status::key if it is not there, with status::type if it cannot be cast, with
    /// status::unsupported_type if the text names no dtype.
    frame &cast(std::string_view name, std::string_view dtype) & { return cast({{name, dtype}}); }
    /// The same for several columns: `cast({{"x", "f4"}, {"n", "i8"}})`.
    frame &cast(std::initializer_list<name_pair> dtypes) &
    {
        const auto [names, texts] = detail::apart(dtypes);
        return edit([&, n = &names, t = &texts](auto handle, auto err) {
            return ::colstore_frame_cast(handle, n->data(), n->sizes(), t->data(), t->sizes(), n->size(), err);
        });
    }

    /// Adds a cut: rows for which the condition does not hold are left out from now on. Nothing is read yet.
    ///
    /// `label` is what the cut is called in report(), if it is called anything; `weight` is the weight of a row there,
    /// if it is not that of the cut before: `filter("pt > 30", "high pt", "w * 2")`.
    ///
    /// @throws error with status::query, status::type, status::overflow or status::value for what is no condition over
    /// the columns, with status::key for a weight with a name that is no column, with status::type for one that is no
    /// number.
    frame &filter(const expr_ref &condition, cut_label label = {}, const expr_ref &weight = {}) &
    {
        return edit([&](auto handle, auto err) {
            return ::colstore_frame_filter(handle, condition.c_handle(), label.data(), label.size(), weight.c_handle(),
                                           err);
        });
    }
    /// The same for a text with values for its `@names`: `filter("pt > @cut", {{"cut", 30.0}}, "high pt")`.
    template <std::size_t N>
    frame &filter(std::string_view text, const param (&values)[N], cut_label label = {}, const expr_ref &weight = {}) &
    {
        return filter(expr::parse(text, params(values)), label, weight);
    }
    /// The same for a text with values in a colstore::params.
    template <class Params, class = std::enable_if_t<std::is_same_v<Params, params>>>
    frame &filter(std::string_view text, const Params &values, cut_label label = {}, const expr_ref &weight = {}) &
    {
        return filter(expr::parse(text, values), label, weight);
    }

    /// @name The same edits of a frame that has just been made, which is given on
    /// @{
    template <class V>
    [[nodiscard]] frame assign(std::string_view name, V &&value) && ///< As above.
    {
        return std::move(assign(name, std::forward<V>(value)));
    }
    [[nodiscard]] frame assign(std::initializer_list<assignment> columns) && ///< As above.
    {
        return std::move(assign(columns));
    }
    [[nodiscard]] frame drop(const column_names &columns) && { return std::move(drop(columns)); }     ///< As above.
    [[nodiscard]] frame select(const column_names &columns) && { return std::move(select(columns)); } ///< As above.
    [[nodiscard]] frame rename(std::string_view name, std::string_view new_name) &&                   ///< As above.
    {
        return std::move(rename(name, new_name));
    }
    [[nodiscard]] frame rename(std::initializer_list<name_pair> names) && { return std::move(rename(names)); }
    [[nodiscard]] frame cast(std::string_view name, std::string_view dtype) && { return std::move(cast(name, dtype)); }
    [[nodiscard]] frame cast(std::initializer_list<name_pair> dtypes) && { return std::move(cast(dtypes)); }
    [[nodiscard]] frame filter(const expr_ref &condition, cut_label label = {}, const expr_ref &weight = {}) &&
    {
        return std::move(filter(condition, label, weight));
    }
    template <std::size_t N>
    [[nodiscard]] frame filter(std::string_view text, const param (&values)[N], cut_label label = {},
                               const expr_ref &weight = {}) && ///< As above.
    {
        return std::move(filter(text, values, label, weight));
    }
    template <class Params, class = std::enable_if_t<std::is_same_v<Params, params>>>
    [[nodiscard]] frame filter(std::string_view text, const Params &values, cut_label label = {},
                               const expr_ref &weight = {}) && ///< As above.
    {
        return std::move(filter(text, values, label, weight));
    }
    /// @}

    /// The column of a name as an expression: the column itself, so that it stays what it is when the name is given
    /// another. It outlives the frame, and can be used in other frames, of tables of as many rows.
    ///
    /// @throws error with status::key if there is no such column.
    [[nodiscard]] expr column(std::string_view name) const
    {
        return expr::make([&](auto out, auto err) {
            return ::colstore_frame_column(c_handle(), name.data(), name.size(), out, err);
        });
    }

    /// An expression with the columns of this frame in the place of their names. It outlives the frame.
    ///
    /// @throws error with status::key for a name that is no column.
    [[nodiscard]] expr resolve(const expr_ref &of) const
    {
        return expr::make(
            [&](auto out, auto err) { return ::colstore_frame_resolve(c_handle(), of.c_handle(), out, err); });
    }

    /// Memory as a column for this frame: a container with one value for each base row, side by side or as a
    /// colstore::elements. Nothing is copied:
    ///
    /// - A container that is given away (`memory(std::move(values))`) lives as long as anything needs it.
    /// - Any other IS BORROWED: ITS VALUES MUST STAY AT THEIR PLACE, AND UNCHANGED, as long as the expression lives, or
    ///   anything made of it, such as this frame.
    ///
    /// A span or a colstore::elements borrows in either case; a colstore::column that is given away keeps its mapping.
    ///
    /// @throws error with status::value unless there are base_rows() values.
    template <class Values>
    [[nodiscard]] expr memory(Values &&values) const
    {
        const auto dtype = detail::stored_as(values); // before the container is moved from
        return memory(dtype, std::forward<Values>(values));
    }
    /// The same with a dtype given as text: for counts of a time, and for bytes that are other values. Big-endian ones
    /// are converted as they are read.
    ///
    /// @throws error also with status::unsupported_type if the text names no dtype.
    template <class Values>
    [[nodiscard]] expr memory(std::string_view dtype, Values &&values) const
    {
        if constexpr (std::is_lvalue_reference_v<Values>) {
            return memory_of(dtype, values, nullptr, nullptr);
        } else {
            auto owned = std::make_unique<Values>(std::move(values));
            const Values &kept = *owned;
            // From here on it is the library's, also if the call fails.
            return memory_of(
                dtype, kept, [](void *context) { delete static_cast<Values *>(context); }, owned.release());
        }
    }

    /// The rows that the cuts leave as a sequence of batches in memory that is used again: `for (const auto &batch :
    /// frame.batches())`. See colstore::batches. Needs batches.hpp.
    [[nodiscard]] colstore::batches batches() const;
    /// The same in batches of a size, which is 32 MiB else: `batch_size::rows(100'000)`, `batch_size::bytes(64 << 20)`.
    [[nodiscard]] colstore::batches batches(batch_size size, const compute_options &options = {}) const;
    /// The same for some columns only.
    [[nodiscard]] colstore::batches batches(std::initializer_list<column_ref> columns, batch_size size,
                                            const compute_options &options = {}) const;

private:
    static ::colstore_frame *make(const table &of, which_rows rows)
    {
        const detail::rows_or_null base(rows, of.n_rows());
        ::colstore_error *err = nullptr;
        ::colstore_frame *made = nullptr;
        detail::check(::colstore_frame_new(of.c_handle(), base.c_handle(), &made, &err), err);
        return made;
    }

    template <class Call>
    frame &edit(Call &&call)
    {
        ::colstore_error *err = nullptr;
        detail::check(call(handle_.get(), &err), err);
        return *this;
    }

    template <class Values>
    expr memory_of(std::string_view dtype, const Values &values, ::colstore_release_function release,
                   void *context) const
    {
        return expr::make([&](auto out, auto err) {
            return ::colstore_frame_memory(c_handle(), dtype.data(), dtype.size(), std::data(values),
                                           static_cast<std::int64_t>(std::size(values)), detail::stride_of(values),
                                           release, context, out, err);
        });
    }
};

inline frame table::edit(which_rows rows) const
{
    return frame(*this, rows);
}

} // namespace colstore

#endif
