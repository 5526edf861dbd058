//! The `colstore` command: what is in a `.cstore` file, seen from a shell, and what suits the machine.
//!
//! ```text
//! main ──► args       the command line (clap)
//!   └────► commands   info, schema, head, verify, recover, compact, concat, append, calibration: one file each
//!             ├────► progress, interrupt   a bar on the terminal; Ctrl-C
//!             ├────► calibration_cache   results of measurements, shared with the Python package
//!             ├────► progress  a bar on the terminal
//!             ├────► output   standard output: terminal width, JSON, a closed pipe
//!             ├────► table    aligned columns of text
//!             └────► value    one value of any dtype as text or JSON
//! ```
//!
//! Exit codes: 0 success, 1 a file could not be read or written (message on standard error), 2 wrong usage, 130
//! interrupted.
//! A reader of standard output that goes away (`colstore head t.cstore | head -1`) is no error.

#![forbid(unsafe_code)]

mod args;
mod calibration_cache;
mod commands;
mod failure;
mod interrupt;
mod output;
mod progress;
mod table;
mod value;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::output::Output;

/// What shells give for a program that Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = Output::stdout();
    let result = match &arguments.command {
        Command::Info(options) => commands::info::run(options, &mut output),
        Command::Schema(options) => commands::schema::run(options, &mut output),
        Command::Head(options) => commands::head::run(options, &mut output),
        Command::Verify(options) => commands::verify::run(options, &mut output),
        Command::Recover(options) => commands::recover::run(options, &mut output),
        Command::Compact(options) => commands::compact::run(options, &mut output),
        Command::Concat(options) => commands::concat::run(options, &mut output),
        Command::Append(options) => commands::append::run(options, &mut output),
        Command::Calibration(options) => commands::calibration::run(options, &mut output),
        Command::Calibrate(options) => commands::calibration::measure(options, &mut output),
    };
    // What was written so far is shown before the message about what went wrong.
    let result = output.flush().and(result);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Reported) => ExitCode::FAILURE,
        Err(failure) => {
            report(&failure);
            if matches!(failure, Failure::Interrupted) { INTERRUPTED.into() } else { ExitCode::FAILURE }
        }
    }
}

/// Writes one message to standard error. If even that cannot be written, the exit code still tells.
fn report(failure: &Failure) {
    let message = value::text::printable(&failure.to_string());
    let _ = writeln!(std::io::stderr().lock(), "colstore: {message}");
}
