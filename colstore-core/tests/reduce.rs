//! Reductions equal those of the values one by one, and their bits depend on nothing but the values.

#![allow(clippy::unwrap_used, clippy::panic, reason = "for tests")]

mod common;

use std::num::NonZeroUsize;

use colstore_core::{ErrorKind, OnMismatch, Progress, ReadOptions, Reduction, Rows, Scalar, Table, concat};
use common::{Model, open};
use proptest::prelude::*;

const ALL: [Reduction; 6] =
    [Reduction::Sum, Reduction::Mean, Reduction::Min, Reduction::Max, Reduction::Var, Reduction::Std];
const NUMERIC: [&str; 16] = [
    "|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", ">i4", ">u2", ">f8",
    ">f2",
];

fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 31, f64::from(bits & 1023));
    let size = match exponent {
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => fraction * 2_f64.powi(-24),
        _ => (1024.0 + fraction) * 2_f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

fn is_float(dtype: &str) -> bool {
    dtype.contains('f')
}

/// Values in native order as numbers; floats and integers apart.
fn floats(dtype: &str, native: &[u8]) -> Vec<f64> {
    match dtype.trim_start_matches(['<', '>', '|']) {
        "f2" => native.chunks(2).map(|b| half(u16::from_le_bytes(b.try_into().unwrap()))).collect(),
        "f4" => native.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()).into()).collect(),
        "f8" => native.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
        _ => integers(dtype, native).into_iter().map(|value| value as f64).collect(),
    }
}

fn integers(dtype: &str, native: &[u8]) -> Vec<i128> {
    let dtype = dtype.trim_start_matches(['<', '>', '|']);
    let width = dtype[1..].parse::<usize>().unwrap();
    let read = |bytes: &[u8]| {
        let mut wide = [0; 16];
        wide[..width].copy_from_slice(bytes);
        let value = i128::from_le_bytes(wide);
        match &dtype[..1] {
            "b" => i128::from(value != 0),
            "u" => value,
            _ => value << (128 - 8 * width) >> (128 - 8 * width),
        }
    };
    native.chunks(width).map(read).collect()
}

fn close(found: f64, expected: f64, scale: f64) -> bool {
    found == expected
        || (found.is_nan() && expected.is_nan())
        || (found - expected).abs() <= 1e-11 * expected.abs() + 1e-13 * scale
}

/// What a reduction of values must give; the exact ones exactly, the others closely.
fn check(dtype: &str, native: &[u8], reduction: Reduction, ddof: f64, found: Scalar) {
    let values = floats(dtype, native);
    let n = values.len() as f64;
    let case = format!("{reduction:?} of {n} {dtype}: {found:?}");
    let scale = values.iter().fold(0.0, |scale: f64, v| scale.max(v.abs()));
    if values.is_empty() {
        match (reduction, found) {
            (Reduction::Sum, Scalar::Int(0) | Scalar::Uint(0)) => assert!(!is_float(dtype)),
            (Reduction::Sum, Scalar::Float(0.0)) => assert!(is_float(dtype)),
            (Reduction::Var | Reduction::Std, Scalar::Float(x)) => assert!(x.is_nan()),
            (Reduction::Mean | Reduction::Min | Reduction::Max, Scalar::None) => {}
            _ => panic!("{case}"),
        }
        return;
    }
    let is_finite = values.iter().all(|v| v.is_finite());
    // The order of additions says when a sum overflows.
    if scale.is_finite() && scale > 1e290 && matches!(reduction, Reduction::Sum | Reduction::Mean) {
        return;
    }
    match reduction {
        Reduction::Sum if is_float(dtype) => {
            let Scalar::Float(found) = found else { panic!("{case}") };
            assert!(close(found, values.iter().sum(), scale * n), "{case}");
        }
        Reduction::Sum => {
            let total = integers(dtype, native).iter().sum::<i128>() as u64;
            let expected =
                if dtype.contains('u') { Scalar::Uint(total) } else { Scalar::Int(total.cast_signed()) };
            assert_eq!(found, expected, "{case}");
        }
        Reduction::Mean => {
            let Scalar::Float(found) = found else { panic!("{case}") };
            let expected = match is_float(dtype) {
                true => values.iter().sum::<f64>() / n,
                false => integers(dtype, native).iter().sum::<i128>() as f64 / n,
            };
            assert!(close(found, expected, scale), "{case} {expected}");
        }
        Reduction::Min | Reduction::Max => {
            let mut expected = values[0];
            for &value in &values {
                let better = if reduction == Reduction::Min { value < expected } else { value > expected };
                expected = if value.is_nan() || (better && !expected.is_nan()) { value } else { expected };
            }
            match found {
                Scalar::Float(found) => {
                    assert!(found == expected || (found.is_nan() && expected.is_nan()), "{case}");
                }
                Scalar::Bool(found) => {
                    assert_eq!((f64::from(u8::from(found)), dtype), (expected, "|b1"), "{case}");
                }
                Scalar::Int(_) | Scalar::Uint(_) => {
                    let all = integers(dtype, native);
                    let expected =
                        if reduction == Reduction::Min { all.iter().min() } else { all.iter().max() };
                    let found = match found {
                        Scalar::Int(found) => i128::from(found),
                        Scalar::Uint(found) => i128::from(found),
                        _ => unreachable!(),
                    };
                    assert_eq!(Some(&found), expected, "{case}");
                    assert_eq!(
                        matches!(dtype.as_bytes()[1], b'u'),
                        found >= 0 && dtype.contains('u'),
                        "{case}"
                    );
                }
                _ => panic!("{case}"),
            }
        }
        _ if is_finite && scale < 1e100 => {
            let Scalar::Float(found) = found else { panic!("{case}") };
            let mean = values.iter().sum::<f64>() / n;
            let m2 = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>();
            let variance = if n - ddof > 0.0 { m2 / (n - ddof) } else { f64::NAN };
            let expected = if reduction == Reduction::Std { variance.sqrt() } else { variance };
            assert!(close(found, expected, scale * 1e-6), "{case} {expected}");
        }
        _ => assert!(matches!(found, Scalar::Float(x) if !x.is_finite() || scale >= 1e100), "{case}"),
    }
}

/// A scalar's bits.
fn bits(scalar: Scalar) -> (u8, u64) {
    match scalar {
        Scalar::None => (0, 0),
        Scalar::Bool(x) => (1, u64::from(x)),
        Scalar::Int(x) => (2, x.cast_unsigned()),
        Scalar::Uint(x) => (3, x),
        Scalar::Float(x) => (4, x.to_bits()),
        Scalar::Datetime(x) => (5, x.cast_unsigned()),
        Scalar::Timedelta(x) => (6, x.cast_unsigned()),
    }
}

fn threads(n: usize) -> ReadOptions<'static> {
    ReadOptions { max_threads: NonZeroUsize::new(n), progress: None }
}

/// Finite floats of a moderate size rather than any bits.
fn tame(model: &mut Model) {
    let kinds: Vec<String> = model.schema.columns().iter().map(|c| c.dtype().to_string()).collect();
    for (dtype, stored) in kinds.iter().zip(&mut model.stored) {
        let width = dtype[2..].parse::<usize>().unwrap_or(1);
        for (i, value) in stored.chunks_mut(width).enumerate() {
            let x = f64::from(value[0]) * 0.37 - 20.0 + i as f64 * 1e-3;
            match &dtype[1..] {
                "f4" => value.copy_from_slice(&(x as f32).to_le_bytes()),
                "f8" => value.copy_from_slice(&x.to_le_bytes()),
                "f2" => value[1] = (value[1] & 0x83) | 0x38,
                _ => continue,
            }
            if dtype.starts_with('>') && dtype != ">f2" {
                value.reverse();
            } else if dtype == ">f2" {
                value.swap(0, 1);
            }
        }
    }
}

#[test]
fn every_dtype_reduction_and_small_layout() {
    let dir = tempfile::tempdir().unwrap();
    for layout in [&[][..], &[0], &[1], &[7], &[3, 0, 4], &[1, 1, 1, 1, 1]] {
        for tamed in [false, true] {
            let mut model = Model::new(&NUMERIC, layout, 5);
            if tamed {
                tame(&mut model);
            }
            let table = open(dir.path(), &model.to_bytes());
            let n = model.n_rows();
            for (j, dtype) in NUMERIC.iter().enumerate() {
                let native = model.native(j);
                for reduction in ALL {
                    for ddof in [0.0, 1.0, -2.5, 100.0] {
                        let found = table.reduce(j, 0..n, reduction, ddof, &threads(1)).unwrap();
                        check(dtype, &native, reduction, ddof, found);
                    }
                }
            }
        }
    }
}

/// The same rows in several forms, over several layouts, on several threads: the same bits, and the right ones.
#[test]
fn bits_depend_on_the_values_alone() {
    let dir = tempfile::tempdir().unwrap();
    let dtypes = ["<f8", "<f4", ">f8", "<i8", "<f2", "|b1", "<u8"];
    let n = 200_123u64;
    let mut whole = Model::new(&dtypes, &[n], 9);
    tame(&mut whole);
    let layouts: [Vec<u64>; 6] = [
        vec![n],
        // Records that end where blocks may go on elsewhere: with blocks in two or three pieces, and in many.
        vec![2000; 100].into_iter().chain([n - 200_000]).collect(),
        vec![48; 4000].into_iter().chain([n - 192_000]).collect(),
        vec![2048; 97].into_iter().chain([n - 97 * 2048]).collect(),
        vec![101; 1981].into_iter().chain([n - 101 * 1981]).collect(),
        vec![5, 0, 100_000, 32_768, 1, n - 132_774],
    ];
    let mut tables: Vec<Table> = layouts
        .iter()
        .map(|layout| open(dir.path(), &Model { record_rows: layout.clone(), ..whole.clone() }.to_bytes()))
        .collect();
    // As two files, too.
    let cut = 77_777;
    let halves: Vec<Table> = [0..cut, cut..n]
        .into_iter()
        .map(|rows| {
            let mut half = whole.clone();
            half.record_rows = vec![rows.end - rows.start];
            for (column, stored) in half.schema.columns().iter().zip(&mut half.stored) {
                let width = column.dtype().itemsize();
                *stored = stored[rows.start as usize * width..rows.end as usize * width].to_vec();
            }
            open(dir.path(), &half.to_bytes())
        })
        .collect();
    tables.push(concat(&halves, OnMismatch::Strict).unwrap().0);

    let every_third: Vec<u64> = (0..n).step_by(3).collect();
    let shuffled: Vec<u64> = (0..n).map(|i| i.wrapping_mul(48_271) % n).collect();
    let some: Vec<u64> = (0..n).filter(|i| i % 7 < 3 || i % 1000 > 900).collect();
    let mut mask = vec![0u8; n as usize];
    some.iter().for_each(|&row| mask[row as usize] = 1);
    let selections: Vec<(Vec<Rows<'_>>, Vec<u64>)> = vec![
        (
            vec![Rows::all(n), Rows::from(0..n), Rows::mask(n, &vec![1; n as usize]).unwrap()],
            (0..n).collect(),
        ),
        (vec![Rows::range(n, 5, n as i64 - 3, 1).unwrap()], (5..n - 3).collect()),
        (
            vec![Rows::range(n, 0, n as i64, 3).unwrap(), Rows::indices(n, &every_third).unwrap()],
            every_third.clone(),
        ),
        (vec![Rows::range(n, n as i64 - 1, -1, -1).unwrap()], (0..n).rev().collect()),
        (vec![Rows::range(n, 1, n as i64, 5000).unwrap()], (1..n).step_by(5000).collect()),
        (vec![Rows::indices(n, &shuffled).unwrap()], shuffled.clone()),
        (vec![Rows::indices(n, &some).unwrap(), Rows::mask(n, &mask).unwrap()], some.clone()),
    ];
    for (j, dtype) in dtypes.iter().enumerate() {
        let native = whole.native(j);
        let width = native.len() / n as usize;
        for (forms, rows) in &selections {
            let values: Vec<u8> = rows
                .iter()
                .flat_map(|&row| &native[row as usize * width..(row as usize + 1) * width])
                .copied()
                .collect();
            for reduction in ALL {
                let first = tables[0].reduce(j, &forms[0], reduction, 1.0, &threads(1)).unwrap();
                check(dtype, &values, reduction, 1.0, first);
                for (t, table) in tables.iter().enumerate() {
                    for form in forms {
                        for n_threads in [1, 2, 7] {
                            let found = table.reduce(j, form, reduction, 1.0, &threads(n_threads)).unwrap();
                            assert_eq!(
                                bits(found),
                                bits(first),
                                "{reduction:?} of {dtype}, table {t}, {n_threads} threads: {found:?} {first:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn datetimes_have_extremes_only_and_nat_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut model = Model::new(&["<M8[ns]", "<m8[s]", ">M8[D]"], &[2, 3], 3);
    let values = [5i64, -7, 100, 3, 0];
    for (j, big) in [(0, false), (1, false), (2, true)] {
        model.stored[j] =
            values.iter().flat_map(|v| if big { v.to_be_bytes() } else { v.to_le_bytes() }).collect();
    }
    let table = open(dir.path(), &model.to_bytes());
    let reduce = |column, reduction| table.reduce(column, 0..5, reduction, 0.0, &threads(1));
    assert_eq!(reduce(0, Reduction::Min).unwrap(), Scalar::Datetime(-7));
    assert_eq!(reduce(1, Reduction::Max).unwrap(), Scalar::Timedelta(100));
    assert_eq!(reduce(2, Reduction::Max).unwrap(), Scalar::Datetime(100));
    let error = reduce(0, Reduction::Mean).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnsupportedType);
    assert!(error.message().contains("mean needs a numeric column"), "{error}");
    model.stored[0][8..16].copy_from_slice(&i64::MIN.to_le_bytes());
    let table = open(dir.path(), &model.to_bytes());
    for reduction in [Reduction::Min, Reduction::Max] {
        let found = table.reduce(0, 0..5, reduction, 0.0, &threads(1)).unwrap();
        assert_eq!(found, Scalar::Datetime(i64::MIN));
    }
}

#[test]
fn other_dtypes_rows_and_columns_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let table = open(dir.path(), &Model::new(&["|S3", "<U2", "<f16"], &[4], 1).to_bytes());
    for column in 0..3 {
        for reduction in ALL {
            let error = table.reduce(column, 0..4, reduction, 0.0, &threads(1)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnsupportedType);
            assert!(error.message().contains("numeric") && error.message().contains("column"), "{error}");
            let wide = matches!(reduction, Reduction::Min | Reduction::Max);
            assert_eq!(error.message().contains("numeric or datetime"), wide, "{error}");
        }
    }
    let error = table.reduce(3, 0..4, Reduction::Sum, 0.0, &threads(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    let error = table.reduce(0, 0..5, Reduction::Sum, 0.0, &threads(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
}

#[test]
fn means_of_integers_do_not_wrap() {
    let dir = tempfile::tempdir().unwrap();
    let mut model = Model::new(&["<i8", "<u8"], &[70_000], 3);
    model.stored[0] = i64::MAX.to_le_bytes().repeat(70_000);
    model.stored[1] = u64::MAX.to_le_bytes().repeat(70_000);
    let table = open(dir.path(), &model.to_bytes());
    for (column, expected) in [(0, i64::MAX as f64), (1, u64::MAX as f64)] {
        let found = table.reduce(column, 0..70_000, Reduction::Mean, 0.0, &threads(2)).unwrap();
        assert_eq!(found, Scalar::Float(expected));
    }
    let found = table.reduce(0, 0..70_000, Reduction::Sum, 0.0, &threads(2)).unwrap();
    assert_eq!(found, Scalar::Int(i64::MAX.wrapping_mul(70_000)));
}

#[test]
fn a_cancelled_reduction_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let table = open(dir.path(), &Model::new(&["<f8"], &[100_000], 1).to_bytes());
    let progress = Progress::new();
    progress.cancel();
    let options = ReadOptions { max_threads: None, progress: Some(&progress) };
    let error = table.reduce(0, 0..100_000, Reduction::Sum, 0.0, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_layouts_and_rows(
        dtype in prop::sample::select(&NUMERIC[..]),
        layout in prop::collection::vec(0u64..3000, 1..6),
        seed in any::<u64>(),
        tamed in any::<bool>(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..3000),
        n_threads in 1usize..4,
        ddof in -1.0f64..3.0,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut model = Model::new(&[dtype], &layout, seed);
        if tamed {
            tame(&mut model);
        }
        let table = open(dir.path(), &model.to_bytes());
        let n = model.n_rows();
        let native = model.native(0);
        let width = native.len() / (n as usize).max(1);
        let rows: Vec<u64> = match n {
            0 => Vec::new(),
            _ => picks.iter().map(|pick| pick.index(n as usize) as u64).collect(),
        };
        let values: Vec<u8> = rows
            .iter()
            .flat_map(|&row| native[row as usize * width..(row as usize + 1) * width].to_vec())
            .collect();
        for reduction in ALL {
            let found = table.reduce(0, 0..n, reduction, ddof, &threads(n_threads)).unwrap();
            check(dtype, &native, reduction, ddof, found);
            let selected = Rows::indices(n, &rows).unwrap();
            let found = table.reduce(0, &selected, reduction, ddof, &threads(n_threads)).unwrap();
            check(dtype, &values, reduction, ddof, found);
        }
    }
}
