//! Where large outputs lie: pages and how to ask for better ones; memory of our own that is used again.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use colstore_kernels::{arena, pages};

use crate::config;

/// Asks for huge pages for `len` bytes at `address` that nobody has touched, if they are many.
pub(crate) fn ask_for_huge_pages(address: *const u8, len: usize) {
    if config::huge_pages() {
        pages::prepare_output(address, len);
    }
}

/// From so many bytes on it pays to get words from the arena: fresh memory is dearer than what fills it.
const WORDS_FROM_ARENA: usize = 512 << 10;

/// Words of 64 bits, of a fixed number.
#[derive(Debug)]
pub(crate) struct Words(Kind);

#[derive(Debug)]
enum Kind {
    Heap(Box<[u64]>),
    Arena { start: NonNull<u8>, block: usize, len: usize },
}

// SAFETY: a block of the arena belongs to whoever it was lent to, on any thread.
unsafe impl Send for Words {}
// SAFETY: shared words are only read.
unsafe impl Sync for Words {}

impl Words {
    /// `len` words of any value.
    pub(crate) fn new(len: usize) -> Words {
        let bytes = len.saturating_mul(size_of::<u64>());
        let lent = if bytes >= WORDS_FROM_ARENA { arena::lend(bytes) } else { None };
        Words(match lent {
            Some((start, block)) => {
                // Every bit pattern is a word: zeros of the kernel's, or what whoever had the block before left.
                Kind::Arena { start, block, len }
            }
            None => Kind::Heap(vec![0; len].into()),
        })
    }

    /// Room for `len` bytes of any value, or a few more.
    pub(crate) fn for_bytes(len: usize) -> Words {
        Words::new(len.div_ceil(size_of::<u64>()))
    }

    /// The words as bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        let words: &[u64] = self;
        // SAFETY: the same memory, and every byte of a word is one.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
    }

    /// The words as bytes.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let words: &mut [u64] = self;
        // SAFETY: the same memory, borrowed exclusively; every byte of a word is one, and any eight are a word.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
    }
}

impl Default for Words {
    fn default() -> Words {
        Words::new(0)
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if let Kind::Arena { start, block, .. } = self.0 {
            // SAFETY: lent in `new`, given back once, and nobody can use it any more.
            unsafe { arena::give_back(start, block) };
        }
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match &self.0 {
            Kind::Heap(words) => words,
            // SAFETY: the block has room for `len` words, is aligned to a page, and is initialised memory of this
            // value's own.
            Kind::Arena { start, len, .. } => unsafe {
                std::slice::from_raw_parts(start.as_ptr().cast_const().cast(), *len)
            },
        }
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Kind::Heap(words) => words,
            // SAFETY: as for `deref`, and borrowed exclusively.
            Kind::Arena { start, len, .. } => unsafe {
                std::slice::from_raw_parts_mut(start.as_ptr().cast(), *len)
            },
        }
    }
}

/// The pages that lie in `len` bytes at `address` as a whole: their address and bytes.
#[cfg(target_os = "linux")]
pub(crate) fn whole_pages(address: *mut u8, len: usize) -> Option<(*mut u8, usize)> {
    let page = pages::page_size();
    let before = address.addr().next_multiple_of(page) - address.addr();
    let len = len.checked_sub(before)? / page * page;
    (len > 0).then(|| (address.wrapping_add(before), len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn whole_pages_lie_within() {
        let page = pages::page_size();
        let at = |address: usize, len: usize| {
            whole_pages(std::ptr::without_provenance_mut(address), len)
                .map(|(start, len)| (start.addr(), len))
        };
        assert_eq!(at(page, page), Some((page, page)));
        assert_eq!(at(page, page - 1), None);
        assert_eq!(at(page + 1, page), None);
        assert_eq!(at(page + 1, 2 * page - 1), Some((2 * page, page)));
        assert_eq!(at(page - 1, 3 * page), Some((page, 2 * page)));
        assert_eq!(at(page + 1, 3), None);
    }

    #[test]
    fn words_are_a_slice_however_many() {
        for len in [0, 1, 1000, WORDS_FROM_ARENA / 8, WORDS_FROM_ARENA / 8 + 7] {
            let mut words = Words::new(len);
            assert_eq!(words.len(), len);
            for (i, word) in (0..).zip(words.iter_mut()) {
                *word = i;
            }
            let other = Words::new(len);
            assert!(words.iter().copied().eq(0..len as u64));
            assert_eq!(other.len(), len);
        }
    }

    #[test]
    fn bytes_are_those_of_the_words() {
        for len in [0, 1, 8, 9, WORDS_FROM_ARENA + 1] {
            let mut words = Words::for_bytes(len);
            let n_bytes = words.bytes().len();
            assert!((len..len + 8).contains(&n_bytes) && n_bytes == words.len() * 8);
            words.bytes_mut().fill(0xab);
            assert!(words.iter().all(|&word| word == 0xabab_abab_abab_abab));
            assert!(words.bytes().iter().all(|&byte| byte == 0xab));
        }
    }

    #[test]
    fn advice_changes_nothing_in_memory() {
        let mut memory = vec![3u8; (8 << 20) + 5];
        let len = memory.len();
        ask_for_huge_pages(memory.as_mut_ptr(), len);
        assert!(memory.iter().all(|&byte| byte == 3));
    }
}
