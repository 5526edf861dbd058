//! Where every record of a table lies, for reads that jump about in it.

use std::sync::OnceLock;

use colstore_kernels::Segments;

use crate::part::{Part, pieces};

/// The records of all files as one run of segments, and for each column where they lie. Takes linear time and
/// 8 bytes a record to make, and as much again for each column that is asked for.
#[derive(Debug)]
pub(crate) struct Layout {
    segments: Segments,
    columns: Box<[OnceLock<Origins>]>,
}

/// For each segment, the address that row 0 of the table would have were all rows laid out like it: row `i` of
/// the segment is at `origin + i * itemsize`.
#[derive(Debug)]
pub(crate) struct Origins(Box<[*const u8]>);

// SAFETY: addresses of memory that is mapped read-only for as long as the table that holds them lives.
unsafe impl Send for Origins {}
// SAFETY: as for Send.
unsafe impl Sync for Origins {}

impl Layout {
    pub(crate) fn new(parts: &[Part], n_columns: usize, n_rows: u64) -> Layout {
        let mut starts: Vec<u64> = pieces(parts, 0..n_rows).map(|piece| piece.out_row).collect();
        starts.push(n_rows);
        Layout { segments: Segments::new(starts), columns: (0..n_columns).map(|_| OnceLock::new()).collect() }
    }

    /// Which segment a row is in. Without rows there are no segments.
    pub(crate) fn segments(&self) -> &Segments {
        &self.segments
    }

    /// The addresses of a column's segments.
    pub(crate) fn origins(&self, parts: &[Part], column: usize) -> &[*const u8] {
        let origins = self.columns[column].get_or_init(|| {
            let pieces = pieces(parts, 0..self.segments.n_rows());
            Origins(pieces.map(|piece| piece.origin(column, piece.out_row)).collect())
        });
        &origins.0
    }
}
