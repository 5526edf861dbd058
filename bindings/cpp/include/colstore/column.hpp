/// @file
/// colstore::elements: values where they lie, of a type known when compiling; colstore::column: such that own their
/// memory's mapping.

#ifndef COLSTORE_COLUMN_HPP
#define COLSTORE_COLUMN_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <colstore/error.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// Values of type `T` in memory of somebody else's, evenly spaced, at any address: what a file holds need not be
/// aligned, so values are given as copies. For `std::string_view` and `std::u32string_view` the text is lent, without
/// the zeros that pad it.
template <class T>
class elements {
public:
    using value_type = T; ///< The type of the values.

    /// Over the values, in order.
    class iterator {
    public:
        using iterator_category = std::random_access_iterator_tag; ///< Any value can be jumped to.
        using value_type = T;                                      ///< The type of the values.
        using difference_type = std::ptrdiff_t;                    ///< For distances.
        using reference = T;                                       ///< Values are copies.
        using pointer = const T *;                                 ///< Not used.

        iterator() noexcept = default;
        /// That at a position.
        iterator(const elements *of, difference_type position) noexcept : of_(of), position_(position) {}
        /// The value.
        T operator*() const { return (*of_)[static_cast<std::size_t>(position_)]; }
        /// The value at a distance.
        T operator[](difference_type n) const { return *(*this + n); }
        /// @cond INTERNAL
        iterator &operator++() { return *this += 1; }
        iterator &operator--() { return *this += -1; }
        iterator operator++(int) { return std::exchange(*this, *this + 1); }
        iterator operator--(int) { return std::exchange(*this, *this - 1); }
        iterator &operator+=(difference_type n)
        {
            position_ += n;
            return *this;
        }
        iterator &operator-=(difference_type n) { return *this += -n; }
        friend iterator operator+(iterator it, difference_type n) { return it += n; }
        friend iterator operator+(difference_type n, iterator it) { return it += n; }
        friend iterator operator-(iterator it, difference_type n) { return it -= n; }
        friend difference_type operator-(iterator a, iterator b) { return a.position_ - b.position_; }
        friend bool operator==(iterator a, iterator b) { return a.position_ == b.position_; }
        friend bool operator!=(iterator a, iterator b) { return a.position_ != b.position_; }
        friend bool operator<(iterator a, iterator b) { return a.position_ < b.position_; }
        friend bool operator>(iterator a, iterator b) { return b < a; }
        friend bool operator<=(iterator a, iterator b) { return !(b < a); }
        friend bool operator>=(iterator a, iterator b) { return !(a < b); }
        /// @endcond

    private:
        const elements *of_ = nullptr;
        difference_type position_ = 0;
    };

    /// `size` values of `itemsize` bytes, the first at `data`, `stride` bytes apart.
    elements(const void *data, std::size_t size, std::ptrdiff_t stride, std::size_t itemsize)
        : data_(static_cast<const unsigned char *>(data)), size_(size), stride_(stride), itemsize_(itemsize)
    {
        if constexpr (std::is_same_v<T, std::u32string_view>) {
            if (size > 0 && reinterpret_cast<std::uintptr_t>(data) % alignof(char32_t) != 0) {
                throw error(status::not_contiguous, "the texts do not lie at addresses that char32_t can be lent "
                                                    "from; read a copy");
            }
        }
    }

    /// The number of values.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether there are none.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    /// The first value's address.
    [[nodiscard]] const void *data() const noexcept { return data_; }
    /// Bytes from one value to the next; negative for rows in descending order.
    [[nodiscard]] std::ptrdiff_t stride() const noexcept { return stride_; }
    /// Bytes of a value.
    [[nodiscard]] std::size_t itemsize() const noexcept { return itemsize_; }
    /// The beginning. Iterators are good as long as this object is there.
    [[nodiscard]] iterator begin() const noexcept { return {this, 0}; }
    /// The end.
    [[nodiscard]] iterator end() const noexcept { return {this, static_cast<std::ptrdiff_t>(size_)}; }

    /// The value at a position, which must be below size().
    [[nodiscard]] T operator[](std::size_t position) const
    {
        const unsigned char *at = data_ + static_cast<std::ptrdiff_t>(position) * stride_;
        if constexpr (std::is_same_v<T, std::string_view> || std::is_same_v<T, std::u32string_view>) {
            using character = typename T::value_type;
            T text(reinterpret_cast<const character *>(at), itemsize_ / sizeof(character));
            text.remove_suffix(text.size() - (text.find_last_not_of(character{}) + 1));
            return text;
        } else {
            T value;
            std::memcpy(&value, at, sizeof value);
            return value;
        }
    }

    /// Whether span() can be had: the values lie side by side, at an address that their type can have.
    [[nodiscard]] bool is_span() const noexcept
    {
        return std::is_trivially_copyable_v<T> && itemsize_ == sizeof(T) &&
               (size_ < 2 || stride_ == static_cast<std::ptrdiff_t>(sizeof(T))) &&
               (size_ == 0 || reinterpret_cast<std::uintptr_t>(data_) % alignof(T) == 0);
    }

    /// The values as a span, without a copy.
    ///
    /// @throws error with status::not_contiguous unless is_span().
    [[nodiscard]] colstore::span<const T> span() const
    {
        static_assert(!std::is_same_v<T, std::string_view> && !std::is_same_v<T, std::u32string_view>,
                      "texts are made when they are asked for: use a std::array<char, N> as the type instead");
        if (!is_span()) {
            throw error(status::not_contiguous,
                        "the values do not lie side by side at an address that is a multiple of " +
                            std::to_string(alignof(T)) + "; go through them one by one, or read a copy");
        }
        return {size_ > 0 ? reinterpret_cast<const T *>(data_) : nullptr, size_};
    }

private:
    const unsigned char *data_;
    std::size_t size_;
    std::ptrdiff_t stride_;
    std::size_t itemsize_;
};

/// @cond INTERNAL
namespace detail {

using view_handle = handle<::colstore_view, &::colstore_view_free>;

inline ::colstore_view_info describe(const ::colstore_view *view)
{
    ::colstore_error *err = nullptr;
    ::colstore_view_info info{};
    info.size = sizeof info;
    check(::colstore_view_describe(view, &info, &err), err);
    return info;
}

} // namespace detail
/// @endcond

/// Rows of a column, lent where they lie in the mapped file, as values of type `T`. It keeps the mapping alive after
/// the table is gone; spans, iterators and texts are good as long as it lives. Made by table::view.
template <class T>
class column : public elements<T> {
public:
    /// Takes a handle of the C interface, of a column whose dtype is that of `T`.
    explicit column(::colstore_view *handle) : column(detail::view_handle(handle)) {}

    /// @cond INTERNAL
    explicit column(detail::view_handle handle) : column(detail::describe(handle.get()), std::move(handle)) {}
    /// @endcond

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_view *c_handle() const noexcept { return handle_.get(); }

private:
    column(const ::colstore_view_info &info, detail::view_handle &&handle)
        : elements<T>(info.data, static_cast<std::size_t>(info.n_rows), static_cast<std::ptrdiff_t>(info.stride),
                      info.itemsize),
          handle_(std::move(handle))
    {
    }

    detail::view_handle handle_;
};

} // namespace colstore

#endif
