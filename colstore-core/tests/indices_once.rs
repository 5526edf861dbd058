//! Indices that are checked while they are read by: the same rows, the same errors.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;

use colstore_core::{
    Backend, ErrorKind, Form, IndexSlice, IndexType, OnMismatch, OpenOptions, ReadOptions, Result, Rows,
    Table, concat,
};
use common::Model;

const DTYPES: [&str; 4] = ["<f8", ">i4", "|S3", "<f4"];
/// More than are looked at in advance, and than one thread takes at once.
const MANY: u64 = 80_000;

fn slice(indices: &[i64]) -> IndexSlice {
    IndexSlice {
        data: indices.as_ptr().cast(),
        len: indices.len(),
        stride: size_of::<i64>() as isize,
        index_type: IndexType::I64,
    }
}

fn once(n_rows: u64, indices: &[i64]) -> Result<Rows<'_>> {
    // SAFETY: the slice is borrowed for as long as the rows are.
    unsafe { Rows::indices_once(n_rows, slice(indices)) }
}

/// A table of two files, and the rows in it.
fn table(dir: &std::path::Path, files: &[&[u64]], backend: Backend) -> (Model, Table) {
    let mut options = OpenOptions::default();
    options.backend = Some(backend);
    let mut whole = Model::new(&DTYPES, &[], 1);
    let mut tables = Vec::new();
    for (i, records) in files.iter().enumerate() {
        let model = Model::new(&DTYPES, records, 5 + i as u64);
        let path = dir.join(format!("{i}.cstore"));
        std::fs::write(&path, model.to_bytes()).unwrap();
        tables.push(Table::open_with(path, &options).unwrap());
        whole = whole.concat(&model);
    }
    (whole, concat(&tables, OnMismatch::Strict).unwrap().0)
}

/// Indices of every kind of beginning and end, among `n_rows` rows.
fn patterns(n_rows: u64) -> Vec<(&'static str, Vec<u64>)> {
    let scattered = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % n_rows;
    let ascending = |i: u64| i * n_rows / MANY;
    let first = |n: u64, start: &dyn Fn(u64) -> u64, rest: &dyn Fn(u64) -> u64| {
        (0..MANY).map(|i| if i < n { start(i) } else { rest(i) }).collect::<Vec<u64>>()
    };
    vec![
        ("scattered", first(0, &scattered, &scattered)),
        ("ascending", first(0, &ascending, &ascending)),
        ("ascending, then scattered", first(MANY / 2, &ascending, &scattered)),
        ("scattered, then ascending", first(MANY / 2, &scattered, &ascending)),
        ("ascending but for one", first(MANY - 1, &ascending, &|_| 0)),
        ("side by side", first(0, &|i| i, &|i| i)),
        ("side by side, then scattered", first(MANY / 2, &|i| i, &scattered)),
        ("side by side but for one", first(MANY - 1, &|i| i, &|_| 0)),
        ("descending", first(0, &|i| n_rows - 1 - i, &|i| n_rows - 1 - i)),
        ("all the same", first(0, &|_| 7, &|_| 7)),
        ("the same, then others", first(MANY / 2, &|_| 7, &scattered)),
        ("few", (0..100).map(scattered).collect()),
        ("none", vec![]),
    ]
}

#[test]
fn rows_are_those_of_examined_indices() {
    let dir = tempfile::tempdir().unwrap();
    let files: [&[u64]; 2] = [&[60_000, 0, 23_001], &[200; 60]];
    for backend in [Backend::Mmap, Backend::Pread] {
        let (model, table) = table(dir.path(), &files, backend);
        let n_rows = model.n_rows();
        for (what, positions) in patterns(n_rows) {
            // Some are counted from the end.
            let indices: Vec<i64> = positions
                .iter()
                .map(|&row| if row % 3 == 1 { row as i64 - n_rows as i64 } else { row as i64 })
                .collect();
            for threads in [1, 2, 5] {
                let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
                let rows = once(n_rows, &indices).unwrap();
                assert_eq!(rows.to_vec(0..rows.len()), positions, "{what}");
                model.check_rows(&table, &rows, &positions, &options);
            }
        }
    }
}

#[test]
fn nothing_is_said_of_an_order_that_is_not_known() {
    let n_rows = 100_000;
    for (what, positions) in patterns(n_rows) {
        let indices: Vec<i64> = positions.iter().map(|&row| row as i64).collect();
        let (rows, examined) = (once(n_rows, &indices).unwrap(), Rows::indices(n_rows, &indices).unwrap());
        match examined.form() {
            form @ Form::Range { .. } => assert_eq!(rows.form(), form, "{what}"),
            _ => assert_eq!(rows.form(), Form::Indices { sorted: false }, "{what}"),
        }
        for row in [0, 1, 7, 8, n_rows / 2, n_rows] {
            assert_eq!(rows.rank(row).unwrap(), examined.rank(row).unwrap(), "{what}, before {row}");
        }
        let every_third = Rows::range(rows.len(), 0, rows.len() as i64, 3).unwrap();
        let (picked, expected) = (rows.select(&every_third).unwrap(), examined.select(&every_third).unwrap());
        assert_eq!(picked.to_vec(0..picked.len()), expected.to_vec(0..expected.len()), "{what}");
    }
}

#[test]
fn the_first_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    for backend in [Backend::Mmap, Backend::Pread] {
        let (model, table) = table(dir.path(), &[&[60_000, 30_000], &[3; 2000]], backend);
        let n_rows = model.n_rows();
        let bad = [n_rows as i64, -(n_rows as i64) - 1, i64::MAX, i64::MIN];
        for (what, positions) in patterns(n_rows).into_iter().filter(|(_, rows)| rows.len() > 1000) {
            for (k, at) in [0, 3, 4095, 4096, 40_000, MANY as usize - 1].into_iter().enumerate() {
                let mut indices: Vec<i64> = positions.iter().map(|&row| row as i64).collect();
                indices[at] = bad[k % bad.len()];
                // Others are worse, but come later.
                for later in (at + 1..indices.len()).step_by(701).skip(1) {
                    indices[later] = i64::MAX - 5;
                }
                let mut out = vec![MaybeUninit::uninit(); indices.len() * 8];
                for threads in [1, 3] {
                    let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
                    let error = once(n_rows, &indices)
                        .and_then(|rows| table.read_column(0, rows, &mut out, &options))
                        .unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::OutOfBounds, "{what}: {error}");
                    assert_eq!(error.row(), Some(indices[at]), "{what}: {error}");
                    let place = format!("at position {at} of the indices");
                    assert!(error.message().contains(&place), "{what}: {error}");
                }
            }
        }
    }
}
