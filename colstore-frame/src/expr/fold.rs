//! Operations on literals alone, computed as Python computes them: `2 * 3` beside a column is the literal 6.

use super::functions::Function;
use super::integer::Integer;
use super::literal::Literal;
use crate::error::{Error, ErrorKind, Result};

/// The result of `function` of Python numbers; `None` if it is none that Python has operators for, or if an operand is no
/// number.
///
/// # Errors
///
/// `Overflow` for integers beyond 128 bits, `Value` for a division by zero, as Python refuses both in its own way.
pub(crate) fn fold(function: Function, operands: &[&Literal]) -> Option<Result<Literal>> {
    match operands {
        [Literal::Float(a)] => unary_float(function, *a).map(Ok),
        [a] => unary_integer(function, a).map(Ok),
        [a, b] => match (integer(a), integer(b)) {
            (Some(a), Some(b)) => integers(function, operands, &a, &b),
            _ => floats(function, float(a)?, float(b)?),
        },
        _ => None,
    }
}

/// The value of an integer or boolean.
fn integer(literal: &Literal) -> Option<Integer> {
    match literal {
        Literal::Int(value) => Some(value.clone()),
        Literal::Bool(value) => Some(Integer::from(i64::from(*value))),
        _ => None,
    }
}

fn float(literal: &Literal) -> Option<f64> {
    match literal {
        Literal::Float(value) => Some(*value),
        _ => integer(literal)?.to_f64(),
    }
}

fn unary_float(function: Function, a: f64) -> Option<Literal> {
    Some(match function {
        Function::Negative => Literal::Float(-a),
        Function::Positive => Literal::Float(a),
        Function::Absolute => Literal::Float(a.abs()),
        Function::LogicalNot => Literal::Bool(a == 0.0),
        _ => return None,
    })
}

fn unary_integer(function: Function, a: &Literal) -> Option<Literal> {
    let value = integer(a)?;
    Some(match function {
        Function::Negative => Literal::Int(value.negated()),
        Function::Positive => Literal::Int(value),
        Function::Absolute if value.is_negative() => Literal::Int(value.negated()),
        Function::Absolute => Literal::Int(value),
        Function::Invert => Literal::from(!value.as_i128()?),
        Function::LogicalNot => Literal::Bool(value == Integer::from(0)),
        _ => return None,
    })
}

fn integers(function: Function, operands: &[&Literal], a: &Integer, b: &Integer) -> Option<Result<Literal>> {
    use Function as F;
    let order = a.cmp(b);
    let zero = Integer::from(0);
    let decided = match function {
        F::Equal => order.is_eq(),
        F::NotEqual => order.is_ne(),
        F::Less => order.is_lt(),
        F::LessEqual => order.is_le(),
        F::Greater => order.is_gt(),
        F::GreaterEqual => order.is_ge(),
        F::LogicalAnd => *a != zero && *b != zero,
        F::LogicalOr => *a != zero || *b != zero,
        F::LogicalXor => (*a != zero) != (*b != zero),
        _ => return arithmetic(function, operands, a, b),
    };
    Some(Ok(Literal::Bool(decided)))
}

fn arithmetic(
    function: Function,
    operands: &[&Literal],
    a: &Integer,
    b: &Integer,
) -> Option<Result<Literal>> {
    use Function as F;
    let by_zero = *b == Integer::from(0);
    let (Some(x), Some(y)) = (a.as_i128(), b.as_i128()) else {
        let known = matches!(function, F::Add | F::Subtract | F::Multiply | F::TrueDivide | F::FloorDivide)
            || matches!(function, F::Remainder | F::Power | F::BitwiseAnd | F::BitwiseOr | F::BitwiseXor);
        return known.then(|| Err(too_large()));
    };
    let booleans = matches!(operands, [Literal::Bool(_), Literal::Bool(_)]);
    let result = match function {
        F::Add => x.checked_add(y),
        F::Subtract => x.checked_sub(y),
        F::Multiply => x.checked_mul(y),
        F::FloorDivide | F::Remainder | F::TrueDivide if by_zero => return Some(Err(zero_division())),
        F::TrueDivide => return Some(Ok(Literal::Float(x as f64 / y as f64))),
        F::FloorDivide => floor_divide(x, y),
        F::Remainder => floor_divide(x, y).map(|quotient| x.wrapping_sub(quotient.wrapping_mul(y))),
        F::Power if y < 0 && x == 0 => return Some(Err(zero_division())),
        F::Power if y < 0 => return Some(Ok(Literal::Float((x as f64).powf(y as f64)))),
        F::Power => match (x, u32::try_from(y)) {
            (0 | 1, _) => Some(if y == 0 { 1 } else { x }),
            (-1, _) => Some(if y % 2 == 0 { 1 } else { -1 }),
            (_, Ok(y)) => x.checked_pow(y),
            (_, Err(_)) => None,
        },
        F::BitwiseAnd if booleans => return Some(Ok(Literal::Bool(x & y != 0))),
        F::BitwiseOr if booleans => return Some(Ok(Literal::Bool(x | y != 0))),
        F::BitwiseXor if booleans => return Some(Ok(Literal::Bool(x ^ y != 0))),
        F::BitwiseAnd => Some(x & y),
        F::BitwiseOr => Some(x | y),
        F::BitwiseXor => Some(x ^ y),
        _ => return None,
    };
    Some(result.map(Literal::from).ok_or_else(too_large))
}

/// Rounded down; `None` on overflow.
fn floor_divide(x: i128, y: i128) -> Option<i128> {
    let quotient = x.checked_div(y)?;
    Some(if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient })
}

fn floats(function: Function, a: f64, b: f64) -> Option<Result<Literal>> {
    use Function as F;
    let value = match function {
        F::Equal => return Some(Ok(Literal::Bool(a == b))),
        F::NotEqual => return Some(Ok(Literal::Bool(a != b))),
        F::Less => return Some(Ok(Literal::Bool(a < b))),
        F::LessEqual => return Some(Ok(Literal::Bool(a <= b))),
        F::Greater => return Some(Ok(Literal::Bool(a > b))),
        F::GreaterEqual => return Some(Ok(Literal::Bool(a >= b))),
        F::LogicalAnd => return Some(Ok(Literal::Bool(a != 0.0 && b != 0.0))),
        F::LogicalOr => return Some(Ok(Literal::Bool(a != 0.0 || b != 0.0))),
        F::TrueDivide | F::FloorDivide | F::Remainder if b == 0.0 => return Some(Err(zero_division())),
        F::Add => a + b,
        F::Subtract => a - b,
        F::Multiply => a * b,
        F::TrueDivide => a / b,
        F::FloorDivide => float_divmod(a, b).0,
        F::Remainder => float_divmod(a, b).1,
        F::Power if a == 0.0 && b < 0.0 => return Some(Err(zero_division())),
        F::Power if a < 0.0 && b.fract() != 0.0 => {
            return Some(Err(Error::type_error("a negative number to a broken power is complex")));
        }
        F::Power => a.powf(b),
        _ => return None,
    };
    Some(Ok(Literal::Float(value)))
}

/// Quotient rounded down and remainder with the sign of `b`, as Python and NumPy compute them.
pub(crate) fn float_divmod(a: f64, b: f64) -> (f64, f64) {
    let mut remainder = a % b;
    if b == 0.0 {
        return (a / b, remainder);
    }
    let mut quotient = (a - remainder) / b;
    if remainder == 0.0 {
        remainder = 0f64.copysign(b);
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder += b;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0f64.copysign(a / b), remainder);
    }
    let floor = quotient.floor();
    (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, remainder)
}

fn too_large() -> Error {
    Error::new(ErrorKind::Overflow, "a constant has more than 128 bits")
}

fn zero_division() -> Error {
    Error::value("division of one constant by another that is zero")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn folded(
        function: Function,
        a: impl Into<Literal>,
        b: impl Into<Literal>,
        expected: impl Into<Literal>,
    ) {
        assert_eq!(fold(function, &[&a.into(), &b.into()]).unwrap().unwrap(), expected.into());
    }

    #[test]
    fn as_python() {
        folded(Function::Add, true, 1, 2);
        folded(Function::Multiply, 2, 3.5, 7.0);
        folded(Function::FloorDivide, -7, 2, -4);
        folded(Function::Remainder, -7, 2, 1);
        folded(Function::Remainder, 7, -2, -1);
        folded(Function::FloorDivide, -7.5, 2, -4.0);
        folded(Function::Remainder, -7.5, 2, 0.5);
        folded(Function::TrueDivide, 1, 4, 0.25);
        folded(Function::Power, 2, 100, 1i128 << 100);
        folded(Function::Power, 2, -1, 0.5);
        folded(Function::BitwiseAnd, true, false, false);
        folded(Function::BitwiseAnd, true, 3, 1);
        folded(Function::Less, i128::MAX, f64::INFINITY, true);
        let kind =
            |function, a: i128, b: i128| fold(function, &[&a.into(), &b.into()]).unwrap().unwrap_err().kind();
        assert_eq!(kind(Function::Power, 2, 1000), ErrorKind::Overflow);
        assert_eq!(kind(Function::Power, 0, -1), ErrorKind::Value);
        assert_eq!(kind(Function::FloorDivide, i128::MIN, -1), ErrorKind::Overflow);
        assert_eq!(kind(Function::Remainder, 1, 0), ErrorKind::Value);
        assert!(fold(Function::Hypot, &[&1.into(), &2.into()]).is_none());
        assert!(fold(Function::Add, &[&"a".into(), &"b".into()]).is_none());
    }
}
