//! What changes a frame.

use std::ffi::c_char;

use crate::error::{Error, ErrorOut};
use crate::expr::{self, Expr};
use crate::frame::Frame;
use crate::guard::guard;
use crate::handle;
use crate::slice;
use crate::status::Status;
use crate::text_array;

/// Gives `n` columns, each by name: one that is there is replaced in its place, others come last, in the order
/// given. All expressions are over the columns that are there before, none over one another. A constant is a column
/// with that value in every row.
///
/// Fails with `KEY` for a name in an expression that is no column of the frame, with `VALUE` for columns of another
/// number of rows, with `TYPE` if there is no operation for the operands of an expression; the frame is as it was
/// then.
///
/// # Safety
///
/// `frame` is NULL or a live frame; the three arrays have `n` elements, each name its length, each value NULL or a
/// live expression; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_assign(
    frame: *mut Frame,
    names: *const *const c_char,
    name_lens: *const usize,
    values: *const *const Expr,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_assign", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, names, values) = unsafe {
            (
                handle::lend(frame, "frame")?,
                text_array::names(names, name_lens, n, "names")?,
                expr::lend_all(values, n, "values")?,
            )
        };
        let columns: Vec<_> = names.into_iter().zip(values).collect();
        frame.edit(|frame| {
            let edited = frame.assign(&columns)?;
            for (_, value) in &columns {
                frame.expr_dtype(value)?;
            }
            Ok(edited)
        })
    })
}

/// Takes away the columns of `n` names.
///
/// Fails with `KEY` if one is not there; the frame is as it was then.
///
/// # Safety
///
/// `frame` is NULL or a live frame; both arrays have `n` elements, each name its length; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_drop(
    frame: *mut Frame,
    names: *const *const c_char,
    name_lens: *const usize,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_drop", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, names) =
            unsafe { (handle::lend(frame, "frame")?, text_array::names(names, name_lens, n, "names")?) };
        frame.edit(|frame| frame.drop(&names))
    })
}

/// Keeps the columns of `n` names, in the order given.
///
/// Fails with `KEY` if one is not there, with `VALUE` if one is named twice; the frame is as it was then.
///
/// # Safety
///
/// As `colstore_frame_drop`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_select(
    frame: *mut Frame,
    names: *const *const c_char,
    name_lens: *const usize,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_select", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, names) =
            unsafe { (handle::lend(frame, "frame")?, text_array::names(names, name_lens, n, "names")?) };
        frame.edit(|frame| frame.select(&names))
    })
}

/// Gives `n` columns other names: the one called `names[i]` is called `new_names[i]` then, in its place.
///
/// Fails with `KEY` if one is not there, with `VALUE` if two would have one name; the frame is as it was then.
///
/// # Safety
///
/// `frame` is NULL or a live frame; the four arrays have `n` elements, each name its length; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_rename(
    frame: *mut Frame,
    names: *const *const c_char,
    name_lens: *const usize,
    new_names: *const *const c_char,
    new_name_lens: *const usize,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_rename", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, names, new_names) = unsafe {
            (
                handle::lend(frame, "frame")?,
                text_array::names(names, name_lens, n, "names")?,
                text_array::names(new_names, new_name_lens, n, "new_names")?,
            )
        };
        let names: Vec<_> = names.into_iter().zip(new_names).collect();
        frame.edit(|frame| frame.rename(&names))
    })
}

/// Gives `n` columns other dtypes: the values of the one called `names[i]` are cast to `dtypes[i]`, as NumPy's
/// `astype` does.
///
/// Fails with `KEY` if one is not there, with `TYPE` if one cannot be cast, with `UNSUPPORTED_TYPE` if a text names
/// no dtype; the frame is as it was then.
///
/// # Safety
///
/// `frame` is NULL or a live frame; the four arrays have `n` elements, each text its length; `err` is NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_cast(
    frame: *mut Frame,
    names: *const *const c_char,
    name_lens: *const usize,
    dtypes: *const *const c_char,
    dtype_lens: *const usize,
    n: usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_cast", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, names, dtypes) = unsafe {
            (
                handle::lend(frame, "frame")?,
                text_array::names(names, name_lens, n, "names")?,
                text_array::dtypes(dtypes, dtype_lens, n, "dtypes")?,
            )
        };
        let dtypes: Vec<_> = names.into_iter().zip(dtypes).collect();
        frame.edit(|frame| frame.cast(&dtypes))
    })
}

/// Adds a cut: rows for which `condition` does not hold are left out from now on. Nothing is read before it is
/// asked for.
///
/// `label` is what the cut is called in reports, NULL for no name. `weight` is the weight of a row in reports; if
/// it is NULL, that of the cut before, if there is one.
///
/// Fails with `QUERY`, `TYPE`, `OVERFLOW` or `VALUE` for a condition as `colstore_expr_check` does, over the
/// columns of the frame; with `KEY` for a weight with a name that is no column, with `TYPE` for one that is no
/// number. The frame is as it was then.
///
/// # Safety
///
/// `frame` is NULL or a live frame; `condition` and `weight` are NULL or live expressions; `label` is NULL or has
/// `label_len` bytes; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_frame_filter(
    frame: *mut Frame,
    condition: *const Expr,
    label: *const c_char,
    label_len: usize,
    weight: *const Expr,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_frame_filter", err, || {
        // SAFETY: NULL, or live and readable during the call, by the promise of the caller.
        let (frame, condition, text, weight) = unsafe {
            (
                handle::lend(frame, "frame")?,
                handle::lend(condition, "condition")?,
                slice::text(label, label_len, "label")?,
                handle::lend_optional(weight),
            )
        };
        let label = (!label.is_null()).then_some(text);
        let weight = weight.map(|weight| &weight.expr);
        frame.edit(|frame| match &condition.parsed {
            Some(parsed) => frame.filter_text(parsed, label, weight),
            None => frame.filter(&condition.expr, label, weight),
        })
    })
}
