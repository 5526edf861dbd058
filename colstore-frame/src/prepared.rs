//! Columns of a frame, ready to be read: all at once, batch by batch, or into a file.

use std::ops::Range;
use std::path::Path;

use colstore_core::{ReadOptions, Rows, StoreOptions};
use colstore_format::{ColumnName, DType};

use crate::error::{Error, Result};
use crate::evaluation::{Outcome, Output, Selected};
use crate::expr::Graph;

/// Columns of a frame for the rows that its cuts leave: found and compiled, not yet computed.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub(crate) graph: Graph,
    pub(crate) base: Rows<'static>,
    pub(crate) selected: Selected,
    pub(crate) names: Vec<ColumnName>,
}

impl Prepared {
    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.selected.rows.len()
    }

    /// Names and dtypes of the columns.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (&ColumnName, DType)> {
        self.names.iter().enumerate().map(|(root, name)| (name, self.graph.dtype(root)))
    }

    /// Bytes of a row, all columns together.
    pub fn row_bytes(&self) -> u64 {
        self.columns().map(|(_, dtype)| dtype.itemsize() as u64).sum()
    }

    /// The rows in batches of so many, in order: ranges for [`read`](Prepared::read). None if there are no columns.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) for batches of 0 rows.
    pub fn batches(&self, rows: u64) -> Result<impl Iterator<Item = Range<u64>> + use<>> {
        if rows == 0 {
            return Err(Error::value("the rows of a batch must be positive"));
        }
        let n_rows = if self.names.is_empty() { 0 } else { self.n_rows() };
        Ok((0..n_rows.div_ceil(rows)).map(move |batch| batch * rows..n_rows.min((batch + 1) * rows)))
    }

    /// Writes rows `range`, in native byte order.
    ///
    /// # Errors
    ///
    /// As [`Evaluation::read`](crate::Evaluation::read).
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the rows.
    pub fn read(&self, range: Range<u64>, output: Output<'_>, options: &ReadOptions<'_>) -> Result<Outcome> {
        let evaluation = self.graph.evaluate(&self.base, Some(&self.selected.rows))?;
        Ok(evaluation.read_range(range, output, options)?.and(self.selected.outcome))
    }

    /// Writes all rows to a new file.
    ///
    /// # Errors
    ///
    /// As [`Evaluation::write`](crate::Evaluation::write).
    pub fn write(&self, path: impl AsRef<Path>, options: &StoreOptions<'_>) -> Result<Outcome> {
        let evaluation = self.graph.evaluate(&self.base, Some(&self.selected.rows))?;
        Ok(evaluation.write(path, &self.names, options)?.and(self.selected.outcome))
    }
}
