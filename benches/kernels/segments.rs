//! The segments of five million rows out of twenty million, beside a binary search with branches.

use colstore_kernels::Segments;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const ROWS: u64 = 20_000_000;
const PICKS: usize = 5_000_000;
const BLOCK: usize = 1024;

fn find(rows: &[u64], mut kernel: impl FnMut(&[u64], &mut [u32])) {
    let mut found = [0; BLOCK];
    for rows in rows.chunks(BLOCK) {
        kernel(rows, &mut found[..rows.len()]);
        black_box(&found);
    }
}

fn segments(c: &mut Criterion) {
    let mut state = 88_172_645_463_325_252_u64;
    let unsorted: Vec<u64> = (0..PICKS)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % ROWS
        })
        .collect();
    let mut sorted = unsorted.clone();
    sorted.sort_unstable();
    for n in [20, 1000, 10_000, 1_000_000] {
        let length = ROWS / n;
        let ragged =
            |s: u64| if s == 0 || s == n { s * length } else { s * length + (s * 7919) % (length / 2) };
        let equal = Segments::new((0..=n).map(|segment| segment * length).collect());
        let ragged = Segments::new((0..=n).map(ragged).collect());
        let mut group = c.benchmark_group(format!("segments of 5 M rows, {n} segments"));
        group.throughput(Throughput::Elements(PICKS as u64)).sample_size(15);
        group.bench_function("equal", |b| {
            b.iter(|| find(&unsorted, |rows, found| equal.find_all(rows, found)));
        });
        group.bench_function("ragged", |b| {
            b.iter(|| find(&unsorted, |rows, found| ragged.find_all(rows, found)));
        });
        group.bench_function("ragged, sorted rows", |b| {
            b.iter(|| find(&sorted, |rows, found| ragged.find_sorted(rows, found)));
        });
        let starts = ragged.starts();
        group.bench_function("ragged, slice::partition_point", |b| {
            b.iter(|| {
                find(&unsorted, |rows, found| {
                    for (&row, found) in rows.iter().zip(found) {
                        *found = starts.partition_point(|&start| start <= row) as u32 - 1;
                    }
                });
            });
        });
        group.bench_function("ragged, new", |b| b.iter(|| Segments::new(starts.to_vec())));
        group.finish();
    }
}

criterion_group!(benches, segments);
criterion_main!(benches);
