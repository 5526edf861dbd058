//! Rows in any order.
//!
//! ```text
//! for each chunk of output rows:
//!     for each block of a thousand of them:
//!         load the row numbers                           once
//!         find the segment of each                       once, if there are several
//!         for each column: gather its values             from the segments' addresses
//! ```
//!
//! A handful of rows of a table whose segment addresses have not been needed before are looked up one by one,
//! so that one row never costs a walk over all records.

use colstore_kernels::{Segments, gather, prefetch};

use super::target::Target;
use super::{regrouped, run_chunks, swept};
use crate::advice::Sparse;
use crate::config;
use crate::error::Result;
use crate::layout::Layout;
use crate::options::ReadOptions;
use crate::part::pieces;
use crate::rows::{Indices, Order, nth};
use crate::table::Table;

/// Output rows that are worked on at once, so that what is known of them stays in the first-level cache.
pub(super) const BLOCK: usize = 1024;
/// So few rows take less time than to clear memory for a block.
const FEW: usize = 32;
/// Blocks that a thread takes at once.
const CHUNK_BLOCKS: usize = 32;
/// Bytes that a value jumped to costs, at least: half a cache line, since neighbours share some.
const JUMP_BYTES: u64 = 32;

/// Row numbers by output row.
pub(super) enum Source<'a> {
    Indices { indices: &'a Indices<'a>, order: Order, n_rows: u64 },
    Progression { first: u64, step: i64, len: u64 },
}

impl<'a> Source<'a> {
    pub(super) fn indices(indices: &'a Indices<'a>, order: Order, n_rows: u64) -> Source<'a> {
        Source::Indices { indices, order, n_rows }
    }

    pub(super) fn progression(first: u64, step: i64, len: u64) -> Source<'a> {
        Source::Progression { first, step, len }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Source::Indices { indices, .. } => indices.len(),
            Source::Progression { len, .. } => *len as usize,
        }
    }

    /// Whether rows should be expected to ascend.
    pub(super) fn seems_sorted(&self) -> bool {
        match self {
            Source::Indices { order, .. } => order.seems_ascending(),
            Source::Progression { step, .. } => *step > 0,
        }
    }

    /// Loads the rows of output rows `from..from + out.len()`; all of them are rows of the table.
    pub(super) fn load(&self, from: usize, out: &mut [u64]) -> Result<()> {
        match self {
            Source::Indices { indices, n_rows, .. } => indices.load(from, *n_rows, out),
            Source::Progression { first, step, .. } => {
                let mut row = nth(*first, *step, from as u64);
                for out in out {
                    *out = row;
                    row = row.wrapping_add_signed(*step);
                }
                Ok(())
            }
        }
    }
}

pub(super) fn read(
    table: &Table,
    targets: &[Target],
    source: &Source<'_>,
    options: &ReadOptions<'_>,
) -> Result<()> {
    let n = source.len();
    if n == 0 {
        return Ok(());
    }
    let n_files = table.parts().len();
    let is_quiet = table.is_quiet(n.min(n_files));
    // To look at all files would take longer than to look the rows up one by one.
    let few_files = !is_quiet && n < n_files / 2;
    if few_files || (!table.has_layout() && n.saturating_mul(16) < table.n_records()) {
        return read_few(table, targets, source, is_quiet);
    }
    if !is_quiet {
        table.look_at(0..n_files)?;
    }
    let widths = targets.iter().map(|target| target.width);
    if !source.seems_sorted() && swept::pays(n, table.n_rows(), widths.clone()) {
        return swept::read(table, targets, source, options);
    }
    let gather = Gather::new(table, targets, source.seems_sorted());
    let _advised = Sparse::announce(table, n as u64, widths.clone());
    let chunk_rows = CHUNK_BLOCKS * BLOCK;
    let row_bytes: u64 = widths.clone().map(|width| (width as u64).max(JUMP_BYTES)).sum();
    let bytes = (n as u64).saturating_mul(8 + row_bytes);
    if !source.seems_sorted() && regrouped::pays(n, table.n_rows(), widths) {
        return regrouped::read(&gather, source, bytes, options);
    }
    run_chunks(n.div_ceil(chunk_rows), bytes, options, &|chunk| {
        let (mut few, mut many);
        let rows: &mut [u64] = if n <= FEW {
            few = [0; FEW];
            &mut few
        } else {
            many = [0; BLOCK];
            &mut many
        };
        let end = n.min((chunk + 1) * chunk_rows);
        for from in (chunk * chunk_rows..end).step_by(BLOCK) {
            let rows = &mut rows[..BLOCK.min(end - from)];
            source.load(from, rows)?;
            // SAFETY: `load` gives rows of the table, and these output rows are the chunk's.
            unsafe { gather.block(rows, from) };
        }
        Ok(())
    })
}

/// One by one, without what takes time in proportion to the records; files are checked unless they are quiet.
fn read_few(table: &Table, targets: &[Target], source: &Source<'_>, is_quiet: bool) -> Result<()> {
    let mut row = [0u64];
    let mut checked = 0..0;
    for i in 0..source.len() {
        source.load(i, &mut row)?;
        if !is_quiet && !checked.contains(&row[0]) {
            checked = table.check_file_of(row[0])?;
        }
        for piece in pieces(table.parts(), row[0]..row[0] + 1) {
            for target in targets {
                let src = piece.address(target.column);
                // SAFETY: the piece holds one value at `src`, which is mapped; output row `i` is ours.
                unsafe {
                    let dst = target.at(i);
                    std::ptr::copy_nonoverlapping(src, dst, target.width);
                    target.swap(dst, 1);
                }
            }
        }
    }
    Ok(())
}

/// What gathering takes to know of a table.
pub(super) struct Gather<'a> {
    layout: &'a Layout,
    targets: &'a [Target],
    origins: Vec<&'a [*const u8]>,
    /// Whether rows are likely to ascend.
    sorted: bool,
}

// SAFETY: the addresses are of memory that is mapped read-only while the table lives; targets are Sync.
unsafe impl Sync for Gather<'_> {}

impl<'a> Gather<'a> {
    pub(super) fn new(table: &'a Table, targets: &'a [Target], sorted: bool) -> Gather<'a> {
        prefetch::set_distance(config::prefetch_distance());
        let layout = table.layout();
        let origins = targets.iter().map(|t| layout.origins(table.parts(), t.column)).collect();
        Gather { layout, targets, origins, sorted }
    }

    pub(super) fn segments(&self) -> &Segments {
        self.layout.segments()
    }

    /// The columns, each with the addresses of its segments.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&Target, &[*const u8])> {
        self.targets.iter().zip(self.origins.iter().copied())
    }

    /// Copies `rows`, at most [`BLOCK`] of them, to output rows `out_row..`.
    ///
    /// # Safety
    ///
    /// All must be rows of the table, and the output rows written by nobody else.
    pub(super) unsafe fn block(&self, rows: &[u64], out_row: usize) {
        if self.sorted {
            let all_in_runs = self.layout.segments().each_run(rows, |segment, run| {
                // SAFETY: the caller's promise, for some of the rows; the segment holds them.
                unsafe { self.run(segment, &rows[run.clone()], out_row + run.start) };
            });
            if all_in_runs {
                return;
            }
        }
        let several = self.layout.segments().len() > 1;
        let (mut few, mut many);
        let segments: &mut [u32] = if !several {
            &mut []
        } else if rows.len() <= FEW {
            few = [0; FEW];
            &mut few[..rows.len()]
        } else {
            many = [0; BLOCK];
            &mut many[..rows.len()]
        };
        if several && self.sorted {
            self.layout.segments().find_sorted(rows, segments);
        } else if several {
            self.layout.segments().find_all(rows, segments);
        }
        for (target, origins) in self.targets.iter().zip(&self.origins) {
            // SAFETY: a row's segment holds it, and its column's values lie at the segment's origin plus row
            // times width, in mapped memory; the output rows are the caller's to write.
            unsafe {
                let (dst, stores) = (target.at(out_row), target.stores());
                if several {
                    gather::gather_segments(
                        stores,
                        target.width,
                        origins,
                        segments,
                        rows,
                        dst,
                        target.stride(),
                    );
                } else {
                    gather::gather(stores, target.width, origins[0], rows, dst, target.stride());
                }
                target.swap_rows(out_row, rows.len());
            }
        }
    }

    /// Copies ascending rows of one segment to output rows `out_row..`.
    ///
    /// # Safety
    ///
    /// As for [`block`](Gather::block), and the segment must hold all of the rows.
    unsafe fn run(&self, segment: usize, rows: &[u64], out_row: usize) {
        for (target, origins) in self.targets.iter().zip(&self.origins) {
            // SAFETY: the column's values lie at the segment's origin plus row times width, in mapped memory; the output
            // rows are the caller's to write.
            unsafe {
                let (dst, stride) = (target.at(out_row), target.stride());
                gather::gather_ascending(target.stores(), target.width, origins[segment], rows, dst, stride);
                target.swap_rows(out_row, rows.len());
            }
        }
    }
}
