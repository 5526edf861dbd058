//! One new shard: written under a temporary name, then published.

use std::fs::File;
use std::io;
use std::path::Path;

use super::copy_table::write_table;
use super::shard_directory::{MARK, ShardDirectory};
use super::store::Plan;
use super::temp::TempFile;
use super::{ColumnData, StoreOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::file::DataFile;
use crate::options::OpenOptions;
use crate::table::Table;

/// Bytes that are copied between two looks at the progress: some milliseconds' worth.
const COPY_CHUNK: u64 = 8 << 20;

/// Writes `columns` to a new shard at `path`, which is on the disk afterwards but for its name.
pub(super) fn write_columns(
    directory: &ShardDirectory,
    path: &Path,
    columns: &[ColumnData<'_>],
    options: &StoreOptions<'_>,
) -> Result<()> {
    let plan = Plan::new(columns, options)?;
    publish(directory, path, |temp| plan.write(temp, true, options))
}

/// Writes the rows of `table` to a new shard at `path`, as one record, which is on the disk afterwards but for its
/// name.
pub(super) fn write_rows(
    directory: &ShardDirectory,
    path: &Path,
    table: &Table,
    options: &StoreOptions<'_>,
) -> Result<()> {
    publish(directory, path, |temp| write_table(table, temp, options))
}

/// Copies `file` to a new shard at `path`, byte for byte, which is on the disk afterwards but for its name.
pub(super) fn copy_file(
    directory: &ShardDirectory,
    path: &Path,
    file: &DataFile,
    options: &StoreOptions<'_>,
) -> Result<()> {
    publish(directory, path, |temp| {
        file.with_file(|source| copy_bytes(file, source, temp, options))?;
        // Somebody may have written to the source meanwhile; what came of it must be a table of the same columns.
        let copy = DataFile::open(temp.path(), &OpenOptions::default()).and_then(|copy| {
            match copy.schema() == file.schema() && copy.records().n_rows() >= file.records().n_rows() {
                true => Ok(()),
                false => Err(Error::new(ErrorKind::Format, "its columns or rows are others")),
            }
        });
        copy.map_err(|e| {
            let message = format!(
                "'{}' was changed while it was copied, and the copy is no whole file: {e}; try again",
                file.path().display()
            );
            Error::new(e.kind(), message).with_path(file.path())
        })
    })
}

fn copy_bytes(file: &DataFile, source: &File, temp: &TempFile, options: &StoreOptions<'_>) -> Result<()> {
    let read_error = |e: &io::Error| Error::io("read", file.path(), e);
    let len = source.metadata().map_err(|e| read_error(&e))?.len();
    let target = &**temp.file();
    target.allocate(len).map_err(|e| temp.write_error(&e))?;
    let mut done = 0;
    while done < len {
        if options.progress.is_some_and(colstore_kernels::Progress::is_cancelled) {
            return Err(colstore_kernels::Cancelled.into());
        }
        let n = COPY_CHUNK.min(len - done);
        target.copy_from(source, done, done, n).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => read_error(&e),
            _ => temp.write_error(&e),
        })?;
        target.start_write_back(done, n);
        done += n;
        if let Some(progress) = options.progress {
            progress.report(done, len);
        }
    }
    Ok(())
}

/// Lets `fill` write a temporary file, and gives it the name `path`, in one step.
fn publish(
    directory: &ShardDirectory,
    path: &Path,
    fill: impl FnOnce(&TempFile) -> Result<()>,
) -> Result<()> {
    let temp = TempFile::marked(directory.storage(), path, false, MARK)?;
    // The lock tells the next writer that this file is not left over. It goes with the descriptor. Where there are no
    // locks nobody can hold the directory's either, and then nothing is removed.
    let _ = temp.file().file().try_lock();
    fill(&temp)?;
    temp.file().flush().map_err(|e| Error::io("flush", path, &e))?;
    temp.publish(false, false)
}

/// Waits until the names in the directory are on the disk.
pub(super) fn flush_names(directory: &ShardDirectory, shard: &Path) -> Result<()> {
    directory.storage().flush_directory(directory.path()).map_err(|e| {
        let hint = format!("the shard '{}' is in place, but may not outlast a power cut", shard.display());
        Error::io("flush the directory", directory.path(), &e).with_hint(&hint)
    })
}
