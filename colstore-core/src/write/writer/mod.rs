//! Streaming writing: records one after another at the end of a file, committed together.
//!
//! ```text
//! open ──► Place: the file, locked; compared with its path; its records checked
//!            │
//! write ──► checks ──► Tail: small records gathered in batches, large ones written from where they lie
//!            │
//! commit ──► records written ──► flush ──► counters rewritten ──► flush ──► name settled
//! ```
//!
//! What readers know of a file are its counters: 64 bytes in its first block. Records are added behind those that the
//! counters tell of, and the counters are rewritten when the records are on the disk. So a crash at any point leaves
//! the records of the last commit, or of the one that was under way.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_format::{Counters, Header, Manifest, Schema, Statistics};

use self::place::Place;
use self::record::{Failure, Record, Values};
use self::session::{Open, Trouble, doubtful};
use self::tail::Tail;
use super::ColumnData;
use super::check::{check_columns, check_schema, schema_of};
use super::extremes::Collected;
use super::lock::policy_or_default;
use crate::error::{Error, ErrorKind, Result};
use crate::source::{Source, read_statistics};
use crate::storage::{Disk, Storage};

mod batch;
mod commit;
mod options;
mod place;
mod record;
mod session;
mod tail;
#[cfg(test)]
mod tests;

pub use options::{WriterMode, WriterOptions};

/// A file that is written record by record.
///
/// Records count from the [`commit`](Writer::commit) or [`close`](Writer::close) after them on: readers that open the
/// file see all of a commit or nothing of it, and so does whoever opens it after a crash or a power cut. A writer holds
/// a lock, so that there is one at a time; readers need none.
///
/// A writer that is dropped without having been closed commits nothing, and takes away what it wrote since the last
/// commit. In a process that was forked off the writer does nothing: it belongs to the process that opened it.
///
/// ```
/// use colstore_core::{ColumnData, DType, Table, Writer, WriterMode, WriterOptions};
///
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("events.cstore");
/// let mut writer = Writer::open(&path, WriterMode::Create, &WriterOptions::default())?;
/// for i in 0..3u32 {
///     let values: Vec<u8> = (i..i + 100).flat_map(u32::to_le_bytes).collect();
///     writer.write(&[ColumnData::from_slice("id".into(), DType::parse("<u4")?, &values)?])?;
/// }
/// writer.close()?;
/// assert_eq!(Table::open(&path)?.n_rows(), 300);
/// # Ok::<(), colstore_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    mode: WriterMode,
    options: WriterOptions,
    /// Whose it is: only this process may write.
    process: u32,
    is_locked: bool,
    schema: Option<Schema>,
    n_records: u64,
    n_rows: u64,
    /// Whether a record was refused: then that none was written is no wish of the caller's.
    has_refused: bool,
    /// `None` once closed.
    open: Option<Open>,
}

impl Writer {
    /// Opens the file at `path` for writing, and locks it before anything is changed. A symbolic link at `path` stays,
    /// its target is written.
    ///
    /// [`Create`](WriterMode::Create) makes an empty file at once, so that nobody else can; it stays empty up to the
    /// first record. [`Recreate`](WriterMode::Recreate) writes to a temporary file beside an existing one, which keeps
    /// its permissions, and does as `Create` where there is none. [`Update`](WriterMode::Update) checks the file, and
    /// changes nothing before the first record.
    ///
    /// # Errors
    ///
    /// [`AlreadyExists`](ErrorKind::AlreadyExists) and [`NotFound`](ErrorKind::NotFound) as the mode says;
    /// [`Locked`](ErrorKind::Locked) if there is another writer; [`Format`](ErrorKind::Format) if a file to be updated
    /// is damaged; [`InvalidArgument`](ErrorKind::InvalidArgument) if its names cannot be in statistics; and whatever
    /// the operating system reports.
    pub fn open(path: impl AsRef<Path>, mode: WriterMode, options: &WriterOptions) -> Result<Writer> {
        let disk: Arc<dyn Storage> = Arc::new(Disk);
        Writer::open_in(&disk, path.as_ref(), mode, options)
    }

    /// As [`open`](Writer::open), through any storage.
    pub(crate) fn open_in(
        storage: &Arc<dyn Storage>,
        path: &Path,
        mode: WriterMode,
        options: &WriterOptions,
    ) -> Result<Writer> {
        let policy = policy_or_default(options.lock);
        let place = match mode {
            WriterMode::Create => Place::create(storage, path, policy)?,
            WriterMode::Recreate => Place::recreate(storage, path, policy)?,
            WriterMode::Update => Place::update(storage, path, policy)?,
        };
        let tail = Tail::new(place.file(), place.path(), 0, 0);
        let mut writer = Writer {
            path: path.to_path_buf(),
            mode,
            options: options.clone(),
            process: std::process::id(),
            is_locked: place.is_locked(),
            schema: None,
            n_records: 0,
            n_rows: 0,
            has_refused: false,
            open: None,
        };
        let mut open = Open {
            place,
            tail,
            statistics: None,
            committed: Counters::default(),
            committed_end: 0,
            begun: false,
            in_doubt: false,
            trouble: None,
        };
        if mode == WriterMode::Update {
            writer.read_existing(&mut open)?;
        }
        writer.open = Some(open);
        Ok(writer)
    }

    /// Reads and checks the file that records are to be added to.
    fn read_existing(&mut self, open: &mut Open) -> Result<()> {
        let path = open.place.path().to_path_buf();
        let file = open.place.file().file();
        let file = file.try_clone().map_err(|e| Error::io("open", &path, &e))?;
        let mut source = Source::of(&path, file)?;
        let header = source.header()?;
        let (records, end) = source.records(&header)?;
        let schema = header.schema();
        if self.options.statistics {
            Statistics::check_names(schema).map_err(|e| Error::in_file(&path, &e))?;
            let n = records.n_records() as u64;
            let known = read_statistics(&source.file, source.size, &header, n, end);
            open.statistics = Some(Collected::new(schema, n, known.as_ref()));
        }
        open.committed = header.counters();
        open.committed_end = end;
        open.tail = Tail::new(open.place.file(), &path, end, source.size);
        self.n_records = open.committed.n_records;
        self.n_rows = records.n_rows();
        self.schema = Some(schema.clone());
        Ok(())
    }

    /// Writes one record of `columns`: as many as in the first record, with the same names in the same order and the
    /// same dtypes but for the byte order, all of one length, which may be zero. The first record decides what they
    /// are, unless the file does. Everything is checked before a byte is written.
    ///
    /// A small record may be kept in memory, with room for it set aside in the file.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) and [`UnsupportedType`](ErrorKind::UnsupportedType) for columns
    /// that do not fit, and for a writer that is closed; [`NoSpace`](ErrorKind::NoSpace),
    /// [`Cancelled`](ErrorKind::Cancelled), and whatever the operating system reports. The file is as it was before
    /// then (but for statistics in a file that is updated: the first attempt takes them away), and more can be
    /// written. Should records be lost that were kept in memory, the message says which; then
    /// nothing more can be written, and the ones before are committed by [`close`](Writer::close).
    pub fn write(&mut self, columns: &[ColumnData<'_>]) -> Result<()> {
        let result = self.write_columns(columns);
        self.has_refused |= result.is_err();
        result
    }

    fn write_columns(&mut self, columns: &[ColumnData<'_>]) -> Result<()> {
        self.check_usable()?;
        let n_rows = check_columns(columns)?;
        let schema = match &self.schema {
            Some(schema) => {
                check_schema(columns, schema)?;
                schema.clone()
            }
            None => self.check_new_schema(columns)?,
        };
        self.append(&schema, n_rows, Values::Columns(columns))
    }

    /// Writes one record whose values are in `body` already as the file holds them: the columns of the schema one after
    /// the other, each of `n_rows` little-endian values, with nothing between or behind them.
    ///
    /// # Errors
    ///
    /// As [`write`](Writer::write); also [`InvalidArgument`](ErrorKind::InvalidArgument) if there is no schema yet, or
    /// the size is wrong.
    pub fn write_packed(&mut self, n_rows: u64, body: &[u8]) -> Result<()> {
        self.check_usable()?;
        let invalid = |message: String| Error::new(ErrorKind::InvalidArgument, message).with_path(&self.path);
        let Some(schema) = self.schema.clone() else {
            return Err(invalid(
                "the first record must say what the columns are; write columns first".into(),
            ));
        };
        if schema.columns().iter().any(|c| c.dtype().needs_swap()) {
            return Err(invalid(format!(
                "'{}' has columns of big-endian dtype, and can be read but not appended to",
                self.path.display()
            )));
        }
        if n_rows.checked_mul(schema.row_width()) != Some(body.len() as u64) {
            return Err(invalid(format!(
                "a record of {n_rows} rows of {} bytes cannot have a body of {} bytes",
                schema.row_width(),
                body.len()
            )));
        }
        self.append(&schema, n_rows, Values::Packed(body))
    }

    /// Publishes the records so far: once it returns, they survive a power cut, and readers that open the file see
    /// them. More can be written. Does nothing if there are no new records.
    ///
    /// Statistics are written by [`close`](Writer::close) alone.
    ///
    /// # Errors
    ///
    /// Whatever the operating system reports. What was committed before still is. After a failed flush nobody can say
    /// what is on the disk, so that nothing can be written or committed any more.
    pub fn commit(&mut self) -> Result<()> {
        self.check_usable()?;
        self.drain()?;
        self.commit_records(false)
    }

    /// Commits what was written and ends the writer. Where nothing was written, [`WriterMode::Update`] leaves the file
    /// exactly as it is, and the other modes leave none: there cannot be a file without columns. But if records were
    /// refused, a file that should have been replaced stays.
    ///
    /// Does nothing if the writer is closed. It is closed afterwards, whatever the result.
    ///
    /// # Errors
    ///
    /// As [`commit`](Writer::commit). If only the statistics could not be written, the records are committed.
    pub fn close(&mut self) -> Result<()> {
        if self.open.is_none() {
            return Ok(());
        }
        if let Err(e) = self.check_process() {
            self.forget();
            return Err(e);
        }
        let result = self.finish();
        if result.is_err() {
            self.take_back();
        }
        self.open = None;
        result
    }

    /// Ends the writer without committing: what was written since the last commit is taken away, as far as that can be.
    /// Does nothing if the writer is closed.
    pub fn abandon(&mut self) {
        if self.open.is_none() {
            return;
        }
        if self.process == std::process::id() {
            self.take_back();
            self.open = None;
        } else {
            self.forget();
        }
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The mode it was opened in.
    pub fn mode(&self) -> WriterMode {
        self.mode
    }

    /// The columns; `None` before the first record of a new file.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// The number of records in the file, the ones that are not committed yet included.
    pub fn n_records(&self) -> u64 {
        self.n_records
    }

    /// The number of rows in the file, the ones that are not committed yet included.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// Whether it has, or had until it was closed, the lock on its file. Without one, nothing keeps others from writing
    /// at the same time; see [`LockPolicy`](crate::LockPolicy).
    pub fn is_locked(&self) -> bool {
        self.is_locked
    }

    fn check_new_schema(&self, columns: &[ColumnData<'_>]) -> Result<Schema> {
        let schema = schema_of(columns)?;
        if self.options.statistics {
            Statistics::check_names(&schema)?;
        }
        Ok(schema)
    }

    /// Adds a record of values that were checked.
    fn append(&mut self, schema: &Schema, n_rows: u64, values: Values<'_>) -> Result<()> {
        let Some(open) = &mut self.open else { return Err(closed(&self.path)) };
        let record = Record::new(schema, self.n_records, n_rows, values)?;
        let is_first = self.schema.is_none();
        let start = if is_first { first_end(schema) } else { open.tail.end() };
        if start.checked_add(record.size()).is_none_or(|end| i64::try_from(end).is_err()) {
            return Err(Error::new(ErrorKind::NoSpace, "the file would be larger than 2^63 bytes"));
        }
        // Columns may be of no width.
        if self.n_rows.checked_add(n_rows).is_none_or(|sum| i64::try_from(sum).is_err()) {
            return Err(Error::new(ErrorKind::InvalidArgument, "the file would have more than 2^63 rows"));
        }
        open.begin(schema)?;
        match record.write(&mut open.tail, &self.options) {
            Ok(found) => {
                if self.options.statistics {
                    open.statistics.get_or_insert_with(|| Collected::new(schema, 0, None)).push(found);
                }
                self.n_records += 1;
                self.n_rows += n_rows;
                self.schema.get_or_insert_with(|| schema.clone());
                Ok(())
            }
            Err(Failure::Record(e)) => {
                if is_first {
                    open.unbegin();
                }
                Err(e)
            }
            Err(Failure::Loss(loss)) => Err(self.lose(&loss)),
        }
    }

    fn check_usable(&self) -> Result<()> {
        let Some(open) = &self.open else { return Err(closed(&self.path)) };
        self.check_process()?;
        match &open.trouble {
            None => Ok(()),
            Some(Trouble::Doubtful(why)) => Err(doubtful(&self.path, why)),
            Some(Trouble::Lost(why)) => {
                let message = format!("nothing more can be written after a loss ({why}); close the writer");
                Err(Error::new(ErrorKind::Io, message).with_path(&self.path))
            }
        }
    }

    fn check_process(&self) -> Result<()> {
        let process = std::process::id();
        if process == self.process {
            return Ok(());
        }
        let message = format!(
            "the writer of '{}' belongs to process {}, and this is process {process}, forked off from it",
            self.path.display(),
            self.process
        );
        Err(Error::new(ErrorKind::InvalidArgument, message).with_path(&self.path))
    }

    /// Lets go of everything without touching the file, which is another process's.
    fn forget(&mut self) {
        if let Some(open) = self.open.take() {
            open.place.forget();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Where the first record of a new file begins.
fn first_end(schema: &Schema) -> u64 {
    Header::encode(&Manifest::new(schema.clone()), Counters::default()).len() as u64
}

fn closed(path: &Path) -> Error {
    let message = format!("the writer of '{}' is closed", path.display());
    Error::new(ErrorKind::InvalidArgument, message).with_path(path)
}
