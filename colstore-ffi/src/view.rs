//! Views: values lent where they lie in the file, without a copy.

use std::ffi::c_void;
use std::mem;

use colstore_core::ColumnView;

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::rows::{Rows, Selected};
use crate::status::Status;
use crate::table::{Table, to_i64};
use crate::versioned::{OutStruct, Versioned};

/// Rows of a column, lent where they lie in the mapped file. Opaque; owned by the caller; immutable; it keeps
/// the mapping alive after the table is freed.
#[derive(Debug)]
pub struct View(ColumnView);

impl Handle for View {}

/// Where the values of a view lie.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ViewInfo {
    /// `sizeof(colstore_view_info)`, set by the caller.
    pub size: usize,
    /// The first value: read-only memory, borrowed from the view until `colstore_view_free`. Values may lie
    /// at any address, so copy them out with `memcpy` where their type wants an alignment.
    pub data: *const c_void,
    /// The number of values.
    pub n_rows: i64,
    /// Bytes from one value to the next; negative for rows in descending order.
    pub stride: i64,
    /// Bytes of a value.
    pub itemsize: usize,
}

// SAFETY: repr(C), the size first, integers and raw pointers only.
unsafe impl Versioned for ViewInfo {
    const NAME: &'static str = "colstore_view_info";
    const FIRST_SIZE: usize = mem::offset_of!(ViewInfo, itemsize) + size_of::<usize>();
}

/// Lends rows of a column, whichever way they are given.
///
/// # Safety
///
/// `table` is NULL or a live table; `rows` as [`Selected::lend`] demands; `out` is NULL or writable.
unsafe fn view_column(
    table: *const Table,
    column: usize,
    rows: Selected,
    out: *mut *mut View,
) -> Result<(), Failure> {
    // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
    let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
    // SAFETY: as above.
    let rows = unsafe { rows.lend(&table.0) }?;
    out.set(handle::give(View(table.0.view_column(column, rows)?)));
    Ok(())
}

/// Lends rows `start` to `stop` (not included) of the column at position `column`, without a copy.
///
/// `*out` is a new view: free it with `colstore_view_free`. It stays valid when the table is freed. If
/// another process writes into the file or shortens it, the values change with it.
///
/// Fails with `NOT_CONTIGUOUS` if the rows lie in more than one record or in big-endian order (read them
/// instead), with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= n_rows` and the column exists.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_view_column(
    table: *const Table,
    column: usize,
    start: i64,
    stop: i64,
    out: *mut *mut View,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_view_column", err, || {
        // SAFETY: the promises of the caller.
        unsafe { view_column(table, column, Selected::Span(start, stop), out) }
    })
}

/// Lends the selected rows of the column at position `column`, without a copy, if they are evenly spaced: with a
/// step, the stride of the view is that many values, and negative for rows in descending order.
///
/// `*out` is a new view: free it with `colstore_view_free`. It stays valid when the table and the selection are
/// freed.
///
/// Fails with `NOT_CONTIGUOUS` if the rows are not evenly spaced, lie in more than one record or in big-endian
/// order (read them instead), with `INVALID_ARGUMENT` if the selection was made for another number of rows than
/// the table has, with `OUT_OF_BOUNDS` if the column does not exist.
///
/// # Safety
///
/// `table` is NULL or a live table; `rows` is NULL or a live selection; `out` is NULL or writable; `err` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_view_column_at(
    table: *const Table,
    column: usize,
    rows: *const Rows,
    out: *mut *mut View,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_view_column_at", err, || {
        // SAFETY: the promises of the caller.
        unsafe { view_column(table, column, Selected::Handle(rows), out) }
    })
}

/// Says where the values of a view lie.
///
/// # Safety
///
/// `view` is NULL or a live view; `out` is NULL or a `colstore_view_info` with its size set; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_view_describe(
    view: *const View,
    out: *mut ViewInfo,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_view_describe", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (View(view), out) = unsafe { (handle::lend(view, "view")?, OutStruct::new(out, "out")?) };
        let itemsize = view.dtype().itemsize();
        out.set(ViewInfo {
            size: size_of::<ViewInfo>(),
            data: view.as_ptr().cast(),
            n_rows: to_i64(view.n_rows(), "the number of rows")?,
            stride: view.stride() as i64,
            itemsize,
        });
        Ok(())
    })
}

/// Frees a view; the memory that it lent must not be touched any more. NULL is fine.
///
/// # Safety
///
/// `view` is NULL or a live view that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_view_free(view: *mut View) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(view) });
}
