//! A mask as bits, with the number of bits set before each block of them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use colstore_kernels::{budget, mask as kernel, pool};

use crate::memory::Words;

/// Words of a block: 65,536 rows, a chunk of work.
pub(crate) const BLOCK_WORDS: usize = 1024;
/// Rows of a block.
pub(crate) const BLOCK_ROWS: usize = 64 * BLOCK_WORDS;
/// So many words are looked through one by one.
const FEW_WORDS: usize = 8;

/// Bits of rows, bit `i % 64` of word `i / 64` for row `i`; unused bits are zero. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Mask {
    words: Arc<Words>,
    n_rows: usize,
    /// Bits set before each block, and in all at the end.
    before: Arc<[u64]>,
}

/// Words that several threads fill, each blocks of its own.
struct Fill(*mut u64);

// SAFETY: threads write to disjoint blocks only.
unsafe impl Sync for Fill {}

impl Mask {
    /// # Safety
    ///
    /// `len` bytes from `data` on, `stride` apart, must be readable.
    pub(crate) unsafe fn pack(data: *const u8, len: usize, stride: isize) -> Mask {
        let n_words = len.div_ceil(64);
        let mut words = Words::new(n_words);
        let fill = Fill(words.as_mut_ptr());
        let source = Source(data);
        let n_blocks = len.div_ceil(BLOCK_ROWS);
        let counts: Vec<AtomicU64> = (0..n_blocks).map(|_| AtomicU64::new(0)).collect();
        let threads = budget::threads_for(len as u64, budget::default_threads());
        let pack = |block: usize| {
            let (fill, source) = (&fill, &source);
            let first = block * BLOCK_ROWS;
            let n = BLOCK_ROWS.min(len - first);
            // SAFETY: there are `n_words` words, of which this block's are some that no other block touches.
            let words =
                unsafe { std::slice::from_raw_parts_mut(fill.0.add(block * BLOCK_WORDS), n.div_ceil(64)) };
            let src = source.0.wrapping_offset(first as isize * stride);
            // SAFETY: the caller's promise covers the `n` bytes of the block.
            let count = unsafe { kernel::pack_bytes(src, stride, n, words) };
            counts[block].store(count, Ordering::Relaxed);
        };
        // Without progress nothing can cancel it.
        let _ = pool::run(threads, n_blocks, None, BLOCK_ROWS as u64, &pack);
        Mask::counted(words, len, counts.into_iter().map(AtomicU64::into_inner))
    }

    /// The bits of packed bytes, lowest first.
    pub(crate) fn from_bits(bytes: &[u8], n_rows: usize) -> Mask {
        let mut words = Words::new(n_rows.div_ceil(64));
        for (word, chunk) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            *word = u64::from_le_bytes(bytes);
        }
        if let Some(last) = words.last_mut()
            && !n_rows.is_multiple_of(64)
        {
            *last &= (1 << (n_rows % 64)) - 1;
        }
        Mask::new(words, n_rows)
    }

    fn new(words: Words, n_rows: usize) -> Mask {
        let counts: Vec<u64> = words.chunks(BLOCK_WORDS).map(kernel::count).collect();
        Mask::counted(words, n_rows, counts.into_iter())
    }

    /// `counts` are the numbers of bits set in each block.
    pub(super) fn counted(words: Words, n_rows: usize, counts: impl ExactSizeIterator<Item = u64>) -> Mask {
        let mut before = Vec::with_capacity(counts.len() + 1);
        before.push(0);
        let mut sum = 0;
        before.extend(counts.map(|count| {
            sum += count;
            sum
        }));
        Mask { words: Arc::new(words), n_rows, before: before.into() }
    }

    /// The number of bits set.
    pub(crate) fn count(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// The number of blocks.
    pub(crate) fn n_blocks(&self) -> usize {
        self.before.len() - 1
    }

    /// The rows of a block, and the number of bits set before it.
    pub(crate) fn block(&self, block: usize) -> (Range<u64>, u64) {
        let first = block * BLOCK_ROWS;
        (first as u64..(first + BLOCK_ROWS).min(self.n_rows) as u64, self.before[block])
    }

    /// The number of bits set in a block.
    pub(crate) fn block_count(&self, block: usize) -> u64 {
        self.before[block + 1] - self.before[block]
    }

    /// The row of the set bit that `rank` others come before; the number of rows if there are no more.
    pub(crate) fn bit(&self, rank: u64) -> u64 {
        let block = self.before.partition_point(|&before| before <= rank) - 1;
        let Some(words) = self.words.chunks(BLOCK_WORDS).nth(block) else { return self.n_rows as u64 };
        let mut left = rank - self.before[block];
        let (mut first, mut words) = (block * BLOCK_WORDS, words);
        while words.len() > FEW_WORDS {
            let (low, high) = words.split_at(words.len() / 2);
            let ones = kernel::count(low);
            if left < ones {
                words = low;
            } else {
                (left, first, words) = (left - ones, first + low.len(), high);
            }
        }
        for (w, &word) in (first..).zip(words) {
            let ones = u64::from(word.count_ones());
            if left < ones {
                let rest = (0..left).fold(word, |word, _| word & (word - 1));
                return w as u64 * 64 + u64::from(rest.trailing_zeros());
            }
            left -= ones;
        }
        self.n_rows as u64
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many bits are set before row `row`.
    pub(crate) fn rank(&self, row: u64) -> u64 {
        let row = (row as usize).min(self.n_rows);
        let block = row / BLOCK_ROWS;
        let words = &self.words[block * BLOCK_WORDS..row.div_ceil(64).min(self.words.len())];
        let (last, whole) = match words.split_last() {
            Some((last, whole)) if !row.is_multiple_of(64) => (last & !(u64::MAX << (row % 64)), whole),
            _ => (0, words),
        };
        self.before[block] + kernel::count(whole) + u64::from(last.count_ones())
    }

    /// The rows, if the set bits are one run of them, or none.
    pub(crate) fn run(&self) -> Option<Range<u64>> {
        let count = self.count();
        if count == 0 {
            return Some(0..0);
        }
        let first = self.words.iter().position(|&word| word != 0)?;
        let last = self.words.iter().rposition(|&word| word != 0)?;
        let start = first as u64 * 64 + u64::from(self.words[first].trailing_zeros());
        let end = last as u64 * 64 + 64 - u64::from(self.words[last].leading_zeros());
        (end - start == count).then_some(start..end)
    }

    /// The rows at positions `range` among those whose bit is set.
    pub(crate) fn positions(&self, range: Range<u64>) -> Vec<u64> {
        let mut rows = Vec::with_capacity((range.end - range.start) as usize);
        let mut scratch = vec![0; BLOCK_ROWS];
        let first = self.before.partition_point(|&before| before <= range.start).saturating_sub(1);
        for block in first..self.n_blocks() {
            let (block_rows, before) = self.block(block);
            if before >= range.end {
                break;
            }
            let n = (block_rows.end - block_rows.start) as usize;
            let first_bit = block_rows.start as usize;
            let found = kernel::positions(&self.words, first_bit, n, block_rows.start, &mut scratch);
            let from = range.start.saturating_sub(before) as usize;
            let to = ((range.end - before) as usize).min(found);
            rows.extend_from_slice(&scratch[from.min(to)..to]);
        }
        rows
    }

    /// The rows set here, `first` further on, of `n_rows` rows. They must be there.
    pub(crate) fn moved(&self, first: usize, n_rows: usize) -> Mask {
        if first == 0 && n_rows == self.n_rows {
            return self.clone();
        }
        let mut words = Words::new(n_rows.div_ceil(64));
        words.fill(0);
        let (at, shift) = (first / 64, first % 64);
        for (i, &word) in (at..).zip(self.words.iter()) {
            words[i] |= word << shift;
            if shift > 0 && word >> (64 - shift) != 0 {
                words[i + 1] |= word >> (64 - shift);
            }
        }
        Mask::new(words, n_rows)
    }

    /// Of the rows set here, those whose position among them is set in `inner`.
    pub(crate) fn nest(&self, inner: &Mask) -> Mask {
        let mut words = Words::new(self.words.len());
        kernel::nest(&self.words, &inner.words, &mut words);
        Mask::new(words, self.n_rows)
    }
}

/// The bytes of a mask, shared by threads that read them.
struct Source(*const u8);

// SAFETY: the bytes are only read.
unsafe impl Sync for Source {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_moved_bit_by_bit() {
        for n in [1, 63, 64, 65, 1000, BLOCK_ROWS + 3] {
            let bytes: Vec<u8> = (0..n).map(|i| u8::from((i * 31 + 5) % 3 == 0)).collect();
            // SAFETY: the bytes are readable.
            let mask = unsafe { Mask::pack(bytes.as_ptr(), n, 1) };
            for (first, more) in [(0, 0), (0, 7), (1, 0), (63, 1), (64, 0), (100, 200), (BLOCK_ROWS - 1, 0)] {
                let moved = mask.moved(first, first + n + more);
                let set: Vec<u64> = (0..n).filter(|&i| bytes[i] != 0).map(|i| (first + i) as u64).collect();
                assert_eq!(moved.positions(0..moved.count()), set, "{n} rows by {first}");
            }
        }
    }

    #[test]
    fn bits_by_rank() {
        for n_rows in [0, 1, 63, 64, 65, 1000, BLOCK_ROWS, 3 * BLOCK_ROWS + 77] {
            for one_in in [1, 2, 7, 1000, BLOCK_ROWS + 5] {
                let bytes: Vec<u8> = (0..n_rows).map(|i| u8::from((i * 31 + 5) % one_in == 0)).collect();
                // SAFETY: the bytes are readable.
                let mask = unsafe { Mask::pack(bytes.as_ptr(), bytes.len(), 1) };
                let set: Vec<u64> = (0..n_rows as u64).filter(|&i| bytes[i as usize] != 0).collect();
                let step = 1 + set.len() / 997;
                for rank in (0..set.len()).step_by(step) {
                    assert_eq!(mask.bit(rank as u64), set[rank], "{n_rows} {one_in}");
                }
                assert_eq!(mask.bit(set.len() as u64), n_rows as u64, "{n_rows} {one_in}");
            }
        }
    }
}
