//! Values that lie close together, in memory and in what is known of them: rows and places of 16 bits.
//!
//! ```text
//! gather:   for each i: dst[i] = src[rows[i]]              from a region that is in the cache
//! scatter:  for each i: dst[places[i]] = src[i]            to a block that is in the cache
//! ```
//!
//! One after the other they move values from anywhere to anywhere without a miss for each: see the reads that sweep
//! over a table. There is nothing to ask for ahead, and two bytes a value to read beside it.
//!
//! A width of 1, 2, 4, 8 or 16 is moved by one load and one store; other widths by a copy of their length.

/// Copies the values of `rows` of a region at `src` to `dst`, one after the other.
///
/// ```text
/// values  a b c d e    rows  3 0 3    dst  d a d
/// ```
///
/// # Safety
/// For every row, `src + row * width` is readable for `width` bytes; `dst` is writable for `rows.len()` values and
/// overlaps none of them. Any alignment will do.
pub unsafe fn gather(width: usize, src: *const u8, rows: &[u16], dst: *mut u8) {
    let value = |i: usize| src.wrapping_add(usize::from(rows[i]) * width);
    let place = |i: usize| dst.wrapping_add(i * width);
    // SAFETY: the caller's promise.
    unsafe { dispatch(width, rows.len(), value, place) };
}

/// Copies the values at `src`, which lie one after the other, to `places`, `stride` bytes apart, of a block at `dst`.
///
/// ```text
/// values  a b c    places  3 0 4    dst  b . . a c
/// ```
///
/// # Safety
/// `places.len()` values are readable at `src`; for every place, `dst + place * stride` is writable for `width`
/// bytes and overlaps none of them. Any alignment will do.
pub unsafe fn scatter(width: usize, src: *const u8, places: &[u16], dst: *mut u8, stride: usize) {
    let value = |i: usize| src.wrapping_add(i * width);
    let place = |i: usize| dst.wrapping_add(usize::from(places[i]) * stride);
    // SAFETY: the caller's promise.
    unsafe { dispatch(width, places.len(), value, place) };
}

/// # Safety
/// For every `i < n`, `value(i)` is readable and `place(i)` writable for `width` bytes; none overlap.
#[inline(always)]
unsafe fn dispatch(
    width: usize,
    n: usize,
    value: impl Fn(usize) -> *const u8,
    place: impl Fn(usize) -> *mut u8,
) {
    // SAFETY: the caller's promise, word for word; a word has the size of `width`.
    unsafe {
        match width {
            0 => {}
            1 => (0..n).for_each(|i| word::<u8>(value(i), place(i))),
            2 => (0..n).for_each(|i| word::<u16>(value(i), place(i))),
            4 => (0..n).for_each(|i| word::<u32>(value(i), place(i))),
            8 => (0..n).for_each(|i| word::<u64>(value(i), place(i))),
            16 => (0..n).for_each(|i| word::<u128>(value(i), place(i))),
            _ => (0..n).for_each(|i| value(i).copy_to_nonoverlapping(place(i), width)),
        }
    }
}

/// # Safety
/// `from` is readable and `to` writable for a `T`, an integer, at any alignment.
#[inline(always)]
unsafe fn word<T: Copy>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; neither access needs alignment.
    unsafe { to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [usize; 8] = [0, 1, 2, 3, 4, 8, 16, 21];

    fn bytes(n: usize) -> Vec<u8> {
        (0..n).map(|i| ((i * 131) >> 3) as u8).collect()
    }

    #[test]
    fn values_come_from_their_rows_and_go_to_their_places() {
        let rows: [u16; 9] = [65_535, 0, 7, 7, 65_534, 1, 0, 300, 299];
        for width in WIDTHS {
            for offset in [0, 1, 5] {
                let src = bytes(offset + 65_536 * width);
                let region = &src[offset..];
                let mut gathered = vec![0xee; rows.len() * width + 1];
                // SAFETY: the region has 65,536 values, and there is room for those of the rows.
                unsafe { gather(width, region.as_ptr(), &rows, gathered.as_mut_ptr()) };
                for (i, &row) in rows.iter().enumerate() {
                    let row = usize::from(row);
                    assert_eq!(gathered[i * width..][..width], region[row * width..][..width]);
                }
                assert_eq!(gathered.last(), Some(&0xee), "not a byte too many");

                let places: [u16; 9] = [8, 1, 0, 2, 7, 6, 5, 3, 4];
                let stride = width + offset;
                let mut block = vec![0xee; rows.len() * stride + 1];
                // SAFETY: there is room for nine values so far apart.
                unsafe { scatter(width, gathered.as_ptr(), &places, block.as_mut_ptr(), stride) };
                for (i, &place) in places.iter().enumerate() {
                    let value = &block[usize::from(place) * stride..][..stride];
                    assert_eq!(value[..width], gathered[i * width..][..width]);
                    assert!(value[width..].iter().all(|&byte| byte == 0xee), "gaps stay as they were");
                }
            }
        }
    }
}
