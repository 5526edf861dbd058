//! Sets of values to look others up in, and the values of parameters.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use colstore_frame::{Literal, Parameters, ValueSet};

use crate::error::{Error, ErrorOut};
use crate::expr::{self, Expr};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::slice;
use crate::status::Status;
use crate::text_array;

/// Values that others are looked up in. Opaque; owned by the caller; immutable; it has memory of its own.
#[derive(Debug)]
pub struct Values(pub(crate) ValueSet);

impl Handle for Values {}

/// Values for the `@names` of expressions that are given as text. Opaque; owned by the caller.
#[derive(Debug)]
pub struct Params(Mutex<Parameters>);

impl Handle for Params {}

impl Params {
    pub(crate) fn get(&self) -> Parameters {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn insert(&self, name: &str, value: impl Into<colstore_frame::Parameter>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, value);
    }
}

/// The `n` values of an array: at `data`, `stride` bytes apart (the itemsize in an array; it may be larger,
/// negative or 0), at any address. They are copied. `dtype` is the text of their dtype; big-endian values are
/// converted.
///
/// `*out` is a new set: free it with `colstore_values_free`.
///
/// Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `OUT_OF_MEMORY` if there is no memory for a copy.
///
/// # Safety
///
/// `dtype` has `dtype_len` bytes; the values are readable where `data` and `stride` say, and unchanged, during the
/// call; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_values_array(
    dtype: *const c_char,
    dtype_len: usize,
    data: *const c_void,
    n: usize,
    stride: i64,
    out: *mut *mut Values,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_values_array", err, || {
        // SAFETY: NULL, or readable and writable during the call, by the promise of the caller.
        let (dtype, out) = unsafe { (text_array::dtype(dtype, dtype_len, "dtype")?, Out::new(out, "out")?) };
        let width = dtype.itemsize();
        let stride = slice::strided(data, n as u64, stride, width, "data")?;
        slice::check_room::<u8>(n.saturating_mul(width))?;
        let mut bytes = vec![0_u8; n.saturating_mul(width)];
        for (at, value) in bytes.chunks_exact_mut(width.max(1)).enumerate() {
            let source = data.cast::<u8>().wrapping_offset((at as isize).wrapping_mul(stride));
            // SAFETY: a value of the caller's, as large as the dtype says, by the promise of the caller and the
            // check of its place above; `value` is memory of our own.
            unsafe { ptr::copy_nonoverlapping(source, value.as_mut_ptr(), width) };
        }
        if dtype.needs_swap() {
            bytes.chunks_exact_mut(dtype.word_size().max(1)).for_each(<[u8]>::reverse);
        }
        out.set(handle::give(Values(ValueSet::from_array(dtype.to_little(), &bytes)?)));
        Ok(())
    })
}

/// A set of `n` constants, which may be of different kinds.
///
/// `*out` is a new set: free it with `colstore_values_free`. The constants are not taken.
///
/// Fails with `INVALID_ARGUMENT` if an expression is no constant.
///
/// # Safety
///
/// `literals` has `n` elements, each NULL or a live expression; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_values_list(
    literals: *const *const Expr,
    n: usize,
    out: *mut *mut Values,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_values_list", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (exprs, out) = unsafe { (expr::lend_all(literals, n, "literals")?, Out::new(out, "out")?) };
        let each = exprs.iter().enumerate();
        let literals: Vec<Literal> = each
            .map(|(at, expr)| expr::literal(expr, format_args!("literals[{at}]")))
            .collect::<Result<_, _>>()?;
        out.set(handle::give(Values(ValueSet::Literals(literals))));
        Ok(())
    })
}

/// Frees a set. NULL is fine.
///
/// # Safety
///
/// `values` is NULL or a live set that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_values_free(values: *mut Values) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(values) });
}

/// Makes a list of parameters without any.
///
/// `*out` is a new list: free it with `colstore_params_free`.
///
/// # Safety
///
/// `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_params_new(out: *mut *mut Params, err: *mut *mut Error) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_params_new", err, || {
        // SAFETY: NULL, or writable during the call, by the promise of the caller.
        let out = unsafe { Out::new(out, "out") }?;
        out.set(handle::give(Params(Mutex::new(Parameters::new()))));
        Ok(())
    })
}

/// Gives a parameter a value, in the place of one it had. The name is without the `@`.
///
/// Fails with `INVALID_ARGUMENT` if the expression is no constant.
///
/// # Safety
///
/// `params` is NULL or live; `name` has `name_len` bytes; `literal` is NULL or a live expression; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_params_set(
    params: *mut Params,
    name: *const c_char,
    name_len: usize,
    literal: *const Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_params_set", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (params, name, literal) = unsafe {
            (
                handle::lend(params, "params")?,
                slice::text(name, name_len, "name")?,
                handle::lend(literal, "literal")?,
            )
        };
        params.insert(name, expr::literal(&literal.expr, format_args!("literal"))?);
        Ok(())
    })
}

/// Gives a parameter several values, for the right side of `in`.
///
/// # Safety
///
/// `params` is NULL or live; `name` has `name_len` bytes; `values` is NULL or live; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_params_set_values(
    params: *mut Params,
    name: *const c_char,
    name_len: usize,
    values: *const Values,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_params_set_values", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (params, name, values) = unsafe {
            (
                handle::lend(params, "params")?,
                slice::text(name, name_len, "name")?,
                handle::lend(values, "values")?,
            )
        };
        params.insert(name, values.0.clone());
        Ok(())
    })
}

/// Frees parameters. Expressions that were made with them keep their values. NULL is fine.
///
/// # Safety
///
/// `params` is NULL or live, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_params_free(params: *mut Params) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(params) });
}
