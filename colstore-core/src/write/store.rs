//! One-shot writing: a set of columns becomes a file of one record.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use colstore_kernels::Progress;

use super::ColumnData;
use super::body::{Body, BodyOptions};
use super::check::{check_columns, schema_of};
use super::extremes::Collected;
use super::one_record::OneRecord;
use super::temp::TempFile;
use crate::error::Result;
use crate::storage::{Disk, Storage};

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
/// Before anything is created: [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for no columns, columns of
/// unequal length, a name given twice, a zero-width dtype, or with statistics a name of more than 65,535
/// bytes; [`AlreadyExists`](crate::ErrorKind::AlreadyExists) in [`StoreMode::Create`]. Then
/// [`NoSpace`](crate::ErrorKind::NoSpace), [`Cancelled`](crate::ErrorKind::Cancelled), and whatever the operating
/// system reports.
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
pub(super) struct Plan<'a> {
    body: Body<'a>,
    record: OneRecord,
}

impl<'a> Plan<'a> {
    pub(super) fn new(columns: &'a [ColumnData<'a>], options: &StoreOptions<'_>) -> Result<Plan<'a>> {
        let n_rows = check_columns(columns)?;
        let record = OneRecord::new(schema_of(columns)?, n_rows, options.statistics)?;
        let body = Body::new(columns, record.schema(), record.body());
        Ok(Plan { body, record })
    }

    pub(super) fn write(&self, temp: &TempFile, flush: bool, options: &StoreOptions<'_>) -> Result<()> {
        let file = &**temp.file();
        // Padding is not written: it reads as zeros.
        file.allocate(self.record.end()).map_err(|e| temp.write_error(&e))?;
        let body_options = BodyOptions {
            statistics: self.record.has_statistics(),
            write_back: flush,
            max_threads: options.max_threads,
            progress: options.progress,
        };
        let extremes = self.body.write(file, temp.target(), &body_options)?;
        if self.record.has_statistics() {
            let mut statistics = Collected::new(self.record.schema(), 0, None);
            statistics.push(extremes);
            file.write_all_at(&statistics.footer()?, self.record.end()).map_err(|e| temp.write_error(&e))?;
        }
        file.write_all_at(&self.record.head(), 0).map_err(|e| temp.write_error(&e))
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
