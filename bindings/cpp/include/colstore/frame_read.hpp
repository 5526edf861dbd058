/// @file
/// colstore::frame_reading: what a frame computes, the part of colstore::frame that does not change it.

#ifndef COLSTORE_FRAME_READ_HPP
#define COLSTORE_FRAME_READ_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore/cutflow.hpp>
#include <colstore/dtype.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/options.hpp>
#include <colstore/path.hpp>
#include <colstore/record.hpp>
#include <colstore/reduce.hpp>
#include <colstore/rows.hpp>
#include <colstore/schema.hpp>
#include <colstore/span.hpp>
#include <colstore/store.hpp>
#include <colstore/table.hpp>
#include <colstore/view.hpp>

namespace colstore {

/// Positions among the rows that the cuts of a frame leave, as the argument of a read: all (`{}`) or a part (`{10,
/// 20}`, the last not included).
class which_positions {
public:
    /// All.
    constexpr which_positions() noexcept = default;
    /// A part.
    constexpr which_positions(row_range part) noexcept : part_(part) {}
    /// A part: `start` to `stop`, `stop` not included.
    constexpr which_positions(std::int64_t start, std::int64_t stop) noexcept : part_(row_range{start, stop}) {}

    /// The part; nothing for all.
    [[nodiscard]] constexpr const std::optional<row_range> &part() const noexcept { return part_; }

private:
    std::optional<row_range> part_;
};

/// What a frame computes: columns, expressions, reductions, reports and files, for the rows that its cuts leave. They
/// are found once and kept until the next cut. Values are computed block by block, in memory that does not grow with
/// the rows, but for what is asked for.
///
/// Where an expression is asked for, a text is read as one. Calls throw what a colstore::callback in the frame throws.
class frame_reading {
public:
    /// The names and dtypes of the columns as they are now, in order. It does not change with the frame.
    ///
    /// @throws error with status::type if a column cannot be computed.
    [[nodiscard]] colstore::schema schema() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_schema *made = nullptr;
        detail::check(::colstore_frame_schema(handle_.get(), &made, &err), err);
        return colstore::schema(made);
    }

    /// The number of rows before any cut.
    [[nodiscard]] std::int64_t base_rows() const
    {
        ::colstore_error *err = nullptr;
        std::int64_t out = 0;
        detail::check(::colstore_frame_base_rows(handle_.get(), &out, &err), err);
        return out;
    }

    /// Whether some rows of the table are left out: by a cut, or because the frame is not of all rows in their order.
    [[nodiscard]] bool has_selection() const
    {
        ::colstore_error *err = nullptr;
        std::int32_t out = 0;
        detail::check(::colstore_frame_has_selection(handle_.get(), &out, &err), err);
        return out != 0;
    }

    /// The number of rows that the cuts leave. They are found by all cuts in one pass.
    ///
    /// @throws error with status::cancelled, and as a read does.
    [[nodiscard]] std::int64_t count(const compute_options &options = {}) const
    {
        std::int64_t out = 0;
        compute(options, [&](auto raw, auto flags, auto err) {
            return ::colstore_frame_count(handle_.get(), raw, &out, flags, err);
        });
        return out;
    }

    /// The rows that the cuts leave, as rows of the table.
    [[nodiscard]] colstore::rows rows(const compute_options &options = {}) const
    {
        colstore::rows found(nullptr);
        compute(options, [&](auto raw, auto flags, auto err) {
            ::colstore_rows *made = nullptr;
            const ::colstore_status status = ::colstore_frame_rows(handle_.get(), raw, &made, flags, err);
            found = colstore::rows(made);
            return status;
        });
        return found;
    }

    /// What each cut does, in their order.
    [[nodiscard]] cutflow report(const compute_options &options = {}) const
    {
        detail::cutflow_handle found;
        compute(options, [&](auto raw, auto flags, auto err) {
            ::colstore_cutflow *made = nullptr;
            const ::colstore_status status = ::colstore_frame_cutflow(handle_.get(), raw, &made, flags, err);
            found.reset(made);
            return status;
        });
        return cutflow(found.release());
    }

    /// Reads a column as a vector: `auto r = frame.read<double>("r")`.
    ///
    /// @throws error with status::unknown_column, with status::invalid_argument if the dtype is not that of `T`, with
    /// status::out_of_bounds for positions that are not there, with status::cancelled.
    template <class T, class Allocator = std::allocator<T>>
    [[nodiscard]] std::vector<T, Allocator> read(column_ref column, which_positions part = {},
                                                 const compute_options &options = {}) const
    {
        const std::size_t position = schema().template find_as<T>(column);
        const row_range positions = checked(part, options);
        std::vector<T, Allocator> out(size_of(positions));
        read_at(&position, out.data(), out.size() * sizeof(T), positions, options);
        return out;
    }

    /// Reads a column of any type; see values::visit.
    [[nodiscard]] values read(column_ref column, which_positions part = {}, const compute_options &options = {}) const
    {
        const colstore::schema columns = schema();
        const column_info &info = columns.at(column);
        const std::size_t position = static_cast<std::size_t>(&info - &columns[0]);
        const row_range positions = checked(part, options);
        values out(info.dtype, size_of(positions));
        read_at(&position, out.data(), out.size_bytes(), positions, options);
        return out;
    }

    /// Reads a column into the caller's memory, exactly as many elements as there are rows. What it holds after a
    /// failure is unspecified.
    template <class Out>
    void read_into(column_ref column, Out &&out, which_positions part = {}, const compute_options &options = {}) const
    {
        using value = std::remove_cv_t<detail::element_of<Out>>;
        const std::size_t position = schema().template find_as<value>(column);
        read_at(&position, std::data(out), std::size(out) * sizeof(value), positions_of(part, options), options);
    }

    /// Reads several columns at once: `frame.read_columns({{"x", xs}, {"r", rs}})`. This is faster than one read a
    /// column: what they share is computed once.
    void read_columns(span<const output> outputs, which_positions part = {}, const compute_options &options = {}) const
    {
        const colstore::schema columns = schema();
        std::vector<std::size_t> positions, sizes;
        std::vector<void *> outs;
        for (const output &one : outputs) {
            positions.push_back(one.find_in(columns));
            outs.push_back(one.data());
            sizes.push_back(one.size());
        }
        read_columns_bytes(positions, outs, sizes, part, options);
    }

    /// The same for columns listed between braces.
    void read_columns(std::initializer_list<output> outputs, which_positions part = {},
                      const compute_options &options = {}) const
    {
        read_columns(span<const output>(outputs.begin(), outputs.size()), part, options);
    }

    /// Reads columns of any dtypes, by their positions in the schema, as bytes in native order: that at `columns[i]`
    /// to `outs[i]`, which has `sizes[i]` bytes, rows times itemsize. There are as many of each.
    void read_columns_bytes(span<const std::size_t> columns, span<void *const> outs, span<const std::size_t> sizes,
                            which_positions part = {}, const compute_options &options = {}) const
    {
        if (columns.size() != outs.size() || columns.size() != sizes.size()) {
            throw error(status::invalid_argument, "there are " + std::to_string(columns.size()) + " columns, " +
                                                      std::to_string(outs.size()) + " addresses and " +
                                                      std::to_string(sizes.size()) + " sizes; give as many of each");
        }
        const row_range of = positions_of(part, options);
        compute(options, [&](auto raw, auto flags, auto err) {
            return ::colstore_frame_read_columns(handle_.get(), columns.data(), columns.size(), of.start, of.stop, raw,
                                                 outs.data(), sizes.data(), flags, err);
        });
    }

    /// Reads rows as structs: `auto hits = frame.read_records(hit_record)`.
    template <class S, class Allocator = std::allocator<S>>
    [[nodiscard]] std::vector<S, Allocator> read_records(const record<S> &fields, which_positions part = {},
                                                         const compute_options &options = {}) const
    {
        const std::vector<std::size_t> columns = fields.find_in(schema());
        const row_range positions = checked(part, options);
        std::vector<S, Allocator> out(size_of(positions));
        read_records_at(columns, out.data(), out.size() * sizeof(S), positions, options);
        return out;
    }

    /// Reads rows as structs into the caller's memory, which has exactly as many elements as there are rows.
    template <class S, class Out>
    void read_records_into(const record<S> &fields, Out &&out, which_positions part = {},
                           const compute_options &options = {}) const
    {
        static_assert(std::is_same_v<detail::element_of<Out>, S>, "the memory is for the structs of the record");
        read_records_at(fields.find_in(schema()), std::data(out), std::size(out) * sizeof(S),
                        positions_of(part, options), options);
    }

    /// The dtype of an expression over the columns, as text: "<f8".
    ///
    /// @throws error with status::key for a name that is no column, with status::type, status::overflow or
    /// status::value as expr::dtype_text.
    [[nodiscard]] std::string dtype_text(const expr_ref &of) const
    {
        char text[detail::longest_dtype];
        std::size_t len = 0;
        ::colstore_error *err = nullptr;
        detail::check(::colstore_frame_expr_dtype(handle_.get(), of.c_handle(), text, sizeof text, &len, &err), err);
        return {text, len};
    }

    /// Computes an expression over the columns as a vector: `frame.evaluate<double>(sqrt(col("x")))`, for the rows that
    /// the cuts leave, or for all base rows if `ignore_cuts` is true.
    ///
    /// @throws error as dtype_text(), with status::invalid_argument if the dtype is not that of `T`, with
    /// status::cancelled.
    template <class T, class Allocator = std::allocator<T>>
    [[nodiscard]] std::vector<T, Allocator> evaluate(const expr_ref &of, bool ignore_cuts = false,
                                                     const compute_options &options = {}) const
    {
        require_dtype<T>(of);
        std::vector<T, Allocator> out(static_cast<std::size_t>(ignore_cuts ? base_rows() : count(options)));
        evaluate_bytes(of, out.data(), out.size() * sizeof(T), ignore_cuts, options);
        return out;
    }

    /// Computes an expression of any dtype; see values::visit.
    [[nodiscard]] values evaluate(const expr_ref &of, bool ignore_cuts = false,
                                  const compute_options &options = {}) const
    {
        const dtype type = dtype::parse(dtype_text(of));
        values out(type, static_cast<std::size_t>(ignore_cuts ? base_rows() : count(options)));
        evaluate_bytes(of, out.data(), out.size_bytes(), ignore_cuts, options);
        return out;
    }

    /// Computes an expression into the caller's memory, exactly as many elements as there are rows.
    template <class Out>
    void evaluate_into(const expr_ref &of, Out &&out, bool ignore_cuts = false,
                       const compute_options &options = {}) const
    {
        using value = std::remove_cv_t<detail::element_of<Out>>;
        require_dtype<value>(of);
        evaluate_bytes(of, std::data(out), std::size(out) * sizeof(value), ignore_cuts, options);
    }

    /// Reduces an expression over the columns to one value, for the rows that the cuts leave: bit for bit what
    /// table::reduce makes of a stored column of the same values.
    ///
    /// @throws error with status::unsupported_type for dtypes that cannot be reduced, and as dtype_text().
    [[nodiscard]] scalar reduce(const expr_ref &of, reduction to, double ddof = 0,
                                const compute_options &options = {}) const
    {
        ::colstore_scalar out{};
        out.size = sizeof out;
        compute(options, [&](auto raw, auto flags, auto err) {
            return ::colstore_frame_reduce(handle_.get(), of.c_handle(), static_cast<std::int32_t>(to), ddof, raw, &out,
                                           flags, err);
        });
        return scalar(out);
    }

    /// The sum: integers modulo 2^64, floats in double precision.
    [[nodiscard]] scalar sum(const expr_ref &of) const { return reduce(of, reduction::sum); }
    /// The arithmetic mean; no value if no row is left.
    [[nodiscard]] scalar mean(const expr_ref &of) const { return reduce(of, reduction::mean); }
    /// The least value; no value if no row is left.
    [[nodiscard]] scalar min(const expr_ref &of) const { return reduce(of, reduction::min); }
    /// The greatest value; no value if no row is left.
    [[nodiscard]] scalar max(const expr_ref &of) const { return reduce(of, reduction::max); }

    /// Writes all columns, for the rows that the cuts leave, to a new file. It appears whole or not at all, and memory
    /// does not grow with the rows. A frame of a file of one record of which nothing was changed is copied byte for
    /// byte.
    ///
    /// @throws error as colstore::store, and as count().
    void write(path_ref path, const store_options &options = {}, flags *met = nullptr) const
    {
        const ::colstore_store_options raw = options.raw();
        const std::string_view bytes = path.bytes();
        detail::met_flags to(met);
        ::colstore_error *err = nullptr;
        detail::check(::colstore_frame_write(handle_.get(), bytes.data(), bytes.size(), &raw, to.out(), &err), err,
                      options.progress);
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_frame *c_handle() const noexcept { return handle_.get(); }

protected:
    /// @cond INTERNAL
    explicit frame_reading(::colstore_frame *handle) noexcept : handle_(handle) {}

    detail::handle<::colstore_frame, &::colstore_frame_free> handle_;
    /// @endcond

private:
    template <class Call>
    static void compute(const compute_options &options, Call &&call)
    {
        const ::colstore_read_options raw = options.raw();
        detail::met_flags met(options.flags);
        ::colstore_error *err = nullptr;
        detail::check(call(&raw, met.out(), &err), err, options.progress);
    }

    row_range positions_of(which_positions part, const compute_options &options) const
    {
        return part.part() ? *part.part() : row_range{0, count(options)};
    }

    /// As positions_of(), for reads that make memory for them.
    row_range checked(which_positions part, const compute_options &options) const
    {
        const std::int64_t left = count(options);
        const row_range range = part.part() ? *part.part() : row_range{0, left};
        if (!(0 <= range.start && range.start <= range.stop && range.stop <= left)) {
            throw error(status::out_of_bounds, "positions " + std::to_string(range.start) + " to " +
                                                   std::to_string(range.stop) + " are out of bounds: the cuts leave " +
                                                   std::to_string(left) + " rows");
        }
        return range;
    }

    static std::size_t size_of(row_range range) noexcept { return static_cast<std::size_t>(range.stop - range.start); }

    void read_at(const std::size_t *column, void *out, std::size_t size, row_range of,
                 const compute_options &options) const
    {
        compute(options, [&](auto raw, auto flags, auto err) {
            return ::colstore_frame_read_columns(handle_.get(), column, 1, of.start, of.stop, raw, &out, &size, flags,
                                                 err);
        });
    }

    void read_records_at(const std::vector<std::size_t> &columns, void *out, std::size_t size, row_range of,
                         const compute_options &options) const
    {
        compute(options, [&](auto raw, auto flags, auto err) {
            return ::colstore_frame_read_records(handle_.get(), columns.data(), columns.size(), of.start, of.stop, raw,
                                                 out, size, flags, err);
        });
    }

    template <class T>
    void require_dtype(const expr_ref &of) const
    {
        detail::require_readable<T>();
        const std::string text = dtype_text(of);
        if (!element<T>::matches(dtype::parse(text))) {
            detail::raise_type(std::nullopt, text, element<T>::name());
        }
    }

    void evaluate_bytes(const expr_ref &of, void *out, std::size_t size, bool ignore_cuts,
                        const compute_options &options) const
    {
        compute(options, [&](auto raw, auto flags, auto err) {
            return ::colstore_frame_evaluate(handle_.get(), of.c_handle(), ignore_cuts ? 1 : 0, raw, out, size, flags,
                                             err);
        });
    }
};

} // namespace colstore

#endif
