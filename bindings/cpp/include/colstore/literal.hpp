/// @file
/// Constants in expressions: colstore::literal, colstore::constant, colstore::bytes, colstore::integer.

#ifndef COLSTORE_LITERAL_HPP
#define COLSTORE_LITERAL_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <colstore/column_data.hpp>
#include <colstore/element.hpp>
#include <colstore/error.hpp>
#include <colstore/expr.hpp>
#include <colstore/value_types.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

/// Whether a type can be meant as a constant beside an expression. Those that have no value for that are among them, so
/// that the compiler can say what to write instead.
template <class T>
inline constexpr bool is_value = std::is_arithmetic_v<T> || is_text<T> || is_element<T> ||
                                 std::is_same_v<T, std::nullopt_t>;

/// Whether a type can stand beside an expression, or is one.
template <class T>
inline constexpr bool is_operand = is_value<T> || std::is_same_v<T, expr>;

/// One value with a dtype given as text.
inline expr constant_of(std::string_view dtype, const void *value, std::size_t size)
{
    return expr::make([&](auto out, auto err) {
        return ::colstore_expr_constant(dtype.data(), dtype.size(), value, size, out, err);
    });
}

} // namespace detail
/// @endcond

/// One value with a dtype of its own, that of its C++ type: it promotes as a column of that dtype does.
/// `col("x") + constant(1.5F)` is of float32 for a float32 `x`, and `col("x") + constant(1.5)` of float64.
///
/// The types are those of colstore::element, times of `std::chrono` among them, and texts of a fixed width.
template <class T>
[[nodiscard]] expr constant(const T &value)
{
    return detail::constant_of(detail::stored_as<T>(), &value, sizeof value);
}

/// The same with a dtype given as text, in any of NumPy's little-endian spellings: for counts of a time,
/// `constant("<M8[25s]", datetime{7})`, and for bytes that are another value.
///
/// @throws error with status::unsupported_type if the text names no dtype, with status::value if the dtype is
/// big-endian or of another size than the value.
template <class T>
[[nodiscard]] expr constant(std::string_view dtype, const T &value)
{
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "the value is taken as its bytes");
    return detail::constant_of(dtype, &value, sizeof value);
}

/// The same for a dtype that is known when the program runs: one value of `size` bytes, at any address.
[[nodiscard]] inline expr constant(std::string_view dtype, const void *value, std::size_t size)
{
    return detail::constant_of(dtype, value, size);
}

/// Bytes, to be compared with columns of bytes. A text does for those that are ASCII.
[[nodiscard]] inline expr bytes(std::string_view value)
{
    return expr::make([&](auto out, auto err) { return ::colstore_expr_bytes(value.data(), value.size(), out, err); });
}

/// An integer of any size as text: decimal digits, or hexadecimal ones after `0x`, with or without a sign. It has no
/// dtype of its own.
///
/// @throws error with status::value for another text.
[[nodiscard]] inline expr integer(std::string_view digits)
{
    return expr::make(
        [&](auto out, auto err) { return ::colstore_expr_integer(digits.data(), digits.size(), out, err); });
}

/// A value of C++ as a constant, as it is taken where it stands beside an expression:
///
/// | C++ | the constant |
/// |---|---|
/// | `bool`, colstore::boolean | a boolean without a dtype of its own |
/// | every type of integers | an integer without a dtype of its own: `col("i1") + 1` is of int8 |
/// | `float`, `double` | a float without a dtype of its own: `col("f4") + 0.5` is of float32 |
/// | texts: literals, `std::string`, `std::string_view` | a text, for columns of text and of bytes |
/// | `std::nullopt` | nothing: equal to no value, and no limit for clip() |
/// | times of `std::chrono`, colstore::float16, `std::array` of characters | of their dtype, as constant() makes them |
///
/// For numbers that have the dtype of their C++ type, write constant(). Characters, `long double` and counts of a time
/// do not compile.
template <class V>
[[nodiscard]] expr literal(const V &value)
{
    if constexpr (std::is_same_v<V, std::nullopt_t>) {
        static_cast<void>(value);
        return expr::make([](auto out, auto err) { return ::colstore_expr_none(out, err); });
    } else if constexpr (std::is_same_v<V, bool> || std::is_same_v<V, boolean>) {
        const std::int32_t truth = value ? 1 : 0;
        return expr::make([&](auto out, auto err) { return ::colstore_expr_bool(truth, out, err); });
    } else if constexpr (detail::is_text<V>) {
        const std::string_view text = value;
        return expr::make([&](auto out, auto err) { return ::colstore_expr_text(text.data(), text.size(), out, err); });
    } else if constexpr (std::is_arithmetic_v<V>) {
        static_assert(!detail::is_character<V>, "a character is no number: write a text or an integer");
        static_assert(!std::is_same_v<V, long double>, "a long double is no float of 8 bytes: cast it, or write "
                                                       "constant(value)");
        static_assert(std::is_floating_point_v<V> || sizeof(V) <= 8, "for larger integers, write integer(digits)");
        if constexpr (std::is_floating_point_v<V>) {
            const double number = static_cast<double>(value);
            return expr::make([&](auto out, auto err) { return ::colstore_expr_float(number, out, err); });
        } else if constexpr (std::is_signed_v<V>) {
            return expr::make([&](auto out, auto err) { return ::colstore_expr_int(value, out, err); });
        } else {
            return expr::make([&](auto out, auto err) { return ::colstore_expr_uint(value, out, err); });
        }
    } else {
        return constant(value);
    }
}

/// An operand of a function as the argument of a call: an expression, which it does not own unless it is given away, or
/// a value, which it makes one of as literal() does.
class operand {
public:
    /// An expression.
    operand(const expr &value) noexcept : handle_(value.c_handle()) {}
    /// An expression that is given away.
    operand(expr &&value) noexcept : owned_(std::move(value)), handle_(owned_->c_handle()) {}
    /// A value.
    template <class V, class = std::enable_if_t<detail::is_value<V>>>
    operand(const V &value) : owned_(literal(value)), handle_(owned_->c_handle())
    {
    }

    /// The handle of the C interface, lent.
    [[nodiscard]] const ::colstore_expr *c_handle() const noexcept { return handle_; }

private:
    std::optional<expr> owned_;
    const ::colstore_expr *handle_;
};

} // namespace colstore

#endif
