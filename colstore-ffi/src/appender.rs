//! Shard after shard for a directory, from rows that come in batches.

use std::ffi::c_char;
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use colstore_core::{Appender as CoreAppender, ShardSize};

use crate::append::{give_paths, shard_name};
use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::names::Names;
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::slice;
use crate::status::Status;
use crate::store::{ColumnData, read_columns};
use crate::table::{Table, to_i64};
use crate::versioned::{self, OutStruct, Versioned};

/// Adds shards to a directory. Opaque; owned by the caller. Calls from several threads take turns.
#[derive(Debug)]
pub struct Appender {
    core: Mutex<CoreAppender>,
    /// A child of `fork()` may find the mutex locked for good.
    process: u32,
}

impl Handle for Appender {}

impl Appender {
    /// Lets `work` use the appender, with `progress` as long as it does.
    ///
    /// # Safety
    ///
    /// `progress` is NULL or live.
    unsafe fn with<R>(
        &self,
        progress: *mut Progress,
        work: impl FnOnce(&mut CoreAppender) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        if self.process != std::process::id() {
            let message = "the appender belongs to the parent of this process; open another one";
            return Err(Error::new(Status::InvalidArgument, message).into());
        }
        // SAFETY: the same promise.
        let progress = unsafe { progress::share(progress) };
        // After a panic it is what it was after the last step that succeeded.
        let mut core = self.core.lock().unwrap_or_else(PoisonError::into_inner);
        core.set_progress(progress);
        let result = work(&mut core);
        core.set_progress(None);
        result
    }
}

/// How an appender makes shards. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AppenderOptions {
    /// `sizeof(colstore_appender_options)`, set by the caller.
    pub size: usize,
    /// What shards are called, as in `colstore_append_options`; a name without a number is for one shard.
    pub name: *const c_char,
    /// Bytes of the name.
    pub name_len: usize,
    /// Rows that make a shard, once there are as many or more; 0 for no such limit.
    pub shard_rows: i64,
    /// Bytes that make a shard, counted in whole rows, at least one; 0 for no such limit. Only one of the limits may be
    /// set.
    pub shard_bytes: i64,
    /// 1 to record the least and the greatest value of every column, else 0.
    pub statistics: i32,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for AppenderOptions {
    const NAME: &'static str = "colstore_appender_options";
    const FIRST_SIZE: usize = mem::offset_of!(AppenderOptions, max_threads) + size_of::<i32>();
}

/// What an appender has done.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AppenderInfo {
    /// `sizeof(colstore_appender_info)`, set by the caller.
    pub size: usize,
    /// Shards that it has made.
    pub n_shards: i64,
    /// Rows that are in no shard yet.
    pub pending_rows: i64,
    /// 1 if it is closed, else 0.
    pub closed: i32,
    /// 1 if it holds a lock on the directory; 0 once it is closed, and on file systems without locks.
    pub locked: i32,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for AppenderInfo {
    const NAME: &'static str = "colstore_appender_info";
    const FIRST_SIZE: usize = mem::offset_of!(AppenderInfo, locked) + size_of::<i32>();
}

fn shard_size(options: &AppenderOptions) -> Result<ShardSize, Failure> {
    let limit = |number: i64, field: &str| {
        u64::try_from(number)
            .map_err(|_| Failure::Argument(format!("options->{field} is {number}; it must not be negative")))
    };
    match (limit(options.shard_rows, "shard_rows")?, limit(options.shard_bytes, "shard_bytes")?) {
        (0, 0) => Ok(ShardSize::Unlimited),
        (rows, 0) => Ok(ShardSize::Rows(rows)),
        (0, bytes) => Ok(ShardSize::Bytes(bytes)),
        (rows, bytes) => Err(Failure::Argument(format!(
            "options->shard_rows is {rows} and options->shard_bytes is {bytes}; set one of them at most"
        ))),
    }
}

/// Opens an appender for a directory, which is created if it is missing, with those above it.
///
/// Rows are copied into memory until there are enough for a shard, so that the appender holds up to a shard and a batch.
/// The directory is locked until the appender is closed or freed. `options` may be NULL: then only
/// `colstore_appender_flush` and `colstore_appender_close` make shards.
///
/// `*out` is a new appender: free it with `colstore_appender_free`.
///
/// Fails with `INVALID_ARGUMENT` for a wrong name, and for a limit with a name that has no number; with `IO` if another
/// writer holds the lock; with `FORMAT` if the first shard is damaged; and with `PERMISSION_DENIED`, `ALREADY_EXISTS`
/// (a file in the place of the directory), `NO_SPACE` or `IO` if the operating system refuses.
///
/// # Safety
///
/// `directory` has `directory_len` bytes; `options` is NULL or has its size set; `out` is NULL or writable; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_open(
    directory: *const c_char,
    directory_len: usize,
    options: *const AppenderOptions,
    out: *mut *mut Appender,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_open", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (directory, options, out) = unsafe {
            (
                slice::path(directory, directory_len, "directory")?,
                versioned::read_optional(options, "options")?,
                Out::new(out, "out")?,
            )
        };
        let core = colstore_core::AppenderOptions {
            // SAFETY: NULL, or readable during the call, by the promise of the caller.
            name: unsafe { shard_name(options.name, options.name_len) }?,
            shard_size: shard_size(&options)?,
            statistics: slice::choice(options.statistics, &[(0, false), (1, true)], "options->statistics")?,
            lock: None,
            max_threads: max_threads(options.max_threads)?,
        };
        let core = Mutex::new(CoreAppender::open(directory, &core)?);
        out.set(handle::give(Appender { core, process: std::process::id() }));
        Ok(())
    })
}

/// Adds rows, and makes a shard of all rows there are if that is enough; batches are not split.
///
/// `columns` has `n_columns` elements, at least one, with the names and dtypes of earlier rows and shards, in the same
/// order; their memory is borrowed for the call. `progress` may be NULL; it is borrowed for the call.
///
/// Fails as `colstore_append` does; with `INVALID_ARGUMENT` if the appender is closed, and with `OUT_OF_MEMORY`. None of
/// the rows is held then, and earlier ones still are.
///
/// # Safety
///
/// `appender` is NULL or a live appender; `columns` has `n_columns` elements of the size that they say, whose texts and
/// values nobody changes during the call; `progress` is NULL or a live progress; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_write(
    appender: *const Appender,
    columns: *const ColumnData,
    n_columns: usize,
    progress: *mut Progress,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_write", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (appender, columns) =
            unsafe { (handle::lend(appender, "appender")?, read_columns(columns, n_columns)?) };
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { appender.with(progress, |core| Ok(core.write(&columns)?)) }
    })
}

/// Adds the rows of a table, as `colstore_appender_write` does with columns.
///
/// Fails as that does; also with `INVALID_ARGUMENT` for a table that has rows of the directory's own shards.
///
/// # Safety
///
/// `appender` is NULL or a live appender; `table` is NULL or a live table; `progress` is NULL or a live progress; `err`
/// is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_write_table(
    appender: *const Appender,
    table: *const Table,
    progress: *mut Progress,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_write_table", err, || {
        // SAFETY: NULL or live, by the promise of the caller.
        let (appender, Table(table)) =
            unsafe { (handle::lend(appender, "appender")?, handle::lend(table, "table")?) };
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { appender.with(progress, |core| Ok(core.write_table(table)?)) }
    })
}

/// Runs `finish`, which may make a shard, and gives out its path.
///
/// # Safety
///
/// `appender` is NULL or a live appender; `progress` is NULL or a live progress; `path` is NULL or writable.
unsafe fn finish(
    appender: *const Appender,
    progress: *mut Progress,
    path: *mut *mut Names,
    finish: impl FnOnce(&mut CoreAppender) -> colstore_core::Result<Option<PathBuf>>,
) -> Result<(), Failure> {
    // SAFETY: NULL, or live or writable during the call, by the promise of the caller.
    let (appender, out) = unsafe {
        (
            handle::lend(appender, "appender")?,
            if path.is_null() { None } else { Some(Out::new(path, "path")?) },
        )
    };
    // SAFETY: NULL or live, by the promise of the caller.
    let new = unsafe { appender.with(progress, |core| Ok(finish(core)?)) }?;
    if let Some(out) = out {
        out.set(give_paths(new.as_ref()));
    }
    Ok(())
}

/// Makes a shard of the rows that are held, if anything was written since the last one. It is on the disk then.
///
/// `progress` may be NULL; it is borrowed for the call. `path` may be NULL; else `*path` is a new list, of the path of
/// the shard or of nothing: free it with `colstore_names_free`.
///
/// Fails with `NO_SPACE`, `CANCELLED`, or `IO` and the like if the operating system refuses, and holds the rows for
/// another try then, unless the message says that the shard is in place; with `ALREADY_EXISTS` for a name without a
/// number that is taken, with `INVALID_ARGUMENT` if this appender has made a shard of that name, or is closed.
///
/// # Safety
///
/// `appender` is NULL or a live appender; `progress` is NULL or a live progress; `path` is NULL or writable; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_flush(
    appender: *const Appender,
    progress: *mut Progress,
    path: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_flush", err, || {
        // SAFETY: as the caller promises.
        unsafe { finish(appender, progress, path, CoreAppender::flush) }
    })
}

/// Flushes as `colstore_appender_flush` does, and lets other writers have the directory. Closing again does nothing.
///
/// Fails as the flush does; the appender stays open then if it still holds rows.
///
/// # Safety
///
/// As `colstore_appender_flush`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_close(
    appender: *const Appender,
    progress: *mut Progress,
    path: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_close", err, || {
        // SAFETY: as the caller promises.
        unsafe { finish(appender, progress, path, CoreAppender::close) }
    })
}

/// Closes an appender without making a shard: the rows that it holds are gone, and other writers can have the
/// directory. For when a close has failed and nobody will try again.
///
/// # Safety
///
/// `appender` is NULL or a live appender; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_abandon(
    appender: *const Appender,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_abandon", err, || {
        // SAFETY: NULL, or live during the call, by the promise of the caller.
        let appender = unsafe { handle::lend(appender, "appender") }?;
        // SAFETY: NULL is allowed.
        unsafe {
            appender.with(std::ptr::null_mut(), |core| {
                core.abandon();
                Ok(())
            })
        }
    })
}

/// What the appender has done so far.
///
/// # Safety
///
/// `appender` is NULL or a live appender; `out` is NULL or a `colstore_appender_info` with its size set; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_describe(
    appender: *const Appender,
    out: *mut AppenderInfo,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_appender_describe", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (appender, out) = unsafe { (handle::lend(appender, "appender")?, OutStruct::new(out, "out")?) };
        // SAFETY: NULL is allowed.
        let info = unsafe {
            appender.with(std::ptr::null_mut(), |core| {
                Ok(AppenderInfo {
                    size: size_of::<AppenderInfo>(),
                    n_shards: to_i64(core.n_shards(), "the number of shards")?,
                    pending_rows: to_i64(core.pending_rows(), "the number of rows")?,
                    closed: i32::from(core.is_closed()),
                    locked: i32::from(core.is_locked()),
                })
            })
        }?;
        out.set(info);
        Ok(())
    })
}

/// Frees an appender. If it was not closed, rows that are in no shard yet are gone, and other writers can have the
/// directory. NULL is fine.
///
/// # Safety
///
/// `appender` is NULL or a live appender that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_appender_free(appender: *mut Appender) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(appender) });
}
