//! Tables copied into one record: the bytes, whatever the table, and what is left after a failure.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use colstore_core::{
    Backend, ColumnData, CopyOptions, ErrorKind, OnMismatch, OpenOptions, Progress, ReadOptions, StoreMode,
    StoreOptions, Table, concat, config, copy_table, store,
};
use common::Model;

const DTYPES: [&str; 12] =
    ["|b1", "|i1", "<i2", ">u4", "<i8", "<f2", ">f4", "<f8", ">M8[us]", "<m8[h]", "|S5", ">U3"];

const RECREATE: CopyOptions<'static> =
    CopyOptions { mode: StoreMode::Recreate, statistics: false, max_threads: None, progress: None };

/// The bytes that `store` writes for the rows of `table`.
fn stored(table: &Table, dir: &Path, statistics: bool) -> Vec<u8> {
    let path = dir.join("stored");
    let values: Vec<Vec<u8>> = (0..table.schema().len())
        .map(|j| table.column_bytes(j, 0..table.n_rows(), &ReadOptions::default()).unwrap())
        .collect();
    let columns: Vec<ColumnData<'_>> = table
        .schema()
        .columns()
        .iter()
        .zip(&values)
        .map(|(c, bytes)| ColumnData::from_slice(c.name().clone(), c.dtype().to_little(), bytes).unwrap())
        .collect();
    store(&path, &columns, &StoreOptions { statistics, ..StoreOptions::default() }).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    bytes
}

fn open(path: &Path, backend: Backend) -> Table {
    let mut options = OpenOptions::default();
    options.backend = Some(backend);
    Table::open_with(path, &options).unwrap()
}

fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn check(table: &Table, what: &str) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    for statistics in [false, true] {
        let expected = stored(table, dir.path(), statistics);
        for method in ["pwrite", "mmap", "auto"] {
            config::set("write_method", method).unwrap();
            for max_threads in [None, NonZeroUsize::new(1)] {
                let options = CopyOptions { statistics, max_threads, ..RECREATE };
                copy_table(table, &out, &options).unwrap();
                assert!(fs::read(&out).unwrap() == expected, "{what}, {method}, statistics {statistics}");
            }
        }
    }
    assert_eq!(entries(dir.path()), ["out"]);
}

#[test]
fn records_of_any_size_and_byte_order() {
    let dir = tempfile::tempdir().unwrap();
    let many: Vec<u64> = (0..1000).map(|i| i * 7919 % 113).collect();
    for record_rows in
        [&[][..], &[0], &[0, 0, 0], &[1], &[5, 0, 3], &many, &[200_000, 1, 150_000, 7], &[400_000]]
    {
        let path = dir.path().join("t.cstore");
        fs::write(&path, Model::new(&DTYPES, record_rows, 5).to_bytes()).unwrap();
        for backend in [Backend::Mmap, Backend::Pread] {
            check(&open(&path, backend), &format!("{} records, {backend:?}", record_rows.len()));
        }
    }
}

#[test]
fn files_end_to_end_in_the_order_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let values = |n: usize, seed: u8| -> Vec<u8> { (0..n).map(|i| (i as u8).wrapping_mul(seed)).collect() };
    let mut tables = Vec::new();
    for (i, n) in [300_000usize, 0, 70_001, 5].into_iter().enumerate() {
        let path = dir.path().join(format!("{i}.cstore"));
        let (a, b) = (values(n * 8, 3 + i as u8), values(n * 3, 7));
        let mut columns = vec![
            ColumnData::from_slice("a".into(), "<i8".parse().unwrap(), &a).unwrap(),
            ColumnData::from_slice("b".into(), "|S3".parse().unwrap(), &b).unwrap(),
        ];
        if i % 2 == 1 {
            columns.reverse();
        }
        store(&path, &columns, &StoreOptions::default()).unwrap();
        tables.push(open(&path, if i == 2 { Backend::Pread } else { Backend::Mmap }));
    }
    let (table, _) = concat(&tables, OnMismatch::Strict).unwrap();
    check(&table, "files");
    tables.reverse();
    let (table, _) = concat(&tables, OnMismatch::Strict).unwrap();
    assert_eq!(table.schema().columns()[0].name().to_string(), "b");
    check(&table, "files, reversed");
}

#[test]
fn values_larger_than_a_chunk_are_cut() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    fs::write(&path, Model::new(&["|i1", "|S5000001", ">U1300000"], &[1, 2], 5).to_bytes()).unwrap();
    check(&open(&path, Backend::Mmap), "wide values");
}

#[test]
fn the_last_zero_gives_its_sign_whatever_the_records() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let mut model = Model::new(&["<f8", "<f4"], &[3, 400_000, 2], 5);
    model.stored = vec![vec![0; 400_005 * 8], vec![0; 400_005 * 4]];
    for row in [0usize, 100, 399_999] {
        model.stored[0][row * 8 + 7] = 0x80;
        model.stored[1][row * 4 + 3] = 0x80;
    }
    fs::write(&path, model.to_bytes()).unwrap();
    check(&open(&path, Backend::Mmap), "zeros");
}

#[test]
fn targets_are_refused_replaced_and_followed() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let model = Model::new(&["<i4"], &[5, 6], 5);
    fs::write(at("t.cstore"), model.to_bytes()).unwrap();
    let table = Table::open(at("t.cstore")).unwrap();
    symlink("t.cstore", at("link")).unwrap();
    fs::hard_link(at("t.cstore"), at("hard")).unwrap();
    for own in ["t.cstore", "link", "hard", "./t.cstore"] {
        let error = copy_table(&table, at(own), &RECREATE).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("also one of the sources"), "{error}");
        assert!(fs::read(at("t.cstore")).unwrap() == model.to_bytes());
    }
    fs::write(at("old"), b"something").unwrap();
    fs::set_permissions(at("old"), fs::Permissions::from_mode(0o604)).unwrap();
    let error = copy_table(&table, at("old"), &CopyOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read(at("old")).unwrap(), b"something");
    symlink("old", at("to-old")).unwrap();
    copy_table(&table, at("to-old"), &RECREATE).unwrap();
    assert!(fs::symlink_metadata(at("to-old")).unwrap().is_symlink());
    assert_eq!(fs::metadata(at("old")).unwrap().permissions().mode() & 0o777, 0o604);
    assert_eq!(Table::open(at("old")).unwrap().n_rows(), 11);
    let error = copy_table(&table, at("missing/out"), &RECREATE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let (empty, _) = concat(&[], OnMismatch::Strict).unwrap();
    let error = copy_table(&empty, at("out"), &RECREATE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(entries(dir.path()), ["hard", "link", "old", "t.cstore", "to-old"]);
}

#[test]
fn progress_ends_at_all_bytes_and_cancels_at_any_report() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    fs::write(&path, Model::new(&["<i8", "<i4"], &[1_000_000, 1_000_000], 5).to_bytes()).unwrap();
    let table = Table::open(&path).unwrap();
    let out = dir.path().join("out");
    let reports = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&reports);
    let last = Arc::new(AtomicU64::new(0));
    let whole = Arc::clone(&last);
    let progress = Progress::with_callback(move |done, total| {
        assert!(done >= whole.swap(done, Ordering::Relaxed) && done <= total);
        seen.fetch_add(1, Ordering::Relaxed);
        if done == total {
            assert!(total >= 24_000_000);
        }
    });
    // By one thread: reports come from the calling one, after what it has done itself.
    let alone = CopyOptions { max_threads: NonZeroUsize::new(1), ..RECREATE };
    copy_table(&table, &out, &CopyOptions { progress: Some(&progress), ..alone }).unwrap();
    let n = reports.load(Ordering::Relaxed);
    assert!(n > 3, "{n} reports");
    fs::remove_file(&out).unwrap();
    for at in 0..n {
        let progress: Arc<std::sync::OnceLock<Arc<Progress>>> = Arc::default();
        let own = Arc::clone(&progress);
        let mut left = at;
        let made = progress.get_or_init(|| {
            Arc::new(Progress::with_callback(move |_, _| {
                if left == 0
                    && let Some(progress) = own.get()
                {
                    progress.cancel();
                }
                left = left.saturating_sub(1);
            }))
        });
        // How many reports there are varies a little: helpers report nothing.
        match copy_table(&table, &out, &CopyOptions { progress: Some(made), ..RECREATE }) {
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Cancelled);
                assert_eq!(entries(dir.path()), ["t.cstore"]);
            }
            Ok(()) => fs::remove_file(&out).unwrap(),
        }
    }
}

#[test]
fn reports_never_fall_however_they_are_rounded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    // One wide column and many narrow ones: thousands of steps, most of them without a chunk.
    let mut dtypes = vec!["|S400"];
    dtypes.resize(300, "|i1");
    fs::write(&path, Model::new(&dtypes, &[30_011, 30_000], 5).to_bytes()).unwrap();
    let last = AtomicU64::new(0);
    let progress = Progress::with_callback(move |done, total| {
        assert!(done >= last.swap(done, Ordering::Relaxed) && done <= total);
    });
    let options = CopyOptions { progress: Some(&progress), ..RECREATE };
    copy_table(&Table::open(&path).unwrap(), dir.path().join("out"), &options).unwrap();
}

#[test]
fn a_source_cut_short_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    for backend in [Backend::Mmap, Backend::Pread] {
        let bytes = Model::new(&["<i8"], &[10, 10], 5).to_bytes();
        fs::write(&path, &bytes).unwrap();
        let table = open(&path, backend);
        fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        let error = copy_table(&table, dir.path().join("out"), &RECREATE).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        assert!(error.message().contains("was cut"), "{error}");
        assert_eq!(entries(dir.path()), ["t.cstore"]);
    }
}
