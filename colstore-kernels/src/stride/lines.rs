//! Evenly spaced values, packed into whole cache lines that are streamed past the cache.
//!
//! ```text
//! pack values until dst is at a cache line
//! for each line of each of four runs: load its values into two vectors; stream them
//! sfence                        streamed stores are not ordered otherwise: publish them before returning
//! pack the rest
//! ```

use std::arch::x86_64::{__m256i, _mm_sfence, _mm256_set_epi32, _mm256_set_epi64x, _mm256_stream_si256};

use super::{ABREAST, nth, pack_words};

const LINE: usize = 64;

/// A value of which vectors are put together.
pub(super) trait Word: Copy {
    /// The half of a line whose values begin at `src`, `stride` bytes apart.
    ///
    /// # Safety
    /// The values are readable, at any alignment, and there is AVX2.
    unsafe fn half_line(src: *const u8, stride: isize) -> __m256i;
}

impl Word for u64 {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn half_line(src: *const u8, stride: isize) -> __m256i {
        // SAFETY: only asked for the values of the half line; the read needs no alignment.
        let at = |row| unsafe { nth(src, stride, row).cast::<i64>().read_unaligned() };
        _mm256_set_epi64x(at(3), at(2), at(1), at(0))
    }
}

impl Word for u32 {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn half_line(src: *const u8, stride: isize) -> __m256i {
        // SAFETY: only asked for the values of the half line; the read needs no alignment.
        let at = |row| unsafe { nth(src, stride, row).cast::<i32>().read_unaligned() };
        _mm256_set_epi32(at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0))
    }
}

/// # Safety
/// As [`pack`](super::pack) for the width of `T`, and there is AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn pack<T: Word>(src: *const u8, stride: isize, dst: *mut u8, rows: usize) {
    let width = size_of::<T>();
    let per_line = LINE / width;
    let to_line = dst.align_offset(LINE);
    let head = to_line / width;
    if !to_line.is_multiple_of(width) || rows < head + ABREAST * per_line {
        // SAFETY: the caller's promise, word for word.
        unsafe { pack_words::<T>(src, stride, dst, rows) };
        return;
    }
    let run = (rows - head) / ABREAST / per_line * per_line;
    let mut from: [*const u8; ABREAST] = std::array::from_fn(|k| nth(src, stride, head + k * run));
    // SAFETY: the values and places of the first rows.
    unsafe { pack_words::<T>(src, stride, dst, head) };
    for row in (head..head + run).step_by(per_line) {
        for (k, from) in from.iter_mut().enumerate() {
            // SAFETY: the values of rows `k * run + row` and the next of a line, and their places, which begin at a
            // line: the head made it so, and `run` is a number of whole lines.
            unsafe {
                let to = dst.add((k * run + row) * width).cast::<__m256i>();
                _mm256_stream_si256(to, T::half_line(*from, stride));
                _mm256_stream_si256(to.add(1), T::half_line(nth(*from, stride, per_line / 2), stride));
            }
            *from = nth(*from, stride, per_line);
        }
    }
    _mm_sfence();
    let done = head + ABREAST * run;
    // SAFETY: the values and places of the last rows.
    unsafe { pack_words::<T>(nth(src, stride, done), stride, dst.add(done * width), rows - done) };
}
