//! Columns into packed rows: the structured, row-major form.

use std::mem::MaybeUninit;
use std::ops::Range;

use colstore_kernels::{interleave, pool};

use super::fetched;
use super::output::check_output;
use super::target::Target;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::memory;
use crate::numa;
use crate::options::{CHUNK_BYTES, ReadOptions, threads};
use crate::part::pieces;
use crate::rows::Rows;
use crate::table::Table;

impl Table {
    /// Copies `rows` of `columns` to `out` as packed records: row after row, within a row the columns in the
    /// order asked for, nothing between them, all in native byte order. A column may be asked for more than
    /// once; without columns there is nothing to write.
    ///
    /// # Errors
    ///
    /// As [`read_column`](Table::read_column).
    pub fn read_records<'r>(
        &self,
        columns: &[usize],
        rows: impl Into<Rows<'r>>,
        out: &mut [MaybeUninit<u8>],
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        let rows = rows.into();
        let n_rows = self.check_rows(&rows)?;
        let record_size = self.record_size(columns)?;
        check_output(out.len(), n_rows, record_size as u64, || {
            format!("records of {} columns", columns.len())
        })
        .map_err(|e| self.blame(e))?;
        let len = out.len();
        let out: *mut u8 = out.as_mut_ptr().cast();
        numa::spread(out, len);
        let mut offset = 0;
        let targets: Vec<Target> = columns
            .iter()
            .map(|&column| {
                let dtype = self.schema().columns()[column].dtype();
                // SAFETY: the output is borrowed exclusively and holds `n_rows` records, which the fields tile.
                let target = unsafe { Target::new(column, dtype, out.wrapping_add(offset), record_size) };
                offset += dtype.itemsize();
                target
            })
            .collect();
        if !self.is_mapped() {
            return fetched::read(self, &targets, &rows, options);
        }
        match rows.side_by_side() {
            Some(range) => self.interleave_columns(&targets, record_size, range, options),
            None => self.read_scattered(&targets, &rows, options),
        }
    }

    fn record_size(&self, columns: &[usize]) -> Result<usize> {
        let mut size = 0usize;
        for &column in columns {
            self.check_column(column)?;
            let itemsize = self.schema().columns()[column].dtype().itemsize();
            size = size
                .checked_add(itemsize)
                .ok_or_else(|| Error::new(ErrorKind::OutOfMemory, "a record is more than 2^64 bytes"))?;
        }
        Ok(size)
    }

    /// Rows side by side, as records.
    fn interleave_columns(
        &self,
        targets: &[Target],
        record_size: usize,
        rows: Range<u64>,
        options: &ReadOptions<'_>,
    ) -> Result<()> {
        self.check_files(rows.clone())?;
        let Some(first) = targets.first() else { return Ok(()) };
        // SAFETY: row 0 is the output's first, or behind its last if there are none.
        let address = unsafe { first.at(0) }.addr() as u64;
        let chunks = Chunks::new(rows.end - rows.start, record_size as u64, CHUNK_BYTES, address);
        memory::ask_for_huge_pages(address as *const u8, chunks.bytes() as usize);
        let n_threads = threads(options.max_threads, chunks.bytes());
        pool::run(n_threads, chunks.len() as usize, options.progress, CHUNK_BYTES, &|chunk| {
            let chunk = chunks.rows(chunk as u64);
            let mut fields = Vec::with_capacity(targets.len());
            for piece in pieces(self.parts(), rows.start + chunk.start..rows.start + chunk.end) {
                fields.clear();
                let mut offset = 0;
                for target in targets {
                    let word = if target.needs_swap() { target.dtype.word_size() } else { 1 };
                    let src = piece.address(target.column);
                    fields.push(interleave::Field { src, width: target.width, word, offset });
                    offset += target.width;
                }
                let n_rows = piece.n_rows() as usize;
                // SAFETY: every field's `src` holds `n_rows` values, which are mapped; the fields tile a record;
                // the piece's records are among the chunk's, which no other thread writes. Mapped memory is not
                // writable, so source and output are apart.
                unsafe {
                    let dst = first.at((chunk.start + piece.out_row) as usize);
                    interleave::interleave(&fields, n_rows, record_size, dst);
                }
            }
        })?;
        Ok(())
    }
}
