//! Expressions: a value for every row, built from columns and constants.

use std::ffi::{c_char, c_void};

use colstore_frame::{Constant, Expr as CoreExpr, Integer, Literal, Parsed, col, lit};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::names::Names;
use crate::slice;
use crate::status::Status;
use crate::text_array;

/// A value for every row, worked out from columns of the same row. Opaque; owned by the caller; immutable, so any
/// number of threads may use it at once. What it was made of may be freed: it keeps what it needs.
#[derive(Debug)]
pub struct Expr {
    pub(crate) expr: CoreExpr,
    /// For an expression that was given as text, what messages need to show the place.
    pub(crate) parsed: Option<Parsed>,
}

impl Handle for Expr {}

/// Gives a new expression to the caller.
pub(crate) fn give(out: Out<*mut Expr>, expr: CoreExpr) {
    out.set(handle::give(Expr { expr, parsed: None }));
}

/// The literal that an expression is.
pub(crate) fn literal(expr: &CoreExpr, argument: std::fmt::Arguments<'_>) -> Result<Literal, Failure> {
    match expr.node() {
        colstore_frame::Node::Literal(literal) => Ok(literal.clone()),
        _ => Err(Failure::Argument(format!("{argument} is {expr}, but it must be a constant"))),
    }
}

/// The expressions behind `n` handles.
///
/// # Safety
///
/// `handles` is NULL or has `n` elements, each NULL or a live expression.
pub(crate) unsafe fn lend_all(
    handles: *const *const Expr,
    n: usize,
    argument: &str,
) -> Result<Vec<CoreExpr>, Failure> {
    // SAFETY: the same promise.
    let handles = unsafe { slice::array(handles, n, argument) }?;
    let each = handles.iter().enumerate().map(|(at, expr)| {
        // SAFETY: NULL or live, by the promise of the caller.
        Ok(unsafe { handle::lend(*expr, format_args!("{argument}[{at}]")) }?.expr.clone())
    });
    each.collect()
}

/// Runs the body of a function that makes an expression.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
pub(crate) unsafe fn make(
    function: &'static str,
    out: *mut *mut Expr,
    err: *mut *mut Error,
    body: impl FnOnce() -> Result<CoreExpr, Failure>,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard(function, err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        give(out, body()?);
        Ok(())
    })
}

/// The column of a name: `name_len` bytes of UTF-8, or of WTF-8 for lone surrogates. It is looked up where the
/// expression is used, not before.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `name` has `name_len` bytes; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_column(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_column", out, err, || Ok(col(text_array::name(name, name_len, "name")?))) }
}

/// Nothing: equal to no value, and no limit for `clip`.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_none(out: *mut *mut Expr, err: *mut *mut Error) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_none", out, err, || Ok(lit(Literal::None))) }
}

/// A boolean without a dtype of its own, as Python's `True`: true unless `value` is 0.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_bool(value: i32, out: *mut *mut Expr, err: *mut *mut Error) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_bool", out, err, || Ok(lit(value != 0))) }
}

/// An integer without a dtype of its own, as Python's: `x + 1` has the dtype of `x`.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_int(value: i64, out: *mut *mut Expr, err: *mut *mut Error) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_int", out, err, || Ok(lit(value))) }
}

/// As `colstore_expr_int`, for numbers that an `int64_t` may not hold.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_uint(value: u64, out: *mut *mut Expr, err: *mut *mut Error) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_uint", out, err, || Ok(lit(value))) }
}

/// As `colstore_expr_int`, for numbers of any size as text: decimal digits, or hexadecimal ones after `0x`, with or
/// without a sign.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// Fails with `VALUE` for another text, and for more than 10000 decimal digits.
///
/// # Safety
///
/// `text` has `len` bytes; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_integer(
    text: *const c_char,
    len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        make("colstore_expr_integer", out, err, || {
            let integer: Integer = text_array::parse(text, len, "text")?;
            Ok(lit(Literal::Int(integer)))
        })
    }
}

/// A float without a dtype of its own, as Python's: `x + 0.5` is of float32 for a float32 `x`.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_float(
    value: f64,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_float", out, err, || Ok(lit(value))) }
}

/// One value of a dtype, as NumPy's scalars: it promotes as a column of that dtype does.
///
/// `dtype` is the text of a little-endian dtype, `value` one value of it: `value_len` bytes, at any address.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `VALUE` if the dtype is big-endian or if
/// `value_len` is not its itemsize.
///
/// # Safety
///
/// `dtype` has `dtype_len` bytes and `value` `value_len`; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_constant(
    dtype: *const c_char,
    dtype_len: usize,
    value: *const c_void,
    value_len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        make("colstore_expr_constant", out, err, || {
            let dtype = text_array::dtype(dtype, dtype_len, "dtype")?;
            let value = slice::bytes(value.cast(), value_len, "value")?;
            Ok(lit(Constant::new(dtype, value)?))
        })
    }
}

/// A text: `len` bytes of UTF-8, or of WTF-8 for lone surrogates. It is compared with text, and with bytes that are
/// its characters one by one.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `text` has `len` bytes; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_text(
    text: *const c_char,
    len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        make("colstore_expr_text", out, err, || {
            let points = text_array::code_points(slice::bytes(text, len, "text")?, "text")?;
            Ok(lit(Literal::Str(points.into())))
        })
    }
}

/// Bytes, to be compared with columns of bytes.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `data` has `len` bytes; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_bytes(
    data: *const c_void,
    len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe { make("colstore_expr_bytes", out, err, || Ok(lit(slice::bytes(data.cast(), len, "data")?))) }
}

/// The names of the columns that an expression uses, each once, in the order of their first use. Columns that it
/// holds themselves, as `colstore_frame_column` gives them, are not among them.
///
/// `*out` is a new list: free it with `colstore_names_free`.
///
/// # Safety
///
/// `expr` is NULL or a live expression; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_columns(
    expr: *const Expr,
    out: *mut *mut Names,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_expr_columns", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (expr, out) = unsafe { (handle::lend(expr, "expr")?, Out::new(out, "out")?) };
        let names = expr.expr.column_names();
        out.set(handle::give(Names::new(names.iter().map(|name| name.as_bytes().to_vec()))));
        Ok(())
    })
}

/// Frees an expression. What was made of it keeps what it needs. NULL is fine.
///
/// # Safety
///
/// `expr` is NULL or a live expression that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_free(expr: *mut Expr) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(expr) });
}
