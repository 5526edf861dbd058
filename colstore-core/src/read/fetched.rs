//! Rows of files that are not mapped, or not all of them: fetched piece by piece.
//!
//! ```text
//! rows side by side:    for each chunk of them: fetch each piece, straight to the output where that is packed
//! rows in any order:    for each chunk of them:
//!                           put them in ascending order
//!                           for each run of rows that lie close together in one record:
//!                               for each column: fetch all from the first to the last to a scratch,
//!                                                put those that are wanted to their output rows
//! ```
//!
//! Every byte comes through a system call that can fail, so a file that is cut short is an error here.

use std::ops::Range;

use colstore_kernels::mask as kernel;

use super::gathered;
use super::run_chunks;
use super::target::Target;
use crate::error::Result;
use crate::options::{CHUNK_BYTES, ReadOptions};
use crate::part::{Piece, pieces};
use crate::rows::{Mask, Rows, Selection};
use crate::table::Table;

/// Bytes that a thread fetches aside at once, unless one value is larger.
const SCRATCH: usize = 256 << 10;
/// Bytes between two values that are fetched along rather than left out by a system call of its own.
const GAP: u64 = 4096;
/// Rows in any order that a thread takes at once.
const CHUNK_ROWS: usize = 1 << 15;
/// What a system call costs, in bytes that could have been copied meanwhile.
const CALL_BYTES: u64 = 4096;

/// Fills `targets`, which were checked, with `rows`.
pub(super) fn read(
    table: &Table,
    targets: &[Target],
    rows: &Rows<'_>,
    options: &ReadOptions<'_>,
) -> Result<()> {
    if targets.is_empty() || rows.is_empty() {
        return Ok(());
    }
    if let Some(range) = rows.side_by_side() {
        return side_by_side(table, targets, range, options);
    }
    match rows.selection() {
        Selection::Unchecked(range) => side_by_side(table, targets, range.clone(), options),
        Selection::Range { first, step, len } => {
            scattered(table, targets, &gathered::Source::progression(*first, *step, *len), options)
        }
        Selection::Indices { indices, order } => {
            let source = gathered::Source::indices(indices, *order, table.n_rows());
            scattered(table, targets, &source, options)
        }
        Selection::Mask(mask) => masked(table, targets, mask, options),
    }
}

pub(super) fn side_by_side(
    table: &Table,
    targets: &[Target],
    rows: Range<u64>,
    options: &ReadOptions<'_>,
) -> Result<()> {
    let n = rows.end - rows.start;
    let row_size: u64 = targets.iter().map(|t| t.width as u64).sum();
    let chunk_rows = (CHUNK_BYTES / row_size.max(1)).max(1);
    let bytes = n.saturating_mul(row_size);
    run_chunks(n.div_ceil(chunk_rows) as usize, bytes, options, &|chunk| {
        let start = chunk as u64 * chunk_rows;
        let end = n.min(start + chunk_rows);
        for piece in pieces(table.parts(), rows.start + start..rows.start + end) {
            for target in targets {
                // SAFETY: the output rows are the chunk's, which no other thread writes.
                unsafe { copy(&piece, target, (start + piece.out_row) as usize)? };
            }
        }
        Ok(())
    })
}

/// # Safety
///
/// As many output rows from `row` on as the piece has must be the output's, written by nobody else.
unsafe fn copy(piece: &Piece<'_>, target: &Target, row: usize) -> Result<()> {
    if target.is_packed() {
        // SAFETY: the caller's promise: room for all values of the piece, side by side.
        unsafe {
            let dst = target.at(row);
            piece.copy(target.column, 0, piece.n_rows(), dst)?;
            target.swap(dst, piece.n_rows() as usize);
        }
        return Ok(());
    }
    let room = (SCRATCH / target.width).max(1) as u64;
    let mut scratch: Vec<u8> = Vec::with_capacity(piece.n_rows().min(room) as usize * target.width);
    for first in (0..piece.n_rows()).step_by(room as usize) {
        let n = room.min(piece.n_rows() - first);
        // SAFETY: the scratch has room for `n` values, and these output rows are among the caller's.
        unsafe {
            piece.copy(target.column, first, n, scratch.as_mut_ptr())?;
            target.put(scratch.as_mut_ptr(), row + first as usize, n as usize);
        }
    }
    Ok(())
}

fn scattered(
    table: &Table,
    targets: &[Target],
    source: &gathered::Source<'_>,
    options: &ReadOptions<'_>,
) -> Result<()> {
    let n = source.len();
    run_chunks(n.div_ceil(CHUNK_ROWS), cost(targets, n as u64), options, &|chunk| {
        let from = chunk * CHUNK_ROWS;
        let mut rows = vec![0; CHUNK_ROWS.min(n - from)];
        source.load(from, &mut rows)?;
        // SAFETY: these output rows are the chunk's, which no other thread writes.
        unsafe { fetch(table, targets, &rows, from) }
    })
}

fn masked(table: &Table, targets: &[Target], mask: &Mask, options: &ReadOptions<'_>) -> Result<()> {
    run_chunks(mask.n_blocks(), cost(targets, mask.count()), options, &|block| {
        let (range, out_row) = mask.block(block);
        let n = (range.end - range.start) as usize;
        let mut rows = vec![0; n];
        let found = kernel::positions(mask.words(), range.start as usize, n, range.start, &mut rows);
        // SAFETY: the output rows behind those of all bits before are this block's alone.
        unsafe { fetch(table, targets, &rows[..found], out_row as usize) }
    })
}

fn cost(targets: &[Target], n_rows: u64) -> u64 {
    let row: u64 = targets.iter().map(|t| t.width as u64 + CALL_BYTES).sum();
    n_rows.saturating_mul(row)
}

/// Fetches `rows` of the table, in any order, to output rows `out_row..`.
///
/// # Safety
///
/// As many output rows from `out_row` on as there are rows must be the output's, written by nobody else.
pub(super) unsafe fn fetch(table: &Table, targets: &[Target], rows: &[u64], out_row: usize) -> Result<()> {
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    if !rows.is_sorted() {
        order.sort_unstable_by_key(|&i| rows[i as usize]);
    }
    let widest = targets.iter().map(|t| t.width).max().unwrap_or(1);
    let mut scratch: Vec<u8> = Vec::with_capacity(widest.max(SCRATCH));
    let mut start = 0;
    while start < order.len() {
        let first = rows[order[start] as usize];
        let Some(piece) = pieces(table.parts(), first..table.n_rows()).next() else { break };
        let (end, last) = run(rows, &order, start, piece.n_rows(), widest);
        for target in targets {
            // SAFETY: the run's rows are the piece's and fit the scratch; value `i` of them is at `i` widths. The
            // output rows are the caller's to write.
            unsafe {
                piece.copy(target.column, 0, last - first + 1, scratch.as_mut_ptr())?;
                for &i in &order[start..end] {
                    let value = scratch.as_ptr().add((rows[i as usize] - first) as usize * target.width);
                    let dst = target.at(out_row + i as usize);
                    std::ptr::copy_nonoverlapping(value, dst, target.width);
                    target.swap(dst, 1);
                }
            }
        }
        start = end;
    }
    Ok(())
}

/// The end of the run that begins at `start` of `order`, and its last row: rows within `n_rows` of the first one,
/// close together, of no more bytes than are fetched at once.
fn run(rows: &[u64], order: &[u32], start: usize, n_rows: u64, width: usize) -> (usize, u64) {
    let first = rows[order[start] as usize];
    let width = width as u64;
    let mut last = first;
    let mut end = start + 1;
    while let Some(&i) = order.get(end) {
        let row = rows[i as usize];
        let gap = (row - last).saturating_sub(1).saturating_mul(width);
        let bytes = (row - first + 1).saturating_mul(width);
        // The same row again costs nothing.
        if row - first >= n_rows || gap > GAP || (bytes > SCRATCH as u64 && row > last) {
            break;
        }
        last = row;
        end += 1;
    }
    (end, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_they_should() {
        let rows = [10, 10, 11, 13, 600, 2000, 2001];
        let order: Vec<u32> = (0..rows.len() as u32).collect();
        assert_eq!(run(&rows, &order, 0, 10_000, 1), (7, 2001));
        // Far apart.
        assert_eq!(run(&rows, &order, 0, 10_000, 8), (4, 13));
        assert_eq!(run(&rows, &order, 5, 10_000, 8), (7, 2001));
        // The end of the record.
        assert_eq!(run(&rows, &order, 0, 3, 1), (3, 11));
        assert_eq!(run(&rows, &order, 0, 1, 1), (2, 10));
        // Larger than the scratch: one row at a time.
        assert_eq!(run(&rows, &order, 0, 10_000, SCRATCH + 1), (2, 10));
        assert_eq!(run(&rows, &order, 2, 10_000, SCRATCH), (3, 11));
    }
}
