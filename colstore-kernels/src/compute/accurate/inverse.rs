//! arcsinh, arccosh, arctanh and log10.

use super::logarithm::ln;
use super::pair::{Pair, power_of_two, product, sum};
use super::{TINY, invalid, is_within, pole, tiny};

/// From here on `√(x² ± 1)` is `x ± 1/(2x)`, to 108 bits.
const LARGE: f64 = (1_u64 << 27) as f64;

/// Arguments are scaled by so many powers of two, away from the ends of what there are floats for.
const SCALE: i64 = 64;

/// 1 / ln 10, to 107 bits.
const PER_LN_10: Pair = Pair { hi: std::f64::consts::LOG10_E, lo: 1.098_319_650_216_765e-17 };

/// The inverse hyperbolic sine.
#[inline(never)]
pub(in crate::compute) fn arcsinh(x: f64) -> f64 {
    if !is_within(x, TINY, LARGE) {
        return arcsinh_beyond(x);
    }
    let size = x.abs();
    let root = product(size, size).plus(Pair::of(1.0)).sqrt();
    ln(root.plus(Pair::of(size)), 0).rounded().copysign(x)
}

#[cold]
#[inline(never)]
fn arcsinh_beyond(x: f64) -> f64 {
    if is_within(x, LARGE, f64::INFINITY) {
        large(x.abs(), 1.0).copysign(x)
    } else if is_within(x, f64::from_bits(1), TINY) {
        tiny(x)
    } else {
        // Zeros, infinities, NaN.
        x + x
    }
}

/// `ln(2 x ± 1 / (2 x))`, which is `ln(2 x) ± 1 / (4 x²)`, of `x` from [`LARGE`] on.
#[inline(always)]
fn large(x: f64, sign: f64) -> f64 {
    let near = ln(Pair::of(x * power_of_two(-SCALE)), SCALE + 1);
    // Where it has an effect, and where the square does not overflow.
    let x = x.min(power_of_two(60));
    near.hi + (near.lo + sign * 0.25 / (x * x))
}

/// The inverse hyperbolic cosine.
#[inline(never)]
pub(in crate::compute) fn arccosh(x: f64) -> f64 {
    // As integers without a sign, the bits of negative numbers are greater than those of others.
    if x.to_bits().wrapping_sub(1_f64.next_up().to_bits()) >= LARGE.to_bits() - 1_f64.next_up().to_bits() {
        return arccosh_beyond(x);
    }
    let root = sum(x, 1.0).times(Pair::of(x - 1.0)).sqrt();
    ln(root.plus(Pair::of(x)), 0).rounded()
}

#[cold]
#[inline(never)]
fn arccosh_beyond(x: f64) -> f64 {
    if x.is_nan() || x.to_bits() == f64::INFINITY.to_bits() {
        x + x
    } else if x.is_sign_negative() || is_within(x, 0.0, 1.0) {
        invalid()
    } else if x.to_bits() == 1_f64.to_bits() {
        0.0
    } else {
        large(x, -1.0)
    }
}

/// The inverse hyperbolic tangent.
#[inline(never)]
pub(in crate::compute) fn arctanh(x: f64) -> f64 {
    if !is_within(x, TINY, 1.0) {
        return arctanh_beyond(x);
    }
    let size = x.abs();
    let ratio = sum(1.0, size).over(sum(1.0, -size));
    (0.5 * ln(ratio, 0).rounded()).copysign(x)
}

#[cold]
#[inline(never)]
fn arctanh_beyond(x: f64) -> f64 {
    if x.is_nan() {
        x + x
    } else if is_within(x, 0.0, TINY) {
        tiny(x)
    } else if x.abs().to_bits() == 1_f64.to_bits() {
        pole(x)
    } else {
        invalid()
    }
}

/// The decimal logarithm.
#[inline(never)]
pub(in crate::compute) fn log10(x: f64) -> f64 {
    // Positive, and finite: zero becomes the greatest number there is.
    if x.to_bits().wrapping_sub(1) >= f64::INFINITY.to_bits() - 1 {
        return log10_beyond(x);
    }
    let k = if x.to_bits() < 1_f64.to_bits() { -SCALE } else { SCALE };
    ln(Pair::of(x * power_of_two(-k)), k).times(PER_LN_10).rounded()
}

#[cold]
#[inline(never)]
fn log10_beyond(x: f64) -> f64 {
    if x.is_nan() || x.to_bits() == f64::INFINITY.to_bits() {
        x + x
    } else if x.abs().to_bits() == 0 {
        pole(-1.0)
    } else {
        invalid()
    }
}
