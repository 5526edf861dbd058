//! Columns of a selection a block of rows at a time, for whoever computes with the values.
//!
//! ```text
//! mapped rows side by side: the record that the last block lay in is remembered; a copy from there
//! else:                     as reductions have their values
//! ```
//!
//! A [`BlockReader`] is shared by all threads; each has a [`BlockCursor`] of its own. A block costs some ten
//! nanoseconds and the copy, as long as it lies in the same record as the one before.

use std::ops::Range;

use colstore_format::DType;
use colstore_kernels::compute::Compare;
use colstore_kernels::{copy, mask, prefetch};

use super::target::Target;
use super::values::{STEP_ROWS, Values};
use crate::error::Result;
use crate::number::number;
use crate::part::{Piece, pieces};
use crate::rows::Rows;
use crate::table::Table;

/// Columns of a selection of rows, to be read block by block.
pub struct BlockReader<'a> {
    table: &'a Table,
    columns: Vec<Column<'a>>,
    n_rows: u64,
}

struct Column<'a> {
    column: usize,
    dtype: DType,
    values: Values<'a>,
}

/// One thread's place in a [`BlockReader`].
pub struct BlockCursor<'a> {
    reader: &'a BlockReader<'a>,
    /// The rest of a record, and its first row.
    piece: Option<(u64, Piece<'a>)>,
    scratch: Vec<u8>,
}

impl Table {
    /// Columns `columns` of `rows`, to be read block by block.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorKind::OutOfBounds) for rows or a column that are not there,
    /// [`Io`](crate::ErrorKind::Io) if a file was cut short.
    ///
    /// ```
    /// # fn main() -> colstore_core::Result<()> {
    /// use colstore_core::{ColumnData, Rows, StoreOptions, Table, store};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("events.cstore");
    /// let energies: Vec<u8> = [1.5f64, 2.5, 4.0].iter().flat_map(|e| e.to_le_bytes()).collect();
    /// store(&path, &[ColumnData::from_slice("e".into(), "<f8".parse()?, &energies)?], &StoreOptions::default())?;
    ///
    /// let table = Table::open(&path)?;
    /// let rows = Rows::range(3, 2, -1, -1)?;
    /// let reader = table.block_reader(&[0], &rows)?;
    /// let mut block = [0; 16];
    /// reader.cursor().read(0, 1..3, &mut block)?;
    /// assert_eq!(block[..8], energies[8..16]);
    /// assert_eq!(block[8..], energies[..8]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn block_reader<'a>(&'a self, columns: &[usize], rows: &'a Rows<'a>) -> Result<BlockReader<'a>> {
        let n_rows = self.check_rows(rows)?;
        let mut found = Vec::with_capacity(columns.len());
        for &column in columns {
            self.check_column(column)?;
            let dtype = self.schema().columns()[column].dtype();
            found.push(Column { column, dtype, values: Values::new(self, column, rows)? });
        }
        Ok(BlockReader { table: self, columns: found, n_rows })
    }
}

impl<'a> BlockReader<'a> {
    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The columns' dtypes, as the files have them; blocks are in native order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = DType> + '_ {
        self.columns.iter().map(|column| column.dtype)
    }

    /// Whether values of column `slot` can be [compared](BlockReader::compare): numbers and times in native order, of rows
    /// that lie side by side in a mapped table.
    pub fn compares(&self, slot: usize) -> bool {
        let column = &self.columns[slot];
        self.table.is_mapped()
            && column.values.first_of_run().is_some()
            && !column.dtype.needs_swap()
            && number(column.dtype).is_some_and(mask::compares)
    }

    /// Sets bit `i` of `words` for each row `range.start + i` whose value of column `slot` compares so with `constant`, a
    /// value of the column's dtype in native order. Values are looked at where they lie.
    ///
    /// # Panics
    ///
    /// If there is no such column or range, the column is none that [`compares`](BlockReader::compares), the constant is not
    /// one value, or there are too few words.
    pub fn compare(&self, slot: usize, range: Range<u64>, op: Compare, constant: &[u8], words: &mut [u64]) {
        assert!(
            self.compares(slot) && range.start <= range.end && range.end <= self.n_rows,
            "{range:?} of {} rows",
            self.n_rows
        );
        let column = &self.columns[slot];
        let (Some(first), Some(number)) = (column.values.first_of_run(), number(column.dtype)) else {
            return;
        };
        for piece in pieces(self.table.parts(), first + range.start..first + range.end) {
            let (src, n) = (piece.address(column.column), piece.n_rows() as usize);
            // SAFETY: the piece holds `n` values of the column at `src`, which are mapped.
            unsafe { mask::compare(op, number, src, n, constant, words, piece.out_row as usize) };
        }
    }

    /// A place to read from, for one thread.
    pub fn cursor(&'a self) -> BlockCursor<'a> {
        BlockCursor { reader: self, piece: None, scratch: Vec::new() }
    }
}

impl BlockCursor<'_> {
    /// Copies rows `range` of the selection of column `slot`, packed and in native order.
    ///
    /// # Errors
    ///
    /// [`Io`](crate::ErrorKind::Io) if a file was cut short, and
    /// [`OutOfBounds`](crate::ErrorKind::OutOfBounds) if borrowed indices have become wrong.
    ///
    /// # Panics
    ///
    /// If there is no such column or range, or `out` is not as long as its values.
    pub fn read(&mut self, slot: usize, range: Range<u64>, out: &mut [u8]) -> Result<()> {
        let reader = self.reader;
        let column = &reader.columns[slot];
        let width = column.dtype.itemsize();
        assert!(
            range.start <= range.end && range.end <= reader.n_rows,
            "{range:?} of {} rows",
            reader.n_rows
        );
        let n = range.end - range.start;
        assert_eq!(
            Some(out.len()),
            usize::try_from(n).ok().and_then(|n| n.checked_mul(width)),
            "bytes of the output"
        );
        if let Some(first) = column.values.first_of_run()
            && reader.table.is_mapped()
        {
            self.copy(slot, first + range.start, out);
            return Ok(());
        }
        for (start, out) in
            (range.start..).step_by(STEP_ROWS as usize).zip(out.chunks_mut(STEP_ROWS as usize * width.max(1)))
        {
            let end = range.end.min(start + STEP_ROWS);
            // SAFETY: the range is one of the selection, the output has just been seen to hold its values.
            unsafe { column.values.copy(start..end, out.as_mut_ptr())? };
        }
        Ok(())
    }

    /// Copies some rows of the selection of column `slot`: rows `start + picks[i]`, packed and in native order. Where
    /// rows can be had one by one, nothing but these is read.
    ///
    /// # Errors
    ///
    /// As [`read`](BlockCursor::read).
    ///
    /// # Panics
    ///
    /// If there is no such column or row, `picks` do not ascend, or `out` is not as long as their values.
    pub fn read_picks(&mut self, slot: usize, start: u64, picks: &[u32], out: &mut [u8]) -> Result<()> {
        let reader = self.reader;
        let column = &reader.columns[slot];
        let width = column.dtype.itemsize();
        assert_eq!(out.len(), picks.len() * width, "bytes of the output");
        let Some(&last) = picks.last() else { return Ok(()) };
        assert!(
            start + u64::from(last) < reader.n_rows,
            "row {} of {}",
            start + u64::from(last),
            reader.n_rows
        );
        assert!(picks.is_sorted(), "rows that are picked ascend");
        if let Some(first) = column.values.first_of_run()
            && reader.table.is_mapped()
        {
            match width {
                1 => self.pick::<1>(slot, first + start, picks, out),
                2 => self.pick::<2>(slot, first + start, picks, out),
                4 => self.pick::<4>(slot, first + start, picks, out),
                8 => self.pick::<8>(slot, first + start, picks, out),
                _ => {
                    for (&pick, out) in picks.iter().zip(out.chunks_mut(width.max(1))) {
                        self.copy(slot, first + start + u64::from(pick), out);
                    }
                    return Ok(());
                }
            }
            swap(column, out, picks.len());
            return Ok(());
        }
        let low = start + u64::from(picks[0]);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.resize((last - picks[0] + 1) as usize * width, 0);
        let result = self.read(slot, low..start + u64::from(last) + 1, &mut scratch);
        if result.is_ok() && width > 0 {
            for (&pick, out) in picks.iter().zip(out.chunks_mut(width)) {
                let at = (pick - picks[0]) as usize * width;
                out.copy_from_slice(&scratch[at..at + width]);
            }
        }
        self.scratch = scratch;
        result
    }

    /// The piece that row `row` of the table lies in, its first row, and how many rows it has from `row` on. The row
    /// must be there, and the table mapped.
    fn piece(&mut self, row: u64) -> Option<(u64, &Piece<'_>)> {
        let holds = |&(first, ref piece): &(u64, Piece<'_>)| first <= row && row - first < piece.n_rows();
        if !self.piece.as_ref().is_some_and(holds) {
            let table = self.reader.table;
            self.piece = pieces(table.parts(), row..table.n_rows()).next().map(|piece| (row, piece));
        }
        self.piece.as_ref().map(|(first, piece)| (*first, piece))
    }

    /// Fills `out` with the rows of a mapped table from row `row` on, in native order. They must be there.
    fn copy(&mut self, slot: usize, mut row: u64, out: &mut [u8]) {
        let column = &self.reader.columns[slot];
        let width = column.dtype.itemsize();
        let mut left = out;
        while !left.is_empty() {
            let Some((first, piece)) = self.piece(row) else { return };
            let n = (left.len() / width).min((first + piece.n_rows() - row) as usize);
            let src = piece.address(column.column).wrapping_add((row - first) as usize * width);
            let (now, later) = left.split_at_mut(n * width);
            prefetch::pages(src.wrapping_add(now.len()), now.len());
            // SAFETY: the piece holds `n` values at `src`, which are mapped; the output is no mapping.
            unsafe { copy::copy(src, now.as_mut_ptr(), now.len()) };
            swap(column, now, n);
            row += n as u64;
            left = later;
        }
    }

    /// Copies values of `W` bytes in the file's order. The rows must be there, and the table mapped.
    fn pick<const W: usize>(&mut self, slot: usize, start: u64, picks: &[u32], out: &mut [u8]) {
        let column = self.reader.columns[slot].column;
        let mut out = out.as_chunks_mut::<W>().0;
        let mut picks = picks;
        while let Some(&pick) = picks.first() {
            let Some((first, piece)) = self.piece(start + u64::from(pick)) else { return };
            let end = first + piece.n_rows();
            // Picks ascend, so those of this piece come first.
            let here = picks.partition_point(|&pick| start + u64::from(pick) < end);
            let src = piece.address(column);
            let (now, later) = std::mem::take(&mut out).split_at_mut(here);
            for (out, &pick) in now.iter_mut().zip(picks) {
                let at = (start + u64::from(pick) - first) as usize * W;
                // SAFETY: the row is one of the piece's, whose values lie mapped from `src` on.
                unsafe { std::ptr::copy_nonoverlapping(src.add(at), out.as_mut_ptr(), W) };
            }
            out = later;
            picks = &picks[here..];
        }
    }
}

/// Turns `n` values in file order into native order.
fn swap(column: &Column<'_>, values: &mut [u8], n: usize) {
    // SAFETY: the values are all there is of the target.
    unsafe {
        let target = Target::new(column.column, column.dtype, values.as_mut_ptr(), column.dtype.itemsize());
        target.swap(values.as_mut_ptr(), n);
    }
}

impl std::fmt::Debug for BlockReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns: Vec<usize> = self.columns.iter().map(|column| column.column).collect();
        f.debug_struct("BlockReader").field("columns", &columns).field("n_rows", &self.n_rows).finish()
    }
}

impl std::fmt::Debug for BlockCursor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockCursor").field("reader", &self.reader).finish_non_exhaustive()
    }
}
