//! Where the values that are reduced come from, and how they are cut.
//!
//! ```text
//! at once     any range at any time: a column of a selection, or computed range by range
//! windows     one run after another, whose number is not known before
//! ```

use std::ops::Range;
use std::sync::OnceLock;

use colstore_format::DType;
use colstore_kernels::reduce::{BLOCK_ROWS, Pairwise};

use super::{Reduction, Scalar, number_for, reduce_all};
use crate::error::{Error, ErrorKind, Result};
use crate::options::ReadOptions;
use crate::read::{STEP_ROWS, Values, run_chunks};

/// Chunks whose results are kept at most; beyond that chunks are made larger.
const MOST_CHUNKS: u64 = 1 << 16;

/// Rows that are reduced at once where values are handed over by others, see [`reduce_runs`].
pub const REDUCE_BLOCK_ROWS: usize = BLOCK_ROWS;

/// Reduces `n_rows` values of `dtype` that are computed, as [`Table::reduce`](crate::Table::reduce) does those of a column: the same values
/// have the same result, to the last bit.
///
/// `runs` is asked for one range of values after another, in no certain order and by several threads, and hands all of
/// them over in order, packed and in native byte order: in slices of any multiple of [`REDUCE_BLOCK_ROWS`] values, of
/// which the last of a range may have fewer. Ranges begin at multiples of it, too.
///
/// # Errors
///
/// [`UnsupportedType`](ErrorKind::UnsupportedType) for a dtype that has no such value,
/// [`Cancelled`](ErrorKind::Cancelled), and the first failure of `runs`.
///
/// # Panics
///
/// If a slice has another length.
pub fn reduce_runs<E: From<Error> + Send>(
    dtype: DType,
    n_rows: u64,
    reduction: Reduction,
    ddof: f64,
    options: &ReadOptions<'_>,
    runs: RunSource<'_, E>,
) -> std::result::Result<Scalar, E> {
    let number = number_for(dtype, reduction).map_err(|needed| {
        Error::new(ErrorKind::UnsupportedType, format!("{needed} column; the values are {dtype}"))
    })?;
    reduce_all(&AtOnce(&Computed { dtype, n_rows, runs }), number, reduction, ddof, options)
}

/// Hands over the values of a range, see [`reduce_runs`].
pub type RunSource<'a, E> =
    &'a (dyn Fn(Range<u64>, &mut dyn FnMut(&[u8])) -> std::result::Result<(), E> + Sync);

/// Adds the next values, see [`reduce_windows`].
pub type NextWindow<'a, E> = &'a mut dyn FnMut(&mut Vec<u8>) -> std::result::Result<bool, E>;

/// [`reduce_runs`] of values whose number is not known before they have come: `next` adds any number of the values that
/// come next, packed and in native byte order, to a vector, and says whether there may be more after them.
///
/// # Errors
///
/// As [`reduce_runs`].
///
/// # Panics
///
/// If the values are not whole.
pub fn reduce_windows<E: From<Error> + Send>(
    dtype: DType,
    reduction: Reduction,
    ddof: f64,
    options: &ReadOptions<'_>,
    next: NextWindow<'_, E>,
) -> std::result::Result<Scalar, E> {
    let number = number_for(dtype, reduction).map_err(|needed| {
        Error::new(ErrorKind::UnsupportedType, format!("{needed} column; the values are {dtype}"))
    })?;
    let windows = Windows { dtype, next: next.into(), n_values: 0.into() };
    reduce_all(&windows, number, reduction, ddof, options)
}

struct Computed<'a, E> {
    dtype: DType,
    n_rows: u64,
    runs: RunSource<'a, E>,
}

/// Values that are handed over in short runs.
pub(super) trait Runs: Sync {
    type Error: From<Error> + Send;

    fn len(&self) -> u64;

    fn dtype(&self) -> DType;

    /// Calls `f` for the values of `range` in order, any number of whole blocks of [`BLOCK_ROWS`] at a time; the last
    /// block may have fewer.
    fn blocks(
        &self,
        range: Range<u64>,
        f: &mut dyn FnMut(*const u8, usize),
    ) -> std::result::Result<(), Self::Error>;
}

impl Runs for Values<'_> {
    type Error = Error;

    fn len(&self) -> u64 {
        Values::len(self)
    }

    fn dtype(&self) -> DType {
        Values::dtype(self)
    }

    fn blocks(&self, range: Range<u64>, f: &mut dyn FnMut(*const u8, usize)) -> Result<()> {
        Values::blocks(self, range, BLOCK_ROWS as u64, f)
    }
}

impl<E: From<Error> + Send> Runs for Computed<'_, E> {
    type Error = E;

    fn len(&self) -> u64 {
        self.n_rows
    }

    fn dtype(&self) -> DType {
        self.dtype
    }

    fn blocks(&self, range: Range<u64>, f: &mut dyn FnMut(*const u8, usize)) -> std::result::Result<(), E> {
        let width = self.dtype.itemsize();
        let mut left = range.end - range.start;
        (self.runs)(range, &mut |values| {
            let n = (values.len() / width) as u64;
            assert!(n <= left && n as usize * width == values.len(), "whole values of the range");
            left -= n;
            assert!(
                left == 0 || n.is_multiple_of(BLOCK_ROWS as u64),
                "whole blocks before the end of the range"
            );
            f(values.as_ptr(), values.len() / width);
        })?;
        assert_eq!(left, 0, "all values of the range");
        Ok(())
    }
}

/// Values that blocks of are reduced and merged.
pub(super) trait Fold {
    type Error: From<Error> + Send;

    /// The number of values; of some that come one after another it is known when all have been folded.
    fn n_values(&self) -> u64;

    fn dtype(&self) -> DType;

    /// Merges the results of blocks; `None` if there are no values.
    ///
    /// `blocks` is given a number of whole blocks, or what is left at the end, and hands over the result of each; or of
    /// all of them as one, if it is the same in whatever order results are merged.
    fn fold<T: Copy + Send + Sync>(
        &self,
        options: &ReadOptions<'_>,
        blocks: impl Fn(*const u8, usize, &mut dyn FnMut(T)) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Copy,
    ) -> std::result::Result<Option<T>, Self::Error>;
}

/// Values of which any range can be had at any time.
pub(super) struct AtOnce<'a, V>(pub(super) &'a V);

impl<V: Runs> Fold for AtOnce<'_, V> {
    type Error = V::Error;

    fn n_values(&self) -> u64 {
        self.0.len()
    }

    fn dtype(&self) -> DType {
        self.0.dtype()
    }

    fn fold<T: Copy + Send + Sync>(
        &self,
        options: &ReadOptions<'_>,
        blocks: impl Fn(*const u8, usize, &mut dyn FnMut(T)) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Copy,
    ) -> std::result::Result<Option<T>, V::Error> {
        let values = self.0;
        let chunk_rows = chunk_rows(values.len());
        let chunks: Vec<OnceLock<T>> =
            (0..values.len().div_ceil(chunk_rows)).map(|_| OnceLock::new()).collect();
        let bytes = values.len().saturating_mul(values.dtype().itemsize() as u64);
        run_chunks::<V::Error>(chunks.len(), bytes, options, &|chunk| {
            let start = chunk as u64 * chunk_rows;
            let mut partial = Pairwise::new();
            values.blocks(start..values.len().min(start + chunk_rows), &mut |src, n| {
                blocks(src, n, &mut |result| partial.push(result, merge));
            })?;
            if let Some(result) = partial.finish(merge) {
                // Each chunk is handed out once.
                let _ = chunks[chunk].set(result);
            }
            Ok(())
        })?;
        let mut all = Pairwise::new();
        chunks.iter().filter_map(OnceLock::get).for_each(|&result| all.push(result, merge));
        Ok(all.finish(merge))
    }
}

/// Values that come one window after another.
struct Windows<'a, E> {
    dtype: DType,
    next: std::cell::RefCell<NextWindow<'a, E>>,
    n_values: std::cell::Cell<u64>,
}

impl<E: From<Error> + Send> Fold for Windows<'_, E> {
    type Error = E;

    fn n_values(&self) -> u64 {
        self.n_values.get()
    }

    fn dtype(&self) -> DType {
        self.dtype
    }

    fn fold<T: Copy + Send + Sync>(
        &self,
        options: &ReadOptions<'_>,
        blocks: impl Fn(*const u8, usize, &mut dyn FnMut(T)) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Copy,
    ) -> std::result::Result<Option<T>, E> {
        let width = self.dtype.itemsize();
        let chunk_bytes = STEP_ROWS as usize * width;
        let mut next = self.next.borrow_mut();
        let mut all = Pairwise::new();
        let mut values = Vec::new();
        loop {
            let more = next(&mut values)?;
            // What is no whole chunk waits for what comes next.
            let whole = if more { values.len() / chunk_bytes * chunk_bytes } else { values.len() };
            let bytes = &values[..whole];
            let chunks: Vec<OnceLock<T>> =
                (0..whole.div_ceil(chunk_bytes)).map(|_| OnceLock::new()).collect();
            run_chunks::<E>(chunks.len(), whole as u64, options, &|chunk| {
                let mut partial = Pairwise::new();
                let end = whole.min((chunk + 1) * chunk_bytes);
                let values = &bytes[chunk * chunk_bytes..end];
                blocks(values.as_ptr(), values.len() / width, &mut |result| partial.push(result, merge));
                if let Some(result) = partial.finish(merge) {
                    let _ = chunks[chunk].set(result);
                }
                Ok(())
            })?;
            chunks.iter().filter_map(OnceLock::get).for_each(|&result| all.push(result, merge));
            self.n_values.set(self.n_values.get() + (whole / width) as u64);
            values.drain(..whole);
            if !more {
                return Ok(all.finish(merge));
            }
        }
    }
}

/// Rows of a chunk: a power of two, so that chunks are subtrees of the order of blocks whatever their size.
fn chunk_rows(n_rows: u64) -> u64 {
    STEP_ROWS.max(n_rows.div_ceil(MOST_CHUNKS).next_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_few_and_whole_blocks() {
        for n_rows in [0, 1, STEP_ROWS, STEP_ROWS * MOST_CHUNKS, STEP_ROWS * MOST_CHUNKS + 1, 1 << 50] {
            let rows = chunk_rows(n_rows);
            assert!(rows.is_power_of_two() && rows >= BLOCK_ROWS as u64);
            assert!(n_rows.div_ceil(rows) <= MOST_CHUNKS);
        }
    }
}
