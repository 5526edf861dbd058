/// @file
/// The operators of expressions. One operand is a colstore::expr; the other one too, or a value as colstore::literal
/// takes it: `col("pt") > 30 && abs(col("eta")) < 2.5`.
///
/// They are NumPy's where C++ has others: `/` gives floats for integers too, `%` has the sign of the divisor, `&&` and
/// `||` make an expression of both their operands (in a condition on rows, the parts that are joined by them are
/// computed in their order, and later ones for the rows that are left). `1 < col("x") < 3` compares a truth value with
/// 3, as everywhere in C++: write `1 < col("x") && col("x") < 3`.

#ifndef COLSTORE_OPERATORS_HPP
#define COLSTORE_OPERATORS_HPP

#include <colstore/expr.hpp>
#include <colstore/functions.hpp>
#include <colstore/literal.hpp>

namespace colstore {

/// @cond INTERNAL
#define COLSTORE_OPERATOR_1(op, called)                                                                                \
    [[nodiscard]] inline expr operator op(const expr &x)                                                               \
    {                                                                                                                  \
        return detail::call_with(called, x);                                                                           \
    }
#define COLSTORE_OPERATOR_2(op, called)                                                                                \
    template <class A, class B, class = detail::enable_operands<A, B>>                                                 \
    [[nodiscard]] expr operator op(const A &a, const B &b)                                                             \
    {                                                                                                                  \
        return detail::call_with(called, a, b);                                                                        \
    }
/// @endcond

COLSTORE_OPERATOR_2(+, "add")             ///< The sum; of texts, one after the other.
COLSTORE_OPERATOR_2(-, "subtract")        ///< The difference.
COLSTORE_OPERATOR_2(*, "multiply")        ///< The product.
COLSTORE_OPERATOR_2(/, "true_divide")     ///< The quotient, a float also for integers; floor_divide() gives integers.
COLSTORE_OPERATOR_2(%, "remainder")       ///< The remainder, with the sign of the divisor; fmod() has the other one.
COLSTORE_OPERATOR_2(==, "equal")          ///< Whether they are equal.
COLSTORE_OPERATOR_2(!=, "not_equal")      ///< Whether they differ.
COLSTORE_OPERATOR_2(<, "less")            ///< Whether `a` is less.
COLSTORE_OPERATOR_2(<=, "less_equal")     ///< Whether `a` is less, or they are equal.
COLSTORE_OPERATOR_2(>, "greater")         ///< Whether `a` is greater.
COLSTORE_OPERATOR_2(>=, "greater_equal")  ///< Whether `a` is greater, or they are equal.
COLSTORE_OPERATOR_2(&&, "logical_and")    ///< Whether both are true. Both are expressions: nothing is left out.
COLSTORE_OPERATOR_2(||, "logical_or")     ///< Whether one is true. Both are expressions: nothing is left out.
COLSTORE_OPERATOR_2(&, "bitwise_and")     ///< The bits that are set in both; of booleans whether both are true.
COLSTORE_OPERATOR_2(|, "bitwise_or")      ///< The bits that are set in one; of booleans whether one is true.
COLSTORE_OPERATOR_2(^, "bitwise_xor")     ///< The bits in which they differ.
COLSTORE_OPERATOR_2(<<, "left_shift")     ///< The bits of `a`, `b` places up.
COLSTORE_OPERATOR_2(>>, "right_shift")    ///< The bits of `a`, `b` places down.
COLSTORE_OPERATOR_1(-, "negative")        ///< The negative.
COLSTORE_OPERATOR_1(+, "positive")        ///< The value itself.
COLSTORE_OPERATOR_1(!, "logical_not")     ///< Whether it is not true.
COLSTORE_OPERATOR_1(~, "invert")          ///< The bits that are not set; of booleans whether it is not true.

#undef COLSTORE_OPERATOR_1
#undef COLSTORE_OPERATOR_2

} // namespace colstore

#endif
