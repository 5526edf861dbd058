//! Reading rows into memory of the caller's, and lending them where they lie.
//!
//! Every read is the same three steps: check everything that was asked before a byte is written; cut the
//! output into chunks of some hundred kilobytes; let threads take chunk after chunk, each copying from the
//! records that its rows lie in.

mod columns;
mod records;
mod view;

pub use columns::ColumnOutput;
pub use view::ColumnView;

use std::ops::Range;

use crate::error::{Error, ErrorKind, Result};
use crate::table::Table;

impl Table {
    /// Checks a range of rows; gives its length.
    fn check_rows(&self, rows: &Range<u64>) -> Result<u64> {
        let n_rows = self.n_rows();
        if rows.start <= rows.end && rows.end <= n_rows {
            return Ok(rows.end - rows.start);
        }
        let outside = if rows.start > rows.end || rows.start > n_rows { rows.start } else { rows.end };
        let message = format!(
            "rows {}..{} are out of bounds: '{}' has {n_rows} rows, and a range begins at or before its end",
            rows.start,
            rows.end,
            self.path().display()
        );
        let error = Error::new(ErrorKind::OutOfBounds, message).with_path(self.path());
        Err(error.with_row(i64::try_from(outside).unwrap_or(i64::MAX)))
    }

    fn check_column(&self, column: usize) -> Result<()> {
        let n_columns = self.schema().len();
        if column < n_columns {
            return Ok(());
        }
        let message = format!(
            "column position {column} is out of bounds: '{}' has {n_columns} columns",
            self.path().display()
        );
        Err(Error::new(ErrorKind::OutOfBounds, message).with_path(self.path()))
    }
}

/// Checks that an output holds `n_rows` items of `itemsize` bytes, exactly.
fn check_output(len: usize, n_rows: u64, itemsize: u64, what: impl FnOnce() -> String) -> Result<()> {
    match n_rows.checked_mul(itemsize) {
        Some(needed) if needed == len as u64 => Ok(()),
        Some(needed) => {
            let message = format!(
                "the output for {} has {len} bytes; {n_rows} rows of {itemsize} bytes need {needed}",
                what()
            );
            Err(Error::new(ErrorKind::InvalidArgument, message))
        }
        None => {
            let message =
                format!("{n_rows} rows of {itemsize} bytes for {} are more than 2^64 bytes", what());
            Err(Error::new(ErrorKind::OutOfMemory, message))
        }
    }
}
