//! Expressions over every layout of a table and every form of rows, against the same computed row by row.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod model;

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;

use colstore_core::{
    Backend, ColumnData, OpenOptions, ReadOptions, Reduction, Rows, Scalar, StoreOptions, Table, store,
};
use colstore_frame::{ColumnName, Expr, Frame, Graph, Output, Parameters, Prepared, TableScope, col, parse};
use model::{Layout, Row, layouts, row};

/// A condition and what it means.
type Condition = (&'static str, fn(&Row) -> bool);

const CONDITIONS: &[Condition] = &[
    ("x > 0.5", |r| r.x > 0.5),
    ("x > 0.5 and -1 < y < 1", |r| r.x > 0.5 && -1.0 < r.y && r.y < 1.0),
    ("x > 2.5 and tag == 7", |r| r.x > 2.5 && r.tag == 7),
    // What is looked at in place, and then computed for all rows, for few of them, or for none.
    ("x > -2 and x + y < 0.5", |r| r.x > -2.0 && r.x + r.y < 0.5),
    ("x > 2.9 and x * y > 1 and flag", |r| r.x > 2.9 && r.x * r.y > 1.0 && r.flag),
    ("7 <= tag and x != 0 and z < 0.5 and x * y > 1", |r| {
        7 <= r.tag && r.x != 0.0 && r.z < 0.5 && r.x * r.y > 1.0
    }),
    ("z < -1.5 and x + y > 0", |_| false),
    ("id >= 65530 and tag >= 3 and id < 65541", |r| r.id >= 65530 && r.tag >= 3 && r.id < 65541),
    ("tag == 7 and x > 2.5 and flag and id % 3 == 1", |r| {
        r.tag == 7 && r.x > 2.5 && r.flag && r.id.rem_euclid(3) == 1
    }),
    ("tag in [3, 5, 7]", |r| [3, 5, 7].contains(&r.tag)),
    ("tag not in [3, 5, 7] or flag", |r| ![3, 5, 7].contains(&r.tag) || r.flag),
    ("x != x", |r| r.x.is_nan()),
    ("not (x < 1)", |r| r.x.is_nan() || r.x >= 1.0),
    ("name == 'ab' or name > 'b'", |r| r.name() == b"ab" || r.name() > b"b"),
    ("name in ['a', 'ab', 'zz']", |r| [&b"a"[..], b"ab", b"zz"].contains(&r.name())),
    ("id > 1000000", |_| false),
    ("id >= 0", |_| true),
    ("x * x + y * y < 1 and z > 0", |r| r.x * r.x + r.y * r.y < 1.0 && r.z > 0.0),
    ("id // 7 == 2", |r| r.id.div_euclid(7) == 2),
    ("flag", |r| r.flag),
];

fn options(threads: usize) -> ReadOptions<'static> {
    ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None }
}

fn numbers(rows: &Rows<'_>) -> Vec<u64> {
    rows.to_vec(0..rows.len())
}

/// Selections of a table, of every form, and what they select.
fn selections(n: u64) -> Vec<(Rows<'static>, Vec<u64>)> {
    let last = n as i64 - 1;
    let mask: Vec<u8> = (0..n).map(|i| u8::from(i % 5 == 1 || i % 7 == 3)).collect();
    let indices: Vec<i64> = (0..n.min(9000) as i64).map(|i| i * i * 31 % n as i64).collect();
    let mut rows = vec![Rows::all(n), Rows::mask(n, &mask).unwrap()];
    rows.push(Rows::range(n, n as i64 / 3, last + 1, 1).unwrap());
    rows.push(Rows::range(n, last, -1, -3).unwrap());
    rows.push(Rows::range(n, 0, n.min(5) as i64, 1).unwrap());
    if n > 0 {
        rows.push(Rows::indices(n, &indices).unwrap().into_owned());
    }
    rows.into_iter()
        .map(|rows| {
            let all = numbers(&rows);
            (rows, all)
        })
        .collect()
}

fn each_table(mut f: impl FnMut(&str, &Table, &[Row])) {
    let directory = tempfile::tempdir().unwrap();
    for layout in layouts() {
        let rows: Vec<Row> = (0..layout.n_rows()).map(row).collect();
        for backend in [Backend::Mmap, Backend::Pread] {
            if backend == Backend::Pread && layout.n_rows() > 5000 {
                continue;
            }
            let mut options = OpenOptions::default();
            options.backend = Some(backend);
            let table = layout.open(directory.path(), &options);
            f(&format!("{layout:?} {backend:?}"), &table, &rows);
        }
    }
}

fn condition(text: &str) -> Expr {
    parse(text, &Parameters::new()).unwrap().expr().clone()
}

#[test]
fn conditions_over_all_rows_of_every_form() {
    each_table(|case, table, rows| {
        let scope = TableScope::new(table);
        for (base, positions) in selections(table.n_rows()) {
            for (text, holds) in CONDITIONS {
                let graph = Graph::bind_condition(&condition(text), &scope).unwrap();
                let expected: Vec<u64> = (0..)
                    .zip(&positions)
                    .filter(|(_, position)| holds(&rows[**position as usize]))
                    .map(|(at, _)| at)
                    .collect();
                for threads in [1, 2, 3] {
                    let found = graph.select_rows(0, &base, &options(threads)).unwrap();
                    assert!(numbers(&found.rows) == expected, "{text} over {:?} of {case}", base.form());
                }
            }
        }
    });
}

#[test]
fn roots_compared_with_constants() {
    each_table(|case, table, rows| {
        let scope = TableScope::new(table);
        let base = Rows::all(table.n_rows());
        let sum = || col("x").pow(2) + col("y").pow(2);
        type Holds = fn(&Row) -> bool;
        let conditions: [(Expr, Holds); 5] = [
            (sum().sqrt().gt(1.5), |r| (r.x * r.x + r.y * r.y).sqrt() > 1.5),
            (sum().sqrt().le(1.5), |r| (r.x * r.x + r.y * r.y).sqrt() <= 1.5),
            (col("x").sqrt().lt(1.0), |r| r.x.sqrt() < 1.0),
            // A square divided by a negative zero is below zero.
            ((col("x").pow(2) / -0.0).sqrt().lt(1.0), |r| (r.x * r.x / -0.0).sqrt() < 1.0),
            ((col("y").pow(2) / col("x").sqrt()).sqrt().lt(1.0), |r| (r.y * r.y / r.x.sqrt()).sqrt() < 1.0),
        ];
        for (at, (condition, holds)) in conditions.iter().enumerate() {
            let graph = Graph::bind_condition(condition, &scope).unwrap();
            let found = graph.select_rows(0, &base, &options(2)).unwrap();
            let expected: Vec<u64> =
                (0..).zip(rows).filter(|(_, row)| holds(row)).map(|(at, _)| at).collect();
            assert!(numbers(&found.rows) == expected, "condition {at} of {case}");
        }
    });
}

fn uninit(bytes: usize) -> Vec<MaybeUninit<u8>> {
    vec![MaybeUninit::new(0xEE); bytes]
}

fn bytes(memory: &[MaybeUninit<u8>]) -> Vec<u8> {
    // SAFETY: made of initialised bytes, and whoever writes writes initialised ones.
    memory.iter().map(|byte| unsafe { byte.assume_init() }).collect()
}

/// Columns of a frame and what they are.
fn derived() -> Vec<(ColumnName, Expr)> {
    vec![
        ("r".into(), (col("x").pow(2) + col("y").pow(2)).sqrt()),
        ("twice".into(), col("id") * 2 - col("tag")),
        ("half".into(), col("z") / 2.0),
        ("x".into(), col("x")),
        ("name".into(), col("name")),
        (
            "sign".into(),
            Expr::call(colstore_frame::Function::Where, [col("flag"), col("tag"), col("tag") * -1]).unwrap(),
        ),
    ]
}

fn derived_row(r: &Row) -> [Vec<u8>; 6] {
    [
        (r.x * r.x + r.y * r.y).sqrt().to_le_bytes().to_vec(),
        (r.id * 2 - i64::from(r.tag)).to_le_bytes().to_vec(),
        (r.z / 2.0).to_le_bytes().to_vec(),
        r.x.to_le_bytes().to_vec(),
        r.name.to_vec(),
        (if r.flag { r.tag } else { r.tag.wrapping_neg() }).to_le_bytes().to_vec(),
    ]
}

fn columns_of(prepared: &Prepared, range: std::ops::Range<u64>, threads: usize) -> Vec<Vec<u8>> {
    let n = (range.end - range.start) as usize;
    let mut memory: Vec<_> = prepared.columns().map(|(_, dtype)| uninit(n * dtype.itemsize())).collect();
    let outs = memory.iter_mut().map(|memory| &mut memory[..]).collect();
    prepared.read(range, Output::Columns(outs), &options(threads)).unwrap();
    memory.iter().map(|memory| bytes(memory)).collect()
}

#[test]
fn columns_records_batches_and_files() {
    let directory = tempfile::tempdir().unwrap();
    each_table(|case, table, rows| {
        for (base, positions) in selections(table.n_rows()) {
            let names: Vec<ColumnName> = derived().into_iter().map(|(name, _)| name).collect();
            let frame = Frame::with_rows(table, base.clone()).unwrap().assign(&derived()).unwrap();
            let frame = frame.select(&names).unwrap();
            for cuts in 0..3 {
                // Columns that were left out serve cuts no more; r and x are there.
                let with_cuts = || {
                    let mut cut = frame.clone();
                    if cuts > 0 {
                        cut = cut.filter(&col("r").gt(1.0), Some("r"), None).unwrap();
                    }
                    if cuts > 1 {
                        cut = cut.filter(&col("twice").ge(40).and(col("x").lt(2.0)), None, None).unwrap();
                    }
                    cut
                };
                let cut = with_cuts();
                let mut kept: Vec<&Row> =
                    positions.iter().map(|&position| &rows[position as usize]).collect();
                if cuts > 0 {
                    kept.retain(|r| (r.x * r.x + r.y * r.y).sqrt() > 1.0);
                }
                if cuts > 1 {
                    kept.retain(|r| r.id * 2 - i64::from(r.tag) >= 40 && r.x < 2.0);
                }
                let mut expected = vec![Vec::new(); 6];
                for row in &kept {
                    expected
                        .iter_mut()
                        .zip(derived_row(row))
                        .for_each(|(column, value)| column.extend(value));
                }
                let case = format!("{cuts} cuts of {:?} of {case}", base.form());
                assert_eq!(cut.count(&options(1)).unwrap(), kept.len() as u64, "{case}");
                let prepared = cut.prepare(None, &options(2)).unwrap();
                for threads in [1, 3] {
                    assert!(columns_of(&prepared, 0..prepared.n_rows(), threads) == expected, "{case}");
                }
                // Batches end to end.
                let mut joined = vec![Vec::new(); 6];
                for range in prepared.batches(1777).unwrap() {
                    let batch = columns_of(&prepared, range, 2);
                    joined.iter_mut().zip(batch).for_each(|(all, batch)| all.extend(batch));
                }
                assert!(joined == expected, "batches of {case}");
                // Records.
                let mut memory = uninit(kept.len() * prepared.row_bytes() as usize);
                prepared.read(0..prepared.n_rows(), Output::Records(&mut memory), &options(2)).unwrap();
                let records: Vec<u8> = kept.iter().flat_map(|row| derived_row(row).concat()).collect();
                assert!(bytes(&memory) == records, "records of {case}");
                // A file.
                let path = directory.path().join("out.cstore");
                let store_options =
                    StoreOptions { mode: colstore_core::StoreMode::Recreate, ..StoreOptions::default() };
                cut.write(&path, &store_options).unwrap();
                let written = Table::open(&path).unwrap();
                assert_eq!((written.n_rows(), written.n_records()), (kept.len() as u64, 1));
                for (j, column) in expected.iter().enumerate() {
                    let read = written.column_bytes(j, 0..written.n_rows(), &options(1)).unwrap();
                    assert!(read == *column, "file of {case}");
                }
                // Reductions: those of the file that was written, and bit for bit the same whatever the threads, and
                // whether the rows were found before. Without cuts, the file's own to the last bit.
                for (name, reduction) in [
                    ("r", Reduction::Sum),
                    ("half", Reduction::Std),
                    ("twice", Reduction::Mean),
                    ("r", Reduction::Min),
                ] {
                    let position = written.column_index(name).unwrap();
                    let expected =
                        written.reduce(position, 0..written.n_rows(), reduction, 0.0, &options(1)).unwrap();
                    let (first, _) = cut.reduce(&col(name), reduction, 0.0, &options(1)).unwrap();
                    assert!(
                        is_close(first, expected),
                        "{name} {reduction:?} of {case}: {first:?}, {expected:?}"
                    );
                    let exactly = if cut.n_cuts() == 0 { expected } else { first };
                    for threads in [1, 2, 3] {
                        // With the rows found before, and in one pass with them.
                        for cut in [&cut, &with_cuts()] {
                            let (found, _) =
                                cut.reduce(&col(name), reduction, 0.0, &options(threads)).unwrap();
                            assert_eq!(
                                format!("{found:?}"),
                                format!("{exactly:?}"),
                                "{name} {reduction:?} of {case}"
                            );
                        }
                    }
                }
            }
        }
    });
}

/// But for the rounding of sums in another order.
fn is_close(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => {
            a == b || (a - b).abs() <= 1e-12 * b.abs() || a.is_nan() && b.is_nan()
        }
        _ => a == b,
    }
}

#[test]
fn cutflow_counts_rows_and_weights() {
    let directory = tempfile::tempdir().unwrap();
    let layout = Layout { files: vec![vec![4000, 0, 1], vec![5000]], big: false };
    let table = layout.open(directory.path(), &OpenOptions::default());
    let rows: Vec<Row> = (0..layout.n_rows()).map(row).collect();
    let frame = Frame::new(&table).unwrap();
    let frame = frame.filter(&col("x").gt(0.0), None, None).unwrap();
    let frame = frame.filter(&col("tag").lt(20), Some("tag"), Some(&col("tag"))).unwrap();
    let frame = frame.filter(&col("flag"), Some("flag"), None).unwrap();
    let (records, _) = frame.cutflow(&options(2)).unwrap();
    let first: Vec<&Row> = rows.iter().filter(|r| r.x > 0.0).collect();
    let second: Vec<&Row> = first.iter().copied().filter(|r| r.tag < 20).collect();
    let third: Vec<&Row> = second.iter().copied().filter(|r| r.flag).collect();
    let weight = |rows: &[&Row]| Some(rows.iter().map(|r| f64::from(r.tag)).sum::<f64>());
    let squares = |rows: &[&Row]| Some(rows.iter().map(|r| f64::from(r.tag).powi(2)).sum::<f64>());
    let counts: Vec<(u64, u64)> = records.iter().map(|r| (r.entering, r.passing)).collect();
    let sizes = [rows.len(), first.len(), second.len(), third.len()].map(|len| len as u64);
    assert_eq!(counts, [(sizes[0], sizes[1]), (sizes[1], sizes[2]), (sizes[2], sizes[3])]);
    assert_eq!((records[0].weighted_entering, records[0].label.as_deref()), (None, None));
    assert_eq!(
        (records[1].weighted_entering, records[1].weighted_passing),
        (weight(&first), weight(&second))
    );
    // The weight stays until another is given.
    assert_eq!(
        (records[2].weighted_entering, records[2].weighted_passing),
        (weight(&second), weight(&third))
    );
    assert_eq!(records[2].weighted_variance, squares(&third));
    assert_eq!(records[2].efficiency(), third.len() as f64 / second.len() as f64);
    assert_eq!(frame.count(&options(1)).unwrap(), third.len() as u64);
}

#[test]
fn an_untouched_frame_is_written_as_its_file() {
    let directory = tempfile::tempdir().unwrap();
    let values: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
    let column = ColumnData::from_slice("a".into(), "<u4".parse().unwrap(), &values).unwrap();
    let path = directory.path().join("a.cstore");
    store(&path, &[column], &StoreOptions { statistics: true, ..StoreOptions::default() }).unwrap();
    let frame = Frame::new(&Table::open(&path).unwrap()).unwrap();
    let copy = directory.path().join("b.cstore");
    frame.write(&copy, &StoreOptions { statistics: true, ..StoreOptions::default() }).unwrap();
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&copy).unwrap());
    assert!(frame.write(&copy, &StoreOptions::default()).is_err());
}
