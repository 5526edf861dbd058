//! What dtypes have in common.

use colstore_format::{DType, Kind};

use super::{
    FLOAT16, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, Operand, UINT8, UINT16, UINT32, UINT64, units,
};
use crate::error::{Error, Result};

/// The numbers in the order in which NumPy lists the loops of a function.
pub(super) const NUMBERS: [DType; 11] =
    [INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FLOAT16, FLOAT32, FLOAT64];

/// Booleans, integers and floats that are computed with. `float128` is only moved.
pub(crate) fn is_number(dtype: DType) -> bool {
    match dtype.kind() {
        Kind::Bool | Kind::Int | Kind::UInt => true,
        Kind::Float => dtype.itemsize() <= 8,
        _ => false,
    }
}

/// Whether every value of the number `from` is one of the number `to` (int64 and uint64 count as held by float64).
pub(super) fn holds(from: DType, to: DType) -> bool {
    let (have, need) = (to.itemsize(), from.itemsize());
    match (from.kind(), to.kind()) {
        (Kind::Bool, _) => true,
        (Kind::Int, Kind::Int) | (Kind::UInt, Kind::UInt) | (Kind::Float, Kind::Float) => have >= need,
        (Kind::UInt, Kind::Int) => have > need,
        (Kind::Int | Kind::UInt, Kind::Float) => have > need || have == 8,
        _ => false,
    }
}

/// The dtype that a weak scalar takes beside these operands; `operands` includes the scalar.
///
/// ```text
///     int     beside int32 → int32, beside float32 → float32, beside bool or alone → int64
///     float   beside float32 → float32, beside integers, bool or alone → float64
/// ```
pub(crate) fn weak_dtype(operands: &[Operand], weak: Operand) -> DType {
    let strong = operands.iter().filter_map(|operand| operand.strong()).filter(|dtype| is_number(*dtype));
    let Some(common) = strong.reduce(promote_numbers) else {
        return if weak == Operand::WeakFloat { FLOAT64 } else { INT64 };
    };
    match (weak, common.kind()) {
        (Operand::WeakFloat, Kind::Float) | (Operand::WeakInt, Kind::Int | Kind::UInt | Kind::Float) => {
            common
        }
        (Operand::WeakFloat, _) => FLOAT64,
        _ => INT64,
    }
}

/// The smallest number that holds both.
pub(super) fn promote_numbers(a: DType, b: DType) -> DType {
    if holds(a, b) {
        return b;
    }
    NUMBERS.into_iter().find(|dtype| holds(a, *dtype) && holds(b, *dtype)).unwrap_or(FLOAT64)
}

/// The dtype that holds all operands, as `numpy.result_type`.
pub(crate) fn result_type(function: &str, operands: &[Operand]) -> Result<DType> {
    let mut common: Option<DType> = None;
    for operand in operands {
        let dtype = operand.strong().unwrap_or_else(|| weak_dtype(operands, *operand));
        common = Some(match common {
            None => dtype,
            Some(before) => {
                promote(before, dtype)?.ok_or_else(|| super::loops::no_loop(function, operands))?
            }
        });
    }
    common.ok_or_else(|| Error::type_error(format!("{function} has no operands")))
}

/// The dtype that holds both; `None` if nothing does.
fn promote(a: DType, b: DType) -> Result<Option<DType>> {
    if a == b {
        return Ok(Some(a));
    }
    if is_number(a) && is_number(b) {
        return Ok(Some(promote_numbers(a, b)));
    }
    let (text, other) = if matches!(a.kind(), Kind::Bytes | Kind::Unicode) { (a, b) } else { (b, a) };
    Ok(match (text.kind(), other.kind()) {
        (Kind::Bytes | Kind::Unicode, Kind::Bytes | Kind::Unicode) => {
            let characters =
                |dtype: DType| dtype.itemsize() / if dtype.kind() == Kind::Unicode { 4 } else { 1 };
            let width = characters(a).max(characters(b));
            let unicode = a.kind() == Kind::Unicode || b.kind() == Kind::Unicode;
            let kind = if unicode { Kind::Unicode } else { Kind::Bytes };
            DType::with_itemsize(kind, if unicode { 4 * width } else { width })
        }
        (Kind::Datetime | Kind::Timedelta, Kind::Datetime | Kind::Timedelta) if a.kind() == b.kind() => {
            Some(units::common(a, b)?)
        }
        (Kind::Timedelta, Kind::Bool | Kind::Int | Kind::UInt) if counts(other) => Some(text),
        (Kind::Bool | Kind::Int | Kind::UInt, Kind::Timedelta) if counts(text) => Some(other),
        _ => None,
    })
}

/// Whether a timedelta holds every value of an integer.
pub(super) fn counts(dtype: DType) -> bool {
    match dtype.kind() {
        Kind::Bool | Kind::Int => true,
        Kind::UInt => dtype.itemsize() < 8,
        _ => false,
    }
}
