//! Columns lent where they lie, without a copy.

use std::sync::Arc;

use colstore_format::DType;

use crate::error::{Error, ErrorKind, Result};
use crate::file::DataFile;
use crate::part::pieces;
use crate::rows::{Rows, Selection, nth};
use crate::table::Table;

/// Rows of one column, in the mapped file itself.
///
/// The mapping lives as long as the view, whatever becomes of the table. The memory is read-only, evenly spaced,
/// at any alignment, and shared with whoever writes the file: values must be read through the raw pointer (by
/// `ptr::read_unaligned` or a copy), never through a reference, and a file that another process cuts short
/// takes the pages away (SIGBUS).
#[derive(Debug, Clone)]
pub struct ColumnView {
    address: *const u8,
    n_rows: u64,
    stride: isize,
    dtype: DType,
    /// Keeps the memory mapped.
    _file: Option<Arc<DataFile>>,
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

    /// The bytes from one value to the next; negative for rows that were asked for backwards.
    pub fn stride(&self) -> isize {
        self.stride
    }

    /// The dtype, in native byte order.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of bytes of all values; they lie side by side if the stride is the item size.
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
    /// [`NotContiguous`](ErrorKind::NotContiguous) if the rows are spread over several records or files, are not
    /// evenly spaced, or not in native byte order; [`OutOfBounds`](ErrorKind::OutOfBounds) for rows or a column
    /// that are not there.
    pub fn view_column<'r>(&self, column: usize, rows: impl Into<Rows<'r>>) -> Result<ColumnView> {
        let rows = rows.into();
        let n_rows = self.check_rows(&rows)?;
        self.check_column(column)?;
        let entry = &self.schema().columns()[column];
        let dtype = entry.dtype();
        let itemsize = dtype.itemsize();
        let refuse = |why: String| {
            let message =
                format!("column '{}' of {} cannot be had without a copy: {why}", entry.name(), self.name());
            Err(self.blame(Error::new(ErrorKind::NotContiguous, message)).with_column(entry.name()))
        };
        if dtype.needs_swap() {
            return refuse(format!("{dtype} is not in native byte order; read a copy"));
        }
        if !self.is_mapped() {
            return refuse(
                "it is read through its descriptor (backend pread); open it mapped or read a copy".into(),
            );
        }
        let (first, step) = match rows.selection() {
            Selection::Range { first, step, .. } => (*first, *step),
            Selection::Unchecked(range) => (range.start, 1),
            Selection::Indices { .. } | Selection::Mask(_) => {
                return refuse("fancy and boolean selections are gathered; read a copy".into());
            }
        };
        if n_rows == 0 {
            let address = std::ptr::NonNull::<u64>::dangling().as_ptr().cast();
            return Ok(ColumnView { address, n_rows, stride: itemsize as isize, dtype, _file: None });
        }
        let last = nth(first, step, n_rows - 1);
        let mut found = pieces(self.parts(), first.min(last)..first.max(last) + 1);
        let (Some(piece), None) = (found.next(), found.next()) else {
            if self.n_files() > 1 {
                return refuse(format!(
                    "its rows are not contiguous in memory, the selection spans multiple files or records of \
                     the {} files; read a copy",
                    self.n_files()
                ));
            }
            return refuse(format!(
                "its rows are spread over the file's {} records; compact the file or read a copy",
                self.n_records()
            ));
        };
        let skipped = (first - first.min(last)) as usize * itemsize;
        Ok(ColumnView {
            address: piece.address(column).wrapping_add(skipped),
            n_rows,
            stride: step as isize * itemsize as isize,
            dtype,
            _file: Some(Arc::clone(&piece.part.file)),
        })
    }
}
