//! Queries and computed columns of a table, by layout and number of threads.

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;
use std::path::Path;

use colstore_core::{ReadOptions, Reduction, StoreMode, StoreOptions, Table};
use colstore_format::{Column, Counters, Header, Manifest, RecordHeader, Schema};
use colstore_frame::{ColumnName, Expr, Frame, Output, col};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const ROWS: u64 = 20_000_000;

/// A file of `x` and `y`, float64, and `tag`, int32, in records of equal size.
fn write(path: &Path, n_records: u64) {
    let dtypes = [("x", "<f8"), ("y", "<f8"), ("tag", "<i4")];
    let columns = dtypes.iter().filter_map(|(name, dtype)| Some(Column::new(*name, dtype.parse().ok()?)));
    let Ok(schema) = Schema::new(columns.collect()) else { unreachable!("three names") };
    let counters = Counters { n_records, committed_rows: ROWS, stats_offset: 0 };
    let mut bytes = Header::encode(&Manifest::new(schema), counters);
    let n_rows = ROWS / n_records;
    for index in 0..n_records {
        bytes.extend_from_slice(&RecordHeader { index, n_rows }.encode());
        for i in 0..2 * n_rows {
            bytes.extend_from_slice(&(((index * n_rows + i) as f64 * 1e-3).sin() * 3.0).to_le_bytes());
        }
        for i in 0..n_rows {
            bytes.extend_from_slice(&((i.wrapping_mul(0x9E37_79B9) >> 7) as i32 % 50).to_le_bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    if let Err(e) = std::fs::write(path, bytes) {
        unreachable!("{}: {e}", path.display());
    }
}

fn frame(c: &mut Criterion) {
    let Ok(dir) = tempfile::tempdir() else { unreachable!("a directory for temporary files") };
    let mut memory = vec![MaybeUninit::new(1_u8); ROWS as usize * 8];
    for n_records in [1, 1000] {
        let path = dir.path().join(format!("{n_records}.cstore"));
        write(&path, n_records);
        let Ok(frame) = Table::open(&path).map_err(Into::into).and_then(|table| Frame::new(&table)) else {
            unreachable!("it was just written")
        };
        let r: (ColumnName, Expr) = ("r".into(), (col("x").pow(2) + col("y").pow(2)).sqrt());
        let Ok(with_r) = frame.assign(&[r]) else { unreachable!("its columns are there") };
        for threads in [1, 2] {
            let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
            let mut group = c.benchmark_group(format!("frame {n_records} records, {threads} threads"));
            group.sample_size(10).throughput(Throughput::Elements(ROWS));
            let conditions = [
                ("two conditions", col("x").gt(0.5).and(col("y").gt(-1.0)).and(col("y").lt(1.0))),
                ("selective", col("x").gt(2.999).and(col("tag").equal(7))),
                ("isin", col("tag").isin([3, 5, 7])),
            ];
            for (name, condition) in &conditions {
                // A frame keeps the rows it has found, so there is a new one each time.
                group.bench_function(*name, |b| {
                    b.iter(|| frame.filter(condition, None, None).and_then(|frame| frame.count(&options)));
                });
            }
            group.bench_function("computed column", |b| {
                b.iter(|| {
                    let output = Output::Columns(vec![&mut memory[..]]);
                    with_r.read(Some(&["r".into()]), output, &options)
                });
            });
            group.bench_function("cut then sum", |b| {
                b.iter(|| {
                    let cut = with_r.filter(&col("r").gt(1.0), None, None)?;
                    cut.reduce(&col("r"), Reduction::Sum, 0.0, &options)
                });
            });
            group.bench_function("cut then write", |b| {
                let options = StoreOptions {
                    mode: StoreMode::Recreate,
                    max_threads: options.max_threads,
                    ..StoreOptions::default()
                };
                b.iter(|| {
                    let cut = with_r.filter(&col("r").gt(1.0), None, None)?;
                    cut.select(&["x".into(), "r".into()])?.write(dir.path().join("out.cstore"), &options)
                });
            });
            group.finish();
        }
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
