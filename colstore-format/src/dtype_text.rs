//! The spellings of data types that a reader accepts.
//!
//! ```text
//! text   = name | name-of-a-time unit? | order? letter | order? kind size | order? time-kind 8? unit?
//! order  = '<' | '>' | '=' | '|'            '>' is big-endian, the others little-endian
//! kind   = b i u f S U a                    size in bytes, for U in characters
//! unit   = '[' multiplier? unit-name ']'
//! ```
//!
//! The lists follow NumPy 2 on 64-bit Linux. What NumPy accepts beyond them (structures, sub-arrays, complex, void, object)
//! names no type of this format.

use crate::constants::MAX_ITEMSIZE;
use crate::dtype::{DType, Kind, Unit};
use crate::error::Error;

pub(crate) fn parse(text: &str) -> Option<DType> {
    let (big, rest) = match text.as_bytes().first()? {
        b'>' => (true, text.get(1..)?),
        b'<' | b'=' | b'|' => (false, text.get(1..)?),
        _ => {
            if let Some(dtype) = named(text) {
                return Some(dtype);
            }
            (false, text)
        }
    };
    let dtype = sized(rest).or_else(|| letter(rest)).or_else(|| time(rest))?;
    Some(if big { dtype.to_big() } else { dtype })
}

/// `i4`, `S12`: a kind and a size.
fn sized(text: &str) -> Option<DType> {
    let kind = *text.as_bytes().first()?;
    let size = number(text.get(1..)?)?;
    let (kind, itemsize) = match (kind, size) {
        (b'b', 1) => (Kind::Bool, 1),
        (b'i', 1 | 2 | 4 | 8) => (Kind::Int, size),
        (b'u', 1 | 2 | 4 | 8) => (Kind::UInt, size),
        (b'f', 2 | 4 | 8 | 16) => (Kind::Float, size),
        (b'M', 8) => (Kind::Datetime, 8),
        (b'm', 8) => (Kind::Timedelta, 8),
        (b'S' | b'a', _) => (Kind::Bytes, size),
        (b'U', _) => (Kind::Unicode, size.checked_mul(4)?),
        _ => return None,
    };
    (itemsize as usize <= MAX_ITEMSIZE).then(|| DType::plain(kind, itemsize))
}

/// A type letter without a size.
fn letter(text: &str) -> Option<DType> {
    let (kind, itemsize) = match text {
        "?" => (Kind::Bool, 1),
        "b" => (Kind::Int, 1),
        "h" => (Kind::Int, 2),
        "i" => (Kind::Int, 4),
        "l" | "q" | "p" | "n" => (Kind::Int, 8),
        "B" => (Kind::UInt, 1),
        "H" => (Kind::UInt, 2),
        "I" => (Kind::UInt, 4),
        "L" | "Q" | "P" | "N" => (Kind::UInt, 8),
        "e" => (Kind::Float, 2),
        "f" => (Kind::Float, 4),
        "d" => (Kind::Float, 8),
        "g" => (Kind::Float, 16),
        "M" => (Kind::Datetime, 8),
        "m" => (Kind::Timedelta, 8),
        "c" => (Kind::Bytes, 1),
        "S" | "a" => (Kind::Bytes, 0),
        "U" => (Kind::Unicode, 0),
        _ => return None,
    };
    Some(DType::plain(kind, itemsize))
}

/// `M8[25s]`, `timedelta64[D]`: a time with a unit. Bare letters take none: `M[s]` is no type.
fn time(text: &str) -> Option<DType> {
    let (base, unit) = text.split_at(text.find('[')?);
    let kind = match base {
        "M8" | "datetime64" => Kind::Datetime,
        "m8" | "timedelta64" => Kind::Timedelta,
        _ => return None,
    };
    let inner = unit.strip_prefix('[')?.strip_suffix(']')?;
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let (multiplier, unit) = inner.split_at(digits);
    let multiplier = if multiplier.is_empty() { 1 } else { number(multiplier)? };
    if multiplier == 0 || multiplier > i32::MAX as u32 {
        return None;
    }
    Some(DType::time(kind, unit_named(unit)?, multiplier))
}

fn unit_named(text: &str) -> Option<Unit> {
    Some(match text {
        "generic" => Unit::Generic,
        "Y" => Unit::Year,
        "M" => Unit::Month,
        "W" => Unit::Week,
        "D" => Unit::Day,
        "h" => Unit::Hour,
        "m" => Unit::Minute,
        "s" => Unit::Second,
        "ms" => Unit::Milli,
        "us" | "μs" => Unit::Micro,
        "ns" => Unit::Nano,
        "ps" => Unit::Pico,
        "fs" => Unit::Femto,
        "as" => Unit::Atto,
        _ => return None,
    })
}

/// NumPy's names of types; they take no byte order.
fn named(text: &str) -> Option<DType> {
    let (kind, itemsize) = match text {
        "bool" | "bool_" => (Kind::Bool, 1),
        "int8" | "byte" => (Kind::Int, 1),
        "int16" | "short" => (Kind::Int, 2),
        "int32" | "intc" => (Kind::Int, 4),
        "int64" | "int" | "int_" | "intp" | "long" | "longlong" => (Kind::Int, 8),
        "uint8" | "ubyte" => (Kind::UInt, 1),
        "uint16" | "ushort" => (Kind::UInt, 2),
        "uint32" | "uintc" => (Kind::UInt, 4),
        "uint64" | "uint" | "uintp" | "ulong" | "ulonglong" => (Kind::UInt, 8),
        "float16" | "half" => (Kind::Float, 2),
        "float32" | "single" => (Kind::Float, 4),
        "float64" | "double" | "float" => (Kind::Float, 8),
        "float128" | "longdouble" => (Kind::Float, 16),
        "datetime64" => (Kind::Datetime, 8),
        "timedelta64" => (Kind::Timedelta, 8),
        "bytes" | "bytes_" => (Kind::Bytes, 0),
        "str" | "str_" | "unicode" => (Kind::Unicode, 0),
        _ => return None,
    };
    Some(DType::plain(kind, itemsize))
}

/// A decimal number without sign.
fn number(digits: &str) -> Option<u32> {
    // `str::parse` would take a leading plus.
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The error for a text that names no type of the format.
pub(crate) fn refusal(text: &str) -> Error {
    let shown: String = text.chars().take(60).collect();
    let more = if shown.len() < text.len() { "..." } else { "" };
    Error::malformed(format!(
        "{shown:?}{more} is no dtype of a .cstore column; supported are bool, integers, floats, datetime64, timedelta64, \
         bytes (S) and str (U) of at most {MAX_ITEMSIZE} bytes"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use proptest::prelude::*;

    /// Spelling and NumPy's `dtype.str` for it.
    #[rustfmt::skip]
    const ACCEPTED: &[(&str, &str)] = &[
        ("?", "|b1"), ("b", "|i1"), ("B", "|u1"), ("h", "<i2"), ("H", "<u2"), ("i", "<i4"), ("I", "<u4"),
        ("l", "<i8"), ("L", "<u8"), ("q", "<i8"), ("Q", "<u8"), ("p", "<i8"), ("P", "<u8"), ("n", "<i8"),
        ("N", "<u8"), ("e", "<f2"), ("f", "<f4"), ("d", "<f8"), ("g", "<f16"), ("S", "|S0"), ("U", "<U0"),
        ("M", "<M8"), ("m", "<m8"), ("c", "|S1"), ("a", "|S0"), ("a5", "|S5"), ("b1", "|b1"), ("i1", "|i1"),
        ("i8", "<i8"), ("u1", "|u1"), ("f16", "<f16"), ("S3", "|S3"), ("S03", "|S3"), ("S0", "|S0"),
        ("U03", "<U3"), ("|U3", "<U3"), ("=U3", "<U3"), (">U3", ">U3"), (">S3", "|S3"), ("=S3", "|S3"),
        (">b1", "|b1"), (">i1", "|i1"), (">?", "|b1"), ("<i", "<i4"), (">i", ">i4"), ("|i", "<i4"),
        ("|i4", "<i4"), ("=i4", "<i4"), ("|f8", "<f8"), (">h", ">i2"), (">g", ">f16"), (">d", ">f8"),
        (">e", ">f2"), (">q", ">i8"), (">l", ">i8"), ("M8", "<M8"), ("M8[s]", "<M8[s]"),
        (">M8[s]", ">M8[s]"), ("=M8[s]", "<M8[s]"), ("|M8[s]", "<M8[s]"), ("M8[1s]", "<M8[s]"),
        ("M8[2s]", "<M8[2s]"), ("M8[02s]", "<M8[2s]"), ("M8[2147483647s]", "<M8[2147483647s]"),
        ("M8[generic]", "<M8"), ("M8[2generic]", "<M8"), ("M8[μs]", "<M8[us]"), ("m8[Y]", "<m8[Y]"),
        ("m8[M]", "<m8[M]"), ("m8[W]", "<m8[W]"), ("m8[7D]", "<m8[7D]"), ("m8[h]", "<m8[h]"),
        ("m8[m]", "<m8[m]"), ("m8[60s]", "<m8[60s]"), ("m8[10ms]", "<m8[10ms]"), ("m8[us]", "<m8[us]"),
        ("m8[ns]", "<m8[ns]"), ("m8[ps]", "<m8[ps]"), ("m8[fs]", "<m8[fs]"), ("m8[as]", "<m8[as]"),
        (">m", ">m8"), ("datetime64", "<M8"), ("timedelta64", "<m8"), ("datetime64[ns]", "<M8[ns]"),
        ("timedelta64[D]", "<m8[D]"), ("datetime64[25s]", "<M8[25s]"), ("<datetime64[s]", "<M8[s]"),
        ("bool", "|b1"), ("bool_", "|b1"), ("int", "<i8"), ("int_", "<i8"), ("uint", "<u8"),
        ("int8", "|i1"), ("int16", "<i2"), ("int32", "<i4"), ("int64", "<i8"), ("uint8", "|u1"),
        ("uint16", "<u2"), ("uint32", "<u4"), ("uint64", "<u8"), ("float", "<f8"), ("float16", "<f2"),
        ("float32", "<f4"), ("float64", "<f8"), ("float128", "<f16"), ("half", "<f2"), ("single", "<f4"),
        ("double", "<f8"), ("longdouble", "<f16"), ("byte", "|i1"), ("ubyte", "|u1"), ("short", "<i2"),
        ("ushort", "<u2"), ("intc", "<i4"), ("uintc", "<u4"), ("intp", "<i8"), ("uintp", "<u8"),
        ("long", "<i8"), ("ulong", "<u8"), ("longlong", "<i8"), ("ulonglong", "<u8"), ("str", "<U0"),
        ("str_", "<U0"), ("bytes", "|S0"), ("bytes_", "|S0"), ("S2147483647", "|S2147483647"),
        ("U536870911", "<U536870911"),
    ];

    #[rustfmt::skip]
    const REFUSED: &[&str] = &[
        "", "<", ">", "F", "D", "G", "V", "O", "T", "|O", "|O8", "|V8", "<c8", "<c16", "c8", "complex64",
        "object", "void", "B1", "b2", "i3", "i16", "I4", "u16", "f1", "f12", "M4[s]", "M[s]", "m[s]",
        "M8[0s]", "M8[-2s]", "M8[2147483648s]", "M8[]", "M8[", "M8[s", "M8[s]]", "M8[µs]", "M8[B]",
        "M8[min]", "M8[3]", "S2147483648", "U536870912", "U4294967295", "S-1", "S+1", "S1x", "U1\0",
        "S3[s]", "i4[s]", "i4 ", " i4", "< i4", "<=i4", ">int32", "<int32", "|float64", "Int32", "INT32",
        "int128", "datetime", "datetime64 [ns]", "i4,i4", "i4,", "3i4", "(2,)i4", "1S",
        "{'names':['a'],'formats':['i4']}", "[('a', '<i4')]", "S٣", "é", "S99999999999999999999", "string",
        "StringDType",
    ];

    #[test]
    fn accepted_spellings() {
        for (text, canonical) in ACCEPTED {
            let dtype = DType::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(dtype.to_string(), *canonical, "{text}");
            assert_eq!(DType::parse(canonical), Ok(dtype), "{text}");
        }
    }

    #[test]
    fn refused_spellings() {
        for text in REFUSED {
            let error = DType::parse(text).map(|d| d.to_string()).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Malformed);
        }
    }

    fn any_dtype() -> impl Strategy<Value = DType> {
        let number = prop_oneof![
            Just((Kind::Bool, 1u32)),
            (0u32..4).prop_map(|n| (Kind::Int, 1 << n)),
            (0u32..4).prop_map(|n| (Kind::UInt, 1 << n)),
            (1u32..5).prop_map(|n| (Kind::Float, 1 << n)),
            (0..=i32::MAX as u32).prop_map(|n| (Kind::Bytes, n)),
            (0..=i32::MAX as u32 / 4).prop_map(|n| (Kind::Unicode, 4 * n)),
        ];
        let units = ["", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"];
        let time =
            (any::<bool>(), 0..units.len(), 1..=i32::MAX as u32).prop_map(move |(date, unit, multiplier)| {
                let unit = unit_named(units[unit]).unwrap_or(Unit::Generic);
                DType::time(if date { Kind::Datetime } else { Kind::Timedelta }, unit, multiplier)
            });
        (prop_oneof![number.prop_map(|(kind, size)| DType::plain(kind, size)), time], any::<bool>())
            .prop_map(|(dtype, big)| if big { dtype.to_big() } else { dtype })
    }

    proptest! {
        #[test]
        fn canonical_text_round_trips(dtype in any_dtype()) {
            prop_assert_eq!(DType::parse(&dtype.to_string()), Ok(dtype));
        }

        #[test]
        fn any_text_is_canonical_after_one_pass(text in "[<>=|]?[?a-zA-Z]{0,3}[0-9]{0,3}(\\[[0-9]{0,2}[a-zA-Z]{0,2}\\])?|\\PC*") {
            if let Ok(dtype) = DType::parse(&text) {
                prop_assert_eq!(DType::parse(&dtype.to_string()), Ok(dtype));
            }
        }
    }
}
