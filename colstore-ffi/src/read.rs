//! Reading rows of columns into buffers of the caller's: rows side by side, or those of a selection.

use std::ffi::c_void;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::Arc;

use colstore_core::{ColumnOutput, Progress as CoreProgress};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::handle;
use crate::progress::{self, Progress};
use crate::rows::{Rows, Selected};
use crate::slice;
use crate::status::Status;
use crate::table::Table;
use crate::versioned::{self, Versioned};

/// How a read is done. NULL instead means every default, and so do zeros behind the size.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// `sizeof(colstore_read_options)`, set by the caller.
    pub size: usize,
    /// At most this many threads, the calling one included; 0 for the library's choice.
    pub max_threads: i32,
    /// Must be 0.
    pub reserved: u32,
    /// Receives reports and can cancel the read; may be NULL. Borrowed for the call.
    pub progress: *mut Progress,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for ReadOptions {
    const NAME: &'static str = "colstore_read_options";
    const FIRST_SIZE: usize = mem::offset_of!(ReadOptions, progress) + size_of::<*mut Progress>();
}

/// Options after the checks. The progress is held by count, so that its handle may be freed meanwhile.
pub(crate) struct Checked {
    max_threads: Option<NonZeroUsize>,
    progress: Option<Arc<CoreProgress>>,
}

impl Checked {
    /// # Safety
    ///
    /// `options` is NULL or has its size set, and its progress is NULL or live when the call begins.
    pub(crate) unsafe fn new(options: *const ReadOptions) -> Result<Checked, Failure> {
        // SAFETY: the same promise.
        let options = unsafe { versioned::read_optional(options, "options") }?;
        if options.reserved != 0 {
            return Err(Failure::Argument(format!("options->reserved is {}; set it to 0", options.reserved)));
        }
        Ok(Checked {
            max_threads: max_threads(options.max_threads)?,
            // SAFETY: the same promise.
            progress: unsafe { progress::share(options.progress) },
        })
    }

    pub(crate) fn lend(&self) -> colstore_core::ReadOptions<'_> {
        colstore_core::ReadOptions { max_threads: self.max_threads, progress: self.progress.as_deref() }
    }
}

/// The number of threads as the engine takes it.
pub(crate) fn max_threads(number: i32) -> Result<Option<NonZeroUsize>, Failure> {
    match usize::try_from(number) {
        Ok(number) => Ok(NonZeroUsize::new(number)),
        Err(_) => Err(Failure::Argument(format!(
            "options->max_threads is {number}; pass 0 for the default, or a positive number"
        ))),
    }
}

/// Reads one column, whichever way its rows are given.
///
/// # Safety
///
/// `table` is NULL or a live table; `rows` as [`Selected::lend`] demands; `options` is NULL or has its size set;
/// `out` is NULL or has `out_size` bytes that nobody else uses during the call.
pub(crate) unsafe fn read_column(
    table: *const Table,
    column: usize,
    rows: Selected,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
) -> Result<(), Failure> {
    // SAFETY: NULL, or live, readable and ours to write during the call, by the promise of the caller.
    let (table, options, out) = unsafe {
        (handle::lend(table, "table")?, Checked::new(options)?, slice::output(out, out_size, "out")?)
    };
    // SAFETY: as above.
    let rows = unsafe { rows.lend(&table.0) }?;
    table.0.read_column(column, rows, out, &options.lend())?;
    Ok(())
}

/// Reads several columns, whichever way their rows are given.
///
/// # Safety
///
/// `table` is NULL or a live table; the arrays are NULL or have `n_columns` elements; `rows` as
/// [`Selected::lend`] demands; `options` is NULL or has its size set; each buffer is NULL or has its size, and
/// nobody else uses it during the call.
pub(crate) unsafe fn read_columns(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    rows: Selected,
    options: *const ReadOptions,
    outs: *const *mut c_void,
    out_sizes: *const usize,
) -> Result<(), Failure> {
    // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
    let (table, columns, options, outs, out_sizes) = unsafe {
        (
            handle::lend(table, "table")?,
            slice::array(columns, n_columns, "columns")?,
            Checked::new(options)?,
            slice::array(outs, n_columns, "outs")?,
            slice::array(out_sizes, n_columns, "out_sizes")?,
        )
    };
    // SAFETY: as above.
    let rows = unsafe { rows.lend(&table.0) }?;
    slice::check_disjoint(outs, out_sizes, "outs")?;
    let mut outputs = Vec::with_capacity(n_columns);
    for (index, ((&column, &out), &size)) in columns.iter().zip(outs).zip(out_sizes).enumerate() {
        // SAFETY: NULL or `size` bytes that nobody else uses, by the promise of the caller; no two of the
        // buffers overlap, as just checked, so that each slice is the only one over its bytes.
        let out = unsafe { slice::output(out, size, format_args!("outs[{index}]")) }?;
        outputs.push(ColumnOutput { column, out });
    }
    table.0.read_columns(&mut outputs, rows, &options.lend())?;
    Ok(())
}

/// Reads records, whichever way their rows are given.
///
/// # Safety
///
/// `table` is NULL or a live table; `columns` is NULL or has `n_columns` elements; `rows` as [`Selected::lend`]
/// demands; `options` is NULL or has its size set; `out` is NULL or has `out_size` bytes that nobody else uses
/// during the call.
pub(crate) unsafe fn read_records(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    rows: Selected,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
) -> Result<(), Failure> {
    // SAFETY: NULL, or live, readable and ours to write during the call, by the promise of the caller.
    let (table, columns, options, out) = unsafe {
        (
            handle::lend(table, "table")?,
            slice::array(columns, n_columns, "columns")?,
            Checked::new(options)?,
            slice::output(out, out_size, "out")?,
        )
    };
    // SAFETY: as above.
    let rows = unsafe { rows.lend(&table.0) }?;
    table.0.read_records(columns, rows, out, &options.lend())?;
    Ok(())
}

/// Reads rows `start` to `stop` (not included) of the column at position `column` into `out`: one value after
/// the other, in native byte order.
///
/// `out_size` is the size of `out` in bytes, and must be `(stop - start) * itemsize` exactly; any alignment
/// will do. `options` may be NULL. What `out` holds after a failure is unspecified.
///
/// Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= n_rows` and the column exists, with `CANCELLED`
/// if the progress was cancelled.
///
/// # Safety
///
/// `table` is NULL or a live table; `options` is NULL or has its size set; `out` has `out_size` bytes that
/// nobody else uses during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_read_column(
    table: *const Table,
    column: usize,
    start: i64,
    stop: i64,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_read_column", err, || {
        // SAFETY: the promises of the caller.
        unsafe { read_column(table, column, Selected::Span(start, stop), options, out, out_size) }
    })
}

/// Reads rows `start` to `stop` (not included) of several columns at once, each into a buffer of its own: the
/// values of the column at position `columns[i]` go to `outs[i]`, which has `out_sizes[i]` bytes, exactly
/// `(stop - start) * itemsize`. The three arrays have `n_columns` elements. The buffers must not overlap.
///
/// `options` may be NULL. What the buffers hold after a failure is unspecified. Fails as
/// `colstore_table_read_column`.
///
/// # Safety
///
/// `table` is NULL or a live table; the arrays have `n_columns` elements; `options` is NULL or has its size
/// set; each buffer has its size, and nobody else uses it during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_read_columns(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    start: i64,
    stop: i64,
    options: *const ReadOptions,
    outs: *const *mut c_void,
    out_sizes: *const usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_read_columns", err, || {
        let rows = Selected::Span(start, stop);
        // SAFETY: the promises of the caller.
        unsafe { read_columns(table, columns, n_columns, rows, options, outs, out_sizes) }
    })
}

/// Reads rows `start` to `stop` (not included) of several columns as records: row after row, and in a row the
/// values of the columns in the order of `columns`, with nothing between them, in native byte order.
///
/// `columns` has `n_columns` positions. `out_size` is the size of `out` in bytes, and must be `(stop - start)
/// * (sum of the itemsizes)` exactly. `options` may be NULL. What `out` holds after a failure is unspecified.
/// Fails as `colstore_table_read_column`.
///
/// # Safety
///
/// `table` is NULL or a live table; `columns` has `n_columns` elements; `options` is NULL or has its size
/// set; `out` has `out_size` bytes that nobody else uses during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_read_records(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    start: i64,
    stop: i64,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_read_records", err, || {
        let rows = Selected::Span(start, stop);
        // SAFETY: the promises of the caller.
        unsafe { read_records(table, columns, n_columns, rows, options, out, out_size) }
    })
}

/// Reads the selected rows of the column at position `column` into `out`, in the order of the selection: one
/// value after the other, in native byte order.
///
/// `out_size` is the size of `out` in bytes, and must be the number of selected rows times the itemsize,
/// exactly; any alignment will do. `options` may be NULL. What `out` holds after a failure is unspecified.
///
/// Fails with `INVALID_ARGUMENT` if the selection was made for another number of rows than the table has, with
/// `OUT_OF_BOUNDS` if the column does not exist or borrowed row numbers have been changed to such as are no rows,
/// with `CANCELLED` if the progress was cancelled.
///
/// # Safety
///
/// `table` is NULL or a live table; `rows` is NULL or a live selection; `options` is NULL or has its size set;
/// `out` has `out_size` bytes that nobody else uses during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_read_column_at(
    table: *const Table,
    column: usize,
    rows: *const Rows,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_read_column_at", err, || {
        // SAFETY: the promises of the caller.
        unsafe { read_column(table, column, Selected::Handle(rows), options, out, out_size) }
    })
}

/// Reads the selected rows of several columns at once, each into a buffer of its own, as
/// `colstore_table_read_columns` does. The selection is looked at once for all columns, which is faster than one
/// call a column.
///
/// `out_sizes[i]` must be the number of selected rows times the itemsize of column `columns[i]`, exactly.
/// `options` may be NULL. What the buffers hold after a failure is unspecified. Fails as
/// `colstore_table_read_column_at`.
///
/// # Safety
///
/// `table` is NULL or a live table; the arrays have `n_columns` elements; `rows` is NULL or a live selection;
/// `options` is NULL or has its size set; each buffer has its size, and nobody else uses it during the call;
/// `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_read_columns_at(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    rows: *const Rows,
    options: *const ReadOptions,
    outs: *const *mut c_void,
    out_sizes: *const usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_read_columns_at", err, || {
        let rows = Selected::Handle(rows);
        // SAFETY: the promises of the caller.
        unsafe { read_columns(table, columns, n_columns, rows, options, outs, out_sizes) }
    })
}

/// Reads the selected rows of several columns as records, as `colstore_table_read_records` does: one record a
/// selected row, in the order of the selection.
///
/// `out_size` must be the number of selected rows times the sum of the itemsizes, exactly. `options` may be NULL.
/// What `out` holds after a failure is unspecified. Fails as `colstore_table_read_column_at`.
///
/// # Safety
///
/// `table` is NULL or a live table; `columns` has `n_columns` elements; `rows` is NULL or a live selection;
/// `options` is NULL or has its size set; `out` has `out_size` bytes that nobody else uses during the call; `err`
/// is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_read_records_at(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    rows: *const Rows,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_read_records_at", err, || {
        let rows = Selected::Handle(rows);
        // SAFETY: the promises of the caller.
        unsafe { read_records(table, columns, n_columns, rows, options, out, out_size) }
    })
}
