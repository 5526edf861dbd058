//! Integers of any size, as a literal may spell them.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// An integer. Those of more than 128 bits are kept too: comparing with them has an exact answer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i128),
    /// Outside the range of `i128`. Limbs of the magnitude, the lowest first, the last not zero.
    Large {
        negative: bool,
        magnitude: Arc<[u32]>,
    },
}

impl Integer {
    /// The number with these digits in `radix`, 2, 8, 10 or 16, underscores skipped. Decimal digits take time that grows
    /// with their number squared.
    pub(crate) fn from_digits(digits: &str, radix: u32) -> Integer {
        let limbs = if radix.is_power_of_two() {
            from_bits(digits, radix)
        } else {
            let mut limbs = Vec::new();
            for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
                multiply_add(&mut limbs, radix, digit);
            }
            limbs
        };
        Integer::from_limbs(false, limbs)
    }

    fn from_limbs(negative: bool, mut limbs: Vec<u32>) -> Integer {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        if limbs.len() <= 4 {
            let magnitude = limbs.iter().rev().fold(0u128, |sum, &limb| sum << 32 | u128::from(limb));
            let small =
                if negative { 0i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() };
            if let Some(small) = small {
                return Integer(Repr::Small(small));
            }
        }
        Integer(Repr::Large { negative, magnitude: limbs.into() })
    }

    /// The number, if it fits.
    pub fn as_i128(&self) -> Option<i128> {
        match self.0 {
            Repr::Small(value) => Some(value),
            Repr::Large { .. } => None,
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(value) => *value < 0,
            Repr::Large { negative, .. } => *negative,
        }
    }

    /// Its negative.
    #[must_use]
    pub fn negated(&self) -> Integer {
        match &self.0 {
            Repr::Small(value) => match value.checked_neg() {
                Some(value) => Integer(Repr::Small(value)),
                None => Integer::from_limbs(false, vec![0, 0, 0, 1 << 31]),
            },
            Repr::Large { negative, magnitude } => Integer::from_limbs(!negative, magnitude.to_vec()),
        }
    }

    /// The closest float64, ties to even; `None` if that is beyond all finite ones.
    pub fn to_f64(&self) -> Option<f64> {
        match &self.0 {
            Repr::Small(value) => Some(*value as f64),
            Repr::Large { negative, magnitude } => {
                let value = limbs_to_f64(magnitude)?;
                Some(if *negative { -value } else { value })
            }
        }
    }
}

/// `limbs * factor + digit`.
fn multiply_add(limbs: &mut Vec<u32>, factor: u32, digit: u32) {
    let mut carry = u64::from(digit);
    for limb in limbs.iter_mut() {
        let wide = u64::from(*limb) * u64::from(factor) + carry;
        *limb = wide as u32;
        carry = wide >> 32;
    }
    if carry > 0 {
        limbs.push(carry as u32);
    }
}

/// Digits that are whole bits: radix 2, 8 or 16.
fn from_bits(digits: &str, radix: u32) -> Vec<u32> {
    let width = radix.trailing_zeros();
    let mut limbs = Vec::with_capacity(digits.len() * width as usize / 32 + 1);
    let (mut word, mut filled) = (0u64, 0);
    for digit in digits.chars().rev().filter_map(|c| c.to_digit(radix)) {
        word |= u64::from(digit) << filled;
        filled += width;
        if filled >= 32 {
            limbs.push(word as u32);
            word >>= 32;
            filled -= 32;
        }
    }
    limbs.push(word as u32);
    limbs
}

/// The closest float64 of a number of at least 97 bits.
fn limbs_to_f64(limbs: &[u32]) -> Option<f64> {
    let [rest @ .., c, b, a] = limbs else { return None };
    // 65 bits or more, of which the lowest says whether anything below it is set: more than twice the precision of a
    // float64, so that rounding once more gives what rounding the whole number gives.
    let sticky = rest.iter().any(|&limb| limb != 0);
    let top = u128::from(*a) << 64 | u128::from(*b) << 32 | u128::from(*c) | u128::from(sticky);
    let exponent = i32::try_from(rest.len()).ok()?.checked_mul(32)?;
    let value = if exponent > 1023 { f64::INFINITY } else { top as f64 * 2f64.powi(exponent) };
    value.is_finite().then_some(value)
}

macro_rules! from_integers {
    ($($type:ty)*) => {$(
        impl From<$type> for Integer {
            fn from(value: $type) -> Integer {
                Integer(Repr::Small(i128::from(value)))
            }
        }
    )*};
}
from_integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Large { negative, .. }, Repr::Small(_)) => {
                if *negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Repr::Small(_), Repr::Large { .. }) => other.cmp(self).reverse(),
            (Repr::Large { negative: a, magnitude: m }, Repr::Large { negative: b, magnitude: n }) => {
                let order = m.len().cmp(&n.len()).then_with(|| m.iter().rev().cmp(n.iter().rev()));
                match (a, b) {
                    (false, false) => order,
                    (true, true) => order.reverse(),
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                }
            }
        }
    }
}

/// Decimal; in hexadecimal where it has more than 128 bits, as Python reads both.
impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => write!(f, "{value}"),
            Repr::Large { negative, magnitude } => {
                f.write_str(if *negative { "-0x" } else { "0x" })?;
                let mut limbs = magnitude.iter().rev();
                if let Some(first) = limbs.next() {
                    write!(f, "{first:x}")?;
                }
                limbs.try_for_each(|limb| write!(f, "{limb:08x}"))
            }
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn limits() {
        let digits = |text: &str| Integer::from_digits(text, 10);
        assert_eq!(digits("0"), Integer::from(0));
        assert_eq!(digits("1_000"), Integer::from(1000));
        assert_eq!(digits(&i128::MAX.to_string()).as_i128(), Some(i128::MAX));
        let beyond = digits(&(i128::MAX as u128 + 1).to_string());
        assert_eq!(beyond.as_i128(), None);
        assert_eq!(beyond.negated().as_i128(), Some(i128::MIN));
        assert_eq!(beyond.negated().negated(), beyond);
        assert_eq!(beyond.to_string(), "0x80000000000000000000000000000000");
        assert!(beyond > Integer::from(i128::MAX) && Integer::from(0) < beyond);
        let lowest = digits(&(i128::MAX as u128 + 2).to_string()).negated();
        assert!(lowest < Integer::from(i128::MIN) && lowest.is_negative());
        assert_eq!(digits(&format!("1{}", "0".repeat(308))).to_f64(), Some(1e308));
        assert_eq!(digits(&format!("1{}", "0".repeat(309))).to_f64(), None);
        assert_eq!(Integer::from_digits(&"f".repeat(100_000), 16).to_f64(), None);
        // Halfway between two float64, and one above.
        let half = (1u128 << 126) + (1 << 73);
        for (value, expected) in [(half, 126), (half + 1, 126)] {
            let text = format!("{value:x}00000000");
            let expected =
                if value == half { 2f64.powi(expected + 32) } else { 2f64.powi(158) + 2f64.powi(106) };
            assert_eq!(Integer::from_digits(&text, 16).to_f64(), Some(expected));
        }
    }

    proptest! {
        #[test]
        fn all_radices_agree_with_rust(value in any::<u128>()) {
            let decimal = Integer::from_digits(&value.to_string(), 10);
            prop_assert_eq!(&Integer::from_digits(&format!("{value:b}"), 2), &decimal);
            prop_assert_eq!(&Integer::from_digits(&format!("{value:o}"), 8), &decimal);
            prop_assert_eq!(&Integer::from_digits(&format!("{value:X}"), 16), &decimal);
            prop_assert_eq!(decimal.to_f64(), Some(value as f64));
            prop_assert_eq!(decimal.negated().to_f64(), Some(-(value as f64)));
        }

        #[test]
        fn large_decimals_round_as_rust_reads_them(text in "[1-9][0-9]{38,320}") {
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(Integer::from_digits(&text, 10).to_f64(), expected.is_finite().then_some(expected));
        }
    }
}
