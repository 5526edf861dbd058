//! Columns into packed rows: the structured, row-major form.

use std::mem::MaybeUninit;
use std::ops::Range;

use colstore_kernels::{interleave, pages, pool};

use super::check_output;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::options::{CHUNK_BYTES, ReadOptions, threads};
use crate::table::Table;

/// The output of one read, shared by threads that each write rows of their own.
struct Rows(*mut u8);

// SAFETY: the pointer is to memory that the read borrows exclusively for its whole duration, and threads write
// to disjoint rows of it only.
unsafe impl Sync for Rows {}

impl Rows {
    /// # Safety
    ///
    /// `offset` must lie within the output.
    unsafe fn at(&self, offset: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.add(offset) }
    }
}

impl Table {
    /// Copies `rows` of `columns` to `out` as packed records: row after row, within a row the columns in the
    /// order asked for, nothing between them, all in native byte order. A column may be asked for more than
    /// once; without columns there is nothing to write.
    ///
    /// # Errors
    ///
    /// As [`read_column`](Table::read_column).
    pub fn read_records(
        &self,
        columns: &[usize],
        rows: Range<u64>,
        out: &mut [MaybeUninit<u8>],
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        let n_rows = self.check_rows(&rows)?;
        let record_size = self.record_size(columns)?;
        check_output(out.len(), n_rows, record_size, || format!("records of {} columns", columns.len()))
            .map_err(|e| e.with_path(self.path()))?;
        self.file.check_not_truncated()?;
        let chunks = Chunks::new(n_rows, record_size, CHUNK_BYTES, out.as_ptr().addr() as u64);
        let out = Rows(out.as_mut_ptr().cast());
        pages::prepare_output(out.0, chunks.bytes() as usize);
        let n_threads = threads(options.max_threads, chunks.bytes());
        pool::run(n_threads, chunks.len() as usize, options.progress, CHUNK_BYTES, &|chunk| {
            let chunk = chunks.rows(chunk as u64);
            // SAFETY: the output holds `n_rows` records, of which the chunk's are some.
            let dst = unsafe { out.at((chunk.start * record_size) as usize) };
            // SAFETY: from `dst` on there is room for the chunk's records, and no other thread writes them.
            unsafe { self.interleave_rows(columns, rows.start + chunk.start..rows.start + chunk.end, dst) };
        })?;
        Ok(())
    }

    fn record_size(&self, columns: &[usize]) -> Result<u64> {
        let mut size = 0u64;
        for &column in columns {
            self.check_column(column)?;
            let itemsize = self.schema().columns()[column].dtype().itemsize() as u64;
            size = size
                .checked_add(itemsize)
                .ok_or_else(|| Error::new(ErrorKind::OutOfMemory, "a record is more than 2^64 bytes"))?;
        }
        Ok(size)
    }

    /// # Safety
    ///
    /// At `dst` there must be room for the records of `rows`, written by nobody else.
    unsafe fn interleave_rows(&self, columns: &[usize], rows: Range<u64>, dst: *mut u8) {
        let mut fields = Vec::with_capacity(columns.len());
        for segment in self.file.records().segments(rows) {
            fields.clear();
            let mut offset = 0;
            for &column in columns {
                let dtype = self.schema().columns()[column].dtype();
                let width = dtype.itemsize();
                let len = segment.n_rows * width as u64;
                let src = self.file.mapping().at(segment.offset(self.schema(), column), len);
                let word = if dtype.needs_swap() { dtype.word_size() } else { 1 };
                fields.push(interleave::Field { src, width, word, offset });
                offset += width;
            }
            let n_rows = segment.n_rows as usize;
            // SAFETY: `at` has proven `n_rows` items readable behind every field's `src`; the fields tile a
            // record of `offset` bytes; the segment's records lie within those of `rows`, for which the
            // caller has promised room. Mapped memory is not writable, so source and output are apart.
            unsafe {
                let dst = dst.add(segment.out_row as usize * offset);
                interleave::interleave(&fields, n_rows, offset, dst);
            }
        }
    }
}
