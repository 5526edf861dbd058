//! Masks as bytes, packed into bits.
//!
//! ```text
//! for each i: bit i = (byte i != 0)
//! ```
//!
//! With vectors, 64 bytes are compared with zero at once and what came out is taken as bits: two comparisons
//! and two `movemask` for AVX2, one `vptestmb` for AVX-512. Without vectors eight bytes are one word: an
//! addition carries into the top bit of each byte that is not zero, and a multiplication brings these bits
//! together. Bytes that do not lie side by side go one by one.

use crate::isa::{self, Isa};

/// Packs `n` mask bytes, `stride` bytes apart, into bits; gives the number of those set.
///
/// Any byte but 0 is set. Unused bits of the last word are zero.
///
/// # Safety
/// For every `i < n`, `src + i * stride` is readable.
///
/// # Panics
/// If `words` has not just the number of words that `n` bits need.
pub unsafe fn pack_bytes(src: *const u8, stride: isize, n: usize, words: &mut [u64]) -> u64 {
    // SAFETY: the caller's promise; the active instruction set is available.
    unsafe { pack_bytes_isa(isa::active(), src, stride, n, words) }
}

/// # Safety
/// As [`pack_bytes`], and `isa` is available.
pub(super) unsafe fn pack_bytes_isa(
    isa: Isa,
    src: *const u8,
    stride: isize,
    n: usize,
    words: &mut [u64],
) -> u64 {
    assert_eq!(words.len(), n.div_ceil(64), "one word for each 64 bits");
    // SAFETY: the caller's promise; `isa` is available; the strides are 1 where they have to be.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if stride == 1 => avx512(src, n, words),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if stride == 1 => avx2(src, n, words),
            _ if stride == 1 => walk(src, 1, n, words, |src| by_eights(src)),
            _ => walk(src, stride, n, words, |src| one_by_one(src, stride, 64)),
        }
    }
}

/// # Safety
/// As [`pack_bytes`]; `whole` reads 64 bytes and gives their bits.
#[inline(always)]
unsafe fn walk(
    src: *const u8,
    stride: isize,
    n: usize,
    words: &mut [u64],
    whole: impl Fn(*const u8) -> u64,
) -> u64 {
    let mut set = 0;
    for (index, word) in words.iter_mut().enumerate() {
        let at = src.wrapping_offset(stride.wrapping_mul(64 * index as isize));
        *word = match n - 64 * index {
            64.. => whole(at),
            // SAFETY: that many bytes are left.
            left => unsafe { one_by_one(at, stride, left) },
        };
        set += u64::from(word.count_ones());
    }
    set
}

/// # Safety
/// 64 bytes are readable at `src`.
#[inline(always)]
pub(super) unsafe fn by_eights(src: *const u8) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    (0..8).fold(0, |word, at| {
        // SAFETY: the eight bytes are among the 64; the load needs no alignment.
        let bytes = u64::from_le_bytes(unsafe { src.add(8 * at).cast::<[u8; 8]>().read() });
        let top = (bytes | ((bytes & LOW) + LOW)) & !LOW;
        // Bit 8 * i goes to bit 56 + i, and no two meet.
        word | ((top >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at)
    })
}

/// # Safety
/// `n` bytes, at most 64, are readable from `src` on, `stride` apart.
#[inline(always)]
unsafe fn one_by_one(mut src: *const u8, stride: isize, n: usize) -> u64 {
    let mut word = 0;
    for bit in 0..n {
        // SAFETY: `src` is at the byte of `bit`.
        word |= u64::from(unsafe { src.read() } != 0) << bit;
        src = src.wrapping_offset(stride);
    }
    word
}

/// # Safety
/// As [`pack_bytes`] with a stride of 1, and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn avx2(src: *const u8, n: usize, words: &mut [u64]) -> u64 {
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_setzero_si256,
    };
    let whole = |src: *const u8| {
        let [low, high] = [0, 32].map(|at| {
            // SAFETY: `walk` gives the address of 64 readable bytes; loads need no alignment.
            let bytes = unsafe { _mm256_loadu_si256(src.add(at).cast()) };
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())).cast_unsigned()
        });
        !(u64::from(low) | u64::from(high) << 32)
    };
    // SAFETY: the caller's promise.
    unsafe { walk(src, 1, n, words, whole) }
}

/// # Safety
/// As [`pack_bytes`] with a stride of 1, and there are AVX-512 F and BW.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
unsafe fn avx512(src: *const u8, n: usize, words: &mut [u64]) -> u64 {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_test_epi8_mask};
    let whole = |src: *const u8| {
        // SAFETY: `walk` gives the address of 64 readable bytes; the load needs no alignment.
        let bytes = unsafe { _mm512_loadu_si512(src.cast()) };
        _mm512_test_epi8_mask(bytes, bytes)
    };
    // SAFETY: the caller's promise.
    unsafe { walk(src, 1, n, words, whole) }
}
