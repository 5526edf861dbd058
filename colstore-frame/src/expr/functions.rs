//! The functions of expressions, one row of a table each.

use std::fmt;

use colstore_format::{DType, Kind};

/// Whether results equal NumPy's bit for bit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exactness {
    /// Defined by IEEE 754 or integer arithmetic: there is one right answer.
    Exact,
    /// Floats come from the mathematical library and may differ in the last place.
    Library,
}
use Exactness::{Exact, Library};

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal $(| $alias:literal)*, $arity:literal, $exactness:ident;)*) => {
        /// A function of rows: operators are functions too. Names and meaning are those of NumPy's ufuncs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Function {
            $($(#[$doc])* $variant,)*
        }

        impl Function {
            /// All functions.
            pub const ALL: &[Function] = &[$(Function::$variant),*];

            /// NumPy's name.
            pub fn name(self) -> &'static str {
                match self { $(Function::$variant => $name,)* }
            }

            /// The number of operands: 1, 2 or 3.
            pub fn arity(self) -> usize {
                match self { $(Function::$variant => $arity,)* }
            }

            /// The function that NumPy calls `name`, which may be an alias (`abs`, `mod`, `divide`).
            pub fn from_name(name: &str) -> Option<Function> {
                match name {
                    $($name $(| $alias)* => Some(Function::$variant),)*
                    _ => None,
                }
            }

            fn exactness(self) -> Exactness {
                match self { $(Function::$variant => $exactness,)* }
            }
        }
    };
}

functions! {
    /// `x + y`; of `S` and `U`, one text after the other.
    Add = "add", 2, Exact;
    /// `x - y`
    Subtract = "subtract", 2, Exact;
    /// `x * y`
    Multiply = "multiply", 2, Exact;
    /// `x / y`
    TrueDivide = "true_divide" | "divide", 2, Exact;
    /// `x // y`: rounded down.
    FloorDivide = "floor_divide", 2, Exact;
    /// `x % y`: with the sign of `y`.
    Remainder = "remainder" | "mod", 2, Exact;
    /// The remainder with the sign of `x`, as C's `fmod`.
    Fmod = "fmod", 2, Exact;
    /// `x ** y`
    Power = "power" | "pow", 2, Library;
    /// `x ** y` in float64, whatever the operands.
    FloatPower = "float_power", 2, Library;
    /// `-x`
    Negative = "negative", 1, Exact;
    /// `+x`
    Positive = "positive", 1, Exact;
    /// `|x|`
    Absolute = "absolute" | "abs", 1, Exact;
    /// `|x|` as a float.
    Fabs = "fabs", 1, Exact;
    /// −1, 0 or 1.
    Sign = "sign", 1, Exact;
    /// `x * x`
    Square = "square", 1, Exact;
    /// `1 / x`, truncated for integers.
    Reciprocal = "reciprocal", 1, Exact;

    /// `x == y`
    Equal = "equal", 2, Exact;
    /// `x != y`
    NotEqual = "not_equal", 2, Exact;
    /// `x < y`
    Less = "less", 2, Exact;
    /// `x <= y`
    LessEqual = "less_equal", 2, Exact;
    /// `x > y`
    Greater = "greater", 2, Exact;
    /// `x >= y`
    GreaterEqual = "greater_equal", 2, Exact;
    /// Whether both are true: numbers are where they are not zero.
    LogicalAnd = "logical_and", 2, Exact;
    /// Whether one is true.
    LogicalOr = "logical_or", 2, Exact;
    /// Whether exactly one is true.
    LogicalXor = "logical_xor", 2, Exact;
    /// Whether it is not true.
    LogicalNot = "logical_not", 1, Exact;

    /// `x & y`; of booleans as `logical_and`.
    BitwiseAnd = "bitwise_and", 2, Exact;
    /// `x | y`; of booleans as `logical_or`.
    BitwiseOr = "bitwise_or", 2, Exact;
    /// `x ^ y`; of booleans as `logical_xor`.
    BitwiseXor = "bitwise_xor", 2, Exact;
    /// `~x`; of booleans as `logical_not`.
    Invert = "invert" | "bitwise_invert" | "bitwise_not", 1, Exact;
    /// `x << y`; zero from the width on.
    LeftShift = "left_shift" | "bitwise_left_shift", 2, Exact;
    /// `x >> y`; the sign alone from the width on.
    RightShift = "right_shift" | "bitwise_right_shift", 2, Exact;
    /// The greatest common divisor.
    Gcd = "gcd", 2, Exact;
    /// The least common multiple.
    Lcm = "lcm", 2, Exact;

    /// The larger one; NaN if one is.
    Maximum = "maximum", 2, Exact;
    /// The smaller one; NaN if one is.
    Minimum = "minimum", 2, Exact;
    /// The larger one; the other one if one is NaN.
    Fmax = "fmax", 2, Exact;
    /// The smaller one; the other one if one is NaN.
    Fmin = "fmin", 2, Exact;
    /// `minimum(maximum(x, low), high)`
    Clip = "clip", 3, Exact;
    /// The second operand where the first is true, else the third.
    Where = "where", 3, Exact;

    /// Rounded down.
    Floor = "floor", 1, Exact;
    /// Rounded up.
    Ceil = "ceil", 1, Exact;
    /// Rounded towards zero.
    Trunc = "trunc", 1, Exact;
    /// Rounded to the nearest integer, ties to even.
    Rint = "rint", 1, Exact;
    /// Whether it is NaN or NaT.
    Isnan = "isnan", 1, Exact;
    /// Whether it is infinite.
    Isinf = "isinf", 1, Exact;
    /// Whether it is neither infinite nor NaN nor NaT.
    Isfinite = "isfinite", 1, Exact;
    /// Whether it is NaT.
    Isnat = "isnat", 1, Exact;
    /// Whether the sign bit is set.
    Signbit = "signbit", 1, Exact;
    /// `x` with the sign of `y`.
    Copysign = "copysign", 2, Exact;
    /// The next float from `x` towards `y`.
    Nextafter = "nextafter", 2, Exact;
    /// The distance to the next float.
    Spacing = "spacing", 1, Exact;
    /// `x * 2**y`
    Ldexp = "ldexp", 2, Exact;
    /// 0 below zero, 1 above, `y` at zero.
    Heaviside = "heaviside", 2, Exact;

    /// The square root.
    Sqrt = "sqrt", 1, Exact;
    /// The cube root.
    Cbrt = "cbrt", 1, Library;
    /// e to the power of x.
    Exp = "exp", 1, Library;
    /// 2 to the power of x.
    Exp2 = "exp2", 1, Library;
    /// `exp(x) - 1`, accurate near zero.
    Expm1 = "expm1", 1, Library;
    /// The natural logarithm.
    Log = "log", 1, Library;
    /// The logarithm to the base 2.
    Log2 = "log2", 1, Library;
    /// The logarithm to the base 10.
    Log10 = "log10", 1, Library;
    /// `log(1 + x)`, accurate near zero.
    Log1p = "log1p", 1, Library;
    /// `log(exp(x) + exp(y))`
    Logaddexp = "logaddexp", 2, Library;
    /// `log2(2**x + 2**y)`
    Logaddexp2 = "logaddexp2", 2, Library;

    /// The sine of an angle in radians.
    Sin = "sin", 1, Library;
    /// The cosine of an angle in radians.
    Cos = "cos", 1, Library;
    /// The tangent of an angle in radians.
    Tan = "tan", 1, Library;
    /// The angle in radians with this sine.
    Arcsin = "arcsin" | "asin", 1, Library;
    /// The angle in radians with this cosine.
    Arccos = "arccos" | "acos", 1, Library;
    /// The angle in radians with this tangent.
    Arctan = "arctan" | "atan", 1, Library;
    /// The angle in radians of the point (y, x), given in this order.
    Arctan2 = "arctan2" | "atan2", 2, Library;
    /// The hyperbolic sine.
    Sinh = "sinh", 1, Library;
    /// The hyperbolic cosine.
    Cosh = "cosh", 1, Library;
    /// The hyperbolic tangent.
    Tanh = "tanh", 1, Library;
    /// The inverse of the hyperbolic sine.
    Arcsinh = "arcsinh" | "asinh", 1, Library;
    /// The inverse of the hyperbolic cosine.
    Arccosh = "arccosh" | "acosh", 1, Library;
    /// The inverse of the hyperbolic tangent.
    Arctanh = "arctanh" | "atanh", 1, Library;
    /// `sqrt(x*x + y*y)` without overflow in between.
    Hypot = "hypot", 2, Library;
    /// Radians to degrees.
    Degrees = "degrees", 1, Exact;
    /// Radians to degrees.
    Rad2deg = "rad2deg", 1, Exact;
    /// Degrees to radians.
    Radians = "radians", 1, Exact;
    /// Degrees to radians.
    Deg2rad = "deg2rad", 1, Exact;
}

impl Function {
    /// Whether results equal NumPy's bit for bit where the operands of the loop are of `dtype`. Other results are those
    /// of the system's mathematical library, where NumPy may use routines of its own.
    pub fn is_exact(self, dtype: DType) -> bool {
        self.exactness() == Exact || dtype.kind() != Kind::Float
    }

    /// Whether it is one of the six comparisons.
    pub fn is_comparison(self) -> bool {
        self.swapped().is_some()
    }

    /// Itself, if it is a comparison.
    pub(crate) fn comparison(self) -> Option<Function> {
        self.swapped().map(|_| self)
    }

    /// For a comparison the one that holds with the operands exchanged: `<` for `>`, `==` for `==`.
    pub fn swapped(self) -> Option<Function> {
        Some(match self {
            Function::Equal => Function::Equal,
            Function::NotEqual => Function::NotEqual,
            Function::Less => Function::Greater,
            Function::LessEqual => Function::GreaterEqual,
            Function::Greater => Function::Less,
            Function::GreaterEqual => Function::LessEqual,
            _ => return None,
        })
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for &function in Function::ALL {
            assert_eq!(Function::from_name(function.name()), Some(function));
            assert!((1..=3).contains(&function.arity()));
        }
        assert_eq!(Function::from_name("abs"), Some(Function::Absolute));
        assert_eq!(Function::from_name("cumsum"), None);
    }

    #[test]
    fn exactness_depends_on_the_loop() {
        let dtype = |text| DType::parse(text).unwrap();
        assert!(Function::Power.is_exact(dtype("<i8")) && !Function::Power.is_exact(dtype("<f8")));
        assert!(Function::Sqrt.is_exact(dtype("<f4")) && !Function::Exp.is_exact(dtype("<f4")));
    }
}
