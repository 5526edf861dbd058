//! The rule of each function: which loop NumPy takes for its operands.

use colstore_format::{DType, Kind};

use super::promotion::{NUMBERS, counts, holds, is_number, result_type, weak_dtype};
use super::{BOOL, FLOAT16, FLOAT64, INT64, Loop, Operand, TIMEDELTA, units};
use crate::error::{Error, Result};
use crate::expr::functions::Function;

/// The loop of `function` for these operands.
///
/// # Errors
///
/// `Type` if there is none, `Overflow` if the units of times are too far apart.
pub(crate) fn resolve(function: Function, operands: &[Operand]) -> Result<Loop> {
    find(function, operands)?.ok_or_else(|| refusal(function, operands))
}

/// What dtypes a function has loops for, in NumPy's order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Domain {
    /// Booleans, integers and floats.
    All,
    /// Integers and floats: booleans become int8.
    Numbers,
    /// Booleans and integers.
    Bits,
    /// Integers.
    Integers,
    /// Floats.
    Floats,
    /// float64 alone.
    Double,
}

fn domain(function: Function) -> Domain {
    use Function as F;
    match function {
        F::Add
        | F::Multiply
        | F::Absolute
        | F::Maximum
        | F::Minimum
        | F::Fmax
        | F::Fmin
        | F::Clip
        | F::Floor
        | F::Ceil
        | F::Trunc => Domain::All,
        F::Subtract
        | F::FloorDivide
        | F::Remainder
        | F::Fmod
        | F::Power
        | F::Negative
        | F::Positive
        | F::Sign
        | F::Square
        | F::Reciprocal => Domain::Numbers,
        F::BitwiseAnd | F::BitwiseOr | F::BitwiseXor | F::Invert => Domain::Bits,
        F::LeftShift | F::RightShift | F::Gcd | F::Lcm => Domain::Integers,
        F::FloatPower => Domain::Double,
        _ => Domain::Floats,
    }
}

fn find(function: Function, operands: &[Operand]) -> Result<Option<Loop>> {
    use Function as F;
    match function {
        F::Equal | F::NotEqual | F::Less | F::LessEqual | F::Greater | F::GreaterEqual => {
            comparison(operands)
        }
        F::LogicalAnd | F::LogicalOr | F::LogicalXor => {
            Ok(Some(Loop { operands: vec![BOOL; 2], result: BOOL }))
        }
        F::LogicalNot => Ok(logical_not(operands)),
        F::Where => selection(operands),
        F::Isnan | F::Isinf | F::Isfinite | F::Isnat => Ok(predicate(function, operands)),
        F::Ldexp => Ok(ldexp(operands)),
        F::Add if operands.iter().all(|operand| is_text(*operand)) => Ok(joined(operands)),
        _ if operands.iter().any(|operand| is_time(*operand)) => times(function, operands),
        _ => Ok(numbers(function, operands)),
    }
}

fn is_time(operand: Operand) -> bool {
    operand.strong().is_some_and(|dtype| dtype.unit().is_some())
}

fn is_text(operand: Operand) -> bool {
    operand.strong().is_some_and(|dtype| matches!(dtype.kind(), Kind::Bytes | Kind::Unicode))
}

/// The dtypes of operands that are all numbers, weak ones as what they become beside the others.
fn number_dtypes(operands: &[Operand]) -> Option<Vec<DType>> {
    let dtypes =
        operands.iter().map(|operand| operand.strong().unwrap_or_else(|| weak_dtype(operands, *operand)));
    dtypes.map(|dtype| is_number(dtype).then_some(dtype)).collect()
}

/// The first loop whose dtype holds all operands.
fn numbers(function: Function, operands: &[Operand]) -> Option<Loop> {
    let dtypes = number_dtypes(operands)?;
    let domain = domain(function);
    if dtypes.iter().all(|dtype| dtype.kind() == Kind::Bool) {
        // NumPy refuses these rather than to answer in int8.
        if matches!(function, Function::Subtract | Function::Negative | Function::Positive | Function::Sign)
            || matches!(function, Function::Gcd | Function::Lcm)
        {
            return None;
        }
        if matches!(domain, Domain::All | Domain::Bits) {
            return Some(Loop { operands: dtypes, result: BOOL });
        }
    }
    let domain = match domain {
        // Integers of any width divide as float64.
        _ if function == Function::TrueDivide && dtypes.iter().all(|dtype| dtype.kind() != Kind::Float) => {
            Domain::Double
        }
        domain => domain,
    };
    let in_domain = |dtype: DType| match domain {
        Domain::All | Domain::Numbers => true,
        Domain::Bits | Domain::Integers => dtype.kind() != Kind::Float,
        Domain::Floats => dtype.kind() == Kind::Float,
        Domain::Double => dtype == FLOAT64,
    };
    let common =
        NUMBERS.into_iter().find(|to| in_domain(*to) && dtypes.iter().all(|from| holds(*from, *to)))?;
    let result = if function == Function::Signbit { BOOL } else { common };
    Some(Loop { operands: vec![common; operands.len()], result })
}

fn comparison(operands: &[Operand]) -> Result<Option<Loop>> {
    let of = |a, b| Ok(Some(Loop { operands: vec![a, b], result: BOOL }));
    if let Some(dtypes) = number_dtypes(operands) {
        let [a, b] = dtypes[..] else { return Ok(None) };
        return match (a.kind(), b.kind()) {
            (Kind::Bool, Kind::Bool) => of(BOOL, BOOL),
            // What no integer holds is compared exactly.
            (Kind::Int, Kind::UInt) if b.itemsize() == 8 => of(INT64, b),
            (Kind::UInt, Kind::Int) if a.itemsize() == 8 => of(a, INT64),
            _ => {
                let common = NUMBERS.into_iter().find(|to| holds(a, *to) && holds(b, *to)).unwrap_or(FLOAT64);
                of(common, common)
            }
        };
    }
    match (operands[0].strong().map(DType::kind), operands[1].strong().map(DType::kind)) {
        (Some(Kind::Bytes), Some(Kind::Bytes)) | (Some(Kind::Unicode), Some(Kind::Unicode)) => Ok(operands
            [0]
        .strong()
        .zip(operands[1].strong())
        .map(|(a, b)| Loop { operands: vec![a, b], result: BOOL })),
        _ => Ok(same_time(operands)?.map(|common| Loop { operands: vec![common; 2], result: BOOL })),
    }
}

/// The dtype of times that are compared or chosen from: all datetimes, or timedeltas and integers.
fn same_time(operands: &[Operand]) -> Result<Option<DType>> {
    let mut common: Option<DType> = None;
    for dtype in operands.iter().filter_map(|operand| operand.strong()) {
        if dtype.unit().is_none() {
            if !counts(dtype) {
                return Ok(None);
            }
            continue;
        }
        common = match common {
            None => Some(dtype),
            Some(before) if before.kind() == dtype.kind() => Some(units::common(before, dtype)?),
            Some(_) => return Ok(None),
        };
    }
    let Some(common) = common else { return Ok(None) };
    let all_times = operands.iter().all(|operand| is_time(*operand));
    let no_floats = !operands.contains(&Operand::WeakFloat);
    Ok((no_floats && (all_times || common.kind() == Kind::Timedelta)).then_some(common))
}

fn logical_not(operands: &[Operand]) -> Option<Loop> {
    let allowed = match operands[0] {
        Operand::Strong(dtype) => is_number(dtype),
        Operand::WeakInt | Operand::WeakFloat => true,
    };
    allowed.then(|| Loop { operands: vec![BOOL], result: BOOL })
}

fn selection(operands: &[Operand]) -> Result<Option<Loop>> {
    let common = result_type("where", &operands[1..])?;
    Ok(Some(Loop { operands: vec![BOOL, common, common], result: common }))
}

fn predicate(function: Function, operands: &[Operand]) -> Option<Loop> {
    let dtype = operands[0].strong().unwrap_or_else(|| weak_dtype(operands, operands[0]));
    let allowed = dtype.unit().is_some() || function != Function::Isnat && is_number(dtype);
    allowed.then(|| Loop { operands: vec![dtype], result: BOOL })
}

fn ldexp(operands: &[Operand]) -> Option<Loop> {
    let (value, exponent) = (operands[0], operands[1]);
    let exponent = match exponent {
        Operand::Strong(dtype) if is_number(dtype) => dtype,
        Operand::Strong(_) | Operand::WeakFloat => return None,
        Operand::WeakInt => INT64,
    };
    if exponent.kind() == Kind::Float || !holds(exponent, INT64) {
        return None;
    }
    let value = match value {
        Operand::Strong(dtype) if is_number(dtype) => dtype,
        Operand::Strong(_) => return None,
        Operand::WeakInt if operands[1].strong().is_some() && exponent.kind() != Kind::Bool => FLOAT16,
        Operand::WeakInt | Operand::WeakFloat => FLOAT64,
    };
    let float = NUMBERS.into_iter().find(|to| to.kind() == Kind::Float && holds(value, *to))?;
    Some(Loop { operands: vec![float, INT64], result: float })
}

fn joined(operands: &[Operand]) -> Option<Loop> {
    let (a, b) = operands[0].strong().zip(operands[1].strong())?;
    if a.kind() != b.kind() {
        return None;
    }
    let result = DType::with_itemsize(a.kind(), a.itemsize() + b.itemsize())?;
    Some(Loop { operands: vec![a, b], result })
}

fn times(function: Function, operands: &[Operand]) -> Result<Option<Loop>> {
    use Function as F;
    let uniform = |common: Option<DType>| {
        common.map(|common| Loop { operands: vec![common; operands.len()], result: common })
    };
    if let [operand] = operands {
        let durations = matches!(function, F::Negative | F::Positive | F::Absolute | F::Sign);
        return Ok(operand
            .strong()
            .filter(|dtype| durations && dtype.kind() == Kind::Timedelta)
            .map(|dtype| Loop { operands: vec![dtype], result: dtype }));
    }
    match function {
        F::Maximum | F::Minimum | F::Fmax | F::Fmin | F::Clip => Ok(uniform(same_time(operands)?)),
        F::Add | F::Subtract => sum(function, operands),
        F::Multiply | F::TrueDivide | F::FloorDivide => scaled(function, operands),
        F::Remainder => durations(operands)?.map_or(Ok(None), |common| Ok(uniform(Some(common)))),
        _ => Ok(None),
    }
}

/// The common dtype of two timedeltas.
fn durations(operands: &[Operand]) -> Result<Option<DType>> {
    match (operands[0].strong(), operands[1].strong()) {
        (Some(a), Some(b)) if a.kind() == Kind::Timedelta && b.kind() == Kind::Timedelta => {
            Ok(Some(units::common(a, b)?))
        }
        _ => Ok(None),
    }
}

/// Integers count in the unit of the time they are added to.
fn sum(function: Function, operands: &[Operand]) -> Result<Option<Loop>> {
    let as_time = |operand: Operand| match operand {
        Operand::Strong(dtype) if dtype.unit().is_some() => Some(dtype),
        Operand::Strong(dtype) if matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::UInt) => {
            Some(TIMEDELTA)
        }
        Operand::WeakInt => Some(TIMEDELTA),
        Operand::Strong(_) | Operand::WeakFloat => None,
    };
    let (Some(a), Some(b)) = (as_time(operands[0]), as_time(operands[1])) else { return Ok(None) };
    let result = match (a.kind(), b.kind()) {
        (Kind::Timedelta, Kind::Timedelta) => Kind::Timedelta,
        (Kind::Datetime, Kind::Timedelta) => Kind::Datetime,
        (Kind::Timedelta, Kind::Datetime) if function == Function::Add => Kind::Datetime,
        (Kind::Datetime, Kind::Datetime) if function == Function::Subtract => Kind::Timedelta,
        _ => return Ok(None),
    };
    let (unit, multiplier) = match units::common(a, b)?.unit() {
        Some(unit) => unit,
        None => return Ok(None),
    };
    let of = |kind| DType::with_itemsize(kind, 8).and_then(|dtype| dtype.with_unit(unit, multiplier));
    Ok(of(a.kind())
        .zip(of(b.kind()))
        .zip(of(result))
        .map(|((a, b), result)| Loop { operands: vec![a, b], result }))
}

/// A timedelta times or by a number, or by another timedelta.
fn scaled(function: Function, operands: &[Operand]) -> Result<Option<Loop>> {
    if function != Function::Multiply
        && let Some(common) = durations(operands)?
    {
        let result = if function == Function::TrueDivide { FLOAT64 } else { INT64 };
        return Ok(Some(Loop { operands: vec![common; 2], result }));
    }
    let number = |operand: Operand| match operand {
        Operand::WeakInt => Some(INT64),
        Operand::WeakFloat => Some(FLOAT64),
        Operand::Strong(dtype) => match dtype.kind() {
            Kind::Bool if function != Function::Multiply => None,
            Kind::Bool | Kind::Int | Kind::UInt => Some(INT64),
            Kind::Float if is_number(dtype) => Some(FLOAT64),
            _ => None,
        },
    };
    let duration = |operand: Operand| operand.strong().filter(|dtype| dtype.kind() == Kind::Timedelta);
    if let Some((time, by)) = duration(operands[0]).zip(number(operands[1])) {
        return Ok(Some(Loop { operands: vec![time, by], result: time }));
    }
    let swapped =
        (function == Function::Multiply).then(|| number(operands[0]).zip(duration(operands[1]))).flatten();
    Ok(swapped.map(|(by, time)| Loop { operands: vec![by, time], result: time }))
}

/// The error for operands that a function has no loop for.
pub(super) fn no_loop(function: &str, operands: &[Operand]) -> Error {
    let shown: Vec<String> = operands.iter().map(ToString::to_string).collect();
    Error::type_error(format!("ufunc '{function}' has no loop for operands of types {}", shown.join(" and ")))
}

fn refusal(function: Function, operands: &[Operand]) -> Error {
    let all_bool = operands.iter().all(|operand| operand.strong() == Some(BOOL));
    let hint = match function {
        Function::Subtract if all_bool => "use ^ to tell where two booleans differ",
        Function::Negative if all_bool => "use ~ or 'not' to invert a boolean",
        Function::BitwiseAnd if operands.iter().any(|o| is_float(*o)) => {
            "& binds tighter than comparisons: write (a > 1) & (b < 2), or 'and'"
        }
        Function::BitwiseOr if operands.iter().any(|o| is_float(*o)) => {
            "| binds tighter than comparisons: write (a > 1) | (b < 2), or 'or'"
        }
        _ if operands.iter().any(|o| is_text(*o)) && operands.iter().any(|o| !is_text(*o)) => {
            "text compares and combines with text only"
        }
        _ => return no_loop(function.name(), operands),
    };
    let plain = no_loop(function.name(), operands);
    Error::type_error(format!("{}; {hint}", plain.message()))
}

fn is_float(operand: Operand) -> bool {
    operand == Operand::WeakFloat || operand.strong().is_some_and(|dtype| dtype.kind() == Kind::Float)
}
