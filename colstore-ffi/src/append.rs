//! One more shard for a directory.

use std::ffi::c_char;
use std::mem;
use std::path::PathBuf;

use colstore_format::ShardTemplate;

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::handle::{self, Out};
use crate::names::Names;
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::slice;
use crate::status::Status;
use crate::store::{ColumnData, read_columns};
use crate::table::Table;
use crate::versioned::{self, Versioned};

/// How a shard is added. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AppendOptions {
    /// `sizeof(colstore_append_options)`, set by the caller.
    pub size: usize,
    /// What the shard is called: a name that ends in `.cstore`, in which `{index}` or `{index:05d}` stands for a
    /// number; NULL for `shard_{index:05d}.cstore`.
    pub name: *const c_char,
    /// Bytes of the name.
    pub name_len: usize,
    /// 1 to record the least and the greatest value of every column, else 0.
    pub statistics: i32,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Receives reports and can cancel the call; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for AppendOptions {
    const NAME: &'static str = "colstore_append_options";
    const FIRST_SIZE: usize = mem::offset_of!(AppendOptions, progress) + size_of::<*mut Progress>();
}

/// The name of shards in options; NULL stands for the usual one.
///
/// # Safety
///
/// `name` is NULL or has `len` bytes that nobody changes while `'a` lasts.
pub(crate) unsafe fn shard_name<'a>(name: *const c_char, len: usize) -> Result<&'a str, Failure> {
    if name.is_null() && len == 0 {
        return Ok(ShardTemplate::DEFAULT);
    }
    // SAFETY: the same promise.
    unsafe { slice::text(name, len, "options->name") }
}

/// A list of the path of a new shard, or of nothing.
pub(crate) fn give_paths(path: Option<&PathBuf>) -> *mut Names {
    handle::give(Names::new(path.map(|path| slice::path_bytes(path).to_vec())))
}

/// Runs `append` with checked options, and gives out the path it comes to.
///
/// # Safety
///
/// `directory` has `directory_len` bytes; `options` is NULL or has its size set; `path` is NULL or writable.
unsafe fn checked(
    directory: *const c_char,
    directory_len: usize,
    options: *const AppendOptions,
    path: *mut *mut Names,
    append: impl FnOnce(PathBuf, &colstore_core::AppendOptions<'_>) -> Result<PathBuf, Failure>,
) -> Result<(), Failure> {
    // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
    let (directory, options, out) = unsafe {
        (
            slice::path(directory, directory_len, "directory")?,
            versioned::read_optional(options, "options")?,
            if path.is_null() { None } else { Some(Out::new(path, "path")?) },
        )
    };
    // SAFETY: NULL or live, by the promise of the caller.
    let progress = unsafe { progress::share(options.progress) };
    let core = colstore_core::AppendOptions {
        // SAFETY: NULL, or readable during the call, by the promise of the caller.
        name: unsafe { shard_name(options.name, options.name_len) }?,
        statistics: slice::choice(options.statistics, &[(0, false), (1, true)], "options->statistics")?,
        lock: None,
        max_threads: max_threads(options.max_threads)?,
        progress: progress.as_deref(),
    };
    let new = append(directory, &core)?;
    if let Some(out) = out {
        out.set(give_paths(Some(&new)));
    }
    Ok(())
}

/// Adds a shard with the given columns to a directory, which is created if it is missing, with those above it.
///
/// The shard is one file of one record, and appears whole and on the disk, or not at all. Its number is one more than
/// the largest that another name of the same form has. `columns` has `n_columns` elements, at least one, with the names
/// and dtypes of the first shard that is there, in its order; their memory is borrowed for the call. `options` may be
/// NULL. One writer at a time: a lock on the file `.colstore.lock`, which stays in the directory, keeps others out.
///
/// `path` may be NULL; else `*path` is a new list of one text, the path of the shard: free it with
/// `colstore_names_free`.
///
/// Fails as `colstore_store` does; with `INVALID_ARGUMENT` for a wrong name and for columns that are not those of the
/// first shard, with `ALREADY_EXISTS` for a name without a number that is taken, with `LOCKED` if another writer holds the
/// lock, with `FORMAT` if the first shard is damaged. There is no new shard then, unless the message says that it is in
/// place.
///
/// # Safety
///
/// `directory` has `directory_len` bytes; `columns` has `n_columns` elements of the size that they say, whose texts and
/// values nobody changes during the call; `options` is NULL or has its size set; `path` is NULL or writable; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_append(
    directory: *const c_char,
    directory_len: usize,
    columns: *const ColumnData,
    n_columns: usize,
    options: *const AppendOptions,
    path: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_append", err, || {
        // SAFETY: as the caller promises.
        let columns = unsafe { read_columns(columns, n_columns) }?;
        // SAFETY: as the caller promises.
        unsafe {
            checked(directory, directory_len, options, path, |directory, options| {
                Ok(colstore_core::append(directory, &columns, options)?)
            })
        }
    })
}

/// Adds the rows of a table as a shard to a directory.
///
/// A table of one file is copied byte for byte, with all its records; the files of a larger one become one record, and
/// so does any table if statistics are asked for. Else as `colstore_append`.
///
/// Fails as `colstore_append` does; also with `INVALID_ARGUMENT` for a table that has rows of the directory's own
/// shards.
///
/// # Safety
///
/// `directory` has `directory_len` bytes; `table` is NULL or a live table; `options` is NULL or has its size set;
/// `path` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_append_table(
    directory: *const c_char,
    directory_len: usize,
    table: *const Table,
    options: *const AppendOptions,
    path: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_append_table", err, || {
        // SAFETY: NULL or live, by the promise of the caller.
        let Table(table) = unsafe { handle::lend(table, "table") }?;
        // SAFETY: as the caller promises.
        unsafe {
            checked(directory, directory_len, options, path, |directory, options| {
                Ok(colstore_core::append_table(directory, table, options)?)
            })
        }
    })
}
