//! Cutting runs of rows into chunks of a bounded number of bytes.

use std::ops::Range;

/// A run of rows of equal size, cut into chunks that end where the memory's own blocks do, so that no two
/// threads fault in the same huge page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunks {
    n_rows: u64,
    row_size: u64,
    chunk_bytes: u64,
    /// How far into a block the first row lies.
    lead: u64,
}

impl Chunks {
    /// Cuts `n_rows` rows of `row_size` bytes, the first of them at `address`, into `chunk_bytes` each.
    /// `n_rows * row_size` must not overflow.
    pub(crate) fn new(n_rows: u64, row_size: u64, chunk_bytes: u64, address: u64) -> Chunks {
        Chunks { n_rows, row_size, chunk_bytes, lead: address % chunk_bytes }
    }

    /// All bytes of the run.
    pub(crate) fn bytes(&self) -> u64 {
        self.n_rows * self.row_size
    }

    /// The number of chunks. Some may be without rows, where a row is larger than a chunk.
    pub(crate) fn len(&self) -> u64 {
        match self.bytes() {
            0 => 0,
            bytes => bytes.saturating_add(self.lead).div_ceil(self.chunk_bytes),
        }
    }

    /// The rows of chunk `index`.
    pub(crate) fn rows(&self, index: u64) -> Range<u64> {
        self.boundary(index)..self.boundary(index + 1)
    }

    fn boundary(&self, index: u64) -> u64 {
        let bytes = index.saturating_mul(self.chunk_bytes).saturating_sub(self.lead);
        bytes.div_ceil(self.row_size).min(self.n_rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_all_rows_in_order() {
        for n_rows in [0, 1, 2, 7, 100, 1000] {
            for row_size in [0, 1, 3, 8, 64, 500] {
                for chunk_bytes in [1, 16, 64, 4096] {
                    for address in [0, 1, 15, 63, 64, 12345] {
                        let chunks = Chunks::new(n_rows, row_size, chunk_bytes, address);
                        let mut next = 0;
                        for i in 0..chunks.len() {
                            let rows = chunks.rows(i);
                            assert_eq!(rows.start, next);
                            assert!(rows.start <= rows.end);
                            // A chunk holds at most one row more than fits.
                            assert!((rows.end - rows.start) * row_size < chunk_bytes + row_size);
                            next = rows.end;
                        }
                        assert_eq!(next, if row_size == 0 { 0 } else { n_rows });
                    }
                }
            }
        }
    }
}
