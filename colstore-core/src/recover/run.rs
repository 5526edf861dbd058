//! Committing what was found, or writing it to a new file.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use colstore_format::{COUNTERS_OFFSET, Counters};

use super::inspect::{CountersState, Recoverable, inspect_source};
use crate::error::{Error, ErrorKind, Result};
use crate::source::Source;
use crate::storage::{Disk, Storage};
use crate::write::LockPolicy;
use crate::write::lock::{FileLock, policy_or_default};
use crate::write::temp::TempFile;
use crate::{Progress, inspect};

/// What is copied between two reports.
const COPY_STEP: u64 = 16 << 20;

/// How [`recover`] works.
#[derive(Debug, Clone, Copy, Default)]
pub struct RecoverOptions<'a> {
    /// Whether to commit the records in the file itself.
    pub commit: bool,
    /// What to do about the lock that keeps writers apart; `None` for the default.
    pub lock: Option<LockPolicy>,
    /// Where to report bytes done, and how to be cancelled. A commit is not cancelled once it has begun.
    pub progress: Option<&'a Progress>,
}

/// What [`recover`] has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryAction {
    /// It has looked, and changed nothing.
    Listed,
    /// It was to commit, and there was nothing to commit.
    Unchanged,
    /// The records are committed in the file.
    Committed,
    /// The records are in a new file, committed.
    Copied,
}

/// What was found, and what was done.
#[derive(Debug, Clone)]
pub struct Recovery {
    /// What was found, before anything was done.
    pub found: Recoverable,
    /// What was done.
    pub action: RecoveryAction,
}

/// Recovers the whole records of a file that a writer did not get to commit, or whose counters are damaged.
///
/// Without `out` and without [`commit`](RecoverOptions::commit) it is [`inspect`]. With `out`, what readers saw and
/// what was found go to a new file at `out`, which must not exist yet; the old one stays as it is. With `commit`, the
/// counters of the file itself are rewritten, with its data flushed before and them after; nothing else of it is
/// touched, and nothing is cut off, so readers that have it open go on as before.
///
/// A statistics footer is kept where it is for exactly the records there are then. Otherwise the file has none.
/// While it works it holds the lock that writers take.
///
/// # Errors
///
/// Those of [`inspect`]. [`Format`](ErrorKind::Format) also if there is no whole record, and with `commit` if records
/// may have been committed that are not whole any more: a new file takes nothing away, so `out` is then the way.
/// [`Locked`](ErrorKind::Locked) if a writer has the lock, [`AlreadyExists`](ErrorKind::AlreadyExists),
/// [`NoSpace`](ErrorKind::NoSpace), [`Cancelled`](ErrorKind::Cancelled),
/// [`InvalidArgument`](ErrorKind::InvalidArgument) for `out` and `commit` together, and what the operating system
/// reports.
pub fn recover(path: impl AsRef<Path>, out: Option<&Path>, options: &RecoverOptions<'_>) -> Result<Recovery> {
    let disk: Arc<dyn Storage> = Arc::new(Disk);
    recover_in(&disk, path.as_ref(), out, options)
}

/// As [`recover`], through any storage.
pub(crate) fn recover_in(
    storage: &Arc<dyn Storage>,
    path: &Path,
    out: Option<&Path>,
    options: &RecoverOptions<'_>,
) -> Result<Recovery> {
    match (out, options.commit) {
        (None, false) => Ok(Recovery { found: inspect(path)?, action: RecoveryAction::Listed }),
        (None, true) => commit(storage, path, options),
        (Some(out), false) => copy(storage, path, out, options),
        (Some(_), true) => {
            let message = "records are committed in the file itself or written to another one, not both";
            Err(Error::new(ErrorKind::InvalidArgument, message).with_path(path))
        }
    }
}

fn commit(storage: &Arc<dyn Storage>, path: &Path, options: &RecoverOptions<'_>) -> Result<Recovery> {
    let target = storage.open(path).map_err(|e| Error::io("open", path, &e))?;
    let _lock = FileLock::exclusive(target.file(), path, policy_or_default(options.lock))?;
    let file = target.file().try_clone().map_err(|e| Error::io("open", path, &e))?;
    let found = inspect_source(path, &mut Source::of(path, file)?)?;
    if found.is_complete() {
        return Ok(Recovery { found, action: RecoveryAction::Unchanged });
    }
    check_there_is_something(&found)?;
    if found.may_lose_committed() {
        let what = match &found.counters {
            CountersState::Wrong(text) | CountersState::Damaged(text) => text.as_str(),
            CountersState::Intact => "",
        };
        let message = format!(
            "'{}': {what}; committing the {} whole records in place would give up what may lie behind them; recover to \
             a new file instead",
            path.display(),
            found.whole.n_records
        );
        return Err(Error::new(ErrorKind::Format, message).with_path(path));
    }
    if options.progress.is_some_and(Progress::is_cancelled) {
        return Err(colstore_kernels::Cancelled.into());
    }
    let flush = || target.flush().map_err(|e| Error::io("flush", path, &e));
    // Counters on the disk must never count a record that is not.
    flush()?;
    let counters = counters(&found).encode();
    target.write_all_at(&counters, COUNTERS_OFFSET).map_err(|e| Error::io("write", path, &e))?;
    flush()?;
    Ok(Recovery { found, action: RecoveryAction::Committed })
}

fn copy(
    storage: &Arc<dyn Storage>,
    path: &Path,
    out: &Path,
    options: &RecoverOptions<'_>,
) -> Result<Recovery> {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let file = file.map_err(|e| Error::io("open", path, &e))?;
    let _lock = FileLock::exclusive(&file, path, policy_or_default(options.lock))?;
    let mut source = Source::of(path, file)?;
    let found = inspect_source(path, &mut source)?;
    check_there_is_something(&found)?;

    let temp = TempFile::new(storage, out, false).map_err(|e| say_exists(e, out))?;
    let end = found.whole.end + found.statistics_len;
    // The header of a file without records may end before its padding does.
    let present = end.min(source.size);
    let mut done = 0;
    while done < present {
        let step = COPY_STEP.min(present - done);
        let copied = temp.file().copy_from(&source.file, done, done, step);
        copied.map_err(|e| temp.write_error(&e))?;
        done += step;
        if let Some(progress) = options.progress {
            progress.report(done, present);
            if progress.is_cancelled() {
                return Err(colstore_kernels::Cancelled.into());
            }
        }
    }
    if present < end {
        temp.file().set_len(end).map_err(|e| temp.write_error(&e))?;
    }
    let counters = counters(&found).encode();
    temp.file().write_all_at(&counters, COUNTERS_OFFSET).map_err(|e| temp.write_error(&e))?;
    temp.publish(false, true).map_err(|e| say_exists(e, out))?;
    Ok(Recovery { found, action: RecoveryAction::Copied })
}

/// The same error, with what can be done about it here.
fn say_exists(error: Error, out: &Path) -> Error {
    if error.kind() != ErrorKind::AlreadyExists {
        return error;
    }
    let message =
        format!("'{}' exists already, and recovery replaces nothing; choose another path", out.display());
    Error::new(ErrorKind::AlreadyExists, message).with_path(out).with_os_code(libc::EEXIST)
}

/// Refuses to make an empty table of a file in which there was more.
fn check_there_is_something(found: &Recoverable) -> Result<()> {
    if found.committed.is_some() || found.whole.n_records > 0 {
        return Ok(());
    }
    let why = found.tail.as_ref().map_or("the file ends where its records begin", |tail| &tail.reason);
    let message = format!("'{}' has no whole record to recover: {why}", found.path.display());
    Err(Error::new(ErrorKind::Format, message).with_path(&found.path))
}

/// The counters of all whole records.
fn counters(found: &Recoverable) -> Counters {
    let stats_offset = found.statistics_offset.and_then(|offset| i64::try_from(offset).ok()).unwrap_or(0);
    Counters { n_records: found.whole.n_records, committed_rows: found.whole.n_rows, stats_offset }
}
