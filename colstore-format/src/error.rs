//! The one error type of this crate.

use std::fmt;

/// What can go wrong when bytes become values or values become bytes.
///
/// The message is complete by itself: it says what was expected, what was found and where. The accessors
/// give the same facts to programs.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    offset: Option<u64>,
    column: Option<String>,
}

/// The class of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are no valid `.cstore` file, or the text is no valid dtype.
    Malformed,
    /// The data type cannot be stored.
    Unsupported,
    /// A value cannot be stored: a name that occurs twice, a size that overflows, a column of width zero.
    Invalid,
}

/// The result of the fallible functions of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(kind: ErrorKind, message: String) -> Error {
        Error(Box::new(Inner { kind, message, offset: None, column: None }))
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Malformed, message.into())
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Invalid, message.into())
    }

    /// Bytes that are wrong at a known place of the file.
    pub(crate) fn malformed_at(offset: u64, message: impl fmt::Display) -> Error {
        let mut error = Error::malformed(format!("{message} (at byte {offset})"));
        error.0.offset = Some(offset);
        error
    }

    pub(crate) fn with_column(mut self, column: impl fmt::Display) -> Error {
        self.0.column = Some(column.to_string());
        self
    }

    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Error {
        self.0.kind = kind;
        self
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The whole message, the same text that `Display` gives.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The offset in the file, in bytes, of what is wrong, where there is one.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The name of the column concerned, where there is one. Lone surrogates are shown as `\u{d800}`.
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("offset", &self.0.offset)
            .field("column", &self.0.column)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_context_are_kept() {
        let error = Error::malformed_at(72, "the manifest is cut off").with_column("x");
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert_eq!(error.to_string(), "the manifest is cut off (at byte 72)");
        assert_eq!(error.message(), error.to_string());
        assert_eq!((error.offset(), error.column()), (Some(72), Some("x")));
        assert_eq!(error.clone().with_kind(ErrorKind::Invalid).kind(), ErrorKind::Invalid);
    }
}
