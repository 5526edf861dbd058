//! Reading rows into memory of the caller's, and lending them where they lie.
//!
//! Every read is the same three steps: check everything that was asked before a byte is written (but for many indices of
//! a selection that is used once, which are checked as they are loaded); cut the output into chunks; let threads take
//! chunk after chunk. What a chunk's loop is depends on the selection alone:
//!
//! | selection | columns | records |
//! |---|---|---|
//! | rows side by side | `columns`: copy, byteswap | `records`: interleave |
//! | every n-th row | `strided`: pack, then finish | the same |
//! | rows in any order | `gathered`: find segments once, gather each column; `regrouped` for many, `swept` for a good part of all | the same |
//! | mask | `masked`: compress | positions, then as `gathered` |
//! | any, a block at a time | `blocks`: for whoever computes with the values | |
//! | any, of files that are not mapped | `fetched`: through the descriptor | the same |

mod blocks;
mod columns;
mod fetched;
mod fill;
mod gathered;
mod lined_up;
mod masked;
mod output;
mod records;
mod regrouped;
mod strided;
mod swept;
mod target;
mod values;
mod view;

pub use blocks::{BlockCursor, BlockReader};
pub use columns::ColumnOutput;
pub use fill::{Fill, FillOutput, fill};
pub(crate) use values::Values;
pub use view::ColumnView;

use std::sync::{Mutex, PoisonError};

use colstore_kernels::pool;

use crate::error::{Error, ErrorKind, Result};
use crate::options::{ReadOptions, threads};
use crate::rows::{Rows, Selection};
use crate::table::Table;
use target::Target;

/// Steps of more bytes than this read whole pages for one value each: as well jump to every row by itself.
const LONG_STEP: u64 = 4096;

impl Table {
    /// Checks a selection; gives the number of rows.
    pub(crate) fn check_rows(&self, rows: &Rows<'_>) -> Result<u64> {
        rows.check(self.n_rows()).map_err(|e| self.blame(e))?;
        Ok(rows.len())
    }

    pub(crate) fn check_column(&self, column: usize) -> Result<()> {
        let n_columns = self.schema().len();
        if column < n_columns {
            return Ok(());
        }
        let message =
            format!("column position {column} is out of bounds: {} has {n_columns} columns", self.name());
        Err(self.blame(Error::new(ErrorKind::OutOfBounds, message)))
    }

    /// Fills `targets`, which were checked, with rows that do not lie side by side.
    fn read_scattered(&self, targets: &[Target], rows: &Rows<'_>, options: &ReadOptions<'_>) -> Result<()> {
        match rows.selection() {
            Selection::Range { first, step, len } => {
                let widest = targets.iter().map(|t| t.width as u64).max().unwrap_or(0);
                if step.unsigned_abs().saturating_mul(widest) <= LONG_STEP {
                    strided::read(self, targets, *first, *step, *len, options)
                } else {
                    gathered::read(
                        self,
                        targets,
                        &gathered::Source::progression(*first, *step, *len),
                        options,
                    )
                }
            }
            Selection::Indices { indices, order } => gathered::read(
                self,
                targets,
                &gathered::Source::indices(indices, *order, self.n_rows()),
                options,
            ),
            Selection::Mask(mask) => masked::read(self, targets, mask, options),
            // Rows side by side are read by `columns` and `records`.
            Selection::Unchecked(range) => {
                let len = range.end - range.start;
                strided::read(self, targets, range.start, 1, len, options)
            }
        }
    }
}

/// What a chunk is reported as.
fn chunk_bytes(n_chunks: usize, bytes: u64) -> u64 {
    bytes.div_ceil(n_chunks.max(1) as u64)
}

/// The total that [`run_chunks`] reports: somewhat more than `bytes`.
pub(crate) fn reported_bytes(n_chunks: usize, bytes: u64) -> u64 {
    chunk_bytes(n_chunks, bytes).saturating_mul(n_chunks as u64)
}

/// Runs `work` over chunks on as many threads as `bytes` bytes deserve; the first error ends it.
pub(crate) fn run_chunks<E: From<Error> + Send>(
    n_chunks: usize,
    bytes: u64,
    options: &ReadOptions<'_>,
    work: &(dyn Fn(usize) -> std::result::Result<(), E> + Sync),
) -> std::result::Result<(), E> {
    let failure: Mutex<Option<E>> = Mutex::new(None);
    let locked = || failure.lock().unwrap_or_else(PoisonError::into_inner);
    let n_threads = threads(options.max_threads, bytes);
    pool::run(n_threads, n_chunks, options.progress, chunk_bytes(n_chunks, bytes), &|chunk| {
        if n_threads > 1 && locked().is_some() {
            return;
        }
        if let Err(e) = work(chunk) {
            locked().get_or_insert(e);
        }
    })
    .map_err(Error::from)?;
    match locked().take() {
        Some(e) => Err(e),
        None => Ok(()),
    }
}
