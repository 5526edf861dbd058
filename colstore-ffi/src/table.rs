//! A table: a `.cstore` file, open for reading.

use std::ffi::c_char;

use colstore_core::Table as CoreTable;

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::schema::Schema;
use crate::slice;
use crate::status::Status;
use crate::versioned::{self, Versioned};

/// A `.cstore` file, open for reading. Opaque; owned by the caller; immutable, so any number of threads may
/// use it at once. It shows what was committed when it was opened.
#[derive(Debug)]
pub struct Table(pub(crate) CoreTable);

impl Handle for Table {}

/// How a table is opened. NULL instead means every default. There is nothing to choose yet.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// `sizeof(colstore_open_options)`, set by the caller.
    pub size: usize,
}

// SAFETY: repr(C), the size first, an integer only.
unsafe impl Versioned for OpenOptions {
    const NAME: &'static str = "colstore_open_options";
    const FIRST_SIZE: usize = size_of::<usize>();
}

/// A count of the engine's as C has it.
pub(crate) fn to_i64(count: u64, what: &str) -> Result<i64, Failure> {
    i64::try_from(count).map_err(|_| {
        Error::new(Status::Internal, format!("{what} is {count}, which is more than an int64_t holds")).into()
    })
}

/// Opens the file at `path`: checks its header and the headers of its records, and maps the committed bytes.
/// The values are not touched, so the cost does not depend on the number of rows.
///
/// `options` may be NULL. `*out` is a new table: free it with `colstore_table_free`.
///
/// Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the file cannot be read, with `FORMAT` if it is no
/// whole and valid `.cstore` file.
///
/// # Safety
///
/// `path` has `path_len` bytes; `options` is NULL or has its size set; `out` is NULL or writable; `err` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_open(
    path: *const c_char,
    path_len: usize,
    options: *const OpenOptions,
    out: *mut *mut Table,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_open", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (path, OpenOptions { size: _ }, out) = unsafe {
            (
                slice::path(path, path_len, "path")?,
                versioned::read_optional(options, "options")?,
                Out::new(out, "out")?,
            )
        };
        let options = colstore_core::OpenOptions::default();
        out.set(handle::give(Table(CoreTable::open_with(path, &options)?)));
        Ok(())
    })
}

/// The columns of the table. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the
/// table.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_schema(
    table: *const Table,
    out: *mut *mut Schema,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_schema", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(handle::give(Schema::new(table.0.schema().clone())));
        Ok(())
    })
}

/// The number of rows.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_n_rows(
    table: *const Table,
    out: *mut i64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_n_rows", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(to_i64(table.0.n_rows(), "the number of rows")?);
        Ok(())
    })
}

/// The number of records that the rows lie in. With one, every column is contiguous and can be viewed whole.
///
/// # Safety
///
/// `table` is NULL or a live table; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_n_records(
    table: *const Table,
    out: *mut i64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_n_records", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, out) = unsafe { (handle::lend(table, "table")?, Out::new(out, "out")?) };
        out.set(to_i64(table.0.n_records() as u64, "the number of records")?);
        Ok(())
    })
}

/// Frees a table. Views and schemas taken from it stay valid; the mapping goes with the last of them. NULL is
/// fine.
///
/// # Safety
///
/// `table` is NULL or a live table that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_free(table: *mut Table) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(table) });
}
