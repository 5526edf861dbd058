//! Rows whose bit is set.
//!
//! A mask is a slice of words; row `i` is bit `i % 64`, the lowest first, of word `i / 64`. Everything goes a
//! word at a time: one comparison says of 64 rows that none is set, and another that all are. Where rows are
//! cut into pieces, a piece's first row may be any bit (a word of bits is then put together from two).
//!
//! | function | |
//! |---|---|
//! | [`pack_bytes`] | bytes, as others keep masks, into bits |
//! | [`compare`] | the values of a column that compare so with another |
//! | [`count`] | how many are set |
//! | [`compress`] | copies the values whose bit is set |
//! | [`positions`] | the rows whose bit is set, as numbers |
//! | [`nest`] | a mask of the rows that another mask sets |

use crate::isa::{self, Isa};

mod compare;
mod compress;
mod nest;
mod pack;
mod positions;

pub use compare::{compare, compares};
pub use compress::compress;
pub use nest::nest;
pub use pack::pack_bytes;
pub use positions::positions;

/// How many bits are set.
#[must_use]
pub fn count(words: &[u64]) -> u64 {
    // Each count fits into 32 bits, and so do many of them: sums of narrow numbers are what vectors are good
    // at.
    words.chunks(1 << 20).map(|words| u64::from(count_some(isa::active(), words))).sum()
}

/// How many bits are set; not so many words that 32 bits could not tell.
fn count_some(isa: Isa, words: &[u64]) -> u32 {
    let sum = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum();
    match isa {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: an instruction set above the scalar one is only asked for where it is available.
        Isa::Avx2 | Isa::Avx512 => unsafe { count_popcnt(words) },
        _ => sum(words),
    }
}

/// With an instruction for it; without, a dozen of them take its place.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_popcnt(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

#[cfg(target_arch = "x86_64")]
fn has_vbmi2() -> bool {
    std::arch::is_x86_feature_detected!("avx512vbmi2")
}

/// Bits `first..first + n` of a mask, 64 at a time.
#[derive(Clone, Copy, Debug)]
struct Bits<'a> {
    words: &'a [u64],
    first: usize,
    n: usize,
}

impl<'a> Bits<'a> {
    /// # Panics
    /// If the mask has not that many bits.
    #[inline(always)]
    fn new(words: &'a [u64], first: usize, n: usize) -> Bits<'a> {
        let end = first.checked_add(n).is_some_and(|end| end.div_ceil(64) <= words.len());
        assert!(end, "bits {first}..{first}+{n} of a mask of {} words", words.len());
        Bits { words: &words[first / 64..], first: first % 64, n }
    }

    /// Bits `64 * index` and on, the rest of the last word zero.
    #[inline(always)]
    fn word(&self, index: usize) -> u64 {
        let left = self.n - 64 * index;
        let word = self.full_word(index, left);
        if left < 64 { word & !(u64::MAX << left) } else { word }
    }

    #[inline(always)]
    fn full_word(&self, index: usize, left: usize) -> u64 {
        let low = self.words[index] >> self.first;
        // A second word is looked at only if it holds bits of ours.
        if self.first == 0 || self.first + left <= 64 {
            low
        } else {
            low | self.words[index + 1] << (64 - self.first)
        }
    }

    /// The words that hold 64 of the bits each, as they are: none, if bits begin within a word.
    #[inline(always)]
    fn whole_words(&self) -> &'a [u64] {
        if self.first == 0 { &self.words[..self.n / 64] } else { &[] }
    }

    /// Whether `COUNT` words from `index` on are all zero; false if there are not that many.
    #[inline(always)]
    fn are_zero<const COUNT: usize>(&self, index: usize) -> bool {
        64 * (index + COUNT) <= self.n && (0..COUNT).fold(0, |all, at| all | self.word(index + at)) == 0
    }

    /// How many words there are.
    #[inline(always)]
    fn len(&self) -> usize {
        self.n.div_ceil(64)
    }

    fn count(&self, isa: Isa) -> usize {
        // The words between the ends count whole, from whichever bit on they are looked at.
        let end = self.first + self.n;
        let Some(last) = end.div_ceil(64).checked_sub(1) else { return 0 };
        let middle = self.words.get(1..last).unwrap_or_default();
        let first = self.words[0] >> self.first << self.first;
        let from_end =
            |word: u64| if end.is_multiple_of(64) { word } else { word & !(u64::MAX << (end % 64)) };
        let ends = match last {
            0 if self.n == 0 => 0,
            0 => from_end(first).count_ones(),
            _ => first.count_ones() + from_end(self.words[last]).count_ones(),
        };
        let between: usize = middle.chunks(1 << 20).map(|words| count_some(isa, words) as usize).sum();
        ends as usize + between
    }
}

#[cfg(test)]
mod tests;
