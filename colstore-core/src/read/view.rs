//! Columns lent where they lie, without a copy.

use std::ops::Range;
use std::sync::Arc;

use colstore_format::DType;

use crate::error::{Error, ErrorKind, Result};
use crate::file::DataFile;
use crate::table::Table;

/// Rows of one column, in the mapped file itself.
///
/// The mapping lives as long as the view, whatever becomes of the table. The memory is read-only, packed, at
/// any alignment, and shared with whoever writes the file: values must be read through the raw pointer (by
/// `ptr::read_unaligned` or a copy), never through a reference, and a file that another process cuts short
/// takes the pages away (SIGBUS).
#[derive(Debug, Clone)]
pub struct ColumnView {
    address: *const u8,
    n_rows: u64,
    dtype: DType,
    /// Keeps the memory mapped.
    _file: Arc<DataFile>,
}

// SAFETY: the view only hands out the address of memory that is mapped read-only for as long as `_file` lives,
// which is itself Send and Sync.
unsafe impl Send for ColumnView {}
// SAFETY: as for Send; a shared view lets no one change anything.
unsafe impl Sync for ColumnView {}

impl ColumnView {
    /// The first value. Not null, even where there are no rows.
    pub fn as_ptr(&self) -> *const u8 {
        self.address
    }

    /// The number of values.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The dtype, in native byte order.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of bytes behind [`as_ptr`](ColumnView::as_ptr).
    pub fn byte_len(&self) -> usize {
        // In range: the bytes are mapped.
        self.n_rows as usize * self.dtype.itemsize()
    }
}

impl Table {
    /// Lends `rows` of `column` where they lie.
    ///
    /// # Errors
    ///
    /// [`NotContiguous`](ErrorKind::NotContiguous) if the rows are spread over several records, or are not
    /// in native byte order; [`OutOfBounds`](ErrorKind::OutOfBounds) for rows or a column that are not there.
    pub fn view_column(&self, column: usize, rows: Range<u64>) -> Result<ColumnView> {
        let n_rows = self.check_rows(&rows)?;
        self.check_column(column)?;
        let entry = &self.schema().columns()[column];
        let dtype = entry.dtype();
        let refuse = |why: String| {
            let message = format!(
                "column '{}' of '{}' cannot be had without a copy: {why}",
                entry.name(),
                self.path().display()
            );
            let error = Error::new(ErrorKind::NotContiguous, message);
            Err(error.with_path(self.path()).with_column(entry.name()))
        };
        if dtype.needs_swap() {
            return refuse(format!("{dtype} is not in native byte order; read a copy (copy=True)"));
        }
        let mut segments = self.file.records().segments(rows);
        let first = segments.next();
        if segments.next().is_some() {
            return refuse(format!(
                "its rows are spread over the file's {} records; compact the file or read a copy (copy=True)",
                self.n_records()
            ));
        }
        let address = match first {
            Some(segment) => {
                let len = n_rows * dtype.itemsize() as u64;
                self.file.mapping().at(segment.offset(self.schema(), column), len)
            }
            None => self.file.mapping().at(0, 0),
        };
        Ok(ColumnView { address, n_rows, dtype, _file: Arc::clone(&self.file) })
    }
}
