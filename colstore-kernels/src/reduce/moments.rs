//! Number, mean, and sum of squared distances from the mean, from which variance follows.
//!
//! ```text
//! for each block, which stays in cache:   mean = sum of the values / n, as a float
//!                                         rest = sum of (value - mean) / n             what the float is off by
//!                                         m2   = sum of (value - mean)² - n rest²
//! two neighbours:                         d    = mean_b + rest_b - mean_a - rest_a
//!                                         mean = mean_a + d n_b / n, and the rest of that
//!                                         m2   = m2_a + m2_b + d² n_a n_b / n
//! ```
//!
//! Two passes over a block that is in cache cost as much memory traffic as one, and lose no digits to large means. With
//! the rest of a mean, blocks whose means differ by less than a float of that size tells apart are merged right too. The
//! formula for neighbours is that of Chan, Golub and LeVeque. As with sums, blocks are taken four abreast.

use super::stored::{Bool, Half, Real};
use super::sum::{ABREAST, block_sum, block_sums, block_sums_of};
use super::{BLOCK_ROWS, Number, Pairwise, canonical};
use crate::isa::{self, Isa};

/// What is known of the distribution of a run of values.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Moments {
    /// How many values there are.
    pub count: u64,
    /// Their mean; 0 if there are none.
    pub mean: f64,
    /// What has to be added to `mean`, which is rounded.
    pub rest: f64,
    /// The sum of their squared distances from the mean.
    pub m2: f64,
}

impl Moments {
    /// Those of this run and of the one behind it.
    #[must_use]
    pub fn merge(self, later: Moments) -> Moments {
        if self.count == 0 {
            return later;
        }
        if later.count == 0 {
            return self;
        }
        let count = self.count + later.count;
        let (a, b, n) = (self.count as f64, later.count as f64, count as f64);
        let distance = (later.mean - self.mean) + (later.rest - self.rest);
        let step = self.rest + distance * (b / n);
        let mean = self.mean + step;
        let m2 = self.m2 + later.m2 + distance * distance * (a * b / n);
        Moments {
            count,
            mean: canonical(mean),
            rest: canonical(step - (mean - self.mean)),
            m2: canonical(m2),
        }
    }

    /// The variance with `ddof` degrees of freedom taken off; NaN if none are left, or there are no values.
    #[must_use]
    pub fn variance(self, ddof: f64) -> f64 {
        let freedom = self.count as f64 - ddof;
        if freedom > 0.0 && self.count > 0 { self.m2 / freedom } else { f64::NAN }
    }
}

/// The moments of `rows` little-endian values, in float64. Times are taken for the integers they are.
///
/// # Safety
/// `src` is readable for `rows` values of `number`, at any alignment.
#[must_use]
pub unsafe fn moments(number: Number, src: *const u8, rows: usize) -> Moments {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { moments_isa(isa::active(), number, src, rows) }
}

/// Calls `each` with the moments of every block of [`BLOCK_ROWS`] values, in order; the last may have fewer.
///
/// Merged pairwise they are what [`moments`] gives, to the last bit.
///
/// # Safety
/// As [`moments`].
pub unsafe fn moments_blocks(number: Number, src: *const u8, rows: usize, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { moments_blocks_isa(isa::active(), number, src, rows, each) }
}

/// # Safety
/// As [`moments`], and `isa` is available.
pub(crate) unsafe fn moments_isa(isa: Isa, number: Number, src: *const u8, rows: usize) -> Moments {
    let mut blocks = Pairwise::new();
    let mut add = |moments| blocks.push(moments, Moments::merge);
    // SAFETY: the caller's promise, word for word.
    unsafe { moments_blocks_isa(isa, number, src, rows, &mut add) };
    blocks.finish(Moments::merge).unwrap_or_default()
}

/// # Safety
/// As [`moments`], and `isa` is available.
pub(crate) unsafe fn moments_blocks_isa(
    isa: Isa,
    number: Number,
    src: *const u8,
    rows: usize,
    each: &mut dyn FnMut(Moments),
) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; there is AVX-512 DQ, which turns 64-bit integers to floats.
        Isa::Avx512 => unsafe { avx512(number, src, rows, each) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx2 => unsafe { avx2(number, src, rows, each) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { any(number, src, rows, each) },
    }
}

/// # Safety
/// As [`moments`], and there is AVX-512 F, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
unsafe fn avx512(number: Number, src: *const u8, rows: usize, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise, word for word.
    unsafe { any(number, src, rows, each) }
}

/// # Safety
/// As [`moments`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(number: Number, src: *const u8, rows: usize, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise, word for word.
    unsafe { any(number, src, rows, each) }
}

/// Inlined into its callers, so that each has the loops in its own instruction set.
///
/// # Safety
/// As [`moments`].
#[inline(always)]
unsafe fn any(number: Number, src: *const u8, rows: usize, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise; each type has the width of the number it stands for.
    unsafe {
        match number {
            Number::Bool => blocks(src.cast::<Bool>(), rows, each),
            Number::I8 => blocks(src.cast::<i8>(), rows, each),
            Number::I16 => blocks(src.cast::<i16>(), rows, each),
            Number::I32 => blocks(src.cast::<i32>(), rows, each),
            Number::I64 | Number::Time => blocks(src.cast::<i64>(), rows, each),
            Number::U8 => blocks(src, rows, each),
            Number::U16 => blocks(src.cast::<u16>(), rows, each),
            Number::U32 => blocks(src.cast::<u32>(), rows, each),
            Number::U64 => blocks(src.cast::<u64>(), rows, each),
            Number::F16 => blocks(src.cast::<Half>(), rows, each),
            Number::F32 => blocks(src.cast::<f32>(), rows, each),
            Number::F64 => blocks(src.cast::<f64>(), rows, each),
        }
    }
}

/// # Safety
/// `src` is readable for `rows` values of type `V`, for which every bit pattern is valid.
#[inline(always)]
unsafe fn blocks<V: Real>(src: *const V, rows: usize, each: &mut dyn FnMut(Moments)) {
    let mut at = 0;
    while rows - at >= ABREAST * BLOCK_ROWS {
        // SAFETY: these blocks' values are among the `rows`.
        for sum in unsafe { block_sums(src.add(at)) } {
            // SAFETY: as above; the block's values are in the second-level cache by now.
            each(unsafe { around(sum, src.add(at), BLOCK_ROWS) });
            at += BLOCK_ROWS;
        }
    }
    for start in (at..rows).step_by(BLOCK_ROWS) {
        let n = BLOCK_ROWS.min(rows - start);
        // SAFETY: the block's values are among the `rows`.
        each(unsafe { around(block_sum(src.add(start), n), src.add(start), n) });
    }
}

/// The moments of a block of at least one value, of which the sum is known.
///
/// # Safety
/// As [`blocks`].
#[inline(always)]
unsafe fn around<V: Real>(sum: f64, src: *const V, rows: usize) -> Moments {
    let mean = sum / rows as f64;
    let distances = |value: f64| [value - mean, (value - mean) * (value - mean)];
    // SAFETY: the caller's promise.
    let [distance, square] = unsafe { block_sums_of(src, rows, distances) };
    let rest = distance / rows as f64;
    let m2 = square - distance * rest;
    Moments { count: rows as u64, mean: canonical(mean), rest: canonical(rest), m2: canonical(m2) }
}

#[cfg(test)]
#[path = "moments_tests.rs"]
mod tests;
