/// @file
/// colstore::value_set: values that others are looked up in; colstore::isin.

#ifndef COLSTORE_VALUE_SET_HPP
#define COLSTORE_VALUE_SET_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <colstore/column_data.hpp>
#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/literal.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

template <class C, class = void>
inline constexpr bool is_range = false;
template <class C>
inline constexpr bool is_range<C, std::void_t<decltype(std::begin(std::declval<const C &>())),
                                              decltype(std::size(std::declval<const C &>()))>> = true;

/// Whether a type is a container of values, and not one value itself.
template <class C>
inline constexpr bool is_container = is_range<C> && !is_operand<C>;

/// The type of what a container has, as it gives it.
template <class C>
using item_of = std::decay_t<decltype(*std::begin(std::declval<const C &>()))>;

} // namespace detail
/// @endcond

/// Values that others are looked up in. It has memory of its own, and is made of
///
/// - values listed between braces, of different kinds too: `{1, 2.5, "a"}`;
/// - a container of the values of a column (see colstore::element), side by side or a colstore::elements;
/// - a container of texts, such as a `std::vector<std::string>`.
///
/// Values are compared exactly, so that their types do not matter.
class value_set {
public:
    /// Takes a handle of the C interface.
    explicit value_set(::colstore_values *handle) noexcept : handle_(handle) {}

    /// Values listed between braces.
    ///
    /// @throws error with status::invalid_argument for an expression that is no constant.
    value_set(std::initializer_list<operand> values)
    {
        std::vector<const ::colstore_expr *> handles;
        for (const operand &one : values) {
            handles.push_back(one.c_handle());
        }
        make_list(handles);
    }

    /// The values of a container.
    template <class C, class = std::enable_if_t<detail::is_container<C>>>
    value_set(const C &values)
    {
        if constexpr (detail::is_text<detail::item_of<C>> && !detail::is_strided<C>) {
            std::vector<expr> literals;
            for (const auto &one : values) {
                literals.push_back(literal(std::string_view(one)));
            }
            std::vector<const ::colstore_expr *> handles;
            for (const expr &one : literals) {
                handles.push_back(one.c_handle());
            }
            make_list(handles);
        } else {
            make_array(detail::stored_as(values), values);
        }
    }

    /// The values of a container, with a dtype given as text: for counts of a time, and for bytes that are other
    /// values. Big-endian ones are converted.
    template <class C, class = std::enable_if_t<detail::is_container<C>>>
    value_set(std::string_view dtype, const C &values)
    {
        make_array(dtype, values);
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_values *c_handle() const noexcept { return handle_.get(); }

private:
    void make_list(const std::vector<const ::colstore_expr *> &handles)
    {
        ::colstore_error *err = nullptr;
        ::colstore_values *made = nullptr;
        detail::check(::colstore_values_list(handles.data(), handles.size(), &made, &err), err);
        handle_.reset(made);
    }

    template <class C>
    void make_array(std::string_view dtype, const C &values)
    {
        ::colstore_error *err = nullptr;
        ::colstore_values *made = nullptr;
        detail::check(::colstore_values_array(dtype.data(), dtype.size(), std::data(values), std::size(values),
                                              detail::stride_of(values), &made, &err),
                      err);
        handle_.reset(made);
    }

    detail::handle<::colstore_values, &::colstore_values_free> handle_;
};

/// @cond INTERNAL
namespace detail {

inline expr isin(const expr &value, const value_set &values, std::int32_t negated)
{
    return expr::make([&](auto out, auto err) {
        return ::colstore_expr_isin(value.c_handle(), values.c_handle(), negated, out, err);
    });
}

} // namespace detail
/// @endcond

/// Whether a value equals one of several: `isin(col("charge"), {-1, 1})`, `isin(col("tag"), tags)`. Values are compared
/// exactly: a set with 1 in it has 1.0 and true in it, not 1.01. NaN, "not a time" and nothing are never found.
[[nodiscard]] inline expr isin(const expr &value, const value_set &values)
{
    return detail::isin(value, values, 0);
}

/// Whether a value equals none of several.
[[nodiscard]] inline expr not_in(const expr &value, const value_set &values)
{
    return detail::isin(value, values, 1);
}

} // namespace colstore

#endif
