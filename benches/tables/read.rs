//! Whole reads of a table in the page cache, into memory that is there and into memory that the kernel has yet to
//! provide.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run has nothing better to do")]

use std::mem::MaybeUninit;

use colstore_benches::Buffer;
use colstore_benches::table_file::{COLUMNS, N_ROWS, TableFile};
use colstore_core::{ColumnOutput, ReadOptions, Table};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn as_output(buffer: &mut Buffer, len: usize) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the buffer has at least `len` bytes and is borrowed exclusively.
    unsafe { std::slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), len) }
}

fn widths(table: &Table) -> Vec<usize> {
    table.schema().columns().iter().map(|column| column.dtype().itemsize()).collect()
}

fn read_all(table: &Table, buffers: &mut [Buffer]) {
    let n_rows = N_ROWS as usize;
    let widths = widths(table);
    let mut outputs: Vec<ColumnOutput<'_>> = buffers
        .iter_mut()
        .enumerate()
        .map(|(column, buffer)| ColumnOutput { column, out: as_output(buffer, n_rows * widths[column]) })
        .collect();
    table.read_columns(&mut outputs, 0..N_ROWS, &ReadOptions::default()).expect("the rows are there");
}

fn read(c: &mut Criterion) {
    let n_rows = N_ROWS as usize;
    let mut group = c.benchmark_group("read");
    group.sample_size(20);
    for n_records in [1, 1000] {
        let file = TableFile::create(n_records).expect("a file can be written");
        let table = Table::open(file.path()).expect("the file is valid");
        let column = n_rows * widths(&table)[0];
        let whole: usize = widths(&table).iter().map(|width| n_rows * width).sum();
        let options = ReadOptions::default();

        group.throughput(Throughput::Bytes(column as u64));
        let mut there = Buffer::filled(column);
        group.bench_function(format!("column, {n_records} records"), |b| {
            b.iter(|| table.read_column(0, 0..N_ROWS, as_output(&mut there, column), &options));
        });
        group.bench_function(format!("column, {n_records} records, fresh output"), |b| {
            b.iter_batched_ref(
                || Buffer::fresh(column),
                |buffer| table.read_column(0, 0..N_ROWS, as_output(buffer, column), &options),
                BatchSize::PerIteration,
            );
        });

        group.throughput(Throughput::Bytes(whole as u64));
        let mut there: Vec<Buffer> =
            widths(&table).iter().map(|width| Buffer::filled(n_rows * width)).collect();
        group.bench_function(format!("{} columns, {n_records} records", COLUMNS.len()), |b| {
            b.iter(|| read_all(&table, &mut there));
        });
        drop(there);
        let mut there = Buffer::filled(whole);
        group.bench_function(format!("records of {} columns, {n_records} records", COLUMNS.len()), |b| {
            b.iter(|| {
                table.read_records(&[0, 1, 2, 3, 4], 0..N_ROWS, as_output(&mut there, whole), &options)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
