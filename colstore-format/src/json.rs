//! JSON text in the form whose CRC a manifest stores: that of Python's `json.dumps`.
//!
//! serde_json does the parsing: whoever calls in here holds the text of a value ("raw") that it has found to be valid. What is
//! written differs from its own serialiser in the separators `", "` and `": "`, in escaping everything but printable
//! ASCII, and in the form of numbers: integers as they stand, whatever their size, others as Python's `repr`.
//! Strings may hold lone surrogates and travel as WTF-8.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write as _};

use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::column_name::code_points;
use crate::constants::MAX_MANIFEST_DEPTH;

/// The order in which the members of objects are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyOrder {
    /// As they came; a key that came twice is where it came first, with its last value.
    AsParsed,
    /// By code points.
    Sorted,
}

/// The contents of a JSON string in WTF-8. `raw` includes the quotes.
pub(crate) fn decode_string(raw: &str) -> serde_json::Result<Cow<'_, [u8]>> {
    struct Bytes;
    impl<'de> Visitor<'de> for Bytes {
        type Value = Cow<'de, [u8]>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
            Ok(Cow::Borrowed(bytes))
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
            Ok(Cow::Owned(bytes.to_vec()))
        }
    }
    match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(plain) if !plain.contains('\\') => Ok(Cow::Borrowed(plain.as_bytes())),
        _ => serde_json::Deserializer::from_str(raw).deserialize_bytes(Bytes),
    }
}

/// Whether a byte stands for itself in a string.
pub(crate) fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e) && byte != b'"' && byte != b'\\'
}

/// The value of a raw number; `None` for anything else.
pub(crate) fn number(raw: &str) -> Option<f64> {
    raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then(|| raw.parse().ok())?
}

/// Writes a string given in WTF-8, in quotes and with escapes.
pub(crate) fn write_string(out: &mut String, wtf8: &[u8]) {
    out.push('"');
    match std::str::from_utf8(wtf8) {
        Ok(text) if wtf8.iter().all(|byte| is_plain(*byte)) => out.push_str(text),
        _ => code_points(wtf8).for_each(|code| write_code_point(out, code)),
    }
    out.push('"');
}

fn write_code_point(out: &mut String, code: u32) {
    match code {
        0x22 => out.push_str("\\\""),
        0x5c => out.push_str("\\\\"),
        0x08 => out.push_str("\\b"),
        0x09 => out.push_str("\\t"),
        0x0a => out.push_str("\\n"),
        0x0c => out.push_str("\\f"),
        0x0d => out.push_str("\\r"),
        0x20..=0x7e => out.push(char::from(code as u8)),
        0..=0xffff => write_escape(out, code),
        _ => {
            let code = code - 0x10000;
            write_escape(out, 0xd800 + (code >> 10));
            write_escape(out, 0xdc00 + (code & 0x3ff));
        }
    }
}

fn write_escape(out: &mut String, unit: u32) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from(b"0123456789abcdef"[(unit >> shift & 0xf) as usize]));
    }
}

/// Writes any value canonically. `depth` is the nesting depth at which it stands; the document is at 1.
///
/// # Errors
///
/// If the nesting is too deep, or a number is beyond the range of a double.
pub(crate) fn write_value(
    out: &mut String,
    raw: &str,
    order: KeyOrder,
    depth: usize,
) -> serde_json::Result<()> {
    match raw.as_bytes().first() {
        Some(b'"') => write_string(out, &decode_string(raw)?),
        Some(b'{') => {
            let members = members(raw, depth)?;
            write_object(out, &members, order, depth)?;
        }
        Some(b'[') => {
            check_depth(depth)?;
            out.push('[');
            for (i, element) in elements(raw)?.into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_value(out, element, order, depth + 1)?;
            }
            out.push(']');
        }
        Some(b'-' | b'0'..=b'9') => write_number(out, raw)?,
        _ => out.push_str(raw), // null, true, false
    }
    Ok(())
}

/// Writes an object of members in the order in which they were parsed.
pub(crate) fn write_object(
    out: &mut String,
    members: &[Member<'_>],
    order: KeyOrder,
    depth: usize,
) -> serde_json::Result<()> {
    let mut unique = unique(members);
    if order == KeyOrder::Sorted {
        // The byte order of WTF-8 is that of its code points.
        unique.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    }
    out.push('{');
    for (i, (key, value)) in unique.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_string(out, key);
        out.push_str(": ");
        write_value(out, value, order, depth + 1)?;
    }
    out.push('}');
    Ok(())
}

/// The members without repetitions: a key stands where it came first, with its last value.
fn unique<'a, 'm>(members: &'a [Member<'m>]) -> Vec<&'a Member<'m>> {
    let mut places = HashMap::new();
    let mut unique: Vec<&Member<'m>> = Vec::with_capacity(members.len());
    for member in members {
        let key = &*member.0;
        // Hashing does not pay for a few.
        let place = if members.len() <= 16 {
            unique.iter().position(|earlier| *earlier.0 == *key).unwrap_or(unique.len())
        } else {
            *places.entry(key).or_insert(unique.len())
        };
        match unique.get_mut(place) {
            Some(earlier) => *earlier = member,
            None => unique.push(member),
        }
    }
    unique
}

fn write_number(out: &mut String, raw: &str) -> serde_json::Result<()> {
    if raw == "-0" {
        out.push('0');
    } else if raw.bytes().all(|b| b == b'-' || b.is_ascii_digit()) {
        out.push_str(raw); // JSON has no leading zeros: the token is the exact decimal
    } else {
        let value: f64 = raw.parse().map_err(serde_json::Error::custom)?;
        if !value.is_finite() {
            return Err(serde_json::Error::custom(format_args!("the number {raw:.40} is out of range")));
        }
        write_float(out, value);
    }
    Ok(())
}

/// Python's `repr` of a finite double: the shortest digits that give it back, with an exponent outside of 1e-4..1e16.
fn write_float(out: &mut String, value: f64) {
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if value.is_sign_negative() {
        out.push('-');
    }
    // Writing to a String cannot fail.
    let _ = match usize::try_from(exponent) {
        _ if !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(out, "{mantissa}e{sign}{:02}", exponent.unsigned_abs())
        }
        Err(_) => {
            write!(out, "0.{:0>width$}", digits, width = digits.len() + exponent.unsigned_abs() as usize - 1)
        }
        Ok(point) => match digits.split_at_checked(point + 1) {
            Some((whole, "")) => write!(out, "{whole}.0"),
            Some((whole, fraction)) => write!(out, "{whole}.{fraction}"),
            None => write!(out, "{digits:0<width$}.0", width = point + 1),
        },
    };
}

/// Fails if `depth` is deeper than arrays and objects may be nested.
pub(crate) fn check_depth(depth: usize) -> serde_json::Result<()> {
    if depth > MAX_MANIFEST_DEPTH {
        return Err(serde_json::Error::custom(format_args!(
            "nested deeper than {MAX_MANIFEST_DEPTH} levels"
        )));
    }
    Ok(())
}

/// Fails if a value that stands at `depth` is nested too deep in itself.
pub(crate) fn check_nesting(raw: &str, mut depth: usize) -> serde_json::Result<()> {
    let mut bytes = raw.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => {
                check_depth(depth)?;
                depth += 1;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some(inner) = bytes.next() {
                    match inner {
                        b'"' => break,
                        b'\\' => drop(bytes.next()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Key in WTF-8 and raw value of an object's member.
pub(crate) type Member<'a> = (Cow<'a, [u8]>, &'a str);

/// The members of an object that stands at `depth`, repeated keys included.
pub(crate) fn members(raw: &str, depth: usize) -> serde_json::Result<Vec<Member<'_>>> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<Member<'de>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                members.push((decode_string(key.get()).map_err(A::Error::custom)?, value.get()));
            }
            Ok(members)
        }
    }
    check_depth(depth)?;
    serde_json::Deserializer::from_str(raw).deserialize_map(Members)
}

/// The raw elements of an array.
pub(crate) fn elements(raw: &str) -> serde_json::Result<Vec<&str>> {
    struct Elements;
    impl<'de> Visitor<'de> for Elements {
        type Value = Vec<&'de str>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut elements = Vec::new();
            while let Some(element) = seq.next_element::<&RawValue>()? {
                elements.push(element.get());
            }
            Ok(elements)
        }
    }
    serde_json::Deserializer::from_str(raw).deserialize_seq(Elements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(raw: &str, order: KeyOrder) -> serde_json::Result<String> {
        let mut out = String::new();
        write_value(&mut out, raw, order, 1).map(|()| out)
    }

    /// Values and what CPython 3.11 makes of them: `json.dumps(json.loads(x))`, with and without `sort_keys`.
    #[test]
    fn values_as_python_writes_them() {
        for (raw, as_parsed, sorted) in [
            (
                r#"{"b": 1, "a": [1,2 , {"z":null,"y":true}], "é":"\u00E9\ud83d\ude00\u007f/\b\f\n\r\t\"\\\u0001"}"#,
                r#"{"b": 1, "a": [1, 2, {"z": null, "y": true}], "\u00e9": "\u00e9\ud83d\ude00\u007f/\b\f\n\r\t\"\\\u0001"}"#,
                r#"{"a": [1, 2, {"y": true, "z": null}], "b": 1, "\u00e9": "\u00e9\ud83d\ude00\u007f/\b\f\n\r\t\"\\\u0001"}"#,
            ),
            ("[[], { },[{ }, [ ]]]", "[[], {}, [{}, []]]", "[[], {}, [{}, []]]"),
            (r#"{"a":1,"b":2,"a":3}"#, r#"{"a": 3, "b": 2}"#, r#"{"a": 3, "b": 2}"#),
            (
                r#"{"\ud800":1,"\uffff":2,"\ud83d\ude00":3,"z":4, "":5}"#,
                r#"{"\ud800": 1, "\uffff": 2, "\ud83d\ude00": 3, "z": 4, "": 5}"#,
                r#"{"": 5, "z": 4, "\ud800": 1, "\uffff": 2, "\ud83d\ude00": 3}"#,
            ),
            (r#""\ud83dx\udc00""#, r#""\ud83dx\udc00""#, r#""\ud83dx\udc00""#),
            ("[-0, 1.0,-0.0,false]", "[0, 1.0, -0.0, false]", "[0, 1.0, -0.0, false]"),
        ] {
            assert_eq!(canonical(raw, KeyOrder::AsParsed).unwrap(), as_parsed);
            assert_eq!(canonical(raw, KeyOrder::Sorted).unwrap(), sorted);
        }
    }

    #[rustfmt::skip]
    const NUMBERS: &[(&str, &str)] = &[
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("-7", "-7"), ("1e0", "1.0"),
        ("1E5", "100000.0"), ("1.5e300", "1.5e+300"), ("1e16", "1e+16"), ("1e15", "1000000000000000.0"),
        ("123456789012345678.0", "1.2345678901234568e+17"), ("9999999999999998.0", "9999999999999998.0"),
        ("1e-4", "0.0001"), ("0.00001", "1e-05"), ("1.234e-7", "1.234e-07"), ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"), ("-2.5E-3", "-0.0025"), ("123e-2", "1.23"),
        ("100.0", "100.0"), ("12345.678", "12345.678"), ("9007199254740993.0", "9007199254740992.0"),
        ("1234567890123456.7", "1234567890123456.8"), ("0.00012345", "0.00012345"), ("-1e-10", "-1e-10"),
    ];

    #[test]
    fn numbers_as_python_writes_them() {
        for (raw, written) in NUMBERS {
            assert_eq!(canonical(raw, KeyOrder::Sorted).unwrap(), *written, "{raw}");
        }
        assert!(canonical("1e999", KeyOrder::Sorted).is_err());
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        let text = nested(MAX_MANIFEST_DEPTH);
        assert_eq!(canonical(&text, KeyOrder::Sorted).unwrap(), text);
        assert!(canonical(&nested(MAX_MANIFEST_DEPTH + 1), KeyOrder::Sorted).is_err());
        let objects = format!("{}1{}", r#"{"a": "#.repeat(65), "}".repeat(65));
        assert!(canonical(&objects, KeyOrder::Sorted).is_err());
        for (text, deep) in
            [(nested(64), false), (nested(65), true), (objects, true), (r#"["[[\"[["]"#.repeat(100), false)]
        {
            assert_eq!(check_nesting(&text, 1).is_err(), deep, "{text}");
        }
    }

    /// One key a thousand times, and a thousand keys.
    #[test]
    fn many_members() {
        let members = |key: &dyn Fn(usize) -> String| {
            let members: Vec<_> = (0..1000).map(|i| format!("{:?}: {i}", key(i))).collect();
            format!("{{{}}}", members.join(", "))
        };
        let same = members(&|_| "k".into());
        assert_eq!(canonical(&same, KeyOrder::AsParsed).unwrap(), r#"{"k": 999}"#);
        let different = members(&|i| format!("{i:03}"));
        assert_eq!(canonical(&different, KeyOrder::AsParsed).unwrap(), different);
        let backwards = members(&|i| format!("{:03}", 999 - i));
        assert!(canonical(&backwards, KeyOrder::Sorted).unwrap().starts_with(r#"{"000": 999, "001": 998"#));
    }

    proptest! {
        #[test]
        fn strings_decode_to_themselves(text: String) {
            let mut out = String::new();
            write_string(&mut out, text.as_bytes());
            prop_assert!(out.is_ascii());
            prop_assert_eq!(&*decode_string(&out).unwrap(), text.as_bytes());
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }

        #[test]
        fn doubles_read_back(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            let mut out = String::new();
            write_float(&mut out, value);
            prop_assert_eq!(out.parse::<f64>().unwrap().to_bits(), value.to_bits());
            prop_assert_eq!(canonical(&out, KeyOrder::Sorted).unwrap(), out);
        }
    }
}
