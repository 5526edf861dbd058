//! Copies the values whose bit is set.
//!
//! ```text
//! for each word of 64 bits:
//!     none set: nothing to do, and nothing is read
//!     all set:  copy 64 values, and those of the words after it that are all set too
//!     else:     for each set bit, the lowest first: copy its value
//! ```
//!
//! Visiting bits one by one costs a few cycles a bit and, as their number is different in every word, a
//! misprediction a word. Vectors have neither: a word is cut into as many bits as a vector has values,
//!
//! ```text
//! for each part of the word: load a vector of values; move those that are set to its front; store all of it
//!                            advance by the number set
//! ```
//!
//! and each store goes over what the one before it wrote too much. Many words are walked over in four runs at once
//! (`compress_walk`). Storing too much needs room: the bits are counted first,
//! and as soon as fewer than 64 values are to come, bits are visited one by one (as they are for less than 64
//! rows at the end, where a vector would be read from beyond the values). To move to the front is one
//! instruction of AVX-512 (VBMI2 for values of 1 and 2 bytes); with AVX2 it is a shuffle by a table, which has
//! a control for each value of the part. AVX-512 could store just the values that are set, too, but that is
//! microcode on some processors and eight times slower.

use super::Bits;
#[cfg(target_arch = "x86_64")]
use super::has_vbmi2;
use super::positions;
use crate::copy::Stores;
use crate::gather::gather;
use crate::isa::{self, Isa};

/// Copies the values whose bit is set, packed, in order; gives their number. With AVX2, values of 1, 2, 4 and 8 bytes can
/// be streamed, and with AVX-512 those of 16.
///
/// Value `i` of `n` is at `src + i * width`, its bit is bit `first_bit + i` of the mask.
///
/// # Safety
/// `src` is readable for `n * width` bytes and `dst` writable for `width` bytes for every set bit, at any
/// alignment; they do not overlap.
///
/// # Panics
/// If the mask has not that many bits.
pub unsafe fn compress(
    stores: Stores,
    width: usize,
    src: *const u8,
    words: &[u64],
    first_bit: usize,
    n: usize,
    dst: *mut u8,
) -> usize {
    // SAFETY: the caller's promise; the active instruction set is available.
    unsafe { compress_isa(isa::active(), stores, width, src, words, first_bit, n, dst) }
}

/// # Safety
/// As [`compress`], and `isa` is available.
#[allow(clippy::too_many_arguments, reason = "those of `compress`, and the instruction set")]
pub(super) unsafe fn compress_isa(
    isa: Isa,
    stores: Stores,
    width: usize,
    src: *const u8,
    words: &[u64],
    first_bit: usize,
    n: usize,
    dst: *mut u8,
) -> usize {
    let bits = Bits::new(words, first_bit, n);
    let total = bits.count(isa);
    if width > 0 && total.saturating_mul(APART) <= n * width {
        // SAFETY: the caller's promise, word for word.
        unsafe { sparse(isa, stores, width, src, &bits, dst) };
        return total;
    }
    // SAFETY: the caller's promise; a form is taken only where its instructions are available.
    unsafe {
        match (isa, width) {
            (_, 0) => {}
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 1) if has_vbmi2() => avx512::width_1(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 2) if has_vbmi2() => avx512::width_2(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 4) => avx512::width_4(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 8) => avx512::width_8(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512, 16) => avx512::width_16(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2 | Isa::Avx512, 1) => avx2::width_1(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2 | Isa::Avx512, 2) => avx2::width_2(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 4) => avx2::width_4(stores, src, &bits, total, dst),
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx2, 8) => avx2::width_8(stores, src, &bits, total, dst),
            (_, 1) => walk::one_by_one::<u8>(src, &bits, total, dst),
            (_, 2) => walk::one_by_one::<u16>(src, &bits, total, dst),
            (_, 4) => walk::one_by_one::<u32>(src, &bits, total, dst),
            (_, 8) => walk::one_by_one::<u64>(src, &bits, total, dst),
            (_, 16) => walk::one_by_one::<u128>(src, &bits, total, dst),
            _ => runs(width, src, &bits, dst),
        }
    }
    total
}

/// With values that are set so many bytes apart, on average, most lines are of no use. Then the positions of
/// the set bits come first, and values are gathered, which asks for lines ahead.
const APART: usize = 160;

/// # Safety
/// As [`compress`], and `isa` is available.
unsafe fn sparse(isa: Isa, stores: Stores, width: usize, src: *const u8, bits: &Bits<'_>, mut dst: *mut u8) {
    let mut gather_run = |rows: &[u64]| {
        // SAFETY: these rows are set, so they are readable, and there is room for them behind those before.
        unsafe {
            gather(stores, width, src, rows, dst, width);
            dst = dst.add(rows.len() * width);
        }
    };
    // SAFETY: `isa` is available.
    unsafe { positions::in_runs(isa, bits, &mut gather_run) };
}

/// Any width: values that lie side by side are copied at once.
///
/// # Safety
/// As [`compress`].
unsafe fn runs(width: usize, src: *const u8, bits: &Bits<'_>, mut dst: *mut u8) {
    for index in 0..bits.len() {
        let mut word = bits.word(index);
        let mut at = 64 * index;
        while word != 0 {
            let skip = word.trailing_zeros();
            word >>= skip;
            let run = word.trailing_ones();
            at += skip as usize;
            // SAFETY: values `at..at + run` are set.
            unsafe {
                let len = run as usize * width;
                src.add(at * width).copy_to_nonoverlapping(dst, len);
                dst = dst.add(len);
            }
            at += run as usize;
            word = word.checked_shr(run).unwrap_or(0);
        }
    }
}

#[path = "compress_sink.rs"]
mod sink;
#[path = "compress_walk.rs"]
mod walk;

#[cfg(target_arch = "x86_64")]
#[path = "compress_avx2.rs"]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[path = "compress_avx512.rs"]
mod avx512;
