//! Words whose bytes are reversed: big-endian columns into little-endian ones and back.
//!
//! ```text
//! for each word: dst[word] = reverse(src[word])
//! ```
//!
//! With AVX2 one shuffle reverses every word of a 32-byte vector, whatever the word's size; only the shuffle's
//! control differs. The rest, less than a vector, goes word by word. Each vector is loaded before it is stored and
//! none is visited twice, which makes working in place right. Large outputs are streamed as in
//! [`copy`](crate::copy), once `dst` is at a vector's border; if a whole number of words does not lead there,
//! ordinary stores it is.

use crate::copy::{Stores, stores_for};
use crate::isa::{self, Isa};

/// Copies `words` words of `word` bytes and reverses the bytes of each. A `word` of 1 is a plain copy.
///
/// # Safety
/// `src` is readable and `dst` writable for `words * word` bytes, at any alignment. The two are the same or do not
/// overlap.
///
/// # Panics
/// If `word` is none of 1, 2, 4, 8, 16.
pub unsafe fn copy_swapped(src: *const u8, dst: *mut u8, words: usize, word: usize) {
    let stores = stores_for((words as u64).saturating_mul(word as u64));
    // SAFETY: the caller's promise, word for word.
    unsafe { copy_swapped_with(stores, src, dst, words, word) };
}

/// [`copy_swapped`] for a caller who fills the output piece by piece and chooses the stores for the whole.
///
/// # Safety
/// As [`copy_swapped`].
///
/// # Panics
/// If `word` is none of 1, 2, 4, 8, 16.
pub unsafe fn copy_swapped_with(stores: Stores, src: *const u8, dst: *mut u8, words: usize, word: usize) {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { copy_swapped_isa(isa::active(), stores, src, dst, words, word) };
}

/// # Safety
/// As [`copy_swapped`], and `isa` is available.
pub(crate) unsafe fn copy_swapped_isa(
    isa: Isa,
    stores: Stores,
    src: *const u8,
    dst: *mut u8,
    words: usize,
    word: usize,
) {
    assert!(matches!(word, 1 | 2 | 4 | 8 | 16), "a word has 1, 2, 4, 8 or 16 bytes, not {word}");
    if word == 1 {
        if !std::ptr::eq(src, dst) {
            // SAFETY: the caller's promise; the two differ, so they do not overlap.
            unsafe { crate::copy::copy_isa(isa, stores, src, dst, words) };
        }
        return;
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise; both sets contain AVX2; `word` was checked.
        Isa::Avx2 | Isa::Avx512 => unsafe { avx2::swap(stores, src, dst, words, word) },
        // SAFETY: the caller's promise; `word` was checked.
        _ => unsafe { scalar(src, dst, words, word) },
    }
}

/// # Safety
/// As [`copy_swapped`], and `word` is 2, 4, 8 or 16.
#[inline(always)]
unsafe fn scalar(src: *const u8, dst: *mut u8, words: usize, word: usize) {
    macro_rules! each {
        ($word:ty) => {
            for index in 0..words {
                // SAFETY: word `index` lies inside both ranges; neither access needs alignment.
                unsafe {
                    let value = src.cast::<$word>().add(index).read_unaligned();
                    dst.cast::<$word>().add(index).write_unaligned(value.swap_bytes());
                }
            }
        };
    }
    match word {
        2 => each!(u16),
        4 => each!(u32),
        8 => each!(u64),
        _ => each!(u128),
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Stores;
    use std::arch::x86_64::{
        __m256i, _mm_sfence, _mm256_loadu_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
        _mm256_stream_si256,
    };

    const VECTOR: usize = 32;

    /// Where each byte of a vector comes from when words of `word` bytes are reversed. The shuffle works within
    /// halves of 16 bytes, and no word crosses one.
    const fn control(word: usize) -> [u8; VECTOR] {
        let mut from = [0; VECTOR];
        let mut at = 0;
        while at < VECTOR {
            let within = at % 16;
            from[at] = (within - within % word + (word - 1 - within % word)) as u8;
            at += 1;
        }
        from
    }

    const CONTROLS: [[u8; VECTOR]; 4] = [control(2), control(4), control(8), control(16)];

    /// # Safety
    /// As [`copy_swapped`](super::copy_swapped); `word` is 2, 4, 8 or 16, and there is AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn swap(stores: Stores, src: *const u8, dst: *mut u8, words: usize, word: usize) {
        let len = words * word;
        // SAFETY: a control has exactly the size of a vector; the load needs no alignment.
        let control = unsafe {
            _mm256_loadu_si256(CONTROLS[word.trailing_zeros() as usize - 1].as_ptr().cast::<__m256i>())
        };
        let mut at = 0;
        let head = dst.align_offset(VECTOR);
        if stores == Stores::Streaming && head.is_multiple_of(word) && head <= len && !std::ptr::eq(src, dst)
        {
            // SAFETY: `head` is at most `len` and a whole number of words.
            unsafe { super::scalar(src, dst, head / word, word) };
            at = head;
            while len - at >= VECTOR {
                // SAFETY: `at + VECTOR` is at most `len`; `dst + at` is a multiple of VECTOR, the head made it so.
                unsafe {
                    let value = _mm256_loadu_si256(src.add(at).cast());
                    _mm256_stream_si256(dst.add(at).cast(), _mm256_shuffle_epi8(value, control));
                }
                at += VECTOR;
            }
            // Streamed stores are not ordered otherwise: publish them before returning.
            _mm_sfence();
        }
        while len - at >= VECTOR {
            // SAFETY: `at + VECTOR` is at most `len`; neither access needs alignment.
            unsafe {
                let value = _mm256_loadu_si256(src.add(at).cast());
                _mm256_storeu_si256(dst.add(at).cast(), _mm256_shuffle_epi8(value, control));
            }
            at += VECTOR;
        }
        // SAFETY: `at` is at most `len`, and a multiple of `word`: the head is one and so is VECTOR.
        unsafe { super::scalar(src.add(at), dst.add(at), (len - at) / word, word) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Canvas};

    fn oracle(bytes: &[u8], word: usize) -> Vec<u8> {
        bytes.chunks_exact(word).flat_map(|word| word.iter().rev().copied()).collect()
    }

    #[test]
    fn every_word_length_and_alignment() {
        for isa in testing::isas() {
            for stores in [Stores::Cached, Stores::Streaming] {
                for word in [1, 2, 4, 8, 16] {
                    testing::each_placement(4 * 32 / word + 1, |words, from, to| {
                        let source = Canvas::noise(words * word, from);
                        let mut target = Canvas::blank(words * word, to);
                        // SAFETY: both canvases have `words * word` bytes.
                        unsafe {
                            copy_swapped_isa(isa, stores, source.as_ptr(), target.as_mut_ptr(), words, word);
                        }
                        let case = format!("{isa:?} {stores:?} {words} words of {word}, {from}->{to}");
                        target.expect(&oracle(source.bytes(), word), &case);
                    });
                }
            }
        }
    }

    #[test]
    fn in_place() {
        for isa in testing::isas() {
            for stores in [Stores::Cached, Stores::Streaming] {
                for word in [1, 2, 4, 8, 16] {
                    for words in 0..70 {
                        let mut canvas = Canvas::noise(words * word, words);
                        let expected = oracle(canvas.bytes(), word);
                        let at = canvas.as_mut_ptr();
                        // SAFETY: the canvas has `words * word` bytes, source and target are the same.
                        unsafe { copy_swapped_isa(isa, stores, at, at, words, word) };
                        canvas.expect(
                            &expected,
                            &format!("{isa:?} {stores:?} {words} words of {word} in place"),
                        );
                    }
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a word has 1, 2, 4, 8 or 16 bytes, not 3")]
    fn odd_words_are_refused() {
        let mut bytes = [0_u8; 6];
        // SAFETY: the buffer has 2 words of 3 bytes.
        unsafe { copy_swapped(bytes.as_ptr(), bytes.as_mut_ptr(), 2, 3) };
    }
}
