//! One more shard for a directory.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_format::{Schema, ShardTemplate, Statistics};
use colstore_kernels::Progress;

use super::lock::{LockPolicy, policy_or_default};
use super::shard_directory::{Existing, ShardDirectory};
use super::shard_file::{copy_file, flush_names, write_columns, write_rows};
use super::shard_schema::{check_same, schema_of};
use super::{ColumnData, StoreOptions, copy_table};
use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Disk, Storage};
use crate::table::Table;

/// How [`append`] and [`append_table`] write.
#[derive(Debug, Clone, Copy)]
pub struct AppendOptions<'a> {
    /// What the shard is called: a [`ShardTemplate`], or a name.
    pub name: &'a str,
    /// Whether minima and maxima are recorded behind the data.
    pub statistics: bool,
    /// What is to be done about the directory's lock; `None` for [`LockPolicy::Auto`].
    pub lock: Option<LockPolicy>,
    /// The most threads that may work on it; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes done, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

impl Default for AppendOptions<'_> {
    fn default() -> Self {
        AppendOptions {
            name: ShardTemplate::DEFAULT,
            statistics: false,
            lock: None,
            max_threads: None,
            progress: None,
        }
    }
}

impl AppendOptions<'_> {
    fn store_options(&self) -> StoreOptions<'_> {
        StoreOptions {
            statistics: self.statistics,
            max_threads: self.max_threads,
            progress: self.progress,
            ..StoreOptions::default()
        }
    }
}

/// Writes `columns` as a new shard of `directory`, and gives its path.
///
/// The directory is created if it is missing, with those above it. A shard appears whole or not at all, and is on the
/// disk when the call returns. Its number is one more than the largest that another name of the same template has.
/// One writer at a time: a lock on `.colstore.lock`, which stays in the directory, keeps others out; readers take none.
/// Temporary files of writers that died are removed.
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for a wrong name, for columns that cannot be stored, or that have
/// not the names and dtypes of the first shard, in its order; [`AlreadyExists`](ErrorKind::AlreadyExists) for a name
/// without a number that is taken; [`Io`](ErrorKind::Io) if another writer has the directory;
/// [`Format`](ErrorKind::Format) if the first shard is damaged; [`NoSpace`](ErrorKind::NoSpace),
/// [`Cancelled`](ErrorKind::Cancelled), and whatever the operating system reports. There is no new shard then, unless
/// the message says that there is.
pub fn append(
    directory: impl AsRef<Path>,
    columns: &[ColumnData<'_>],
    options: &AppendOptions<'_>,
) -> Result<PathBuf> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    append_in(&disk, directory.as_ref(), columns, options)
}

/// As [`append`], through any storage.
pub(crate) fn append_in(
    storage: &Arc<dyn Storage>,
    directory: &Path,
    columns: &[ColumnData<'_>],
    options: &AppendOptions<'_>,
) -> Result<PathBuf> {
    let (schema, _) = schema_of(columns)?;
    if options.statistics {
        Statistics::check_names(&schema)?;
    }
    let check = |existing: &Existing<'_>| check_fits(existing, &schema);
    add(storage, directory, options, check, |directory, path| {
        write_columns(directory, path, columns, &options.store_options())
    })
}

/// Writes the rows of `table` as a new shard of `directory`, and gives its path.
///
/// A file is copied byte for byte, with its records, its statistics and whatever is behind them; several files become
/// one record, and so does one file if `statistics` are asked for. Else as [`append`].
///
/// # Errors
///
/// As [`append`]; also [`InvalidArgument`](ErrorKind::InvalidArgument) for a table without columns, and for one that
/// has rows of the directory's own shards.
pub fn append_table(
    directory: impl AsRef<Path>,
    table: &Table,
    options: &AppendOptions<'_>,
) -> Result<PathBuf> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    append_table_in(&disk, directory.as_ref(), table, options)
}

/// As [`append_table`], through any storage.
pub(crate) fn append_table_in(
    storage: &Arc<dyn Storage>,
    directory: &Path,
    table: &Table,
    options: &AppendOptions<'_>,
) -> Result<PathBuf> {
    check_has_columns(table)?;
    let whole_file = match table.parts() {
        [part] if !options.statistics && part.file.schema() == table.schema() => Some(&part.file),
        _ => None,
    };
    let schema = match whole_file {
        Some(_) => table.schema().clone(),
        None => copy_table::stored_schema(table.schema())?,
    };
    if options.statistics {
        Statistics::check_names(&schema)?;
    }
    let check = |existing: &Existing<'_>| {
        existing.check_not_own(table)?;
        check_fits(existing, &schema)
    };
    add(storage, directory, options, check, |directory, path| match whole_file {
        Some(file) => copy_file(directory, path, file, &options.store_options()),
        None => write_rows(directory, path, table, &options.store_options()),
    })
}

/// Opens the directory, and lets `write` make a shard of it if `check` has nothing against it.
fn add(
    storage: &Arc<dyn Storage>,
    directory: &Path,
    options: &AppendOptions<'_>,
    check: impl Fn(&Existing<'_>) -> Result<()>,
    write: impl FnOnce(&ShardDirectory, &Path) -> Result<()>,
) -> Result<PathBuf> {
    let template = ShardTemplate::parse(options.name)?;
    let existing = Existing(directory);
    if existing.is_unlocked_directory() {
        // What is refused leaves nothing behind, not even the file of the lock.
        check(&existing)?;
    }
    let directory = ShardDirectory::open(storage, directory, template, policy_or_default(options.lock))?;
    check(&existing)?;
    let path = directory.next_path()?;
    write(&directory, &path)?;
    flush_names(&directory, &path)?;
    Ok(path)
}

/// Fails if there are shards with other columns.
pub(super) fn check_fits(existing: &Existing<'_>, schema: &Schema) -> Result<()> {
    match existing.first_schema()? {
        Some((expected, path)) => check_same(&expected, schema, &format!("'{}'", path.display())),
        None => Ok(()),
    }
}

pub(super) fn check_has_columns(table: &Table) -> Result<()> {
    if table.schema().is_empty() {
        let message = "shard schema mismatch: a table without columns cannot be appended";
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok(())
}
