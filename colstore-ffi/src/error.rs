//! Why a call failed: the opaque error that a caller may take, and the failures that bodies return.

use std::ffi::c_char;
use std::fmt::Display;
use std::ops::Range;
use std::ptr;

use crate::guard::guard_value;
use crate::handle::{self, Handle};
use crate::slice;
use crate::status::Status;

/// Why a call failed: its status, a message for people, and what it is about. Opaque; owned by the caller;
/// immutable, so any thread may read it.
#[derive(Debug)]
pub struct Error {
    status: Status,
    message: Text,
    path: Option<Text>,
    column: Option<Text>,
    row: Option<i64>,
    os_code: Option<i32>,
    span: Option<Range<usize>>,
    callback_code: i64,
}

impl Handle for Error {}

/// Bytes that end with a NUL, which is not counted.
#[derive(Debug)]
struct Text(Box<[u8]>);

impl Text {
    fn new(bytes: impl Into<Vec<u8>>) -> Text {
        let mut bytes = bytes.into();
        bytes.push(0);
        Text(bytes.into())
    }

    fn len(&self) -> usize {
        self.0.len() - 1
    }
}

impl Error {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Error {
        Error {
            status,
            message: Text::new(message.into()),
            path: None,
            column: None,
            row: None,
            os_code: None,
            span: None,
            callback_code: 0,
        }
    }

    pub(crate) fn with_row(self, row: i64) -> Error {
        Error { row: Some(row), ..self }
    }

    pub(crate) fn with_column(self, column: impl Into<String>) -> Error {
        Error { column: Some(Text::new(column.into())), ..self }
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }
}

impl From<colstore_core::Error> for Error {
    fn from(error: colstore_core::Error) -> Error {
        Error {
            status: error.kind().into(),
            message: Text::new(error.message()),
            path: error.path().map(|path| Text::new(slice::path_bytes(path))),
            column: error.column().map(Text::new),
            row: error.row(),
            os_code: error.os_code(),
            span: None,
            callback_code: 0,
        }
    }
}

impl From<colstore_frame::Error> for Error {
    fn from(error: colstore_frame::Error) -> Error {
        let table = error.table();
        Error {
            status: error.kind().into(),
            message: Text::new(error.message()),
            path: table.and_then(|table| table.path()).map(|path| Text::new(slice::path_bytes(path))),
            column: error.column().map(Text::new),
            row: table.and_then(colstore_core::Error::row),
            os_code: table.and_then(colstore_core::Error::os_code),
            span: error.span(),
            callback_code: error.callback().map_or(0, |callback| callback.code),
        }
    }
}

/// Why a body stops.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The call itself is wrong; the guard adds the name of the function.
    Argument(String),
    /// Anything else.
    Error(Error),
}

impl Failure {
    pub(crate) fn null(argument: impl Display) -> Failure {
        Failure::Argument(format!("the argument {argument} is NULL, but it must point to something"))
    }

    pub(crate) fn into_error(self, function: &str) -> Error {
        match self {
            Failure::Argument(text) => Error::new(Status::InvalidArgument, format!("{function}: {text}")),
            Failure::Error(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl From<colstore_core::Error> for Failure {
    fn from(error: colstore_core::Error) -> Failure {
        Failure::Error(error.into())
    }
}

impl From<colstore_frame::Error> for Failure {
    fn from(error: colstore_frame::Error) -> Failure {
        Failure::Error(error.into())
    }
}

/// Where a caller wants the error, if anywhere.
pub(crate) struct ErrorOut(*mut *mut Error);

impl ErrorOut {
    /// # Safety
    ///
    /// `pointer` is NULL or may be written until the value is gone.
    pub(crate) unsafe fn new(pointer: *mut *mut Error) -> ErrorOut {
        ErrorOut(pointer)
    }

    /// Hands the error over; forgets it when nobody takes it.
    pub(crate) fn set(self, error: Error) {
        if !self.0.is_null() && self.0.is_aligned() {
            // SAFETY: the pointer is aligned and not NULL, and writable by the promise made to `new`. What it
            // held is not ours to drop: it is a plain pointer.
            unsafe { self.0.write(handle::give(error)) };
        }
    }
}

/// Writes the length where the caller wants it, and answers with the text; NULL and 0 for no text.
///
/// # Safety
///
/// `len` is NULL or writable.
unsafe fn answer(text: Option<&Text>, len: *mut usize) -> *const c_char {
    if !len.is_null() && len.is_aligned() {
        // SAFETY: aligned and not NULL, and writable by the promise of the caller.
        unsafe { len.write(text.map_or(0, Text::len)) };
    }
    text.map_or(ptr::null(), |text| text.0.as_ptr().cast())
}

/// The status of the error; `COLSTORE_STATUS_OK` for NULL.
///
/// # Safety
///
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_status(error: *const Error) -> Status {
    guard_value(Status::Internal, || {
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { handle::lend_optional(error) }.map_or(Status::Ok, |error| error.status)
    })
}

/// The message: what was asked, what was found, where, and what to do. UTF-8, and NUL-terminated too; its
/// length without the NUL goes to `*len`, unless `len` is NULL. An empty text for NULL.
///
/// The text is borrowed from the error: it is valid until `colstore_error_free`.
///
/// # Safety
///
/// `error` is NULL or a live error; `len` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_message(error: *const Error, len: *mut usize) -> *const c_char {
    guard_value(c"".as_ptr(), || {
        // SAFETY: both are NULL or valid, by the promise of the caller.
        let text = unsafe { answer(handle::lend_optional(error).map(|error| &error.message), len) };
        if text.is_null() { c"".as_ptr() } else { text }
    })
}

/// The path of the file that the error is about, as bytes of the operating system (UTF-8 where they are
/// text), NUL-terminated too; NULL when it is about none. Its length goes to `*len`, unless `len` is NULL.
///
/// The bytes are borrowed from the error: they are valid until `colstore_error_free`.
///
/// # Safety
///
/// `error` is NULL or a live error; `len` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_path(error: *const Error, len: *mut usize) -> *const c_char {
    guard_value(ptr::null(), || {
        // SAFETY: both are NULL or valid, by the promise of the caller.
        unsafe { answer(handle::lend_optional(error).and_then(|error| error.path.as_ref()), len) }
    })
}

/// The name of the column that the error is about, UTF-8 (a lone surrogate shown as an escape),
/// NUL-terminated too; NULL when it is about none. Its length goes to `*len`, unless `len` is NULL.
///
/// The text is borrowed from the error: it is valid until `colstore_error_free`.
///
/// # Safety
///
/// `error` is NULL or a live error; `len` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_column(error: *const Error, len: *mut usize) -> *const c_char {
    guard_value(ptr::null(), || {
        // SAFETY: both are NULL or valid, by the promise of the caller.
        unsafe { answer(handle::lend_optional(error).and_then(|error| error.column.as_ref()), len) }
    })
}

/// Whether the error is about a row; if so, its number goes to `*row`, unless `row` is NULL.
///
/// # Safety
///
/// `error` is NULL or a live error; `row` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_row(error: *const Error, row: *mut i64) -> bool {
    guard_value(false, || {
        // SAFETY: NULL or live, by the promise of the caller.
        let found = unsafe { handle::lend_optional(error) }.and_then(|error| error.row);
        if let Some(number) = found
            && !row.is_null()
            && row.is_aligned()
        {
            // SAFETY: aligned and not NULL, and writable by the promise of the caller.
            unsafe { row.write(number) };
        }
        found.is_some()
    })
}

/// The error number of the operating system (`errno`), 0 when it had no part in the failure.
///
/// # Safety
///
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_os_code(error: *const Error) -> i32 {
    guard_value(0, || {
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { handle::lend_optional(error) }.and_then(|error| error.os_code).unwrap_or(0)
    })
}

/// Whether the error is about a part of an expression that was given as text; if so, the part is its bytes from
/// `*start` up to, but not including, `*end`, unless these are NULL.
///
/// # Safety
///
/// `error` is NULL or a live error; `start` and `end` are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_span(
    error: *const Error,
    start: *mut usize,
    end: *mut usize,
) -> bool {
    guard_value(false, || {
        // SAFETY: NULL or live, by the promise of the caller.
        let span = unsafe { handle::lend_optional(error) }.and_then(|error| error.span.clone());
        let Some(span) = span else { return false };
        for (place, value) in [(start, span.start), (end, span.end)] {
            if !place.is_null() && place.is_aligned() {
                // SAFETY: aligned and not NULL, and writable by the promise of the caller.
                unsafe { place.write(value) };
            }
        }
        true
    })
}

/// The code that a function of the caller's gave when it failed; 0 for every other error.
///
/// # Safety
///
/// `error` is NULL or a live error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_callback_code(error: *const Error) -> i64 {
    guard_value(0, || {
        // SAFETY: NULL or live, by the promise of the caller.
        unsafe { handle::lend_optional(error) }.map_or(0, |error| error.callback_code)
    })
}

/// Frees an error, and with it the texts borrowed from it. NULL is fine.
///
/// # Safety
///
/// `error` is NULL or a live error that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_error_free(error: *mut Error) {
    // SAFETY: NULL, or live and not in use, by the promise of the caller.
    guard_value((), || unsafe { handle::take_back(error) });
}
