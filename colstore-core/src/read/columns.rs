//! Columns into packed arrays, one output a column.

use std::mem::MaybeUninit;
use std::ops::Range;

use colstore_kernels::copy::{self, Stores};
use colstore_kernels::{byteswap, pool};

use super::fetched;
use super::output::check_output;
use super::target::Target;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::options::{CHUNK_BYTES, ReadOptions, threads};
use crate::part::pieces;
use crate::rows::Rows;
use crate::table::Table;
use crate::{memory, numa};

/// Where one column of a read goes.
#[derive(Debug)]
pub struct ColumnOutput<'a> {
    /// Position of the column in the schema.
    pub column: usize,
    /// Memory for the values: the number of rows times the item size, exactly. Any alignment.
    pub out: &'a mut [MaybeUninit<u8>],
}

/// A column of a read of rows side by side, and its share of the chunks of all columns.
struct Run {
    target: Target,
    chunks: Chunks,
    first_chunk: usize,
}

impl Table {
    /// Copies `rows` of `column` to `out`, packed and in native byte order.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) for rows or a column that are not there,
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if `out` is not exactly as long as the values, both
    /// before anything is written, but for what [`Rows::indices_once`] leaves to the read; [`Io`](ErrorKind::Io) if the
    /// file was cut short;
    /// [`Cancelled`](ErrorKind::Cancelled), which leaves `out` partly written.
    pub fn read_column<'r>(
        &self,
        column: usize,
        rows: impl Into<Rows<'r>>,
        out: &mut [MaybeUninit<u8>],
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        self.read_columns(&mut [ColumnOutput { column, out }], rows, options)
    }

    /// Copies `rows` of several columns, each to its own output. A column may be asked for more than once.
    ///
    /// # Errors
    ///
    /// As [`read_column`](Table::read_column).
    pub fn read_columns<'r>(
        &self,
        outputs: &mut [ColumnOutput<'_>],
        rows: impl Into<Rows<'r>>,
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        let rows = rows.into();
        let n_rows = self.check_rows(&rows)?;
        let mut targets = Vec::with_capacity(outputs.len());
        for output in outputs.iter_mut() {
            self.check_column(output.column)?;
            let column = &self.schema().columns()[output.column];
            let dtype = column.dtype();
            let itemsize = dtype.itemsize();
            check_output(output.out.len(), n_rows, itemsize as u64, || format!("column '{}'", column.name()))
                .map_err(|e| self.blame(e).with_column(column.name()))?;
            let (out, stores) = (output.out.as_mut_ptr().cast(), copy::stores_for(output.out.len() as u64));
            // SAFETY: the output is borrowed exclusively and has just been seen to hold all rows.
            targets.push(unsafe { Target::new(output.column, dtype, out, itemsize) }.with_stores(stores));
        }
        for output in outputs.iter_mut() {
            numa::spread(output.out.as_mut_ptr().cast(), output.out.len());
        }
        if !self.is_mapped() {
            return fetched::read(self, &targets, &rows, options);
        }
        match rows.side_by_side() {
            Some(range) => self.copy_columns(&targets, range, options),
            None => self.read_scattered(&targets, &rows, options),
        }
    }

    /// One column as a new vector of bytes, packed and in native byte order.
    ///
    /// # Errors
    ///
    /// As [`read_column`](Table::read_column), and [`OutOfMemory`](ErrorKind::OutOfMemory).
    pub fn column_bytes<'r>(
        &self,
        column: usize,
        rows: impl Into<Rows<'r>>,
        options: &ReadOptions<'_>,
    ) -> Result<Vec<u8>> {
        let rows = rows.into();
        let n_rows = self.check_rows(&rows)?;
        self.check_column(column)?;
        let itemsize = self.schema().columns()[column].dtype().itemsize() as u64;
        let mut bytes = Vec::new();
        let len = n_rows.checked_mul(itemsize).and_then(|len| usize::try_from(len).ok());
        match len.map(|len| bytes.try_reserve_exact(len).map(|()| len)) {
            Some(Ok(len)) => {
                memory::ask_for_huge_pages(bytes.as_mut_ptr(), len);
                self.read_column(column, rows, &mut bytes.spare_capacity_mut()[..len], options)?;
                // SAFETY: `len` bytes were reserved, and read_column has written all of them.
                unsafe { bytes.set_len(len) };
                Ok(bytes)
            }
            _ => {
                let message = format!("no memory for {n_rows} rows of {itemsize} bytes");
                Err(Error::new(ErrorKind::OutOfMemory, message))
            }
        }
    }

    /// Rows side by side: one run of copies a column, the columns' chunks handed out as one.
    fn copy_columns(&self, targets: &[Target], rows: Range<u64>, options: &ReadOptions<'_>) -> Result<()> {
        self.check_files(rows.clone())?;
        let n_rows = rows.end - rows.start;
        let (mut n_chunks, mut bytes) = (0u64, 0u64);
        let mut runs = Vec::with_capacity(targets.len());
        for &target in targets {
            // SAFETY: row 0 is the output's first, or behind its last if there are none.
            let address = unsafe { target.at(0) }.addr() as u64;
            let chunks = Chunks::new(n_rows, target.width as u64, CHUNK_BYTES, address);
            memory::ask_for_huge_pages(address as *const u8, chunks.bytes() as usize);
            runs.push(Run { target, chunks, first_chunk: n_chunks as usize });
            // In range: the outputs are in memory, side by side.
            n_chunks += chunks.len();
            bytes += chunks.bytes();
        }
        let n_threads = threads(options.max_threads, bytes);
        let stores = copy::stores_for(bytes);
        pool::run(n_threads, n_chunks as usize, options.progress, CHUNK_BYTES, &|chunk| {
            let run = &runs[runs.partition_point(|run| run.first_chunk <= chunk) - 1];
            let chunk_rows = run.chunks.rows((chunk - run.first_chunk) as u64);
            self.copy_rows(&run.target, rows.start, chunk_rows, stores);
        })?;
        Ok(())
    }

    /// Copies output rows `chunk`, the first of which is row `origin` of the table.
    fn copy_rows(&self, target: &Target, origin: u64, chunk: Range<u64>, stores: Stores) {
        for piece in pieces(self.parts(), origin + chunk.start..origin + chunk.end) {
            let src = piece.address(target.column);
            let len = piece.n_rows() as usize * target.width;
            // SAFETY: the output row is one of the chunk's.
            let dst = unsafe { target.at((chunk.start + piece.out_row) as usize) };
            if target.needs_swap() {
                let word = target.dtype.word_size();
                // SAFETY: the piece has proven `len` readable bytes at `src`; `len` bytes at `dst` belong to the
                // rows of this chunk, which no other thread writes. An item is a whole number of words. The
                // output cannot overlap the mapping, which is not writable.
                unsafe { byteswap::copy_swapped_with(stores, src, dst, len / word, word) };
            } else {
                // SAFETY: as above.
                unsafe { copy::copy_with(stores, src, dst, len) };
            }
        }
    }
}
