//! Values of records, block by block: where they lie, if they are in native order and no block has many pieces or is cut
//! where kernels cannot go on; else put together in a scratch.
//!
//! ```text
//! records    | a a a a a a a | b b b b b b b b b | c c c c …
//! blocks     | 0   | 1   | 2   | 3   | 4   | 5   | 6   …
//!                          broken            aside
//! ```

use colstore_kernels::reduce::{BLOCK_ROWS, BREAK_ROWS, Blocks, Break, MOST_BLOCKS};

/// Blocks that are put together before all are handed over: few enough to stay in the second-level cache.
const MOST_ASIDE: usize = 8;

/// Pieces behind its first one that a block may have. Of more, each is too short to be worth a walk of its own.
const MOST_BREAKS: usize = 4;

/// Blocks that have been found, until there are enough of them.
pub(super) struct LinedUp<'a> {
    width: usize,
    addresses: [*const u8; MOST_BLOCKS],
    n_blocks: usize,
    breaks: Vec<Break>,
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
        LinedUp { width, addresses, n_blocks: 0, breaks: Vec::new(), rows: 0, scratch, n_aside: 0, f }
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

    /// Adds a whole block that lies in `pieces`: of each the row of the block it begins with, and where it lies. False,
    /// and nothing is added, if kernels cannot or should not take it like that.
    pub(super) fn push_broken(&mut self, pieces: &[(usize, *const u8)]) -> bool {
        let Some((&(_, address), later)) = pieces.split_first() else { return false };
        if later.len() > MOST_BREAKS || later.iter().any(|(row, _)| !row.is_multiple_of(BREAK_ROWS)) {
            return false;
        }
        if self.n_blocks == MOST_BLOCKS {
            self.finish();
        }
        let block = self.n_blocks;
        self.breaks.extend(later.iter().map(|&(row, address)| Break { block, row, address }));
        self.push(address, BLOCK_ROWS);
        true
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
            (self.f)(Blocks::new(&self.addresses[..self.n_blocks], self.rows, &self.breaks));
        }
        (self.n_blocks, self.rows, self.n_aside) = (0, 0, 0);
        self.breaks.clear();
    }
}
