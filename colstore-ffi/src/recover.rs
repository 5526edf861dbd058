//! What a writer that died has left, found and committed.

use std::ffi::c_char;
use std::mem;

use colstore_core::{CountersState as CoreState, LockPolicy, RecoveryAction as CoreAction};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::progress::{self, Progress};
use crate::slice;
use crate::status::Status;
use crate::table::to_i64;
use crate::versioned::{self, OutStruct, Versioned};

/// What a recovery has done.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecoveryAction {
    /// It has looked, and changed nothing.
    Listed = 0,
    /// It was to commit, and there was nothing to commit.
    Unchanged = 1,
    /// The records are committed in the file.
    Committed = 2,
    /// The records are in a new file, committed.
    Copied = 3,
}

/// Whether the counters of a file, which say how many of its records are committed, can be relied on.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountersState {
    /// They are intact, and the records are there.
    Intact = 0,
    /// They are intact, and do not agree with the records.
    Wrong = 1,
    /// Their bytes are damaged, as by a write that was torn.
    Damaged = 2,
}

/// How a file is recovered. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RecoverOptions {
    /// `sizeof(colstore_recover_options)`, set by the caller.
    pub size: usize,
    /// 1 to commit the records in the file itself, else 0.
    pub commit: i32,
    /// 1 to work without the lock that keeps writers apart, else 0.
    pub no_lock: i32,
    /// Receives reports and can cancel the call; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for RecoverOptions {
    const NAME: &'static str = "colstore_recover_options";
    const FIRST_SIZE: usize = mem::offset_of!(RecoverOptions, progress) + size_of::<*mut Progress>();
}

/// What was found in a file before anything was done, and what was done.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Recovery {
    /// `sizeof(colstore_recovery)`, set by the caller.
    pub size: usize,
    /// An `enum colstore_recovery_action`.
    pub action: i32,
    /// An `enum colstore_counters_state`.
    pub counters: i32,
    /// Records that readers see; -1 if they refuse the file, because its counters are not intact.
    pub committed_records: i64,
    /// Rows in them; -1 likewise.
    pub committed_rows: i64,
    /// Where the last of them ends, in bytes from the start of the file; -1 likewise.
    pub committed_end: i64,
    /// All whole records from the first on, committed or not.
    pub whole_records: i64,
    /// Rows in them.
    pub whole_rows: i64,
    /// Where the last of them ends, in bytes from the start of the file.
    pub whole_end: i64,
    /// Bytes behind the last whole record.
    pub tail_bytes: i64,
    /// Size of the file in bytes.
    pub file_size: i64,
    /// Where a statistics footer for exactly the whole records starts, in bytes from the start of the file; 0 for
    /// none.
    pub statistics_offset: i64,
    /// 1 if records may have been committed that are not among the whole ones: then only a new file can take them.
    pub may_lose_committed: i32,
    /// 0.
    pub reserved: i32,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for Recovery {
    const NAME: &'static str = "colstore_recovery";
    const FIRST_SIZE: usize = mem::offset_of!(Recovery, reserved) + size_of::<i32>();
}

/// Finds the whole records of a file that a writer did not get to commit, or whose counters are damaged, and
/// recovers them if asked to.
///
/// With a `target`, what readers saw and what was found go to a new file there, and the old one stays as it is.
/// With `commit` in the options, the counters of the file itself are rewritten, its data being flushed before and
/// they after; nothing else of it is touched or cut off. With neither, nothing is changed. `target` may be NULL,
/// with `target_len` 0.
///
/// Bodies of records have no checksum: after a power cut (not after the end of a process) a whole record may hold
/// values that never reached the disk.
///
/// `options` may be NULL.
///
/// Fails with `FORMAT` if magic or manifest are damaged, if there is no whole record, or if a commit in the file
/// might give up records that were committed; with `LOCKED` if a writer is at work on the file; with `ALREADY_EXISTS` if
/// there is something at the target; with `INVALID_ARGUMENT` for both target and commit; and with `NO_SPACE`,
/// `CANCELLED`, `NOT_FOUND`, `PERMISSION_DENIED` or `IO` as other calls do.
///
/// # Safety
///
/// `path` has `path_len` bytes and `target` has `target_len`; `options` is NULL or has its size set; `out` is NULL or
/// a `colstore_recovery` with its size set; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_recover(
    path: *const c_char,
    path_len: usize,
    target: *const c_char,
    target_len: usize,
    options: *const RecoverOptions,
    out: *mut Recovery,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_recover", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (path, target, options, out) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                match target.is_null() && target_len == 0 {
                    true => None,
                    false => Some(slice::path(target, target_len, "target")?),
                },
                versioned::read_optional(options, "options")?,
                OutStruct::new(out, "out")?,
            )
        };
        // SAFETY: NULL or live, by the promise of the caller.
        let progress = unsafe { progress::share(options.progress) };
        let options = colstore_core::RecoverOptions {
            commit: slice::choice(options.commit, &[(0, false), (1, true)], "options->commit")?,
            lock: slice::choice(
                options.no_lock,
                &[(0, None), (1, Some(LockPolicy::Off))],
                "options->no_lock",
            )?,
            progress: progress.as_deref(),
        };
        let recovery = colstore_core::recover(path, target.as_deref(), &options)?;
        out.set(describe(&recovery)?);
        Ok(())
    })
}

fn describe(recovery: &colstore_core::Recovery) -> Result<Recovery, Failure> {
    let found = &recovery.found;
    let committed = |what: fn(&colstore_core::Counts) -> u64, name: &str| {
        found.committed.as_ref().map_or(Ok(-1), |counts| to_i64(what(counts), name))
    };
    Ok(Recovery {
        size: size_of::<Recovery>(),
        action: match recovery.action {
            CoreAction::Listed => RecoveryAction::Listed,
            CoreAction::Unchanged => RecoveryAction::Unchanged,
            CoreAction::Committed => RecoveryAction::Committed,
            CoreAction::Copied => RecoveryAction::Copied,
        } as i32,
        counters: match found.counters {
            CoreState::Intact => CountersState::Intact,
            CoreState::Wrong(_) => CountersState::Wrong,
            CoreState::Damaged(_) => CountersState::Damaged,
        } as i32,
        committed_records: committed(|counts| counts.n_records, "the number of records")?,
        committed_rows: committed(|counts| counts.n_rows, "the number of rows")?,
        committed_end: committed(|counts| counts.end, "the committed end")?,
        whole_records: to_i64(found.whole.n_records, "the number of records")?,
        whole_rows: to_i64(found.whole.n_rows, "the number of rows")?,
        whole_end: to_i64(found.whole.end, "the end of the records")?,
        tail_bytes: to_i64(found.tail.as_ref().map_or(0, |tail| tail.len), "the size of the tail")?,
        file_size: to_i64(found.file_size, "the size of the file")?,
        statistics_offset: to_i64(found.statistics_offset.unwrap_or(0), "the place of the statistics")?,
        may_lose_committed: i32::from(found.may_lose_committed()),
        reserved: 0,
    })
}
