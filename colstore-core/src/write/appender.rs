//! Shard after shard for a directory, from rows that come in batches.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_format::{Schema, ShardTemplate, Statistics};
use colstore_kernels::Progress;

use super::append::check_has_columns;
use super::check::check_columns;
use super::copy_table::stored_schema;
use super::lock::{LockPolicy, policy_or_default};
use super::row_buffer::RowBuffer;
use super::shard_directory::{Existing, ShardDirectory};
use super::shard_file::{flush_names, write_columns, write_rows};
use super::shard_schema::{check_same, is_same, schema_of};
use super::{ColumnData, StoreOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::options::ReadOptions;
use crate::storage::{Disk, Storage};
use crate::table::Table;

/// When an [`Appender`] makes a shard of the rows it holds by itself. Batches are never split: all rows it holds become
/// one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShardSize {
    /// Never: only when it is flushed or closed.
    #[default]
    Unlimited,
    /// Once there are this many rows.
    Rows(u64),
    /// Once there are as many rows as fit into so many bytes, at least one.
    Bytes(u64),
}

/// How an [`Appender`] writes.
#[derive(Debug, Clone, Copy)]
pub struct AppenderOptions<'a> {
    /// What shards are called: a [`ShardTemplate`], or a name, for an appender of one shard.
    pub name: &'a str,
    /// When rows become a shard.
    pub shard_size: ShardSize,
    /// Whether minima and maxima are recorded behind the data.
    pub statistics: bool,
    /// What is to be done about the directory's lock; `None` for [`LockPolicy::Auto`].
    pub lock: Option<LockPolicy>,
    /// The most threads that may work on it; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
}

impl Default for AppenderOptions<'_> {
    fn default() -> Self {
        AppenderOptions {
            name: ShardTemplate::DEFAULT,
            shard_size: ShardSize::Unlimited,
            statistics: false,
            lock: None,
            max_threads: None,
        }
    }
}

/// Adds shards to a directory, each of one record, from rows that come in batches.
///
/// Rows are copied into memory until there are enough for a shard, so that an appender holds up to a shard and a batch:
/// without a limit on shards, everything since the last flush. A batch that makes a shard by itself is written straight
/// from the caller's memory. The directory is locked as long as the appender lives or until it is closed; readers see
/// every shard once it is whole.
///
/// An appender that is dropped without being closed writes nothing: rows that are in no shard yet are gone, and the lock
/// is released.
///
/// ```
/// # fn main() -> colstore_core::Result<()> {
/// use colstore_core::{Appender, AppenderOptions, ColumnData, ShardSize};
/// # let dir = tempfile::tempdir().unwrap();
/// # let directory = dir.path().join("events");
/// let options = AppenderOptions { shard_size: ShardSize::Rows(4), ..AppenderOptions::default() };
/// let mut appender = Appender::open(&directory, &options)?;
/// for batch in [[1u8, 2, 3], [4, 5, 6], [7, 8, 9]] {
///     appender.write(&[ColumnData::from_slice("x".into(), "|u1".parse()?, &batch)?])?;
/// }
/// assert_eq!((appender.n_shards(), appender.pending_rows()), (1, 3));
/// let last = appender.close()?;
/// assert_eq!(last, Some(directory.join("shard_00001.cstore")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Appender {
    directory: PathBuf,
    /// `None` once closed.
    open: Option<Arc<ShardDirectory>>,
    shard_size: ShardSize,
    statistics: bool,
    max_threads: Option<NonZeroUsize>,
    progress: Option<Arc<Progress>>,
    /// The columns of all shards, and where they are known from.
    schema: Option<(Schema, String)>,
    buffer: Option<RowBuffer>,
    /// Whether there were batches since the last shard. Batches without rows make a shard too.
    is_pending: bool,
    n_shards: u64,
    /// The process whose lock and rows they are; a child of `fork()` has but copies.
    process: u32,
}

impl Appender {
    /// Creates `directory` if it is missing, with those above it, and locks it.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a wrong name, a name without a number for shards of a limited
    /// size, and a limit of 0; [`Io`](ErrorKind::Io) if another writer has the directory;
    /// [`Format`](ErrorKind::Format) if its first shard is damaged; and whatever the operating system reports.
    pub fn open(directory: impl AsRef<Path>, options: &AppenderOptions<'_>) -> Result<Appender> {
        Appender::open_in(&(Arc::new(Disk) as Arc<dyn Storage>), directory.as_ref(), options)
    }

    /// As [`open`](Appender::open), through any storage.
    pub(crate) fn open_in(
        storage: &Arc<dyn Storage>,
        directory: &Path,
        options: &AppenderOptions<'_>,
    ) -> Result<Appender> {
        let template = ShardTemplate::parse(options.name)?;
        check_shard_size(&template, options.shard_size)?;
        let open = ShardDirectory::open(storage, directory, template, policy_or_default(options.lock))?;
        let first = Existing(directory).first_schema()?;
        let schema = first.map(|(schema, path)| (schema, format!("'{}'", path.display())));
        Ok(Appender {
            directory: directory.to_path_buf(),
            open: Some(Arc::new(open)),
            shard_size: options.shard_size,
            statistics: options.statistics,
            max_threads: options.max_threads,
            progress: None,
            schema,
            buffer: None,
            is_pending: false,
            n_shards: 0,
            process: std::process::id(),
        })
    }

    /// Where the following calls report bytes done, and how they can be cancelled.
    pub fn set_progress(&mut self, progress: Option<Arc<Progress>>) {
        self.progress = progress;
    }

    /// Adds rows, and makes a shard of all there are if that is enough. On an error none of `columns` is held.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for columns that cannot be stored, or that have not the names and
    /// dtypes of earlier rows, in their order, and if the appender is closed;
    /// [`OutOfMemory`](ErrorKind::OutOfMemory); and as [`flush`](Appender::flush).
    pub fn write(&mut self, columns: &[ColumnData<'_>]) -> Result<()> {
        self.check_open()?;
        let (schema, n_rows) = match &self.schema {
            Some((known, _)) if is_same(known, columns) => (known.clone(), check_columns(columns)?),
            _ => schema_of(columns)?,
        };
        self.check_schema(&schema)?;
        self.add(
            schema,
            n_rows,
            |this, directory, path| write_columns(directory, path, columns, &this.store_options()),
            |this, buffer| buffer.push_columns(columns, n_rows, this.max_threads, this.progress.as_deref()),
        )
    }

    /// Adds the rows of a table. On an error none of them is held.
    ///
    /// # Errors
    ///
    /// As [`write`](Appender::write); also [`InvalidArgument`](ErrorKind::InvalidArgument) for a table that has rows of
    /// the directory's own shards, and what reading it fails with.
    pub fn write_table(&mut self, table: &Table) -> Result<()> {
        self.check_open()?;
        check_has_columns(table)?;
        Existing(&self.directory).check_not_own(table)?;
        let schema = stored_schema(table.schema())?;
        self.check_schema(&schema)?;
        self.add(
            schema,
            table.n_rows(),
            |this, directory, path| write_rows(directory, path, table, &this.store_options()),
            |this, buffer| {
                let progress = this.progress.as_deref();
                buffer.push_table(table, &ReadOptions { max_threads: this.max_threads, progress })
            },
        )
    }

    /// Makes a shard of the rows that are held, and gives its path; `None` if nothing was written since the last one. The
    /// shard is on the disk then.
    ///
    /// # Errors
    ///
    /// [`NoSpace`](ErrorKind::NoSpace), [`Cancelled`](ErrorKind::Cancelled) and whatever the operating system reports.
    /// The rows are still held then, for another try, unless the message says that the shard is in place.
    /// [`AlreadyExists`](ErrorKind::AlreadyExists) for a name without a number that is taken,
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if this appender has made a shard of that name, or is closed.
    pub fn flush(&mut self) -> Result<Option<PathBuf>> {
        self.check_open()?;
        if !self.is_pending {
            return Ok(None);
        }
        // Lent out, so that it can be read while the rest is used.
        let Some(buffer) = self.buffer.take() else {
            // Lost to a panic while they were lent.
            self.is_pending = false;
            return Ok(None);
        };
        let result = self.write_shard(|this, directory, path| {
            write_columns(directory, path, &buffer.columns()?, &this.store_options())
        });
        self.buffer = Some(buffer);
        if !self.is_pending {
            // Shards of a limited size are much alike: the memory will be wanted again.
            match self.shard_size {
                ShardSize::Unlimited => self.buffer = None,
                ShardSize::Rows(_) | ShardSize::Bytes(_) => self.truncate(0),
            }
        }
        result.map(Some)
    }

    /// [Flushes](Appender::flush), and lets other writers have the directory. An appender that is closed stays so;
    /// closing it again does nothing.
    ///
    /// # Errors
    ///
    /// As [`flush`](Appender::flush); the appender is still open then if rows are still held.
    pub fn close(&mut self) -> Result<Option<PathBuf>> {
        if self.open.is_none() {
            return Ok(None);
        }
        let result = self.flush();
        if !self.is_pending {
            self.abandon();
        }
        result
    }

    /// Closes without a flush: the rows that are held are gone, and other writers can have the directory.
    pub fn abandon(&mut self) {
        self.open = None;
        self.buffer = None;
        self.is_pending = false;
    }

    /// The directory, as it was given.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The number of shards this appender has made.
    pub fn n_shards(&self) -> u64 {
        self.n_shards
    }

    /// The number of rows that are in no shard yet.
    pub fn pending_rows(&self) -> u64 {
        self.buffer.as_ref().map_or(0, RowBuffer::n_rows)
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.open.is_none()
    }

    /// Whether it holds a lock on the directory: not once it is closed, nor on a file system without locks.
    pub fn is_locked(&self) -> bool {
        self.open.as_ref().is_some_and(|directory| directory.is_locked())
    }

    /// The directory, if this process may write to it.
    fn check_open(&self) -> Result<Arc<ShardDirectory>> {
        let invalid = |message: String| Err(Error::new(ErrorKind::InvalidArgument, message));
        match &self.open {
            None => invalid(format!("the appender for '{}' is closed", self.directory.display())),
            Some(_) if self.process != std::process::id() => invalid(format!(
                "the appender for '{}' is process {}'s; open another one in this process",
                self.directory.display(),
                self.process
            )),
            Some(directory) => Ok(Arc::clone(directory)),
        }
    }

    fn check_schema(&self, found: &Schema) -> Result<()> {
        if self.statistics {
            Statistics::check_names(found)?;
        }
        match &self.schema {
            Some((expected, origin)) => check_same(expected, found, origin),
            None => Ok(()),
        }
    }

    /// Adds a batch: lets `write` make a shard of it if it is enough by itself and there are no rows before it to go with,
    /// else `push` add it to those that are held.
    fn add(
        &mut self,
        schema: Schema,
        n_rows: u64,
        write: impl FnOnce(&Appender, &ShardDirectory, &Path) -> Result<()>,
        push: impl FnOnce(&Appender, &mut RowBuffer) -> Result<()>,
    ) -> Result<()> {
        let n_shards = self.n_shards;
        let result = if !self.is_pending && self.is_enough(&schema, n_rows) {
            self.write_shard(write).map(|_| ())
        } else {
            self.hold(&schema, push)
        };
        // The first batch decides about columns where no shard does.
        if result.is_ok() || self.n_shards > n_shards {
            self.schema.get_or_insert_with(|| (schema, "the rows that were written first".into()));
        }
        result
    }

    fn store_options(&self) -> StoreOptions<'_> {
        StoreOptions {
            statistics: self.statistics,
            max_threads: self.max_threads,
            progress: self.progress.as_deref(),
            ..StoreOptions::default()
        }
    }

    /// The rows that make a shard.
    fn limit(&self, schema: &Schema) -> Option<u64> {
        match self.shard_size {
            ShardSize::Unlimited => None,
            ShardSize::Rows(limit) => Some(limit),
            ShardSize::Bytes(limit) => Some((limit / schema.row_width().max(1)).max(1)),
        }
    }

    /// Whether so many rows are a shard.
    fn is_enough(&self, schema: &Schema, n_rows: u64) -> bool {
        self.limit(schema).is_some_and(|limit| n_rows >= limit)
    }

    /// Lets `push` add rows to those that are held, and makes a shard of them if there are enough. If either fails, as
    /// many rows are held as before.
    fn hold(
        &mut self,
        schema: &Schema,
        push: impl FnOnce(&Appender, &mut RowBuffer) -> Result<()>,
    ) -> Result<()> {
        let (was_pending, rows_before) = (self.is_pending, self.pending_rows());
        let result = self.push_and_roll(schema, push);
        if result.is_err() && (self.is_pending || !was_pending) {
            self.truncate(rows_before);
            self.is_pending = was_pending;
            if self.schema.is_none() {
                // The next batch may have other columns.
                self.buffer = None;
            }
        }
        result
    }

    fn push_and_roll(
        &mut self,
        schema: &Schema,
        push: impl FnOnce(&Appender, &mut RowBuffer) -> Result<()>,
    ) -> Result<()> {
        let mut buffer = match self.buffer.take() {
            Some(buffer) => buffer,
            None => RowBuffer::new(schema.clone(), self.limit(schema).unwrap_or(0)),
        };
        let pushed = push(self, &mut buffer);
        let n_rows = buffer.n_rows();
        self.buffer = Some(buffer);
        pushed?;
        self.is_pending = true;
        if self.is_enough(schema, n_rows) {
            self.flush()?;
        }
        Ok(())
    }

    fn truncate(&mut self, n_rows: u64) {
        if let Some(buffer) = &mut self.buffer {
            buffer.truncate(n_rows);
        }
    }

    /// Lets `write` make the next shard. Once that is in place nothing is pending, whatever fails then.
    fn write_shard(
        &mut self,
        write: impl FnOnce(&Appender, &ShardDirectory, &Path) -> Result<()>,
    ) -> Result<PathBuf> {
        let directory = self.check_open()?;
        let path = self.next_path(&directory)?;
        write(self, &directory, &path)?;
        self.n_shards += 1;
        self.is_pending = false;
        flush_names(&directory, &path)?;
        Ok(path)
    }

    fn next_path(&self, directory: &ShardDirectory) -> Result<PathBuf> {
        match directory.template().literal() {
            Some(name) if self.n_shards > 0 => {
                let message = format!(
                    "shard name '{name}' is a literal and makes one shard, which is there already; open the appender \
                     with a template that has {{index}} in it"
                );
                Err(Error::new(ErrorKind::InvalidArgument, message))
            }
            _ => directory.next_path(),
        }
    }
}

fn check_shard_size(template: &ShardTemplate, shard_size: ShardSize) -> Result<()> {
    let invalid = |message: String| Err(Error::new(ErrorKind::InvalidArgument, message));
    match (shard_size, template.literal()) {
        (ShardSize::Unlimited, _) => Ok(()),
        (ShardSize::Rows(0) | ShardSize::Bytes(0), _) => {
            invalid("the size of a shard must be at least one row or byte".into())
        }
        (_, Some(name)) => invalid(format!(
            "shard name '{name}' is a literal and makes one shard, so there can be no shard size; use a template with \
             {{index}} in it"
        )),
        (_, None) => Ok(()),
    }
}
