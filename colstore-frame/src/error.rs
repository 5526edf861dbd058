//! The one error of this crate: a kind, a message for people, and where in the text of an expression it lies.

use std::fmt::Write as _;
use std::ops::Range;

/// What went wrong, in the terms that bindings map to their own exceptions and status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A condition that cannot be understood or is none: its syntax, a name it uses, a result that is not boolean.
    Query,
    /// No operation for operands of these dtypes.
    Type,
    /// A column or cut that is not there.
    Key,
    /// A value, length or option that is not allowed.
    Value,
    /// A number that its dtype cannot hold.
    Overflow,
    /// A function of the caller's failed; [`Error::callback`] has what it said.
    Callback,
    /// Reading or writing files failed.
    Table(colstore_core::ErrorKind),
}

/// A failure of this crate.
///
/// `Display` says what was asked, what was found and what to do. Where it concerns a place in the text of an
/// expression, the message ends with the line and a caret under the place, and [`span`](Error::span) has the bytes.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<Details>);

/// The result of this crate's fallible functions.
pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    span: Option<Range<usize>>,
    column: Option<String>,
    callback: Option<CallbackError>,
    table: Option<colstore_core::Error>,
}

/// What a function of the caller's says when it fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CallbackError {
    /// For people.
    pub message: String,
    /// A number that the caller finds its own exception by; 0 if it has none.
    pub code: i64,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Details {
            kind,
            message: message.into(),
            span: None,
            column: None,
            callback: None,
            table: None,
        }))
    }

    pub(crate) fn query(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Query, message)
    }

    pub(crate) fn type_error(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Type, message)
    }

    pub(crate) fn value(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Value, message)
    }

    pub(crate) fn with_column(mut self, column: &(impl ToString + ?Sized)) -> Error {
        self.0.column = Some(column.to_string());
        self
    }

    /// Says where in `text` it is, unless that is known already.
    pub(crate) fn at(mut self, text: &str, span: Range<usize>) -> Error {
        if self.0.span.is_none() {
            let _ = write!(self.0.message, "\n{}", Place { text, span: span.clone() });
            self.0.span = Some(span);
        }
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

    /// The bytes of the expression's text that it concerns; `None` for expressions that were not given as text.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }

    /// The column it concerns (lone surrogates of a name are shown escaped).
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// What the caller's own function said.
    pub fn callback(&self) -> Option<&CallbackError> {
        self.0.callback.as_ref()
    }

    /// The failure of reading or writing that caused it, with path, row and the system's code.
    pub fn table(&self) -> Option<&colstore_core::Error> {
        self.0.table.as_ref()
    }
}

impl From<colstore_core::Error> for Error {
    fn from(source: colstore_core::Error) -> Error {
        let mut error = Error::new(ErrorKind::Table(source.kind()), source.message());
        error.0.column = source.column().map(str::to_owned);
        error.0.table = Some(source);
        error
    }
}

impl From<colstore_format::Error> for Error {
    fn from(source: colstore_format::Error) -> Error {
        colstore_core::Error::from(source).into()
    }
}

impl From<CallbackError> for Error {
    fn from(source: CallbackError) -> Error {
        let mut error = Error::new(ErrorKind::Callback, source.message.clone());
        error.0.callback = Some(source);
        error
    }
}

/// A line of a text and carets under a part of it.
struct Place<'a> {
    text: &'a str,
    span: Range<usize>,
}

/// Characters of a line shown around the place.
const SHOWN: usize = 60;

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let start = floor_boundary(self.text, self.span.start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let end = floor_boundary(self.text, self.span.end).clamp(start, line_end);

        let before: Vec<char> = self.text[line_start..start].chars().rev().take(SHOWN + 1).collect();
        let cut = before.len() > SHOWN;
        let before: String = before.into_iter().take(SHOWN).rev().map(shown).collect();
        let marked: String = self.text[start..end].chars().take(SHOWN).map(shown).collect();
        let rest: Vec<char> =
            self.text[start..line_end].chars().skip(marked.chars().count()).take(SHOWN + 1).collect();
        let more = rest.len() > SHOWN;
        let rest: String = rest.into_iter().take(SHOWN).map(shown).collect();

        let dots = |there: bool| if there { "..." } else { "" };
        writeln!(f, "    {}{before}{marked}{rest}{}", dots(cut), dots(more))?;
        let indent = dots(cut).len() + before.chars().count();
        write!(f, "    {:indent$}{}", "", "^".repeat(marked.chars().count().max(1)))
    }
}

/// One column for every character: control characters would move the carets.
fn shown(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// The largest character boundary up to `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_under_the_text() {
        let error = Error::query("unknown name 'b'").at("a > 1 and b", 10..11);
        assert_eq!(error.message(), "unknown name 'b'\n    a > 1 and b\n              ^");
        assert_eq!(error.span(), Some(10..11));
        // The first place that is known is the closest one.
        assert_eq!(error.at("other", 0..1).span(), Some(10..11));
    }

    #[test]
    fn long_lines_are_cut_and_lines_found() {
        let text = format!("(\n{}\u{e9}+{}\n)", "x".repeat(100), "y".repeat(100));
        let at = text.find('+').unwrap();
        let error = Error::query("m").at(&text, at..at + 1);
        let lines: Vec<&str> = error.message().lines().collect();
        assert_eq!(lines[1], format!("    ...{}\u{e9}+{}...", "x".repeat(59), "y".repeat(60)));
        assert_eq!(lines[2].chars().count(), 4 + 3 + 60 + 1);
        assert!(lines[2].ends_with(" ^"));
    }

    #[test]
    fn any_place_can_be_shown() {
        for text in ["", "\n", "a\u{2028}b\tc", "\u{1f600}"] {
            for start in 0..6 {
                for end in 0..6 {
                    assert!(Error::query("m").at(text, start..end).message().ends_with('^'));
                }
            }
        }
    }
}
