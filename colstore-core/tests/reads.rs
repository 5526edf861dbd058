//! Every read over every layout of records gives what the file was made of.

mod common;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use colstore_core::{ErrorKind, OnMismatch, Progress, ReadOptions, Rows, Table, concat};
use common::{Model, as_uninit, open};
use proptest::prelude::*;

const ALL_DTYPES: [&str; 23] = [
    "|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "<f16", "<M8[ns]",
    "<m8[25s]", "<M8", "|S1", "|S5", "<U1", "<U3", ">i4", ">f8", ">U2",
];

#[test]
fn small_layouts_exhaustively() {
    let dir = tempfile::tempdir().unwrap();
    let layouts: [&[u64]; 8] =
        [&[], &[0], &[1], &[7], &[3, 4], &[0, 2, 0, 0, 5, 0], &[1, 1, 1, 1, 1, 1, 1], &[2, 0, 0]];
    for layout in layouts {
        let model = Model::new(&ALL_DTYPES, layout, 3);
        let table = open(dir.path(), &model.to_bytes());
        assert_eq!(table.n_rows(), model.n_rows());
        assert_eq!(table.n_records(), layout.len());
        assert_eq!(table.record_rows().collect::<Vec<_>>(), layout);
        for start in 0..=model.n_rows() {
            for stop in start..=model.n_rows() {
                model.check(&table, start, stop, &ReadOptions::default());
            }
        }
    }
}

#[test]
fn reads_large_enough_for_several_threads_and_chunks() {
    let dir = tempfile::tempdir().unwrap();
    let layouts: [Vec<u64>; 3] = [vec![700_001], vec![101; 6000], vec![0, 500_000, 1, 0, 123_457]];
    for layout in layouts {
        let model = Model::new(&["<f8", ">i4", "|S3", "|u1"], &layout, 11);
        let table = open(dir.path(), &model.to_bytes());
        for threads in [1, 2, 5] {
            let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
            model.check(&table, 0, model.n_rows(), &options);
            model.check(&table, 777, model.n_rows() - 333, &options);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_layouts(
        dtypes in prop::collection::vec(prop::sample::select(&ALL_DTYPES[..]), 0..6),
        layout in prop::collection::vec(0u64..40, 0..12),
        seed in any::<u64>(),
        cut in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let model = Model::new(&dtypes, &layout, seed);
        let table = open(dir.path(), &model.to_bytes());
        let (a, b) = (cut.0.index(model.n_rows() as usize + 1), cut.1.index(model.n_rows() as usize + 1));
        model.check(&table, a.min(b) as u64, a.max(b) as u64, &ReadOptions::default());
    }
}

#[test]
fn views_are_the_file_itself_where_rows_lie_together() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["<i4", ">i4", "|S3"], &[4, 0, 3], 5);
    let table = open(dir.path(), &model.to_bytes());
    let native = model.native(2);
    for start in 0..=7 {
        for stop in start..=7 {
            let view = table.view_column(2, start..stop);
            if start < 4 && stop > 4 {
                let error = view.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::NotContiguous);
                assert!(error.message().ends_with("compact the file or read a copy"), "{error}");
                assert_eq!(error.column(), Some("c2"));
                continue;
            }
            let view = view.unwrap();
            assert_eq!(view.n_rows(), stop - start);
            assert!(!view.as_ptr().is_null());
            // SAFETY: the view holds byte_len readable bytes, and nobody changes the file.
            let bytes: Vec<u8> =
                (0..view.byte_len()).map(|i| unsafe { view.as_ptr().add(i).read() }).collect();
            assert_eq!(bytes, native[start as usize * 3..stop as usize * 3]);
        }
    }
    let error = table.view_column(1, 0..2).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotContiguous);
    assert!(error.message().ends_with("not in native byte order; read a copy"), "{error}");
}

#[test]
fn a_view_outlives_its_table() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["|u1"], &[100_000], 5);
    let table = open(dir.path(), &model.to_bytes());
    let path = table.paths().next().unwrap().to_path_buf();
    let view = table.view_column(0, 10..100_000).unwrap();
    drop(table);
    std::fs::remove_file(path).unwrap();
    // SAFETY: the view keeps its 99,990 bytes mapped.
    let bytes: Vec<u8> = (0..view.byte_len()).map(|i| unsafe { view.as_ptr().add(i).read() }).collect();
    assert_eq!(bytes, model.native(0)[10..]);
}

#[test]
fn wrong_requests_say_what_is_wrong_and_write_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let table = open(dir.path(), &Model::new(&["<i4", "<f8"], &[5, 5], 1).to_bytes());
    let options = ReadOptions::default();
    let mut memory = [0xEE; 80];
    #[expect(clippy::reversed_empty_ranges, reason = "such a range is what is tested")]
    let ranges = [(0..11, 11), (11..11, 11), (7..3, 7), (3..u64::MAX, i64::MAX)];
    for (rows, row) in ranges {
        let error = table.read_column(0, rows.clone(), as_uninit(&mut memory), &options).unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::OutOfBounds, Some(row)), "{rows:?}");
        assert!(error.message().contains("10 rows"), "{error}");
        assert!(table.view_column(0, rows.clone()).is_err());
        assert!(table.read_records(&[0], rows, as_uninit(&mut memory), &options).is_err());
    }
    let error = table.read_column(2, 0..1, as_uninit(&mut memory[..4]), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert!(error.message().contains("position 2") && error.message().contains("2 columns"), "{error}");
    for len in [0, 39, 41] {
        let error = table.read_column(0, 0..10, as_uninit(&mut memory[..len]), &options).unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::InvalidArgument, Some("c0")));
        assert!(error.message().contains("40"), "{error}");
        let error = table.read_records(&[0], 0..10, as_uninit(&mut memory[..len]), &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    let error = table.column_index("c2").unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::UnknownColumn, Some("c2")));
    assert!(error.message().contains("'c0', 'c1'"), "{error}");
    assert_eq!(memory, [0xEE; 80]);
}

#[test]
fn a_file_cut_short_after_opening_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let table = open(dir.path(), &Model::new(&["<i8"], &[100_000], 1).to_bytes());
    let file = std::fs::File::options().write(true).open(table.paths().next().unwrap()).unwrap();
    file.set_len(5000).unwrap();
    let error = table.column_bytes(0, 0..100_000, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.message().contains("5000") && error.message().contains("open it again"), "{error}");
}

/// However often its files have been read before, and found to be quiet.
#[test]
fn one_of_many_files_cut_short_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let tables: Vec<Table> =
        (0..5).map(|i| open(dir.path(), &Model::new(&["<i8"], &[10_000], i).to_bytes())).collect();
    let scattered: Vec<u64> = (0..2000).map(|i| i * 7919 % 50_000).collect();
    let spread: Vec<u64> = (0..2).map(|i| i * 20_000 + 5).collect();
    let options = ReadOptions::default();
    for n_reads in [0, 1, 31, 32, 33, 100] {
        let table = concat(&tables, OnMismatch::Strict).unwrap().0;
        let cut = table.paths().nth(2).unwrap();
        let rows = Rows::indices(50_000, &scattered).unwrap();
        let expected = table.column_bytes(0, &rows, &options).unwrap();
        for _ in 0..n_reads {
            assert_eq!(table.column_bytes(0, &rows, &options).unwrap(), expected);
        }
        let whole = std::fs::read(cut).unwrap();
        let file = std::fs::File::options().write(true).open(cut).unwrap();
        file.set_len(5000).unwrap();
        let every_third = Rows::range(50_000, 0, 50_000, 3).unwrap();
        let few = Rows::indices(50_000, &spread).unwrap();
        for rows in [&rows, &every_third, &few, &Rows::all(50_000), &Rows::from(20_000..20_005)] {
            for _ in 0..3 {
                let error = table.column_bytes(0, rows, &options).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Io, "after {n_reads} reads: {error}");
                assert_eq!(error.path(), Some(cut), "after {n_reads} reads: {error}");
            }
        }
        // Where it is not read it does not matter, and when it is whole again it can be read.
        table.column_bytes(0, 30_000..50_000, &options).unwrap();
        std::fs::write(cut, whole).unwrap();
        assert_eq!(table.column_bytes(0, &rows, &options).unwrap(), expected);
    }
}

#[test]
fn progress_is_reported_and_a_cancel_heeded() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["<i8"], &[3_000_000], 1);
    let table = open(dir.path(), &model.to_bytes());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let progress = Progress::with_callback({
        let seen = Arc::clone(&seen);
        move |done, total| seen.lock().unwrap().push((done, total))
    });
    let options = ReadOptions { progress: Some(&progress), ..ReadOptions::default() };
    table.column_bytes(0, 0..3_000_000, &options).unwrap();
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert!(seen.windows(2).all(|w| w[0].0 <= w[1].0 && w[0].1 == w[1].1), "{seen:?}");
    let (done, total) = *seen.last().unwrap();
    assert_eq!(done, total);

    progress.cancel();
    let error = table.column_bytes(0, 0..3_000_000, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

#[test]
fn one_table_serves_many_threads() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["<i8", "|S3"], &[50_000, 70_000], 9);
    let table = open(dir.path(), &model.to_bytes());
    std::thread::scope(|scope| {
        for i in 0..8 {
            let (model, table) = (&model, &table);
            scope.spawn(move || model.check(table, i * 1000, 120_000 - i, &ReadOptions::default()));
        }
    });
}

#[test]
fn what_is_no_file_is_refused_and_never_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let kind = |path: &std::path::Path| Table::open(path).unwrap_err().kind();
    assert_eq!(kind(&dir.path().join("missing")), ErrorKind::NotFound);
    let error = Table::open(dir.path()).unwrap_err();
    assert_eq!(error.os_code(), Some(libc::EISDIR));
    let pipe = dir.path().join("pipe");
    let name = std::ffi::CString::new(pipe.to_str().unwrap()).unwrap();
    // SAFETY: a NUL-terminated path that outlives the call.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    assert_eq!(kind(&pipe), ErrorKind::InvalidArgument);
    assert_eq!(kind(std::path::Path::new("/dev/zero")), ErrorKind::InvalidArgument);
}

#[test]
fn records_of_equal_size_and_others_are_found_in_long_chains() {
    let dir = tempfile::tempdir().unwrap();
    // Large enough apart for headers to be fetched ahead, with sizes that break the pattern here and there.
    for odd in [None, Some(0), Some(1), Some(2), Some(70), Some(298), Some(299)] {
        let mut layout = vec![1100u64; 300];
        if let Some(odd) = odd {
            layout[odd] = 1500;
        }
        let model = Model::new(&["<i8", "|S3"], &layout, 3);
        let bytes = model.to_bytes();
        let table = open(dir.path(), &bytes);
        assert_eq!(table.record_rows().collect::<Vec<_>>(), layout, "{odd:?}");
        let n_rows = model.n_rows();
        assert_eq!(
            table.column_bytes(1, n_rows - 2000..n_rows, &ReadOptions::default()).unwrap(),
            model.native(1)[3 * (n_rows as usize - 2000)..]
        );
        // Damage in the middle of the chain, and an end that is cut off, are found as ever.
        let mut damaged = bytes.clone();
        let at = bytes.len() / 2 / 12_140 * 12_140;
        let magic = (at..).find(|&i| bytes[i..].starts_with(b"REC\x01")).unwrap();
        damaged[magic + 13] ^= 1;
        let path = dir.path().join("damaged.cstore");
        for bytes in [&damaged[..], &bytes[..bytes.len() - 1], &bytes[..bytes.len() / 2]] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(Table::open(&path).unwrap_err().kind(), ErrorKind::Format);
        }
    }
}
