//! Standard output: how wide it is, and JSON on it.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use crate::failure::Failure;

/// A buffered sink, with the width in characters that a table on it may take.
pub(crate) struct Output {
    sink: Box<dyn Write>,
    width: Option<usize>,
}

impl Output {
    /// The standard output of this process.
    pub(crate) fn stdout() -> Output {
        let stdout = io::stdout().lock();
        let width = terminal_width(stdout.is_terminal());
        Output { sink: Box::new(BufWriter::with_capacity(1 << 16, stdout)), width }
    }

    /// How many characters fit beside one another; `None` where nothing limits them.
    pub(crate) fn width(&self) -> Option<usize> {
        self.width
    }

    /// Writes text and ends the line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.sink.write_all(text.as_bytes())?;
        self.sink.write_all(b"\n")?;
        Ok(())
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.sink.write_all(text.as_bytes())?)
    }

    /// Hands everything written so far to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.sink.flush()?)
    }
}

/// `COLUMNS` where it is set to a number; else the terminal's own width; else no limit.
fn terminal_width(is_terminal: bool) -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse::<usize>().ok());
    match asked {
        Some(width) if width > 0 => Some(width),
        _ if is_terminal => {
            Some(terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0).max(1)))
        }
        _ => None,
    }
}

/// A JSON string with its quotes.
pub(crate) fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
