//! Where the records of a file lie: one offset and one first row a record.

use std::ops::Range;

use colstore_format::{Record, Schema};

/// The records of one file in row order. Built once at open; 16 bytes a record.
#[derive(Debug, Default)]
pub(crate) struct RecordIndex {
    /// File offset of each record's body.
    body_offsets: Vec<u64>,
    /// First row of each record, and the number of rows at the end.
    first_rows: Vec<u64>,
}

/// The part of one record that a range of rows covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// File offset of the record's body.
    body_offset: u64,
    /// Rows of the whole record: the length of each of its column runs.
    record_rows: u64,
    /// First covered row, counted within the record.
    first: u64,
    /// Number of covered rows.
    pub(crate) n_rows: u64,
    /// First covered row, counted within the requested range.
    pub(crate) out_row: u64,
}

impl Segment {
    /// File offset of this segment's first value of `column`.
    pub(crate) fn offset(&self, schema: &Schema, column: usize) -> u64 {
        // In range: the record walk has proven that the whole body lies inside the file.
        let itemsize = schema.columns()[column].dtype().itemsize() as u64;
        self.body_offset + self.record_rows * schema.prefix_width(column) + self.first * itemsize
    }
}

impl RecordIndex {
    pub(crate) fn with_capacity(records: usize) -> RecordIndex {
        let mut first_rows = Vec::with_capacity(records + 1);
        first_rows.push(0);
        RecordIndex { body_offsets: Vec::with_capacity(records), first_rows }
    }

    /// Adds the next record.
    pub(crate) fn push(&mut self, record: &Record) {
        self.body_offsets.push(record.body_offset);
        self.first_rows.push(record.first_row + record.n_rows);
    }

    /// File offset of the body of record `r`, and the number of its rows.
    pub(crate) fn body(&self, r: usize) -> (u64, u64) {
        (self.body_offsets[r], self.first_rows[r + 1] - self.first_rows[r])
    }

    pub(crate) fn n_records(&self) -> usize {
        self.body_offsets.len()
    }

    pub(crate) fn n_rows(&self) -> u64 {
        self.first_rows.last().copied().unwrap_or(0)
    }

    /// Row counts, record by record.
    pub(crate) fn record_rows(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.first_rows.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// The pieces of `rows` record by record, in order, empty ones left out. `rows` must lie within the file.
    pub(crate) fn segments(&self, rows: Range<u64>) -> impl Iterator<Item = Segment> + '_ {
        // The last record that begins at or before the first row; with empty records among equals, the
        // search lands behind them.
        let first = self.first_rows.partition_point(|&row| row <= rows.start).saturating_sub(1);
        let records = if rows.is_empty() { 0..0 } else { first..self.n_records() };
        records
            .map(move |r| (r, self.first_rows[r], self.first_rows[r + 1]))
            .take_while({
                let end = rows.end;
                move |&(_, start, _)| start < end
            })
            .filter(|&(_, start, end)| start < end)
            .map(move |(r, start, end)| {
                let from = start.max(rows.start);
                Segment {
                    body_offset: self.body_offsets[r],
                    record_rows: end - start,
                    first: from - start,
                    n_rows: end.min(rows.end) - from,
                    out_row: from - rows.start,
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(rows: &[u64]) -> RecordIndex {
        let mut index = RecordIndex::with_capacity(rows.len());
        let mut first_row = 0;
        for (r, &n_rows) in rows.iter().enumerate() {
            index.push(&Record { body_offset: 1000 * r as u64, n_rows, first_row });
            first_row += n_rows;
        }
        index
    }

    #[test]
    fn segments_cover_every_range_exactly_once() {
        for rows in [&[][..], &[5], &[0], &[3, 4], &[0, 0, 3, 0, 2, 0, 0, 1, 0]] {
            let index = index(rows);
            let total: u64 = rows.iter().sum();
            assert_eq!(index.n_rows(), total);
            assert_eq!(index.record_rows().collect::<Vec<_>>(), rows);
            // The record and the row within it, for every row of the table.
            let oracle: Vec<(u64, u64)> = rows
                .iter()
                .enumerate()
                .flat_map(|(r, &n)| (0..n).map(move |row| (1000 * r as u64, row)))
                .collect();
            for start in 0..=total {
                for end in start..=total {
                    let mut found = Vec::new();
                    for s in index.segments(start..end) {
                        assert!(s.n_rows > 0);
                        assert_eq!(s.out_row, found.len() as u64);
                        found.extend((s.first..s.first + s.n_rows).map(|row| (s.body_offset, row)));
                    }
                    assert_eq!(found, oracle[start as usize..end as usize], "{rows:?} {start}..{end}");
                }
            }
        }
    }
}
