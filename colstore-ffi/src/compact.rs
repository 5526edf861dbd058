//! Compaction: the records of a file into one.

use std::ffi::c_char;
use std::mem;

use colstore_core::compact;

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::slice;
use crate::status::Status;
use crate::versioned::{self, Versioned};

/// How a file is compacted. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CompactOptions {
    /// `sizeof(colstore_compact_options)`, set by the caller.
    pub size: usize,
    /// 1 to record the least and the greatest value of every column if a new record is written, else 0.
    pub statistics: i32,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Receives reports and can cancel the call; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for CompactOptions {
    const NAME: &'static str = "colstore_compact_options";
    const FIRST_SIZE: usize = mem::offset_of!(CompactOptions, progress) + size_of::<*mut Progress>();
}

/// Puts the records of the file at `path` together to one: in place if `out` is NULL, else in a new file at `out`,
/// where any other file is replaced.
///
/// A file of one record or none is compact: in place nothing happens to it, and `out` becomes a copy of it, byte for
/// byte. In any other case the new file has the bytes that `colstore_store` writes for the same columns; recorded least
/// and greatest values are dropped unless the options ask for them.
///
/// The file is locked meanwhile against writers and other compactions. The new one is written under a temporary name,
/// flushed to the disk and renamed: after a failure or a cancel everything is as it was before, with no file left
/// behind, and readers that have the old file open keep it. In place, permissions stay, and so does a symbolic link;
/// other hard links of the file keep the old records. If `out` leads to the file itself, that means in place. `options`
/// may be NULL.
///
/// Fails with `NOT_FOUND` or `FORMAT` for a file that is not there or not valid, with `LOCKED` if somebody else
/// holds the lock, with `NO_SPACE`, `PERMISSION_DENIED` or `IO` if the operating system refuses, and with `CANCELLED` if
/// the progress was cancelled.
///
/// # Safety
///
/// `path` has `path_len` bytes, `out` is NULL or has `out_len`; `options` is NULL or has its size set; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_compact(
    path: *const c_char,
    path_len: usize,
    out: *const c_char,
    out_len: usize,
    options: *const CompactOptions,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_compact", err, || {
        // SAFETY: NULL, or readable during the call, by the promise of the caller.
        let (path, out, options) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                if out.is_null() && out_len == 0 { None } else { Some(slice::path(out, out_len, "out")?) },
                versioned::read_optional(options, "options")?,
            )
        };
        // SAFETY: NULL or live, by the promise of the caller.
        let progress = unsafe { progress::share(options.progress) };
        let options = colstore_core::CompactOptions {
            statistics: slice::choice(options.statistics, &[(0, false), (1, true)], "options->statistics")?,
            lock: None,
            max_threads: max_threads(options.max_threads)?,
            progress: progress.as_deref(),
        };
        compact(path, out.as_deref(), &options)?;
        Ok(())
    })
}
