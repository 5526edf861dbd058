/// @file
/// Columns whose type is known when the program runs: colstore::view, lent, and colstore::values, read.

#ifndef COLSTORE_VIEW_HPP
#define COLSTORE_VIEW_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <colstore/allocator.hpp>
#include <colstore/column.hpp>
#include <colstore/dtype.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

/// Values at an address as those of T, after a look at the dtype.
template <class T>
elements<T> elements_as(const dtype &type, const void *data, std::size_t size, std::ptrdiff_t stride)
{
    if constexpr (std::is_same_v<T, std::string_view> || std::is_same_v<T, std::u32string_view>) {
        constexpr char kind = std::is_same_v<T, std::string_view> ? 'S' : 'U';
        if (type.kind() != kind) {
            raise_type(std::nullopt, std::string(1, type.kind()), std::string(1, kind));
        }
    } else {
        require_readable<T>();
        if (!element<T>::matches(type)) {
            raise_type(std::nullopt, type.kind() + std::to_string(type.itemsize()), element<T>::name());
        }
    }
    return elements<T>(data, size, stride, type.itemsize());
}

} // namespace detail
/// @endcond

/// Rows of a column, lent where they lie in the mapped file. It keeps the mapping alive after the table is gone.
/// Made by table::view.
class view {
public:
    /// Takes a handle of the C interface, and the dtype of the column.
    view(::colstore_view *handle, const colstore::dtype &type)
        : handle_(handle), info_(detail::describe(handle)), dtype_(type)
    {
    }

    /// The dtype of the values.
    [[nodiscard]] const colstore::dtype &dtype() const noexcept { return dtype_; }
    /// The number of values.
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(info_.n_rows); }
    /// The first value's address: any.
    [[nodiscard]] const void *data() const noexcept { return info_.data; }
    /// Bytes from one value to the next; negative for rows in descending order.
    [[nodiscard]] std::ptrdiff_t stride() const noexcept { return static_cast<std::ptrdiff_t>(info_.stride); }
    /// Bytes of a value.
    [[nodiscard]] std::size_t itemsize() const noexcept { return info_.itemsize; }

    /// The values as those of type `T`; good as long as the view lives.
    ///
    /// @throws error with status::invalid_argument if the dtype is not that of `T`.
    template <class T>
    [[nodiscard]] elements<T> as() const
    {
        return detail::elements_as<T>(dtype_, info_.data, size(), stride());
    }

    /// Calls `f` with the elements, of the C++ type that dtype::visit gives.
    template <class F>
    decltype(auto) visit(F &&f) const
    {
        return dtype_.visit([&](auto tag) -> decltype(auto) { return f(as<typename decltype(tag)::type>()); });
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_view *c_handle() const noexcept { return handle_.get(); }

private:
    detail::view_handle handle_;
    ::colstore_view_info info_;
    colstore::dtype dtype_;
};

/// Values of a column, read into memory of their own, which is aligned to 64 bytes. Made by table::read.
class values {
public:
    /// Memory for `size` values, uninitialised.
    values(const colstore::dtype &type, std::size_t size) : bytes_(size * type.itemsize()), size_(size), dtype_(type) {}

    /// The dtype of the column. The values are little-endian even if it is big-endian.
    [[nodiscard]] const colstore::dtype &dtype() const noexcept { return dtype_; }
    /// The number of values.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The values, side by side.
    [[nodiscard]] const std::byte *data() const noexcept { return bytes_.data(); }
    /// The values, side by side, to be written.
    [[nodiscard]] std::byte *data() noexcept { return bytes_.data(); }
    /// Their size in bytes.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_.size(); }

    /// The values as those of type `T`; good as long as this object lives.
    ///
    /// @throws error with status::invalid_argument if the dtype is not that of `T`.
    template <class T>
    [[nodiscard]] elements<T> as() const
    {
        return detail::elements_as<T>(dtype_, bytes_.data(), size_, static_cast<std::ptrdiff_t>(dtype_.itemsize()));
    }

    /// Calls `f` with the elements, of the C++ type that dtype::visit gives.
    template <class F>
    decltype(auto) visit(F &&f) const
    {
        return dtype_.visit([&](auto tag) -> decltype(auto) { return f(as<typename decltype(tag)::type>()); });
    }

private:
    result_vector<std::byte> bytes_;
    std::size_t size_;
    colstore::dtype dtype_;
};

} // namespace colstore

#endif
