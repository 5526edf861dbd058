//! Expressions from text and as text, and what they are before anything is read.

use std::ffi::c_char;

use colstore_frame::{Graph, Parameters, TableScope, parse};

use crate::error::{Error, ErrorOut};
use crate::expr::Expr;
use crate::guard::guard;
use crate::handle::{self, Out};
use crate::slice;
use crate::status::Status;
use crate::table::Table;
use crate::text_array;
use crate::values::Params;

/// Reads an expression in Python's syntax, such as `pt > 30 and abs(eta) < @limit`, with values for its `@names` from
/// `params`, which may be NULL if there are none.
///
/// `*out` is a new expression: free it with `colstore_expr_free`. It keeps the text, so that errors in its use show
/// the place.
///
/// Fails with `QUERY` if the text is no expression or has a parameter without value, with `TYPE` for a parameter of
/// several values where one is needed; `colstore_error_span` says where in the text.
///
/// # Safety
///
/// `text` has `len` bytes; `params` is NULL or live; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_parse(
    text: *const c_char,
    len: usize,
    params: *const Params,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_expr_parse", err, || {
        // SAFETY: NULL, or live, readable and writable during the call, by the promise of the caller.
        let (text, params, out) = unsafe {
            (slice::text(text, len, "text")?, handle::lend_optional(params), Out::new(out, "out")?)
        };
        let params = params.map_or_else(Parameters::new, Params::get);
        let parsed = parse(text, &params)?;
        out.set(handle::give(Expr { expr: parsed.expr().clone(), parsed: Some(parsed) }));
        Ok(())
    })
}

/// An expression as text, as `colstore_expr_parse` reads it where there is such a text: `*len` bytes of UTF-8,
/// without a NUL, at `out`.
///
/// `capacity` is the size of `out`. If it is 0, only the length is given, and `out` may be NULL.
///
/// Fails with `INVALID_ARGUMENT` if the text is longer than `capacity`.
///
/// # Safety
///
/// `expr` is NULL or a live expression; `out` has `capacity` bytes that nobody else uses during the call; `len` is
/// NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_print(
    expr: *const Expr,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_expr_print", err, || {
        // SAFETY: NULL, or live and ours to write during the call, by the promise of the caller.
        unsafe { text_array::give(&handle::lend(expr, "expr")?.expr.to_string(), out, capacity, len, "out") }
    })
}

/// Checks an expression over the columns of a table without reading them, and gives the dtype of its results as text,
/// NumPy's `dtype.str` in little-endian order: `*len` bytes, without a NUL, at `out`, which has `capacity` bytes.
/// If that is 0, only the length is given, and `out` may be NULL. No such text is longer than 32 bytes.
///
/// If `condition` is not 0, the expression must be one that rows can be selected by: boolean, with a column in it.
///
/// Fails with `QUERY` for a name that the table does not have and for what is no condition, with `TYPE` if there is
/// no operation for its operands, with `OVERFLOW` for an integer that the dtype beside it cannot hold, with `VALUE`
/// for an integer to a negative power, with `INVALID_ARGUMENT` if the text is longer than `capacity`.
///
/// # Safety
///
/// `expr` is NULL or a live expression; `table` is NULL or a live table; `out` has `capacity` bytes that nobody
/// else uses during the call; `len` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_check(
    expr: *const Expr,
    table: *const Table,
    condition: i32,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_expr_check", err, || {
        // SAFETY: NULL, or live during the call, by the promise of the caller.
        let (expr, table) = unsafe { (handle::lend(expr, "expr")?, handle::lend(table, "table")?) };
        let scope = TableScope::new(&table.0);
        let graph = match (&expr.parsed, condition) {
            (_, 0) => Graph::bind(std::slice::from_ref(&expr.expr), &scope)?,
            (Some(parsed), _) => parsed.bind_condition(&scope)?,
            (None, _) => Graph::bind_condition(&expr.expr, &scope)?,
        };
        // SAFETY: NULL, or ours to write during the call, by the promise of the caller.
        unsafe { text_array::give(&graph.dtype(0).to_string(), out, capacity, len, "out") }
    })
}
