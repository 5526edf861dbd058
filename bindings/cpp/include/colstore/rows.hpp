/// @file
/// colstore::rows: which rows of a table, in which order.

#ifndef COLSTORE_ROWS_HPP
#define COLSTORE_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

#include <colstore/error.hpp>
#include <colstore/span.hpp>
#include <colstore/value_types.hpp>

namespace colstore {

/// Rows `start` to `stop`, `stop` not included.
struct row_range {
    std::int64_t start; ///< The first row.
    std::int64_t stop;  ///< The row after the last.
};

/// What a selection came to.
enum class rows_form : std::int32_t {
    range = COLSTORE_ROWS_FORM_RANGE,     ///< Evenly spaced rows, whatever they were made from.
    indices = COLSTORE_ROWS_FORM_INDICES, ///< Row numbers, one by one.
    mask = COLSTORE_ROWS_FORM_MASK        ///< One bit for every row.
};

/// What a selection is.
struct rows_info {
    std::int64_t n_rows; ///< The number of rows that are selected from.
    std::int64_t count;  ///< The number of rows that are selected.
    rows_form form;      ///< What it came to.
    bool sorted;         ///< Whether no row is below the one before it.
    std::int64_t first;  ///< The first row of a range, if there is one; else 0.
    std::int64_t step;   ///< From one row of a range to the next; 0 in other forms.
};

/// @cond INTERNAL
namespace detail {

template <class I>
constexpr std::int32_t index_type() noexcept
{
    static_assert(std::is_integral_v<I> && !std::is_same_v<I, bool> && sizeof(I) <= 8, "row numbers are integers");
    // 1 to 4 for signed integers of 1, 2, 4, 8 bytes; 5 to 8 for unsigned ones.
    constexpr std::int32_t by_size = sizeof(I) == 1 ? 0 : sizeof(I) == 2 ? 1 : sizeof(I) == 4 ? 2 : 3;
    static_assert(COLSTORE_INDEX_TYPE_I64 == COLSTORE_INDEX_TYPE_I8 + 3 &&
                  COLSTORE_INDEX_TYPE_U64 == COLSTORE_INDEX_TYPE_U8 + 3);
    return (std::is_signed_v<I> ? COLSTORE_INDEX_TYPE_I8 : COLSTORE_INDEX_TYPE_U8) + by_size;
}

} // namespace detail
/// @endcond

/// Rows of a table, in order; a row may be there more than once. A selection is made for tables of a certain number of
/// rows and good for every table of that many. It can be used by any number of threads.
class rows {
public:
    /// Takes a handle of the C interface.
    explicit rows(::colstore_rows *handle) noexcept : handle_(handle) {}

    /// All of `n_rows` rows.
    [[nodiscard]] static rows all(std::int64_t n_rows)
    {
        return make([&](auto out, auto err) { return ::colstore_rows_all(n_rows, out, err); });
    }

    /// Row `start` and every `step`-th one from there, as long as it is before `stop`; with a negative step downwards,
    /// a `stop` of -1 reaching row 0.
    ///
    /// @throws error with status::invalid_argument for a step of 0, with status::out_of_bounds for rows that are not
    /// there.
    [[nodiscard]] static rows range(std::int64_t n_rows, std::int64_t start, std::int64_t stop, std::int64_t step = 1)
    {
        return make([&](auto out, auto err) { return ::colstore_rows_range(n_rows, start, stop, step, out, err); });
    }

    /// Rows by number, in the order given, as often as given; negative numbers count from the end. `numbers` is a
    /// container of integers of any type, side by side, which are copied.
    ///
    /// @throws error with status::out_of_bounds for a row that is not there.
    template <class Numbers>
    [[nodiscard]] static rows indices(std::int64_t n_rows, const Numbers &numbers)
    {
        return indices(n_rows, std::data(numbers), std::size(numbers), 0);
    }

    /// As indices(), but the numbers are not copied: THE MEMORY MUST STAY READABLE, AND AT ITS PLACE, AS LONG AS THE
    /// SELECTION LIVES. Every use reads it anew and checks it again.
    template <class I>
    [[nodiscard]] static rows borrow(std::int64_t n_rows, span<const I> numbers)
    {
        return indices(n_rows, numbers.data(), numbers.size(), 1);
    }

    /// The rows whose value is true. `mask` is a container of `bool`, `boolean` or `std::uint8_t` side by side (not a
    /// `std::vector<bool>`, which has bits), one for each row; it is copied, as bits.
    ///
    /// @throws error with status::out_of_bounds unless it has `n_rows` values.
    template <class Mask>
    [[nodiscard]] static rows mask(std::int64_t n_rows, const Mask &mask)
    {
        using value = std::remove_cv_t<detail::element_of<const Mask>>;
        static_assert(std::is_same_v<value, bool> || std::is_same_v<value, boolean> ||
                          std::is_same_v<value, std::uint8_t>,
                      "a mask is made of bool, colstore::boolean or std::uint8_t");
        static_assert(sizeof(value) == 1);
        const auto *bytes = reinterpret_cast<const std::uint8_t *>(std::data(mask));
        const std::size_t size = std::size(mask);
        return make([&](auto out, auto err) { return ::colstore_rows_mask(n_rows, bytes, size, 1, out, err); });
    }

    /// The rows whose bit is set: row `i` by bit `i % 8`, counted from the lowest, of byte `i / 8`. The bits
    /// are copied.
    ///
    /// @throws error with status::out_of_bounds unless there are `(n_rows + 7) / 8` bytes.
    [[nodiscard]] static rows mask_bits(std::int64_t n_rows, span<const std::uint8_t> bits)
    {
        return make(
            [&](auto out, auto err) { return ::colstore_rows_mask_bits(n_rows, bits.data(), bits.size(), out, err); });
    }

    /// Those rows of this selection that `inner` says by their position in it, in the order of `inner`.
    ///
    /// @throws error with status::invalid_argument unless `inner` was made for count() rows.
    [[nodiscard]] rows select(const rows &inner) const
    {
        return make(
            [&](auto out, auto err) { return ::colstore_rows_select(handle_.get(), inner.handle_.get(), out, err); });
    }

    /// The number of rows selected; a row that is there twice counts twice.
    [[nodiscard]] std::int64_t count() const
    {
        ::colstore_error *err = nullptr;
        std::int64_t out = 0;
        detail::check(::colstore_rows_count(handle_.get(), &out, &err), err);
        return out;
    }

    /// All row numbers.
    [[nodiscard]] std::vector<std::int64_t> positions() const { return positions({0, count()}); }

    /// The row numbers at the positions of a range of the selection.
    ///
    /// @throws error with status::out_of_bounds unless `0 <= start <= stop <= count()`.
    [[nodiscard]] std::vector<std::int64_t> positions(row_range part) const
    {
        const bool possible = 0 <= part.start && part.start <= part.stop && part.stop <= count();
        std::vector<std::int64_t> out(possible ? static_cast<std::size_t>(part.stop - part.start) : 0);
        positions_into(part, out);
        return out;
    }

    /// The same into the caller's memory, which has `part.stop - part.start` elements.
    void positions_into(row_range part, span<std::int64_t> out) const
    {
        ::colstore_error *err = nullptr;
        detail::check(::colstore_rows_positions(handle_.get(), part.start, part.stop, out.data(), out.size(), &err),
                      err);
    }

    /// What the selection came to.
    [[nodiscard]] rows_info describe() const
    {
        ::colstore_error *err = nullptr;
        ::colstore_rows_info info{};
        info.size = sizeof info;
        detail::check(::colstore_rows_describe(handle_.get(), &info, &err), err);
        return {info.n_rows, info.count, static_cast<rows_form>(info.form), info.sorted != 0, info.first, info.step};
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_rows *c_handle() const noexcept { return handle_.get(); }

private:
    template <class Call>
    static rows make(Call &&call)
    {
        ::colstore_error *err = nullptr;
        ::colstore_rows *made = nullptr;
        detail::check(call(&made, &err), err);
        return rows(made);
    }

    template <class I>
    static rows indices(std::int64_t n_rows, const I *data, std::size_t n, std::int32_t lent)
    {
        return make([&](auto out, auto err) {
            return ::colstore_rows_indices(n_rows, data, detail::index_type<I>(), n,
                                           static_cast<std::int64_t>(sizeof(I)), lent, out, err);
        });
    }

    detail::handle<::colstore_rows, &::colstore_rows_free> handle_;
};

/// Which rows a call is for, as its argument: all (`{}`), a range (`{10, 20}`), or a selection, which it does not own.
class which_rows {
public:
    /// All rows.
    constexpr which_rows() noexcept = default;
    /// Rows `start` to `stop`, `stop` not included.
    constexpr which_rows(row_range range) noexcept : range_(range), has_range_(true) {}
    /// Rows `start` to `stop`, `stop` not included.
    constexpr which_rows(std::int64_t start, std::int64_t stop) noexcept : range_{start, stop}, has_range_(true) {}
    /// The rows of a selection.
    which_rows(const rows &selection) noexcept : selection_(&selection) {}

    /// The selection, if it is one; else null.
    [[nodiscard]] constexpr const rows *selection() const noexcept { return selection_; }
    /// Whether all rows are meant.
    [[nodiscard]] constexpr bool all() const noexcept { return selection_ == nullptr && !has_range_; }
    /// The range, or all of `n_rows` rows; not for selections.
    [[nodiscard]] constexpr row_range range(std::int64_t n_rows) const noexcept
    {
        return has_range_ ? range_ : row_range{0, n_rows};
    }

private:
    const rows *selection_ = nullptr;
    row_range range_{0, 0};
    bool has_range_ = false;
};

/// @cond INTERNAL
namespace detail {

/// Rows as the C interface takes them where null stands for all.
class rows_or_null {
public:
    rows_or_null(which_rows of, std::int64_t n_rows)
    {
        if (of.selection() != nullptr) {
            handle_ = of.selection()->c_handle();
            if (handle_ == nullptr) {
                throw error(status::invalid_argument, "the selection has been moved away, and is none any more");
            }
        } else if (!of.all()) {
            const row_range range = of.range(n_rows);
            owned_ = rows::range(n_rows, range.start, range.stop);
            handle_ = owned_->c_handle();
        }
    }

    [[nodiscard]] const ::colstore_rows *c_handle() const noexcept { return handle_; }

private:
    std::optional<rows> owned_;
    const ::colstore_rows *handle_ = nullptr;
};

} // namespace detail
/// @endcond

} // namespace colstore

#endif
