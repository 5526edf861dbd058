//! Columns a block at a time: every form of rows, layout and backend against the model.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use colstore_core::{
    Backend, BlockReader, ErrorKind, Form, OpenOptions, ReadOptions, Reduction, Rows, Scalar, Table,
    reduce_parts, reduce_runs,
};
use colstore_kernels::compute::Compare;
use common::Model;

const DTYPES: &[&str] = &["<f8", "|u1", ">i4", "|S3", ">f8", "<U2", "<i2", "|S16"];

fn selections(n: u64) -> Vec<Rows<'static>> {
    let mask: Vec<u8> = (0..n).map(|i| u8::from(i % 5 == 1 || i % 7 == 3)).collect();
    let indices: Vec<u64> = (0..n).map(|i| i * i * 31 % n).collect();
    let mut all = vec![
        Rows::all(n),
        Rows::mask(n, &mask).unwrap(),
        Rows::range(n, n as i64 / 3, n as i64, 1).unwrap(),
        Rows::range(n, n as i64 - 1, -1, -2).unwrap(),
        Rows::range(n, 0, n as i64, 700).unwrap(),
    ];
    if n > 0 {
        all.push(Rows::indices(n, &indices).unwrap().into_owned());
    }
    all
}

/// Calls `f` with every form of rows of tables of every layout, by either backend.
fn each_selection(mut f: impl FnMut(&Model, &Table, Backend, &Rows<'_>)) {
    let directory = tempfile::tempdir().unwrap();
    for record_rows in [&[0][..], &[1], &[3000], &[5, 0, 1, 700, 0, 64, 3], &[10; 90]] {
        let model = Model::new(DTYPES, record_rows, 7);
        let path = directory.path().join("model.cstore");
        std::fs::write(&path, model.to_bytes()).unwrap();
        for backend in [Backend::Mmap, Backend::Pread] {
            let mut options = OpenOptions::default();
            options.backend = Some(backend);
            let table = Table::open_with(&path, &options).unwrap();
            for rows in selections(table.n_rows()) {
                f(&model, &table, backend, &rows);
            }
        }
    }
}

#[test]
fn comparisons_are_those_of_the_column() {
    each_selection(|model, table, backend, rows| {
        let is_mapped = backend == Backend::Mmap;
        let lie_side_by_side = matches!(rows.form(), Form::Range { step: 1, .. }) || rows.len() < 2;
        let columns: Vec<usize> = (0..DTYPES.len()).collect();
        let reader = table.block_reader(&columns, rows).unwrap();
        for (column, dtype) in DTYPES.iter().enumerate() {
            let can = is_mapped && lie_side_by_side && ["<f8", "|u1", "<i2"].contains(dtype);
            assert_eq!(reader.compares(column), can, "{dtype} of {rows:?}");
            if can {
                check_comparison(model, &reader, column, rows);
            }
        }
    });
}

/// Rows that are at least as great as one of them.
#[allow(clippy::host_endian_bytes, reason = "constants are in native order")]
fn check_comparison(model: &Model, reader: &BlockReader<'_>, column: usize, rows: &Rows<'_>) {
    let width = model.schema.columns()[column].dtype().itemsize();
    let native = model.native(column);
    let value = |row: u64| &native[row as usize * width..][..width];
    let number = |bytes: &[u8]| match bytes.len() {
        1 => f64::from(bytes[0]),
        2 => f64::from(i16::from_ne_bytes(bytes.try_into().unwrap())),
        _ => f64::from_ne_bytes(bytes.try_into().unwrap()),
    };
    let positions = rows.to_vec(0..rows.len());
    let Some(&some) = positions.get(positions.len() / 3) else { return };
    for start in [0, 1, 64, 500].into_iter().filter(|&start| start < rows.len()) {
        let range = start..rows.len().min(start + 900);
        let mut words = vec![0; ((range.end - range.start) as usize).div_ceil(64)];
        reader.compare(column, range.clone(), Compare::GreaterEqual, value(some), &mut words);
        for (i, row) in positions[start as usize..range.end as usize].iter().enumerate() {
            let found = words[i / 64] >> (i % 64) & 1 == 1;
            assert_eq!(found, number(value(*row)) >= number(value(some)), "c{column} row {row} of {rows:?}");
        }
    }
}

#[test]
fn blocks_and_picks_are_those_of_the_column() {
    each_selection(|model, table, _, rows| check(model, table, rows));
}

fn check(model: &Model, table: &Table, rows: &Rows<'_>) {
    let columns: Vec<usize> = (0..DTYPES.len()).collect();
    let positions = rows.to_vec(0..rows.len());
    let reader = table.block_reader(&columns, rows).unwrap();
    assert_eq!(reader.n_rows(), rows.len());
    let mut cursor = reader.cursor();
    for &column in &columns {
        let width = model.schema.columns()[column].dtype().itemsize();
        let native = model.native(column);
        let value = |row: u64| &native[row as usize * width..][..width];
        for block in [1, 7, 64, 1000] {
            if block == 1 && rows.len() > 1000 {
                continue;
            }
            for start in (0..rows.len()).step_by(block as usize) {
                let end = rows.len().min(start + block);
                let mut out = vec![0xEE; (end - start) as usize * width];
                cursor.read(column, start..end, &mut out).unwrap();
                let expected: Vec<u8> = positions[start as usize..end as usize]
                    .iter()
                    .flat_map(|&row| value(row))
                    .copied()
                    .collect();
                assert!(out == expected, "c{column} {start}..{end} of {rows:?}");
                let picks: Vec<u32> =
                    (0..(end - start) as u32).filter(|pick| pick % 3 == 1 || pick % 50 == 0).collect();
                let mut out = vec![0xEE; picks.len() * width];
                cursor.read_picks(column, start, &picks, &mut out).unwrap();
                let expected: Vec<u8> = picks
                    .iter()
                    .flat_map(|&pick| value(positions[(start + u64::from(pick)) as usize]))
                    .copied()
                    .collect();
                assert!(out == expected, "c{column}, {picks:?} from {start} on of {rows:?}");
            }
        }
    }
    // Backwards, too, as threads take blocks in any order.
    let width = model.schema.columns()[0].dtype().itemsize();
    for row in (0..rows.len()).rev().step_by(13) {
        let mut out = vec![0; width];
        cursor.read(0, row..row + 1, &mut out).unwrap();
        assert_eq!(out, model.native(0)[positions[row as usize] as usize * width..][..width]);
    }
}

#[test]
fn wrong_columns_and_rows_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let table = common::open(directory.path(), &Model::new(&["<f8"], &[10], 1).to_bytes());
    let all = Rows::all(10);
    assert_eq!(table.block_reader(&[1], &all).unwrap_err().kind(), ErrorKind::OutOfBounds);
    assert!(table.block_reader(&[0], &Rows::all(11)).is_err());
}

#[test]
fn computed_values_are_reduced_as_stored_ones() {
    let directory = tempfile::tempdir().unwrap();
    for n in [0_u64, 1, 2047, 2048, 32_768, 32_769, 100_000] {
        let mut model = Model::new(&["<f8", "<i4"], &[n], 3);
        let floats: Vec<u8> = (0..n)
            .flat_map(|i| ((i as f64 * 0.37).sin() * 1e6_f64.powi((i % 3) as i32)).to_le_bytes())
            .collect();
        model.stored[0] = floats;
        let table = common::open(directory.path(), &model.to_bytes());
        for (column, width) in [(0, 8), (1, 4)] {
            let values = model.native(column);
            let dtype = model.schema.columns()[column].dtype();
            for reduction in [
                Reduction::Sum,
                Reduction::Mean,
                Reduction::Min,
                Reduction::Max,
                Reduction::Var,
                Reduction::Std,
            ] {
                let options = ReadOptions::default();
                let expected = table.reduce(column, 0..n, reduction, 1.0, &options).unwrap();
                let runs = |range: std::ops::Range<u64>, f: &mut dyn FnMut(&[u8])| {
                    for start in range.clone().step_by(4096) {
                        f(&values[start as usize * width..range.end.min(start + 4096) as usize * width]);
                    }
                    Ok::<(), colstore_core::Error>(())
                };
                same(expected, reduce_runs(dtype, n, reduction, 1.0, &options, &runs).unwrap());
                // Parts of so many values are those that a column is reduced by.
                let size = ((n as usize).div_ceil(32_768), u64::MAX);
                let part = |part: usize, out: &mut Vec<u8>| {
                    let end = values.len().min((part + 1) * 32_768 * width);
                    out.extend_from_slice(&values[part * 32_768 * width..end]);
                    Ok::<(), colstore_core::Error>(())
                };
                same(expected, reduce_parts(dtype, size, reduction, 1.0, &options, &part).unwrap());
                // Parts without values are as good as not there.
                let size = (2 * size.0, u64::MAX);
                let every_other =
                    |n: usize, out: &mut Vec<u8>| if n.is_multiple_of(2) { part(n / 2, out) } else { Ok(()) };
                same(expected, reduce_parts(dtype, size, reduction, 1.0, &options, &every_other).unwrap());
            }
        }
    }
}

fn same(a: Scalar, b: Scalar) {
    let bits = |scalar| match scalar {
        Scalar::Float(value) => format!("{:x}", value.to_bits()),
        other => format!("{other:?}"),
    };
    assert_eq!(bits(a), bits(b));
}
