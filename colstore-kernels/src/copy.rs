//! Bytes from here to there.
//!
//! ```text
//! for i in 0..len: dst[i] = src[i]
//! ```
//!
//! The C library's `memcpy` does this as fast as a core can while source or destination are in a cache. For a
//! destination that is larger than the caches its ordinary stores cost a third: before a line is overwritten, it
//! is read from memory. Streaming stores (`movnt`) do without that read, so `streaming` is
//!
//! ```text
//! copy bytes until dst is at a cache line
//! while 128 bytes are left: load 4 vectors from src, wherever it is; stream them to dst
//! sfence                       streamed stores are not ordered otherwise: publish them before returning
//! copy the rest
//! ```
//!
//! For memory that the kernel has yet to provide it matters little: it is zeroed at the first store to each page, and
//! streaming gains a few hundredths on one thread and loses as much on two.
//!
//! 64-byte vectors were measured to gain nothing over 32-byte ones, neither did prefetching or walking several
//! pages at once: a core waits for memory in all of them. So the widest form is AVX2.

use crate::isa::{self, Isa};

/// From this many bytes of output on, a copy goes past the cache. Less may still be there when it is read next.
pub const STREAM_BYTES: u64 = 16 << 20;

/// How a kernel writes its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stores {
    /// Through the cache: for output that is small.
    Cached,
    /// Past the cache: for output that would not stay there.
    Streaming,
}

/// Which stores suit an output of `total` bytes.
#[must_use]
pub fn stores_for(total: u64) -> Stores {
    if total >= STREAM_BYTES { Stores::Streaming } else { Stores::Cached }
}

/// Copies `len` bytes with the stores that suit an output of that length.
///
/// # Safety
/// `src` is readable and `dst` writable for `len` bytes, and the two do not overlap.
pub unsafe fn copy(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise, word for word.
    unsafe { copy_with(stores_for(len as u64), src, dst, len) };
}

/// Copies `len` bytes, for a caller who knows more of the output than its length here: when it is filled piece by
/// piece, `stores` should follow from the whole.
///
/// # Safety
/// `src` is readable and `dst` writable for `len` bytes, and the two do not overlap.
pub unsafe fn copy_with(stores: Stores, src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { copy_isa(isa::active(), stores, src, dst, len) };
}

/// # Safety
/// As [`copy_with`], and `isa` is available.
pub(crate) unsafe fn copy_isa(isa: Isa, stores: Stores, src: *const u8, dst: *mut u8, len: usize) {
    match (stores, isa) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; both sets contain AVX2.
        (Stores::Streaming, Isa::Avx2 | Isa::Avx512) => unsafe { avx2::streaming(src, dst, len) },
        // SAFETY: the caller's promise, word for word.
        _ => unsafe { src.copy_to_nonoverlapping(dst, len) },
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256i, _mm_sfence, _mm256_loadu_si256, _mm256_stream_si256};

    const LINE: usize = 64;
    const VECTOR: usize = 32;
    const STEP: usize = 4 * VECTOR;

    /// # Safety
    /// `src` is readable and `dst` writable for `len` bytes, the two do not overlap, and there is AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn streaming(src: *const u8, dst: *mut u8, len: usize) {
        let head = dst.align_offset(LINE).min(len);
        // SAFETY: `head` is at most `len`.
        unsafe { src.copy_to_nonoverlapping(dst, head) };
        let mut at = head;
        while len - at >= STEP {
            // SAFETY: `at + STEP` is at most `len`, so all four vectors lie inside both ranges. `dst + at` is a
            // multiple of LINE: the head made it so and STEP is a multiple of it. Loads need no alignment.
            unsafe {
                let from = src.add(at).cast::<__m256i>();
                let to = dst.add(at).cast::<__m256i>();
                let vectors = [
                    _mm256_loadu_si256(from),
                    _mm256_loadu_si256(from.add(1)),
                    _mm256_loadu_si256(from.add(2)),
                    _mm256_loadu_si256(from.add(3)),
                ];
                _mm256_stream_si256(to, vectors[0]);
                _mm256_stream_si256(to.add(1), vectors[1]);
                _mm256_stream_si256(to.add(2), vectors[2]);
                _mm256_stream_si256(to.add(3), vectors[3]);
            }
            at += STEP;
        }
        _mm_sfence();
        // SAFETY: `at` is at most `len`.
        unsafe { src.add(at).copy_to_nonoverlapping(dst.add(at), len - at) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Canvas};

    #[test]
    fn every_length_and_alignment() {
        for isa in testing::isas() {
            for stores in [Stores::Cached, Stores::Streaming] {
                testing::each_placement(4 * 128, |len, from, to| {
                    let source = Canvas::noise(len, from);
                    let mut target = Canvas::blank(len, to);
                    // SAFETY: both canvases have `len` bytes.
                    unsafe { copy_isa(isa, stores, source.as_ptr(), target.as_mut_ptr(), len) };
                    target.expect(source.bytes(), &format!("{isa:?} {stores:?} {len} bytes {from}->{to}"));
                });
            }
        }
    }

    #[test]
    fn large_and_public() {
        let len = usize::try_from(STREAM_BYTES).unwrap() + 4321;
        let source = Canvas::noise(len, 3);
        let mut target = Canvas::blank(len, 17);
        // SAFETY: both canvases have `len` bytes.
        unsafe { copy(source.as_ptr(), target.as_mut_ptr(), len) };
        target.expect(source.bytes(), "large copy");
    }
}
