//! One-shot writing of a table to a new file, on as many threads as are told.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run has nothing better to do")]

use std::num::NonZeroUsize;

use colstore_benches::Buffer;
use colstore_benches::table_file::{COLUMNS, N_ROWS};
use colstore_core::{ColumnData, DType, StoreOptions, store};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn write(c: &mut Criterion) {
    let dtypes: Vec<DType> = COLUMNS.iter().map(|(_, dtype)| dtype.parse().expect("a dtype")).collect();
    let sizes: Vec<usize> = dtypes.iter().map(|dtype| N_ROWS as usize * dtype.itemsize()).collect();
    let buffers: Vec<Buffer> = sizes.iter().map(|&size| Buffer::filled(size)).collect();
    let columns: Vec<ColumnData<'_>> = COLUMNS
        .iter()
        .zip(&dtypes)
        .zip(buffers.iter().zip(&sizes))
        .map(|((&(name, _), &dtype), (buffer, &size))| {
            // SAFETY: the buffer has `size` bytes, which nobody changes while the columns are used.
            let bytes = unsafe { std::slice::from_raw_parts(buffer.as_ptr(), size) };
            ColumnData::from_slice(name.into(), dtype, bytes).expect("whole values")
        })
        .collect();
    let path = std::env::temp_dir().join(format!("colstore-bench-{}-store.cstore", std::process::id()));
    let mut group = c.benchmark_group("store");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(sizes.iter().sum::<usize>() as u64));
    for threads in [1, 2] {
        for statistics in [false, true] {
            let options = StoreOptions {
                max_threads: NonZeroUsize::new(threads),
                statistics,
                ..StoreOptions::default()
            };
            let name = format!("{threads} threads{}", if statistics { ", statistics" } else { "" });
            group.bench_function(name, |b| {
                b.iter(|| {
                    store(&path, &columns, &options).expect("there is room");
                    std::fs::remove_file(&path).expect("the file is there");
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, write);
criterion_main!(benches);
