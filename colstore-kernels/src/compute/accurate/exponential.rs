//! exp - 1, as a sum of two floats.
//!
//! ```text
//! y = (128 q + j) ln 2 / 128 + r       |r| ≤ ln 2 / 256
//! exp y = 2^q · 2^(j/128) · (1 + e)    e = exp(r) - 1, a short series
//! ```
//!
//! The 128 powers are stored as sums of 26 bits and a float, so that the product of the first part and half of `e` is exact.

use super::pair::{Pair, ordered_sum, power_of_two, sum, upper};

/// ln 2, to 107 bits.
pub(super) const LN_2: Pair = Pair { hi: std::f64::consts::LN_2, lo: 2.319_046_813_846_299_6e-17 };

const PARTS: usize = 128;

/// `2^(j/128)`, the first parts of 26 bits.
static POWERS: [Pair; PARTS] = powers();

/// ln 2 / 128: 35 bits, so that multiples up to 2^18 are exact, and the rest.
const STEP: Pair = {
    let hi = f64::from_bits(LN_2.hi.to_bits() & (u64::MAX << 18));
    Pair { hi: hi / PARTS as f64, lo: ((LN_2.hi - hi) + LN_2.lo) / PARTS as f64 }
};

const fn powers() -> [Pair; PARTS] {
    let mut powers = [Pair::of(1.0); PARTS];
    let mut j = 1;
    while j < PARTS {
        let y = LN_2.times(Pair::of(j as f64 / PARTS as f64));
        let mut series = Pair::of(1.0);
        let mut n = 30;
        while n > 0 {
            series = Pair::of(1.0).plus(y.times(series).over(Pair::of(n as f64)));
            n -= 1;
        }
        let hi = upper(series.hi);
        powers[j] = Pair { hi, lo: (series.hi - hi) + series.lo };
        j += 1;
    }
    powers
}

/// `y` taken apart.
struct Parts {
    q: i64,
    power: Pair,
    e: Pair,
    /// `e.hi` to 26 bits, and the rest of `e`.
    e_upper: f64,
    e_lower: f64,
}

/// Of `y` from 0 to 1000.
#[inline(always)]
fn parts(y: f64) -> Parts {
    // 1.5 · 2^52: of a sum with it, the last bit counts ones.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let shifted = y * (PARTS as f64 / LN_2.hi) + WHOLE;
    let n = shifted.to_bits().wrapping_sub(WHOLE.to_bits()).cast_signed();
    let multiple = shifted - WHOLE;
    let r = sum(y - multiple * STEP.hi, -(multiple * STEP.lo));
    let x = r.hi;
    let series = 1.0 / 2.0
        + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0 + x * (1.0 / 5040.0)))));
    let e = ordered_sum(x, x * x * series + (r.lo + x * r.lo));
    let e_upper = upper(e.hi);
    Parts { q: n >> 7, power: POWERS[n as usize % PARTS], e, e_upper, e_lower: (e.hi - e_upper) + e.lo }
}

/// exp(y) - 1 of `y` from 0 to 40, with a relative error of 2^-62 at most. It is greatest just below ln 2 / 256, where there
/// is no power to add to and y²/2 is a float beside `y`.
#[inline(always)]
pub(super) fn exp_m1(y: f64) -> Pair {
    let p = parts(y);
    let scale = power_of_two(p.q);
    let power = Pair { hi: p.power.hi * scale, lo: p.power.lo * scale };
    let s = ordered_sum(power.hi - 1.0, power.hi * p.e_upper);
    ordered_sum(s.hi, s.lo + (power.hi * p.e_lower + (power.lo + power.lo * p.e.hi)))
}

/// exp(y) / 2 of `y` from 1 to 1000, rounded: infinite where it overflows.
#[inline(always)]
pub(super) fn half_exp(y: f64) -> f64 {
    let p = parts(y);
    let s = ordered_sum(p.power.hi, p.power.hi * p.e_upper);
    let fraction = s.hi + (s.lo + (p.power.hi * p.e_lower + (p.power.lo + p.power.lo * p.e.hi)));
    // There is no float for 2^1024, so it takes two factors. Only the second product can overflow.
    fraction * power_of_two((p.q - 1).min(1023)) * power_of_two((p.q - 1 - 1023).max(0))
}
