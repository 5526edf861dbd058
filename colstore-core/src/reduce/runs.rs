//! Where the values that are reduced come from, and how they are cut.
//!
//! ```text
//! at once     any range at any time: a column of a selection, or computed range by range
//! parts       as many as there are, each by itself: their lengths are not known before
//! ```

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use colstore_format::DType;
use colstore_kernels::reduce::{BLOCK_ROWS, Blocks, Pairwise};

use super::{Reduction, Scalar, number_for, reduce_all};
use crate::error::{Error, ErrorKind, Result};
use crate::options::ReadOptions;
use crate::read::{Values, run_chunks};

/// Rows that a thread takes at a time, or more: streams of kernels are then as long as they pay.
const CHUNK_ROWS: u64 = 1 << 17;

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

/// Adds the values of a part, see [`reduce_parts`].
pub type PartSource<'a, E> = &'a (dyn Fn(usize, &mut Vec<u8>) -> std::result::Result<(), E> + Sync);

/// Reduces values of `dtype` that come in `n_parts` parts of any length, `bytes` bytes or less together: each part by
/// itself, and what they come to pairwise, in their order. So the result depends on how values are shared out among
/// parts, in the last digits, but not on who computes them.
///
/// `part` is called for every part, in no certain order and by several threads, and adds its values, packed and in
/// native byte order, to an empty vector.
///
/// # Errors
///
/// [`UnsupportedType`](ErrorKind::UnsupportedType) for a dtype that has no such value,
/// [`Cancelled`](ErrorKind::Cancelled), and the first failure of `part`.
///
/// # Panics
///
/// If the values of a part are not whole.
pub fn reduce_parts<E: From<Error> + Send>(
    dtype: DType,
    (n_parts, bytes): (usize, u64),
    reduction: Reduction,
    ddof: f64,
    options: &ReadOptions<'_>,
    part: PartSource<'_, E>,
) -> std::result::Result<Scalar, E> {
    let number = number_for(dtype, reduction).map_err(|needed| {
        Error::new(ErrorKind::UnsupportedType, format!("{needed} column; the values are {dtype}"))
    })?;
    let parts = Parts { dtype, n_parts, bytes, part, n_values: AtomicU64::new(0), spare: Mutex::default() };
    reduce_all(&parts, number, reduction, ddof, options)
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

    /// Calls `f` for the values of `range` in order, any number of whole blocks at a time; the last block may be shorter.
    fn blocks(
        &self,
        range: Range<u64>,
        f: &mut dyn FnMut(Blocks<'_>),
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

    fn blocks(&self, range: Range<u64>, f: &mut dyn FnMut(Blocks<'_>)) -> Result<()> {
        Values::blocks(self, range, f)
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

    fn blocks(&self, range: Range<u64>, f: &mut dyn FnMut(Blocks<'_>)) -> std::result::Result<(), E> {
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
            Blocks::side_by_side(values.as_ptr(), values.len() / width, width, &mut *f);
        })?;
        assert_eq!(left, 0, "all values of the range");
        Ok(())
    }
}

/// Values whose blocks are reduced, and the results merged.
pub(super) trait Fold {
    type Error: From<Error> + Send;

    /// The number of values; of some that come one after another it is known when all have been folded.
    fn n_values(&self) -> u64;

    fn dtype(&self) -> DType;

    /// Merges the results of blocks; `None` if there are no values.
    ///
    /// `blocks` hands over the result of each block that it is given; or of all of them as one, if it is the same in
    /// whatever order results are merged.
    fn fold<T: Copy + Send + Sync>(
        &self,
        options: &ReadOptions<'_>,
        blocks: impl Fn(Blocks<'_>, &mut dyn FnMut(T)) + Sync,
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
        blocks: impl Fn(Blocks<'_>, &mut dyn FnMut(T)) + Sync,
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
            values.blocks(start..values.len().min(start + chunk_rows), &mut |found| {
                blocks(found, &mut |result| partial.push(result, merge));
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

/// Values that come in parts, whose lengths are known when they have come.
struct Parts<'a, E> {
    dtype: DType,
    n_parts: usize,
    bytes: u64,
    part: PartSource<'a, E>,
    n_values: AtomicU64,
    /// Vectors that nobody is using: fresh memory would cost as much as what fills it.
    spare: Mutex<Vec<Vec<u8>>>,
}

impl<E: From<Error> + Send> Fold for Parts<'_, E> {
    type Error = E;

    fn n_values(&self) -> u64 {
        self.n_values.load(Ordering::Relaxed)
    }

    fn dtype(&self) -> DType {
        self.dtype
    }

    fn fold<T: Copy + Send + Sync>(
        &self,
        options: &ReadOptions<'_>,
        blocks: impl Fn(Blocks<'_>, &mut dyn FnMut(T)) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Copy,
    ) -> std::result::Result<Option<T>, E> {
        let width = self.dtype.itemsize();
        let results: Vec<OnceLock<T>> = (0..self.n_parts).map(|_| OnceLock::new()).collect();
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        run_chunks::<E>(self.n_parts, self.bytes, options, &|part| {
            let taken = spare().pop();
            let mut values = taken.unwrap_or_default();
            values.clear();
            (self.part)(part, &mut values)?;
            assert!(values.len().is_multiple_of(width), "whole values");
            if !values.is_empty() {
                let mut partial = Pairwise::new();
                Blocks::side_by_side(values.as_ptr(), values.len() / width, width, |found| {
                    blocks(found, &mut |result| partial.push(result, merge));
                });
                if let Some(result) = partial.finish(merge) {
                    // Each part is handed out once.
                    let _ = results[part].set(result);
                }
                self.n_values.fetch_add((values.len() / width) as u64, Ordering::Relaxed);
            }
            spare().push(values);
            Ok(())
        })?;
        let mut all = Pairwise::new();
        results.iter().filter_map(OnceLock::get).for_each(|&result| all.push(result, merge));
        Ok(all.finish(merge))
    }
}

/// Rows of a chunk: a power of two, so that chunks are subtrees of the order of blocks whatever their size.
fn chunk_rows(n_rows: u64) -> u64 {
    CHUNK_ROWS.max(n_rows.div_ceil(MOST_CHUNKS).next_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_few_and_whole_blocks() {
        for n_rows in [0, 1, CHUNK_ROWS, CHUNK_ROWS * MOST_CHUNKS, CHUNK_ROWS * MOST_CHUNKS + 1, 1 << 50] {
            let rows = chunk_rows(n_rows);
            assert!(rows.is_power_of_two() && rows >= BLOCK_ROWS as u64);
            assert!(n_rows.div_ceil(rows) <= MOST_CHUNKS);
        }
    }
}
