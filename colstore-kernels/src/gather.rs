//! Values of rows in any order.
//!
//! ```text
//! for each i: dst[i * dst_stride ..][..width] = value(i)
//!
//! where value(i) is at base + rows[i] * width, or at bases[segments[i]] + rows[i] * width
//! ```
//!
//! A column larger than the caches has the loop wait for memory nearly every time, so all that counts is how
//! many lines are under way at once. The rows are known ahead, so
//!
//! ```text
//! ask for the lines of value(0), value(1), … value(ahead - 1)
//! for each i:
//!     ask for the line of value(i + ahead)                    into the second-level cache, see `prefetch`
//!     copy value(i)
//! ```
//!
//! which takes two thirds of the time of the plain loop. With several segments the address costs two more loads
//! from the first-level cache, twice, and no time that could be measured. The vector gathers of AVX2 and
//! AVX-512 ask for lines the way loads do, and were as slow as those; so there is one form for all instruction
//! sets.
//!
//! [`gather_to`] puts value(i) at `dst + places[i] * dst_stride` instead: for callers who have brought the rows into
//! an order that suits the memory they are in.
//!
//! A width of 1, 2, 4, 8 or 16 is moved by one load and one store; other widths by a copy of their length. Values of 4 and
//! 8 bytes that lie side by side can be [streamed](Stores::Streaming), each by a store of its own: the processor puts
//! whole lines together. Then
//!
//! ```text
//! sfence                       streamed stores are not ordered otherwise: publish them before returning
//! ```

use crate::copy::Stores;
use crate::prefetch;

/// How much further ahead ascending rows are asked for: 15.6 ms instead of 16.4 for 5 million rows of 20 million, on one
/// thread (256 instead of 64; 128 are as good).
const ASCENDING: usize = 4;

/// Copies the values of `rows` to places `dst_stride` bytes apart.
///
/// ```text
/// values  a b c d e    rows  3 0 3    dst  d a d
/// ```
///
/// Row `r` is at `base + r * width`; the arithmetic wraps, so `base` may lie outside of the memory that the
/// rows are in. A width of 0 copies nothing. Where places overlap, the later value wins.
///
/// # Safety
/// For every row, its `width` bytes are readable, at any alignment. For every `i < rows.len()`, `dst + i *
/// dst_stride` is writable for `width` bytes, at any alignment, and overlaps none of the values.
pub unsafe fn gather(
    stores: Stores,
    width: usize,
    base: *const u8,
    rows: &[u64],
    dst: *mut u8,
    dst_stride: usize,
) {
    // SAFETY: the caller's promise, word for word.
    unsafe { gather_ahead(prefetch::distance(), stores, width, base, rows, dst, dst_stride) };
}

/// [`gather`] for rows that ascend, with lines asked for further ahead: there are fewer of them, and the processor asks for
/// some itself. Rows that do not ascend are gathered as well.
///
/// # Safety
/// As for [`gather`].
pub unsafe fn gather_ascending(
    stores: Stores,
    width: usize,
    base: *const u8,
    rows: &[u64],
    dst: *mut u8,
    dst_stride: usize,
) {
    // SAFETY: the caller's promise, word for word.
    unsafe { gather_ahead(ASCENDING * prefetch::distance(), stores, width, base, rows, dst, dst_stride) };
}

/// # Safety
/// As for [`gather`].
unsafe fn gather_ahead(
    ahead: usize,
    stores: Stores,
    width: usize,
    base: *const u8,
    rows: &[u64],
    dst: *mut u8,
    dst_stride: usize,
) {
    let value = |i: usize| {
        // SAFETY: only asked for positions among the rows.
        let row = unsafe { *rows.get_unchecked(i) };
        base.wrapping_add((row as usize).wrapping_mul(width))
    };
    // SAFETY: the caller's promise: the values are readable and the places writable.
    unsafe { in_order(stores, ahead, width, rows.len(), value, dst, dst_stride) };
}

/// [`gather`] out of several segments: row `rows[i]` is at `bases[segments[i]] + rows[i] * width`.
///
/// The rows of a segment go on counting where the segment before ends, so a base is the address of the
/// segment's first value less `width` times its first row.
///
/// # Safety
/// Every segment is below `bases.len()`; the rest as for [`gather`].
///
/// # Panics
/// If there are not as many segments as rows.
pub unsafe fn gather_segments(
    stores: Stores,
    width: usize,
    bases: &[*const u8],
    segments: &[u32],
    rows: &[u64],
    dst: *mut u8,
    dst_stride: usize,
) {
    assert_eq!(segments.len(), rows.len(), "a segment for each row");
    let value = |i: usize| {
        // SAFETY: only asked for positions among the rows, of which there are as many as segments; and these
        // have a base, as the caller promised.
        let (row, base) =
            unsafe { (*rows.get_unchecked(i), *bases.get_unchecked(*segments.get_unchecked(i) as usize)) };
        base.wrapping_add((row as usize).wrapping_mul(width))
    };
    // SAFETY: the caller's promise: the values are readable and the places writable.
    unsafe { in_order(stores, prefetch::distance(), width, rows.len(), value, dst, dst_stride) };
}

/// [`gather_segments`] to places of the caller's: value `i` goes to `dst + places[i] * dst_stride`.
///
/// # Safety
/// As for [`gather_segments`], with `places[i]` for `i`.
///
/// # Panics
/// If there are not as many segments and places as rows.
pub unsafe fn gather_to(
    width: usize,
    bases: &[*const u8],
    segments: &[u32],
    rows: &[u64],
    places: &[u32],
    dst: *mut u8,
    dst_stride: usize,
) {
    assert_eq!(segments.len(), rows.len(), "a segment for each row");
    assert_eq!(places.len(), rows.len(), "a place for each row");
    let value = |i: usize| {
        // SAFETY: as for `gather_segments`.
        let (row, base) =
            unsafe { (*rows.get_unchecked(i), *bases.get_unchecked(*segments.get_unchecked(i) as usize)) };
        base.wrapping_add((row as usize).wrapping_mul(width))
    };
    // SAFETY: only asked for positions among the rows, of which there are as many as places.
    let place = |i: usize| dst.wrapping_add(unsafe { *places.get_unchecked(i) } as usize * dst_stride);
    // SAFETY: the caller's promise: the values are readable and the places writable.
    unsafe { dispatch(prefetch::distance(), width, rows.len(), value, place) };
}

/// To places one after the other.
///
/// # Safety
/// For every `i < n`, `value(i)` is readable and `dst + i * dst_stride` writable for `width` bytes; none overlap.
#[inline(always)]
unsafe fn in_order(
    stores: Stores,
    ahead: usize,
    width: usize,
    n: usize,
    value: impl Fn(usize) -> *const u8,
    dst: *mut u8,
    dst_stride: usize,
) {
    // Wrapping: the step after the last place may leave the memory that `dst` belongs to.
    let place = |i: usize| dst.wrapping_add(i.wrapping_mul(dst_stride));
    // A value that is in two lines would have both written by halves.
    #[cfg(target_arch = "x86_64")]
    if stores == Stores::Streaming && dst_stride == width && dst.addr().is_multiple_of(width.max(1)) {
        let ask = prefetch::to_second_level;
        // SAFETY: the caller's promise, word for word; a word has the size of `width`.
        unsafe {
            match width {
                4 => return streamed(|| walk(ahead, n, &value, place, ask, |from, to| stream_4(from, to))),
                8 => return streamed(|| walk(ahead, n, &value, place, ask, |from, to| stream_8(from, to))),
                _ => {}
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = stores;
    // SAFETY: the caller's promise, word for word.
    unsafe { dispatch(ahead, width, n, value, place) };
}

/// Publishes what `work` streams.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn streamed(work: impl FnOnce()) {
    work();
    // SAFETY: every processor of this kind has SSE.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

/// # Safety
/// `from` is readable and `to` writable for 4 bytes, at any alignment.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn stream_4(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; every processor of this kind has SSE2.
    unsafe { std::arch::x86_64::_mm_stream_si32(to.cast(), from.cast::<i32>().read_unaligned()) };
}

/// # Safety
/// `from` is readable and `to` writable for 8 bytes, at any alignment.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn stream_8(from: *const u8, to: *mut u8) {
    // SAFETY: as in `stream_4`.
    unsafe { std::arch::x86_64::_mm_stream_si64(to.cast(), from.cast::<i64>().read_unaligned()) };
}

/// # Safety
/// For every `i < n`, `value(i)` is readable and `place(i)` writable for `width` bytes; none overlap.
#[inline(always)]
unsafe fn dispatch(
    ahead: usize,
    width: usize,
    n: usize,
    value: impl Fn(usize) -> *const u8,
    place: impl Fn(usize) -> *mut u8,
) {
    let ask = prefetch::to_second_level;
    // SAFETY: the caller's promise, word for word; a word has the size of `width`.
    unsafe {
        match width {
            0 => {}
            1 => walk(ahead, n, value, place, ask, |from, to| word::<u8>(from, to)),
            2 => walk(ahead, n, value, place, ask, |from, to| word::<u16>(from, to)),
            4 => walk(ahead, n, value, place, ask, |from, to| word::<u32>(from, to)),
            8 => walk(ahead, n, value, place, ask, |from, to| word::<u64>(from, to)),
            16 => walk(ahead, n, value, place, ask, |from, to| word::<u128>(from, to)),
            _ => {
                // The ends of a long value; what lies between follows on, which the processor notices itself.
                let ends = |value: *const u8| {
                    ask(value);
                    ask(value.wrapping_add(width - 1));
                };
                walk(ahead, n, value, place, ends, |from, to| from.copy_to_nonoverlapping(to, width));
            }
        };
    }
}

/// # Safety
/// As [`dispatch`], where `copy(from, to)` reads and writes no more than a value.
#[inline(always)]
unsafe fn walk(
    ahead: usize,
    n: usize,
    value: impl Fn(usize) -> *const u8,
    place: impl Fn(usize) -> *mut u8,
    ask: impl Fn(*const u8),
    copy: impl Fn(*const u8, *mut u8),
) {
    let asking = if ahead == 0 { 0 } else { n.saturating_sub(ahead) };
    (0..n.min(ahead)).for_each(|i| ask(value(i)));
    for i in 0..asking {
        ask(value(i + ahead));
        copy(value(i), place(i));
    }
    for i in asking..n {
        copy(value(i), place(i));
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
#[path = "gather_tests.rs"]
mod tests;
