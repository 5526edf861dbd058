//! One file of a table.

use std::ops::Range;
use std::sync::Arc;

use colstore_format::{DType, Schema};
use colstore_kernels::copy;

use crate::error::Result;
use crate::file::DataFile;
use crate::record_index::Segment;

/// A file, the rows of the table that it holds, and where the table's columns are in it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) file: Arc<DataFile>,
    /// The table's number of the file's first row.
    pub(crate) first_row: u64,
    /// The file's position of each of the table's columns; `None` where they are the same.
    columns: Option<Arc<[usize]>>,
}

/// Rows that lie together in one record of one file.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) part: &'a Part,
    segment: Segment,
    /// First of its rows, counted within the requested range.
    pub(crate) out_row: u64,
}

impl Part {
    /// `schema` is the table's; every column of it is in the file, under the same name.
    pub(crate) fn new(file: Arc<DataFile>, first_row: u64, schema: &Schema) -> Part {
        let columns: Vec<usize> =
            schema.columns().iter().filter_map(|c| file.schema().index_of(c.name().as_bytes())).collect();
        let same = columns.iter().enumerate().all(|(j, &column)| j == column);
        let columns = (!same).then(|| columns.into());
        Part { file, first_row, columns }
    }

    pub(crate) fn n_rows(&self) -> u64 {
        self.file.records().n_rows()
    }

    /// The file's position of column `column` of the table.
    pub(crate) fn column(&self, column: usize) -> usize {
        self.columns.as_ref().map_or(column, |columns| columns[column])
    }

    /// The dtype of column `column` of the table, as the file has it.
    pub(crate) fn dtype(&self, column: usize) -> DType {
        self.file.schema().columns()[self.column(column)].dtype()
    }
}

impl<'a> Piece<'a> {
    pub(crate) fn n_rows(&self) -> u64 {
        self.segment.n_rows
    }

    /// The address of its first value of column `column` of the table; all its values lie from there on. The file
    /// must be mapped.
    pub(crate) fn address(&self, column: usize) -> *const u8 {
        let column = self.part.column(column);
        let schema = self.part.file.schema();
        let len = self.segment.n_rows * schema.columns()[column].dtype().itemsize() as u64;
        self.part.file.mapping().at(self.segment.offset(schema, column), len)
    }

    /// Copies values `first..first + n` of column `column` of the table to `out`, in the file's byte order.
    ///
    /// # Safety
    ///
    /// The values must be the piece's, and their bytes at `out` writable by nobody else.
    pub(crate) unsafe fn copy(&self, column: usize, first: u64, n: u64, out: *mut u8) -> Result<()> {
        let itemsize = self.part.dtype(column).itemsize();
        let (skipped, len) = (first as usize * itemsize, n as usize * itemsize);
        if self.part.file.is_mapped() {
            // SAFETY: the values lie at the piece's address, mapped; the output is the caller's and no mapping.
            unsafe { copy::copy(self.address(column).add(skipped), out, len) };
            return Ok(());
        }
        let offset = self.segment.offset(self.part.file.schema(), self.part.column(column));
        // SAFETY: the caller's promise.
        unsafe { self.part.file.fetch(offset + skipped as u64, out, len) }
    }

    /// Copies `len` bytes of the values of column `column` of the table, from byte `from` of the first value on, to
    /// `out`, in the file's byte order.
    ///
    /// # Safety
    ///
    /// The bytes must be the piece's, and as many at `out` writable by nobody else.
    pub(crate) unsafe fn copy_bytes(&self, column: usize, from: u64, out: *mut u8, len: usize) -> Result<()> {
        let offset = self.segment.offset(self.part.file.schema(), self.part.column(column));
        // SAFETY: the caller's promise.
        unsafe { self.part.file.copy(offset + from, out, len) }
    }

    /// The address that row 0 of the table would have, were all rows before the piece laid out like it.
    pub(crate) fn origin(&self, column: usize, first_row: u64) -> *const u8 {
        let itemsize = self.part.dtype(column).itemsize();
        self.address(column).wrapping_sub((first_row as usize).wrapping_mul(itemsize))
    }
}

/// The pieces of `rows`, in order, none of them empty. `rows` must lie within the table.
pub(crate) fn pieces(parts: &[Part], rows: Range<u64>) -> impl Iterator<Item = Piece<'_>> {
    let first = parts.partition_point(|part| part.first_row <= rows.start).saturating_sub(1);
    let parts = if rows.is_empty() { &parts[..0] } else { &parts[first..] };
    let origin = rows.start;
    parts.iter().take_while(move |part| part.first_row < rows.end).flat_map(move |part| {
        let end = part.first_row + part.n_rows();
        let local = rows.start.max(part.first_row)..rows.end.min(end);
        let out_row = local.start - origin;
        let local = match local.start < local.end {
            true => local.start - part.first_row..local.end - part.first_row,
            false => 0..0,
        };
        part.file.records().segments(local).map(move |segment| {
            let out_row = out_row + segment.out_row;
            Piece { part, segment, out_row }
        })
    })
}
