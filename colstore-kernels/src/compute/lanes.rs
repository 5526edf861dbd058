//! Values side by side in memory of our own: what kernels compute on.
//!
//! Columns are copied here from wherever they lie, in native byte order. So references can be formed, which is not
//! done over mapped files, and every loop has aligned slices.

use super::half::F16;

/// A value that any bits of its size are, without padding.
///
/// # Safety
/// Every bit pattern is a valid value, there is no padding, and the alignment is at most 8.
pub(crate) unsafe trait Lane: Copy + 'static {}

macro_rules! lanes {
    ($($type:ty),*) => {$(
        // SAFETY: a number of at most 8 bytes, all patterns of which are values.
        unsafe impl Lane for $type {}
    )*};
}

lanes!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, F16);

/// Bytes aligned for every kind of value: a register of a block of rows.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    words: Vec<u64>,
    len: usize,
}

impl Lanes {
    /// `len` bytes of zero.
    #[must_use]
    pub fn new(len: usize) -> Lanes {
        Lanes { words: vec![0; len.div_ceil(8)], len }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the words hold at least `len` initialised bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }

    /// The bytes, to be written.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, and every bit pattern is a word.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len) }
    }

    /// Makes it at least `len` bytes long. What it held is kept.
    pub fn grow(&mut self, len: usize) {
        if len > self.len {
            self.words.resize(len.div_ceil(8), 0);
            self.len = len;
        }
    }
}

/// Bytes as the values they are; what is left over at the end is left out.
///
/// # Panics
/// If the bytes are not aligned for the type.
pub(super) fn slice<T: Lane>(bytes: &[u8]) -> &[T] {
    assert!(bytes.as_ptr().addr().is_multiple_of(align_of::<T>()), "values are aligned");
    // SAFETY: aligned, as was just seen; the bytes are initialised, and all patterns are values.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
}

/// Eight bytes, aligned for every value.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub(super) struct Aligned(pub(super) [u8; 8]);

pub(super) fn aligned(bytes: [u8; 8]) -> Aligned {
    Aligned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_aligned_and_keep_what_they_hold() {
        let mut lanes = Lanes::new(5);
        lanes.bytes_mut().copy_from_slice(&[1, 2, 3, 4, 5]);
        lanes.grow(100);
        assert_eq!(lanes.bytes().len(), 100);
        assert_eq!(lanes.bytes()[..5], [1, 2, 3, 4, 5]);
        assert!(lanes.bytes().as_ptr().addr().is_multiple_of(8));
        lanes.grow(3);
        assert_eq!(lanes.bytes().len(), 100);
    }
}
