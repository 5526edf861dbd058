//! The rows whose bit is set.
//!
//! ```text
//! for each block of 65,536 rows that has a bit set:
//!     output rows begin at the number of bits set before the block
//!     packed columns: for each piece of the table in the block: compress its values
//!     records:        positions of the bits, a thousand at a time; gather them
//! ```

use std::ops::Range;

use colstore_kernels::mask as kernel;

use super::gathered::{BLOCK, Gather};
use super::run_chunks;
use super::target::Target;
use crate::advice::Sparse;
use crate::config;
use crate::error::Result;
use crate::options::ReadOptions;
use crate::part::pieces;
use crate::rows::Mask;
use crate::table::Table;

pub(super) fn read(table: &Table, targets: &[Target], mask: &Mask, options: &ReadOptions<'_>) -> Result<()> {
    if mask.count() == 0 || targets.is_empty() {
        return Ok(());
    }
    table.check_files(0..table.n_rows())?;
    let _advised = Sparse::announce(table, mask.count(), targets.iter().map(|t| t.width));
    let is_dense = mask.count() as f64 >= config::mask_density_gate() * table.n_rows() as f64;
    let packed = is_dense && targets.iter().all(Target::is_packed);
    let gather = (!packed).then(|| Gather::new(table, targets, true));
    let row_size: u64 = targets.iter().map(|t| t.width as u64).sum();
    // Half of what lies between is read along, if the bits are dense; at least the bits themselves are.
    let bytes = table.n_rows() / 8 + mask.count().saturating_mul(2 * row_size);
    run_chunks(mask.n_blocks(), bytes, options, &|block| {
        if mask.block_count(block) > 0 {
            match &gather {
                Some(gather) => gather_block(gather, mask, block),
                None => {
                    let (rows, out_row) = mask.block(block);
                    compress(table, targets, mask, rows, out_row);
                }
            }
        }
        Ok(())
    })
}

/// Copies those of `rows` whose bit is set to output rows `out_row..`, which must be there, and the caller's alone.
/// Targets are packed.
pub(super) fn compress(table: &Table, targets: &[Target], mask: &Mask, rows: Range<u64>, out_row: u64) {
    for target in targets {
        let mut written = 0;
        for piece in pieces(table.parts(), rows.clone()) {
            let first_bit = (rows.start + piece.out_row) as usize;
            let n = piece.n_rows() as usize;
            let src = piece.address(target.column);
            // SAFETY: the piece holds `n` values at `src`, which are mapped; the values set among them go to
            // output rows behind those of the bits before, which only this call writes.
            written += unsafe {
                let dst = target.at(out_row as usize + written);
                kernel::compress(target.stores(), target.width, src, mask.words(), first_bit, n, dst)
            };
        }
        // SAFETY: these output rows were written just now, by this call.
        unsafe { target.swap(target.at(out_row as usize), written) };
    }
}

fn gather_block(gather: &Gather<'_>, mask: &Mask, block: usize) {
    let (rows, out_row) = mask.block(block);
    let mut out_row = out_row as usize;
    let mut positions = [0u64; BLOCK];
    for from in (rows.start..rows.end).step_by(BLOCK) {
        let n = (rows.end - from).min(BLOCK as u64) as usize;
        let found = kernel::positions(mask.words(), from as usize, n, from, &mut positions);
        // SAFETY: bits are set for rows of the table only; output rows as in `compress_block`.
        unsafe { gather.block(&positions[..found], out_row) };
        out_row += found;
    }
}
