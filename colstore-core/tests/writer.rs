//! Writing record by record: the bytes, the modes, what is refused, locks, and live readers.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use colstore_core::{
    ColumnData, ColumnName, DType, ErrorKind, LockPolicy, Progress, ReadOptions, StoreOptions, Table, Writer,
    WriterMode, WriterOptions, store,
};
use common::Model;

const DTYPES: [&str; 7] = ["|b1", "<i2", "<f4", "<f8", "<M8[us]", "|S5", "<U3"];

/// The columns of record `r` of a model.
fn record(model: &Model, r: usize) -> Vec<ColumnData<'_>> {
    let first: u64 = model.record_rows[..r].iter().sum();
    let rows = first as usize..(first + model.record_rows[r]) as usize;
    let columns = model.schema.columns().iter().zip(&model.stored);
    columns
        .map(|(c, bytes)| {
            let width = c.dtype().itemsize();
            let bytes = &bytes[rows.start * width..rows.end * width];
            ColumnData::from_slice(c.name().clone(), c.dtype(), bytes).unwrap()
        })
        .collect()
}

fn body(model: &Model, r: usize) -> Vec<u8> {
    let first: u64 = model.record_rows[..r].iter().sum();
    let n = model.record_rows[r] as usize;
    let columns = model.schema.columns().iter().zip(&model.stored);
    columns
        .flat_map(|(c, bytes)| {
            let width = c.dtype().itemsize();
            bytes[first as usize * width..(first as usize + n) * width].to_vec()
        })
        .collect()
}

fn options(statistics: bool) -> WriterOptions {
    let mut options = WriterOptions::default();
    options.statistics = statistics;
    options
}

fn open(path: &Path, mode: WriterMode) -> Writer {
    Writer::open(path, mode, &options(false)).unwrap()
}

fn column<'a>(name: &str, dtype: &str, bytes: &'a [u8]) -> ColumnData<'a> {
    ColumnData::from_slice(name.into(), dtype.parse().unwrap(), bytes).unwrap()
}

fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_file_is_what_the_format_says() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    // Gathered, in pieces, in chunks; padded and not; empty; more than the buffer holds.
    for record_rows in [&[0][..], &[1, 0, 8, 3], &[5, 3000, 2], &[100_001, 7, 200_000], &[700; 100]] {
        let model = Model::new(&DTYPES, record_rows, 3);
        for mode in [WriterMode::Create, WriterMode::Recreate] {
            if mode == WriterMode::Create {
                let _ = fs::remove_file(&path);
            }
            let mut writer = open(&path, mode);
            for r in 0..record_rows.len() {
                writer.write(&record(&model, r)).unwrap();
                assert_eq!(writer.n_records(), r as u64 + 1);
            }
            assert_eq!((writer.n_rows(), writer.schema()), (model.n_rows(), Some(&model.schema)));
            writer.close().unwrap();
            writer.close().unwrap();
            assert!(writer.is_closed() && writer.is_locked());
            assert!(fs::read(&path).unwrap() == model.to_bytes(), "{record_rows:?}");
        }
    }
    assert_eq!(entries(dir.path()), ["t.cstore"]);
}

#[test]
fn sessions_and_commits_change_no_byte() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let rows = [10, 0, 30_000, 300_000, 4, 4];
    let model = Model::new(&DTYPES, &rows, 11);
    for commit in [false, true] {
        let mut writer = open(&path, WriterMode::Recreate);
        for (r, first) in rows.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n))).enumerate() {
            if r > 0 && r % 2 == 0 {
                writer.close().unwrap();
                writer = open(&path, WriterMode::Update);
                assert_eq!(writer.n_records(), r as u64);
                assert_eq!(writer.n_rows(), first);
            }
            writer.write(&record(&model, r)).unwrap();
            if commit {
                writer.commit().unwrap();
                assert_eq!(Table::open(&path).unwrap().n_records(), r + 1);
            }
        }
        writer.close().unwrap();
        assert!(fs::read(&path).unwrap() == model.to_bytes());
    }
}

#[test]
fn packed_bodies_are_as_good_as_columns() {
    let dir = tempfile::tempdir().unwrap();
    for statistics in [false, true] {
        let rows = [3, 0, 5, 20_000, 150_000, 2];
        let model = Model::new(&DTYPES, &rows, 5);
        let paths = ["columns.cstore", "packed.cstore"].map(|name| dir.path().join(name));
        for (path, packed) in paths.iter().zip([false, true]) {
            let mut writer = Writer::open(path, WriterMode::Recreate, &options(statistics)).unwrap();
            assert!(writer.write_packed(0, &[]).is_err());
            for (r, &n_rows) in rows.iter().enumerate() {
                if packed && r > 0 {
                    let body = body(&model, r);
                    assert!(writer.write_packed(n_rows + 1, &body).is_err());
                    writer.write_packed(n_rows, &body).unwrap();
                } else {
                    writer.write(&record(&model, r)).unwrap();
                }
            }
            writer.close().unwrap();
        }
        assert!(fs::read(&paths[0]).unwrap() == fs::read(&paths[1]).unwrap());
    }
}

#[test]
fn strided_and_big_endian_values_are_packed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let mut writer = open(&path, WriterMode::Create);
    let mut expected = Vec::new();
    // Of every size that is treated apart.
    for n in [10u32, 60_000, 1_500_000] {
        let big: Vec<u8> = (0..n).flat_map(u32::to_be_bytes).collect();
        let dtype: DType = ">u4".parse().unwrap();
        // SAFETY: the values lie in `big`, last one first, which outlives the column and is not changed.
        let column =
            unsafe { ColumnData::from_raw("x".into(), dtype, big.as_ptr().add(big.len() - 4), n.into(), -4) };
        writer.write(&[column]).unwrap();
        expected.extend((0..n).rev().flat_map(u32::to_le_bytes));
    }
    writer.close().unwrap();
    let table = Table::open(&path).unwrap();
    assert_eq!(table.schema().columns()[0].dtype_text(), "<u4");
    let found = table.column_bytes(0, 0..table.n_rows(), &ReadOptions::default()).unwrap();
    assert!(found == expected);
}

#[test]
fn statistics_are_kept_and_extended() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let session = |mode, statistics, records: &[&[i16]]| {
        let mut writer = Writer::open(&path, mode, &options(statistics)).unwrap();
        for values in records {
            let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            writer.write(&[column("x", "<i2", &bytes)]).unwrap();
        }
        writer.close().unwrap();
        let table = Table::open(&path).unwrap();
        table.statistics().map(|s| {
            let x = &s.columns()[0];
            let (mins, maxs) = (x.min.chunks(2).zip(x.max.chunks(2)), &x.valid);
            let value = |b: &[u8]| i16::from_le_bytes(b.try_into().unwrap());
            mins.zip(maxs).map(|((a, b), v)| v.then(|| (value(a), value(b)))).collect::<Vec<_>>()
        })
    };
    let created = session(WriterMode::Create, true, &[&[3, -1], &[], &[7]]);
    assert_eq!(created, Some(vec![Some((-1, 3)), None, Some((7, 7))]));
    let updated = session(WriterMode::Update, true, &[&[5, 9]]);
    assert_eq!(updated, Some(vec![Some((-1, 3)), None, Some((7, 7)), Some((5, 9))]));
    // Nothing is written: nothing changes, whether statistics are asked for or not.
    let before = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().mtime_nsec());
    for statistics in [true, false] {
        assert_eq!(session(WriterMode::Update, statistics, &[]), updated);
        assert!((fs::read(&path).unwrap(), fs::metadata(&path).unwrap().mtime_nsec()) == before);
    }
    // Without, they go; with them again, the records before are unknown.
    assert_eq!(session(WriterMode::Update, false, &[&[1]]), None);
    let again = session(WriterMode::Update, true, &[&[2]]);
    assert_eq!(again, Some(vec![None, None, None, None, None, Some((2, 2))]));
}

#[test]
fn wrong_records_are_refused_and_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let bytes = [0u8; 8];
    let mut writer = open(&path, WriterMode::Create);
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    let refused = |writer: &mut Writer, columns: &[ColumnData<'_>], fragment: &str| {
        let before = (fs::metadata(&path).unwrap().len(), writer.n_records());
        let error = writer.write(columns).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains(fragment), "{error}");
        assert_eq!((fs::metadata(&path).unwrap().len(), writer.n_records()), before);
    };
    refused(&mut writer, &[], "empty column mapping");
    refused(&mut writer, &[column("a", "<i8", &bytes), column("b", "|u1", &bytes)], "rows");
    refused(&mut writer, &[column("a", "|u1", &bytes), column("a", "|u1", &bytes)], "both named");
    writer.write(&[column("a", "<i4", &bytes), column("b", "<f4", &bytes)]).unwrap();
    refused(&mut writer, &[column("a", "<i4", &bytes)], "Schema mismatch");
    refused(&mut writer, &[column("b", "<f4", &bytes), column("a", "<i4", &bytes)], "Column name mismatch");
    refused(&mut writer, &[column("a", "<u4", &bytes), column("b", "<f4", &bytes)], "dtype");
    refused(&mut writer, &[column("a", "<i4", &bytes), column("b", "<f4", &bytes[..4])], "rows");
    let swapped = [column("a", ">i4", &bytes), column("b", ">f4", &bytes)];
    writer.write(&swapped).unwrap();
    writer.close().unwrap();
    let error = writer.write(&swapped).unwrap_err();
    assert!(error.message().contains("closed"), "{error}");
    assert!(writer.commit().unwrap_err().message().contains("closed"));
    assert_eq!(Table::open(&path).unwrap().n_records(), 2);

    let mut writer = Writer::open(dir.path().join("n.cstore"), WriterMode::Create, &options(true)).unwrap();
    let long = "n".repeat(70_000);
    let lone = ColumnName::from_wtf8(b"\xED\xA0\x80").unwrap();
    assert!(writer.write(&[column(&long, "<i4", &bytes)]).is_err());
    let lone = ColumnData::from_slice(lone, "<i4".parse().unwrap(), &bytes).unwrap();
    assert!(writer.write(&[lone]).is_err());
    writer.write(&[column("short", "<i4", &bytes)]).unwrap();
}

#[test]
fn modes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let bytes = [1u8; 16];
    let kind = |mode| Writer::open(&path, mode, &options(false)).map(drop).unwrap_err().kind();
    assert_eq!(kind(WriterMode::Update), ErrorKind::NotFound);
    fs::write(&path, b"").unwrap();
    let error = Writer::open(&path, WriterMode::Create, &options(false)).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::AlreadyExists, Some(&*path)));
    assert_eq!(kind(WriterMode::Update), ErrorKind::Format);
    fs::write(&path, b"not a colstore file at all").unwrap();
    assert_eq!(kind(WriterMode::Update), ErrorKind::Format);
    assert_eq!(fs::read(&path).unwrap(), b"not a colstore file at all");

    // Until the first commit the old file is there, with the new one beside it.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut writer = open(&path, WriterMode::Recreate);
    writer.write(&[column("x", "|u1", &bytes)]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"not a colstore file at all");
    drop(writer);
    assert_eq!(fs::read(&path).unwrap(), b"not a colstore file at all");
    let mut writer = open(&path, WriterMode::Recreate);
    writer.write(&[column("x", "|u1", &bytes)]).unwrap();
    writer.commit().unwrap();
    assert_eq!(entries(dir.path()), ["t.cstore"]);
    writer.write(&[column("x", "|u1", &bytes)]).unwrap();
    drop(writer);
    assert_eq!(Table::open(&path).unwrap().n_rows(), 16);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);

    // What was refused leaves the old file.
    let mut writer = open(&path, WriterMode::Recreate);
    writer.write(&[column("x", "|u1", &bytes), column("y", "|u1", &bytes[..3])]).unwrap_err();
    writer.close().unwrap();
    assert_eq!(Table::open(&path).unwrap().n_rows(), 16);
    // Nothing written, no file.
    for mode in [WriterMode::Recreate, WriterMode::Recreate, WriterMode::Create] {
        open(&path, mode).close().unwrap();
        assert_eq!(entries(dir.path()), [""; 0]);
    }
    // Dropped without being closed, the same, even with records.
    let mut writer = open(&path, WriterMode::Create);
    writer.write(&[column("x", "|u1", &bytes)]).unwrap();
    drop(writer);
    assert_eq!(entries(dir.path()), [""; 0]);
    // Places that take no file.
    for (path, expected) in [
        (dir.path().join("missing/t.cstore"), ErrorKind::NotFound),
        (dir.path().to_path_buf(), ErrorKind::Io),
        ("/dev/null".into(), ErrorKind::InvalidArgument),
    ] {
        let error = Writer::open(&path, WriterMode::Recreate, &options(false)).unwrap_err();
        assert_eq!(error.kind(), expected, "{error}");
    }
}

#[test]
fn an_update_cuts_orphans_when_it_writes_and_not_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let model = Model::new(&["<i4", "|S3"], &[5, 9], 1);
    let mut first = model.clone();
    first.record_rows.pop();
    first.stored.iter_mut().zip([20, 15]).for_each(|(s, n)| s.truncate(n));
    let with_orphans = [first.to_bytes(), b"orphans".repeat(1000)].concat();
    fs::write(&path, &with_orphans).unwrap();
    open(&path, WriterMode::Update).close().unwrap();
    drop(open(&path, WriterMode::Update));
    assert!(fs::read(&path).unwrap() == with_orphans);
    let mut writer = open(&path, WriterMode::Update);
    writer.write(&record(&model, 1)).unwrap();
    drop(writer);
    assert!(fs::read(&path).unwrap() == first.to_bytes());
    let mut writer = open(&path, WriterMode::Update);
    writer.write(&record(&model, 1)).unwrap();
    writer.close().unwrap();
    assert!(fs::read(&path).unwrap() == model.to_bytes());

    // A writer that died before its first commit leaves a file without records.
    let mut empty = model.clone();
    empty.record_rows.clear();
    fs::write(&path, [empty.to_bytes(), vec![7; 100]].concat()).unwrap();
    let mut writer = open(&path, WriterMode::Update);
    assert_eq!((writer.n_records(), writer.schema()), (0, Some(&model.schema)));
    for r in 0..2 {
        writer.write(&record(&model, r)).unwrap();
    }
    writer.close().unwrap();
    assert!(fs::read(&path).unwrap() == model.to_bytes());

    // Counters that disagree with the records are not built upon.
    let mut wrong = model.to_bytes();
    let counters = colstore_format::Counters { n_records: 2, committed_rows: 13, stats_offset: 0 };
    wrong[8..72].copy_from_slice(&counters.encode());
    fs::write(&path, &wrong).unwrap();
    let error = Writer::open(&path, WriterMode::Update, &options(false)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Format);
}

#[test]
fn big_endian_files_are_not_appended_to() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let bytes = [1u8; 16];
    let model = Model::new(&[">i4"], &[4], 1);
    fs::write(&path, model.to_bytes()).unwrap();
    let mut writer = open(&path, WriterMode::Update);
    for dtype in ["<i4", ">i4"] {
        let error = writer.write(&[column("c0", dtype, &bytes)]).unwrap_err();
        assert!(error.message().contains("dtype") && error.message().contains("big-endian"), "{error}");
    }
    assert!(writer.write_packed(4, &bytes).unwrap_err().message().contains("big-endian"));
    writer.close().unwrap();
    assert!(fs::read(&path).unwrap() == model.to_bytes());
}

#[test]
fn one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let bytes = [1u8; 16];
    let mut winner = open(&path, WriterMode::Create);
    assert!(winner.is_locked());
    let replaced_by = |winner: &mut Writer| {
        winner.write(&[column("x", "|u1", &bytes)]).unwrap();
        for mode in [WriterMode::Update, WriterMode::Recreate] {
            let before = fs::read(&path).unwrap();
            let error = Writer::open(&path, mode, &options(false)).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::Locked, Some(&*path)));
            assert!(error.message().contains("lock") && error.message().contains("t.cstore"), "{error}");
            assert!(fs::read(&path).unwrap() == before);
        }
        let error = Writer::open(&path, WriterMode::Create, &options(false)).unwrap_err();
        assert!(error.kind() == ErrorKind::AlreadyExists && error.message().contains("t.cstore"));
        Table::open(&path).map(drop)
    };
    replaced_by(&mut winner).unwrap();
    winner.commit().unwrap();
    replaced_by(&mut winner).unwrap();
    winner.close().unwrap();

    let mut winner = open(&path, WriterMode::Update);
    replaced_by(&mut winner).unwrap();
    winner.close().unwrap();
    // Before and after it takes the place of the old file.
    let mut winner = open(&path, WriterMode::Recreate);
    replaced_by(&mut winner).unwrap();
    winner.commit().unwrap();
    replaced_by(&mut winner).unwrap();
    winner.close().unwrap();
    drop(open(&path, WriterMode::Update));
    assert_eq!(entries(dir.path()), ["t.cstore"]);
    assert_eq!(Table::open(&path).unwrap().n_records(), 2);

    // Unless nobody asks.
    let _winner = open(&path, WriterMode::Update);
    let mut off = options(false);
    off.lock = Some(LockPolicy::Off);
    assert!(!Writer::open(&path, WriterMode::Update, &off).unwrap().is_locked());
}

#[test]
fn symbolic_links_stay() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("data")).unwrap();
    let link = dir.path().join("link.cstore");
    symlink("data/real.cstore", &link).unwrap();
    let bytes = [1u8; 4];
    for (mode, n_records) in [(WriterMode::Create, 1), (WriterMode::Update, 2), (WriterMode::Recreate, 1)] {
        let mut writer = open(&link, mode);
        writer.write(&[column("x", "|u1", &bytes)]).unwrap();
        writer.close().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let table = Table::open(dir.path().join("data/real.cstore")).unwrap();
        assert_eq!(table.n_records(), n_records);
    }
    assert!(Writer::open(&link, WriterMode::Create, &options(false)).is_err());
    assert_eq!(entries(&dir.path().join("data")), ["real.cstore"]);
}

#[test]
fn live_readers_keep_what_they_opened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let old = vec![1u8; 100_000];
    let new = vec![2u8; 50];
    store(&path, &[column("x", "|u1", &old)], &StoreOptions::default()).unwrap();
    let reader = Table::open(&path).unwrap();
    let view = reader.view_column(0, 0..100_000).unwrap();
    let mut writer = open(&path, WriterMode::Update);
    writer.write(&[column("x", "|u1", &new)]).unwrap();
    writer.close().unwrap();
    let mut writer = open(&path, WriterMode::Recreate);
    writer.write(&[column("x", "|u1", &new)]).unwrap();
    writer.close().unwrap();
    assert_eq!(Table::open(&path).unwrap().n_rows(), 50);
    assert!(reader.column_bytes(0, 0..100_000, &ReadOptions::default()).unwrap() == old);
    // SAFETY: the view has 100,000 rows of one byte.
    assert_eq!(unsafe { view.as_ptr().add(99_999).read() }, 1);
}

#[test]
fn a_cancelled_record_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let progress = Arc::new(Progress::new());
    let mut options = options(false);
    options.progress = Some(Arc::clone(&progress));
    let mut writer = Writer::open(&path, WriterMode::Create, &options).unwrap();
    let (small, large) = ([1u8; 100], vec![2u8; 20 << 20]);
    writer.write(&[column("x", "|u1", &small)]).unwrap();
    progress.cancel();
    let error = writer.write(&[column("x", "|u1", &large)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    writer.write(&[column("x", "|u1", &small)]).unwrap();
    writer.close().unwrap();
    assert_eq!(Table::open(&path).unwrap().n_rows(), 200);
    assert!(fs::metadata(&path).unwrap().len() < 1000);
}
