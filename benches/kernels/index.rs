//! Five million indices: checked, told apart, and loaded.

use colstore_kernels::index::{self, IndexSlice, IndexType};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const ROWS: u64 = 20_000_000;
const PICKS: usize = 5_000_000;
const BLOCK: usize = 1024;

fn describe<T>(values: &[T], index_type: IndexType) -> IndexSlice {
    let stride = size_of::<T>() as isize;
    IndexSlice { data: values.as_ptr().cast(), len: values.len(), stride, index_type }
}

/// One value after another, with a branch for each of the bounds.
fn plain(values: &[i64], rows: &mut [u64]) -> bool {
    for (&value, row) in values.iter().zip(rows) {
        let value = if value < 0 { value + ROWS as i64 } else { value };
        if value < 0 || value >= ROWS as i64 {
            return false;
        }
        *row = value as u64;
    }
    true
}

fn indices(c: &mut Criterion) {
    let mut state = 88_172_645_463_325_252_u64;
    let unsorted: Vec<i64> = (0..PICKS)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % ROWS) as i64
        })
        .collect();
    let mut sorted = unsorted.clone();
    sorted.sort_unstable();
    let negative: Vec<i64> = sorted.iter().map(|row| row - ROWS as i64).collect();
    let even: Vec<i64> = (0..PICKS as i64).map(|i| 3 * i).collect();
    let narrow: Vec<i32> = unsorted.iter().map(|&row| row as i32).collect();
    let unsigned: Vec<u64> = unsorted.iter().map(|&row| row as u64).collect();

    let mut group = c.benchmark_group("examine 5 M");
    group.throughput(Throughput::Elements(PICKS as u64)).sample_size(15);
    for (name, slice) in [
        ("unsorted", describe(&unsorted, IndexType::I64)),
        ("sorted", describe(&sorted, IndexType::I64)),
        ("sorted, negative", describe(&negative, IndexType::I64)),
        ("every third", describe(&even, IndexType::I64)),
        ("unsorted i32", describe(&narrow, IndexType::I32)),
        ("unsorted u64", describe(&unsigned, IndexType::U64)),
    ] {
        for threads in [1, 2] {
            group.bench_function(format!("{name}/{threads}"), |b| {
                // SAFETY: the slice describes values that live.
                b.iter(|| unsafe { index::examine(black_box(&slice), ROWS, threads) });
            });
        }
    }
    group.finish();

    let mut group = c.benchmark_group("load 5 M");
    group.throughput(Throughput::Elements(PICKS as u64)).sample_size(15);
    let mut rows = [0; BLOCK];
    for (name, slice) in [
        ("i64", describe(&unsorted, IndexType::I64)),
        ("i32", describe(&narrow, IndexType::I32)),
        ("every other i32", IndexSlice { stride: 8, len: PICKS / 2, ..describe(&narrow, IndexType::I32) }),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for from in (0..slice.len).step_by(BLOCK) {
                    let rows = &mut rows[..BLOCK.min(slice.len - from)];
                    // SAFETY: as above, and the positions are among them.
                    let _ = black_box(unsafe { index::load(&slice, from, ROWS, rows) });
                    black_box(&rows);
                }
            });
        });
    }
    group.bench_function("i64, plain loop", |b| {
        b.iter(|| {
            for values in unsorted.chunks(BLOCK) {
                black_box(plain(values, &mut rows));
                black_box(&rows);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, indices);
criterion_main!(benches);
