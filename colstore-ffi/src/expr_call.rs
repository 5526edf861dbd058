//! Expressions of expressions: functions, sets, casts, rounding.

use std::ffi::c_char;

use colstore_format::DType;
use colstore_frame::{Function, call};

use crate::error::Error;
use crate::expr::{self, Expr};
use crate::guard::guard_value;
use crate::handle;
use crate::slice;
use crate::status::Status;
use crate::text_array;
use crate::values::Values;

/// A function of `n_args` operands. Operators are functions too; all are called as in NumPy: `"add"`, `"less_equal"`,
/// `"logical_and"`, `"invert"`, `"sqrt"`, `"where"` (condition, then, else), `"clip"` (value, low, high).
///
/// `*out` is a new expression: free it with `colstore_expr_free`. The operands are not taken: they may be used
/// again, and must be freed.
///
/// Fails with `VALUE` if there is no function of that name, or if it takes another number of operands. Whether it
/// has a result for the dtypes of its operands is seen where the expression is used.
///
/// # Safety
///
/// `name` has `name_len` bytes; `args` has `n_args` elements, each NULL or a live expression; `out` is NULL or
/// writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_call(
    name: *const c_char,
    name_len: usize,
    args: *const *const Expr,
    n_args: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        expr::make("colstore_expr_call", out, err, || {
            let name = slice::text(name, name_len, "name")?;
            Ok(call(name, expr::lend_all(args, n_args, "args")?)?)
        })
    }
}

/// Whether a value equals one of `values`; with `negated` not 0, whether it equals none. Values are compared
/// exactly: a set with 1 in it has 1.0 and true in it, not 1.01. NaN, "not a time" and nothing are never found.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `value` is NULL or a live expression; `values` is NULL or live; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_isin(
    value: *const Expr,
    values: *const Values,
    negated: i32,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        expr::make("colstore_expr_isin", out, err, || {
            let value = handle::lend(value, "value")?.expr.clone();
            let set = handle::lend(values, "values")?.0.clone();
            Ok(if negated == 0 { value.isin(set) } else { value.not_in(set) })
        })
    }
}

/// A value as another dtype, as NumPy's `astype` makes it. A big-endian dtype stands for the little-endian one.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// Fails with `UNSUPPORTED_TYPE` if the text names no dtype.
///
/// # Safety
///
/// `value` is NULL or a live expression; `dtype` has `dtype_len` bytes; `out` is NULL or writable; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_cast(
    value: *const Expr,
    dtype: *const c_char,
    dtype_len: usize,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        expr::make("colstore_expr_cast", out, err, || {
            let value = handle::lend(value, "value")?.expr.clone();
            Ok(value.cast(text_array::dtype(dtype, dtype_len, "dtype")?))
        })
    }
}

/// A value rounded to `decimals` digits after the point, or before it if negative, as `numpy.round` does.
///
/// `*out` is a new expression: free it with `colstore_expr_free`.
///
/// # Safety
///
/// `value` is NULL or a live expression; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_expr_round(
    value: *const Expr,
    decimals: i32,
    out: *mut *mut Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: the promises of the caller.
    unsafe {
        expr::make("colstore_expr_round", out, err, || {
            Ok(handle::lend(value, "value")?.expr.clone().round(decimals))
        })
    }
}

/// 1 if there is a function of that name and its results for operands of that dtype are the same to the last bit
/// everywhere, because IEEE 754 or integer arithmetic defines them; 0 otherwise, and for a text that names no
/// function or no dtype.
///
/// # Safety
///
/// `name` has `name_len` bytes and `dtype` `dtype_len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_function_exact(
    name: *const c_char,
    name_len: usize,
    dtype: *const c_char,
    dtype_len: usize,
) -> i32 {
    guard_value(0, || {
        // SAFETY: readable during the call, by the promise of the caller.
        let texts = unsafe { (slice::text(name, name_len, "name"), slice::text(dtype, dtype_len, "dtype")) };
        let (Ok(name), Ok(dtype)) = texts else { return 0 };
        match (Function::from_name(name), DType::parse(dtype)) {
            (Some(function), Ok(dtype)) => i32::from(function.is_exact(dtype)),
            _ => 0,
        }
    })
}
