//! The values of one column of a selection, handed over in short runs: where they lie, if that is in one piece and
//! in native order, else in a scratch.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use colstore_format::DType;
use colstore_kernels::reduce::{BLOCK_ROWS, BREAK_ROWS, Blocks};
use colstore_kernels::{copy, prefetch};

use super::gathered::{self, BLOCK, Gather};
use super::lined_up::LinedUp;
use super::target::Target;
use super::{LONG_STEP, fetched, masked, strided};
use crate::advice::Sparse;
use crate::error::Result;
use crate::options::ReadOptions;
use crate::part::pieces;
use crate::rows::{Mask, Rows, Selection, nth};
use crate::table::Table;

/// Selected rows that are brought together at once, at most: whole blocks of reductions.
pub(super) const STEP_ROWS: u64 = 1 << 15;

/// One column of a selection, to be walked over by several threads.
pub(crate) struct Values<'a> {
    table: &'a Table,
    column: usize,
    dtype: DType,
    form: Form<'a>,
    n_rows: u64,
    /// Scratches that nobody is using.
    scratches: Mutex<Vec<Vec<u8>>>,
    _advised: Option<Sparse<'a>>,
}

/// How values are come by.
enum Form<'a> {
    /// Rows side by side, the first of them.
    SideBySide(u64),
    /// Every n-th row, close enough to each other to be walked over.
    Strided {
        first: u64,
        step: i64,
    },
    /// Rows jumped to.
    Jumps(gathered::Source<'a>),
    /// As many rows that it is not worth while to look at all records.
    Few(gathered::Source<'a>),
    Mask(&'a Mask),
}

impl<'a> Values<'a> {
    /// The values of `rows`, which were checked, of a column that there is.
    pub(crate) fn new(table: &'a Table, column: usize, rows: &'a Rows<'a>) -> Result<Values<'a>> {
        let dtype = table.schema().columns()[column].dtype();
        let n_rows = rows.len();
        let width = dtype.itemsize();
        let jumps = |source: gathered::Source<'a>| {
            let few = !table.has_layout() && n_rows.saturating_mul(16) < table.n_records() as u64;
            if few || !table.is_mapped() { Form::Few(source) } else { Form::Jumps(source) }
        };
        let form = match (rows.side_by_side(), rows.selection()) {
            (Some(range), _) => Form::SideBySide(range.start),
            (None, Selection::Unchecked(range)) => Form::SideBySide(range.start),
            (None, Selection::Range { first, step, len }) => {
                if table.is_mapped() && step.unsigned_abs().saturating_mul(width as u64) <= LONG_STEP {
                    Form::Strided { first: *first, step: *step }
                } else {
                    jumps(gathered::Source::progression(*first, *step, *len))
                }
            }
            (None, Selection::Indices { indices, order }) => {
                jumps(gathered::Source::indices(indices, *order, table.n_rows()))
            }
            (None, Selection::Mask(mask)) => Form::Mask(mask),
        };
        if table.is_mapped() && n_rows > 0 {
            match &form {
                Form::SideBySide(first) => table.check_files(*first..first + n_rows)?,
                // Files are checked as they are come to.
                Form::Strided { .. } => {}
                _ => table.check_files(0..table.n_rows())?,
            }
        }
        let advised = match &form {
            Form::Jumps(_) | Form::Mask(_) => Sparse::announce(table, n_rows, std::iter::once(width)),
            _ => None,
        };
        Ok(Values { table, column, dtype, form, n_rows, scratches: Mutex::default(), _advised: advised })
    }

    /// Calls `f` for values `range` of the selection in order, a number of whole blocks at a time, counted from the start of
    /// the range; the last block may have fewer values. They are in native byte order.
    pub(crate) fn blocks(&self, range: Range<u64>, f: &mut dyn FnMut(Blocks<'_>)) -> Result<()> {
        let mut scratch =
            self.scratches.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let result = match self.form {
            Form::SideBySide(first) if self.table.is_mapped() => {
                self.in_place(first, range, &mut scratch, f);
                Ok(())
            }
            _ => self.aside(range, &mut scratch, f),
        };
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }

    /// Rows side by side: blocks are handed over where they lie, as far as kernels can take them there.
    fn in_place(&self, first: u64, range: Range<u64>, scratch: &mut Vec<u8>, f: &mut dyn FnMut(Blocks<'_>)) {
        const BLOCK: u64 = BLOCK_ROWS as u64;
        let width = self.dtype.itemsize();
        let is_native = !self.dtype.needs_swap();
        let n_rows = range.end - range.start;
        let mut lined_up = LinedUp::new(width, n_rows.div_ceil(BLOCK), scratch, f);
        if is_native {
            self.ask_for_ends(first + range.start..first + range.end);
        }
        // Of the block that is not complete yet: the row each piece begins with, and where it lies.
        let mut block: Vec<(usize, *const u8)> = Vec::new();
        for piece in pieces(self.table.parts(), first + range.start..first + range.end) {
            let src = piece.address(self.column);
            let mut done = 0;
            while done < piece.n_rows() {
                // Counted from the start of the range, as blocks are.
                let row = piece.out_row + done;
                let in_block = row % BLOCK;
                let left = piece.n_rows() - done;
                let src = src.wrapping_add(done as usize * width);
                let to_end = n_rows - row;
                // What is left of the range is as good as whole.
                let whole = if left == to_end { left } else { left / BLOCK * BLOCK };
                if in_block == 0 && whole > 0 && is_native {
                    lined_up.push(src, whole as usize);
                    done += whole;
                    continue;
                }
                let block_rows = BLOCK.min(to_end + in_block);
                let n = (block_rows - in_block).min(left);
                block.push((in_block as usize, src));
                if in_block + n == block_rows {
                    let is_whole = block_rows == BLOCK;
                    if !(is_native && is_whole && lined_up.push_broken(&block)) {
                        self.put_together(&block, block_rows as usize, &mut lined_up);
                    }
                    block.clear();
                }
                done += n;
            }
        }
        lined_up.finish();
    }

    /// Adds a block of `rows` values that lies in `pieces`, see [`LinedUp::push_broken`].
    fn put_together(&self, pieces: &[(usize, *const u8)], rows: usize, lined_up: &mut LinedUp<'_>) {
        let width = self.dtype.itemsize();
        // SAFETY: there is room for a block, which is this thread's alone.
        let target = unsafe { Target::new(self.column, self.dtype, lined_up.aside(), width) };
        let ends = pieces[1..].iter().map(|piece| piece.0).chain([rows]);
        for (&(start, src), end) in pieces.iter().zip(ends) {
            // SAFETY: the piece holds the values up to the next one, which are mapped; they fit into the block.
            unsafe {
                let dst = target.at(start);
                copy::copy(src, dst, (end - start) * width);
                target.swap(dst, end - start);
            }
        }
        lined_up.push_aside(rows);
    }

    /// Asks for the values of blocks that will be put together, as their records end within: of all of them at once, as
    /// they are copied one page after the other.
    fn ask_for_ends(&self, rows: Range<u64>) {
        const BLOCK: u64 = BLOCK_ROWS as u64;
        let width = self.dtype.itemsize();
        let n_rows = rows.end - rows.start;
        for piece in pieces(self.table.parts(), rows) {
            let (start, end) = (piece.out_row, piece.out_row + piece.n_rows());
            let src = piece.address(self.column);
            let is_copied = |row: u64| !row.is_multiple_of(BREAK_ROWS as u64);
            if piece.n_rows() >= BLOCK {
                let head = if is_copied(start) { start.next_multiple_of(BLOCK) - start } else { 0 };
                let tail = if is_copied(end) && end < n_rows { end % BLOCK } else { 0 };
                prefetch::lines(src, head as usize * width);
                prefetch::lines(
                    src.wrapping_add((piece.n_rows() - tail) as usize * width),
                    tail as usize * width,
                );
            }
        }
    }

    /// Any rows: brought together first.
    fn aside(&self, range: Range<u64>, scratch: &mut Vec<u8>, f: &mut dyn FnMut(Blocks<'_>)) -> Result<()> {
        let width = self.dtype.itemsize();
        let room = STEP_ROWS.min(range.end - range.start) as usize;
        scratch.clear();
        scratch.reserve(room * width);
        // SAFETY: the scratch has room for that many values, and is this thread's alone.
        let target = unsafe { Target::new(self.column, self.dtype, scratch.as_mut_ptr(), width) };
        let mut from = range.start;
        while from < range.end {
            let to = range.end.min(from + STEP_ROWS);
            self.bring(&target, from..to)?;
            Blocks::side_by_side(scratch.as_ptr(), (to - from) as usize, width, &mut *f);
            from = to;
        }
        Ok(())
    }

    /// Writes values `range` of the selection, [`STEP_ROWS`] at most, to `out` in native order.
    ///
    /// # Safety
    ///
    /// The range must be one of the selection, and `out` writable for its values by nobody else.
    pub(super) unsafe fn copy(&self, range: Range<u64>, out: *mut u8) -> Result<()> {
        // SAFETY: the caller's promise.
        let target = unsafe { Target::new(self.column, self.dtype, out, self.dtype.itemsize()) };
        self.bring(&target, range)
    }

    /// The first row, if the rows lie side by side.
    pub(super) fn first_of_run(&self) -> Option<u64> {
        match self.form {
            Form::SideBySide(first) => Some(first),
            _ => None,
        }
    }

    /// Writes values `range` of the selection to `target`, from its first row on.
    fn bring(&self, target: &Target, range: Range<u64>) -> Result<()> {
        let alone = ReadOptions { max_threads: Some(std::num::NonZeroUsize::MIN), progress: None };
        let n = range.end - range.start;
        let targets = std::slice::from_ref(target);
        match &self.form {
            Form::SideBySide(first) => {
                fetched::side_by_side(self.table, targets, first + range.start..first + range.end, &alone)
            }
            Form::Strided { first, step } => {
                strided::read(self.table, targets, nth(*first, *step, range.start), *step, n, &alone)
            }
            Form::Few(source) => {
                let mut rows = vec![0; n as usize];
                source.load(range.start as usize, &mut rows)?;
                // SAFETY: the target has room for the rows, from its first one on.
                unsafe { fetched::fetch(self.table, targets, &rows, 0) }
            }
            Form::Jumps(source) => {
                let gather = Gather::new(self.table, targets, source.seems_sorted());
                let mut rows = [0u64; BLOCK];
                for start in (0..n as usize).step_by(BLOCK) {
                    let rows = &mut rows[..BLOCK.min(n as usize - start)];
                    source.load(range.start as usize + start, rows)?;
                    // SAFETY: `load` gives rows of the table, and the target has room for them.
                    unsafe { gather.block(rows, start) };
                }
                Ok(())
            }
            Form::Mask(mask) => {
                let bits = mask.bit(range.start)..mask.bit(range.end);
                if self.table.is_mapped() {
                    masked::compress(self.table, targets, mask, bits, 0);
                    return Ok(());
                }
                let rows = mask.positions(range);
                // SAFETY: the target has room for the rows, from its first one on.
                unsafe { fetched::fetch(self.table, targets, &rows, 0) }
            }
        }
    }

    /// The number of values.
    pub(crate) fn len(&self) -> u64 {
        self.n_rows
    }

    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }
}
