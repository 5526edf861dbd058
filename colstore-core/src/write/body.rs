//! The values of one record from the caller's columns to the file, chunk by chunk, on several threads.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use colstore_format::Schema;
use colstore_kernels::{Progress, pool};

use super::ColumnData;
use super::extremes::{self, Extremes};
use super::sink::WRITE_CHUNK;
use super::stage::Stages;
use crate::chunks::Chunks;
use crate::error::{Error, Result};
use crate::options::threads;
use crate::storage::OutputFile;

/// Where every column of a record goes, known before anything is written.
pub(super) struct Body<'a> {
    columns: Vec<PlannedColumn<'a>>,
    bytes: u64,
    n_chunks: usize,
}

struct PlannedColumn<'a> {
    data: &'a ColumnData<'a>,
    /// Where the column's values begin in the file.
    offset: u64,
    chunks: Chunks,
    /// Number of the first of its chunks among the chunks of all columns.
    first_chunk: usize,
}

/// How a body is written.
pub(super) struct BodyOptions<'a> {
    /// Whether to find the extremes of every column on the way.
    pub(super) statistics: bool,
    /// Whether the system is to begin writing to the disk at once.
    pub(super) write_back: bool,
    pub(super) max_threads: Option<NonZeroUsize>,
    pub(super) progress: Option<&'a Progress>,
}

impl<'a> Body<'a> {
    /// A body at `offset` of columns that are those of `schema`, of equal length, and whose size was checked.
    pub(super) fn new(columns: &'a [ColumnData<'a>], schema: &Schema, offset: u64) -> Body<'a> {
        let n_rows = columns.first().map_or(0, ColumnData::n_rows);
        let mut n_chunks = 0;
        let mut planned = Vec::with_capacity(columns.len());
        for (j, data) in columns.iter().enumerate() {
            let offset = offset + n_rows * schema.prefix_width(j);
            // Chunks end on multiples of their size in the file, which are page boundaries.
            let chunks = Chunks::new(n_rows, data.dtype().itemsize() as u64, WRITE_CHUNK, offset);
            planned.push(PlannedColumn { data, offset, chunks, first_chunk: n_chunks });
            n_chunks += chunks.len() as usize;
        }
        Body { columns: planned, bytes: n_rows * schema.row_width(), n_chunks }
    }

    /// Writes the values, which leaves out the padding behind them. Gives the extremes of each column, if they are
    /// asked for. `path` is for messages.
    pub(super) fn write(
        &self,
        file: &dyn OutputFile,
        path: &Path,
        options: &BodyOptions<'_>,
    ) -> Result<Vec<Extremes>> {
        let found: Vec<Mutex<Extremes>> = match options.statistics {
            true => (0..self.n_chunks).map(|_| Mutex::new(None)).collect(),
            false => Vec::new(),
        };
        // The first failure; once there is one, the remaining chunks are passed over.
        let failure: Mutex<Option<io::Error>> = Mutex::new(None);
        let n_threads = threads(options.max_threads, self.bytes);
        let write_back = options.write_back;
        let writer = ChunkWriter { file, write_back, staged: n_threads > 1, stages: Stages::default() };
        pool::run(n_threads, self.n_chunks, options.progress, WRITE_CHUNK, &|chunk| {
            if lock(&failure).is_none()
                && let Err(e) = self.write_chunk(chunk, &writer, &found)
            {
                lock(&failure).get_or_insert(e);
            }
        })?;
        if let Some(e) = lock(&failure).take() {
            return Err(Error::io("write", path, &e));
        }
        if !options.statistics {
            return Ok(Vec::new());
        }
        let of_column = |column: &PlannedColumn<'_>| {
            let first = column.first_chunk;
            let chunks = &found[first..first + column.chunks.len() as usize];
            extremes::merged(column.data.dtype(), chunks.iter().map(|chunk| *lock(chunk)))
        };
        Ok(self.columns.iter().map(of_column).collect())
    }

    fn write_chunk(
        &self,
        chunk: usize,
        writer: &ChunkWriter<'_>,
        found: &[Mutex<Extremes>],
    ) -> io::Result<()> {
        let column = &self.columns[self.columns.partition_point(|c| c.first_chunk <= chunk) - 1];
        let rows = column.chunks.rows((chunk - column.first_chunk) as u64);
        if rows.is_empty() {
            return Ok(());
        }
        let dtype = column.data.dtype();
        let offset = column.offset + rows.start * dtype.itemsize() as u64;
        writer.with_bytes(column.data, rows, offset, |bytes| {
            if let Some(slot) = found.get(chunk) {
                *lock(slot) = extremes::extremes(dtype, bytes);
            }
            writer.write(bytes, offset)
        })
    }
}

/// How the chunks of one file are written.
struct ChunkWriter<'a> {
    file: &'a dyn OutputFile,
    write_back: bool,
    /// Whether chunks are brought into a stage first: worth it if there is a thread to do so while another writes.
    staged: bool,
    stages: Stages,
}

impl ChunkWriter<'_> {
    /// Hands `rows` of a column to `work` as the file will hold them at `offset`.
    fn with_bytes<R>(
        &self,
        data: &ColumnData<'_>,
        rows: Range<u64>,
        offset: u64,
        work: impl FnOnce(&[u8]) -> R,
    ) -> R {
        if let Some(bytes) = data.stored_bytes(rows.clone()).filter(|_| !self.staged) {
            return work(bytes);
        }
        let len = (rows.end - rows.start) as usize * data.dtype().itemsize();
        self.stages.with(|stage| {
            let room = stage.room(len, offset);
            // SAFETY: there is room for `len` bytes, which are all written before they are lent.
            let bytes = unsafe {
                data.copy_stored(rows, room);
                std::slice::from_raw_parts(room, len)
            };
            work(bytes)
        })
    }

    fn write(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)?;
        if self.write_back {
            self.file.start_write_back(offset, bytes.len() as u64);
        }
        Ok(())
    }
}

/// A panic elsewhere does not make what is locked here wrong: it is written in one step.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
