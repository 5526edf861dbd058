//! A column of a file reduced to one value, by layout, selection and number of threads.

use std::num::NonZeroUsize;
use std::path::Path;

use colstore_core::{ReadOptions, Reduction, Rows, Table};
use colstore_format::{Column, Counters, Header, Manifest, RecordHeader, Schema};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const ROWS: u64 = 20_000_000;

/// A file of two columns of float64, in records of equal size.
fn write(path: &Path, n_records: u64) {
    let Ok(dtype) = "<f8".parse() else { unreachable!("a dtype") };
    let Ok(schema) = Schema::new(vec![Column::new("x", dtype), Column::new("y", dtype)]) else {
        unreachable!("two names")
    };
    let counters = Counters { n_records, committed_rows: ROWS, stats_offset: 0 };
    let mut bytes = Header::encode(&Manifest::new(schema), counters);
    let n_rows = ROWS / n_records;
    for index in 0..n_records {
        bytes.extend_from_slice(&RecordHeader { index, n_rows }.encode());
        for i in 0..2 * n_rows {
            bytes.extend_from_slice(&((index * n_rows + i) as f64 * 1e-3).sin().to_le_bytes());
        }
    }
    if let Err(e) = std::fs::write(path, bytes) {
        unreachable!("{}: {e}", path.display());
    }
}

fn reduce(c: &mut Criterion) {
    let Ok(dir) = tempfile::tempdir() else { unreachable!("a directory for temporary files") };
    let scattered: Vec<u64> = (0..ROWS / 4).map(|i| (i * 0x9E37_79B9) % ROWS).collect();
    let mask: Vec<u8> = (0..ROWS).map(|row| u8::from(row % 3 == 0 || row % 100 > 60)).collect();
    for n_records in [1, 1000, 10_000] {
        let path = dir.path().join(format!("{n_records}.cstore"));
        write(&path, n_records);
        let Ok(table) = Table::open(&path) else { unreachable!("it was just written") };
        let (Ok(indices), Ok(masked)) = (Rows::indices(ROWS, &scattered), Rows::mask(ROWS, &mask)) else {
            unreachable!("rows that there are")
        };
        for threads in [1, 2] {
            let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
            let mut group = c.benchmark_group(format!("reduce {n_records} records, {threads} threads"));
            group.sample_size(20).throughput(Throughput::Elements(ROWS));
            for reduction in [Reduction::Sum, Reduction::Min, Reduction::Std] {
                for (name, rows) in [("all", &Rows::all(ROWS)), ("indices", &indices), ("mask", &masked)] {
                    group.bench_function(format!("{reduction:?} {name}"), |b| {
                        b.iter(|| table.reduce(0, rows, reduction, 0.0, &options));
                    });
                }
            }
            group.finish();
        }
    }
}

criterion_group!(benches, reduce);
criterion_main!(benches);
