//! What a frame comes to: rows, values, one value, a file.

use std::ffi::{c_char, c_void};
use std::ops::Range;

use colstore_format::ColumnName;
use colstore_frame::{Output, Prepared};

use crate::error::{Error, ErrorOut, Failure};
use crate::expr::Expr;
use crate::filter::FlagsOut;
use crate::frame::Frame;
use crate::guard::guard;
use crate::handle::{self, Out};
use crate::read::{Checked, ReadOptions};
use crate::reduce::{self, Scalar};
use crate::rows::{Rows, span};
use crate::slice;
use crate::status::Status;
use crate::store::{self, StoreOptions};
use crate::table::to_i64;
use crate::text_array;
use crate::versioned::OutStruct;

/// The columns at some positions, for the rows that the cuts leave, and which of these rows.
fn prepare(
    frame: &Frame,
    columns: &[usize],
    start: i64,
    stop: i64,
    options: &Checked,
) -> Result<(Prepared, Range<u64>), Failure> {
    let frame = frame.now();
    let all: Vec<&ColumnName> = frame.columns().collect();
    let names: Vec<ColumnName> = columns
        .iter()
        .map(|column| {
            all.get(*column).map(|name| (*name).clone()).ok_or_else(|| {
                let message =
                    format!("column position {column} is out of bounds: the frame has {} columns", all.len());
                Error::new(Status::OutOfBounds, message)
            })
        })
        .collect::<Result<_, _>>()?;
    let rows = span(start, stop, "rows")?;
    let prepared = frame.prepare(Some(&names), &options.lend())?;
    if rows.end > prepared.n_rows() {
        let message =
            format!("rows {start} to {stop} are out of bounds: the frame has {} rows", prepared.n_rows());
        return Err(Error::new(Status::OutOfBounds, message).with_row(stop).into());
    }
    Ok((prepared, rows))
}

/// The number of rows that the cuts leave. They are found by all cuts in one pass, and kept until the next cut.
///
/// `options` and `flags` may be NULL; `*flags` receives the sum of `enum colstore_flag`, of finding the rows also
/// in later calls that use them.
///
/// Fails with `CALLBACK` if a function of the caller's failed, with `CANCELLED` if the progress was cancelled, and
/// as a read does.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `options` is NULL or has its size set; `out` is NULL or writable; `flags` is
/// NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_count(
    frame: *const Frame,
    options: *const ReadOptions,
    out: *mut i64,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_count", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, options, out, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                Checked::new(options)?,
                Out::new(out, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        let found = frame.now().rows(&options.lend())?;
        out.set(to_i64(found.rows.len(), "the number of rows")?);
        flags.set(found.outcome);
        Ok(())
    })
}

/// The rows that the cuts leave, as rows of the table.
///
/// `*out` is a new selection of its own memory: free it with `colstore_rows_free`. Otherwise as
/// `colstore_frame_count`.
///
/// # Safety
///
/// As `colstore_frame_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_rows(
    frame: *const Frame,
    options: *const ReadOptions,
    out: *mut *mut Rows,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_rows", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, options, out, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                Checked::new(options)?,
                Out::new(out, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        let found = frame.now().table_rows(&options.lend())?;
        out.set(handle::give(Rows(found.rows)));
        flags.set(found.outcome);
        Ok(())
    })
}

/// Reads several columns of a frame, each into a buffer of its own, for positions `start` to `stop` (not included)
/// among the rows that the cuts leave: 0 and the count for all of them.
///
/// The column at position `columns[i]` of the frame's schema goes to `outs[i]`, which has `out_sizes[i]` bytes,
/// exactly `(stop - start) * itemsize`: packed, in native byte order. The three arrays have `n_columns` elements.
/// The buffers must not overlap. `options` and `flags` may be NULL. What the buffers hold after a failure is
/// unspecified.
///
/// Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= count` and the columns exist, with `INVALID_ARGUMENT`
/// for a buffer of another size, and as `colstore_frame_count`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; the arrays have `n_columns` elements; `options` is NULL or has its size set;
/// each buffer has its size, and nobody else uses it during the call; `flags` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_read_columns(
    frame: *const Frame,
    columns: *const usize,
    n_columns: usize,
    start: i64,
    stop: i64,
    options: *const ReadOptions,
    outs: *const *mut c_void,
    out_sizes: *const usize,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_read_columns", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, columns, options, outs, out_sizes, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                slice::array(columns, n_columns, "columns")?,
                Checked::new(options)?,
                slice::array(outs, n_columns, "outs")?,
                slice::array(out_sizes, n_columns, "out_sizes")?,
                FlagsOut::new(flags)?,
            )
        };
        slice::check_disjoint(outs, out_sizes, "outs")?;
        let mut outputs = Vec::with_capacity(n_columns);
        for (index, (&out, &size)) in outs.iter().zip(out_sizes).enumerate() {
            // SAFETY: NULL or `size` bytes that nobody else uses, by the promise of the caller; no two of the buffers
            // overlap, as just checked, so that each slice is the only one over its bytes.
            outputs.push(unsafe { slice::output(out, size, format_args!("outs[{index}]")) }?);
        }
        let (prepared, rows) = prepare(frame, columns, start, stop, &options)?;
        flags.set(prepared.read(rows, Output::Columns(outputs), &options.lend())?);
        Ok(())
    })
}

/// Reads several columns of a frame as records, for positions `start` to `stop` (not included) among the rows that
/// the cuts leave: row after row, and in a row the values of the columns in the order of `columns`, with nothing
/// between them.
///
/// `columns` has `n_columns` positions in the frame's schema. `out_size` is the size of `out` in bytes, and must be
/// `(stop - start) * (sum of the itemsizes)` exactly. Otherwise as `colstore_frame_read_columns`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `columns` has `n_columns` elements; `options` is NULL or has its size set;
/// `out` has `out_size` bytes that nobody else uses during the call; `flags` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_read_records(
    frame: *const Frame,
    columns: *const usize,
    n_columns: usize,
    start: i64,
    stop: i64,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_read_records", err, || {
        // SAFETY: NULL, or live, readable and ours to write during the call, by the promise of the caller.
        let (frame, columns, options, out, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                slice::array(columns, n_columns, "columns")?,
                Checked::new(options)?,
                slice::output(out, out_size, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        let (prepared, rows) = prepare(frame, columns, start, stop, &options)?;
        flags.set(prepared.read(rows, Output::Records(out), &options.lend())?);
        Ok(())
    })
}

/// The dtype of an expression over the columns of a frame, as text: `*len` bytes, without a NUL, at `out`, which
/// has `capacity` bytes. If that is 0, only the length is given, and `out` may be NULL. No such text is longer than
/// 32 bytes.
///
/// Fails with `KEY` for a name that is no column of the frame, with `TYPE`, `OVERFLOW` or `VALUE` as
/// `colstore_expr_check`, with `INVALID_ARGUMENT` if the text is longer than `capacity`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `expr` is NULL or a live expression; `out` has `capacity` bytes that nobody
/// else uses during the call; `len` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_expr_dtype(
    frame: *const Frame,
    expr: *const Expr,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_expr_dtype", err, || {
        // SAFETY: NULL, or live during the call, by the promise of the caller.
        let (frame, expr) = unsafe { (handle::lend(frame, "frame")?, handle::lend(expr, "expr")?) };
        let dtype = frame.now().expr_dtype(&expr.expr)?;
        // SAFETY: NULL, or ours to write during the call, by the promise of the caller.
        unsafe { text_array::give(&dtype.to_string(), out, capacity, len, "out") }
    })
}

/// Computes an expression over the columns of a frame: for the rows that the cuts leave, or for all base rows if
/// `ignore_cuts` is not 0.
///
/// `out_size` is the size of `out` in bytes, and must be the number of rows times the itemsize of
/// `colstore_frame_expr_dtype` exactly. `options` and `flags` may be NULL. What `out` holds after a failure is
/// unspecified.
///
/// Fails as `colstore_frame_expr_dtype` and `colstore_frame_count`, with `INVALID_ARGUMENT` for a buffer of another
/// size.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `expr` is NULL or a live expression; `options` is NULL or has its size set;
/// `out` has `out_size` bytes that nobody else uses during the call; `flags` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_evaluate(
    frame: *const Frame,
    expr: *const Expr,
    ignore_cuts: i32,
    options: *const ReadOptions,
    out: *mut c_void,
    out_size: usize,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_evaluate", err, || {
        // SAFETY: NULL, or live and ours to write during the call, by the promise of the caller.
        let (frame, expr, options, out, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                handle::lend(expr, "expr")?,
                Checked::new(options)?,
                slice::output(out, out_size, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        flags.set(frame.now().evaluate(&expr.expr, ignore_cuts != 0, out, &options.lend())?);
        Ok(())
    })
}

/// Reduces an expression over the columns of a frame, for the rows that the cuts leave, to one value: bit for bit
/// what `colstore_table_reduce` makes of a stored column of the same values.
///
/// `reduction` is an `enum colstore_reduction`; `ddof` is looked at for the variance and the standard deviation only.
/// `options` and `flags` may be NULL.
///
/// Fails as `colstore_table_reduce`, `colstore_frame_expr_dtype` and `colstore_frame_count`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `expr` is NULL or a live expression; `options` is NULL or has its size set;
/// `out` is NULL or a `colstore_scalar` with its size set; `flags` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_reduce(
    frame: *const Frame,
    expr: *const Expr,
    reduction: i32,
    ddof: f64,
    options: *const ReadOptions,
    out: *mut Scalar,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_reduce", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, expr, options, out, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                handle::lend(expr, "expr")?,
                Checked::new(options)?,
                OutStruct::new(out, "out")?,
                FlagsOut::new(flags)?,
            )
        };
        let reduction = reduce::choice(reduction)?;
        let (scalar, outcome) = frame.now().reduce(&expr.expr, reduction, ddof, &options.lend())?;
        out.set(scalar.into());
        flags.set(outcome);
        Ok(())
    })
}

/// Writes all columns of a frame, for the rows that the cuts leave, to a new `.cstore` file at `path`. The file
/// appears whole or not at all, as by `colstore_store`; memory does not grow with the rows. A frame of a file of
/// one record of which nothing was changed is copied byte for byte.
///
/// `options` and `flags` may be NULL.
///
/// Fails as `colstore_store` and `colstore_frame_count`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `path` has `path_len` bytes; `options` is NULL or has its size set; `flags` is
/// NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_write(
    frame: *const Frame,
    path: *const c_char,
    path_len: usize,
    options: *const StoreOptions,
    flags: *mut u32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_write", err, || {
        // SAFETY: NULL, or live, readable and writable during the call, by the promise of the caller.
        let (frame, path, options, flags) = unsafe {
            (
                handle::lend(frame, "frame")?,
                slice::path(path, path_len, "path")?,
                store::Checked::new(options)?,
                FlagsOut::new(flags)?,
            )
        };
        flags.set(frame.now().write(path, &options.lend())?);
        Ok(())
    })
}
