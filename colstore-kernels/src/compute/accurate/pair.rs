//! Sums of two floats, the second of which holds what the first has no room for.
//!
//! Exact sums and products are Dekker's and Knuth's: they hold when nothing overflows or is subnormal, which is up to
//! callers. Without fused multiplication, as the first instruction set has none.

/// `hi + lo`, some 105 bits; once normalised, `hi` is the sum rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

/// The sum, exactly, of a float and one that is not greater, or anything if the first is zero.
#[inline(always)]
pub(super) const fn ordered_sum(a: f64, b: f64) -> Pair {
    let hi = a + b;
    Pair { hi, lo: b - (hi - a) }
}

/// The sum, exactly.
#[inline(always)]
pub(super) const fn sum(a: f64, b: f64) -> Pair {
    let hi = a + b;
    let of_b = hi - a;
    Pair { hi, lo: (a - (hi - of_b)) + (b - of_b) }
}

/// A float rounded to 26 bits. What it lacks has 26 bits, too, with a sign.
#[inline(always)]
pub(super) const fn upper(a: f64) -> f64 {
    f64::from_bits((a.to_bits() + (1 << 26)) & (u64::MAX << 27))
}

/// The product, exactly.
#[inline(always)]
pub(super) const fn product(a: f64, b: f64) -> Pair {
    let hi = a * b;
    let (a1, b1) = (upper(a), upper(b));
    let (a2, b2) = (a - a1, b - b1);
    Pair { hi, lo: ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2 }
}

/// `2^exponent`, which must be normal.
#[inline(always)]
pub(super) const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

impl Pair {
    /// A float.
    pub(super) const fn of(hi: f64) -> Pair {
        Pair { hi, lo: 0.0 }
    }

    /// The nearest float.
    #[inline(always)]
    pub(super) const fn rounded(self) -> f64 {
        self.hi + self.lo
    }

    /// The sum; of different signs, it is as precise as the operands are.
    #[inline(always)]
    pub(super) const fn plus(self, other: Pair) -> Pair {
        let s = sum(self.hi, other.hi);
        ordered_sum(s.hi, s.lo + (self.lo + other.lo))
    }

    #[inline(always)]
    pub(super) const fn times(self, other: Pair) -> Pair {
        let p = product(self.hi, other.hi);
        ordered_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    #[inline(always)]
    pub(super) const fn over(self, other: Pair) -> Pair {
        let reciprocal = 1.0 / other.hi;
        let quotient = self.hi * reciprocal;
        let p = product(quotient, other.hi);
        let rest = ((self.hi - p.hi) - p.lo) + (self.lo - quotient * other.lo);
        ordered_sum(quotient, rest * reciprocal)
    }

    /// The square root of a positive value.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Pair {
        let root = self.hi.sqrt();
        let p = product(root, root);
        let rest = ((self.hi - p.hi) - p.lo) + self.lo;
        ordered_sum(root, rest * (0.5 / root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// A float of 53 bits as an integer and a power of two.
    fn parts(a: f64) -> (i128, i32) {
        let exponent = (a.to_bits() >> 52 & 0x7ff) as i32;
        let fraction = (a.to_bits() & (u64::MAX >> 12)) | 1 << 52;
        (if a == 0.0 { 0 } else { i128::from(fraction) * a.signum() as i128 }, exponent - 1075)
    }

    /// Whether `pair` is `whole * 2^exponent`; its parts are multiples of that.
    fn is(pair: Pair, whole: i128, exponent: i32) -> bool {
        let shifted = |a: f64| {
            let (fraction, own) = parts(a);
            if fraction == 0 {
                0
            } else if own >= exponent {
                fraction << (own - exponent)
            } else {
                assert_eq!(fraction.trailing_zeros().min((exponent - own) as u32), (exponent - own) as u32);
                fraction >> (exponent - own)
            }
        };
        shifted(pair.hi) + shifted(pair.lo) == whole
    }

    fn floats(random: &mut Random) -> impl Iterator<Item = (f64, f64)> {
        (0..100_000).map(move |i: i64| {
            let mut float = |exponent: i64| {
                // Of some, the lower bits are all ones or all zeros, where a split is at its limits.
                let bits = random.next() >> 12;
                let bits = match random.next() % 4 {
                    0 => bits | ((1 << 27) - 1),
                    1 => bits & !((1 << 26) - 1),
                    _ => bits,
                };
                let sign = if random.next().is_multiple_of(2) { 1.0 } else { -1.0 };
                sign * f64::from_bits(bits | 1023 << 52) * power_of_two(exponent)
            };
            (float(0), float(i % 41 - 20))
        })
    }

    #[test]
    fn sums_and_products_are_exact() {
        for (a, b) in floats(&mut Random::new(1)) {
            let ((x, i), (y, j)) = (parts(a), parts(b));
            assert!(is(product(a, b), x * y, i + j), "{a:e} * {b:e}");
            let low = i.min(j);
            let whole = (x << (i - low)) + (y << (j - low));
            assert!(is(sum(a, b), whole, low), "{a:e} + {b:e}");
            let (a, b) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
            assert!(is(ordered_sum(a, b), whole, low), "{a:e} + {b:e}, in this order");
        }
    }

    #[test]
    fn quotients_and_roots_give_back_what_they_are_of() {
        for (a, b) in floats(&mut Random::new(2)) {
            let (a, b) =
                (Pair { hi: a.abs(), lo: a.abs() / 3e16 }, Pair { hi: b.abs(), lo: b.abs() / -2e16 });
            let close = |found: Pair, expected: Pair| {
                let gap = (found.hi - expected.hi) + (found.lo - expected.lo);
                assert!(gap.abs() <= expected.hi * 2_f64.powi(-101), "{found:?} for {expected:?}");
            };
            close(a.over(b).times(b), a);
            let root = a.sqrt();
            close(root.times(root), a);
        }
    }
}
