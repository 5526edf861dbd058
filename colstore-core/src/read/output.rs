//! Checking the memory that a caller passed for the results.

use crate::error::{Error, ErrorKind, Result};

/// Checks that an output holds `n_rows` items of `itemsize` bytes, exactly.
pub(super) fn check_output(
    len: usize,
    n_rows: u64,
    itemsize: u64,
    what: impl FnOnce() -> String,
) -> Result<()> {
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
