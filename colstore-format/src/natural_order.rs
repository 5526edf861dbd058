//! Natural order of names: `run_2` before `run_10`.
//!
//! A name is cut into alternating runs of other characters and of decimal digits, starting with other
//! characters (perhaps none):
//!
//! ```text
//! run_010b.cstore  ->  "run_"  10  "b.cstore"
//! 9.cstore         ->  ""       9  ".cstore"
//! ```
//!
//! Names are compared run by run, text by code points and digits by value; a name whose runs are the beginning of the other's
//! comes first. Runs of digits may have any length: their values are compared as strings of digits.

use std::cmp::Ordering;

/// Compares two names in natural order; names of equal value (`run_2`, `run_02`) by code points.
///
/// ```
/// use colstore_format::natural_cmp;
///
/// let mut names = ["run_10", "run_2", "Run_1", "10", "9"];
/// names.sort_by(|a, b| natural_cmp(a, b));
/// assert_eq!(names, ["9", "10", "Run_1", "run_2", "run_10"]);
/// ```
pub fn natural_cmp(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (text_a, text_b) = (take_run(&mut rest_a, false), take_run(&mut rest_b, false));
        // The order of UTF-8 bytes is that of code points.
        let order = text_a.cmp(text_b);
        if order.is_ne() {
            return order;
        }
        let (digits_a, digits_b) = (take_run(&mut rest_a, true), take_run(&mut rest_b, true));
        let order = match (digits_a.is_empty(), digits_b.is_empty()) {
            (true, true) => return a.cmp(b),
            (false, false) => value_cmp(digits_a, digits_b),
            (no_a, no_b) => no_b.cmp(&no_a), // the one that ends here comes first
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Cuts the run of characters that are (or are not) digits off the front.
fn take_run<'a>(rest: &mut &'a str, digits: bool) -> &'a str {
    let end = rest.find(|c| digit_value(c).is_some() != digits).unwrap_or(rest.len());
    let (run, after) = rest.split_at(end);
    *rest = after;
    run
}

/// Compares two runs of digits by value.
fn value_cmp(a: &str, b: &str) -> Ordering {
    let is_zero = |c| digit_value(c) == Some(0);
    let (a, b) = (a.trim_start_matches(is_zero), b.trim_start_matches(is_zero));
    let by_length = a.chars().count().cmp(&b.chars().count());
    by_length.then_with(|| a.chars().map(digit_value).cmp(b.chars().map(digit_value)))
}

/// The value of a decimal digit of any script.
pub(crate) fn digit_value(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.is_ascii_digit().then(|| c as u8 - b'0');
    }
    let code = u32::from(c);
    let zero = DIGIT_ZEROS[DIGIT_ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?];
    u8::try_from(code - zero).ok().filter(|value| *value < 10)
}

/// The zeros of all runs of ten decimal digits (general category Nd) of Unicode 16.
#[rustfmt::skip]
const DIGIT_ZEROS: [u32; 76] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
    0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0,
    0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_in_order() {
        let long = "9".repeat(50);
        for (a, b) in [
            ("9", "10"),
            ("10", "Run_1"),
            ("Run_1", "run_2"),
            ("run_2", "run_10"),
            ("run", "run1"),
            ("a9", "ab"), // "a" ends before "ab" does
            ("run.cstore", "run_1"),
            ("run_02", "run_2"),  // equal values: by name
            ("run_2", "run_02x"), // ... but only if all else is equal
            ("run_002a", "run_2b"),
            ("x99999999999999999999998", "x99999999999999999999999"),
            ("18446744073709551615", "18446744073709551616"),
            ("8", long.as_str()),
            ("٩", "10"),     // Arabic-Indic 9
            ("x२y", "x10y"), // Devanagari 2
            ("0", "1"),
            ("", "0"),
            ("9", "²"), // a superscript is text
        ] {
            assert_eq!(natural_cmp(a, b), Ordering::Less, "{a} {b}");
            assert_eq!(natural_cmp(b, a), Ordering::Greater, "{b} {a}");
            assert_eq!(natural_cmp(a, a), Ordering::Equal);
        }
    }

    #[test]
    fn the_digits_are_numeric_and_in_order() {
        assert!(DIGIT_ZEROS.windows(2).all(|pair| pair[0] + 10 <= pair[1]));
        for zero in DIGIT_ZEROS {
            for value in 0..10u8 {
                let c = char::from_u32(zero + u32::from(value)).unwrap();
                assert!(c.is_numeric(), "{c:?}");
                assert_eq!(digit_value(c), Some(value));
            }
        }
        for c in ['a', '²', '½', '〇', '\u{661e}', '\u{10ffff}', '\u{66a}'] {
            assert_eq!(digit_value(c), None, "{c:?}");
        }
    }

    /// The key that the order is defined by, for values that fit.
    fn key(name: &str) -> (Vec<(String, Option<u128>)>, String) {
        let mut runs = Vec::new();
        let mut chars = name.chars().peekable();
        loop {
            let mut text = String::new();
            while let Some(c) = chars.next_if(|c| !c.is_ascii_digit()) {
                text.push(c);
            }
            let mut value = None;
            while let Some(c) = chars.next_if(char::is_ascii_digit) {
                value = Some(value.unwrap_or(0) * 10 + u128::from(c as u32 - 48));
            }
            runs.push((text, value));
            if value.is_none() {
                return (runs, name.to_owned());
            }
        }
    }

    proptest! {
        #[test]
        fn equals_the_definition(a in "[ab_.]{0,3}([0-9]{0,3}[ab]{0,2}){0,3}", b in "[ab_.]{0,3}([0-9]{0,3}[ab]{0,2}){0,3}") {
            prop_assert_eq!(natural_cmp(&a, &b), key(&a).cmp(&key(&b)));
        }
    }
}
