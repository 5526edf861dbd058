//! Masks whose bits are computed, block by block on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use colstore_kernels::mask as kernel;

use super::Rows;
use super::mask::{BLOCK_ROWS, BLOCK_WORDS, Mask};
use crate::error::{Error, ErrorKind};
use crate::memory::Words;
use crate::options::ReadOptions;
use crate::read::run_chunks;

/// Sets the bits of a block of rows in its words, see [`Rows::filled`].
pub type BlockFill<'a, E> = &'a (dyn Fn(Range<u64>, &mut [u64]) -> Result<(), E> + Sync);

/// Words that several threads fill, each blocks of its own.
struct Shared(*mut u64);

// SAFETY: threads write to disjoint blocks only.
unsafe impl Sync for Shared {}

impl Rows<'static> {
    /// The rows that `fill` sets the bits of: it is called once for each block of 65,536 of `n_rows` rows, in no certain
    /// order and by as many threads as `bytes` bytes of work deserve, and gets the block's rows and its words, all zero.
    /// Row `i` of the block is bit `i % 64` of word `i / 64`. Bits beyond the rows do not count.
    ///
    /// # Errors
    ///
    /// The first failure of `fill`, and [`Cancelled`](ErrorKind::Cancelled).
    ///
    /// ```
    /// use colstore_core::{Error, ReadOptions, Rows};
    ///
    /// let rows = Rows::filled(100, 100, &ReadOptions::default(), &|rows, words| {
    ///     for row in rows.clone().filter(|row| row % 30 == 7) {
    ///         words[(row - rows.start) as usize / 64] |= 1 << (row - rows.start) % 64;
    ///     }
    ///     Ok::<(), Error>(())
    /// })?;
    /// assert_eq!(rows.to_vec(0..rows.len()), [7, 37, 67, 97]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn filled<E: From<Error> + Send>(
        n_rows: u64,
        bytes: u64,
        options: &ReadOptions<'_>,
        fill: BlockFill<'_, E>,
    ) -> Result<Rows<'static>, E> {
        let n = usize::try_from(n_rows).map_err(|_| {
            Error::new(ErrorKind::OutOfMemory, format!("{n_rows} rows are too many for a mask"))
        })?;
        let mut words = Words::new(n.div_ceil(64));
        let shared = Shared(words.as_mut_ptr());
        let n_blocks = n.div_ceil(BLOCK_ROWS);
        let counts: Vec<AtomicU64> = (0..n_blocks).map(|_| AtomicU64::new(0)).collect();
        run_chunks::<E>(n_blocks, bytes, options, &|block| {
            let shared = &shared;
            let first = block * BLOCK_ROWS;
            let n = BLOCK_ROWS.min(n - first);
            // SAFETY: these words are among those of the mask, and no other block's.
            let words =
                unsafe { std::slice::from_raw_parts_mut(shared.0.add(block * BLOCK_WORDS), n.div_ceil(64)) };
            words.fill(0);
            fill(first as u64..(first + n) as u64, words)?;
            if let Some(last) = words.last_mut()
                && !n.is_multiple_of(64)
            {
                *last &= (1 << (n % 64)) - 1;
            }
            counts[block].store(kernel::count(words), Ordering::Relaxed);
            Ok(())
        })?;
        let mask = Mask::counted(words, n, counts.into_iter().map(AtomicU64::into_inner));
        Ok(Rows::from_mask(n_rows, mask))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_masks_are_those_of_bytes() {
        for n_rows in [0, 1, 63, 64, 65_535, 65_536, 65_537, 300_001_u64] {
            for one_in in [1, 2, 77, 1 << 40] {
                let is_set = |row: u64| row.wrapping_mul(2_654_435_761).is_multiple_of(one_in);
                let rows = Rows::filled(n_rows, u64::MAX, &ReadOptions::default(), &|rows, words| {
                    // What lies beyond the rows must not matter.
                    words.iter_mut().for_each(|word| *word = u64::MAX);
                    for (i, row) in rows.enumerate() {
                        if !is_set(row) {
                            words[i / 64] &= !(1 << (i % 64));
                        }
                    }
                    Ok::<(), Error>(())
                })
                .unwrap();
                let bytes: Vec<u8> = (0..n_rows).map(|row| u8::from(is_set(row))).collect();
                let expected = Rows::mask(n_rows, &bytes).unwrap();
                assert_eq!(rows.form(), expected.form());
                assert_eq!(rows.to_vec(0..rows.len()), expected.to_vec(0..expected.len()));
            }
        }
    }

    #[test]
    fn a_failure_is_handed_on() {
        let fails = |_: Range<u64>, _: &mut [u64]| Err(Error::new(ErrorKind::Io, "as asked"));
        let error = Rows::filled(1000, 0, &ReadOptions::default(), &fails).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}
