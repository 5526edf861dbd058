//! Columns into packed arrays, one output a column.

use std::mem::MaybeUninit;
use std::ops::Range;

use colstore_format::DType;
use colstore_kernels::copy::{self, Stores};
use colstore_kernels::{byteswap, pages, pool};

use super::check_output;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::options::{CHUNK_BYTES, ReadOptions, threads};
use crate::table::Table;

/// Where one column of a read goes.
#[derive(Debug)]
pub struct ColumnOutput<'a> {
    /// Position of the column in the schema.
    pub column: usize,
    /// Memory for the values: the number of rows times the item size, exactly. Any alignment.
    pub out: &'a mut [MaybeUninit<u8>],
}

/// One checked column of a read, ready to be shared by threads that each write rows of their own.
struct Destination {
    column: usize,
    dtype: DType,
    out: *mut u8,
    chunks: Chunks,
    /// Number of the first of its chunks among the chunks of all columns.
    first_chunk: usize,
}

// SAFETY: `out` points to memory that the read borrows exclusively for its whole duration, and threads write
// to disjoint rows of it only (`Chunks` gives each chunk rows of its own).
unsafe impl Sync for Destination {}

impl Table {
    /// Copies `rows` of `column` to `out`, packed and in native byte order.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) for rows or a column that are not there,
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if `out` is not exactly as long as the values, both
    /// before anything is written; [`Io`](ErrorKind::Io) if the file was cut short;
    /// [`Cancelled`](ErrorKind::Cancelled), which leaves `out` partly written.
    pub fn read_column(
        &self,
        column: usize,
        rows: Range<u64>,
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
    pub fn read_columns(
        &self,
        outputs: &mut [ColumnOutput<'_>],
        rows: Range<u64>,
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        let n_rows = self.check_rows(&rows)?;
        let mut destinations = Vec::with_capacity(outputs.len());
        let mut n_chunks = 0u64;
        let mut bytes = 0u64;
        for output in outputs {
            self.check_column(output.column)?;
            let column = &self.schema().columns()[output.column];
            let dtype = column.dtype();
            let itemsize = dtype.itemsize() as u64;
            check_output(output.out.len(), n_rows, itemsize, || format!("column '{}'", column.name()))
                .map_err(|e| e.with_path(self.path()).with_column(column.name()))?;
            let out = output.out.as_mut_ptr().cast::<u8>();
            pages::prepare_output(out, output.out.len());
            let chunks = Chunks::new(n_rows, itemsize, CHUNK_BYTES, out.addr() as u64);
            destinations.push(Destination {
                column: output.column,
                dtype,
                out,
                chunks,
                first_chunk: n_chunks as usize,
            });
            // In range: the outputs are in memory, side by side.
            n_chunks += chunks.len();
            bytes += chunks.bytes();
        }
        self.file.check_not_truncated()?;
        let n_threads = threads(options.max_threads, bytes);
        let stores = copy::stores_for(bytes);
        pool::run(n_threads, n_chunks as usize, options.progress, CHUNK_BYTES, &|chunk| {
            let d = destinations.partition_point(|d| d.first_chunk <= chunk) - 1;
            let destination = &destinations[d];
            let chunk_rows = destination.chunks.rows((chunk - destination.first_chunk) as u64);
            self.copy_rows(destination, rows.start, chunk_rows, stores);
        })?;
        Ok(())
    }

    /// One column as a new vector of bytes, packed and in native byte order.
    ///
    /// # Errors
    ///
    /// As [`read_column`](Table::read_column), and [`OutOfMemory`](ErrorKind::OutOfMemory).
    pub fn column_bytes(
        &self,
        column: usize,
        rows: Range<u64>,
        options: &ReadOptions<'_>,
    ) -> Result<Vec<u8>> {
        let n_rows = self.check_rows(&rows)?;
        self.check_column(column)?;
        let itemsize = self.schema().columns()[column].dtype().itemsize() as u64;
        let mut bytes = Vec::new();
        let len = n_rows.checked_mul(itemsize).and_then(|len| usize::try_from(len).ok());
        match len.map(|len| bytes.try_reserve_exact(len).map(|()| len)) {
            Some(Ok(len)) => {
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

    /// Copies rows `chunk` (counted within the read, which begins at row `origin` of the table).
    fn copy_rows(&self, destination: &Destination, origin: u64, chunk: Range<u64>, stores: Stores) {
        let Destination { column, dtype, .. } = *destination;
        let itemsize = dtype.itemsize() as u64;
        for segment in self.file.records().segments(origin + chunk.start..origin + chunk.end) {
            let len = (segment.n_rows * itemsize) as usize;
            let src = self.file.mapping().at(segment.offset(self.schema(), column), len as u64);
            let position = ((chunk.start + segment.out_row) * itemsize) as usize;
            // SAFETY: `out` holds `n_rows * itemsize` bytes (checked before the read began), and the chunk's
            // rows are among the `n_rows`.
            let dst = unsafe { destination.out.add(position) };
            if dtype.needs_swap() {
                let word = dtype.word_size();
                // SAFETY: `at` has proven `len` readable bytes at `src`; `len` bytes at `dst` belong to the
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
