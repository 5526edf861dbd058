use super::*;
use crate::testing::{Canvas, Random};

const STORES: [Stores; 2] = [Stores::Cached, Stores::Streaming];
const WIDTHS: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 64, 100];

/// What the pseudo-code at the top of the kernel gives, in a canvas that was blank.
fn oracle(blank: &Canvas, width: usize, dst_stride: usize, values: &[Vec<u8>]) -> Vec<u8> {
    let mut expected = blank.bytes().to_vec();
    for (i, value) in values.iter().enumerate() {
        expected[i * dst_stride..][..width].copy_from_slice(value);
    }
    expected
}

fn length(n: usize, width: usize, dst_stride: usize) -> usize {
    if n == 0 { 0 } else { (n - 1) * dst_stride + width }
}

fn check(n: usize, width: usize, n_rows: usize, dst_stride: usize, origin: usize, from: usize, to: usize) {
    let mut random = Random::new((n * 31 + width * 7 + from) as u64);
    let source = Canvas::noise(n_rows * width, from);
    let rows: Vec<u64> = (0..n).map(|_| origin as u64 + random.next() % n_rows as u64).collect();
    let blank = || Canvas::blank(length(n, width, dst_stride), to);
    let values: Vec<Vec<u8>> =
        rows.iter().map(|&row| source.bytes()[(row as usize - origin) * width..][..width].to_vec()).collect();
    let expected = oracle(&blank(), width, dst_stride, &values);
    // With the row origin folded in, the base lies before the source or nowhere.
    let base = source.as_ptr().wrapping_sub(origin.wrapping_mul(width));
    for stores in STORES {
        let mut target = blank();
        // SAFETY: all rows are in the source; the target has a place for each.
        unsafe { gather(stores, width, base, &rows, target.as_mut_ptr(), dst_stride) };
        let case = format!("{n} of {n_rows} rows of {width}, {dst_stride} apart, {from}->{to}, {stores:?}");
        target.expect(&expected, &case);
    }
}

#[test]
fn every_width_number_and_alignment() {
    for width in WIDTHS {
        for n in (0..=4 * 8 + 1).chain([63, 64, 65, 127, 128, 129, 200]) {
            for shift in 0..8 {
                for gap in [0, 1, 13] {
                    check(n, width, 1 + n / 2, width + gap, 0, shift, (shift * 5 + n) % 64);
                    check(n, width, 300, width + gap, 0, (shift * 9 + n) % 64, shift);
                }
            }
        }
    }
}

#[test]
fn every_alignment_of_both() {
    for width in WIDTHS {
        for shift in 0..64 {
            check(70, width, 50, width, 0, shift, 0);
            check(70, width, 50, width, 0, 0, shift);
        }
    }
}

#[test]
fn bases_outside_of_their_memory() {
    for origin in [1, 1_000_000, 1 << 40, usize::MAX / 64] {
        for width in WIDTHS {
            check(100, width, 20, width, origin, 3, 5);
        }
    }
}

#[test]
fn places_that_overlap_keep_the_later_value() {
    let source = Canvas::noise(8 * 100, 0);
    let rows: Vec<u64> = (0..100).rev().collect();
    for dst_stride in [0, 1, 3] {
        let mut target = Canvas::blank(length(100, 8, dst_stride), 1);
        let values: Vec<Vec<u8>> =
            rows.iter().map(|&row| source.bytes()[row as usize * 8..][..8].to_vec()).collect();
        let expected = oracle(&target, 8, dst_stride, &values);
        // SAFETY: all rows are in the source; the target has a place for each.
        unsafe { gather(Stores::Streaming, 8, source.as_ptr(), &rows, target.as_mut_ptr(), dst_stride) };
        target.expect(&expected, &format!("places {dst_stride} apart"));
    }
}

#[test]
fn segments_of_every_width() {
    let mut random = Random::new(5);
    for width in WIDTHS {
        for n in (0..=20).chain([63, 64, 65, 130, 500]) {
            // Segments of 1, 2, … rows, each in memory of its own.
            let segments: Vec<Canvas> = (0..9).map(|s| Canvas::noise((s + 1) * width, s * 11 % 64)).collect();
            let first = |s: usize| s * (s + 1) / 2;
            let bases: Vec<*const u8> = segments
                .iter()
                .enumerate()
                .map(|(s, memory)| memory.as_ptr().wrapping_sub(first(s) * width))
                .collect();
            let picks: Vec<(u32, u64)> = (0..n)
                .map(|_| {
                    let segment = random.next() as usize % segments.len();
                    (segment as u32, (first(segment) + random.next() as usize % (segment + 1)) as u64)
                })
                .collect();
            let values: Vec<Vec<u8>> = picks
                .iter()
                .map(|&(s, row)| {
                    let at = row as usize - first(s as usize);
                    segments[s as usize].bytes()[at * width..][..width].to_vec()
                })
                .collect();
            let (found, rows): (Vec<u32>, Vec<u64>) = picks.into_iter().unzip();
            for dst_stride in [width, width + 5] {
                let blank = || Canvas::blank(length(n, width, dst_stride), n % 64);
                let expected = oracle(&blank(), width, dst_stride, &values);
                for stores in STORES {
                    let mut target = blank();
                    let dst = target.as_mut_ptr();
                    // SAFETY: every row is in the segment given with it; the target has a place for each.
                    unsafe { gather_segments(stores, width, &bases, &found, &rows, dst, dst_stride) };
                    target.expect(&expected, &format!("{n} rows of {width} out of segments, {stores:?}"));
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "a segment for each row")]
fn a_segment_for_each_row() {
    let mut out = [0; 16];
    // SAFETY: refused before anything is accessed.
    unsafe { gather_segments(Stores::Cached, 8, &[out.as_ptr()], &[0], &[0, 0], out.as_mut_ptr(), 8) };
}

#[test]
fn places_of_the_callers() {
    let mut random = Random::new(5);
    for width in WIDTHS {
        for n in [0, 1, 7, 64, 200] {
            for gap in [0, 3] {
                let source = Canvas::noise(50 * width, 3);
                let rows: Vec<u64> = (0..n).map(|_| random.next() % 50).collect();
                let mut places: Vec<u32> = (0..n as u32).collect();
                (1..n).rev().for_each(|i| places.swap(i, random.next() as usize % (i + 1)));
                // Two segments over the same memory, the second of rows 25 and up.
                let segments: Vec<u32> = rows.iter().map(|&row| u32::from(row >= 25)).collect();
                let bases = [source.as_ptr(), source.as_ptr()];
                let mut target = Canvas::blank(length(n, width, width + gap), 1);
                let mut values = vec![Vec::new(); n];
                for (&row, &place) in rows.iter().zip(&places) {
                    values[place as usize] = source.bytes()[row as usize * width..][..width].to_vec();
                }
                let expected = oracle(&target, width, width + gap, &values);
                // SAFETY: all rows are in the source; the target has every place once.
                unsafe {
                    let dst = target.as_mut_ptr();
                    gather_to(width, &bases, &segments, &rows, &places, dst, width + gap);
                }
                target.expect(&expected, &format!("{n} rows of {width}, {} apart", width + gap));
            }
        }
    }
}
