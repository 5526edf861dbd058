/// @file
/// Functions of expressions, under NumPy's names: colstore::sqrt, colstore::where, and colstore::call for any by name.
///
/// They are found without `colstore::` where one of their operands is an expression; the others may be values, as
/// colstore::literal says: `hypot(col("x"), 3.0)`. Whether a function has a result for the dtypes of its operands is
/// seen where the expression is used.

#ifndef COLSTORE_FUNCTIONS_HPP
#define COLSTORE_FUNCTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colstore/column_data.hpp>
#include <colstore/expr.hpp>
#include <colstore/literal.hpp>
#include <colstore/span.hpp>

namespace colstore {

/// @cond INTERNAL
namespace detail {

inline expr call_of(std::string_view name, const ::colstore_expr *const *args, std::size_t n)
{
    return expr::make(
        [&](auto out, auto err) { return ::colstore_expr_call(name.data(), name.size(), args, n, out, err); });
}

/// Whether types are those of operands, an expression among them.
template <class... Operands>
using enable_operands =
    std::enable_if_t<(is_operand<Operands> && ...) && (std::is_same_v<Operands, expr> || ...)>;

/// A function of operands each of which is an expression or a value.
template <class... Operands>
expr call_with(std::string_view name, const Operands &...operands)
{
    const operand taken[] = {operand(operands)...};
    const ::colstore_expr *handles[sizeof...(Operands)];
    for (std::size_t i = 0; i < sizeof...(Operands); ++i) {
        handles[i] = taken[i].c_handle();
    }
    return call_of(name, handles, sizeof...(Operands));
}

} // namespace detail
/// @endcond

/// A function of any operands by its name: `call("hypot", {col("x"), 3.0})`. Operators are functions too: "add",
/// "less_equal", "logical_and".
///
/// @throws error with status::value if there is no function of that name, or if it takes another number of operands.
[[nodiscard]] inline expr call(std::string_view name, std::initializer_list<operand> operands)
{
    std::vector<const ::colstore_expr *> handles;
    for (const operand &one : operands) {
        handles.push_back(one.c_handle());
    }
    return detail::call_of(name, handles.data(), handles.size());
}

/// The same for operands that are known when the program runs.
[[nodiscard]] inline expr call(std::string_view name, span<const expr> operands)
{
    std::vector<const ::colstore_expr *> handles;
    for (const expr &one : operands) {
        handles.push_back(one.c_handle());
    }
    return detail::call_of(name, handles.data(), handles.size());
}

/// A value as another dtype, as NumPy's `astype` makes it: `cast(col("x"), "f4")`. A big-endian dtype stands for the
/// little-endian one.
///
/// @throws error with status::unsupported_type if the text names no dtype.
[[nodiscard]] inline expr cast(const expr &value, std::string_view dtype)
{
    return expr::make([&](auto out, auto err) {
        return ::colstore_expr_cast(value.c_handle(), dtype.data(), dtype.size(), out, err);
    });
}

/// A value as the dtype of a C++ type: `colstore::cast<float>(col("x"))`.
template <class T>
[[nodiscard]] expr cast(const expr &value)
{
    return cast(value, detail::stored_as<T>());
}

/// A value rounded to `decimals` digits after the point, or before it if negative, halves to even digits.
[[nodiscard]] inline expr round(const expr &value, std::int32_t decimals = 0)
{
    return expr::make([&](auto out, auto err) { return ::colstore_expr_round(value.c_handle(), decimals, out, err); });
}

/// Where `condition` holds `then`, elsewhere `otherwise`. Both are computed for all rows.
template <class C, class A, class B, class = detail::enable_operands<C, A, B>>
[[nodiscard]] expr where(const C &condition, const A &then, const B &otherwise)
{
    return detail::call_with("where", condition, then, otherwise);
}

/// A value that is no less than `low` and no more than `high`; `std::nullopt` is no limit.
template <class V, class L, class H, class = detail::enable_operands<V, L, H>>
[[nodiscard]] expr clip(const V &value, const L &low, const H &high)
{
    return detail::call_with("clip", value, low, high);
}

/// @cond INTERNAL
#define COLSTORE_FUNCTION_1(name, called)                                                                              \
    [[nodiscard]] inline expr name(const expr &x)                                                                      \
    {                                                                                                                  \
        return detail::call_with(called, x);                                                                           \
    }
#define COLSTORE_FUNCTION_2(name, called)                                                                              \
    template <class A, class B, class = detail::enable_operands<A, B>>                                                 \
    [[nodiscard]] expr name(const A &a, const B &b)                                                                    \
    {                                                                                                                  \
        return detail::call_with(called, a, b);                                                                        \
    }
/// @endcond

/// @name Arithmetic
/// @{
COLSTORE_FUNCTION_2(add, "add")                   ///< `a + b`
COLSTORE_FUNCTION_2(subtract, "subtract")         ///< `a - b`
COLSTORE_FUNCTION_2(multiply, "multiply")         ///< `a * b`
COLSTORE_FUNCTION_2(true_divide, "true_divide")   ///< `a / b`, a float also for integers.
COLSTORE_FUNCTION_2(floor_divide, "floor_divide") ///< The greatest whole number that is not above `a / b`.
COLSTORE_FUNCTION_2(remainder, "remainder")       ///< What floor_divide() leaves, with the sign of `b`.
COLSTORE_FUNCTION_2(fmod, "fmod")                 ///< What a division towards 0 leaves, with the sign of `a`.
COLSTORE_FUNCTION_2(power, "power")               ///< `a` to the power `b`.
COLSTORE_FUNCTION_2(pow, "power")                 ///< The same.
COLSTORE_FUNCTION_2(float_power, "float_power")   ///< The same in float64 at least.
COLSTORE_FUNCTION_1(negative, "negative")         ///< `-x`
COLSTORE_FUNCTION_1(positive, "positive")         ///< `+x`
COLSTORE_FUNCTION_1(absolute, "absolute")         ///< Without its sign.
COLSTORE_FUNCTION_1(abs, "absolute")              ///< The same.
COLSTORE_FUNCTION_1(fabs, "fabs")                 ///< The same as a float.
COLSTORE_FUNCTION_1(sign, "sign")                 ///< -1, 0 or 1.
COLSTORE_FUNCTION_1(square, "square")             ///< `x * x`
COLSTORE_FUNCTION_1(reciprocal, "reciprocal")     ///< `1 / x`, of the dtype of `x`.
COLSTORE_FUNCTION_1(sqrt, "sqrt")                 ///< The square root.
COLSTORE_FUNCTION_1(cbrt, "cbrt")                 ///< The cube root.
COLSTORE_FUNCTION_2(hypot, "hypot")               ///< `sqrt(a * a + b * b)` without overflow.
COLSTORE_FUNCTION_2(gcd, "gcd")                   ///< The greatest common divisor of integers.
COLSTORE_FUNCTION_2(lcm, "lcm")                   ///< The least common multiple of integers.
/// @}

/// @name Comparisons
/// @{
COLSTORE_FUNCTION_2(equal, "equal")                 ///< `a == b`
COLSTORE_FUNCTION_2(not_equal, "not_equal")         ///< `a != b`
COLSTORE_FUNCTION_2(less, "less")                   ///< `a < b`
COLSTORE_FUNCTION_2(less_equal, "less_equal")       ///< `a <= b`
COLSTORE_FUNCTION_2(greater, "greater")             ///< `a > b`
COLSTORE_FUNCTION_2(greater_equal, "greater_equal") ///< `a >= b`
COLSTORE_FUNCTION_2(maximum, "maximum")             ///< The greater of two; NaN if one is.
COLSTORE_FUNCTION_2(minimum, "minimum")             ///< The lesser of two; NaN if one is.
COLSTORE_FUNCTION_2(fmax, "fmax")                   ///< The greater of two; the other one if one is NaN.
COLSTORE_FUNCTION_2(fmin, "fmin")                   ///< The lesser of two; the other one if one is NaN.
/// @}

/// @name Logic and bits
/// @{
COLSTORE_FUNCTION_2(logical_and, "logical_and") ///< Whether both are true.
COLSTORE_FUNCTION_2(logical_or, "logical_or")   ///< Whether one is true.
COLSTORE_FUNCTION_2(logical_xor, "logical_xor") ///< Whether exactly one is true.
COLSTORE_FUNCTION_1(logical_not, "logical_not") ///< Whether it is not true.
COLSTORE_FUNCTION_2(bitwise_and, "bitwise_and") ///< `a & b`
COLSTORE_FUNCTION_2(bitwise_or, "bitwise_or")   ///< `a | b`
COLSTORE_FUNCTION_2(bitwise_xor, "bitwise_xor") ///< `a ^ b`
COLSTORE_FUNCTION_1(invert, "invert")           ///< `~x`
COLSTORE_FUNCTION_2(left_shift, "left_shift")   ///< `a << b`
COLSTORE_FUNCTION_2(right_shift, "right_shift") ///< `a >> b`
/// @}

/// @name Floats
/// @{
COLSTORE_FUNCTION_1(floor, "floor")         ///< The greatest whole number that is not above it.
COLSTORE_FUNCTION_1(ceil, "ceil")           ///< The least whole number that is not below it.
COLSTORE_FUNCTION_1(trunc, "trunc")         ///< Without what is after the point.
COLSTORE_FUNCTION_1(rint, "rint")           ///< The nearest whole number, halves to even ones.
COLSTORE_FUNCTION_1(isnan, "isnan")         ///< Whether it is NaN, or "not a time".
COLSTORE_FUNCTION_1(isinf, "isinf")         ///< Whether it is infinite.
COLSTORE_FUNCTION_1(isfinite, "isfinite")   ///< Whether it is neither.
COLSTORE_FUNCTION_1(isnat, "isnat")         ///< Whether a time is "not a time".
COLSTORE_FUNCTION_1(signbit, "signbit")     ///< Whether its sign is negative, of -0.0 too.
COLSTORE_FUNCTION_2(copysign, "copysign")   ///< `a` with the sign of `b`.
COLSTORE_FUNCTION_2(nextafter, "nextafter") ///< The float next to `a` on the way to `b`.
COLSTORE_FUNCTION_1(spacing, "spacing")     ///< The distance to the next float.
COLSTORE_FUNCTION_2(ldexp, "ldexp")         ///< `a` times 2 to the power `b`.
COLSTORE_FUNCTION_2(heaviside, "heaviside") ///< 0 below 0, `b` at 0, 1 above.
/// @}

/// @name Powers and logarithms
/// @{
COLSTORE_FUNCTION_1(exp, "exp")               ///< e to the power `x`.
COLSTORE_FUNCTION_1(exp2, "exp2")             ///< 2 to the power `x`.
COLSTORE_FUNCTION_1(expm1, "expm1")           ///< `exp(x) - 1`, exact near 0.
COLSTORE_FUNCTION_1(log, "log")               ///< The natural logarithm.
COLSTORE_FUNCTION_1(log2, "log2")             ///< To the base 2.
COLSTORE_FUNCTION_1(log10, "log10")           ///< To the base 10.
COLSTORE_FUNCTION_1(log1p, "log1p")           ///< `log(1 + x)`, exact near 0.
COLSTORE_FUNCTION_2(logaddexp, "logaddexp")   ///< `log(exp(a) + exp(b))`
COLSTORE_FUNCTION_2(logaddexp2, "logaddexp2") ///< `log2(exp2(a) + exp2(b))`
/// @}

/// @name Angles, in radians
/// @{
COLSTORE_FUNCTION_1(sin, "sin")         ///< The sine.
COLSTORE_FUNCTION_1(cos, "cos")         ///< The cosine.
COLSTORE_FUNCTION_1(tan, "tan")         ///< The tangent.
COLSTORE_FUNCTION_1(arcsin, "arcsin")   ///< The angle of a sine.
COLSTORE_FUNCTION_1(arccos, "arccos")   ///< The angle of a cosine.
COLSTORE_FUNCTION_1(arctan, "arctan")   ///< The angle of a tangent.
COLSTORE_FUNCTION_2(arctan2, "arctan2") ///< The angle of the point at `b` to the right and `a` upwards.
COLSTORE_FUNCTION_1(asin, "arcsin")     ///< The same as arcsin().
COLSTORE_FUNCTION_1(acos, "arccos")     ///< The same as arccos().
COLSTORE_FUNCTION_1(atan, "arctan")     ///< The same as arctan().
COLSTORE_FUNCTION_2(atan2, "arctan2")   ///< The same as arctan2().
COLSTORE_FUNCTION_1(sinh, "sinh")       ///< The hyperbolic sine.
COLSTORE_FUNCTION_1(cosh, "cosh")       ///< The hyperbolic cosine.
COLSTORE_FUNCTION_1(tanh, "tanh")       ///< The hyperbolic tangent.
COLSTORE_FUNCTION_1(arcsinh, "arcsinh") ///< The inverse of sinh().
COLSTORE_FUNCTION_1(arccosh, "arccosh") ///< The inverse of cosh().
COLSTORE_FUNCTION_1(arctanh, "arctanh") ///< The inverse of tanh().
COLSTORE_FUNCTION_1(asinh, "arcsinh")   ///< The same as arcsinh().
COLSTORE_FUNCTION_1(acosh, "arccosh")   ///< The same as arccosh().
COLSTORE_FUNCTION_1(atanh, "arctanh")   ///< The same as arctanh().
COLSTORE_FUNCTION_1(degrees, "degrees") ///< Degrees of radians.
COLSTORE_FUNCTION_1(rad2deg, "rad2deg") ///< The same.
COLSTORE_FUNCTION_1(radians, "radians") ///< Radians of degrees.
COLSTORE_FUNCTION_1(deg2rad, "deg2rad") ///< The same.
/// @}

#undef COLSTORE_FUNCTION_1
#undef COLSTORE_FUNCTION_2

} // namespace colstore

#endif
