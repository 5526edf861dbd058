//! Writing a whole file in one call.

use std::ffi::{c_char, c_void};
use std::fmt::Display;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::Arc;

use colstore_core::{
    ColumnData as CoreColumn, Durability as CoreDurability, Progress as CoreProgress, StoreMode as CoreMode,
};
use colstore_format::ColumnName;

use crate::dtype;
use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::progress::{self, Progress};
use crate::read::max_threads;
use crate::slice;
use crate::status::Status;
use crate::versioned::{self, Versioned};

/// What to do with a file that exists at the path.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreMode {
    /// Fail with `ALREADY_EXISTS`.
    Create = 0,
    /// Replace it, once the new one is complete.
    Recreate = 1,
}

/// What a new file survives.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The end of the process: the operating system has the data.
    Process = 0,
    /// A power cut: the data and the name of the file are flushed to the disk.
    Disk = 1,
}

/// A column to store.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ColumnData {
    /// `sizeof(colstore_column_data)`, set by the caller; the same in every element of an array.
    pub size: usize,
    /// The name: UTF-8, or WTF-8 for lone surrogates.
    pub name: *const c_char,
    /// Bytes of the name.
    pub name_len: usize,
    /// The dtype of the values at `data`, in any of NumPy's spellings: `"<f8"`, `"|S3"`. Big-endian values
    /// are converted.
    pub dtype: *const c_char,
    /// Bytes of the dtype's text.
    pub dtype_len: usize,
    /// The first value, at any address; may be NULL if there are no rows.
    pub data: *const c_void,
    /// The number of values; the same in every column.
    pub n_rows: i64,
    /// Bytes from one value to the next: the itemsize for an array. It may be larger, negative, or 0.
    pub stride: i64,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for ColumnData {
    const NAME: &'static str = "colstore_column_data";
    const FIRST_SIZE: usize = mem::offset_of!(ColumnData, stride) + size_of::<i64>();
}

/// How a file is written. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// `sizeof(colstore_store_options)`, set by the caller.
    pub size: usize,
    /// An `enum colstore_store_mode`.
    pub mode: i32,
    /// 1 to record the least and the greatest value of every column, else 0.
    pub statistics: i32,
    /// An `enum colstore_durability`.
    pub durability: i32,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Receives reports and can cancel the call; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for StoreOptions {
    const NAME: &'static str = "colstore_store_options";
    const FIRST_SIZE: usize = mem::offset_of!(StoreOptions, progress) + size_of::<*mut Progress>();
}

/// Options after the checks. The progress is held by count, so that its handle may be freed meanwhile.
pub(crate) struct Checked {
    mode: CoreMode,
    statistics: bool,
    durability: CoreDurability,
    max_threads: Option<NonZeroUsize>,
    progress: Option<Arc<CoreProgress>>,
}

impl Checked {
    /// # Safety
    ///
    /// `options` is NULL or has its size set, and its progress is NULL or live when the call begins.
    pub(crate) unsafe fn new(options: *const StoreOptions) -> Result<Checked, Failure> {
        // SAFETY: the same promise.
        let options = unsafe { versioned::read_optional(options, "options") }?;
        let modes =
            [(StoreMode::Create as i32, CoreMode::Create), (StoreMode::Recreate as i32, CoreMode::Recreate)];
        let durabilities = [
            (Durability::Process as i32, CoreDurability::Process),
            (Durability::Disk as i32, CoreDurability::Disk),
        ];
        Ok(Checked {
            mode: slice::choice(options.mode, &modes, "options->mode")?,
            statistics: slice::choice(options.statistics, &[(0, false), (1, true)], "options->statistics")?,
            durability: slice::choice(options.durability, &durabilities, "options->durability")?,
            max_threads: max_threads(options.max_threads)?,
            // SAFETY: the same promise.
            progress: unsafe { progress::share(options.progress) },
        })
    }

    pub(crate) fn lend(&self) -> colstore_core::StoreOptions<'_> {
        colstore_core::StoreOptions {
            mode: self.mode,
            statistics: self.statistics,
            durability: self.durability,
            max_threads: self.max_threads,
            progress: self.progress.as_deref(),
        }
    }
}

/// A column of the caller's after the checks; `at` says which in messages.
///
/// # Safety
///
/// The texts have their lengths, and the values lie at `data` as rows, stride and dtype say, unchanged while
/// `'a` lasts.
unsafe fn column<'a>(data: &ColumnData, at: impl Display + Copy) -> Result<CoreColumn<'a>, Failure> {
    // SAFETY: the same promise.
    let (name, dtype_text) = unsafe {
        (
            slice::bytes(data.name, data.name_len, format_args!("{at}.name"))?,
            slice::text(data.dtype, data.dtype_len, format_args!("{at}.dtype"))?,
        )
    };
    let name = ColumnName::from_wtf8(name)
        .map_err(|error| Failure::Argument(format!("{at}.name is no column name: {}", error.message())))?;
    let dtype = dtype::parse(dtype_text).map_err(|error| error.with_column(name.to_string()))?;
    let n_rows = u64::try_from(data.n_rows)
        .map_err(|_| Failure::Argument(format!("{at}.n_rows is {}; it must not be negative", data.n_rows)))?;
    let stride = slice::strided(data.data, n_rows, data.stride, dtype.itemsize(), format_args!("{at}.data"))?;
    // SAFETY: the values are there, readable and unchanged, by the promise of the caller; their span fits the
    // address space, as just checked.
    Ok(unsafe { CoreColumn::from_raw(name, dtype, data.data.cast(), n_rows, stride) })
}

/// Writes a new `.cstore` file at `path` with the given columns, all at once.
///
/// Everything is checked before anything is created. The data go to a temporary file beside the path, which
/// is then renamed: after a failure or a cancel the path is as it was before, with no file left behind.
/// Readers that have the old file open keep it. `columns` has `n_columns` elements, at least one; their
/// memory is borrowed for the call. `options` may be NULL.
///
/// Fails with `ALREADY_EXISTS` if there is a file and the mode is to create one, with `UNSUPPORTED_TYPE` or
/// `INVALID_ARGUMENT` for columns that cannot be stored, with `NO_SPACE` on a full disk, with `CANCELLED` if
/// the progress was cancelled, and with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the operating system
/// refuses.
///
/// # Safety
///
/// `path` has `path_len` bytes; `columns` has `n_columns` elements of the size that they say, whose texts and
/// values nobody changes during the call; `options` is NULL or has its size set; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_store(
    path: *const c_char,
    path_len: usize,
    columns: *const ColumnData,
    n_columns: usize,
    options: *const StoreOptions,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_store", err, || {
        // SAFETY: NULL, or readable during the call, by the promise of the caller.
        let (path, options, columns) = unsafe {
            (slice::path(path, path_len, "path")?, Checked::new(options)?, read_columns(columns, n_columns)?)
        };
        colstore_core::store(path, &columns, &options.lend())?;
        Ok(())
    })
}

/// Reads the array of columns; its elements are as far apart as they say they are large.
///
/// # Safety
///
/// `first` is NULL or has `n_columns` elements of the size that the first one says, each as [`column`]
/// demands.
pub(crate) unsafe fn read_columns<'a>(
    first: *const ColumnData,
    n_columns: usize,
) -> Result<Vec<CoreColumn<'a>>, Failure> {
    if n_columns == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: NULL or an element, by the promise of the caller.
    let size = unsafe { versioned::size_of_caller(first, "columns") }?;
    slice::check_extent(first.addr(), n_columns, size, "columns")?;
    let mut columns = Vec::new();
    for index in 0..n_columns {
        // In range: `check_extent` has multiplied the two.
        let element = first.wrapping_byte_add(index * size);
        let at = format_args!("columns[{index}]");
        // SAFETY: an element, by the promise of the caller.
        let data = unsafe { versioned::read(element, at) }?;
        if data.size != size {
            return Err(Failure::Argument(format!(
                "{at}.size is {}, but columns[0].size is {size}; the elements of an array have one size",
                data.size
            )));
        }
        // SAFETY: its texts and values are as it says, by the promise of the caller.
        columns.push(unsafe { column(&data, at) }?);
    }
    Ok(columns)
}
