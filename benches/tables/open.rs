//! Opening a file: its header, its record headers, its mapping.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run has nothing better to do")]

use colstore_benches::table_file::TableFile;
use colstore_core::{Table, info};
use criterion::{Criterion, criterion_group, criterion_main};

fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("open");
    for n_records in [1, 1000, 10_000] {
        let file = TableFile::create(n_records).expect("a file can be written");
        group.bench_function(format!("{n_records} records"), |b| {
            b.iter(|| Table::open(file.path()).expect("the file is valid"));
        });
        group.bench_function(format!("header of {n_records} records"), |b| {
            b.iter(|| info(file.path()).expect("the file is valid"));
        });
    }
    group.finish();
}

criterion_group!(benches, open);
criterion_main!(benches);
