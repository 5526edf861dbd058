//! Expressions from Rust: [`col`], [`lit`], operators and methods.

use std::ops;
use std::sync::Arc;

use colstore_format::{ColumnName, DType};

use super::functions::Function;
use super::input::Input;
use super::literal::{Constant, Literal, ValueSet};
use super::node::{Callback, Expr, Node};
use crate::error::{Error, Result};

/// The column of this name, looked up when the expression is bound.
pub fn col(name: impl Into<ColumnName>) -> Expr {
    Expr::from_node(Node::Column(name.into()))
}

/// A constant.
pub fn lit(value: impl Into<Literal>) -> Expr {
    Expr::from_node(Node::Literal(value.into()))
}

/// `function` of these operands.
///
/// ```
/// use colstore_frame::{call, col};
///
/// let radius = call("hypot", [col("x"), col("y")])?;
/// assert_eq!(radius.to_string(), "hypot(x, y)");
/// # Ok::<(), colstore_frame::Error>(())
/// ```
///
/// # Errors
///
/// [`Value`](crate::ErrorKind::Value) if there is no function of that name, or if it takes another number of operands.
pub fn call(function: &str, args: impl Into<Vec<Expr>>) -> Result<Expr> {
    let Some(function) = Function::from_name(function) else {
        let shown: String = function.chars().take(60).collect();
        return Err(Error::value(format!(
            "{shown:?} is no function of expressions; they are named as NumPy's elementwise functions are"
        )));
    };
    Expr::call(function, args)
}

impl Expr {
    /// `function` of these operands.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) if it takes another number of operands.
    pub fn call(function: Function, args: impl Into<Vec<Expr>>) -> Result<Expr> {
        let args = args.into();
        if args.len() != function.arity() {
            return Err(Error::value(format!(
                "{function} takes {} operands, {} were given",
                function.arity(),
                args.len()
            )));
        }
        Ok(Expr::of(function, args))
    }

    /// For operands that are as many as the function takes.
    pub(crate) fn of(function: Function, args: Vec<Expr>) -> Expr {
        debug_assert_eq!(args.len(), function.arity());
        Expr::from_node(Node::Call { function, args })
    }

    fn unary(self, function: Function) -> Expr {
        Expr::of(function, vec![self])
    }

    fn binary(self, function: Function, other: impl Into<Expr>) -> Expr {
        Expr::of(function, vec![self, other.into()])
    }

    /// A column object.
    pub fn input(input: Input) -> Expr {
        Expr::from_node(Node::Input(input))
    }

    /// A function of the host over these operands.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) without operands, and for a big-endian result.
    pub fn callback(callback: Arc<dyn Callback>, args: impl Into<Vec<Expr>>) -> Result<Expr> {
        let args = args.into();
        if args.is_empty() {
            return Err(Error::value("a function of rows needs at least one column"));
        }
        if callback.dtype().needs_swap() {
            return Err(Error::value(format!(
                "a function of rows gives dtype '{}'; results are little-endian",
                callback.dtype()
            )));
        }
        Ok(Expr::from_node(Node::Callback { callback, args }))
    }

    /// `self == other`
    #[must_use]
    pub fn equal(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::Equal, other)
    }

    /// `self != other`
    #[must_use]
    pub fn not_equal(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::NotEqual, other)
    }

    /// `self < other`
    #[must_use]
    pub fn lt(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::Less, other)
    }

    /// `self <= other`
    #[must_use]
    pub fn le(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::LessEqual, other)
    }

    /// `self > other`
    #[must_use]
    pub fn gt(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::Greater, other)
    }

    /// `self >= other`
    #[must_use]
    pub fn ge(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::GreaterEqual, other)
    }

    /// Whether both are true.
    #[must_use]
    pub fn and(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::LogicalAnd, other)
    }

    /// Whether one is true.
    #[must_use]
    pub fn or(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::LogicalOr, other)
    }

    /// `self ** exponent`
    #[must_use]
    pub fn pow(self, exponent: impl Into<Expr>) -> Expr {
        self.binary(Function::Power, exponent)
    }

    /// `self // other`: rounded down.
    #[must_use]
    pub fn floor_div(self, other: impl Into<Expr>) -> Expr {
        self.binary(Function::FloorDivide, other)
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Expr {
        self.unary(Function::Absolute)
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Expr {
        self.unary(Function::Sqrt)
    }

    /// Whether it is NaN or NaT.
    #[must_use]
    pub fn isnan(self) -> Expr {
        self.unary(Function::Isnan)
    }

    /// Whether it is in `set`.
    #[must_use]
    pub fn isin(self, set: impl Into<ValueSet>) -> Expr {
        Expr::from_node(Node::IsIn { value: self, set: Arc::new(set.into()), negated: false })
    }

    /// Whether it is not in `set`.
    #[must_use]
    pub fn not_in(self, set: impl Into<ValueSet>) -> Expr {
        Expr::from_node(Node::IsIn { value: self, set: Arc::new(set.into()), negated: true })
    }

    /// The value as another dtype.
    #[must_use]
    pub fn cast(self, dtype: DType) -> Expr {
        Expr::from_node(Node::Cast { value: self, dtype: dtype.to_little() })
    }

    /// Rounded to `decimals` digits after the point.
    #[must_use]
    pub fn round(self, decimals: i32) -> Expr {
        Expr::from_node(Node::Round { value: self, decimals })
    }

    /// At least `low` and at most `high`, where given.
    #[must_use]
    pub fn clip(self, low: Option<Expr>, high: Option<Expr>) -> Expr {
        let bound = |bound: Option<Expr>| bound.unwrap_or_else(|| lit(Literal::None));
        Expr::of(Function::Clip, vec![self, bound(low), bound(high)])
    }

    /// It where `condition` is true, else `other`.
    #[must_use]
    pub fn keep_where(self, condition: impl Into<Expr>, other: impl Into<Expr>) -> Expr {
        Expr::of(Function::Where, vec![condition.into(), self, other.into()])
    }
}

impl<L: Into<Literal>> From<L> for Expr {
    fn from(value: L) -> Expr {
        lit(value)
    }
}

impl From<Input> for Expr {
    fn from(input: Input) -> Expr {
        Expr::input(input)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $function:ident;)*) => {$(
        impl<E: Into<Expr>> ops::$trait<E> for Expr {
            type Output = Expr;

            fn $method(self, other: E) -> Expr {
                self.binary(Function::$function, other)
            }
        }
    )*};
}
operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div TrueDivide;
    Rem rem Remainder;
    BitAnd bitand BitwiseAnd;
    BitOr bitor BitwiseOr;
    BitXor bitxor BitwiseXor;
    Shl shl LeftShift;
    Shr shr RightShift;
}

impl ops::Neg for Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        self.unary(Function::Negative)
    }
}

/// `~x` of integers, "not" of booleans.
impl ops::Not for Expr {
    type Output = Expr;

    fn not(self) -> Expr {
        self.unary(Function::Invert)
    }
}

impl Constant {
    /// A strong boolean.
    pub fn bool(value: bool) -> Constant {
        Constant::of(super::types::BOOL, &[u8::from(value)])
    }

    /// A strong int64.
    pub fn int64(value: i64) -> Constant {
        Constant::of(super::types::INT64, &value.to_le_bytes())
    }

    /// A strong float64.
    pub fn float64(value: f64) -> Constant {
        Constant::of(super::types::FLOAT64, &value.to_le_bytes())
    }
}
