//! The rows whose bit is set.
//!
//! ```text
//! for each block of 65,536 rows that has a bit set:
//!     output rows begin at the number of bits set before the block
//!     packed columns: for each piece of the table in the block: compress its values
//!     records:        positions of the bits, a thousand at a time; gather them
//! ```

use colstore_kernels::mask as kernel;

use super::gathered::{BLOCK, Gather};
use super::run_chunks;
use super::target::Target;
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
    let packed = targets.iter().all(Target::is_packed);
    let gather = (!packed).then(|| Gather::new(table, targets, true));
    let row_size: u64 = targets.iter().map(|t| t.width as u64).sum();
    // Half of what lies between is read along, if the bits are dense; at least the bits themselves are.
    let bytes = table.n_rows() / 8 + mask.count().saturating_mul(2 * row_size);
    run_chunks(mask.n_blocks(), bytes, options, &|block| {
        if mask.block_count(block) > 0 {
            match &gather {
                Some(gather) => gather_block(gather, mask, block),
                None => compress_block(table, targets, mask, block),
            }
        }
        Ok(())
    })
}

fn compress_block(table: &Table, targets: &[Target], mask: &Mask, block: usize) {
    let (rows, out_row) = mask.block(block);
    for target in targets {
        let mut written = 0;
        for piece in pieces(table.parts(), rows.clone()) {
            let first_bit = (rows.start + piece.out_row) as usize;
            let n = piece.n_rows() as usize;
            let src = piece.address(target.column);
            // SAFETY: the piece holds `n` values at `src`, which are mapped; the values set among them go to
            // output rows behind those of all bits before, which only this block writes.
            written += unsafe {
                let dst = target.at(out_row as usize + written);
                kernel::compress(target.width, src, mask.words(), first_bit, n, dst)
            };
        }
        // SAFETY: these output rows were written just now, by this block.
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
