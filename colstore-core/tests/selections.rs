//! Every selection over every layout of records and files gives the rows it names, in order.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::num::NonZeroUsize;

use colstore_core::{ErrorKind, OnMismatch, ReadOptions, Rows, Table, concat};
use common::{Model, as_uninit, open};
use proptest::prelude::*;

const DTYPES: [&str; 14] =
    ["|b1", "<i2", "<i4", "<f8", "<f16", "<M8[ns]", "|S1", "|S5", "<U3", ">i4", ">f8", ">U2", "|S33", "|u1"];

/// A table of files of these records each, and what is in it.
fn table(dir: &std::path::Path, dtypes: &[&str], files: &[Vec<u64>], seed: u64) -> (Model, Table) {
    let mut tables = Vec::new();
    let mut whole = Model::new(dtypes, &[], 1);
    for (i, records) in files.iter().enumerate() {
        let model = Model::new(dtypes, records, seed.wrapping_add(i as u64 * 77));
        tables.push(open(dir, &model.to_bytes()));
        whole = whole.concat(&model);
    }
    let table = match tables.len() {
        1 => tables.remove(0),
        _ => concat(&tables, OnMismatch::Strict).unwrap().0,
    };
    assert_eq!(table.n_rows(), whole.n_rows());
    (whole, table)
}

fn layouts() -> Vec<Vec<Vec<u64>>> {
    vec![
        vec![vec![]],
        vec![vec![9]],
        vec![vec![4, 4, 1]],
        vec![vec![0, 3, 0, 5, 0]],
        vec![vec![3], vec![], vec![0], vec![2, 2], vec![2]],
    ]
}

#[test]
fn ranges_with_every_step() {
    let dir = tempfile::tempdir().unwrap();
    for layout in layouts() {
        let (model, table) = table(dir.path(), &["<i4", ">i4", "|S3"], &layout, 3);
        let n = model.n_rows() as i64;
        for start in 0..n {
            for stop in -1..=n {
                for step in [-100, -4, -3, -2, -1, 1, 2, 3, 5, 100] {
                    let positions: Vec<u64> = (0..)
                        .map(|i| start + i * step)
                        .take_while(|&row| if step > 0 { row < stop } else { row > stop })
                        .map(|row| row as u64)
                        .collect();
                    let rows = Rows::range(n as u64, start, stop, step).unwrap();
                    assert_eq!(rows.to_vec(0..rows.len()), positions);
                    model.check_rows(&table, &rows, &positions, &ReadOptions::default());
                }
            }
        }
    }
}

#[test]
fn large_selections_on_several_threads() {
    let dir = tempfile::tempdir().unwrap();
    let files =
        [vec![vec![300_001]], vec![vec![50; 6000]], vec![vec![100_000, 0, 7], vec![1; 500], vec![150_000]]];
    for (f, layout) in files.iter().enumerate() {
        let (model, table) = table(dir.path(), &["<f8", ">i4", "|S3", "<f16"], layout, 11);
        let n = model.n_rows();
        let mut state = 12345u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let unsorted: Vec<u64> = (0..n / 2).map(|_| random() % n).collect();
        let mut sorted = unsorted.clone();
        sorted.sort_unstable();
        let signed: Vec<i32> = unsorted
            .iter()
            .map(|&row| if random() % 2 == 0 { row as i32 } else { row as i32 - n as i32 })
            .collect();
        for threads in [1, 2, 5] {
            let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
            model.check_rows(&table, &Rows::indices(n, &unsorted).unwrap(), &unsorted, &options);
            model.check_rows(&table, &Rows::indices(n, &sorted).unwrap(), &sorted, &options);
            model.check_rows(&table, &Rows::indices(n, &signed).unwrap(), &unsorted, &options);
            for one_in in [1, 2, 10, 1000] {
                let bytes: Vec<u8> = (0..n).map(|_| u8::from(random() % one_in == 0)).collect();
                let set: Vec<u64> = (0..n).filter(|&row| bytes[row as usize] != 0).collect();
                let rows = Rows::mask(n, &bytes).unwrap();
                model.check_rows(&table, &rows, &set, &options);
                assert_eq!(rows.to_vec(3..rows.len().min(70_000)), set[3..set.len().min(70_000)]);
            }
            for (start, stop, step) in [(0, n as i64, 3), (n as i64 - 1, -1, -1), (5, n as i64, 7777)] {
                let rows = Rows::range(n, start, stop, step).unwrap();
                let positions: Vec<u64> = (0..rows.len() as i64).map(|i| (start + i * step) as u64).collect();
                model.check_rows(&table, &rows, &positions, &options);
            }
        }
        // A few rows of many records, before and after the table knows where all of them lie.
        let fresh = concat(std::slice::from_ref(&table), OnMismatch::Strict).unwrap().0;
        let few = [n - 1, 0, n / 2, n / 2];
        for _ in 0..2 {
            model.check_rows(&fresh, &Rows::indices(n, &few).unwrap(), &few, &ReadOptions::default());
            fresh.column_bytes(0, Rows::indices(n, &unsorted).unwrap(), &ReadOptions::default()).unwrap();
        }
        assert!(f < 3);
    }
}

/// A selection and the rows it stands for.
#[derive(Debug, Clone)]
enum Choice {
    Range(prop::sample::Index, prop::sample::Index, i64),
    Indices(Vec<(prop::sample::Index, bool)>, bool),
    Mask(Vec<bool>),
}

fn choices() -> impl Strategy<Value = Choice> {
    prop_oneof![
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), -5i64..6)
            .prop_map(|(a, b, step)| Choice::Range(a, b, if step == 0 { 1 } else { step })),
        (prop::collection::vec(any::<(prop::sample::Index, bool)>(), 0..60), any::<bool>())
            .prop_map(|(indices, sorted)| Choice::Indices(indices, sorted)),
        prop::collection::vec(any::<bool>(), 0..8).prop_map(Choice::Mask),
    ]
}

impl Choice {
    /// The selection for `n` rows, with memory of its own, and its positions.
    fn make(&self, n: u64) -> (Rows<'static>, Vec<u64>) {
        match self {
            Choice::Range(..) if n == 0 => (Rows::all(0), vec![]),
            Choice::Range(a, b, step) => {
                let (start, stop) = (a.index(n as usize + 1) as i64, b.index(n as usize + 1) as i64 - 1);
                let start = start.min(n as i64 - 1).max(0);
                let positions: Vec<u64> = (0..n as i64)
                    .map(|i| start + i * step)
                    .take_while(|&row| if *step > 0 { row < stop } else { row > stop })
                    .map(|row| row as u64)
                    .collect();
                (Rows::range(n, start, stop, *step).unwrap(), positions)
            }
            Choice::Indices(_, _) if n == 0 => (Rows::indices::<i8>(0, &[]).unwrap(), vec![]),
            Choice::Indices(indices, sorted) => {
                let mut rows: Vec<(u64, bool)> =
                    indices.iter().map(|(i, negative)| (i.index(n as usize) as u64, *negative)).collect();
                if *sorted {
                    rows.sort_by_key(|&(row, _)| row);
                }
                let given: Vec<i64> = rows
                    .iter()
                    .map(|&(row, negative)| row as i64 - if negative { n as i64 } else { 0 })
                    .collect();
                let positions = rows.into_iter().map(|(row, _)| row).collect();
                (Rows::indices(n, &given).unwrap().into_owned(), positions)
            }
            Choice::Mask(pattern) => {
                let bit = |row: u64| !pattern.is_empty() && pattern[row as usize % pattern.len()];
                let positions = (0..n).filter(|&row| bit(row)).collect();
                let mut bits = vec![0u8; n.div_ceil(8) as usize];
                (0..n).filter(|&row| bit(row)).for_each(|row| bits[row as usize / 8] |= 1 << (row % 8));
                (Rows::mask_bits(n, &bits).unwrap(), positions)
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn selections_of_selections(
        dtypes in prop::collection::vec(prop::sample::select(&DTYPES[..]), 1..5),
        files in prop::collection::vec(prop::collection::vec(0u64..30, 0..5), 0..4),
        seed in any::<u64>(),
        chain in prop::collection::vec(choices(), 1..4),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let (model, table) = if files.is_empty() {
            table(dir.path(), &dtypes, &[vec![]], seed)
        } else {
            table(dir.path(), &dtypes, &files, seed)
        };
        let (mut rows, mut positions) = chain[0].make(model.n_rows());
        model.check_rows(&table, &rows, &positions, &ReadOptions::default());
        for choice in &chain[1..] {
            let (inner, within) = choice.make(positions.len() as u64);
            rows = rows.select(&inner).unwrap();
            positions = within.iter().map(|&i| positions[i as usize]).collect();
            prop_assert_eq!(rows.to_vec(0..rows.len()), positions.clone());
            model.check_rows(&table, &rows, &positions, &ReadOptions::default());
        }
    }
}

#[test]
fn every_index_type_counts_from_either_end() {
    let expected = [9, 0, 3, 9, 2];
    macro_rules! check {
        ($signed:ty, $unsigned:ty) => {
            let rows = [-1 as $signed, 0, 3, 9, -8];
            assert_eq!(Rows::indices(10, &rows).unwrap().to_vec(0..5), expected);
            let rows = [9 as $unsigned, 0, 3, 9, 2];
            assert_eq!(Rows::indices(10, &rows).unwrap().to_vec(0..5), expected);
        };
    }
    check!(i8, u8);
    check!(i16, u16);
    check!(i32, u32);
    check!(i64, u64);
}

#[test]
fn wrong_selections_name_the_first_bad_row() {
    fn fails<I: colstore_core::Index>(n: u64, indices: &[I], row: i64, position: usize) {
        let error = Rows::indices(n, indices).unwrap_err();
        assert_eq!((error.kind(), error.row()), (ErrorKind::OutOfBounds, Some(row)), "{error}");
        assert!(error.message().contains(&format!("position {position} ")), "{error}");
        assert!(error.message().contains("out of bounds"), "{error}");
    }
    fails(10, &[0i64, 10, 11], 10, 1);
    fails(10, &[0i64, -11, 99], -11, 1);
    fails(0, &[0u8], 0, 0);
    fails(5, &[u64::MAX], i64::MAX, 0);
    fails(5, &[i64::MIN], i64::MIN, 0);
    let mut many = vec![3i32; 1_000_000];
    many[999_999] = 7;
    many[765_432] = -8;
    fails(7, &many, -8, 765_432);

    let kind = |rows: colstore_core::Result<Rows<'_>>| rows.unwrap_err().kind();
    assert_eq!(kind(Rows::range(5, 0, 6, 1)), ErrorKind::OutOfBounds);
    assert_eq!(kind(Rows::range(5, -1, 3, 1)), ErrorKind::OutOfBounds);
    assert_eq!(kind(Rows::range(5, 0, 5, 0)), ErrorKind::InvalidArgument);
    assert!(Rows::range(5, i64::MIN, i64::MAX, i64::MAX).is_err());
    assert!(Rows::range(0, 0, 0, 1).unwrap().is_empty());
    for len in [0, 4, 6] {
        let error = Rows::mask(5, &vec![1; len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfBounds);
        assert!(error.message().contains(&format!("mask length {len} ")), "{error}");
    }
    assert_eq!(kind(Rows::mask_bits(9, &[0])), ErrorKind::OutOfBounds);
    assert_eq!(kind(Rows::all(5).select(&Rows::all(4))), ErrorKind::InvalidArgument);
}

#[test]
fn a_selection_for_another_number_of_rows_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let table = open(dir.path(), &Model::new(&["<i4"], &[10], 1).to_bytes());
    let mut memory = [0xEE; 36];
    let error =
        table.read_column(0, Rows::all(9), as_uninit(&mut memory), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(memory, [0xEE; 36]);
}

#[test]
fn progressions_and_runs_are_views_where_they_lie_together() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&["<i4"], &[6, 6], 5);
    let table = open(dir.path(), &model.to_bytes());
    let native = model.native(0);
    let value = |row: usize| native[4 * row..4 * row + 4].to_vec();
    for (indices, expected) in [
        (vec![0i64, 2, 4], Some(vec![0, 2, 4])),
        (vec![5, 3, 1], Some(vec![5, 3, 1])),
        (vec![-1], Some(vec![11])),
        (vec![5, 6], None),
        (vec![0, 2, 3], None),
    ] {
        let rows = Rows::indices(12, &indices).unwrap();
        match (table.view_column(0, &rows), expected) {
            (Ok(view), Some(expected)) => {
                for (i, row) in expected.into_iter().enumerate() {
                    let address = view.as_ptr().wrapping_offset(i as isize * view.stride());
                    // SAFETY: value `i` of the view, four bytes.
                    let found: Vec<u8> = (0..4).map(|b| unsafe { address.add(b).read() }).collect();
                    assert_eq!(found, value(row));
                }
            }
            (Err(error), None) => {
                assert_eq!(error.kind(), ErrorKind::NotContiguous);
                assert!(error.message().ends_with("read a copy"), "{error}");
            }
            (found, expected) => panic!("{indices:?}: {found:?} where {expected:?}"),
        }
    }
    let mask = Rows::mask(12, &[0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!(table.view_column(0, &mask).unwrap().n_rows(), 3);
}

#[test]
fn many_rows_of_several_columns_in_no_order() {
    let dir = tempfile::tempdir().unwrap();
    // A good part of the rows, which are swept over, and a small one, brought into the order of regions.
    let ragged = vec![vec![700_000, 0, 700_001], vec![300_000; 3], vec![5]];
    for (layout, picks) in
        [(vec![vec![2_100_000]], 600_000), (ragged, 600_000), (vec![vec![3_600_000]], 270_000)]
    {
        let (model, table) = table(dir.path(), &["<f8", ">i4", "|S3", "|u1"], &layout, 21);
        let n = model.n_rows();
        let mut state = 99u64;
        let rows: Vec<u64> = (0..picks)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % n
            })
            .collect();
        for threads in [1, 2] {
            let options = ReadOptions { max_threads: NonZeroUsize::new(threads), progress: None };
            model.check_rows(&table, &Rows::indices(n, &rows).unwrap(), &rows, &options);
        }
    }
}

#[test]
fn ranks_count_the_rows_before() {
    let n = 70_000u64;
    let mask: Vec<u8> = (0..n).map(|row| u8::from(row % 7 == 3 || row > 69_900)).collect();
    let descending: Vec<u64> = (0..n).rev().step_by(11).collect();
    let scattered: Vec<u64> = (0..5000).map(|i| i * 7919 % n).collect();
    let mut sorted = scattered.clone();
    sorted.sort_unstable();
    let selections = [
        Rows::all(n),
        Rows::all(0),
        Rows::range(n, 5, 60_000, 13).unwrap(),
        Rows::range(n, 60_000, -1, -13).unwrap(),
        Rows::from(100..60_000),
        Rows::mask(n, &mask).unwrap(),
        Rows::mask(n, &vec![0; n as usize]).unwrap(),
        Rows::indices(n, &descending).unwrap(),
        Rows::indices(n, &scattered).unwrap(),
        Rows::indices(n, &sorted).unwrap(),
    ];
    for rows in &selections {
        let all = rows.to_vec(0..rows.len());
        for row in [0, 1, 4, 5, 63, 64, 65, 100, 59_999, 65_535, 65_536, 65_537, 69_950, n - 1, n, n + 7] {
            let expected = all.iter().filter(|&&other| other < row).count() as u64;
            assert_eq!(rows.rank(row).unwrap(), expected, "rows before {row} of {:?}", rows.form());
        }
    }
}
