//! sinh, cosh and tanh.

use super::exponential::{exp_m1, half_exp};
use super::pair::Pair;
use super::{TINY, is_within, tiny};

/// From here on the smaller of the two exponentials is less than 2^-92 of the greater.
const ONE_SIDED: f64 = 32.0;
/// Above 710.48 both are infinite.
const END: f64 = 711.0;
/// From here on (indeed from 19.07) the nearest float is 1.
const TANH_ONE: f64 = 20.0;

/// The hyperbolic sine.
#[inline(never)]
pub(in crate::compute) fn sinh(x: f64) -> f64 {
    if !is_within(x, TINY, ONE_SIDED) {
        return sinh_beyond(x);
    }
    let m = exp_m1(x.abs());
    let sum = m.plus(m.over(m.plus(Pair::of(1.0))));
    (0.5 * sum.rounded()).copysign(x)
}

#[cold]
#[inline(never)]
fn sinh_beyond(x: f64) -> f64 {
    if is_within(x, ONE_SIDED, END) {
        half_exp(x.abs()).copysign(x)
    } else if is_within(x, END, f64::INFINITY) {
        overflown(x)
    } else if is_within(x, f64::from_bits(1), TINY) {
        tiny(x)
    } else {
        // Zeros, infinities, NaN.
        x + x
    }
}

/// Infinity, of a finite `x` that is large.
#[cold]
#[inline(never)]
fn overflown(x: f64) -> f64 {
    x * f64::MAX
}

/// The hyperbolic cosine.
#[inline(never)]
pub(in crate::compute) fn cosh(x: f64) -> f64 {
    if !is_within(x, TINY, ONE_SIDED) {
        return cosh_beyond(x);
    }
    let exp = exp_m1(x.abs()).plus(Pair::of(1.0));
    0.5 * exp.plus(Pair::of(1.0).over(exp)).rounded()
}

#[cold]
#[inline(never)]
fn cosh_beyond(x: f64) -> f64 {
    if is_within(x, ONE_SIDED, END) {
        half_exp(x.abs())
    } else if is_within(x, END, f64::INFINITY) {
        overflown(x.abs())
    } else if is_within(x, 0.0, TINY) {
        1.0
    } else {
        // Infinities, NaN.
        x * x
    }
}

/// The hyperbolic tangent.
#[inline(never)]
pub(in crate::compute) fn tanh(x: f64) -> f64 {
    if !is_within(x, TINY, TANH_ONE) {
        return tanh_beyond(x);
    }
    let m = exp_m1(2.0 * x.abs());
    m.over(m.plus(Pair::of(2.0))).rounded().copysign(x)
}

#[cold]
#[inline(never)]
fn tanh_beyond(x: f64) -> f64 {
    if is_within(x, TANH_ONE, f64::INFINITY) || x.is_infinite() {
        1_f64.copysign(x)
    } else if is_within(x, f64::from_bits(1), TINY) {
        tiny(x)
    } else {
        // Zeros, NaN.
        x + x
    }
}
