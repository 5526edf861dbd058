//! Compaction: a file of many records becomes one of a single record.

use std::fs::{self, File, Metadata};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_kernels::{Cancelled, Progress};

use super::copy_table::{CopyOptions, replace_with_copy};
use super::lock::{FileLock, LockPolicy, policy_or_default};
use super::store::StoreMode;
use super::temp::{TempFile, follow_links, link_in_place};
use super::write_back::WriteBack;
use crate::error::{Error, ErrorKind, Result};
use crate::options::OpenOptions;
use crate::source::Source;
use crate::storage::{Disk, Storage};
use crate::table::Table;

/// Bytes of a whole file that are copied before progress is reported.
const COPY_STEP: u64 = 16 << 20;
/// How often a file is opened that is replaced whenever it has just been locked.
const ATTEMPTS: u32 = 100;

/// How [`compact`] works.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompactOptions<'a> {
    /// Whether minima and maxima are recorded behind the data, if a new record is written.
    pub statistics: bool,
    /// What to do about the lock; `None` for the usual.
    pub lock: Option<LockPolicy>,
    /// The most threads that may work on it; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes done, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

/// Puts the records of the file at `path` together to one: in place, or in a new file at `out`.
///
/// The new file holds the same rows of the same columns, in the bytes that [`store`](crate::store) writes for them:
/// empty records, bytes behind the last record and recorded minima and maxima are gone, the latter unless they are
/// asked for. A file of one record or none is compact: in place nothing happens to it, and `out` becomes a copy of
/// it, byte for byte.
///
/// The file is locked meanwhile against writers and other compactions, and checked as it is for opening. The new one
/// is written under a temporary name beside its target, flushed to the disk and renamed, and the directory is flushed:
/// whatever fails leaves the old file as it was, and no temporary one. Readers keep what they opened.
///
/// In place, permissions stay as they are, and so does a symbolic link at `path`; what it leads to is compacted. Other
/// hard links of the file keep the old records, which is what keeps a copy made by linking apart from its original.
/// An `out` that leads to the file itself, by whatever path or link, means in place; if it is a hard link, it becomes
/// one of the new file. Any other file at `out` is replaced.
///
/// # Errors
///
/// [`NotFound`](ErrorKind::NotFound), [`Format`](ErrorKind::Format); [`Locked`](ErrorKind::Locked) if somebody
/// else holds it; then as [`copy_table`](crate::copy_table).
pub fn compact(path: impl AsRef<Path>, out: Option<&Path>, options: &CompactOptions<'_>) -> Result<()> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    compact_in(&disk, path.as_ref(), out, options)
}

/// As [`compact`], through any storage.
pub(crate) fn compact_in(
    storage: &Arc<dyn Storage>,
    path: &Path,
    out: Option<&Path>,
    options: &CompactOptions<'_>,
) -> Result<()> {
    let source = LockedSource::open(path, policy_or_default(options.lock))?;
    // What `out` leads to, if that is another file, or none yet.
    let elsewhere = out.filter(|out| !source.is_at(out));
    if source.table.n_records() <= 1 {
        return match elsewhere {
            Some(out) => copy_file(storage, &source.file, out, options.progress),
            None => Ok(()),
        };
    }
    let copying = CopyOptions {
        mode: StoreMode::Recreate,
        statistics: options.statistics,
        max_threads: options.max_threads,
        progress: options.progress,
    };
    let target = elsewhere.unwrap_or(&source.path);
    replace_with_copy(storage, &source.table, target, &copying)?;
    match out {
        // Another name of the old file, by which the new one was asked for.
        Some(out) if source.is_at(out) => link_in_place(storage, &source.path, out),
        _ => Ok(()),
    }
}

/// A file that nobody else may change, open for reading.
struct LockedSource {
    /// With symbolic links followed.
    path: PathBuf,
    file: File,
    metadata: Metadata,
    table: Table,
    _lock: FileLock,
}

impl LockedSource {
    fn open(path: &Path, policy: LockPolicy) -> Result<LockedSource> {
        let path = follow_links(path)?;
        for _ in 0..ATTEMPTS {
            let file = Source::open(&path)?.file;
            let lock = FileLock::exclusive(&file, &path, policy)?;
            let metadata = file.metadata().map_err(|e| Error::io("examine", &path, &e))?;
            let table = Table::open_with(&path, &OpenOptions::default())?;
            // Whoever held the lock until now may have put another file in place.
            if table.parts().iter().all(|part| part.file.is(&metadata)) {
                return Ok(LockedSource { path, file, metadata, table, _lock: lock });
            }
        }
        let message =
            format!("cannot lock '{}': it was replaced each time it had been locked", path.display());
        Err(Error::new(ErrorKind::Io, message).with_path(&path))
    }

    /// Whether `path` leads to the file, by whatever name.
    fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;

        fs::metadata(path)
            .is_ok_and(|other| (other.dev(), other.ino()) == (self.metadata.dev(), self.metadata.ino()))
    }
}

/// Copies all bytes of a file to a new one at `out`.
fn copy_file(
    storage: &Arc<dyn Storage>,
    source: &File,
    out: &Path,
    progress: Option<&Progress>,
) -> Result<()> {
    let temp = TempFile::new(storage, out, true)?;
    let file = temp.file();
    let len = source.metadata().map_err(|e| temp.write_error(&e))?.len();
    file.allocate(len).map_err(|e| temp.write_error(&e))?;
    let _write_back = WriteBack::start(file, len);
    let mut done = 0;
    while done < len {
        let step = COPY_STEP.min(len - done);
        file.copy_from(source, done, done, step).map_err(|e| temp.write_error(&e))?;
        done += step;
        if let Some(progress) = progress {
            progress.report(done, len);
            if progress.is_cancelled() {
                return Err(Cancelled.into());
            }
        }
    }
    temp.publish_watched(true, progress, len)
}
