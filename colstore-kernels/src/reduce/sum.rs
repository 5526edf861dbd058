//! Sums.
//!
//! ```text
//! float     for each block: lanes[i % LANES] += value i, as float64; fold the lanes     blocks pairwise
//! integer   for each block: the same in lanes as wide as the block's sum needs; fold     blocks in any order
//! exact     as integer, of the upper and of the lower half of 64-bit values apart
//! ```
//!
//! Floats are taken four blocks abreast ([`Blocks`]), which gives the same bits.

use super::blocks::{Reduce, Whole};
use super::stored::{Bool, Half, Real};
use super::{BLOCK_ROWS, Blocks, LANES, Number, Pairwise, canonical, fold};
use crate::isa::{self, Isa};
use crate::prefetch::{PAGE, next_page};
use std::marker::PhantomData;

/// Bytes of the next page that are asked for, in time.
const NEXT: usize = 512;

/// The sum of a run of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sum {
    /// Of booleans, signed integers and times: modulo 2^64.
    Int(i64),
    /// Of unsigned integers: modulo 2^64.
    Uint(u64),
    /// Of floats: each step in float64.
    Float(f64),
}

/// The sum of `rows` little-endian values; zero if there are none.
///
/// # Safety
/// `src` is readable for `rows` values of `number`, at any alignment.
#[must_use]
pub unsafe fn sum(number: Number, src: *const u8, rows: usize) -> Sum {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { sum_isa(isa::active(), number, src, rows) }
}

/// Calls `each` with the sum of every block of values, in order; of integers, with those of any pieces.
///
/// Merged pairwise they are what [`sum`] gives, to the last bit.
///
/// # Safety
/// Each block is readable for its values of `number`.
pub unsafe fn sum_blocks(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Sum)) {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { sum_blocks_isa(isa::active(), number, blocks, each) }
}

/// The sum of `rows` little-endian integers, which cannot overflow; `None` for floats.
///
/// # Safety
/// As [`sum`].
#[must_use]
pub unsafe fn exact_sum(number: Number, src: *const u8, rows: usize) -> Option<i128> {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { exact_sum_isa(isa::active(), number, src, rows) }
}

/// # Safety
/// As [`sum`], and `isa` is available.
pub(crate) unsafe fn sum_isa(isa: Isa, number: Number, src: *const u8, rows: usize) -> Sum {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx512 => unsafe { sum_avx512(number, src, rows) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx2 => unsafe { sum_avx2(number, src, rows) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { sum_any(number, src, rows) },
    }
}

/// # Safety
/// As [`sum_blocks`], and `isa` is available.
pub(crate) unsafe fn sum_blocks_isa(isa: Isa, number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Sum)) {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx512 => unsafe { blocks_avx512(number, blocks, each) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Isa::Avx2 => unsafe { blocks_avx2(number, blocks, each) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { blocks_any(number, blocks, each) },
    }
}

/// # Safety
/// As [`sum`], and `isa` is available.
pub(crate) unsafe fn exact_sum_isa(isa: Isa, number: Number, src: *const u8, rows: usize) -> Option<i128> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; both sets contain AVX2.
        Isa::Avx2 | Isa::Avx512 => unsafe { exact_avx2(number, src, rows) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { exact_any(number, src, rows) },
    }
}

/// # Safety
/// As [`sum`], and there is AVX-512 F and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
unsafe fn sum_avx512(number: Number, src: *const u8, rows: usize) -> Sum {
    // SAFETY: the caller's promise, word for word.
    unsafe { sum_any(number, src, rows) }
}

/// # Safety
/// As [`sum`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn sum_avx2(number: Number, src: *const u8, rows: usize) -> Sum {
    // SAFETY: the caller's promise, word for word.
    unsafe { sum_any(number, src, rows) }
}

/// # Safety
/// As [`sum_blocks`], and there is AVX-512 F and VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
unsafe fn blocks_avx512(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Sum)) {
    // SAFETY: the caller's promise, word for word.
    unsafe { blocks_any(number, blocks, each) }
}

/// # Safety
/// As [`sum_blocks`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn blocks_avx2(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Sum)) {
    // SAFETY: the caller's promise, word for word.
    unsafe { blocks_any(number, blocks, each) }
}

/// # Safety
/// As [`sum`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn exact_avx2(number: Number, src: *const u8, rows: usize) -> Option<i128> {
    // SAFETY: the caller's promise, word for word.
    unsafe { exact_any(number, src, rows) }
}

/// Inlined into its callers, so that each has the loops in its own instruction set.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
unsafe fn sum_any(number: Number, src: *const u8, rows: usize) -> Sum {
    // SAFETY: the caller's promise; each type has the width of the number it stands for.
    unsafe {
        match number {
            Number::Bool => Sum::Int(integers::<Bool, 64>(src, rows).cast_signed()),
            Number::I8 => Sum::Int(integers::<i8, 64>(src, rows).cast_signed()),
            Number::I16 => Sum::Int(integers::<i16, 32>(src, rows).cast_signed()),
            Number::I32 => Sum::Int(integers::<i32, 16>(src, rows).cast_signed()),
            Number::I64 | Number::Time => Sum::Int(integers::<i64, 16>(src, rows).cast_signed()),
            Number::U8 => Sum::Uint(integers::<u8, 64>(src, rows)),
            Number::U16 => Sum::Uint(integers::<u16, 32>(src, rows)),
            Number::U32 => Sum::Uint(integers::<u32, 16>(src, rows)),
            Number::U64 => Sum::Uint(integers::<u64, 16>(src, rows)),
            Number::F16 => Sum::Float(floats::<Half>(src, rows)),
            Number::F32 => Sum::Float(floats::<f32>(src, rows)),
            Number::F64 => Sum::Float(floats::<f64>(src, rows)),
        }
    }
}

/// # Safety
/// As [`sum`].
#[inline(always)]
unsafe fn exact_any(number: Number, src: *const u8, rows: usize) -> Option<i128> {
    if matches!(number, Number::F16 | Number::F32 | Number::F64) {
        return None;
    }
    let (mut at, mut total) = (src, 0);
    let mut left = rows;
    while left > 0 {
        // Short enough for no sum of 32-bit values to overflow 64 bits.
        let n = left.min(1 << 30);
        // SAFETY: the values of this stretch are among the caller's; each type has the width of its number.
        total += unsafe {
            match number {
                Number::I64 | Number::Time => {
                    (i128::from(integers::<Upper, 16>(at, n).cast_signed()) << 32)
                        + i128::from(integers::<Lower, 16>(at, n))
                }
                Number::U64 => {
                    (i128::from(integers::<UpperUnsigned, 16>(at, n)) << 32)
                        + i128::from(integers::<Lower, 16>(at, n))
                }
                _ => match sum_any(number, at, n) {
                    Sum::Int(sum) => i128::from(sum),
                    Sum::Uint(sum) => i128::from(sum),
                    Sum::Float(_) => return None,
                },
            }
        };
        at = at.wrapping_add(n * number.width());
        left -= n;
    }
    Some(total)
}

/// Inlined into its callers, so that each has the loops in its own instruction set.
///
/// # Safety
/// As [`sum_blocks`].
#[inline(always)]
unsafe fn blocks_any(number: Number, blocks: Blocks<'_>, each: &mut dyn FnMut(Sum)) {
    let mut float = |sum| each(Sum::Float(canonical(sum)));
    // SAFETY: the caller's promise; each type has the width of the number it stands for.
    unsafe {
        match number {
            Number::F16 => float_blocks::<Half>(blocks, &mut float),
            Number::F32 => float_blocks::<f32>(blocks, &mut float),
            Number::F64 => float_blocks::<f64>(blocks, &mut float),
            // The same in whatever pieces.
            _ => blocks.stretches(number.width()).for_each(|(src, rows)| each(sum_any(number, src, rows))),
        }
    }
}

/// # Safety
/// `src` is readable for `rows` values of type `V`, for which every bit pattern is valid.
#[inline(always)]
unsafe fn floats<V: Real>(src: *const u8, rows: usize) -> f64 {
    if rows <= BLOCK_ROWS {
        // SAFETY: the caller's promise.
        return canonical(unsafe { block_sum(src.cast::<V>(), rows) });
    }
    let mut sums = Pairwise::new();
    let add = |a, b| a + b;
    Blocks::side_by_side(src, rows, size_of::<V>(), |blocks| {
        // SAFETY: the caller's promise.
        unsafe { float_blocks::<V>(blocks, &mut |sum| sums.push(sum, add)) };
    });
    canonical(sums.finish(add).unwrap_or(0.0))
}

/// # Safety
/// As [`sum_blocks`], for values of type `V`, for which every bit pattern is valid.
#[inline(always)]
unsafe fn float_blocks<V: Real>(blocks: Blocks<'_>, each: &mut dyn FnMut(f64)) {
    // SAFETY: the caller's promise.
    unsafe { blocks.abreast::<FloatSum<V>>(each) };
}

/// Sums of blocks.
struct FloatSum<V>(PhantomData<V>);

impl<V: Real> Reduce for FloatSum<V> {
    type Value = V;
    type Result = f64;

    #[inline(always)]
    unsafe fn whole<const N: usize>(blocks: Whole<'_, V, N>) -> [f64; N] {
        // SAFETY: the caller's promise.
        unsafe { block_sums(blocks) }
    }

    #[inline(always)]
    unsafe fn short(values: *const V, rows: usize) -> f64 {
        // SAFETY: the caller's promise.
        unsafe { block_sum(values, rows) }
    }
}

/// The sum of at most [`BLOCK_ROWS`] values.
///
/// # Safety
/// `src` is readable for `rows` values, for which every bit pattern is valid.
#[inline(always)]
pub(super) unsafe fn block_sum<V: Real>(src: *const V, rows: usize) -> f64 {
    // SAFETY: the caller's promise.
    let [sum] = unsafe { block_sums_of(src, rows, |value| [value]) };
    sum
}

/// The sums of whole blocks: to the last bit those of [`block_sum`].
///
/// # Safety
/// As [`block_sum`], for the values of each.
#[inline(always)]
unsafe fn block_sums<V: Real, const N: usize>(mut blocks: Whole<'_, V, N>) -> [f64; N] {
    let mut lanes = [[0.0; LANES]; N];
    let mut at = 0;
    while let Some((end, blocks)) = blocks.span(at) {
        while at < end {
            for block in &blocks {
                next_page(block.wrapping_add(at).cast(), NEXT);
            }
            let stop = end.min(at + PAGE / size_of::<V>());
            while at < stop {
                for (block, lanes) in blocks.iter().zip(&mut lanes) {
                    // SAFETY: the blocks have these rows; the read needs no alignment.
                    let values = unsafe { block.wrapping_add(at).cast::<[V; LANES]>().read_unaligned() };
                    for lane in 0..LANES {
                        lanes[lane] += values[lane].real();
                    }
                }
                at += LANES;
            }
        }
    }
    lanes.map(fold)
}

/// The sums of what each of several functions makes of at most [`BLOCK_ROWS`] values.
///
/// # Safety
/// As [`block_sum`].
#[inline(always)]
pub(super) unsafe fn block_sums_of<V: Real, const N: usize>(
    src: *const V,
    rows: usize,
    f: impl Fn(f64) -> [f64; N],
) -> [f64; N] {
    let mut lanes = [[0.0; LANES]; N];
    let whole = rows / LANES * LANES;
    for at in (0..whole).step_by(LANES) {
        // SAFETY: `at + LANES` is at most `rows`; the read needs no alignment.
        let values = unsafe { src.add(at).cast::<[V; LANES]>().read_unaligned() };
        for lane in 0..LANES {
            let made = f(values[lane].real());
            for n in 0..N {
                lanes[n][lane] += made[n];
            }
        }
    }
    let mut rest = [[0.0; LANES]; N];
    for at in whole..rows {
        // SAFETY: `at` is below `rows`; the read needs no alignment.
        let made = f(unsafe { src.add(at).read_unaligned() }.real());
        for n in 0..N {
            rest[n][at - whole] = made[n];
        }
    }
    for n in 0..N {
        for lane in 0..LANES {
            lanes[n][lane] += rest[n][lane];
        }
    }
    lanes.map(fold)
}

/// An integer, and lanes that hold the sum of a block of them.
trait Integer: Copy {
    type Lane: Copy;
    const ZERO: Self::Lane;
    fn add(lane: Self::Lane, value: Self) -> Self::Lane;
    /// The lane's sum modulo 2^64.
    fn widen(lane: Self::Lane) -> u64;
}

/// Values a lane may take in before it is folded: no sum of that many 16-bit values overflows 32 bits.
const STEPS: usize = 1 << 15;

/// The sum of integers modulo 2^64.
///
/// # Safety
/// `src` is readable for `rows` values of type `V`, for which every bit pattern is valid.
#[inline(always)]
unsafe fn integers<V: Integer, const LANES: usize>(src: *const u8, rows: usize) -> u64 {
    let src = src.cast::<V>();
    let mut total = 0_u64;
    let mut at = 0;
    while rows - at >= LANES {
        let mut lanes = [V::ZERO; LANES];
        let end = at + ((rows - at) / LANES).min(STEPS) * LANES;
        while at < end {
            // SAFETY: `at + LANES` is at most `end`, and that at most `rows`; the read needs no alignment.
            let values = unsafe { src.add(at).cast::<[V; LANES]>().read_unaligned() };
            for lane in 0..LANES {
                lanes[lane] = V::add(lanes[lane], values[lane]);
            }
            at += LANES;
        }
        total = lanes.into_iter().fold(total, |total, lane| total.wrapping_add(V::widen(lane)));
    }
    while at < rows {
        // SAFETY: `at` is below `rows`; the read needs no alignment.
        let value = unsafe { src.add(at).read_unaligned() };
        total = total.wrapping_add(V::widen(V::add(V::ZERO, value)));
        at += 1;
    }
    total
}

macro_rules! integer {
    ($($type:ty, $lane:ty, $value:ident => $expression:expr;)*) => {$(
        impl Integer for $type {
            type Lane = $lane;
            const ZERO: $lane = 0;

            #[inline(always)]
            fn add(lane: $lane, $value: $type) -> $lane {
                lane.wrapping_add(<$lane>::from($expression))
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "sign extension for some of the types, nothing for others")]
            fn widen(lane: $lane) -> u64 {
                lane as u64
            }
        }
    )*};
}

/// A 64-bit integer of which the upper half counts, signed or not, or the lower.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Upper(i64);
#[derive(Clone, Copy)]
#[repr(transparent)]
struct UpperUnsigned(u64);
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Lower(u64);

integer! {
    Bool, u32, value => value.get();
    i8, i32, value => value;
    i16, i32, value => i16::from_le(value);
    i32, i64, value => i32::from_le(value);
    i64, i64, value => i64::from_le(value);
    u8, u32, value => value;
    u16, u32, value => u16::from_le(value);
    u32, u64, value => u32::from_le(value);
    u64, u64, value => u64::from_le(value);
    Upper, i64, value => i64::from_le(value.0) >> 32;
    UpperUnsigned, u64, value => u64::from_le(value.0) >> 32;
    Lower, u64, value => u64::from_le(value.0) & 0xffff_ffff;
}

#[cfg(test)]
#[path = "sum_tests.rs"]
pub(super) mod tests;
