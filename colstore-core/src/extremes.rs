//! What statistics tell of a column's records, in all files of a table.

use std::ops::Range;

use crate::error::Result;
use crate::table::Table;

/// The least and the greatest value of those records of a column for which they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordExtremes {
    /// The rows of each such record, in order; none are empty.
    pub rows: Vec<Range<u64>>,
    /// The least value of each, little-endian.
    pub min: Vec<u8>,
    /// The greatest value of each, little-endian.
    pub max: Vec<u8>,
}

impl Table {
    /// The extremes of the records of `column` as far as the files have them. They are there only for records all of
    /// whose values are finite numbers, booleans or times: not if one is NaN, infinite or "not a time".
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorKind::OutOfBounds) for a column that is not there.
    pub fn record_extremes(&self, column: usize) -> Result<RecordExtremes> {
        self.check_column(column)?;
        let mut found = RecordExtremes::default();
        for part in self.parts() {
            let Some(statistics) = part.file.statistics() else { continue };
            let statistics = &statistics.columns()[part.column(column)];
            let width = part.dtype(column).itemsize();
            let mut first = part.first_row;
            for (record, n_rows) in part.file.records().record_rows().enumerate() {
                let value = record * width..(record + 1) * width;
                if statistics.valid[record] && n_rows > 0 {
                    found.rows.push(first..first + n_rows);
                    found.min.extend_from_slice(&statistics.min[value.clone()]);
                    found.max.extend_from_slice(&statistics.max[value]);
                }
                first += n_rows;
            }
        }
        Ok(found)
    }
}
