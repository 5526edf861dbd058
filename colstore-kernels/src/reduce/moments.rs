//! Number, mean, and sum of squared distances from the mean, from which variance follows.
//!
//! ```text
//! for each block:   pivot = mean of its first values
//!                   a     = sum of (value - pivot)         b = sum of (value - pivot)²
//!                   mean  = pivot + a / n, as a float, and what that is off by
//!                   m2    = b - a² / n
//! two neighbours:   d     = mean_b + rest_b - mean_a - rest_a
//!                   mean  = mean_a + d n_b / n, and the rest of that
//!                   m2    = m2_a + m2_b + d² n_a n_b / n
//! ```
//!
//! A pivot among the values, or near them, is what keeps their digits in one pass: of m2 at most the factor
//! 1 + (mean - pivot)² / variance is lost, which is 128 for the worst of blocks and 1.06 for values in no order. With the
//! rest of a mean, blocks whose means differ by less than a float of that size tells apart are merged right too. The
//! formula for neighbours is that of Chan, Golub and LeVeque.
//!
//! The last, short block, and one in which a square overflows, are passed over twice: once for the mean, then around it.
//! As with sums, blocks are taken four abreast ([`Blocks`]).

use super::blocks::{Reduce, Whole};
use super::stored::{Bool, Half, Real};
use super::sum::{block_sum, block_sums_of};
use super::{BLOCK_ROWS, Blocks, LANES, Number, Pairwise, canonical, fold};
use crate::isa::{self, Isa};
use crate::prefetch::{PAGE, next_page};
use std::marker::PhantomData;

/// Bytes of the next page that are asked for, in time.
const NEXT: usize = 256;

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

/// Calls `each` with the moments of every block of values, in order.
///
/// Merged pairwise they are what [`moments`] gives, to the last bit.
///
/// # Safety
/// Each block is readable for its values of `number`.
pub unsafe fn moments_blocks(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { moments_blocks_isa(isa::active(), number, blocks, each) }
}

/// # Safety
/// As [`moments`], and `isa` is available.
pub(crate) unsafe fn moments_isa(isa: Isa, number: Number, src: *const u8, rows: usize) -> Moments {
    let mut all = Pairwise::new();
    Blocks::side_by_side(src, rows, number.width(), |blocks| {
        // SAFETY: the caller's promise.
        unsafe { moments_blocks_isa(isa, number, blocks, &mut |moments| all.push(moments, Moments::merge)) };
    });
    all.finish(Moments::merge).unwrap_or_default()
}

/// # Safety
/// As [`moments_blocks`], and `isa` is available.
pub(crate) unsafe fn moments_blocks_isa(
    isa: Isa,
    number: Number,
    blocks: Blocks<'_>,
    each: &mut dyn FnMut(Moments),
) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; there is AVX-512 DQ, which turns 64-bit integers to floats.
        Isa::Avx512 => unsafe { avx512(number, blocks, each) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx2 => unsafe { avx2(number, blocks, each) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { any(number, blocks, each) },
    }
}

/// # Safety
/// As [`moments_blocks`], and there is AVX-512 F, DQ and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
unsafe fn avx512(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise, word for word.
    unsafe { any(number, blocks, each) }
}

/// # Safety
/// As [`moments_blocks`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise, word for word.
    unsafe { any(number, blocks, each) }
}

/// Inlined into its callers, so that each has the loops in its own instruction set.
///
/// # Safety
/// As [`moments_blocks`].
#[inline(always)]
unsafe fn any(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise; each type has the width of the number it stands for.
    unsafe {
        match number {
            Number::Bool => of_blocks::<Bool>(blocks, each),
            Number::I8 => of_blocks::<i8>(blocks, each),
            Number::I16 => of_blocks::<i16>(blocks, each),
            Number::I32 => of_blocks::<i32>(blocks, each),
            Number::I64 | Number::Time => of_blocks::<i64>(blocks, each),
            Number::U8 => of_blocks::<u8>(blocks, each),
            Number::U16 => of_blocks::<u16>(blocks, each),
            Number::U32 => of_blocks::<u32>(blocks, each),
            Number::U64 => of_blocks::<u64>(blocks, each),
            Number::F16 => of_blocks::<Half>(blocks, each),
            Number::F32 => of_blocks::<f32>(blocks, each),
            Number::F64 => of_blocks::<f64>(blocks, each),
        }
    }
}

/// # Safety
/// As [`moments_blocks`], for values of type `V`, for which every bit pattern is valid.
#[inline(always)]
unsafe fn of_blocks<V: Real>(blocks: Blocks<'_>, each: &mut dyn FnMut(Moments)) {
    // SAFETY: the caller's promise.
    unsafe { blocks.abreast::<BlockMoments<V>>(each) };
}

/// Moments of blocks.
struct BlockMoments<V>(PhantomData<V>);

impl<V: Real> Reduce for BlockMoments<V> {
    type Value = V;
    type Result = Moments;

    #[inline(always)]
    unsafe fn whole<const N: usize>(blocks: Whole<'_, V, N>) -> [Moments; N] {
        // SAFETY: the caller's promise.
        unsafe { whole(blocks) }
    }

    #[inline(always)]
    unsafe fn short(values: *const V, rows: usize) -> Moments {
        // SAFETY: the caller's promise.
        unsafe { twice(values, rows) }
    }
}

/// The moments of whole blocks.
///
/// # Safety
/// As [`of_blocks`], for the values of each.
#[inline(always)]
unsafe fn whole<V: Real, const N: usize>(blocks: Whole<'_, V, N>) -> [Moments; N] {
    // SAFETY: the caller's promise.
    let pivots = blocks.heads().map(|block| unsafe { pivot(block) });
    let (mut first, mut second) = ([[0.0; LANES]; N], [[0.0; LANES]; N]);
    let (mut at, mut walk) = (0, blocks);
    while let Some((end, blocks)) = walk.span(at) {
        while at < end {
            for block in &blocks {
                next_page(block.wrapping_add(at).cast(), NEXT);
            }
            let stop = end.min(at + PAGE / size_of::<V>());
            while at < stop {
                for n in 0..N {
                    // SAFETY: the blocks have these rows; the read needs no alignment.
                    let values = unsafe { blocks[n].wrapping_add(at).cast::<[V; LANES]>().read_unaligned() };
                    for lane in 0..LANES {
                        let distance = values[lane].real() - pivots[n];
                        first[n][lane] += distance;
                        second[n][lane] += distance * distance;
                    }
                }
                at += LANES;
            }
        }
    }
    std::array::from_fn(|n| {
        let (first, second) = (fold(first[n]), fold(second[n]));
        let step = first / BLOCK_ROWS as f64;
        let mean = pivots[n] + step;
        let m2 = second - first * step;
        if !m2.is_finite() {
            // SAFETY: the caller's promise.
            return unsafe { twice(blocks.together(n).as_ptr(), BLOCK_ROWS) };
        }
        let rest = step - (mean - pivots[n]);
        // Rounding takes the sum of equal squares a little below zero.
        Moments { count: BLOCK_ROWS as u64, mean, rest, m2: m2.max(0.0) }
    })
}

/// A value near the mean, as far as the first values of a whole block tell.
///
/// # Safety
/// `block` is readable for [`LANES`] values.
#[inline(always)]
unsafe fn pivot<V: Real>(block: *const V) -> f64 {
    // SAFETY: the caller's promise; the read needs no alignment.
    let values = unsafe { block.cast::<[V; LANES]>().read_unaligned() };
    fold(values.map(Real::real)) / LANES as f64
}

/// The moments of at least one and at most [`BLOCK_ROWS`] values, in two passes.
///
/// # Safety
/// `src` is readable for `rows` values, for which every bit pattern is valid.
#[cold]
unsafe fn twice<V: Real>(src: *const V, rows: usize) -> Moments {
    // SAFETY: the caller's promise.
    let mean = unsafe { block_sum(src, rows) } / rows as f64;
    let distances = |value: f64| [value - mean, (value - mean) * (value - mean)];
    // SAFETY: the caller's promise.
    let [distance, square] = unsafe { block_sums_of(src, rows, distances) };
    let rest = distance / rows as f64;
    // Where squares overflow, the product may do so as well.
    let m2 = if square == f64::INFINITY { square } else { square - distance * rest };
    Moments { count: rows as u64, mean: canonical(mean), rest: canonical(rest), m2: canonical(m2) }
}

#[cfg(test)]
#[path = "moments_tests.rs"]
mod tests;
