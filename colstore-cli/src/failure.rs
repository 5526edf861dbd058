//! Why a command ended early.

use std::fmt;
use std::io;

use colstore_core::ErrorKind;

/// The reason, of which `main` makes the message and the exit code.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file could not be opened or read.
    File(colstore_core::Error),
    /// A request that the file does not fit, in words.
    Request(String),
    /// Standard output could not be written.
    Output(io::Error),
    /// Whoever reads standard output went away: not an error.
    OutputClosed,
    /// Ctrl-C, or another signal that ends a process.
    Interrupted,
    /// The message has been written already.
    Reported,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::File(error) => f.write_str(error.message()),
            Failure::Request(message) => f.write_str(message),
            Failure::Output(error) => write!(f, "cannot write to standard output: {error}"),
            Failure::OutputClosed => f.write_str("standard output was closed"),
            Failure::Interrupted => f.write_str("interrupted; nothing has been changed"),
            Failure::Reported => f.write_str("some files could not be read"),
        }
    }
}

impl From<colstore_core::Error> for Failure {
    fn from(error: colstore_core::Error) -> Failure {
        match error.kind() {
            ErrorKind::Cancelled => Failure::Interrupted,
            _ => Failure::File(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Output(error),
        }
    }
}
