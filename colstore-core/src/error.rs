//! The one error of this crate: a kind, a message for people, and where it happened for programs.

use std::io;
use std::path::{Path, PathBuf};

use colstore_format as format;

/// What went wrong, in the terms that bindings map to their own exceptions and status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file, or a directory of its path, does not exist.
    NotFound,
    /// The target exists and the call was not allowed to replace it.
    AlreadyExists,
    /// The operating system refused access.
    PermissionDenied,
    /// The disk is full, or a quota or a file-size limit was reached.
    NoSpace,
    /// Any other failure of the operating system.
    Io,
    /// The bytes are not a valid `.cstore` file.
    Format,
    /// A dtype cannot be stored or read.
    UnsupportedType,
    /// An argument is wrong: a size, a length, a name.
    InvalidArgument,
    /// No column of that name.
    UnknownColumn,
    /// A row or column position lies outside the table.
    OutOfBounds,
    /// The rows do not lie in one piece in the file, or not in native byte order: only a copy can be had.
    NotContiguous,
    /// The call was cancelled through its [`Progress`](crate::Progress).
    Cancelled,
    /// Memory could not be had.
    OutOfMemory,
    /// Another writer holds the lock on the file.
    Locked,
}

/// A failure of this crate.
///
/// [`kind`](Error::kind) says what sort of failure it is, `Display` says what was asked, what was found and
/// what to do; path, column, row and the operating system's code are there where they are known.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<Details>);

/// The result of this crate's fallible functions.
pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    path: Option<PathBuf>,
    column: Option<String>,
    row: Option<i64>,
    os_code: Option<i32>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Details {
            kind,
            message: message.into(),
            path: None,
            column: None,
            row: None,
            os_code: None,
        }))
    }

    /// An operating-system failure while doing `what` to `path`.
    pub(crate) fn io(what: &str, path: &Path, source: &io::Error) -> Error {
        let kind = match source.kind() {
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            io::ErrorKind::AlreadyExists => ErrorKind::AlreadyExists,
            io::ErrorKind::PermissionDenied => ErrorKind::PermissionDenied,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                ErrorKind::NoSpace
            }
            io::ErrorKind::OutOfMemory => ErrorKind::OutOfMemory,
            _ => ErrorKind::Io,
        };
        let mut error = Error::new(kind, format!("cannot {what} '{}': {source}", path.display()));
        error.0.os_code = source.raw_os_error();
        error.with_path(path)
    }

    /// A failure of the format layer, in the file at `path`.
    pub(crate) fn in_file(path: &Path, source: &format::Error) -> Error {
        Error::from_format(source, format!("'{}': {source}", path.display())).with_path(path)
    }

    fn from_format(source: &format::Error, message: String) -> Error {
        let kind = match source.kind() {
            format::ErrorKind::Unsupported => ErrorKind::UnsupportedType,
            format::ErrorKind::Invalid => ErrorKind::InvalidArgument,
            _ => ErrorKind::Format,
        };
        let error = Error::new(kind, message);
        match source.column() {
            Some(column) => error.with_column(column),
            None => error,
        }
    }

    pub(crate) fn with_path(mut self, path: &Path) -> Error {
        self.0.path = Some(path.to_path_buf());
        self
    }

    pub(crate) fn with_column(mut self, column: &(impl ToString + ?Sized)) -> Error {
        self.0.column = Some(column.to_string());
        self
    }

    pub(crate) fn with_row(mut self, row: i64) -> Error {
        self.0.row = Some(row);
        self
    }

    /// Adds what may help.
    pub(crate) fn with_hint(mut self, hint: &str) -> Error {
        self.0.message = format!("{}; {hint}", self.0.message);
        self
    }

    pub(crate) fn with_os_code(mut self, code: i32) -> Error {
        self.0.os_code = Some(code);
        self
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message, as `Display` shows it.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The file it concerns.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The column it concerns (lone surrogates of a name are shown escaped).
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// The row it concerns, as the caller gave it.
    pub fn row(&self) -> Option<i64> {
        self.0.row
    }

    /// The operating system's error code (`errno`).
    pub fn os_code(&self) -> Option<i32> {
        self.0.os_code
    }
}

/// A failure of the format layer that concerns what the caller passed, not a file.
impl From<format::Error> for Error {
    fn from(source: format::Error) -> Error {
        Error::from_format(&source, source.to_string())
    }
}

impl From<colstore_kernels::Cancelled> for Error {
    fn from(_: colstore_kernels::Cancelled) -> Error {
        Error::new(ErrorKind::Cancelled, "the call was cancelled; nothing of its output may be used")
    }
}
