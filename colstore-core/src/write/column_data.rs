//! A column of the caller's, to be written.

use std::marker::PhantomData;
use std::ops::Range;

use colstore_format::{ColumnName, DType};
use colstore_kernels::copy::{self, Stores};
use colstore_kernels::{byteswap, stride};

use crate::error::{Error, ErrorKind, Result};

/// Values in memory of the caller's, under the name and dtype they are to be stored with: evenly spaced, at
/// any alignment, in either byte order (`dtype` says which).
#[derive(Debug)]
pub struct ColumnData<'a> {
    name: ColumnName,
    dtype: DType,
    data: *const u8,
    n_rows: u64,
    stride: isize,
    memory: PhantomData<&'a [u8]>,
}

// SAFETY: the values are only ever read, and `'a` keeps them readable and unchanged; for `from_raw` that is the
// caller's promise.
unsafe impl Send for ColumnData<'_> {}
// SAFETY: as for Send.
unsafe impl Sync for ColumnData<'_> {}

impl<'a> ColumnData<'a> {
    /// A column whose values lie packed in `bytes`.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if `bytes` is not a whole number of values.
    pub fn from_slice(name: ColumnName, dtype: DType, bytes: &'a [u8]) -> Result<ColumnData<'a>> {
        let itemsize = dtype.itemsize();
        if itemsize == 0 || !bytes.len().is_multiple_of(itemsize) {
            let message = format!(
                "column '{name}' has {} bytes, which is no whole number of {dtype} values of {itemsize} bytes",
                bytes.len()
            );
            return Err(Error::new(ErrorKind::InvalidArgument, message).with_column(&name));
        }
        let n_rows = (bytes.len() / itemsize) as u64;
        let stride = itemsize as isize;
        Ok(ColumnData { name, dtype, data: bytes.as_ptr(), n_rows, stride, memory: PhantomData })
    }

    /// A column of `n_rows` values, value `i` of them at `data + i * stride` bytes. The stride may be negative
    /// or zero.
    ///
    /// # Safety
    ///
    /// For as long as the column lives, every value must be readable, and nobody may change it.
    pub unsafe fn from_raw(
        name: ColumnName,
        dtype: DType,
        data: *const u8,
        n_rows: u64,
        stride: isize,
    ) -> ColumnData<'a> {
        ColumnData { name, dtype, data, n_rows, stride, memory: PhantomData }
    }

    /// The name it is stored under.
    pub fn name(&self) -> &ColumnName {
        &self.name
    }

    /// The dtype of the values in memory; they are stored in little-endian order.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of values.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Whether the values lie as the file holds them: side by side, in little-endian order.
    pub(crate) fn is_stored_form(&self) -> bool {
        self.stride == self.dtype.itemsize() as isize && !self.dtype.needs_swap()
    }

    /// The bytes of `rows`, which must be among the column's, if they lie as the file holds them.
    pub(crate) fn stored_bytes(&self, rows: Range<u64>) -> Option<&[u8]> {
        assert!(rows.start <= rows.end && rows.end <= self.n_rows, "rows {rows:?} of {}", self.n_rows);
        let len = (rows.end - rows.start) as usize * self.dtype.itemsize();
        if len == 0 {
            // Where there are no rows, there may be no memory.
            return Some(&[]);
        }
        // SAFETY: the rows are the column's (asserted), side by side, readable and unchanged while it lives.
        self.is_stored_form().then(|| unsafe { std::slice::from_raw_parts(self.address(rows.start), len) })
    }

    /// Where value `row` lies. Only an address: `row` may be one behind the last.
    pub(crate) fn address(&self, row: u64) -> *const u8 {
        self.data.wrapping_offset((row as isize).wrapping_mul(self.stride))
    }

    /// Copies `rows`, which must be among the column's, to `dst` as the file holds them.
    ///
    /// # Safety
    ///
    /// `dst` must have room for the values, apart from them.
    pub(crate) unsafe fn copy_stored(&self, rows: Range<u64>, dst: *mut u8) {
        assert!(rows.start <= rows.end && rows.end <= self.n_rows, "rows {rows:?} of {}", self.n_rows);
        let itemsize = self.dtype.itemsize();
        let n_rows = (rows.end - rows.start) as usize;
        let src = self.address(rows.start);
        if self.is_stored_form() {
            // SAFETY: the rows are among the column's (asserted), whose values are readable for as long as `self`
            // lives; there is room for them at `dst`.
            unsafe { copy::copy_with(Stores::Cached, src, dst, n_rows * itemsize) };
            return;
        }
        // SAFETY: as above.
        unsafe { stride::pack(src, self.stride, dst, n_rows, itemsize) };
        if self.dtype.needs_swap() {
            let word = self.dtype.word_size();
            // SAFETY: the values lie packed at `dst`, each a whole number of words; in place is allowed.
            unsafe { byteswap::copy_swapped(dst, dst, n_rows * itemsize / word, word) };
        }
    }
}
