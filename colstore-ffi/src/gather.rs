//! Reading rows by number, without a selection in between. Each number is looked at once: that saves a pass over many of
//! them, and making and freeing a selection of few.

use std::ffi::c_void;

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::read::{ReadOptions, read_column, read_columns, read_records};
use crate::rows::{Indices, Selected};
use crate::status::Status;
use crate::table::Table;

/// Reads `n` rows by number of the column at position `column` into `out`: what `colstore_table_read_column_at` reads
/// with what `colstore_rows_indices` makes of `data`, `index_type`, `n` and `stride`, in one call.
///
/// The numbers are borrowed for the call, and each is looked at once, when it is used. Rows that are read more than once
/// are better kept as a selection, which knows of an order among them and need not look for it again.
///
/// `out_size` is the size of `out` in bytes, and must be `n` times the itemsize, exactly; any alignment will do.
/// `options` may be NULL. What `out` holds after a failure is unspecified.
///
/// Fails with `OUT_OF_BOUNDS` if the column does not exist, or if a number is below `-n_rows`, or `n_rows` or above;
/// the message names the first such number and its position, `colstore_error_row` the number. Fails with `CANCELLED` if
/// the progress was cancelled.
///
/// # Safety
///
/// `table` is NULL or a live table; the `n` numbers are readable where `data`, `index_type` and `stride` say;
/// `options` is NULL or has its size set; `out` has `out_size` bytes that nobody else uses during the call; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_gather_column(
    table: *const Table,
    column: usize,
    data: *const c_void,
    index_type: i32,
    n: usize,
    stride: i64,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_gather_column", err, || {
        let rows = Selected::Indices(Indices { data, index_type, n, stride });
        // SAFETY: the promises of the caller.
        unsafe { read_column(table, column, rows, options, out, out_size) }
    })
}

/// Reads `n` rows by number of several columns at once, each into a buffer of its own, as
/// `colstore_table_read_columns_at` does.
///
/// The row numbers are given as to `colstore_table_gather_column`, and it fails as that does. `out_sizes[i]` must be
/// `n` times the itemsize of column `columns[i]`, exactly. `options` may be NULL. What the buffers hold after a failure
/// is unspecified.
///
/// # Safety
///
/// `table` is NULL or a live table; the three arrays have `n_columns` elements; the `n` numbers are readable where
/// `data`, `index_type` and `stride` say; `options` is NULL or has its size set; each buffer has its size, and nobody
/// else uses it during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_gather_columns(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    data: *const c_void,
    index_type: i32,
    n: usize,
    stride: i64,
    options: *const ReadOptions,
    outs: *const *mut c_void,
    out_sizes: *const usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_gather_columns", err, || {
        let rows = Selected::Indices(Indices { data, index_type, n, stride });
        // SAFETY: the promises of the caller.
        unsafe { read_columns(table, columns, n_columns, rows, options, outs, out_sizes) }
    })
}

/// Reads `n` rows by number of several columns as records, as `colstore_table_read_records_at` does.
///
/// The row numbers are given as to `colstore_table_gather_column`, and it fails as that does. `out_size` must be `n`
/// times the sum of the itemsizes, exactly. `options` may be NULL. What `out` holds after a failure is unspecified.
///
/// # Safety
///
/// `table` is NULL or a live table; `columns` has `n_columns` elements; the `n` numbers are readable where `data`,
/// `index_type` and `stride` say; `options` is NULL or has its size set; `out` has `out_size` bytes that nobody else
/// uses during the call; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_gather_records(
    table: *const Table,
    columns: *const usize,
    n_columns: usize,
    data: *const c_void,
    index_type: i32,
    n: usize,
    stride: i64,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_gather_records", err, || {
        let rows = Selected::Indices(Indices { data, index_type, n, stride });
        // SAFETY: the promises of the caller.
        unsafe { read_records(table, columns, n_columns, rows, options, out, out_size) }
    })
}
