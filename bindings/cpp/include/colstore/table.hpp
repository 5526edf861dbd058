/// @file
/// colstore::table: `.cstore` files, open for reading.

#ifndef COLSTORE_TABLE_HPP
#define COLSTORE_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore/column.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/options.hpp>
#include <colstore/path.hpp>
#include <colstore/record.hpp>
#include <colstore/reduce.hpp>
#include <colstore/rows.hpp>
#include <colstore/schema.hpp>
#include <colstore/span.hpp>
#include <colstore/view.hpp>

namespace colstore {

class expr_ref;
class frame;
class param;
class params;

/// A column and the memory that its values go to, for table::read_columns and frame::read_columns. It owns neither.
class output {
public:
    /// The values of `column` go to `out`, a container that has its elements side by side.
    template <class Out>
    output(column_ref column, Out &&out)
        : column_(column), data_(std::data(out)), size_(std::size(out) * sizeof(*std::data(out))),
          find_(&schema::find_as<std::remove_cv_t<detail::element_of<Out>>>)
    {
    }

    /// @cond INTERNAL
    [[nodiscard]] std::size_t find_in(const schema &columns) const { return (columns.*find_)(column_); }
    [[nodiscard]] void *data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// @endcond

private:
    column_ref column_;
    void *data_;
    std::size_t size_;
    std::size_t (schema::*find_)(column_ref) const;
};

/// A `.cstore` file, open for reading, or many of them end to end. It shows what was committed when the files were
/// opened, and can be used by any number of threads at once.
///
/// Columns are given by name or position, rows as which_rows says: all if nothing is said, `{start, stop}`, or a
/// colstore::rows. Row counts are `std::int64_t`, sizes of memory `std::size_t`.
class table {
public:
    /// Opens the file at `path`. The values are not touched, so the cost does not depend on the number of rows.
    ///
    /// @throws error with status::not_found, status::permission_denied or status::io if the file cannot be read, with
    /// status::format if it is no whole and valid file.
    [[nodiscard]] static table open(path_ref path, const open_options &options = {})
    {
        require_abi();
        const ::colstore_open_options raw = options.raw();
        const std::string_view bytes = path.bytes();
        ::colstore_error *err = nullptr;
        ::colstore_table *made = nullptr;
        detail::check(::colstore_table_open(bytes.data(), bytes.size(), &raw, &made, &err), err);
        return table(made);
    }

    /// Takes a handle of the C interface.
    explicit table(::colstore_table *handle) : handle_(handle), schema_(schema_of(handle))
    {
        ::colstore_error *err = nullptr;
        detail::check(::colstore_table_n_rows(handle, &n_rows_, &err), err);
    }

    /// The columns.
    [[nodiscard]] const colstore::schema &schema() const noexcept { return schema_; }
    /// The number of rows.
    [[nodiscard]] std::int64_t n_rows() const noexcept { return n_rows_; }

    /// The number of records that the rows lie in, in all files. With one, every column can be viewed whole.
    [[nodiscard]] std::int64_t n_records() const
    {
        ::colstore_error *err = nullptr;
        std::int64_t out = 0;
        detail::check(::colstore_table_n_records(handle_.get(), &out, &err), err);
        return out;
    }

    /// The number of rows of every record, in the order of the rows.
    [[nodiscard]] std::vector<std::int64_t> record_rows() const
    {
        ::colstore_error *err = nullptr;
        std::vector<std::int64_t> out(static_cast<std::size_t>(n_records()));
        detail::check(::colstore_table_record_rows(handle_.get(), out.data(), out.size(), &err), err);
        return out;
    }

    /// The paths of the files, in the order of the rows, as they were given. The texts live as long as the table.
    [[nodiscard]] std::vector<std::string_view> paths() const
    {
        ::colstore_error *err = nullptr;
        std::size_t n_files = 0;
        detail::check(::colstore_table_n_files(handle_.get(), &n_files, &err), err);
        std::vector<std::string_view> paths;
        for (std::size_t i = 0; i < n_files; ++i) {
            const char *path = nullptr;
            std::size_t len = 0;
            detail::check(::colstore_table_path(handle_.get(), i, &path, &len, &err), err);
            paths.emplace_back(path, len);
        }
        return paths;
    }

    /// The number of rows that an argument means.
    ///
    /// @throws error with status::out_of_bounds for a range that the table does not have.
    [[nodiscard]] std::int64_t count(which_rows rows) const
    {
        if (rows.selection() != nullptr) {
            return rows.selection()->count();
        }
        const row_range range = rows.range(n_rows_);
        if (!(0 <= range.start && range.start <= range.stop && range.stop <= n_rows_)) {
            throw error(status::out_of_bounds, "rows " + std::to_string(range.start) + " to " +
                                                   std::to_string(range.stop) + " are out of bounds: the table has " +
                                                   std::to_string(n_rows_) + " rows");
        }
        return range.stop - range.start;
    }

    /// Reads values of a column as a vector: `auto x = table.read<double>("x", {0, 100})`. A vector with
    /// colstore::allocator as its second argument is not zeroed first.
    ///
    /// @throws error with status::invalid_argument if the dtype is not that of `T`, with status::unknown_column, with
    /// status::out_of_bounds, with status::cancelled.
    template <class T, class Allocator = std::allocator<T>>
    [[nodiscard]] std::vector<T, Allocator> read(column_ref column, which_rows rows = {},
                                                 const read_options &options = {}) const
    {
        const std::size_t position = schema_.template find_as<T>(column);
        std::vector<T, Allocator> out(static_cast<std::size_t>(count(rows)));
        read_bytes(position, out.data(), out.size() * sizeof(T), rows, options);
        return out;
    }

    /// Reads values of a column of any type; see values::visit.
    [[nodiscard]] values read(column_ref column, which_rows rows = {}, const read_options &options = {}) const
    {
        const column_info &info = schema_.at(column);
        values out(info.dtype, static_cast<std::size_t>(count(rows)));
        read_bytes(static_cast<std::size_t>(&info - &schema_[0]), out.data(), out.size_bytes(), rows, options);
        return out;
    }

    /// Reads values of a column into the caller's memory: an array, a vector, a span, anything that has its elements
    /// side by side, exactly as many as there are rows. What it holds after a failure is unspecified.
    template <class Out>
    void read_into(column_ref column, Out &&out, which_rows rows = {}, const read_options &options = {}) const
    {
        using value = std::remove_cv_t<detail::element_of<Out>>;
        read_bytes(schema_.template find_as<value>(column), std::data(out), std::size(out) * sizeof(value), rows,
                   options);
    }

    /// Reads values of a column of any dtype as bytes in native order: `size` of them, rows times itemsize, at any
    /// address.
    void read_bytes(column_ref column, void *out, std::size_t size, which_rows rows = {},
                    const read_options &options = {}) const
    {
        const ::colstore_read_options raw = options.raw();
        const std::size_t position = schema_.find(column);
        ::colstore_error *err = nullptr;
        ::colstore_status status;
        if (rows.selection() != nullptr) {
            status = ::colstore_table_read_column_at(handle_.get(), position, rows.selection()->c_handle(), &raw, out,
                                                     size, &err);
        } else {
            const row_range range = rows.range(n_rows_);
            status =
                ::colstore_table_read_column(handle_.get(), position, range.start, range.stop, &raw, out, size, &err);
        }
        detail::check(status, err, options.progress);
    }

    /// Reads several columns at once: `table.read_columns({{"x", xs}, {"id", ids}})`. With a selection this is faster
    /// than one read a column.
    void read_columns(span<const output> outputs, which_rows rows = {}, const read_options &options = {}) const
    {
        std::vector<std::size_t> columns, sizes;
        std::vector<void *> outs;
        for (const output &one : outputs) {
            columns.push_back(one.find_in(schema_));
            outs.push_back(one.data());
            sizes.push_back(one.size());
        }
        const ::colstore_read_options raw = options.raw();
        ::colstore_error *err = nullptr;
        ::colstore_status status;
        if (rows.selection() != nullptr) {
            status =
                ::colstore_table_read_columns_at(handle_.get(), columns.data(), columns.size(),
                                                 rows.selection()->c_handle(), &raw, outs.data(), sizes.data(), &err);
        } else {
            const row_range range = rows.range(n_rows_);
            status = ::colstore_table_read_columns(handle_.get(), columns.data(), columns.size(), range.start,
                                                   range.stop, &raw, outs.data(), sizes.data(), &err);
        }
        detail::check(status, err, options.progress);
    }

    /// The same for columns listed between braces.
    void read_columns(std::initializer_list<output> outputs, which_rows rows = {},
                      const read_options &options = {}) const
    {
        read_columns(span<const output>(outputs.begin(), outputs.size()), rows, options);
    }

    /// Reads rows as structs: `auto hits = table.read_records(hit_record)`.
    template <class S, class Allocator = std::allocator<S>>
    [[nodiscard]] std::vector<S, Allocator> read_records(const record<S> &fields, which_rows rows = {},
                                                         const read_options &options = {}) const
    {
        const std::vector<std::size_t> columns = fields.find_in(schema_);
        std::vector<S, Allocator> out(static_cast<std::size_t>(count(rows)));
        read_record_bytes(columns, out.data(), out.size() * sizeof(S), rows, options);
        return out;
    }

    /// Reads rows as structs into the caller's memory, which has exactly as many elements as there are rows.
    template <class S, class Out>
    void read_records_into(const record<S> &fields, Out &&out, which_rows rows = {},
                           const read_options &options = {}) const
    {
        static_assert(std::is_same_v<detail::element_of<Out>, S>, "the memory is for the structs of the record");
        read_record_bytes(fields.find_in(schema_), std::data(out), std::size(out) * sizeof(S), rows, options);
    }

    /// Reads rows of the columns at `columns` as bytes: row after row, in a row the values in the order of `columns`
    /// with nothing between them, in native order.
    void read_record_bytes(span<const std::size_t> columns, void *out, std::size_t size, which_rows rows = {},
                           const read_options &options = {}) const
    {
        const ::colstore_read_options raw = options.raw();
        ::colstore_error *err = nullptr;
        ::colstore_status status;
        if (rows.selection() != nullptr) {
            status = ::colstore_table_read_records_at(handle_.get(), columns.data(), columns.size(),
                                                      rows.selection()->c_handle(), &raw, out, size, &err);
        } else {
            const row_range range = rows.range(n_rows_);
            status = ::colstore_table_read_records(handle_.get(), columns.data(), columns.size(), range.start,
                                                   range.stop, &raw, out, size, &err);
        }
        detail::check(status, err, options.progress);
    }

    /// Lends values of a column without a copy: `auto x = table.view<double>("x")`, then `x.span()`, `x[7]` or a loop.
    ///
    /// @throws error with status::not_contiguous if the rows lie in more than one record, are not evenly spaced, or are
    /// in big-endian order; read them instead.
    template <class T>
    [[nodiscard]] colstore::column<T> view(column_ref column, which_rows rows = {}) const
    {
        return colstore::column<T>(lend(find_to_lend<T>(column), rows, nullptr));
    }

    /// The same, but nothing where view() would throw status::not_contiguous.
    template <class T>
    [[nodiscard]] std::optional<colstore::column<T>> view_if_contiguous(column_ref column, which_rows rows = {}) const
    {
        bool lent = false;
        detail::view_handle handle = lend(find_to_lend<T>(column), rows, &lent);
        return lent ? std::optional<colstore::column<T>>(std::move(handle)) : std::nullopt;
    }

    /// Lends values of a column of any type; see view::visit.
    [[nodiscard]] colstore::view view(column_ref column, which_rows rows = {}) const
    {
        const column_info &info = schema_.at(column);
        return {lend(static_cast<std::size_t>(&info - &schema_[0]), rows, nullptr).release(), info.dtype};
    }

    /// Reduces rows of a column to one value, to the same last bit for any number of threads. `ddof` counts for the
    /// variance and the standard deviation, which divide by the number of rows less `ddof`.
    ///
    /// @throws error with status::unsupported_type for dtypes that cannot be reduced.
    [[nodiscard]] scalar reduce(column_ref column, reduction to, which_rows rows = {}, double ddof = 0,
                                const read_options &options = {}) const
    {
        const ::colstore_read_options raw = options.raw();
        const std::size_t position = schema_.find(column);
        const detail::rows_or_null selected(rows, n_rows_);
        ::colstore_scalar out{};
        out.size = sizeof out;
        ::colstore_error *err = nullptr;
        detail::check(::colstore_table_reduce(handle_.get(), position, selected.c_handle(),
                                              static_cast<std::int32_t>(to), ddof, &raw, &out, &err),
                      err, options.progress);
        return scalar(out);
    }

    /// The rows for which a condition holds, in the order of `base`: `table.rows_where("pt > 30 and eta < 2.5")`. The
    /// condition is text, or a colstore::expr. Needs filter.hpp.
    ///
    /// Parts that are joined by `and` are computed from left to right, and later ones for the rows that are left;
    /// records whose statistics tell that none of their rows is selected are not read.
    ///
    /// @throws error with status::query, status::type, status::overflow or status::value as expr::require_condition,
    /// with status::value if `base` was made for another number of rows, with status::cancelled, and as a read does;
    /// and what a colstore::callback throws.
    [[nodiscard]] colstore::rows rows_where(const expr_ref &condition, which_rows base = {},
                                            const compute_options &options = {}) const;

    /// The same for a text with values for its `@names`: `table.rows_where("pt > @cut", {{"cut", 30.0}})`.
    template <std::size_t N>
    [[nodiscard]] colstore::rows rows_where(std::string_view text, const param (&values)[N], which_rows base = {},
                                            const compute_options &options = {}) const;
    /// The same for a text with values in a colstore::params.
    template <class Params, class = std::enable_if_t<std::is_same_v<Params, params>>>
    [[nodiscard]] colstore::rows rows_where(std::string_view text, const Params &values, which_rows base = {},
                                            const compute_options &options = {}) const;

    /// A frame of all columns, for some rows in their order, or for all. It needs the table no more. Needs frame.hpp.
    ///
    /// @throws error with status::value if the rows were made for another number of rows.
    [[nodiscard]] frame edit(which_rows rows = {}) const;

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_table *c_handle() const noexcept { return handle_.get(); }

private:
    static colstore::schema schema_of(const ::colstore_table *handle)
    {
        ::colstore_error *err = nullptr;
        ::colstore_schema *made = nullptr;
        detail::check(::colstore_table_schema(handle, &made, &err), err);
        return colstore::schema(made);
    }

    template <class T>
    std::size_t find_to_lend(column_ref column) const
    {
        if constexpr (std::is_same_v<T, std::string_view> || std::is_same_v<T, std::u32string_view>) {
            const column_info &info = schema_.at(column);
            constexpr char kind = std::is_same_v<T, std::string_view> ? 'S' : 'U';
            if (info.dtype.kind() != kind) {
                detail::raise_type(std::string(info.name), info.dtype_text, std::string(1, kind));
            }
            return static_cast<std::size_t>(&info - &schema_[0]);
        } else {
            return schema_.template find_as<T>(column);
        }
    }

    /// With `lent`, it says whether the values could be lent, and that they could not is no error.
    detail::view_handle lend(std::size_t position, which_rows rows, bool *lent) const
    {
        ::colstore_error *err = nullptr;
        ::colstore_view *made = nullptr;
        ::colstore_status status;
        if (rows.selection() != nullptr) {
            status =
                ::colstore_table_view_column_at(handle_.get(), position, rows.selection()->c_handle(), &made, &err);
        } else {
            const row_range range = rows.range(n_rows_);
            status = ::colstore_table_view_column(handle_.get(), position, range.start, range.stop, &made, &err);
        }
        if (lent != nullptr) {
            *lent = status == COLSTORE_STATUS_OK;
            if (status == COLSTORE_STATUS_NOT_CONTIGUOUS) {
                ::colstore_error_free(err);
                return nullptr;
            }
        }
        detail::check(status, err);
        return detail::view_handle(made);
    }

    detail::handle<::colstore_table, &::colstore_table_free> handle_;
    colstore::schema schema_;
    std::int64_t n_rows_ = 0;
};

} // namespace colstore

#endif
