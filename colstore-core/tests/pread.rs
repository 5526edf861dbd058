//! Reading through descriptors gives the same bytes as reading mapped files, and never a signal.

#![allow(clippy::unwrap_used, reason = "for tests")]

mod common;

use std::fs::OpenOptions as Files;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use colstore_core::{
    Backend, ErrorKind, OnMismatch, OpenOptions, Progress, ReadOptions, Reduction, Rows, Table, concat,
};
use common::Model;
use proptest::prelude::*;

const DTYPES: [&str; 8] = ["<f8", ">i4", "|u1", "|S3", "<U3", ">M8[s]", "|S33", ">f2"];

fn open(path: &Path, backend: Backend) -> Table {
    let mut options = OpenOptions::default();
    options.backend = Some(backend);
    Table::open_with(path, &options).unwrap()
}

fn write(dir: &Path, name: &str, model: &Model) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, model.to_bytes()).unwrap();
    path
}

fn threads(n: usize) -> ReadOptions<'static> {
    ReadOptions { max_threads: NonZeroUsize::new(n), progress: None }
}

/// The model of several files, and the table of them, each file read by the backend of its turn.
fn table(dir: &Path, files: &[&[u64]], backends: &[Backend]) -> (Model, Table) {
    let mut whole = Model::new(&DTYPES, &[], 1);
    let mut tables = Vec::new();
    for (i, records) in files.iter().enumerate() {
        let model = Model::new(&DTYPES, records, 7 + i as u64);
        let path = write(dir, &format!("{i}.cstore"), &model);
        tables.push(open(&path, backends[i % backends.len()]));
        whole = whole.concat(&model);
    }
    (whole, concat(&tables, OnMismatch::Strict).unwrap().0)
}

fn selections(n: u64) -> Vec<(Rows<'static>, Vec<u64>)> {
    let mut state = 4711u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let unsorted: Vec<u64> = (0..n).map(|_| random() % n).collect();
    let mut sorted = unsorted.clone();
    sorted.sort_unstable();
    let far_apart: Vec<u64> = (0..n.min(40)).map(|_| random() % n).collect();
    let mask: Vec<u8> = (0..n).map(|row| u8::from(random() % 5 == 0 || row % 5000 > 4000)).collect();
    let set: Vec<u64> = (0..n).filter(|&row| mask[row as usize] != 0).collect();
    let mut all = vec![
        (Rows::all(n), (0..n).collect()),
        (Rows::from(n / 3..n), (n / 3..n).collect()),
        (Rows::from(n / 2..n / 2), Vec::new()),
        (Rows::mask(n, &mask).unwrap(), set),
    ];
    for rows in [unsorted, sorted, far_apart] {
        all.push((Rows::indices(n, &rows).unwrap().into_owned(), rows));
    }
    for step in [1, 2, 7, 5000] {
        let forwards: Vec<u64> = (0..n).step_by(step).collect();
        all.push((Rows::range(n, 0, n as i64, step as i64).unwrap(), forwards));
        let backwards: Vec<u64> = (0..n).rev().step_by(step).collect();
        all.push((Rows::range(n, n as i64 - 1, -1, -(step as i64)).unwrap(), backwards));
    }
    all
}

#[test]
fn every_selection_over_every_layout() {
    let dir = tempfile::tempdir().unwrap();
    let small: [&[&[u64]]; 4] = [&[&[9]], &[&[4, 0, 4, 1]], &[&[3], &[], &[0], &[2, 2], &[2]], &[&[1]]];
    let large: [&[&[u64]]; 2] = [&[&[70_000]], &[&[30_000, 1, 0, 5000], &[], &[40_000]]];
    for files in small.into_iter().chain(large) {
        for backends in [&[Backend::Pread][..], &[Backend::Pread, Backend::Mmap]] {
            let (model, table) = table(dir.path(), files, backends);
            for (rows, positions) in selections(model.n_rows()) {
                model.check_rows(&table, &rows, &positions, &threads(1));
                model.check_rows(&table, &rows, &positions, &threads(3));
            }
        }
    }
}

#[test]
fn reductions_have_the_same_bits() {
    let dir = tempfile::tempdir().unwrap();
    let files: [&[u64]; 2] = [&[30_000, 1, 0, 5000], &[40_000]];
    let (_, mapped) = table(dir.path(), &files, &[Backend::Mmap]);
    let (model, fetched) = table(dir.path(), &files, &[Backend::Pread]);
    for (rows, _) in selections(model.n_rows()) {
        for column in [1, 2] {
            for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Min, Reduction::Std] {
                let expected = mapped.reduce(column, &rows, reduction, 0.0, &threads(1)).unwrap();
                let found = fetched.reduce(column, &rows, reduction, 0.0, &threads(2)).unwrap();
                assert!(
                    found == expected || format!("{found:?}") == format!("{expected:?}"),
                    "{reduction:?}"
                );
            }
        }
    }
}

#[test]
fn values_larger_than_what_is_fetched_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["|S300001", "<U70000"], &[3, 2], 3);
    let path = write(dir.path(), "wide.cstore", &model);
    let table = open(&path, Backend::Pread);
    for (rows, positions) in selections(5) {
        model.check_rows(&table, &rows, &positions, &threads(2));
    }
}

#[test]
fn nothing_is_lent() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), "a.cstore", &Model::new(&["<f8"], &[5], 3));
    let error = open(&path, Backend::Pread).view_column(0, 0..5).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotContiguous);
    assert!(error.message().contains("pread") && error.message().ends_with("read a copy"), "{error}");
    assert!(open(&path, Backend::Mmap).view_column(0, 0..5).is_ok());
}

#[test]
fn a_file_cut_short_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let n = 200_000u64;
    let model = Model::new(&["<f8", "<i4"], &[n / 2, n / 2], 3);
    let path = write(dir.path(), "a.cstore", &model);
    let table = open(&path, Backend::Pread);
    let file = Files::new().write(true).open(&path).unwrap();
    let bytes = model.to_bytes().len() as u64;
    for cut in [bytes - 1, bytes / 2, 100, 0] {
        file.set_len(cut).unwrap();
        let mut mask = vec![1; n as usize];
        mask[5] = 0;
        let rows: [Rows<'_>; 4] = [
            Rows::all(n),
            Rows::range(n, n as i64 - 1, -1, -3).unwrap(),
            Rows::indices(n, &[n - 1, 0, n - 1]).unwrap().into_owned(),
            Rows::mask(n, &mask).unwrap(),
        ];
        for rows in &rows {
            // The last column of the last record is what any cut takes from.
            let error = table.column_bytes(1, rows, &threads(2)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io);
            assert!(error.message().contains("was cut"), "{error}");
            assert_eq!(error.path(), Some(path.as_path()));
            let mut out = vec![std::mem::MaybeUninit::uninit(); rows.len() as usize * 12];
            assert!(table.read_records(&[0, 1], rows, &mut out, &threads(2)).is_err());
            assert!(table.reduce(1, rows, Reduction::Sum, 0.0, &threads(2)).is_err());
        }
    }
}

#[test]
fn a_file_cut_while_it_is_read_is_an_error_or_all_there() {
    let dir = tempfile::tempdir().unwrap();
    let n = 1_000_000u64;
    let model = Model::new(&["<f8"], &[n], 3);
    let path = write(dir.path(), "a.cstore", &model);
    let expected = model.native(0);
    let length = std::fs::metadata(&path).unwrap().len();
    for delay in [0u64, 100, 300, 1000] {
        std::fs::write(&path, model.to_bytes()).unwrap();
        let table = open(&path, Backend::Pread);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_micros(delay));
                Files::new().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
            });
            for _ in 0..3 {
                match table.column_bytes(0, 0..n, &threads(2)) {
                    Ok(bytes) => assert!(bytes == expected),
                    Err(error) => assert_eq!(error.kind(), ErrorKind::Io),
                }
            }
        });
    }
}

#[test]
fn a_cancelled_read_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), "a.cstore", &Model::new(&["<f8"], &[100_000], 3));
    let progress = Progress::new();
    progress.cancel();
    let options = ReadOptions { max_threads: None, progress: Some(&progress) };
    let error = open(&path, Backend::Pread).column_bytes(0, 0..100_000, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_rows_of_random_files(
        files in prop::collection::vec(prop::collection::vec(0u64..60, 0..5), 1..4),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
        mixed in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let files: Vec<&[u64]> = files.iter().map(Vec::as_slice).collect();
        let backends: &[Backend] = if mixed { &[Backend::Mmap, Backend::Pread] } else { &[Backend::Pread] };
        let (model, table) = table(dir.path(), &files, backends);
        let n = model.n_rows();
        if n > 0 {
            let positions: Vec<u64> = picks.iter().map(|pick| pick.index(n as usize) as u64).collect();
            let rows = Rows::indices(n, &positions).unwrap();
            model.check_rows(&table, &rows, &positions, &threads(2));
        }
    }
}
