//! Rows in memory that are to become a shard.

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;

use colstore_format::Schema;
use colstore_kernels::{Progress, pool};

use super::ColumnData;
use super::body::lock;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::memory;
use crate::options::{CHUNK_BYTES, ReadOptions, threads};
use crate::read::ColumnOutput;
use crate::table::Table;

/// What a column has at least once it has `MANY` bytes: then there will be more, and memory that need not move has huge
/// pages from the start.
const LEAST_OF_MANY: usize = 16 << 20;
const MANY: usize = 1 << 20;
/// The most that is set aside for a column because a shard may take so much.
const MOST_AHEAD: usize = 256 << 20;

/// Copies of the caller's rows, column by column, as a file will hold them.
#[derive(Debug)]
pub(super) struct RowBuffer {
    schema: Schema,
    columns: Vec<Vec<u8>>,
    n_rows: u64,
    /// How many there will be, as far as is known.
    rows_ahead: u64,
}

/// A run of rows of one column, and where they go.
struct Piece<'a> {
    data: &'a ColumnData<'a>,
    rows: Range<u64>,
    out: &'a mut [MaybeUninit<u8>],
}

impl RowBuffer {
    /// A buffer without rows, for about `rows_ahead` of them; `schema` is as files hold it.
    pub(super) fn new(schema: Schema, rows_ahead: u64) -> RowBuffer {
        let columns = schema.columns().iter().map(|_| Vec::new()).collect();
        RowBuffer { schema, columns, n_rows: 0, rows_ahead }
    }

    pub(super) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Takes the rows behind the first `n_rows` away; their memory is kept.
    pub(super) fn truncate(&mut self, n_rows: u64) {
        if n_rows < self.n_rows {
            for (bytes, column) in self.columns.iter_mut().zip(self.schema.columns()) {
                bytes.truncate(n_rows as usize * column.dtype().itemsize());
            }
            self.n_rows = n_rows;
        }
    }

    /// Adds `n_rows` rows of the caller's, whose columns are those of the schema. On an error there are as many rows
    /// as before.
    pub(super) fn push_columns(
        &mut self,
        columns: &[ColumnData<'_>],
        n_rows: u64,
        max_threads: Option<NonZeroUsize>,
        progress: Option<&Progress>,
    ) -> Result<()> {
        self.reserve(n_rows)?;
        let n_bytes = self.schema.row_width().saturating_mul(n_rows);
        let n_threads = threads(max_threads, n_bytes);
        if n_threads == 1 && progress.is_none() {
            for (bytes, data) in self.columns.iter_mut().zip(columns) {
                // SAFETY: room for all rows of every column has just been made, in memory of ours.
                unsafe { data.copy_stored(0..n_rows, bytes.spare_capacity_mut().as_mut_ptr().cast()) };
            }
            // SAFETY: all rows of all columns have been written.
            unsafe { self.grow(n_rows) };
            return Ok(());
        }
        let mut pieces = Vec::new();
        for (bytes, data) in self.columns.iter_mut().zip(columns) {
            let itemsize = data.dtype().itemsize();
            let mut spare = bytes.spare_capacity_mut();
            let chunks = Chunks::new(n_rows, itemsize as u64, CHUNK_BYTES, spare.as_ptr().addr() as u64);
            for rows in (0..chunks.len()).map(|chunk| chunks.rows(chunk)).filter(|rows| !rows.is_empty()) {
                let (out, rest) = spare.split_at_mut((rows.end - rows.start) as usize * itemsize);
                spare = rest;
                pieces.push(Mutex::new(Piece { data, rows, out }));
            }
        }
        pool::run(n_threads, pieces.len(), progress, CHUNK_BYTES, &|i| {
            let mut piece = lock(&pieces[i]);
            let (rows, out) = (piece.rows.clone(), piece.out.as_mut_ptr());
            // SAFETY: the piece has room for exactly its rows, in memory of ours.
            unsafe { piece.data.copy_stored(rows, out.cast()) };
        })?;
        drop(pieces);
        // SAFETY: the pieces were all rows of all columns, and each has been written.
        unsafe { self.grow(n_rows) };
        Ok(())
    }

    /// Adds all rows of a table, whose columns are those of the schema. On an error there are as many rows as before.
    pub(super) fn push_table(&mut self, table: &Table, options: &ReadOptions<'_>) -> Result<()> {
        let n_rows = table.n_rows();
        self.reserve(n_rows)?;
        let mut outputs: Vec<ColumnOutput<'_>> = self
            .columns
            .iter_mut()
            .zip(self.schema.columns())
            .enumerate()
            .map(|(column, (bytes, description))| {
                let len = n_rows as usize * description.dtype().itemsize();
                ColumnOutput { column, out: &mut bytes.spare_capacity_mut()[..len] }
            })
            .collect();
        table.read_columns(&mut outputs, 0..n_rows, options)?;
        // SAFETY: the read has filled the outputs, which were these rows of all columns.
        unsafe { self.grow(n_rows) };
        Ok(())
    }

    /// The rows, to be stored.
    pub(super) fn columns(&self) -> Result<Vec<ColumnData<'_>>> {
        let columns = self.schema.columns().iter().zip(&self.columns);
        columns.map(|(c, bytes)| ColumnData::from_slice(c.name().clone(), c.dtype(), bytes)).collect()
    }

    /// Makes room for `n_rows` more rows in every column.
    fn reserve(&mut self, n_rows: u64) -> Result<()> {
        for (bytes, column) in self.columns.iter_mut().zip(self.schema.columns()) {
            let itemsize = column.dtype().itemsize();
            let ahead = (self.rows_ahead.min(MOST_AHEAD as u64) as usize).saturating_mul(itemsize);
            let more = usize::try_from(n_rows).ok().and_then(|n| n.checked_mul(itemsize));
            if !more.is_some_and(|more| make_room(bytes, more, ahead.min(MOST_AHEAD))) {
                let message = format!(
                    "no memory for {n_rows} more rows of column '{}' beside the {} that are held; write a shard with \
                     what there is, or add fewer rows at a time",
                    column.name(),
                    self.n_rows
                );
                return Err(Error::new(ErrorKind::OutOfMemory, message).with_column(column.name()));
            }
        }
        Ok(())
    }

    /// Counts `n_rows` more rows.
    ///
    /// # Safety
    ///
    /// There must be room for them, and they must have been written.
    unsafe fn grow(&mut self, n_rows: u64) {
        for (bytes, column) in self.columns.iter_mut().zip(self.schema.columns()) {
            let len = bytes.len() + n_rows as usize * column.dtype().itemsize();
            // SAFETY: the caller's promise.
            unsafe { bytes.set_len(len) };
        }
        self.n_rows += n_rows;
    }
}

/// Makes room for `more` bytes, and for about `ahead` in all where there are many; `false` if there is no memory for
/// `more`.
fn make_room(bytes: &mut Vec<u8>, more: usize, ahead: usize) -> bool {
    let held = bytes.len();
    if bytes.capacity() - held >= more {
        return true;
    }
    let needed = held.saturating_add(more);
    let wanted = match needed {
        ..MANY => needed.next_power_of_two(),
        _ => needed.max(held.saturating_mul(2)).max(ahead).max(LEAST_OF_MANY),
    };
    if bytes.try_reserve_exact(wanted - held).is_err() && bytes.try_reserve_exact(more).is_err() {
        return false;
    }
    let fresh = bytes.spare_capacity_mut();
    memory::ask_for_huge_pages(fresh.as_ptr().cast(), fresh.len());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_with_what_is_held() {
        let mut bytes = Vec::new();
        for (more, ahead, capacity) in [
            (0, 0, 0),
            (3, 100 << 20, 4),
            (5, 100 << 20, 8),
            (MANY, 0, LEAST_OF_MANY),
            (LEAST_OF_MANY, 100 << 20, 100 << 20),
        ] {
            assert!(make_room(&mut bytes, more, ahead));
            assert_eq!(bytes.capacity(), capacity, "{more} more bytes");
            bytes.resize(bytes.len() + more, 1);
        }
        assert!(!make_room(&mut bytes, usize::MAX, 0));
        assert!(!make_room(&mut bytes, isize::MAX as usize, 0));
    }
}
