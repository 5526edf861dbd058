//! A good part of a table's rows in no order, of several columns: read region by region of the table.
//!
//! ```text
//! output rows are cut into blocks, rows of the table into regions, 65,536 of them each
//! count:    for each block: how many of its rows lie in each region
//! sort:     for each block: row within its region, place within the block      ┐ by region, within it by block,
//! for each column:                                                             ┘ once for all columns
//!     gather:   for each region: copy it into the cache, gather its values     in that order, one after the other
//!     scatter:  for each block: its values of each region                      to their places
//! ```
//!
//! Every access is either one after the other or within a cache: a line that holds several of the values comes from
//! memory once, and no value costs a walk through the page tables of its own. Where rows are so few that most lines
//! hold one value or none, jumping is cheaper.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use colstore_kernels::{Cancelled, near};

use super::gathered::{BLOCK, Source};
use super::run_chunks;
use super::target::Target;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::Words;
use crate::options::ReadOptions;
use crate::part::pieces;
use crate::table::Table;

/// Rows of a region, and of a block: as many as 16 bits tell apart. Of 8 bytes each they fit the second-level cache.
const ROWS: usize = 1 << 16;
/// Output rows of one sweep: what is known of them and the values of one column take up to 160 MB.
const MOST_ROWS: usize = 8 << 20;
/// Columns that it takes to pay for the sorting.
const FEWEST_COLUMNS: usize = 3;
/// The widest values: a region of them is a megabyte.
const WIDEST: usize = 16;
/// Bytes of a column below which it is in a cache anyway.
const LEAST_COLUMN: u64 = 16 << 20;
/// What a value jumped to costs, in bytes of lines that follow on; measured.
const JUMP_BYTES: u64 = 48;

/// Whether to sweep over the table for `n` of its `n_rows` rows, of values of `widths`.
pub(super) fn pays(n: usize, n_rows: u64, widths: impl ExactSizeIterator<Item = usize> + Clone) -> bool {
    let columns = widths.len();
    let widest = widths.clone().max().unwrap_or(0);
    let row_bytes: u64 = widths.map(|width| width as u64).sum();
    columns >= FEWEST_COLUMNS
        && widest <= WIDEST
        && n_rows.saturating_mul(widest as u64) >= LEAST_COLUMN
        && n_rows.saturating_mul(row_bytes) <= (n.min(MOST_ROWS) as u64) * JUMP_BYTES * columns as u64
}

pub(super) fn read(
    table: &Table,
    targets: &[Target],
    source: &Source<'_>,
    options: &ReadOptions<'_>,
) -> Result<()> {
    read_by(MOST_ROWS, table, targets, source, options)
}

/// In sweeps of at most `most_rows` output rows.
fn read_by(
    most_rows: usize,
    table: &Table,
    targets: &[Target],
    source: &Source<'_>,
    options: &ReadOptions<'_>,
) -> Result<()> {
    let n = source.len();
    let widest = targets.iter().map(|target| target.width).max().unwrap_or(0);
    let row_bytes: usize = targets.iter().map(|target| target.width).sum();
    // A sweep is several passes: what they are together is reported here.
    let passes = ReadOptions { progress: None, ..*options };
    for from in (0..n).step_by(most_rows) {
        let sweep = Sweep::new(table, source, from..n.min(from + most_rows), &passes)?;
        let mut values = Words::new((sweep.n * widest).div_ceil(size_of::<u64>()));
        let mut columns = 0;
        for target in targets {
            sweep.read_column(target, &mut values, &passes)?;
            columns += target.width;
            if let Some(progress) = options.progress {
                let done = from * row_bytes + sweep.n * columns;
                progress.report(done as u64, (n * row_bytes) as u64);
                if progress.is_cancelled() {
                    return Err(Cancelled.into());
                }
            }
        }
    }
    Ok(())
}

/// Output rows `from..from + n`, sorted.
struct Sweep<'a> {
    table: &'a Table,
    from: usize,
    n: usize,
    n_blocks: usize,
    n_regions: usize,
    /// For each region and block of it, where its rows begin in the order; and the end of the last.
    starts: Vec<u32>,
    /// Rows within their region, in order, four to a word.
    rows: Words,
    /// Places within their block, in the same order.
    places: Words,
}

impl<'a> Sweep<'a> {
    fn new(
        table: &'a Table,
        source: &Source<'_>,
        range: Range<usize>,
        options: &ReadOptions<'_>,
    ) -> Result<Sweep<'a>> {
        let n = range.len();
        let words = || Words::new(n.div_ceil(size_of::<u64>() / size_of::<u16>()));
        let mut sweep = Sweep {
            table,
            from: range.start,
            n,
            n_blocks: n.div_ceil(ROWS),
            n_regions: table.n_rows().div_ceil(ROWS as u64) as usize,
            starts: Vec::new(),
            rows: words(),
            places: words(),
        };
        sweep.starts = sweep.count(source, options)?;
        sweep.sort(source, options)?;
        Ok(sweep)
    }

    /// Calls `f` for the rows of a block, in runs of some of them.
    fn load(&self, source: &Source<'_>, block: usize, mut f: impl FnMut(&[u64]) -> Result<()>) -> Result<()> {
        let mut rows = [0u64; BLOCK];
        let end = self.n.min((block + 1) * ROWS);
        for first in (block * ROWS..end).step_by(BLOCK) {
            let rows = &mut rows[..BLOCK.min(end - first)];
            source.load(self.from + first, rows)?;
            f(rows)?;
        }
        Ok(())
    }

    /// Counts rows by block and region; gives where each lot begins.
    fn count(&self, source: &Source<'_>, options: &ReadOptions<'_>) -> Result<Vec<u32>> {
        let mut counts = vec![0u32; self.n_blocks * self.n_regions];
        let blocks: Vec<Mutex<&mut [u32]>> = counts.chunks_mut(self.n_regions).map(Mutex::new).collect();
        run_chunks::<Error>(self.n_blocks, self.bytes(size_of::<u64>()), options, &|block| {
            let mut counts = blocks[block].lock().unwrap_or_else(PoisonError::into_inner);
            self.load(source, block, |rows| {
                rows.iter().for_each(|&row| counts[region(row)] += 1);
                Ok(())
            })
        })?;
        drop(blocks);
        let mut starts = Vec::with_capacity(counts.len() + 1);
        let mut next = 0;
        for region in 0..self.n_regions {
            for block in 0..self.n_blocks {
                starts.push(next);
                next += counts[block * self.n_regions + region];
            }
        }
        starts.push(next);
        Ok(starts)
    }

    /// Puts rows and places into order.
    fn sort(&mut self, source: &Source<'_>, options: &ReadOptions<'_>) -> Result<()> {
        let rows = Shared(self.rows.as_mut_ptr().cast::<u16>());
        let places = Shared(self.places.as_mut_ptr().cast::<u16>());
        run_chunks::<Error>(self.n_blocks, self.bytes(16), options, &|block| {
            let of_region = |region: usize| region * self.n_blocks + block;
            let mut next: Vec<u32> = (0..self.n_regions).map(|r| self.starts[of_region(r)]).collect();
            let ends: Vec<u32> = (0..self.n_regions).map(|r| self.starts[of_region(r) + 1]).collect();
            let mut place = 0u16;
            self.load(source, block, |loaded| {
                for &row in loaded {
                    let region = region(row);
                    let at = next[region];
                    if at == ends[region] {
                        return Err(changed());
                    }
                    // SAFETY: from the start of a lot to its end, all of which are below `n`, and which is this
                    // block's alone. There is room for `n` of each.
                    unsafe {
                        rows.at(at as usize).write(row as u16);
                        places.at(at as usize).write(place);
                    }
                    next[region] = at + 1;
                    place = place.wrapping_add(1);
                }
                Ok(())
            })?;
            if next == ends { Ok(()) } else { Err(changed()) }
        })
    }

    /// Reads a column; `values` has room for that of all rows.
    fn read_column(&self, target: &Target, values: &mut Words, options: &ReadOptions<'_>) -> Result<()> {
        let width = target.width;
        let values = Shared(values.as_mut_ptr().cast::<u8>());
        let copies: Mutex<Vec<Vec<u8>>> = Mutex::default();
        let spare = || copies.lock().unwrap_or_else(PoisonError::into_inner);
        let table_bytes = self.table.n_rows().saturating_mul(width as u64);
        run_chunks::<Error>(self.n_regions, table_bytes, options, &|region| {
            let lots = region * self.n_blocks;
            let rows = self.numbers(&self.rows, self.starts[lots], self.starts[lots + self.n_blocks]);
            if rows.is_empty() {
                return Ok(());
            }
            let taken = spare().pop();
            let mut copy = taken.unwrap_or_else(|| vec![0; ROWS * WIDEST]);
            let first = (region * ROWS) as u64;
            for piece in pieces(self.table.parts(), first..self.table.n_rows().min(first + ROWS as u64)) {
                let out = &mut copy[piece.out_row as usize * width..][..piece.n_rows() as usize * width];
                // SAFETY: all of the piece's values, to as many bytes.
                unsafe { piece.copy(target.column, 0, piece.n_rows(), out.as_mut_ptr())? };
            }
            // SAFETY: the region's rows are there, for `sort` took them from rows of the table; there is room for
            // the values of `n` rows, and the places of the region's are written by this chunk alone.
            unsafe {
                let dst = values.at(self.starts[lots] as usize * width);
                near::gather(width, copy.as_ptr(), rows, dst);
            }
            spare().push(copy);
            Ok(())
        })?;
        run_chunks::<Error>(self.n_blocks, self.bytes(2 * width), options, &|block| {
            for region in 0..self.n_regions {
                let lot = region * self.n_blocks + block;
                let places = self.numbers(&self.places, self.starts[lot], self.starts[lot + 1]);
                // SAFETY: the lot's values were gathered just now; its places are rows of the block, each of which
                // is in one lot, and the block's output rows are this chunk's.
                unsafe {
                    let src = values.at(self.starts[lot] as usize * width);
                    let dst = target.at(self.from + block * ROWS);
                    near::scatter(width, src, places, dst, target.stride());
                }
            }
            let (first, n) = (self.from + block * ROWS, ROWS.min(self.n - block * ROWS));
            // SAFETY: these output rows are the chunk's, and were written just now.
            unsafe { target.swap_rows(first, n) };
            Ok(())
        })
    }

    /// Numbers `from..to` of those that lie four to a word.
    fn numbers<'w>(&self, words: &'w Words, from: u32, to: u32) -> &'w [u16] {
        assert!(from <= to && to as usize <= self.n);
        // SAFETY: there are `n` numbers, which `sort` has written, and nobody writes them any more.
        unsafe {
            std::slice::from_raw_parts(words.as_ptr().cast::<u16>().add(from as usize), (to - from) as usize)
        }
    }

    /// What a pass over all rows moves, at so many bytes a row.
    fn bytes(&self, row_bytes: usize) -> u64 {
        self.n as u64 * row_bytes as u64
    }
}

/// Memory that threads write places of their own of.
struct Shared<T>(*mut T);

// SAFETY: whoever writes says why nobody else writes there.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Only an address.
    fn at(&self, i: usize) -> *mut T {
        self.0.wrapping_add(i)
    }
}

fn region(row: u64) -> usize {
    (row / ROWS as u64) as usize
}

/// Indices are counted first and then put into order.
fn changed() -> Error {
    let message = "the row numbers were changed by another thread while they were read";
    Error::new(ErrorKind::InvalidArgument, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Indices, Order};
    use crate::{ColumnData, StoreOptions, store};

    /// Rows of the table: more than two regions.
    const N: u64 = 150_000;

    fn any_order(n: usize) -> Vec<u64> {
        let next = |state: &u64| {
            Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
        };
        std::iter::successors(Some(7u64), next).map(|state| (state >> 33) % N).take(n).collect()
    }

    #[test]
    fn every_value_gets_to_its_place_in_one_sweep_and_in_several() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.cstore");
        let wide: Vec<u8> = (0..N).flat_map(|row| (row * row).to_le_bytes()).collect();
        let narrow: Vec<u8> = (0..N).flat_map(|row| (row as u16).to_le_bytes()).collect();
        let columns = [("wide", "<u8", &wide), ("narrow", "<u2", &narrow)].map(|(name, dtype, data)| {
            ColumnData::from_slice(name.into(), dtype.parse().unwrap(), data).unwrap()
        });
        store(&path, &columns, &StoreOptions::default()).unwrap();
        let table = Table::open(&path).unwrap();

        for n in [1, 65_536, 65_537, 200_000] {
            let rows = any_order(n);
            let indices = Indices::Owned(rows.clone().into());
            let source = Source::indices(&indices, Order::Any, N);
            for most_rows in [MOST_ROWS, 70_000] {
                let mut packed = vec![0u8; n * 8];
                let mut spaced = vec![0xee_u8; n * 5];
                let dtype = |column: usize| table.schema().columns()[column].dtype();
                // SAFETY: room for `n` values of 8 bytes, and of 2 bytes every 5.
                let targets = unsafe {
                    [
                        Target::new(0, dtype(0), packed.as_mut_ptr(), 8),
                        Target::new(1, dtype(1), spaced.as_mut_ptr(), 5),
                    ]
                };
                read_by(most_rows, &table, &targets, &source, &ReadOptions::default()).unwrap();
                for (i, &row) in rows.iter().enumerate() {
                    assert_eq!(packed[i * 8..][..8], (row * row).to_le_bytes());
                    assert_eq!(spaced[i * 5..][..2], (row as u16).to_le_bytes());
                    assert_eq!(spaced[i * 5 + 2..][..3], [0xee; 3]);
                }
            }
        }
    }

    #[test]
    fn pays_for_a_good_part_of_a_large_table() {
        let pays = |n, n_rows, widths: &[usize]| pays(n, n_rows, widths.iter().copied());
        assert!(pays(5_000_000, 20_000_000, &[8, 8, 4, 8, 4]));
        assert!(!pays(2_000_000, 20_000_000, &[8, 8, 4, 8, 4]));
        assert!(!pays(5_000_000, 20_000_000, &[8, 8]), "two columns");
        assert!(!pays(5_000_000, 20_000_000, &[8, 8, 17]), "wide values");
        assert!(!pays(500_000, 1_000_000, &[8, 8, 8]), "in a cache");
        assert!(!pays(500_000_000, 1_000_000_000, &[8, 8, 8]), "more than one sweep over a very large table");
    }
}
