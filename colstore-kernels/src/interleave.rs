//! Columns into packed records.
//!
//! ```text
//! for each block of rows:
//!     for each field:
//!         for each row of the block: dst[row * record_size + offset ..][..width] = src[row * width ..][..width]
//! ```
//!
//! Going field by field over all rows would visit every line of the output once a field, from memory each time;
//! going row by row decides once a value what to do with it. Blocks have both: a loop that knows its width, over
//! an output that stays in the cache until its last field is written. Every input is read straight through.
//!
//! A block has as many rows as let each field use up the lines it reads and begins; beyond some hundred rows the
//! output of a block leaves the first-level cache and the rate falls, to half at a thousand. Building blocks in a
//! scratch buffer and streaming them out from there was no gain either: the loops, and not the stores, are what a
//! core is busy with.

use crate::copy::Stores;

/// One column, and where its values go in a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The first value; the others follow without gaps, at any alignment.
    pub src: *const u8,
    /// Bytes of a value; any, 0 too.
    pub width: usize,
    /// 1: values are taken as they are. 2, 4, 8 or 16: the bytes of every word of that size are reversed.
    pub word: usize,
    /// Where the value begins in the record, in bytes.
    pub offset: usize,
}

/// How many rows of a field are written before the next field's turn.
const BLOCK_ROWS: usize = 128;

/// Writes `rows` records of `record_size` bytes to `dst`, with one value of every field in each.
///
/// ```text
/// fields   a: 1 2 3   b: x y z          offsets 0 and 1, record_size 2
/// dst      1 x 2 y 3 z
/// ```
///
/// Bytes of a record that no field covers are left as they are. Where fields overlap, the later one wins.
///
/// # Safety
/// Every `field.src` is readable for `rows * field.width` bytes and does not overlap the output; `dst` is writable
/// for `rows * record_size` bytes, at any alignment.
///
/// # Panics
/// If a field does not fit into a record, or its width is no multiple of its word, or its word is none of 1, 2, 4,
/// 8, 16.
pub unsafe fn interleave(fields: &[Field], rows: usize, record_size: usize, dst: *mut u8) {
    check(fields, record_size);
    for first in (0..rows).step_by(BLOCK_ROWS) {
        let count = BLOCK_ROWS.min(rows - first);
        // SAFETY: rows `first..first + count` are among the caller's, and every field was checked to be inside a
        // record.
        unsafe { write_block(fields, first, count, record_size, dst.add(first * record_size)) };
    }
}

fn check(fields: &[Field], record_size: usize) {
    for &Field { width, word, offset, .. } in fields {
        assert!(matches!(word, 1 | 2 | 4 | 8 | 16), "a word has 1, 2, 4, 8 or 16 bytes, not {word}");
        assert!(width.is_multiple_of(word), "a value of {width} bytes is not made of words of {word}");
        let fits = offset.checked_add(width).is_some_and(|end| end <= record_size);
        assert!(fits, "a value of {width} bytes at {offset} does not fit into a record of {record_size}");
    }
}

/// Writes the records of rows `first..first + count` to `out`.
///
/// # Safety
/// Every field is readable for these rows and lies inside a record; `out` is writable for `count` records.
unsafe fn write_block(fields: &[Field], first: usize, count: usize, record_size: usize, out: *mut u8) {
    for field in fields {
        // SAFETY: row `first` is among those the field can be read for, and the value's place is in the record.
        unsafe {
            let src = field.src.add(first * field.width);
            let out = out.add(field.offset);
            match (field.width, field.word) {
                (0, _) => {}
                (1, _) => scatter::<u8>(src, out, count, record_size, |value| value),
                (2, 1) => scatter::<u16>(src, out, count, record_size, |value| value),
                (4, 1) => scatter::<u32>(src, out, count, record_size, |value| value),
                (8, 1) => scatter::<u64>(src, out, count, record_size, |value| value),
                (16, 1) => scatter::<u128>(src, out, count, record_size, |value| value),
                (2, 2) => scatter::<u16>(src, out, count, record_size, u16::swap_bytes),
                (4, 4) => scatter::<u32>(src, out, count, record_size, u32::swap_bytes),
                (8, 8) => scatter::<u64>(src, out, count, record_size, u64::swap_bytes),
                (16, 16) => scatter::<u128>(src, out, count, record_size, u128::swap_bytes),
                (width, word) => scatter_bytes(src, out, count, record_size, width, word),
            }
        }
    }
}

/// # Safety
/// `src` is readable for `count` packed values, `out` writable for as many `record_size` apart.
#[inline(always)]
unsafe fn scatter<T: Copy>(
    src: *const u8,
    out: *mut u8,
    count: usize,
    record_size: usize,
    change: impl Fn(T) -> T,
) {
    let src = src.cast::<T>();
    for row in 0..count {
        // SAFETY: `row` is below `count`; neither access needs alignment.
        unsafe {
            out.add(row * record_size).cast::<T>().write_unaligned(change(src.add(row).read_unaligned()));
        }
    }
}

/// Any width.
///
/// # Safety
/// `src` is readable for `count` packed values, `out` writable for as many `record_size` apart; `width` is a
/// multiple of `word`.
unsafe fn scatter_bytes(
    src: *const u8,
    out: *mut u8,
    count: usize,
    record_size: usize,
    width: usize,
    word: usize,
) {
    for row in 0..count {
        // SAFETY: `row` is below `count`; input and output do not overlap.
        unsafe {
            let (from, to) = (src.add(row * width), out.add(row * record_size));
            match word {
                1 => from.copy_to_nonoverlapping(to, width),
                // What text in UCS-4 has. Its values are too short to be worth a call each.
                4 => scatter::<u32>(from, to, width / 4, 4, u32::swap_bytes),
                _ => crate::byteswap::copy_swapped_with(Stores::Cached, from, to, width / word, word),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Canvas, Random};

    struct Shape {
        width: usize,
        word: usize,
        offset: usize,
    }

    /// Runs the kernel over columns of noise and compares with the loop at the top of this file.
    fn check(shapes: &[Shape], rows: usize, record_size: usize, to: usize) {
        let columns: Vec<Canvas> =
            shapes.iter().enumerate().map(|(i, s)| Canvas::noise(rows * s.width, to * 3 + i)).collect();
        let fields: Vec<Field> = shapes
            .iter()
            .zip(&columns)
            .map(|(s, c)| Field { src: c.as_ptr(), width: s.width, word: s.word, offset: s.offset })
            .collect();
        let mut target = Canvas::blank(rows * record_size, to);
        let mut expected = target.bytes().to_vec();
        // SAFETY: every column has `rows` values, the target `rows` records.
        unsafe { interleave(&fields, rows, record_size, target.as_mut_ptr()) };
        for (shape, column) in shapes.iter().zip(&columns) {
            for row in 0..rows {
                let mut value = column.bytes()[row * shape.width..][..shape.width].to_vec();
                value.chunks_mut(shape.word).for_each(<[u8]>::reverse);
                expected[row * record_size + shape.offset..][..shape.width].copy_from_slice(&value);
            }
        }
        let widths: Vec<_> = shapes.iter().map(|s| (s.width, s.word)).collect();
        target.expect(&expected, &format!("{rows} records of {record_size}: {widths:?} at {to}"));
    }

    fn words_of(width: usize) -> impl Iterator<Item = usize> {
        [1, 2, 4, 8, 16].into_iter().filter(move |&word| width.is_multiple_of(word))
    }

    #[test]
    fn one_field_of_every_width_and_word() {
        for width in (0..=33).chain([48, 64, 100, 128]) {
            for word in words_of(width) {
                for rows in [0, 1, 2, 127, 128, 129, 300] {
                    for to in [0, 1, 7, 32, 63] {
                        check(&[Shape { width, word, offset: 0 }], rows, width, to);
                        check(&[Shape { width, word, offset: 2 }], rows, width + 5, to);
                    }
                }
            }
        }
    }

    #[test]
    fn several_blocks_of_random_records() {
        let mut random = Random::new(11);
        for case in 0..120 {
            let mut shapes = Vec::new();
            let mut offset = 0;
            for _ in 0..1 + random.next() % 12 {
                let width = [1, 2, 4, 8, 16, 3, 12, 40, 0][random.next() as usize % 9];
                let words: Vec<usize> = words_of(width).collect();
                shapes.push(Shape { width, word: words[random.next() as usize % words.len()], offset });
                // Every other case has gaps.
                offset += width + if case % 2 == 0 { 0 } else { random.next() as usize % 4 };
            }
            let rows = 3 * BLOCK_ROWS + random.next() as usize % 70;
            check(&shapes, rows, offset, random.next() as usize % 64);
        }
    }

    #[test]
    fn long_records() {
        let wide = Shape { width: 20_000, word: 1, offset: 0 };
        check(&[wide, Shape { width: 8, word: 8, offset: 20_000 }], 130, 20_008, 5);
    }

    #[test]
    #[should_panic(expected = "a value of 8 bytes at 1 does not fit into a record of 8")]
    fn a_field_outside_the_record_is_refused() {
        let column = [0_u8; 8];
        let mut out = [0_u8; 8];
        let fields = [Field { src: column.as_ptr(), width: 8, word: 1, offset: 1 }];
        // SAFETY: one row of 8 bytes on both sides.
        unsafe { interleave(&fields, 1, 8, out.as_mut_ptr()) };
    }
}
