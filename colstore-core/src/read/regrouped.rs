//! Many rows in no order, of several columns: brought into an order that suits the memory first.
//!
//! ```text
//! for each batch of output rows:
//!     load the row numbers; count how many lie in each of at most 256 regions of the table
//!     sort rows and places by region                              once for all columns
//!     find the segment of each                                    once, if there are several
//!     for each column: gather region after region, each value to its place
//! ```
//!
//! A value that is jumped to anywhere in a large file costs a walk through the page tables besides the line it is
//! in. Within a region the tables are at hand, and so are many of the lines. Sorting costs as much as it saves one
//! column, so it is for several.

use std::sync::{Mutex, PoisonError};

use colstore_kernels::gather;

use super::gathered::{BLOCK, Gather, Source};
use super::run_chunks;
use crate::error::Result;
use crate::options::ReadOptions;

/// Output rows of a batch: their places stay in the second-level cache, and there are several in a page of a region.
const BATCH: usize = 1 << 18;
/// Regions of a table, at most.
const REGIONS: usize = 256;
/// Columns that it takes to pay.
const FEWEST_COLUMNS: usize = 3;
/// Bytes of a column below which the page tables are at hand anyway.
const LEAST_COLUMN: u64 = 16 << 20;

/// Whether to regroup `n` rows of `widths`, out of a table of `n_rows`.
pub(super) fn pays(n: usize, n_rows: u64, widths: impl ExactSizeIterator<Item = usize>) -> bool {
    let columns = widths.len();
    let widest = widths.max().unwrap_or(0) as u64;
    columns >= FEWEST_COLUMNS && n >= BATCH && n_rows.saturating_mul(widest) >= LEAST_COLUMN
}

/// What is known of the rows of a batch: in the order of the output, and by region.
#[derive(Default)]
struct Batch {
    loaded: Vec<u64>,
    rows: Vec<u64>,
    places: Vec<u32>,
    segments: Vec<u32>,
}

impl Batch {
    /// Loads output rows `from..from + n` and sorts them by region, `1 << shift` rows each.
    fn load(&mut self, source: &Source<'_>, from: usize, n: usize, shift: u32) -> Result<()> {
        self.loaded.resize(n, 0);
        source.load(from, &mut self.loaded)?;
        let region = |row: u64| (row >> shift) as usize % REGIONS;
        let mut next = [0u32; REGIONS];
        for &row in &self.loaded {
            next[region(row)] += 1;
        }
        let mut start = 0;
        for next in &mut next {
            start += std::mem::replace(next, start);
        }
        self.rows.resize(n, 0);
        self.places.resize(n, 0);
        for (place, &row) in (0..).zip(&self.loaded) {
            let next = &mut next[region(row)];
            self.rows[*next as usize] = row;
            self.places[*next as usize] = place;
            *next += 1;
        }
        Ok(())
    }
}

pub(super) fn read(
    gather: &Gather<'_>,
    source: &Source<'_>,
    bytes: u64,
    options: &ReadOptions<'_>,
) -> Result<()> {
    let n = source.len();
    let n_rows = gather.segments().n_rows();
    // The fewest rows a region may have for the regions to be as many as there may be.
    let shift = (0..u64::BITS).find(|shift| (n_rows - 1) >> shift < REGIONS as u64).unwrap_or(0);
    // Batches that no thread is at work on, with their memory.
    let spare: Mutex<Vec<Batch>> = Mutex::default();
    let spares = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    run_chunks(n.div_ceil(BATCH), bytes, options, &|chunk| {
        let from = chunk * BATCH;
        let taken = spares().pop();
        let mut batch = taken.unwrap_or_default();
        batch.load(source, from, BATCH.min(n - from), shift)?;
        batch.segments.resize(batch.rows.len(), 0);
        gather.segments().find_all(&batch.rows, &mut batch.segments);
        for (target, origins) in gather.columns() {
            for block in (0..batch.rows.len()).step_by(BLOCK) {
                let part = block..(block + BLOCK).min(batch.rows.len());
                let (segments, rows) = (&batch.segments[part.clone()], &batch.rows[part.clone()]);
                // SAFETY: rows are the table's, their segments hold them, and the places of a batch are those of
                // its output rows, each once, which are this chunk's.
                unsafe {
                    let dst = target.at(from);
                    let places = &batch.places[part];
                    gather::gather_to(target.width, origins, segments, rows, places, dst, target.stride());
                }
            }
            // SAFETY: these output rows are the chunk's, and were written just now.
            unsafe { target.swap_rows(from, batch.rows.len()) };
        }
        spares().push(batch);
        Ok(())
    })
}
