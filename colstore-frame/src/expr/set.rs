//! What `in` looks values up in, as values of the dtype that is looked up.
//!
//! An element that no value of the dtype equals is left out: 1.5 beside integers, `2**53 + 1` beside floats that cannot
//! hold it, text longer than the column is wide.

use std::cmp::Ordering;

use colstore_format::{DType, Kind};

use super::convert::{encoded, exact, exact_literal, points};
use super::graph::SortedSet;
use super::literal::{Constant, Literal, ValueSet};

/// The elements of `set` that values of `dtype` can equal.
pub(super) fn sorted(set: &ValueSet, dtype: DType) -> SortedSet {
    let mut values: Vec<Constant> = match set {
        ValueSet::Literals(literals) => {
            literals.iter().filter_map(|literal| element(literal, dtype)).collect()
        }
        ValueSet::Array { dtype: from, bytes } => {
            let size = from.itemsize();
            let elements = bytes.chunks_exact(size.max(1)).map(|bytes| Constant::of(*from, bytes));
            elements.filter_map(|constant| typed(&constant, dtype)).collect()
        }
    };
    values.retain(|value| !is_missing(value));
    values.sort_by(compare);
    values.dedup_by(|a, b| compare(a, b).is_eq());
    let bytes: Vec<u8> = values.iter().flat_map(|value| positive_zero(value).bytes().to_vec()).collect();
    SortedSet { dtype, len: values.len(), bytes: bytes.into() }
}

fn element(literal: &Literal, dtype: DType) -> Option<Constant> {
    match literal {
        Literal::None | Literal::Imaginary(_) => None,
        Literal::Bool(value) => exact_literal(&i64::from(*value).into(), dtype),
        // A count beside durations, as NumPy has it.
        Literal::Int(value) if dtype.kind() == Kind::Timedelta => {
            let count = i64::try_from(value.as_i128()?).ok()?;
            Some(Constant::of(dtype, &count.to_le_bytes()))
        }
        Literal::Int(value) => exact_literal(value, dtype),
        Literal::Float(value) => exact(&Constant::float64(*value), dtype),
        Literal::Str(text) => match dtype.kind() {
            Kind::Bytes => padded(&encoded(text)?, dtype),
            Kind::Unicode => {
                padded(&text.iter().flat_map(|point| point.to_le_bytes()).collect::<Vec<u8>>(), dtype)
            }
            _ => None,
        },
        Literal::Bytes(bytes) => (dtype.kind() == Kind::Bytes).then(|| padded(bytes, dtype)).flatten(),
        Literal::Typed(constant) => typed(constant, dtype),
    }
}

fn typed(constant: &Constant, dtype: DType) -> Option<Constant> {
    match (constant.dtype().kind(), dtype.kind()) {
        (Kind::Bytes, Kind::Bytes) | (Kind::Unicode, Kind::Unicode) => padded(constant.bytes(), dtype),
        (Kind::Unicode, Kind::Bytes) => padded(&encoded(&points(constant)?)?, dtype),
        _ => exact(constant, dtype),
    }
}

/// Text in the width of `dtype`; `None` if it is longer than that without the NULs at its end.
fn padded(bytes: &[u8], dtype: DType) -> Option<Constant> {
    let (kept, cut) = bytes.split_at(bytes.len().min(dtype.itemsize()));
    if cut.iter().any(|byte| *byte != 0) {
        return None;
    }
    let mut bytes = kept.to_vec();
    bytes.resize(dtype.itemsize(), 0);
    Some(Constant::of(dtype, &bytes))
}

/// NaN and NaT, which equal nothing.
fn is_missing(value: &Constant) -> bool {
    let not_a_time = value.dtype().unit().is_some() && value.as_i128() == Some(i128::from(i64::MIN));
    not_a_time || value.as_f64().is_some_and(f64::is_nan)
}

fn positive_zero(value: &Constant) -> Constant {
    if value.as_f64() == Some(0.0) {
        Constant::of(value.dtype(), &[0; 8][..value.bytes().len()])
    } else {
        value.clone()
    }
}

/// The order of values of one dtype.
fn compare(a: &Constant, b: &Constant) -> Ordering {
    match a.dtype().kind() {
        Kind::Float => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
        Kind::Bytes => a.bytes().cmp(b.bytes()),
        Kind::Unicode => points(a).cmp(&points(b)),
        _ => a.as_i128().cmp(&b.as_i128()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(set: impl Into<ValueSet>, dtype: &str) -> Vec<String> {
        let set = sorted(&set.into(), DType::parse(dtype).unwrap());
        assert_eq!(set.bytes.len(), set.len * set.dtype.itemsize());
        set.bytes
            .chunks_exact(set.dtype.itemsize())
            .map(|bytes| format!("{:?}", Constant::of(set.dtype, bytes)))
            .collect()
    }

    fn literals(values: Vec<Literal>) -> ValueSet {
        ValueSet::Literals(values)
    }

    #[test]
    fn elements_that_nothing_equals_are_left_out() {
        let mixed = || {
            literals(vec![
                3.into(),
                1.0.into(),
                1.01.into(),
                true.into(),
                (-5).into(),
                300.into(),
                Literal::None,
                "1".into(),
            ])
        };
        assert_eq!(values(mixed(), "u1"), ["Constant(|u1, 1)", "Constant(|u1, 3)"]);
        assert_eq!(values(mixed(), "b1"), ["Constant(|b1, 1)"]);
        assert_eq!(values(mixed(), "f4").len(), 4);
        assert_eq!(
            values(literals(vec![0.1.into(), 0.5.into(), f64::NAN.into()]), "f4"),
            ["Constant(<f4, 0.5)"]
        );
        assert_eq!(values([(1i64 << 53) + 1, 1 << 53], "f8").len(), 1);
        assert_eq!(values([0.0, -0.0], "f8"), ["Constant(<f8, 0.0)"]);
        assert_eq!(values([u64::MAX, 1], "i8"), ["Constant(<i8, 1)"]);
        assert_eq!(values([f64::INFINITY, 1e300], "i8").len(), 0);
    }

    #[test]
    fn text() {
        assert_eq!(values(["b", "a", "longer", "a\0\0\0", "\u{e9}"], "S2").len(), 3);
        assert_eq!(values(["b", "a", "longer"], "U2").len(), 2);
        assert_eq!(values([b"b"], "U2").len(), 0);
        assert_eq!(values([b"b"], "S2"), ["Constant(|S2, [98, 0])"]);
    }

    #[test]
    fn times_in_other_units() {
        let day = |count: i64, unit: &str| {
            Literal::Typed(Constant::of(DType::parse(unit).unwrap(), &count.to_le_bytes()))
        };
        let set = || {
            literals(vec![
                day(48, "M8[h]"),
                day(49, "M8[h]"),
                day(1, "M8[D]"),
                day(i64::MIN, "M8[D]"),
                day(7, "m8[D]"),
            ])
        };
        assert_eq!(values(set(), "M8[D]"), ["Constant(<M8[D], 1)", "Constant(<M8[D], 2)"]);
        assert_eq!(values([5], "m8[s]"), ["Constant(<m8[s], 5)"]);
        assert_eq!(values([5], "M8[s]").len(), 0);
    }
}
