//! One-shot writing: the bytes, the modes, and what is left after a failure.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use colstore_core::{
    ColumnData, ColumnName, DType, Durability, ErrorKind, Progress, ReadOptions, StoreMode, StoreOptions,
    Table, store,
};
use common::Model;

const DTYPES: [&str; 12] =
    ["|b1", "|i1", "<i2", "<u4", "<i8", "<f2", "<f4", "<f8", "<M8[us]", "<m8[h]", "|S5", "<U3"];

fn columns(model: &Model) -> Vec<ColumnData<'_>> {
    model
        .schema
        .columns()
        .iter()
        .zip(&model.stored)
        .map(|(c, bytes)| ColumnData::from_slice(c.name().clone(), c.dtype(), bytes).unwrap())
        .collect()
}

fn column<'a>(name: &str, dtype: &str, bytes: &'a [u8]) -> ColumnData<'a> {
    ColumnData::from_slice(name.into(), dtype.parse().unwrap(), bytes).unwrap()
}

/// The directory's entries, so that a forgotten temporary file shows.
fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_file_is_what_the_format_says() {
    let dir = tempfile::tempdir().unwrap();
    for n_rows in [0, 1, 3, 1000, 300_001] {
        let model = Model::new(&DTYPES, &[n_rows], 7);
        for durability in [Durability::Process, Durability::Disk] {
            let path = dir.path().join("t.cstore");
            let options = StoreOptions { mode: StoreMode::Recreate, durability, ..StoreOptions::default() };
            store(&path, &columns(&model), &options).unwrap();
            assert!(fs::read(&path).unwrap() == model.to_bytes(), "{n_rows} rows");
        }
    }
    assert_eq!(entries(dir.path()), ["t.cstore"]);
}

#[test]
fn strided_and_big_endian_values_are_stored_packed_and_little_endian() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let values: Vec<i32> = (0..200_000).map(|i| i * 7 - 5).collect();
    let big: Vec<u8> = values.iter().flat_map(|v| v.to_be_bytes()).collect();
    let little: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let n = values.len() as u64;
    let (be, le): (DType, DType) = (">i4".parse().unwrap(), "<i4".parse().unwrap());
    // SAFETY: every value lies in `big` or `little`, which outlive the columns and are not changed.
    let columns = unsafe {
        [
            ColumnData::from_raw("swapped".into(), be, big.as_ptr(), n, 4),
            ColumnData::from_raw("reversed".into(), le, little.as_ptr().add(little.len() - 4), n, -4),
            ColumnData::from_raw("constant".into(), le, little.as_ptr().add(8), n, 0),
            ColumnData::from_raw("reversed, swapped".into(), be, big.as_ptr().add(big.len() - 4), n, -4),
        ]
    };
    store(&path, &columns, &StoreOptions::default()).unwrap();
    let table = Table::open(&path).unwrap();
    let read = |name: &str| -> Vec<i32> {
        let column = table.column_index(name).unwrap();
        let bytes = table.column_bytes(column, 0..n, &ReadOptions::default()).unwrap();
        bytes.chunks_exact(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let reversed: Vec<i32> = values.iter().rev().copied().collect();
    assert!(table.schema().columns().iter().all(|c| c.dtype() == le));
    assert!(read("swapped") == values);
    assert!(read("reversed") == reversed);
    assert!(read("constant") == vec![values[2]; values.len()]);
    assert!(read("reversed, swapped") == reversed);
}

#[test]
fn statistics_cover_every_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let n = 400_000u64;
    let times: Vec<u8> = (0..n as i64).flat_map(|i| ((i * 77_777) % 400_009 - 11).to_le_bytes()).collect();
    let floats: Vec<u8> = (0..n).flat_map(|i| ((i % 1013) as f64 - 3.5).to_le_bytes()).collect();
    let mut holes = floats.clone();
    holes[3_000_000..3_000_008].copy_from_slice(&f64::NAN.to_le_bytes());
    let text = vec![b'x'; n as usize];
    let columns = [
        column("times", "<M8[s]", &times),
        column("floats", "<f8", &floats),
        column("holes", "<f8", &holes),
        column("text", "|S1", &text),
    ];
    store(&path, &columns, &StoreOptions { statistics: true, ..StoreOptions::default() }).unwrap();
    let table = Table::open(&path).unwrap();
    let statistics = table.statistics().unwrap().columns();
    let value = |i: i64| (i * 77_777) % 400_009 - 11;
    let low = (0..n as i64).map(value).min().unwrap();
    let high = (0..n as i64).map(value).max().unwrap();
    assert_eq!(
        (&statistics[0].min[..], &statistics[0].max[..]),
        (&low.to_le_bytes()[..], &high.to_le_bytes()[..])
    );
    assert_eq!(statistics[1].min, (-3.5f64).to_le_bytes());
    assert_eq!(statistics[1].max, 1008.5f64.to_le_bytes());
    let valid: Vec<_> = statistics.iter().map(|s| s.valid.clone()).collect();
    assert_eq!(valid, [[true], [true], [false], [false]]);
    assert_eq!((&statistics[2].min[..], &statistics[3].max[..]), (&[0; 8][..], &[0][..]));
}

#[test]
fn create_refuses_and_recreate_replaces_what_exists() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let (old, new) = ([1u8; 64], [2u8; 32]);
    store(&path, &[column("x", "|u1", &old)], &StoreOptions::default()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::read(&path).unwrap();
    let error = store(&path, &[column("x", "|u1", &new)], &StoreOptions::default()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::AlreadyExists, Some(&*path)));
    assert_eq!(fs::read(&path).unwrap(), before);

    let reader = Table::open(&path).unwrap();
    let view = reader.view_column(0, 0..64).unwrap();
    let recreate = StoreOptions { mode: StoreMode::Recreate, ..StoreOptions::default() };
    store(&path, &[column("y", "|u1", &new)], &recreate).unwrap();
    let fresh = Table::open(&path).unwrap();
    assert_eq!(fresh.n_rows(), 32);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
    // The old reader keeps what it opened.
    assert_eq!(reader.column_bytes(0, 0..64, &ReadOptions::default()).unwrap(), old);
    // SAFETY: the view has 64 rows of one byte.
    assert_eq!(unsafe { view.as_ptr().add(63).read() }, 1);
    assert_eq!(entries(dir.path()), ["t.cstore"]);
}

#[test]
fn a_symbolic_link_stays_and_its_target_is_written() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("data")).unwrap();
    let link = dir.path().join("link.cstore");
    symlink("data/real.cstore", &link).unwrap();
    let recreate = StoreOptions { mode: StoreMode::Recreate, ..StoreOptions::default() };
    for n in [3usize, 5] {
        // First the target does not exist, then it does.
        store(&link, &[column("x", "|u1", &vec![7; n])], &recreate).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(Table::open(dir.path().join("data/real.cstore")).unwrap().n_rows(), n as u64);
    }
    assert_eq!(entries(&dir.path().join("data")), ["real.cstore"]);
    symlink("loop", dir.path().join("loop")).unwrap();
    let error = store(dir.path().join("loop"), &[column("x", "|u1", &[1])], &recreate).unwrap_err();
    assert_eq!(error.os_code(), Some(libc::ELOOP));
}

#[test]
fn wrong_input_is_refused_before_anything_is_created() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let bytes = [0u8; 8];
    let long_name = "n".repeat(70_000);
    let cases: [(&str, Vec<ColumnData<'_>>, bool, Option<&str>); 4] = [
        ("empty column mapping", vec![], false, None),
        (
            "has 8 rows; expected 1",
            vec![column("a", "<i8", &bytes), column("b", "|u1", &bytes)],
            false,
            Some("b"),
        ),
        ("both named", vec![column("a", "|u1", &bytes), column("a", "|i1", &bytes)], false, Some("a")),
        ("65535", vec![column(&long_name, "|u1", &bytes)], true, Some(&long_name)),
    ];
    for (fragment, columns, statistics, name) in cases {
        let options = StoreOptions { statistics, ..StoreOptions::default() };
        let error = store(&path, &columns, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().replace(',', "").contains(&fragment.replace(',', "")), "{error}");
        assert_eq!(error.column(), name);
    }
    // SAFETY: no value has a byte to be read.
    let zero_width =
        unsafe { ColumnData::from_raw("z".into(), "|S0".parse().unwrap(), bytes.as_ptr(), 8, 0) };
    let error = store(&path, &[zero_width], &StoreOptions::default()).unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::InvalidArgument, Some("z")));
    assert!(ColumnData::from_slice("x".into(), "<i8".parse().unwrap(), &bytes[..7]).is_err());
    // Without statistics, a long name is nothing special.
    assert_eq!(entries(dir.path()), [""; 0]);
    store(&path, &[column(&long_name, "|u1", &bytes)], &StoreOptions::default()).unwrap();
    assert_eq!(Table::open(&path).unwrap().column_index(&long_name).unwrap(), 0);
}

#[test]
fn places_that_take_no_file_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = [0u8; 8];
    let columns = [column("a", "|u1", &bytes)];
    let recreate = StoreOptions { mode: StoreMode::Recreate, ..StoreOptions::default() };
    let kind = |path: &Path| store(path, &columns, &recreate).unwrap_err().kind();
    assert_eq!(kind(&dir.path().join("missing/t.cstore")), ErrorKind::NotFound);
    assert_eq!(kind(dir.path()), ErrorKind::Io);
    assert_eq!(kind(Path::new("/dev/null")), ErrorKind::InvalidArgument);
    assert_eq!(kind(Path::new("/")), ErrorKind::Io);
    assert!(
        fs::symlink_metadata("/dev/null").unwrap().file_type().is_symlink()
            || Path::new("/dev/null").exists()
    );
    assert_eq!(entries(dir.path()), [""; 0]);
}

#[test]
fn a_cancelled_store_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let bytes = vec![0u8; 20 << 20];
    let progress = Progress::new();
    progress.cancel();
    let options = StoreOptions { progress: Some(&progress), ..StoreOptions::default() };
    let error = store(&path, &[column("a", "|u1", &bytes)], &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(entries(dir.path()), [""; 0]);
}

#[test]
fn names_of_any_kind_round_trip() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let lone = ColumnName::from_wtf8(b"\xED\xA0\x80").unwrap();
    let names: Vec<ColumnName> =
        vec!["".into(), " ".into(), "\u{7f}\u{e9}\u{1f600}\"\\".into(), "e\u{301}".into(), lone, "\0".into()];
    let bytes = [1u8, 2];
    let columns: Vec<_> = names
        .iter()
        .map(|n| ColumnData::from_slice(n.clone(), "|i1".parse().unwrap(), &bytes).unwrap())
        .collect();
    store(&path, &columns, &StoreOptions::default()).unwrap();
    let table = Table::open(&path).unwrap();
    for (j, name) in names.iter().enumerate() {
        assert_eq!(table.schema().columns()[j].name(), name);
        assert_eq!(table.column_index(name.as_bytes()).unwrap(), j);
    }
}
