//! Seven functions of float64, within 0.51 units in the last place of the true value.
//!
//! ```text
//! sinh x    = (m + m / (m + 1)) / 2      m = exp(|x|) - 1
//! cosh x    = (m + 1 + 1 / (m + 1)) / 2
//! tanh x    = m / (m + 2)                m = exp(2 |x|) - 1
//! arcsinh x = ln(|x| + √(x² + 1))
//! arccosh x = ln(x + √((x - 1) (x + 1)))
//! arctanh x = ln((1 + |x|) / (1 - |x|)) / 2
//! log10 x   = ln x / ln 10
//! ```
//!
//! with the sign of `x` where that is left out. The right-hand sides are computed with some 65 bits or more, as sums of two
//! floats, and rounded once.
//!
//! | module | what it does |
//! |---|---|
//! | `pair` | arithmetic with sums of two floats |
//! | `exponential`, `logarithm` | exp - 1 and ln of such |
//! | `hyperbolic`, `inverse` | the functions above, their special values and limits |
//!
//! Only what IEEE 754 defines to the bit is used: the four operations and the square root. So results have the same bits
//! on every processor and beside every C library.
//!
//! The processor's flags are part of the result ([`Flags`](super::Flags)): invalid, divide, overflow and underflow are raised
//! where the C library raises them. Therefore arguments that are special are told by their bits, before any arithmetic, and
//! are left to functions of their own that are not inlined: a compiler that made one block of several branches could raise
//! a flag for a branch that is not taken.

mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod pair;

#[cfg(test)]
mod tests;

pub(super) use hyperbolic::{cosh, sinh, tanh};
pub(super) use inverse::{arccosh, arcsinh, arctanh, log10};

/// Up to 2^-40, the odd functions are their argument, to 80 bits.
const TINY: f64 = 1.0 / (1_u64 << 40) as f64;

/// Whether the absolute value is at least `low` and less than `high`, neither of which is negative; NaN is not.
#[inline(always)]
const fn is_within(x: f64, low: f64, high: f64) -> bool {
    let size = x.abs().to_bits();
    size.wrapping_sub(low.to_bits()) < high.to_bits() - low.to_bits()
}

/// The value of an odd function up to [`TINY`], which is inexact where it is subnormal.
#[cold]
#[inline(never)]
fn tiny(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE { underflown(x) } else { x }
}

/// A subnormal as it is, or a zero.
#[cold]
#[inline(never)]
fn underflown(x: f64) -> f64 {
    // The product is less than half of the least float, and has the sign of a zero.
    x + x * TINY * TINY
}

/// NaN where there was none.
#[cold]
#[inline(never)]
fn invalid() -> f64 {
    // What it knows, the compiler would divide itself, and nothing would be raised.
    0.0 / std::hint::black_box(0.0_f64)
}

/// Infinity, of a finite `x` that is not zero.
#[cold]
#[inline(never)]
fn pole(x: f64) -> f64 {
    x / std::hint::black_box(0.0_f64)
}
