//! Where the values of one column go: packed, or as a field of records.

use colstore_format::DType;
use colstore_kernels::copy::Stores;
use colstore_kernels::{byteswap, stride};

/// One column of a read whose output was checked: value `i` goes to `out + i * stride`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) column: usize,
    pub(super) dtype: DType,
    pub(super) width: usize,
    out: *mut u8,
    stride: usize,
    stores: Stores,
}

// SAFETY: `out` points to memory that the read borrows exclusively for its whole duration, and threads write
// values of their own only: the chunks of a read are disjoint in output rows.
unsafe impl Sync for Target {}

impl Target {
    /// # Safety
    ///
    /// For every output row `i` of the read, the `dtype.itemsize()` bytes at `out + i * stride` must be
    /// writable by nobody else while the target is used.
    pub(super) unsafe fn new(column: usize, dtype: DType, out: *mut u8, stride: usize) -> Target {
        Target { column, dtype, width: dtype.itemsize(), out, stride, stores: Stores::Cached }
    }

    /// The same, written with `stores`.
    pub(super) fn with_stores(self, stores: Stores) -> Target {
        Target { stores, ..self }
    }

    /// How packed values should be written.
    pub(super) fn stores(&self) -> Stores {
        // What is turned into native order afterwards had better still be in the cache.
        if self.needs_swap() { Stores::Cached } else { self.stores }
    }

    /// Whether values lie side by side.
    pub(super) fn is_packed(&self) -> bool {
        self.stride == self.width
    }

    /// The bytes from one value to the next.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Where the value of output row `row` goes.
    ///
    /// # Safety
    ///
    /// `row` must be a row of the output, or one behind its last.
    pub(super) unsafe fn at(&self, row: usize) -> *mut u8 {
        // `wrapping_add`: one behind the last record's field may lie outside the memory.
        self.out.wrapping_add(row * self.stride)
    }

    /// Whether what is written to a packed target still has to be turned into native order.
    pub(super) fn needs_swap(&self) -> bool {
        self.dtype.needs_swap()
    }

    /// Turns `n` packed values at `values` into native order where they lie.
    ///
    /// # Safety
    ///
    /// `n` values must be readable and writable there, by nobody else.
    pub(super) unsafe fn swap(&self, values: *mut u8, n: usize) {
        if self.needs_swap() {
            let word = self.dtype.word_size();
            // SAFETY: the caller's promise; values are whole words, and in place is allowed.
            unsafe { byteswap::copy_swapped(values, values, n * self.width / word, word) };
        }
    }

    /// Turns output rows `row..row + n`, which hold values in file order, into native order.
    ///
    /// # Safety
    ///
    /// The rows must be the output's, written before, and used by nobody else.
    pub(super) unsafe fn swap_rows(&self, row: usize, n: usize) {
        if !self.needs_swap() {
            return;
        }
        // SAFETY: the caller's promises; packed rows lie side by side, others each by itself.
        unsafe {
            if self.is_packed() {
                self.swap(self.at(row), n);
            } else {
                (row..row + n).for_each(|row| self.swap(self.at(row), 1));
            }
        }
    }

    /// Moves `n` packed values in file order to output rows `row..row + n`.
    ///
    /// # Safety
    ///
    /// The rows must be the output's, written by nobody else; `n` values must be readable and writable at
    /// `values`, which is not the output.
    pub(super) unsafe fn put(&self, values: *mut u8, row: usize, n: usize) {
        // SAFETY: the caller's promises.
        unsafe {
            self.swap(values, n);
            stride::scatter(values, self.at(row), self.stride as isize, n, self.width);
        }
    }
}
