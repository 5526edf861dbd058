//! Integers of any size from text, as programs pass them on.

use std::str::FromStr;

use super::integer::Integer;
use crate::error::Error;

/// The most decimal digits: the time to read them grows with their number squared.
const MAX_DECIMALS: usize = 10_000;

/// The most hexadecimal digits.
const MAX_HEXADECIMALS: usize = 1 << 20;

/// Decimal digits, or hexadecimal ones after `0x`; a sign before them is allowed, blanks are not.
///
/// ```
/// use colstore_frame::Integer;
///
/// assert_eq!("-12".parse::<Integer>()?, Integer::from(-12));
/// assert_eq!("0xff".parse::<Integer>()?, Integer::from(255));
/// # Ok::<(), colstore_frame::Error>(())
/// ```
impl FromStr for Integer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Integer, Error> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (digits, radix, most) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => (digits, 16, MAX_HEXADECIMALS),
            None => (digits, 10, MAX_DECIMALS),
        };
        if digits.len() > most {
            return Err(Error::value(format!(
                "an integer of {} digits was given; there may be {MAX_DECIMALS} decimal or {MAX_HEXADECIMALS} \
                 hexadecimal ones",
                digits.len()
            )));
        }
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            let shown: String = text.chars().take(60).collect();
            return Err(Error::value(format!(
                "{shown:?} is no integer; give decimal digits, or hexadecimal ones after '0x', with or without a sign"
            )));
        }
        let magnitude = Integer::from_digits(digits, radix);
        Ok(if text.starts_with('-') { magnitude.negated() } else { magnitude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_integer_is_refused() {
        for text in ["", "-", "+", "0x", "-0x", "1.0", "1_0", " 1", "0xg", "--1", "1e3", "\u{0661}"] {
            assert!(text.parse::<Integer>().is_err(), "{text:?}");
        }
        assert!("1".repeat(MAX_DECIMALS + 1).parse::<Integer>().is_err());
    }

    #[test]
    fn any_size_and_either_sign() {
        for value in [0, 1, -1, i128::MAX, i128::MIN] {
            assert_eq!(value.to_string().parse::<Integer>().unwrap().as_i128(), Some(value));
        }
        let large: Integer = format!("-0x1{}", "0".repeat(64)).parse().unwrap();
        assert_eq!((large.is_negative(), large.to_f64()), (true, Some(-(2f64.powi(256)))));
        assert_eq!("+7".parse::<Integer>().unwrap(), Integer::from(7));
    }
}
