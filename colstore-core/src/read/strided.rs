//! Every n-th row, forwards or backwards.
//!
//! ```text
//! for each chunk of output rows:
//!     for each piece of the table that its rows touch:
//!         for each column: pack the piece's rows, `step` items apart, to the output
//! ```

use std::ops::Range;

use colstore_kernels::stride;

use super::run_chunks;
use super::target::Target;
use crate::error::Result;
use crate::options::{CHUNK_BYTES, ReadOptions};
use crate::part::{Piece, pieces};
use crate::rows::nth;
use crate::table::Table;

/// Rows of a field that are packed aside before they are put into their records.
const ASIDE: usize = 1024;

pub(super) fn read(
    table: &Table,
    targets: &[Target],
    first: u64,
    step: i64,
    len: u64,
    options: &ReadOptions<'_>,
) -> Result<()> {
    if len == 0 {
        return Ok(());
    }
    let (a, b) = (first, nth(first, step, len - 1));
    table.check_files(a.min(b)..a.max(b) + 1)?;
    let row_size: u64 = targets.iter().map(|t| t.width as u64).sum();
    let chunk_rows = (CHUNK_BYTES / row_size.max(1)).max(1);
    let n_chunks = len.div_ceil(chunk_rows) as usize;
    // Whole cache lines are fetched, of which a step uses a part.
    let bytes = len.saturating_mul(row_size).saturating_mul(step.unsigned_abs().min(8));
    run_chunks(n_chunks, bytes, options, &|chunk| {
        let from = chunk as u64 * chunk_rows;
        let to = (from + chunk_rows).min(len);
        let (a, b) = (nth(first, step, from), nth(first, step, to - 1));
        let origin = a.min(b);
        for piece in pieces(table.parts(), origin..a.max(b) + 1) {
            let piece_rows = origin + piece.out_row..origin + piece.out_row + piece.n_rows();
            let out = covered(first, step, from..to, &piece_rows);
            if out.is_empty() {
                continue;
            }
            let skipped = nth(first, step, out.start) - piece_rows.start;
            for target in targets {
                // SAFETY: the output rows are the chunk's, which no other thread writes.
                unsafe { copy(target, &piece, skipped, step, &out) };
            }
        }
        Ok(())
    })
}

/// Which output rows of `out` come from `rows` of the table, where output row `i` is row `first + i * step`.
fn covered(first: u64, step: i64, out: Range<u64>, rows: &Range<u64>) -> Range<u64> {
    let width = step.unsigned_abs();
    // How many steps it takes from `first` to get to or beyond a row.
    let steps = |distance: Option<u64>| distance.map_or(0, |distance| distance.div_ceil(width));
    let (from, to) = match step > 0 {
        true => (steps(rows.start.checked_sub(first)), steps(rows.end.checked_sub(first))),
        // Downwards: the first row below the end, up to the first one below the start.
        false => (steps((first + 1).checked_sub(rows.end)), steps((first + 1).checked_sub(rows.start))),
    };
    from.clamp(out.start, out.end)..to.clamp(out.start, out.end)
}

/// # Safety
///
/// Row `skipped` of the piece and the next ones `step` apart must be rows of the piece, one for each of `out`,
/// which must be rows of the output that nobody else writes.
unsafe fn copy(target: &Target, piece: &Piece<'_>, skipped: u64, step: i64, out: &Range<u64>) {
    let width = target.width;
    let src = piece.address(target.column).wrapping_add(skipped as usize * width);
    let src_stride = step as isize * width as isize;
    let (row, n) = (out.start as usize, (out.end - out.start) as usize);
    if target.is_packed() {
        // SAFETY: `src` and the values `src_stride` apart are the piece's, which are mapped; the output rows
        // are the caller's to write and do not overlap the mapping.
        unsafe {
            let dst = target.at(row);
            stride::pack_with(target.stores(), src, src_stride, dst, n, width);
            target.swap(dst, n);
        }
        return;
    }
    let mut aside: Vec<u8> = Vec::with_capacity(n.min(ASIDE) * width);
    for start in (0..n).step_by(ASIDE) {
        let n = ASIDE.min(n - start);
        let src = src.wrapping_offset(start as isize * src_stride);
        // SAFETY: as above; `aside` has room for `n` values.
        unsafe {
            stride::pack(src, src_stride, aside.as_mut_ptr(), n, width);
            target.put(aside.as_mut_ptr(), row + start, n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_rows_are_those_of_the_progression() {
        for first in 0..12u64 {
            for step in [-5i64, -3, -2, -1, 1, 2, 3, 7] {
                for len in 0..12u64 {
                    let rows: Vec<i64> = (0..len as i64).map(|i| first as i64 + i * step).collect();
                    if rows.iter().any(|&row| row < 0) {
                        continue;
                    }
                    for start in 0..20u64 {
                        for end in start..20 {
                            let oracle: Vec<u64> = (0..len)
                                .filter(|&i| (start..end).contains(&(rows[i as usize] as u64)))
                                .collect();
                            let found: Vec<u64> = covered(first, step, 0..len, &(start..end)).collect();
                            assert_eq!(found, oracle, "{first} {step} {len} {start}..{end}");
                        }
                    }
                }
            }
        }
    }
}
