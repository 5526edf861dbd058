//! Least and greatest value of a column.
//!
//! ```text
//! min, max = first value
//! for each value: if it is NaN, infinite or no time: there is no answer
//!                 if value <= min: min = value
//!                 if value >= max: max = value
//! ```
//!
//! `<=` and `>=` rather than `<` and `>` matter for one thing: zeros of either sign are equal, and the last one is
//! the answer.
//!
//! The fast version compares integers, whatever the values are: a loop that takes the least and the greatest of
//! integers and has no other way out becomes vectors. Each value has a *key* of its own width, in the order of the
//! values (see [`Float`]). The keys settle the rest, too:
//!
//! - *No answer.* NaN and infinity have keys beyond those of all numbers, and "not a time" is the least integer. If
//!   one is there, it is an extreme; only the two extremes are looked at, once a block.
//! - *The sign of zero.* The key of -0 is right below that of +0. So a least value of +0, or a greatest of -0, was
//!   the only zero. Otherwise zeros of both signs may be there, and the column is searched for one from its end. So
//!   memory is passed at most twice.

use super::Number;
use crate::isa::{self, Isa};

/// The least and the greatest value, little-endian, in the first [`Number::width`] bytes; the others are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinMax {
    /// The least value.
    pub min: [u8; 8],
    /// The greatest value.
    pub max: [u8; 8],
}

/// The least and the greatest of `rows` little-endian values; `None` if there are none, or if any is NaN,
/// infinite or "not a time".
///
/// Of equal zeros of either sign the last one gives its sign, to the least and to the greatest value alike. For
/// [`Number::Bool`] the bytes of the result are 0 or 1.
///
/// # Safety
/// `src` is readable for `rows` values of `number`, at any alignment.
#[must_use]
pub unsafe fn min_max(number: Number, src: *const u8, rows: usize) -> Option<MinMax> {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { min_max_isa(isa::active(), number, src, rows) }
}

/// # Safety
/// As [`min_max`], and `isa` is available.
pub(crate) unsafe fn min_max_isa(isa: Isa, number: Number, src: *const u8, rows: usize) -> Option<MinMax> {
    // SAFETY: the caller's promise; each type has the width of the number it stands for.
    unsafe {
        match number {
            Number::Bool => reduce::<Bool>(isa, src, rows),
            Number::I8 => reduce::<i8>(isa, src, rows),
            Number::I16 => reduce::<i16>(isa, src, rows),
            Number::I32 => reduce::<i32>(isa, src, rows),
            Number::I64 => reduce::<i64>(isa, src, rows),
            Number::U8 => reduce::<u8>(isa, src, rows),
            Number::U16 => reduce::<u16>(isa, src, rows),
            Number::U32 => reduce::<u32>(isa, src, rows),
            Number::U64 => reduce::<u64>(isa, src, rows),
            Number::F16 => reduce::<Float<i16>>(isa, src, rows),
            Number::F32 => reduce::<Float<i32>>(isa, src, rows),
            Number::F64 => reduce::<Float<i64>>(isa, src, rows),
            Number::Time => reduce::<Time>(isa, src, rows),
        }
    }
}

/// A value as it is stored, of which every bit pattern is one, and its key.
trait Value: Copy {
    type Key: Copy + Ord;
    /// The key of zero, of +0 where there are two.
    const ZERO: Self::Key;

    fn key(self) -> Self::Key;

    /// The bytes of the value that has this key.
    fn to_bytes(key: Self::Key) -> [u8; 8];

    /// Whether all values were good, given the extremes of their keys.
    fn is_good(_min: Self::Key, _max: Self::Key) -> bool {
        true
    }

    /// Whether a zero that is the least, or the greatest, may have been followed by one of the other sign.
    fn is_ambiguous(_min: Self::Key, _max: Self::Key) -> (bool, bool) {
        (false, false)
    }

    /// For kinds whose zeros have a sign: `ZERO` for both, more for all other keys.
    #[inline(always)]
    fn distance_from_zero(key: Self::Key) -> Self::Key {
        key
    }
}

/// Bytes of a block: short enough to give up early, long enough for its end not to matter.
const BLOCK_BYTES: usize = 64 << 10;

/// # Safety
/// `src` is readable for `rows` values of type `V`, and `isa` is available.
unsafe fn reduce<V: Value>(isa: Isa, src: *const u8, rows: usize) -> Option<MinMax> {
    let src = src.cast::<V>();
    let block = BLOCK_BYTES / size_of::<V>();
    let mut found: Option<(V::Key, V::Key)> = None;
    for start in (0..rows).step_by(block) {
        // SAFETY: the block lies inside the column and is not empty, as `start` is below `rows`.
        let (low, high) = unsafe { extremes(isa, src.add(start), block.min(rows - start)) };
        if !V::is_good(low, high) {
            return None;
        }
        found = Some(found.map_or((low, high), |(min, max)| (min.min(low), max.max(high))));
    }
    let (mut min, mut max) = found?;
    let (min_is_ambiguous, max_is_ambiguous) = V::is_ambiguous(min, max);
    if min_is_ambiguous || max_is_ambiguous {
        // SAFETY: the caller's promise, word for word.
        let zero = unsafe { last_zero::<V>(isa, src, rows) };
        min = zero.filter(|_| min_is_ambiguous).unwrap_or(min);
        max = zero.filter(|_| max_is_ambiguous).unwrap_or(max);
    }
    Some(MinMax { min: V::to_bytes(min), max: V::to_bytes(max) })
}

/// The last zero of either sign. There is one unless the memory changed since a zero was found to be the answer.
///
/// # Safety
/// As [`reduce`].
unsafe fn last_zero<V: Value>(isa: Isa, src: *const V, rows: usize) -> Option<V::Key> {
    let block = BLOCK_BYTES / size_of::<V>();
    let mut end = rows;
    while end > 0 {
        let start = end.saturating_sub(block);
        // SAFETY: the block lies inside the column.
        if unsafe { has_zero(isa, src.add(start), end - start) } {
            for at in (start..end).rev() {
                // SAFETY: `at` is below `rows`; the read needs no alignment.
                let key = unsafe { src.add(at).read_unaligned() }.key();
                if V::distance_from_zero(key) == V::ZERO {
                    return Some(key);
                }
            }
        }
        end = start;
    }
    None
}

/// The least and the greatest key of `rows` values, at least one.
///
/// # Safety
/// `src` is readable for `rows` values, and `isa` is available.
unsafe fn extremes<V: Value>(isa: Isa, src: *const V, rows: usize) -> (V::Key, V::Key) {
    #[inline(always)]
    unsafe fn plain<V: Value>(src: *const V, rows: usize) -> (V::Key, V::Key) {
        // SAFETY: there is a first value; the read needs no alignment.
        let first = unsafe { src.read_unaligned() }.key();
        let (mut min, mut max) = (first, first);
        for row in 0..rows {
            // SAFETY: `row` is below `rows`; the read needs no alignment.
            let key = unsafe { src.add(row).read_unaligned() }.key();
            min = min.min(key);
            max = max.max(key);
        }
        (min, max)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn avx2<V: Value>(src: *const V, rows: usize) -> (V::Key, V::Key) {
        // SAFETY: the caller's promise, word for word.
        unsafe { plain(src, rows) }
    }

    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; both sets contain AVX2.
        Isa::Avx2 | Isa::Avx512 => unsafe { avx2(src, rows) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { plain(src, rows) },
    }
}

/// Whether there is a zero of either sign among `rows` values.
///
/// # Safety
/// `src` is readable for `rows` values, and `isa` is available.
unsafe fn has_zero<V: Value>(isa: Isa, src: *const V, rows: usize) -> bool {
    #[inline(always)]
    unsafe fn plain<V: Value>(src: *const V, rows: usize) -> bool {
        let mut least = None;
        for row in 0..rows {
            // SAFETY: `row` is below `rows`; the read needs no alignment.
            let distance = V::distance_from_zero(unsafe { src.add(row).read_unaligned() }.key());
            least = Some(least.map_or(distance, |least: V::Key| least.min(distance)));
        }
        least == Some(V::ZERO)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn avx2<V: Value>(src: *const V, rows: usize) -> bool {
        // SAFETY: the caller's promise, word for word.
        unsafe { plain(src, rows) }
    }

    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; both sets contain AVX2.
        Isa::Avx2 | Isa::Avx512 => unsafe { avx2(src, rows) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { plain(src, rows) },
    }
}

fn widen<const N: usize>(bytes: [u8; N]) -> [u8; 8] {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(&bytes);
    wide
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Value for $type {
            type Key = $type;
            const ZERO: $type = 0;

            #[inline(always)]
            fn key(self) -> $type {
                <$type>::from_le(self)
            }

            fn to_bytes(key: $type) -> [u8; 8] {
                widen(key.to_le_bytes())
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

/// A byte that is true unless zero.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Bool(u8);

impl Value for Bool {
    type Key = u8;
    const ZERO: u8 = 0;

    #[inline(always)]
    fn key(self) -> u8 {
        u8::from(self.0 != 0)
    }

    fn to_bytes(key: u8) -> [u8; 8] {
        widen([key])
    }
}

/// An integer the least of which is "not a time".
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Time(i64);

impl Value for Time {
    type Key = i64;
    const ZERO: i64 = 0;

    #[inline(always)]
    fn key(self) -> i64 {
        i64::from_le(self.0)
    }

    fn to_bytes(key: i64) -> [u8; 8] {
        widen(key.to_le_bytes())
    }

    fn is_good(min: i64, _max: i64) -> bool {
        min != i64::MIN
    }
}

/// The bits of an IEEE 754 number: sign, exponent, fraction. As an integer with a sign they have the order of the
/// values once all bits below the sign are flipped in the negative ones. -0 becomes -1, and what has the highest
/// exponent (NaN, infinity) lies beyond all numbers.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Float<Bits>(Bits);

macro_rules! floats {
    ($($bits:ty, infinity $infinity:expr);*) => {$(
        impl Float<$bits> {
            /// Bits to key, and back.
            #[inline(always)]
            fn flip(bits: $bits) -> $bits {
                bits ^ ((bits >> (<$bits>::BITS - 1)) & <$bits>::MAX)
            }
        }

        impl Value for Float<$bits> {
            type Key = $bits;
            const ZERO: $bits = 0;

            #[inline(always)]
            fn key(self) -> $bits {
                Self::flip(<$bits>::from_le(self.0))
            }

            fn to_bytes(key: $bits) -> [u8; 8] {
                widen(Self::flip(key).to_le_bytes())
            }

            fn is_good(min: $bits, max: $bits) -> bool {
                min > !$infinity && max < $infinity
            }

            fn is_ambiguous(min: $bits, max: $bits) -> (bool, bool) {
                (min == -1, max == 0)
            }

            #[inline(always)]
            fn distance_from_zero(key: $bits) -> $bits {
                key ^ (key >> (<$bits>::BITS - 1))
            }
        }
    )*};
}

floats!(
    i16, infinity 0x7c00;
    i32, infinity 0x7f80_0000;
    i64, infinity 0x7ff0_0000_0000_0000
);

#[cfg(test)]
#[path = "min_max_tests.rs"]
mod tests;
