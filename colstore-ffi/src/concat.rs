//! Tables of many files: the rows of several tables, end to end.

use colstore_core::{OnMismatch as CoreOnMismatch, Table as CoreTable, concat};

use crate::error::{Error, ErrorOut};
use crate::guard::guard;
use crate::handle::{self, Out};
use crate::names::Names;
use crate::slice;
use crate::status::Status;
use crate::table::Table;

/// What to do if tables differ in their columns.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnMismatch {
    /// Fail with `INVALID_ARGUMENT`. The order of the columns may differ.
    Strict = 0,
    /// Leave out the columns that not every table has with the same dtype.
    Drop = 1,
}

/// Puts tables end to end: the rows of `tables[0]`, then those of `tables[1]`, and so on. No file is read or opened
/// for it, and the tables may be freed afterwards, before or after the new one. A table may be there more than
/// once, and may itself be put together.
///
/// `tables` has `n` elements. `on_mismatch` is an `enum colstore_on_mismatch`. The columns are in the order of
/// `tables[0]`; without tables there are neither columns nor rows.
///
/// `*out` is a new table: free it with `colstore_table_free`. `dropped` may be NULL; else `*dropped` are the names
/// of the columns that were left out, sorted (a lone surrogate shown as an escape): free them with
/// `colstore_names_free`.
///
/// Fails with `INVALID_ARGUMENT` if the columns differ; the message names the files, the column and both dtypes.
/// If columns may be left out, it fails with `INVALID_ARGUMENT` only if none remains.
///
/// # Safety
///
/// `tables` has `n` elements, each NULL or a live table; `out` is NULL or writable; `dropped` is NULL or writable;
/// `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_table_concat(
    tables: *const *const Table,
    n: usize,
    on_mismatch: i32,
    out: *mut *mut Table,
    dropped: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_table_concat", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (handles, out, dropped) = unsafe {
            (
                slice::array(tables, n, "tables")?,
                Out::new(out, "out")?,
                if dropped.is_null() { None } else { Some(Out::new(dropped, "dropped")?) },
            )
        };
        let choices = [
            (OnMismatch::Strict as i32, CoreOnMismatch::Strict),
            (OnMismatch::Drop as i32, CoreOnMismatch::Drop),
        ];
        let on_mismatch = slice::choice(on_mismatch, &choices, "on_mismatch")?;
        let mut tables: Vec<CoreTable> = Vec::with_capacity(n);
        for (index, table) in handles.iter().enumerate() {
            // SAFETY: NULL or live, by the promise of the caller.
            let table = unsafe { handle::lend(*table, format_args!("tables[{index}]")) }?;
            tables.push(table.0.clone());
        }
        let (table, left_out) = concat(&tables, on_mismatch)?;
        out.set(handle::give(Table(table)));
        if let Some(dropped) = dropped {
            dropped.set(handle::give(Names::new(left_out.into_iter().map(String::into_bytes))));
        }
        Ok(())
    })
}
