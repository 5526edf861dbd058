//! Literals as values of a dtype.

use colstore_format::{DType, Kind};

use super::half;
use super::integer::Integer;
use super::literal::{Constant, Literal};
use super::types::{BOOL, FLOAT64, INT64, Name, UINT64, units};
use crate::error::{Error, ErrorKind, Result};

/// An integer as a value of an integer dtype or boolean, if it has it.
pub(super) fn exact_integer(value: i128, dtype: DType) -> Option<Constant> {
    let bytes = value.to_le_bytes();
    let bits = 8 * dtype.itemsize() as u32;
    let fits = match dtype.kind() {
        Kind::Bool => matches!(value, 0 | 1),
        Kind::UInt => (0..1i128 << bits).contains(&value),
        Kind::Int => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value),
        _ => false,
    };
    fits.then(|| Constant::of(dtype, &bytes[..dtype.itemsize()]))
}

/// A float as a value of a float dtype, rounded to it.
pub(super) fn rounded_float(value: f64, dtype: DType) -> Option<Constant> {
    Some(match (dtype.kind(), dtype.itemsize()) {
        (Kind::Float, 2) => Constant::of(dtype, &half::from_f64(value).to_le_bytes()),
        (Kind::Float, 4) => Constant::of(dtype, &(value as f32).to_le_bytes()),
        (Kind::Float, 8) => Constant::of(dtype, &value.to_le_bytes()),
        _ => return None,
    })
}

/// A count as a time; the one that would be NaT is none.
pub(super) fn count(value: i128, dtype: DType) -> Option<Constant> {
    let count = i64::try_from(value).ok()?;
    dtype.unit().map(|_| Constant::of(dtype, &count.to_le_bytes()))
}

/// A weak number as a value of the dtype that a loop takes it in.
///
/// # Errors
///
/// `Overflow` for an integer that the dtype does not hold. Floats are rounded, at worst to infinity.
pub(super) fn weak(literal: &Literal, dtype: DType) -> Result<Constant> {
    let converted = match literal {
        Literal::Bool(value) => return weak(&Literal::from(i64::from(*value)), dtype),
        Literal::Float(value) => rounded_float(*value, dtype),
        Literal::Int(value) => return integer(value, dtype),
        _ => None,
    };
    converted.ok_or_else(|| Error::type_error(format!("a constant cannot be of dtype {}", Name(dtype))))
}

fn integer(value: &Integer, dtype: DType) -> Result<Constant> {
    let converted = match dtype.kind() {
        Kind::Float => {
            let Some(value) = value.to_f64() else {
                return Err(Error::new(ErrorKind::Overflow, "int too large to convert to float"));
            };
            rounded_float(value, dtype)
        }
        // Not one of the values, but one that loops of booleans see as true.
        Kind::Bool => exact_integer(i128::from(*value != Integer::from(0)), dtype),
        Kind::Datetime | Kind::Timedelta => value.as_i128().and_then(|value| count(value, dtype)),
        _ => value.as_i128().and_then(|value| exact_integer(value, dtype)),
    };
    converted.ok_or_else(|| out_of_bounds(value, dtype))
}

pub(super) fn out_of_bounds(value: &Integer, dtype: DType) -> Error {
    let shown = value.to_string();
    let shown = if shown.len() > 60 { format!("{}...", &shown[..60]) } else { shown };
    Error::new(ErrorKind::Overflow, format!("Python integer {shown} out of bounds for {}", Name(dtype)))
}

/// The dtype a literal has by itself, as `numpy.asarray` gives it.
pub(super) fn own_dtype(literal: &Literal) -> Result<DType> {
    Ok(match literal {
        Literal::Bool(_) => BOOL,
        Literal::Int(value) => match value.as_i128() {
            Some(value) if value > i128::from(i64::MAX) && exact_integer(value, UINT64).is_some() => UINT64,
            Some(value) if exact_integer(value, INT64).is_some() => INT64,
            _ => return Err(out_of_bounds(value, INT64)),
        },
        Literal::Float(_) => FLOAT64,
        Literal::Str(points) => text_dtype(Kind::Unicode, 4 * points.len().max(1))?,
        Literal::Bytes(bytes) => text_dtype(Kind::Bytes, bytes.len().max(1))?,
        Literal::Typed(constant) => constant.dtype(),
        Literal::None => {
            return Err(Error::type_error("None is no value of a column; compare with it by '==' or '!='"));
        }
        Literal::Imaginary(_) => {
            return Err(Error::type_error(
                "complex numbers are no values of a column, and nothing computes with them",
            ));
        }
    })
}

fn text_dtype(kind: Kind, itemsize: usize) -> Result<DType> {
    DType::with_itemsize(kind, itemsize)
        .ok_or_else(|| Error::value(format!("a constant of {itemsize} bytes is too long for a dtype")))
}

/// Text or bytes as a value of its own width.
pub(super) fn text(literal: &Literal) -> Result<Constant> {
    let dtype = own_dtype(literal)?;
    let mut bytes: Vec<u8> = match literal {
        Literal::Str(points) => points.iter().flat_map(|point| point.to_le_bytes()).collect(),
        Literal::Bytes(bytes) => bytes.to_vec(),
        _ => return Err(Error::type_error("a number is no text")),
    };
    bytes.resize(dtype.itemsize(), 0);
    Ok(Constant::of(dtype, &bytes))
}

/// The code points of a `U` constant, without the NULs at the end.
pub(super) fn points(constant: &Constant) -> Option<Vec<u32>> {
    if constant.dtype().kind() != Kind::Unicode {
        return None;
    }
    let (words, _) = constant.bytes().as_chunks::<4>();
    let mut points: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    while points.last() == Some(&0) {
        points.pop();
    }
    Some(points)
}

/// Text in UTF-8, as Python's `encode` gives it; `None` if it holds lone surrogates.
pub(super) fn encoded(points: &[u32]) -> Option<Vec<u8>> {
    let text: Option<String> = points.iter().map(|point| char::from_u32(*point)).collect();
    text.map(String::into_bytes)
}

/// The value of a constant in another dtype that holds it exactly; `None` if it does not, and for text.
pub(super) fn exact(constant: &Constant, dtype: DType) -> Option<Constant> {
    let from = constant.dtype();
    if from == dtype {
        return Some(constant.clone());
    }
    if from.unit().is_some() || dtype.unit().is_some() {
        if from.kind() != dtype.kind() {
            return None;
        }
        let bytes = <[u8; 8]>::try_from(constant.bytes()).ok()?;
        let count = units::convert_exact(i64::from_le_bytes(bytes), from, dtype)?;
        return Some(Constant::of(dtype, &count.to_le_bytes()));
    }
    let is_float = dtype.kind() == Kind::Float;
    if let Some(value) = constant.as_i128() {
        if !is_float {
            return exact_integer(value, dtype);
        }
        let rounded = rounded_float(value as f64, dtype)?;
        return rounded
            .as_f64()
            .filter(|float| *float as i128 == value && float.is_finite())
            .map(|_| rounded);
    }
    let value = constant.as_f64()?;
    if is_float {
        let rounded = rounded_float(value, dtype)?;
        return rounded.as_f64().filter(|float| *float == value).map(|_| rounded);
    }
    // 2^127 as a float is beyond i128, to which it would be clamped.
    (value.trunc() == value && value.abs() < 1e38).then(|| exact_integer(value as i128, dtype)).flatten()
}

/// An integer in a dtype that holds it exactly.
pub(super) fn exact_literal(value: &Integer, dtype: DType) -> Option<Constant> {
    // Nothing above is exact by chance: casts of floats back to integers stop at the largest one.
    let small = value.as_i128().filter(|small| small.unsigned_abs() < 1 << 126)?;
    match dtype.kind() {
        Kind::Float => {
            let rounded = rounded_float(small as f64, dtype)?;
            rounded.as_f64().filter(|float| float.is_finite() && *float as i128 == small).map(|_| rounded)
        }
        Kind::Datetime | Kind::Timedelta => None,
        _ => exact_integer(small, dtype),
    }
}
