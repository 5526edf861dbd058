//! Evenly spaced values, packed into a column, and a packed column spread out again.
//!
//! ```text
//! pack:    for each row: dst[row * width ..][..width] = src[row * stride ..][..width]
//! scatter: for each row: dst[row * stride ..][..width] = src[row * width ..][..width]
//! ```
//!
//! A width of 1, 2, 4, 8 or 16 is moved by one load and one store; other widths by a copy of their length. Values
//! without gaps are one copy. There is nothing for vectors to gain: the loop waits for the lines it touches. Many rows are
//! walked in four runs at once, so that four pages are under way: a processor fetches ahead within a page only. Large
//! outputs are put together line by line in registers and streamed past the cache (`lines`), which spares the read of
//! each line before it is overwritten; lines that were put together in memory first took as long as ordinary stores.

#[cfg(target_arch = "x86_64")]
mod lines;

use crate::copy::{self, Stores};
use crate::isa::{self, Isa};

/// Copies `rows` values of `width` bytes, `stride` bytes apart, into a packed column.
///
/// `src` is the first value; a negative `stride` walks down from it, 0 repeats it. A width of 0 copies nothing.
///
/// # Safety
/// For every `row < rows`, `src + row * stride` is readable for `width` bytes, at any alignment; `dst` is writable
/// for `rows * width` bytes, at any alignment, and overlaps none of the values.
pub unsafe fn pack(src: *const u8, stride: isize, dst: *mut u8, rows: usize, width: usize) {
    // SAFETY: the caller's promise, word for word.
    unsafe { pack_with(Stores::Cached, src, stride, dst, rows, width) };
}

/// [`pack`] for a caller who knows how large the whole output is: `stores` should follow from that.
///
/// # Safety
/// As [`pack`].
pub unsafe fn pack_with(
    stores: Stores,
    src: *const u8,
    stride: isize,
    dst: *mut u8,
    rows: usize,
    width: usize,
) {
    // SAFETY: the caller's promise, word for word; the active instruction set is available.
    unsafe { pack_isa(isa::active(), stores, src, stride, dst, rows, width) };
}

/// # Safety
/// As [`pack`], and `isa` is available.
unsafe fn pack_isa(
    isa: Isa,
    stores: Stores,
    src: *const u8,
    stride: isize,
    dst: *mut u8,
    rows: usize,
    width: usize,
) {
    if usize::try_from(stride) == Ok(width) {
        // SAFETY: values that lie `width` apart are one range of `rows * width` readable bytes.
        unsafe { copy::copy_isa(isa, stores, src, dst, rows * width) };
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if stores == Stores::Streaming && isa >= Isa::Avx2 {
        match width {
            // SAFETY: the caller's promise; both sets contain AVX2.
            4 => return unsafe { lines::pack::<u32>(src, stride, dst, rows) },
            // SAFETY: the caller's promise; both sets contain AVX2.
            8 => return unsafe { lines::pack::<u64>(src, stride, dst, rows) },
            _ => {}
        }
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

/// Copies `rows` packed values of `width` bytes to places `dst_stride` bytes apart: the inverse of [`pack`].
///
/// `dst` is the place of the first value; a negative `dst_stride` walks down from it. A width of 0 copies nothing.
/// Where places overlap, the later value wins.
///
/// # Safety
/// `src` is readable for `rows * width` bytes, at any alignment; for every `row < rows`, `dst + row * dst_stride` is
/// writable for `width` bytes, at any alignment, and overlaps none of the values.
pub unsafe fn scatter(src: *const u8, dst: *mut u8, dst_stride: isize, rows: usize, width: usize) {
    if usize::try_from(dst_stride) == Ok(width) {
        // SAFETY: places that lie `width` apart are one range of `rows * width` writable bytes.
        unsafe { copy::copy(src, dst, rows * width) };
        return;
    }
    // SAFETY: the caller's promise, word for word; a word has the size of `width`.
    unsafe {
        match width {
            0 => {}
            1 => scatter_words::<u8>(src, dst, dst_stride, rows),
            2 => scatter_words::<u16>(src, dst, dst_stride, rows),
            4 => scatter_words::<u32>(src, dst, dst_stride, rows),
            8 => scatter_words::<u64>(src, dst, dst_stride, rows),
            16 => scatter_words::<u128>(src, dst, dst_stride, rows),
            _ => scatter_bytes(src, dst, dst_stride, rows, width),
        }
    }
}

/// Runs of rows that are walked at once, and how many rows each must have for that.
const ABREAST: usize = 4;
const LEAST_RUN: usize = 512;

/// The address of `row`: wrapping, as the step after the last value may leave the memory that `src` belongs to.
#[inline(always)]
fn nth(src: *const u8, stride: isize, row: usize) -> *const u8 {
    src.wrapping_offset((row as isize).wrapping_mul(stride))
}

/// # Safety
/// As [`pack`] for the width of `T`, an integer.
unsafe fn pack_words<T: Copy>(src: *const u8, stride: isize, dst: *mut u8, rows: usize) {
    let dst = dst.cast::<T>();
    // SAFETY: only called for rows of the caller's; neither access needs alignment.
    let copy = |row: usize, from: *const u8| unsafe {
        dst.add(row).write_unaligned(from.cast::<T>().read_unaligned());
    };
    let at = |row| nth(src, stride, row);
    let run = if rows >= ABREAST * LEAST_RUN { rows / ABREAST } else { 0 };
    let mut from: [*const u8; ABREAST] = std::array::from_fn(|k| at(k * run));
    for row in 0..run {
        for (k, from) in from.iter_mut().enumerate() {
            copy(k * run + row, *from);
            *from = from.wrapping_offset(stride);
        }
    }
    let mut from = at(ABREAST * run);
    for row in ABREAST * run..rows {
        copy(row, from);
        from = from.wrapping_offset(stride);
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

/// # Safety
/// As [`scatter`] for the width of `T`, an integer.
unsafe fn scatter_words<T: Copy>(src: *const u8, mut dst: *mut u8, dst_stride: isize, rows: usize) {
    let src = src.cast::<T>();
    for row in 0..rows {
        // SAFETY: `dst` is at the place of `row`; neither access needs alignment.
        unsafe { dst.cast::<T>().write_unaligned(src.add(row).read_unaligned()) };
        // Wrapping: the step after the last place may leave the memory that `dst` belongs to.
        dst = dst.wrapping_offset(dst_stride);
    }
}

/// # Safety
/// As [`scatter`].
unsafe fn scatter_bytes(src: *const u8, mut dst: *mut u8, dst_stride: isize, rows: usize, width: usize) {
    for row in 0..rows {
        // SAFETY: `dst` is at the place of `row`, which does not overlap the values.
        unsafe { src.add(row * width).copy_to_nonoverlapping(dst, width) };
        dst = dst.wrapping_offset(dst_stride);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Canvas};

    fn check(rows: usize, width: usize, stride: isize, from: usize, to: usize) {
        let span = rows.saturating_sub(1) * stride.unsigned_abs() + width;
        let source = Canvas::noise(span, from);
        let first = if stride < 0 { span - width } else { 0 };
        let expected: Vec<u8> = (0..rows)
            .flat_map(|row| {
                let at = first.checked_add_signed(stride * row as isize).unwrap();
                source.bytes()[at..at + width].to_vec()
            })
            .collect();
        for (isa, stores) in testing::isas().flat_map(|isa| [(isa, Stores::Cached), (isa, Stores::Streaming)])
        {
            let mut target = Canvas::blank(rows * width, to);
            let (src, dst) = (source.as_ptr().wrapping_add(first), target.as_mut_ptr());
            // SAFETY: the values of all rows lie inside `span`, which the source has; the target has room for them.
            unsafe { pack_isa(isa, stores, src, stride, dst, rows, width) };
            let case = format!("{isa:?} {stores:?} {rows} rows of {width}, stride {stride}, {from}->{to}");
            target.expect(&expected, &case);
        }
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
    fn rows_enough_for_several_runs() {
        for width in [1, 2, 4, 8, 16, 3] {
            for rows in [2047, 2048, 2049, 2050, 2051, 5003] {
                for stride in [0, width as isize + 5, 3 * width as isize, -2 * width as isize] {
                    check(rows, width, stride, 3, 5);
                }
            }
        }
    }

    #[test]
    fn lines_wherever_the_output_begins() {
        for (width, shift) in [(4, 4), (8, 8), (4, 3), (8, 4)] {
            for rows in [20, 31, 32, 33, 47, 64, 80, 130, 300] {
                for to in (0..64).step_by(shift) {
                    check(rows, width, 3 * width as isize, 5, to);
                    check(rows, width, -2 * width as isize, 0, to);
                }
            }
        }
    }

    fn check_scatter(rows: usize, width: usize, stride: isize, from: usize, to: usize) {
        let span = rows.saturating_sub(1) * stride.unsigned_abs() + width;
        let source = Canvas::noise(rows * width, from);
        let first = if stride < 0 { span - width } else { 0 };
        let mut target = Canvas::blank(span, to);
        let mut expected = target.bytes().to_vec();
        // SAFETY: the places of all rows lie inside `span`, which the target has; the source has all values.
        unsafe { scatter(source.as_ptr(), target.as_mut_ptr().add(first), stride, rows, width) };
        for row in 0..rows {
            let at = first.checked_add_signed(stride * row as isize).unwrap();
            expected[at..at + width].copy_from_slice(&source.bytes()[row * width..][..width]);
        }
        target.expect(&expected, &format!("{rows} rows of {width} scattered by {stride}, {from}->{to}"));
    }

    #[test]
    fn scatter_every_width_stride_and_alignment() {
        for width in (0..=18).chain([24, 31, 32, 64, 100]) {
            for gap in [0_usize, 1, 3, 8, 61] {
                for rows in [0, 1, 2, 3, 17, 70] {
                    let stride = isize::try_from(width + gap).unwrap();
                    for shift in 0..16 {
                        check_scatter(rows, width, stride, shift, (shift * 5 + 3) % 64);
                        check_scatter(rows, width, -stride, (shift * 5 + 3) % 64, shift);
                    }
                }
            }
            check_scatter(9, width, 0, 5, 9);
            check_scatter(9, width, 1, 5, 9);
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
