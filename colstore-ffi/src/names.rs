//! Lists of texts that the library gives out.

use std::ffi::c_char;

use crate::error::{Error, ErrorOut};
use crate::guard::{guard, guard_value};
use crate::handle::{self, Handle, Out};
use crate::status::Status;

/// A list of names or paths. Opaque; owned by the caller; immutable.
#[derive(Debug)]
pub struct Names(Vec<Vec<u8>>);

impl Handle for Names {}

impl Names {
    pub(crate) fn new(names: impl IntoIterator<Item = Vec<u8>>) -> Names {
        Names(names.into_iter().collect())
    }
}

/// The number of texts.
///
/// # Safety
///
/// `names` is NULL or a live list; `out` is NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_names_count(
    names: *const Names,
    out: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_names_count", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (Names(names), out) = unsafe { (handle::lend(names, "names")?, Out::new(out, "out")?) };
        out.set(names.len());
        Ok(())
    })
}

/// The text at position `index`, counted from 0: `*len` bytes, without a NUL.
///
/// `*text` is borrowed from the list: it is valid until `colstore_names_free`.
///
/// Fails with `OUT_OF_BOUNDS` if there is none.
///
/// # Safety
///
/// `names` is NULL or a live list; `text` and `len` are NULL or writable; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_names_get(
    names: *const Names,
    index: usize,
    text: *mut *const c_char,
    len: *mut usize,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_names_get", err, || {
        // SAFETY: NULL, or live and writable during the call, by the promise of the caller.
        let (Names(names), text, len) =
            unsafe { (handle::lend(names, "names")?, Out::new(text, "text")?, Out::new(len, "len")?) };
        let name = names.get(index).ok_or_else(|| {
            let message = format!("position {index} is out of bounds: the list has {} texts", names.len());
            Error::new(Status::OutOfBounds, message)
        })?;
        text.set(name.as_ptr().cast());
        len.set(name.len());
        Ok(())
    })
}

/// Frees a list, and with it the texts borrowed from it. NULL is fine.
///
/// # Safety
///
/// `names` is NULL or a live list that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_names_free(names: *mut Names) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(names) });
}
