//! Values of records, block by block: where they lie if a record holds a whole block of them in native order, else
//! put together in a scratch.
//!
//! ```text
//! records    | a a a a a a a | b b b b b b b b b | c c c c …
//! blocks     | 0   | 1   | 2   | 3   | 4   | 5   | 6   …
//!              in place     aside   in place   aside
//! ```

use colstore_kernels::reduce::{BLOCK_ROWS, Blocks, MOST_BLOCKS};

/// Blocks that are put together before all are handed over: few enough to stay in the second-level cache.
const MOST_ASIDE: usize = 8;

/// Blocks that have been found, until there are enough of them.
pub(super) struct LinedUp<'a> {
    width: usize,
    addresses: [*const u8; MOST_BLOCKS],
    n_blocks: usize,
    rows: usize,
    scratch: &'a mut Vec<u8>,
    n_aside: usize,
    f: &'a mut dyn FnMut(Blocks<'_>),
}

impl<'a> LinedUp<'a> {
    /// For values of `width` bytes, in `most` blocks or less.
    pub(super) fn new(
        width: usize,
        most: u64,
        scratch: &'a mut Vec<u8>,
        f: &'a mut dyn FnMut(Blocks<'_>),
    ) -> LinedUp<'a> {
        scratch.clear();
        scratch.reserve(most.min(MOST_ASIDE as u64) as usize * BLOCK_ROWS * width);
        let addresses = [std::ptr::null(); MOST_BLOCKS];
        LinedUp { width, addresses, n_blocks: 0, rows: 0, scratch, n_aside: 0, f }
    }

    /// Adds `rows` values that lie side by side; only the last ones of all may be no whole blocks.
    pub(super) fn push(&mut self, src: *const u8, rows: usize) {
        for start in (0..rows).step_by(BLOCK_ROWS) {
            if self.n_blocks == MOST_BLOCKS {
                self.finish();
            }
            self.addresses[self.n_blocks] = src.wrapping_add(start * self.width);
            self.n_blocks += 1;
            self.rows += BLOCK_ROWS.min(rows - start);
        }
    }

    /// Room for the values of the next block that has to be put together, [`BLOCK_ROWS`] of them.
    pub(super) fn aside(&mut self) -> *mut u8 {
        // A block that was put together stays until it is handed over, with those before it.
        if self.n_aside == MOST_ASIDE || self.n_blocks == MOST_BLOCKS {
            self.finish();
        }
        self.scratch.as_mut_ptr().wrapping_add(self.n_aside * BLOCK_ROWS * self.width)
    }

    /// Adds the block that was put together, of `rows` values.
    pub(super) fn push_aside(&mut self, rows: usize) {
        let block = self.scratch.as_ptr().wrapping_add(self.n_aside * BLOCK_ROWS * self.width);
        self.n_aside += 1;
        self.push(block, rows);
    }

    /// Hands over what there is.
    pub(super) fn finish(&mut self) {
        if self.n_blocks > 0 {
            (self.f)(Blocks::new(&self.addresses[..self.n_blocks], self.rows));
        }
        (self.n_blocks, self.rows, self.n_aside) = (0, 0, 0);
    }
}
