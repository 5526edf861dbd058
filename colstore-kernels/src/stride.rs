//! Evenly spaced values, packed into a column.
//!
//! ```text
//! for each row: dst[row * width ..][..width] = src[row * stride ..][..width]
//! ```
//!
//! A width of 1, 2, 4, 8 or 16 is moved by one load and one store; other widths by a copy of their length. Values
//! without gaps are one copy. There is nothing for vectors to gain: the loop waits for the lines it touches.

use crate::copy;

/// Copies `rows` values of `width` bytes, `stride` bytes apart, into a packed column.
///
/// `src` is the first value; a negative `stride` walks down from it, 0 repeats it. A width of 0 copies nothing.
///
/// # Safety
/// For every `row < rows`, `src + row * stride` is readable for `width` bytes, at any alignment; `dst` is writable
/// for `rows * width` bytes, at any alignment, and overlaps none of the values.
pub unsafe fn pack(src: *const u8, stride: isize, dst: *mut u8, rows: usize, width: usize) {
    if usize::try_from(stride) == Ok(width) {
        // SAFETY: values that lie `width` apart are one range of `rows * width` readable bytes.
        unsafe { copy::copy(src, dst, rows * width) };
        return;
    }
    // SAFETY: the caller's promise, word for word; a word has the size of `width`.
    unsafe {
        match width {
            0 => {}
            1 => pack_words::<u8>(src, stride, dst, rows),
            2 => pack_words::<u16>(src, stride, dst, rows),
            4 => pack_words::<u32>(src, stride, dst, rows),
            8 => pack_words::<u64>(src, stride, dst, rows),
            16 => pack_words::<u128>(src, stride, dst, rows),
            _ => pack_bytes(src, stride, dst, rows, width),
        }
    }
}

/// # Safety
/// As [`pack`] for the width of `T`, an integer.
unsafe fn pack_words<T: Copy>(mut src: *const u8, stride: isize, dst: *mut u8, rows: usize) {
    let dst = dst.cast::<T>();
    for row in 0..rows {
        // SAFETY: `src` is at the value of `row`; neither access needs alignment.
        unsafe { dst.add(row).write_unaligned(src.cast::<T>().read_unaligned()) };
        // Wrapping: the step after the last value may leave the memory that `src` belongs to.
        src = src.wrapping_offset(stride);
    }
}

/// # Safety
/// As [`pack`].
unsafe fn pack_bytes(mut src: *const u8, stride: isize, dst: *mut u8, rows: usize, width: usize) {
    for row in 0..rows {
        // SAFETY: `src` is at the value of `row`, which does not overlap the output.
        unsafe { src.copy_to_nonoverlapping(dst.add(row * width), width) };
        src = src.wrapping_offset(stride);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Canvas;

    fn check(rows: usize, width: usize, stride: isize, from: usize, to: usize) {
        let span = rows.saturating_sub(1) * stride.unsigned_abs() + width;
        let source = Canvas::noise(span, from);
        let first = if stride < 0 { span - width } else { 0 };
        let mut target = Canvas::blank(rows * width, to);
        // SAFETY: the values of all rows lie inside `span`, which the source has; the target has room for them.
        unsafe { pack(source.as_ptr().add(first), stride, target.as_mut_ptr(), rows, width) };
        let expected: Vec<u8> = (0..rows)
            .flat_map(|row| {
                let at = first.checked_add_signed(stride * row as isize).unwrap();
                source.bytes()[at..at + width].to_vec()
            })
            .collect();
        target.expect(&expected, &format!("{rows} rows of {width}, stride {stride}, {from}->{to}"));
    }

    #[test]
    fn every_width_stride_and_alignment() {
        for width in (0..=18).chain([24, 25, 31, 32, 33, 64, 100]) {
            for gap in [0_usize, 1, 3, 8, 61] {
                for rows in [0, 1, 2, 3, 17, 70] {
                    let stride = isize::try_from(width + gap).unwrap();
                    for shift in 0..16 {
                        check(rows, width, stride, shift, (shift * 5 + 3) % 64);
                        check(rows, width, -stride, (shift * 5 + 3) % 64, shift);
                    }
                }
            }
        }
    }

    #[test]
    fn stride_zero_repeats_and_small_strides_overlap() {
        for width in [1, 2, 3, 4, 8, 16] {
            check(40, width, 0, 5, 9);
            check(40, width, 1, 5, 9);
            check(40, width, -1, 5, 9);
        }
    }
}
