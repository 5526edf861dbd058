//! One value of any dtype, as text for people and as JSON for programs.
//!
//! | file | what it writes |
//! |---|---|
//! | `float` | binary16, binary32, binary64: the shortest digits that read back as the same value |
//! | `calendar` | datetime64: ISO 8601 in every unit |
//! | `text` | fixed-width bytes and UCS-4, with escapes for what is no text or must not reach a terminal |
//!
//! Values come as `itemsize` little-endian bytes, as the reads of colstore-core return them.

mod calendar;
mod float;
pub(crate) mod text;

use colstore_format::{DType, Kind, Unit};

use crate::output::json_string;
use crate::table::Align;

/// "Not a time": the smallest count.
const NAT: i64 = i64::MIN;

/// The value as one line of text without control characters.
pub(crate) fn to_text(dtype: DType, bytes: &[u8]) -> String {
    match dtype.kind() {
        Kind::Bool => (any_bit(bytes)).to_string(),
        Kind::Int => signed(bytes).to_string(),
        Kind::UInt => unsigned(bytes).to_string(),
        Kind::Float => float::to_text(bytes).unwrap_or_else(|| hexadecimal(bytes)),
        Kind::Datetime => datetime(dtype, signed(bytes)),
        Kind::Timedelta => timedelta(dtype, signed(bytes)),
        Kind::Bytes => text::printable(&text::from_bytes(bytes)),
        Kind::Unicode => text::printable(&text::from_ucs4(bytes)),
        // A kind of a later format version: what is stored.
        _ => hexadecimal(bytes),
    }
}

/// The value as JSON.
pub(crate) fn to_json(dtype: DType, bytes: &[u8]) -> String {
    match dtype.kind() {
        Kind::Bool | Kind::Int | Kind::UInt => to_text(dtype, bytes),
        Kind::Float => float::to_json(bytes).unwrap_or_else(|| json_string(&hexadecimal(bytes))),
        Kind::Timedelta => match signed(bytes) {
            NAT => json_string("NaT"),
            count => count.to_string(),
        },
        Kind::Bytes => json_string(&text::from_bytes(bytes)),
        Kind::Unicode => json_string(&text::from_ucs4(bytes)),
        _ => json_string(&to_text(dtype, bytes)),
    }
}

/// Numbers keep to the right so that their digits line up, all else to the left.
pub(crate) fn align(dtype: DType) -> Align {
    match dtype.kind() {
        Kind::Int | Kind::UInt | Kind::Float | Kind::Timedelta => Align::Right,
        _ => Align::Left,
    }
}

/// The dtype in words, as NumPy names it: `int32`, `datetime64[ns]`, `str (3)`.
pub(crate) fn type_name(dtype: DType) -> String {
    let bits = dtype.itemsize() * 8;
    let swapped = if dtype.needs_swap() { ", big-endian" } else { "" };
    let name = match dtype.kind() {
        Kind::Bool => "bool".to_owned(),
        Kind::Int => format!("int{bits}"),
        Kind::UInt => format!("uint{bits}"),
        Kind::Float if bits == 128 => "long double".to_owned(),
        Kind::Float => format!("float{bits}"),
        Kind::Datetime => with_unit("datetime64", dtype),
        Kind::Timedelta => with_unit("timedelta64", dtype),
        Kind::Bytes => format!("bytes ({})", dtype.itemsize()),
        Kind::Unicode => format!("str ({})", dtype.itemsize() / 4),
        _ => dtype.to_string(),
    };
    name + swapped
}

fn with_unit(name: &str, dtype: DType) -> String {
    match dtype.unit() {
        None | Some((Unit::Generic, _)) => name.to_owned(),
        Some((unit, 1)) => format!("{name}[{}]", unit.code()),
        Some((unit, multiplier)) => format!("{name}[{multiplier}{}]", unit.code()),
    }
}

fn datetime(dtype: DType, count: i64) -> String {
    let (unit, multiplier) = dtype.unit().unwrap_or((Unit::Generic, 1));
    match count {
        NAT => "NaT".to_owned(),
        count => calendar::iso8601(unit, i128::from(count) * i128::from(multiplier)),
    }
}

fn timedelta(dtype: DType, count: i64) -> String {
    let (unit, multiplier) = dtype.unit().unwrap_or((Unit::Generic, 1));
    match (count, unit) {
        (NAT, _) => "NaT".to_owned(),
        (count, Unit::Generic) => count.to_string(),
        (count, unit) => format!("{} {}", i128::from(count) * i128::from(multiplier), unit.code()),
    }
}

/// Whether any bit is set: the truth of a stored bool, which may be any byte.
fn any_bit(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte != 0)
}

/// Up to eight little-endian bytes as an unsigned number.
fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Up to eight little-endian bytes as a two's complement number.
fn signed(bytes: &[u8]) -> i64 {
    let negative = bytes.last().is_some_and(|&byte| byte >= 0x80);
    bytes.iter().rev().fold(if negative { -1 } else { 0 }, |value, &byte| value << 8 | i64::from(byte))
}

/// The bytes in the order they are stored.
fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("0x");
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
#[path = "value/tests.rs"]
mod tests;
