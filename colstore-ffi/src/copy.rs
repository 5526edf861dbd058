//! Writing all rows of a table to a new file.

use std::ffi::c_char;
use std::mem;

use colstore_core::{StoreMode as CoreMode, copy_table};

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::handle;
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::slice;
use crate::status::Status;
use crate::store::StoreMode;
use crate::table::Table;
use crate::versioned::{self, Versioned};

/// How a table is written. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CopyOptions {
    /// `sizeof(colstore_copy_options)`, set by the caller.
    pub size: usize,
    /// An `enum colstore_store_mode`.
    pub mode: i32,
    /// 1 to record the least and the greatest value of every column, else 0.
    pub statistics: i32,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Must be 0.
    pub reserved: i32,
    /// Receives reports and can cancel the call; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for CopyOptions {
    const NAME: &'static str = "colstore_copy_options";
    const FIRST_SIZE: usize = mem::offset_of!(CopyOptions, progress) + size_of::<*mut Progress>();
}

/// Writes all rows of a table to a new `.cstore` file of one record at `path`: the bytes that `colstore_store` writes
/// for the same columns, whatever files and records the rows come from. A table that is put together becomes one file
/// that way.
///
/// The memory it takes does not grow with the table. The data go to a temporary file beside the path, which is flushed
/// to the disk and renamed, and so is its directory: the file is there after a power cut. After a failure or a cancel
/// the path is as it was before, with no file left behind. Readers that have the old file open keep it. `options` may
/// be NULL.
///
/// Fails with `ALREADY_EXISTS` if there is a file and the mode is to create one, with `INVALID_ARGUMENT` for a table
/// without columns and if the path leads to one of the table's own files, with `NO_SPACE` on a full disk, with
/// `CANCELLED` if the progress was cancelled, and with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the operating system
/// refuses.
///
/// # Safety
///
/// `table` is NULL or live; `path` has `path_len` bytes; `options` is NULL or has its size set; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_write(
    table: *const Table,
    path: *const c_char,
    path_len: usize,
    options: *const CopyOptions,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_write", err, || {
        // SAFETY: NULL, live or readable during the call, by the promise of the caller.
        let (table, path, options) = unsafe {
            (
                handle::lend(table, "table")?,
                slice::path(path, path_len, "path")?,
                versioned::read_optional(options, "options")?,
            )
        };
        slice::choice(options.reserved, &[(0, ())], "options->reserved")?;
        // SAFETY: NULL or live, by the promise of the caller.
        let progress = unsafe { progress::share(options.progress) };
        let modes =
            [(StoreMode::Create as i32, CoreMode::Create), (StoreMode::Recreate as i32, CoreMode::Recreate)];
        let options = colstore_core::CopyOptions {
            mode: slice::choice(options.mode, &modes, "options->mode")?,
            statistics: slice::choice(options.statistics, &[(0, false), (1, true)], "options->statistics")?,
            max_threads: max_threads(options.max_threads)?,
            progress: progress.as_deref(),
        };
        copy_table(&table.0, path, &options)?;
        Ok(())
    })
}
