//! Number, mean, and sum of squared distances from the mean, from which variance follows.
//!
//! ```text
//! for each block, which stays in cache:   mean = sum of the values / n
//!                                         m2   = sum of (value - mean)²
//! two neighbours:                         d    = mean_b - mean_a
//!                                         mean = mean_a + d n_b / n
//!                                         m2   = m2_a + m2_b + d² n_a n_b / n
//! ```
//!
//! Two passes over a block that is in cache cost as much memory traffic as one, and lose no digits to large means.
//! The formula for neighbours is that of Chan, Golub and LeVeque.

use super::stored::{Bool, Half, Real};
use super::sum::{ABREAST, block_sum, block_sum_of, block_sums};
use super::{BLOCK_ROWS, Number, Pairwise, canonical};
use crate::isa::{self, Isa};

/// What is known of the distribution of a run of values.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Moments {
    /// How many values there are.
    pub count: u64,
    /// Their mean; 0 if there are none.
    pub mean: f64,
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
        let distance = later.mean - self.mean;
        let mean = self.mean + distance * (b / n);
        let m2 = self.m2 + later.m2 + distance * distance * (a * b / n);
        Moments { count, mean: canonical(mean), m2: canonical(m2) }
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

/// # Safety
/// As [`moments`], and `isa` is available.
pub(crate) unsafe fn moments_isa(isa: Isa, number: Number, src: *const u8, rows: usize) -> Moments {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; there is AVX-512 DQ, which turns 64-bit integers to floats.
        Isa::Avx512 => unsafe { avx512(number, src, rows) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx2 => unsafe { avx2(number, src, rows) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { any(number, src, rows) },
    }
}

/// # Safety
/// As [`moments`], and there is AVX-512 F, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
unsafe fn avx512(number: Number, src: *const u8, rows: usize) -> Moments {
    // SAFETY: the caller's promise, word for word.
    unsafe { any(number, src, rows) }
}

/// # Safety
/// As [`moments`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(number: Number, src: *const u8, rows: usize) -> Moments {
    // SAFETY: the caller's promise, word for word.
    unsafe { any(number, src, rows) }
}

/// Inlined into its callers, so that each has the loops in its own instruction set.
///
/// # Safety
/// As [`moments`].
#[inline(always)]
unsafe fn any(number: Number, src: *const u8, rows: usize) -> Moments {
    // SAFETY: the caller's promise; each type has the width of the number it stands for.
    unsafe {
        match number {
            Number::Bool => reduce::<Bool>(src, rows),
            Number::I8 => reduce::<i8>(src, rows),
            Number::I16 => reduce::<i16>(src, rows),
            Number::I32 => reduce::<i32>(src, rows),
            Number::I64 | Number::Time => reduce::<i64>(src, rows),
            Number::U8 => reduce::<u8>(src, rows),
            Number::U16 => reduce::<u16>(src, rows),
            Number::U32 => reduce::<u32>(src, rows),
            Number::U64 => reduce::<u64>(src, rows),
            Number::F16 => reduce::<Half>(src, rows),
            Number::F32 => reduce::<f32>(src, rows),
            Number::F64 => reduce::<f64>(src, rows),
        }
    }
}

/// # Safety
/// `src` is readable for `rows` values of type `V`, for which every bit pattern is valid.
#[inline(always)]
unsafe fn reduce<V: Real>(src: *const u8, rows: usize) -> Moments {
    let src = src.cast::<V>();
    if rows <= BLOCK_ROWS {
        // SAFETY: the caller's promise.
        return unsafe { block(src, rows) };
    }
    let mut blocks = Pairwise::new();
    let mut at = 0;
    while rows - at >= ABREAST * BLOCK_ROWS {
        // SAFETY: these blocks' values are among the `rows`.
        let sums = unsafe { block_sums(src.add(at)) };
        for sum in sums {
            // SAFETY: as above; the block's values are in the second-level cache by now.
            blocks.push(unsafe { around(sum, src.add(at), BLOCK_ROWS) }, Moments::merge);
            at += BLOCK_ROWS;
        }
    }
    for start in (at..rows).step_by(BLOCK_ROWS) {
        // SAFETY: the block's values are among the `rows`.
        blocks.push(unsafe { block(src.add(start), BLOCK_ROWS.min(rows - start)) }, Moments::merge);
    }
    blocks.finish(Moments::merge).unwrap_or_default()
}

/// # Safety
/// As [`reduce`].
#[inline(always)]
unsafe fn block<V: Real>(src: *const V, rows: usize) -> Moments {
    if rows == 0 {
        return Moments::default();
    }
    // SAFETY: the caller's promise.
    unsafe { around(block_sum(src, rows), src, rows) }
}

/// The moments of a block of at least one value, of which the sum is known.
///
/// # Safety
/// As [`reduce`].
#[inline(always)]
unsafe fn around<V: Real>(sum: f64, src: *const V, rows: usize) -> Moments {
    let mean = sum / rows as f64;
    // SAFETY: the caller's promise.
    let m2 = unsafe { block_sum_of(src, rows, |value| (value - mean) * (value - mean)) };
    Moments { count: rows as u64, mean: canonical(mean), m2: canonical(m2) }
}

#[cfg(test)]
#[path = "moments_tests.rs"]
mod tests;
