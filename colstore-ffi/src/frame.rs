//! Frames: a table seen through columns of one's own and cuts.

use std::ffi::{c_char, c_void};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use colstore_core::Rows as CoreRows;
use colstore_format::{Column as FormatColumn, Schema as FormatSchema};
use colstore_frame::{Expr as CoreExpr, Frame as CoreFrame, Input};

use crate::callback::{Context, HostMemory, ReleaseFunction};
use crate::error::{Error, ErrorOut, Failure};
use crate::expr::{self, Expr};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::rows::Rows;
use crate::schema::Schema;
use crate::slice;
use crate::status::Status;
use crate::table::{Table, to_i64};
use crate::text_array;

/// Columns that are computed from those of a table, for the rows that cuts leave; nothing is computed before it is
/// asked for. Opaque; owned by the caller. It keeps the files open that it reads.
///
/// Edits change the frame, or leave it as it was if they fail. Any number of threads may use it at once: a call
/// sees the frame as it was when the call began, and no call waits for another that reads.
#[derive(Debug)]
pub struct Frame(Mutex<Arc<CoreFrame>>);

impl Handle for Frame {}

impl Frame {
    fn new(frame: CoreFrame) -> Frame {
        Frame(Mutex::new(Arc::new(frame)))
    }

    /// The frame as it is now.
    pub(crate) fn now(&self) -> Arc<CoreFrame> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another frame in the place of this one. Edits only look at expressions, they read nothing and call
    /// nothing of the caller's; what the old frame held alone is released after the lock is.
    pub(crate) fn edit(
        &self,
        edit: impl FnOnce(&CoreFrame) -> colstore_frame::Result<CoreFrame>,
    ) -> Result<(), Failure> {
        let mut frame = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let edited = edit(&frame)?;
        let old = mem::replace(&mut *frame, Arc::new(edited));
        drop(frame);
        drop(old);
        Ok(())
    }
}

/// A frame of all columns of a table, for the rows of `base` in its order, or for all rows if that is NULL.
///
/// The selection is copied where it borrows. `*out` is a new frame: free it with `colstore_frame_free`.
///
/// Fails with `VALUE` if `base` was made for another number of rows than the table has.
///
/// # Safety
///
/// `table` is NULL or a live table; `base` is NULL or a live selection; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_new(
    table: *const Table,
    base: *const Rows,
    out: *mut *mut Frame,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_new", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (table, base, out) =
            unsafe { (handle::lend(table, "table")?, handle::lend_optional(base), Out::new(out, "out")?) };
        let base = match base {
            Some(Rows(rows)) => rows.clone().into_owned(),
            None => CoreRows::all(table.0.n_rows()),
        };
        out.set(handle::give(Frame::new(CoreFrame::with_rows(&table.0, base)?)));
        Ok(())
    })
}

/// Another frame that is as this one is now; edits of either do not show in the other. Rows that cuts have left are
/// not looked for again.
///
/// `*out` is a new frame: free it with `colstore_frame_free`.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_clone(
    frame: *const Frame,
    out: *mut *mut Frame,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_clone", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, out) = unsafe { (handle::lend(frame, "frame")?, Out::new(out, "out")?) };
        out.set(handle::give(Frame(Mutex::new(frame.now()))));
        Ok(())
    })
}

/// The names and dtypes of the columns as they are now, in order.
///
/// `*out` is a new schema, which does not change with the frame: free it with `colstore_schema_free`.
///
/// Fails with `TYPE` if a column cannot be computed.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_schema(
    frame: *const Frame,
    out: *mut *mut Schema,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_schema", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, out) = unsafe { (handle::lend(frame, "frame")?, Out::new(out, "out")?) };
        let frame = frame.now();
        let columns = frame.columns().zip(frame.dtypes()?);
        let columns = columns.map(|(name, dtype)| FormatColumn::new(name.clone(), dtype)).collect();
        let schema = FormatSchema::new(columns).map_err(colstore_frame::Error::from)?;
        out.set(handle::give(Schema::new(schema)));
        Ok(())
    })
}

/// The column of a name as an expression: the column itself, so that it stays what it is when the name is given
/// another.
///
/// `*out` is a new expression: free it with `colstore_expr_free`. It outlives the frame.
///
/// Fails with `KEY` if there is no such column.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `name` has `name_len` bytes; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_column(
    frame: *const Frame,
    name: *const c_char,
    name_len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        expr::make("colstore_frame_column", out, err, || {
            let frame = handle::lend(frame, "frame")?.now();
            Ok(frame.column(&text_array::name(name, name_len, "name")?)?.clone())
        })
    }
}

/// An expression with the columns of this frame in the place of their names.
///
/// `*out` is a new expression: free it with `colstore_expr_free`. It outlives the frame.
///
/// Fails with `KEY` for a name that is no column of the frame.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `expr` is NULL or a live expression; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_resolve(
    frame: *const Frame,
    expr: *const Expr,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        expr::make("colstore_frame_resolve", out, err, || {
            let frame = handle::lend(frame, "frame")?.now();
            Ok(frame.resolve(&handle::lend(expr, "expr")?.expr)?)
        })
    }
}

/// Memory of the caller's as a column for this frame: one value for each base row, in their order.
///
/// `data` points to the first of `n_rows` values, `stride` bytes apart (the itemsize in an array; it may be larger,
/// negative or 0), at any address. `dtype` is the text of their dtype; big-endian values are converted as they are
/// read.
///
/// The values are not copied: THE MEMORY MUST STAY READABLE AND UNCHANGED until it is released. Once neither this
/// expression nor anything made of it, such as a frame, needs it any more, `release`, unless it is NULL, is called
/// with `context`: exactly once, from any thread, also if this call fails (before it returns then).
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// Fails with `VALUE` unless `n_rows` is the number of base rows, with `UNSUPPORTED_TYPE` if the text names no dtype.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `dtype` has `dtype_len` bytes; the values are readable where `data` and
/// `stride` say, and unchanged, until they are released; `release` is NULL or can be called with `context` once,
/// from any thread; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_memory(
    frame: *const Frame,
    dtype: *const c_char,
    dtype_len: usize,
    data: *const c_void,
    n_rows: i64,
    stride: i64,
    release: ReleaseFunction,
    context: *mut c_void,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        // Before anything can fail: it is released in every case.
        let context = Context::new(context, release);
        expr::make("colstore_frame_memory", out, err, move || {
            let context = context;
            let frame = handle::lend(frame, "frame")?.now();
            let dtype = text_array::dtype(dtype, dtype_len, "dtype")?;
            let wanted = frame.n_base_rows();
            let n_rows = match u64::try_from(n_rows) {
                Ok(n_rows) if n_rows == wanted => n_rows,
                _ => {
                    let message = format!(
                        "an array of {n_rows} values was given, which does not match the frame's {wanted} rows"
                    );
                    return Err(Error::new(Status::Value, message).into());
                }
            };
            let stride = slice::strided(data, n_rows, stride, dtype.itemsize(), "data")?;
            let memory = HostMemory::new(data, stride, dtype, n_rows, context);
            Ok(CoreExpr::input(Input::memory(Arc::new(memory))))
        })
    }
}

/// The number of rows before any cut.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_base_rows(
    frame: *const Frame,
    out: *mut i64,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_base_rows", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, out) = unsafe { (handle::lend(frame, "frame")?, Out::new(out, "out")?) };
        out.set(to_i64(frame.now().n_base_rows(), "the number of rows")?);
        Ok(())
    })
}

/// Whether some rows of the table are left out: 1 if the frame has a cut, or base rows that are not all rows of the
/// table in their order, else 0.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_has_selection(
    frame: *const Frame,
    out: *mut i32,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_has_selection", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (frame, out) = unsafe { (handle::lend(frame, "frame")?, Out::new(out, "out")?) };
        out.set(i32::from(frame.now().has_selection()));
        Ok(())
    })
}

/// Frees a frame. Expressions that were made of its columns keep what they need. NULL is fine.
///
/// # Safety
///
/// `frame` is NULL or a live frame that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_free(frame: *mut Frame) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(frame) });
}
