//! One-shot writing: a set of columns becomes a file of one record.

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use colstore_format::{
    Column, ColumnStatistics, Counters, DType, Header, Manifest, RecordHeader, Schema, Statistics,
};
use colstore_kernels::reduce::{MinMax, min_max};
use colstore_kernels::{Progress, pool};

use super::ColumnData;
use super::stage::Stages;
use super::temp::TempFile;
use crate::chunks::Chunks;
use crate::error::{Error, ErrorKind, Result};
use crate::number::number;
use crate::options::threads;
use crate::storage::{Disk, OutputFile, Storage};

/// Bytes written by one system call: about what the second-level cache of a core holds.
const WRITE_CHUNK: u64 = 2 << 20;

/// What happens if the target exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StoreMode {
    /// It is an error, and nothing is touched.
    #[default]
    Create,
    /// It is replaced, in one step, once the new file is whole.
    Recreate,
}

/// What a finished call has made sure of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The file is whole whatever becomes of the process. After a power cut a brand-new file may be missing
    /// or short; one that replaces another is on the disk before it does.
    #[default]
    Process,
    /// The file and its name are on the disk.
    Disk,
}

/// How [`store`] writes.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoreOptions<'a> {
    /// What happens if the target exists.
    pub mode: StoreMode,
    /// Whether minima and maxima are recorded behind the data.
    pub statistics: bool,
    /// What a finished call has made sure of.
    pub durability: Durability,
    /// The most threads that may work on it; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes done, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

/// Writes `columns` to a new file of one record at `path`.
///
/// The file comes into being whole: it is written under a temporary name beside `path` and then renamed.
/// Whatever fails before that leaves an existing file as it was and no temporary file. Readers that have an
/// existing file open keep what they opened; the new one is flushed to the disk before it takes its place. A
/// symbolic link at `path` stays, its target is written; an existing file's permissions are kept.
///
/// # Errors
///
/// Before anything is created: [`InvalidArgument`](ErrorKind::InvalidArgument) for no columns, columns of
/// unequal length, a name given twice, a zero-width dtype, or with statistics a name of more than 65,535
/// bytes; [`AlreadyExists`](ErrorKind::AlreadyExists) in [`StoreMode::Create`]. Then
/// [`NoSpace`](ErrorKind::NoSpace), [`Cancelled`](ErrorKind::Cancelled), and whatever the operating system
/// reports.
pub fn store(path: impl AsRef<Path>, columns: &[ColumnData<'_>], options: &StoreOptions<'_>) -> Result<()> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    store_in(&disk, path.as_ref(), columns, options)
}

/// As [`store`], through any storage.
pub(crate) fn store_in(
    storage: &Arc<dyn Storage>,
    path: &Path,
    columns: &[ColumnData<'_>],
    options: &StoreOptions<'_>,
) -> Result<()> {
    let plan = Plan::new(columns, options)?;
    let replace = options.mode == StoreMode::Recreate;
    let temp = TempFile::new(storage, path, replace)?;
    let flush = options.durability == Durability::Disk || temp.replaces();
    plan.write(&temp, flush, options)?;
    temp.publish(replace, flush)
}

/// Where everything goes in the file, known before it is created.
struct Plan<'a> {
    columns: Vec<PlannedColumn<'a>>,
    schema: Schema,
    manifest: Manifest,
    n_rows: u64,
    data_offset: u64,
    /// End of the record.
    end: u64,
    n_chunks: usize,
    statistics: bool,
}

struct PlannedColumn<'a> {
    data: &'a ColumnData<'a>,
    /// Where the column's values begin in the file.
    offset: u64,
    chunks: Chunks,
    /// Number of the first of its chunks among the chunks of all columns.
    first_chunk: usize,
}

/// Minimum and maximum of one chunk.
pub(super) type Extremes = Mutex<Option<MinMax>>;

impl<'a> Plan<'a> {
    fn new(columns: &'a [ColumnData<'a>], options: &StoreOptions<'_>) -> Result<Plan<'a>> {
        let n_rows = check_columns(columns)?;
        let schema = columns.iter().map(|c| Column::new(c.name().clone(), c.dtype().to_little())).collect();
        let schema = Schema::new(schema)?;
        if options.statistics {
            Statistics::check_names(&schema)?;
        }
        let manifest = Manifest::new(schema.clone());
        let data_offset = Header::encode(&manifest, Counters::default()).len() as u64;
        let body_offset = data_offset + RecordHeader::LEN as u64;
        let body_size = schema.body_size(n_rows)?;
        let end = body_offset
            .checked_add(body_size)
            .filter(|&end| i64::try_from(end).is_ok())
            .ok_or_else(|| Error::new(ErrorKind::NoSpace, "the file would be larger than 2^63 bytes"))?;
        let mut n_chunks = 0;
        let mut planned = Vec::with_capacity(columns.len());
        for (j, data) in columns.iter().enumerate() {
            let offset = body_offset + n_rows * schema.prefix_width(j);
            // Chunks end on multiples of their size in the file, which are page boundaries.
            let chunks = Chunks::new(n_rows, data.dtype().itemsize() as u64, WRITE_CHUNK, offset);
            planned.push(PlannedColumn { data, offset, chunks, first_chunk: n_chunks });
            n_chunks += chunks.len() as usize;
        }
        let statistics = options.statistics;
        Ok(Plan { columns: planned, schema, manifest, n_rows, data_offset, end, n_chunks, statistics })
    }

    fn write(&self, temp: &TempFile, flush: bool, options: &StoreOptions<'_>) -> Result<()> {
        let file = &**temp.file();
        let extremes: Vec<Extremes> = match self.statistics {
            true => (0..self.n_chunks).map(|_| Mutex::new(None)).collect(),
            false => Vec::new(),
        };
        // The first failure; once there is one, the remaining chunks are passed over.
        let failure: Mutex<Option<io::Error>> = Mutex::new(None);
        // Padding is not written: it reads as zeros.
        file.allocate(self.end).map_err(|e| temp.write_error(&e))?;
        let n_threads = threads(options.max_threads, self.end - self.data_offset);
        let writer = ChunkWriter { file, flush, staged: n_threads > 1, stages: Stages::default() };
        pool::run(n_threads, self.n_chunks, options.progress, WRITE_CHUNK, &|chunk| {
            if lock(&failure).is_none()
                && let Err(e) = self.write_chunk(chunk, &writer, &extremes)
            {
                lock(&failure).get_or_insert(e);
            }
        })?;
        if let Some(e) = lock(&failure).take() {
            return Err(temp.write_error(&e));
        }
        let footer = match self.statistics {
            true => self.footer(&extremes)?,
            false => Vec::new(),
        };
        let stats_offset = if self.statistics { self.end as i64 } else { 0 };
        let counters = Counters { n_records: 1, committed_rows: self.n_rows, stats_offset };
        let mut head = Header::encode(&self.manifest, counters);
        head.extend_from_slice(&RecordHeader { index: 0, n_rows: self.n_rows }.encode());
        file.write_all_at(&footer, self.end).map_err(|e| temp.write_error(&e))?;
        file.write_all_at(&head, 0).map_err(|e| temp.write_error(&e))
    }

    fn write_chunk(&self, chunk: usize, writer: &ChunkWriter<'_>, extremes: &[Extremes]) -> io::Result<()> {
        let column = &self.columns[self.columns.partition_point(|c| c.first_chunk <= chunk) - 1];
        let rows = column.chunks.rows((chunk - column.first_chunk) as u64);
        if rows.is_empty() {
            return Ok(());
        }
        let dtype = column.data.dtype();
        let n_rows = (rows.end - rows.start) as usize;
        let offset = column.offset + rows.start * dtype.itemsize() as u64;
        writer.with_bytes(column.data, rows, offset, |bytes| {
            if let (Some(slot), Some(number)) = (extremes.get(chunk), number(dtype)) {
                // SAFETY: these are the rows' bytes, packed and little-endian, as `number` says.
                *lock(slot) = unsafe { min_max(number, bytes.as_ptr(), n_rows) };
            }
            writer.write(bytes, offset)
        })
    }

    fn footer(&self, extremes: &[Extremes]) -> Result<Vec<u8>> {
        let columns = self.columns.iter().map(|column| {
            let first = column.first_chunk;
            let chunks = &extremes[first..first + column.chunks.len() as usize];
            column_statistics(column.data.dtype(), self.n_rows, chunks)
        });
        Ok(Statistics::new(&self.schema, 1, columns.collect())?.encode(&self.schema)?)
    }
}

/// How the chunks of one file are written.
struct ChunkWriter<'a> {
    file: &'a dyn OutputFile,
    flush: bool,
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
        let len = (rows.end - rows.start) as usize * data.dtype().itemsize();
        if data.is_stored_form() && !self.staged {
            // SAFETY: the rows are the column's, side by side, readable and unchanged while it lives.
            return work(unsafe { std::slice::from_raw_parts(data.address(rows.start), len) });
        }
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
        if self.flush {
            self.file.start_write_back(offset, bytes.len() as u64);
        }
        Ok(())
    }
}

/// Checks what can be wrong with a set of columns; gives their number of rows.
fn check_columns(columns: &[ColumnData<'_>]) -> Result<u64> {
    let invalid = |message: String| Error::new(ErrorKind::InvalidArgument, message);
    let Some(first) = columns.first() else {
        return Err(invalid("empty column mapping: a file needs at least one column".into()));
    };
    for column in columns {
        let name = column.name();
        column.dtype().is_storable().map_err(|e| Error::from(e).with_column(name))?;
        if column.n_rows() != first.n_rows() {
            let message = format!(
                "column '{name}' has {} rows; expected {}, as many as column '{}'",
                column.n_rows(),
                first.n_rows(),
                first.name()
            );
            return Err(invalid(message).with_column(name));
        }
    }
    Ok(first.n_rows())
}

/// The statistics of one column in the file's only record, from those of its chunks.
pub(super) fn column_statistics(dtype: DType, n_rows: u64, chunks: &[Extremes]) -> ColumnStatistics {
    let itemsize = dtype.itemsize();
    let none = ColumnStatistics { min: vec![0; itemsize], max: vec![0; itemsize], valid: vec![false] };
    let Some(number) = number(dtype).filter(|_| n_rows > 0) else {
        return none;
    };
    let (mut minima, mut maxima) = (Vec::new(), Vec::new());
    for chunk in chunks {
        // A chunk without extremes holds a value that has no place in an order.
        let Some(MinMax { min, max }) = lock(chunk).as_ref().copied() else {
            return none;
        };
        minima.extend_from_slice(&min[..itemsize]);
        maxima.extend_from_slice(&max[..itemsize]);
    }
    let n = minima.len() / itemsize;
    // SAFETY: both vectors hold `n` packed little-endian values of the kind that `number` says.
    let extremes = unsafe { min_max(number, minima.as_ptr(), n).zip(min_max(number, maxima.as_ptr(), n)) };
    match extremes {
        Some((low, high)) => ColumnStatistics {
            min: low.min[..itemsize].to_vec(),
            max: high.max[..itemsize].to_vec(),
            valid: vec![true],
        },
        None => none,
    }
}

/// A panic elsewhere does not make what is locked here wrong: it is written in one step.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
