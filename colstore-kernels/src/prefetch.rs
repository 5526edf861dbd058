//! Asks for a cache line before it is needed.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How far ahead a gather asks unless it is told otherwise. With 24, 48 and 64 rows, five million of twenty million out of
/// 1000 records took 47 to 48 ms on one thread, with 32 of them 42.5; a thousand rows of five columns 62, 66, 67 and 60 µs.
const AHEAD: usize = 32;

static DISTANCE: AtomicUsize = AtomicUsize::new(AHEAD);

/// How many rows ahead gathers ask for lines, from now on; 0 for not at all, `None` for what measured best. No
/// gather is called with more rows at once than its caller likes, so large numbers are no larger than that.
pub fn set_distance(rows: Option<usize>) {
    DISTANCE.store(rows.unwrap_or(AHEAD), Ordering::Relaxed);
}

/// How many rows ahead gathers ask for lines.
#[must_use]
pub fn distance() -> usize {
    DISTANCE.load(Ordering::Relaxed)
}

/// Asks for the line of `address` into the second-level cache. A hint: `address` may be any, also one of
/// nothing.
///
/// Why not into the first level, as usual? A core can wait for some two dozen lines on their way into that, and
/// every load that misses is one of them already. The second level has room for twice as many: gathering random
/// doubles out of 160 MB took 26 ms with such prefetches, 41 ms with those into the first level, and 43 ms
/// without any.
#[inline(always)]
pub(crate) fn to_second_level(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing into the program and never faults. Every x86-64 processor has it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for the beginning of each page of `len` bytes from `address` on: for whoever will read them one after the other,
/// so that the walks through the page tables are under way before. Only a hint, whatever the address.
pub fn pages(address: *const u8, len: usize) {
    for at in (0..len).step_by(PAGE) {
        to_second_level(address.wrapping_add(at));
    }
}

/// Bytes of a page of a mapped file.
pub(crate) const PAGE: usize = 4096;

/// Asks for the first `len` bytes of the page behind the one of `address`, where the processor stops to fetch ahead by
/// itself.
#[inline(always)]
pub(crate) fn next_page(address: *const u8, len: usize) {
    lines(address.wrapping_add(PAGE - address.addr() % PAGE), len);
}

/// Asks for every line of `len` bytes from `address` on: for a few kilobytes that will be copied soon. Only a hint.
pub fn lines(address: *const u8, len: usize) {
    const LINE: usize = 64;
    for at in (0..len).step_by(LINE) {
        to_second_level(address.wrapping_add(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::Stores;
    use crate::gather::gather;

    #[test]
    fn no_distance_changes_what_is_gathered() {
        let source: Vec<u64> = (0..1000).map(|i| i * 7).collect();
        for n in [0, 1, 2, 63, 64, 65, 300] {
            let rows: Vec<u64> = (0..n).map(|i| i * 389 % 1000).collect();
            let expected: Vec<u64> = rows.iter().map(|row| row * 7).collect();
            for distance in [Some(0), Some(1), Some(2), Some(16_384), None] {
                set_distance(distance);
                let mut found = vec![0_u64; rows.len()];
                // SAFETY: all rows are the source's, and there is room for one value each.
                unsafe {
                    gather(Stores::Cached, 8, source.as_ptr().cast(), &rows, found.as_mut_ptr().cast(), 8);
                };
                assert_eq!(found, expected, "{n} rows, {distance:?} ahead");
            }
        }
        assert_eq!(distance(), AHEAD);
    }
}
