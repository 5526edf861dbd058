//! Tables of many files: what goes together, what does not, and how many there may be.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use colstore_core::{ErrorKind, OnMismatch, ReadOptions, Rows, Table, concat};
use colstore_format::{Column, Schema};
use common::{Model, open};

/// A model whose columns have these names.
fn named(columns: &[(&str, &str)], record_rows: &[u64], seed: u64) -> Model {
    let dtypes: Vec<&str> = columns.iter().map(|&(_, dtype)| dtype).collect();
    let mut model = Model::new(&dtypes, record_rows, seed);
    let columns = columns.iter().map(|&(name, dtype)| Column::new(name, dtype.parse().unwrap())).collect();
    model.schema = Schema::new(columns).unwrap();
    model
}

#[test]
fn the_order_of_columns_is_the_first_tables() {
    let dir = tempfile::tempdir().unwrap();
    let a = named(&[("x", "<i4"), ("y", "|S3"), ("z", ">f8")], &[3, 2], 1);
    let b = named(&[("z", ">f8"), ("x", "<i4"), ("y", "|S3")], &[4], 2);
    let (table, dropped) =
        concat(&[open(dir.path(), &a.to_bytes()), open(dir.path(), &b.to_bytes())], OnMismatch::Strict)
            .unwrap();
    assert!(dropped.is_empty());
    let mut reordered = b.clone();
    reordered.stored = vec![b.stored[1].clone(), b.stored[2].clone(), b.stored[0].clone()];
    let whole = a.concat(&reordered);
    let order = [8u64, 0, 4, 5, 3, 7, 7];
    whole.check_rows(&table, &Rows::indices(9, &order).unwrap(), &order, &ReadOptions::default());
    whole.check(&table, 0, 9, &ReadOptions::default());
    assert_eq!(table.n_files(), 2);
    assert_eq!(table.record_rows().collect::<Vec<_>>(), [3, 2, 4]);

    // Tables of tables are tables of their files.
    let (twice, _) = concat(&[table.clone(), table], OnMismatch::Strict).unwrap();
    assert_eq!(twice.n_files(), 4);
    whole.concat(&whole).check(&twice, 2, 16, &ReadOptions::default());
}

#[test]
fn mismatches_are_named_or_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(dir.path(), &named(&[("x", "<i4"), ("y", "<f8"), ("z", "|u1")], &[3], 1).to_bytes());
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, &'a [&'a str]);
    let cases: [Case<'_>; 4] = [
        (&[("x", "<i8"), ("y", "<f8"), ("z", "|u1")], "x", "<i4 in the former, <i8", &["x"]),
        (&[("x", "<i4"), ("z", "|u1")], "y", "missing in the latter", &["y"]),
        (&[("x", "<i4"), ("y", "<f8"), ("z", "|u1"), ("w", "|u1")], "w", "missing in the former", &["w"]),
        (&[("y", ">f8"), ("z", "|u1"), ("q", "|u1")], "x", "missing in the latter", &["q", "x", "y"]),
    ];
    for (columns, column, fragment, dropped) in cases {
        let other = open(dir.path(), &named(columns, &[2], 2).to_bytes());
        let tables = [first.clone(), other];
        let error = concat(&tables, OnMismatch::Strict).unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::InvalidArgument, Some(column)), "{error}");
        assert!(error.message().contains("Schema mismatch") && error.message().contains(fragment), "{error}");
        assert_eq!(error.path(), tables[1].paths().next());
        let (table, names) = concat(&tables, OnMismatch::Drop).unwrap();
        assert_eq!(names, dropped);
        assert_eq!(table.n_rows(), 5);
        assert!(table.schema().columns().iter().all(|c| !dropped.contains(&&*c.name().to_string())));
        for j in 0..table.schema().len() {
            table.column_bytes(j, 0..5, &ReadOptions::default()).unwrap();
        }
    }
    let nothing = open(dir.path(), &named(&[("x", "|S1")], &[2], 2).to_bytes());
    let error = concat(&[first, nothing], OnMismatch::Drop).unwrap_err();
    assert!(error.message().contains("no columns"), "{error}");
}

#[test]
fn no_tables_are_an_empty_table() {
    let (table, dropped) = concat(&[], OnMismatch::Strict).unwrap();
    assert_eq!((table.n_rows(), table.n_files(), table.n_records(), table.schema().len()), (0, 0, 0, 0));
    assert!(dropped.is_empty());
    table.read_records(&[], Rows::all(0), &mut [], &ReadOptions::default()).unwrap();
    assert_eq!(table.column_index("x").unwrap_err().kind(), ErrorKind::UnknownColumn);
}

#[test]
fn five_thousand_files_under_a_limit_of_256_descriptors() {
    let limit = libc::rlimit { rlim_cur: 256, rlim_max: 256 };
    // SAFETY: the call reads the struct it is given.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["<i8"], &[2], 7);
    let path = dir.path().join("shard.cstore");
    std::fs::write(&path, model.to_bytes()).unwrap();
    let tables: Vec<Table> = (0..5000).map(|_| Table::open(&path).unwrap()).collect();
    let (table, _) = concat(&tables, OnMismatch::Strict).unwrap();
    assert_eq!((table.n_files(), table.n_rows()), (5000, 10_000));
    let bytes = table.column_bytes(0, 0..10_000, &ReadOptions::default()).unwrap();
    assert!(bytes.chunks(16).all(|pair| pair == model.native(0)));
    let last =
        table.column_bytes(0, Rows::indices(10_000, &[-1i64]).unwrap(), &ReadOptions::default()).unwrap();
    assert_eq!(last, model.native(0)[8..]);
}
