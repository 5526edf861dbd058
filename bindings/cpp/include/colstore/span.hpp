/// @file
/// colstore::span: `std::span` where the standard has it (C++20), else a class with the part of it that is used here.
///
/// The sources of one program must agree on one of the two: compile them all as C++17, or all as C++20 or later.

#ifndef COLSTORE_SPAN_HPP
#define COLSTORE_SPAN_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

namespace colstore {

#ifdef __cpp_lib_span

/// Values side by side in memory of somebody else's.
template <class T>
using span = std::span<T>;

#else

/// Values side by side in memory of somebody else's: what `std::span` is in C++20.
template <class T>
class span {
public:
    using element_type = T;                 ///< The type of the values, const if they cannot be changed.
    using value_type = std::remove_cv_t<T>; ///< The type of the values.
    using size_type = std::size_t;          ///< For numbers of values.
    using difference_type = std::ptrdiff_t; ///< For distances.
    using pointer = T *;                    ///< To a value.
    using reference = T &;                  ///< Of a value.
    using iterator = T *;                   ///< Over the values.
    using reverse_iterator = std::reverse_iterator<iterator>; ///< Over the values, from the last.

    /// No values.
    constexpr span() noexcept = default;

    /// `size` values from `data` on.
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}

    /// The elements of an array.
    template <std::size_t N>
    constexpr span(T (&array)[N]) noexcept : data_(array), size_(N)
    {
    }

    /// The elements of a container that has them side by side; it must outlive the span.
    template <class C, class P = decltype(std::data(std::declval<C &>())),
              class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<P> (*)[], T (*)[]> &&
                                       !std::is_array_v<std::remove_reference_t<C>> &&
                                       (std::is_lvalue_reference_v<C> || std::is_const_v<T>)>>
    constexpr span(C &&container) noexcept : data_(std::data(container)), size_(std::size(container))
    {
    }

    /// The first value.
    [[nodiscard]] constexpr T *data() const noexcept { return data_; }
    /// The number of values.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    /// Their size in bytes.
    [[nodiscard]] constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
    /// Whether there are none.
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    /// The value at a position, which must be below size().
    [[nodiscard]] constexpr T &operator[](std::size_t index) const { return data_[index]; }
    /// The first value, of at least one.
    [[nodiscard]] constexpr T &front() const { return data_[0]; }
    /// The last value, of at least one.
    [[nodiscard]] constexpr T &back() const { return data_[size_ - 1]; }
    /// The beginning.
    [[nodiscard]] constexpr iterator begin() const noexcept { return data_; }
    /// The end.
    [[nodiscard]] constexpr iterator end() const noexcept { return data_ + size_; }
    /// The beginning, from the last value on.
    [[nodiscard]] constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
    /// The end, before the first value.
    [[nodiscard]] constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
    /// The first `count` values, of at least as many.
    [[nodiscard]] constexpr span first(std::size_t count) const { return {data_, count}; }
    /// The last `count` values, of at least as many.
    [[nodiscard]] constexpr span last(std::size_t count) const { return {data_ + (size_ - count), count}; }
    /// The values from `offset` on.
    [[nodiscard]] constexpr span subspan(std::size_t offset) const { return {data_ + offset, size_ - offset}; }
    /// `count` values from `offset` on.
    [[nodiscard]] constexpr span subspan(std::size_t offset, std::size_t count) const
    {
        return {data_ + offset, count};
    }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

#endif

/// @cond INTERNAL
namespace detail {

/// The type of the elements of a container that has them side by side: `const double` for a const vector.
template <class C>
using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;

} // namespace detail
/// @endcond

} // namespace colstore

#endif
