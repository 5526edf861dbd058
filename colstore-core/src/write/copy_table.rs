//! Copying: any table becomes a file of one record.
//!
//! ```text
//! the new file is cut into chunks of whole words, column by column
//! for each chunk, first those of the first rows:
//!     for each piece of it, record by record and file by file: copy it into the stage, in little-endian order
//!     write the stage
//! ```
//!
//! What is kept in memory is a chunk a thread, however large a value, however many the records.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use colstore_format::{Column, DType, Schema};
use colstore_kernels::reduce::min_max;
use colstore_kernels::{Progress, byteswap};

use super::body::lock;
use super::extremes::{self, Collected, Extremes};
use super::one_record::OneRecord;
use super::sink::{COPIED_PIECE, Sink, WRITE_CHUNK};
use super::store::{StoreMode, StoreOptions};
use super::temp::TempFile;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::number::number;
use crate::options::ReadOptions;
use crate::part::pieces;
use crate::read::{reported_bytes, run_chunks};
use crate::storage::{Disk, Storage};
use crate::table::Table;

/// How [`copy_table`] writes.
#[derive(Debug, Clone, Copy, Default)]
pub struct CopyOptions<'a> {
    /// What happens if the target exists.
    pub mode: StoreMode,
    /// Whether minima and maxima are recorded behind the data. They are computed from the values; those of the
    /// table's files are not looked at.
    pub statistics: bool,
    /// The most threads that may work on it; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes done, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

/// Writes all rows of `table` to a new file of one record at `path`: the same bytes that [`store`](crate::store)
/// writes for the same columns.
///
/// Whatever the table, its columns come in its own order and in little-endian byte order, and the memory that is
/// needed is 2 MiB a thread. The file comes into being whole: it is written under a temporary name, flushed to the
/// disk and renamed, and its directory is flushed, so that it is there after a power cut, or the old one is. Whatever
/// fails before leaves an existing file as it was and no temporary file. Readers that have an existing file open keep
/// what they opened. A symbolic link at `path` stays, its target is written; an existing file's permissions are kept.
///
/// # Errors
///
/// Before anything is created: [`InvalidArgument`](ErrorKind::InvalidArgument) for a table without columns, for a
/// `path` that is one of the table's own files, and with statistics for a name of more than 65,535 bytes;
/// [`AlreadyExists`](ErrorKind::AlreadyExists) in [`StoreMode::Create`]. Then [`NoSpace`](ErrorKind::NoSpace),
/// [`Cancelled`](ErrorKind::Cancelled), [`Io`](ErrorKind::Io) if a file of the table was cut short, and whatever the
/// operating system reports.
///
/// ```
/// # fn main() -> colstore_core::Result<()> {
/// use colstore_core::{ColumnData, CopyOptions, OnMismatch, StoreOptions, Table, concat, copy_table, store};
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path();
/// for name in ["a.cstore", "b.cstore"] {
///     let column = ColumnData::from_slice("x".into(), "<i4".parse()?, &[1, 0, 0, 0, 2, 0, 0, 0])?;
///     store(dir.join(name), &[column], &StoreOptions::default())?;
/// }
/// let tables = [Table::open(dir.join("a.cstore"))?, Table::open(dir.join("b.cstore"))?];
/// let (both, _) = concat(&tables, OnMismatch::Strict)?;
/// copy_table(&both, dir.join("both.cstore"), &CopyOptions::default())?;
/// let copied = Table::open(dir.join("both.cstore"))?;
/// assert_eq!((copied.n_rows(), copied.n_records()), (4, 1));
/// # Ok(())
/// # }
/// ```
pub fn copy_table(table: &Table, path: impl AsRef<Path>, options: &CopyOptions<'_>) -> Result<()> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    copy_table_in(&disk, table, path.as_ref(), options)
}

/// As [`copy_table`], through any storage.
pub(crate) fn copy_table_in(
    storage: &Arc<dyn Storage>,
    table: &Table,
    path: &Path,
    options: &CopyOptions<'_>,
) -> Result<()> {
    if let Some(source) = table.parts().iter().find(|part| part.file.is_at(path)) {
        let message = format!(
            "'{}' is also one of the sources ('{}'); write to another path",
            path.display(),
            source.file.path().display()
        );
        return Err(Error::new(ErrorKind::InvalidArgument, message).with_path(path));
    }
    replace_with_copy(storage, table, path, options)
}

/// As [`copy_table_in`], but `path` may be one of the table's own files.
pub(super) fn replace_with_copy(
    storage: &Arc<dyn Storage>,
    table: &Table,
    path: &Path,
    options: &CopyOptions<'_>,
) -> Result<()> {
    let plan = Plan::new(table, options.statistics)?;
    let replace = options.mode == StoreMode::Recreate;
    let temp = TempFile::new(storage, path, replace)?;
    let reported = plan.write(&temp, options)?;
    temp.publish_watched(replace, options.progress, reported)
}

/// Fills `temp` with the rows of `table` as one record. Heeds the statistics, threads and progress of `options`.
pub(super) fn write_table(table: &Table, temp: &TempFile, options: &StoreOptions<'_>) -> Result<()> {
    let StoreOptions { mode, statistics, max_threads, progress, .. } = *options;
    let plan = Plan::new(table, statistics)?;
    plan.write(temp, &CopyOptions { mode, statistics, max_threads, progress })?;
    Ok(())
}

/// The columns as a new file has them: in little-endian byte order.
pub(super) fn stored_schema(schema: &Schema) -> Result<Schema> {
    let stored = |column: &Column| {
        column.dtype().is_storable().map_err(|e| Error::from(e).with_column(column.name()))?;
        Ok(Column::new(column.name().clone(), column.dtype().to_little()))
    };
    Ok(Schema::new(schema.columns().iter().map(stored).collect::<Result<_>>()?)?)
}

/// Where everything goes in the file, known before it is created.
struct Plan<'a> {
    table: &'a Table,
    record: OneRecord,
    columns: Vec<PlannedColumn>,
    /// The most chunks that a column has.
    n_stripes: u64,
    n_chunks: usize,
}

struct PlannedColumn {
    dtype: DType,
    /// Where the column's values begin in the file.
    offset: u64,
    /// Of words, so that no value is too large to be cut.
    chunks: Chunks,
    /// Number of the first of its chunks among the chunks of all columns.
    first_chunk: usize,
}

impl<'a> Plan<'a> {
    fn new(table: &'a Table, statistics: bool) -> Result<Plan<'a>> {
        let n_rows = table.n_rows();
        let columns = table.schema().columns();
        if columns.is_empty() {
            let message =
                format!("nothing to write: at least one source with columns is needed, not {}", table.name());
            return Err(table.blame(Error::new(ErrorKind::InvalidArgument, message)));
        }
        let record = OneRecord::new(stored_schema(table.schema())?, n_rows, statistics)?;
        let (mut n_chunks, mut n_stripes) = (0, 0);
        let mut planned = Vec::with_capacity(columns.len());
        for (j, column) in record.schema().columns().iter().enumerate() {
            let dtype = column.dtype();
            let offset = record.column(j);
            let word = dtype.word_size() as u64;
            // In range: no more words than the body has bytes.
            let chunks = Chunks::new(n_rows * (dtype.itemsize() as u64 / word), word, WRITE_CHUNK, offset);
            planned.push(PlannedColumn { dtype, offset, chunks, first_chunk: n_chunks });
            n_chunks += chunks.len() as usize;
            n_stripes = n_stripes.max(chunks.len());
        }
        Ok(Plan { table, record, columns: planned, n_stripes, n_chunks })
    }

    /// Gives the bytes that were reported as done and as the total.
    fn write(&self, temp: &TempFile, options: &CopyOptions<'_>) -> Result<u64> {
        self.table.check_files(0..self.table.n_rows())?;
        let extremes: Vec<Mutex<Extremes>> = match self.record.has_statistics() {
            true => (0..self.n_chunks).map(|_| Mutex::new(None)).collect(),
            false => Vec::new(),
        };
        let sink = Sink::new(temp, self.record.end(), COPIED_PIECE, true)?;
        let reading = ReadOptions { max_threads: options.max_threads, progress: options.progress };
        let n_columns = self.columns.len() as u64;
        let n_steps = self.n_stripes.saturating_mul(n_columns) as usize;
        let bytes = self.record.body_size();
        run_chunks(n_steps, bytes, &reading, &|step| {
            let (stripe, column) = (step as u64 / n_columns, step % self.columns.len());
            match self.chunk_in(stripe, &self.columns[column]) {
                Some(chunk) => self.write_chunk(column, chunk, &sink, &extremes),
                None => Ok(()),
            }
        })?;
        let footer = match self.record.has_statistics() {
            true => self.footer(&extremes)?,
            false => Vec::new(),
        };
        sink.write(self.record.end(), &footer)?;
        sink.write(0, &self.record.head())?;
        Ok(reported_bytes(n_steps, bytes))
    }

    /// The chunk of a column that is written in a stripe. Stripes keep the columns in step, so that the sources are
    /// read from their beginnings to their ends: narrow columns have no chunk in some.
    fn chunk_in(&self, stripe: u64, column: &PlannedColumn) -> Option<u64> {
        let n_chunks = u128::from(column.chunks.len());
        let first = |stripe: u64| (u128::from(stripe) * n_chunks).div_ceil(u128::from(self.n_stripes));
        let chunk = first(stripe);
        // In range: a chunk of the column.
        (chunk < first(stripe + 1)).then_some(chunk as u64)
    }

    fn write_chunk(
        &self,
        column: usize,
        chunk: u64,
        sink: &Sink<'_>,
        extremes: &[Mutex<Extremes>],
    ) -> Result<()> {
        let planned = &self.columns[column];
        let word = planned.dtype.word_size() as u64;
        let words = planned.chunks.rows(chunk);
        let bytes = words.start * word..words.end * word;
        let len = (bytes.end - bytes.start) as usize;
        sink.fill(planned.offset + bytes.start, len, |room| {
            // SAFETY: the sink has room for the chunk, which is this thread's alone.
            unsafe { self.gather(column, bytes, room)? };
            let slot = extremes.get(planned.first_chunk + chunk as usize);
            if let (Some(slot), Some(number)) = (slot, number(planned.dtype)) {
                // SAFETY: these are whole values, packed and little-endian: numbers are one word each.
                *lock(slot) = unsafe { min_max(number, room, len / planned.dtype.itemsize()) };
            }
            Ok(())
        })
    }

    /// Puts bytes of a column, counted from its first value on, together at `out` in little-endian order.
    ///
    /// # Safety
    ///
    /// The bytes must be whole words of the column, and as many at `out` writable by nobody else.
    unsafe fn gather(&self, column: usize, bytes: Range<u64>, out: *mut u8) -> Result<()> {
        let dtype = self.columns[column].dtype;
        let itemsize = dtype.itemsize() as u64;
        let rows = bytes.start / itemsize..bytes.end.div_ceil(itemsize);
        for piece in pieces(self.table.parts(), rows.clone()) {
            let first = (rows.start + piece.out_row) * itemsize;
            let start = first.max(bytes.start);
            let end = (first + piece.n_rows() * itemsize).min(bytes.end);
            let len = (end - start) as usize;
            // SAFETY: the pieces of the rows that have a byte in `bytes` cover it once; each writes its own part.
            unsafe {
                let dst = out.add((start - bytes.start) as usize);
                piece.copy_bytes(column, start - first, dst, len)?;
                if piece.part.dtype(column).needs_swap() {
                    byteswap::copy_swapped(dst, dst, len / dtype.word_size(), dtype.word_size());
                }
            }
        }
        Ok(())
    }

    fn footer(&self, found: &[Mutex<Extremes>]) -> Result<Vec<u8>> {
        let mut statistics = Collected::new(self.record.schema(), 0, None);
        statistics.push(self.columns.iter().map(|column| {
            let first = column.first_chunk;
            let chunks = &found[first..first + column.chunks.len() as usize];
            // A chunk of no rows has no extremes; there are such chunks only where there are no rows.
            extremes::merged(column.dtype, chunks.iter().map(|chunk| *lock(chunk)))
        }));
        statistics.footer()
    }
}
