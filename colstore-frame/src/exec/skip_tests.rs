//! What is skipped holds no row that a condition holds for; and something is skipped.

#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init, clippy::type_complexity, reason = "tests")]

use std::path::Path;

use colstore_core::{OnMismatch, ReadOptions, Rows, Table, concat};
use colstore_format::{
    Column, ColumnStatistics, Counters, DType, Header, Manifest, RecordHeader, Schema, Statistics,
};
use proptest::prelude::*;

use super::*;
use crate::expr::TableScope;
use crate::{Parameters, parse};

/// Values of the columns `f`, `i`, `u`, `t` and `b`, record by record.
#[derive(Debug, Clone, Default)]
struct Records(Vec<Vec<(f64, i64, u64, i64, bool)>>);

const DTYPES: [(&str, &str); 5] = [("f", "<f8"), ("i", "<i8"), ("u", "<u8"), ("t", "<M8[s]"), ("b", "|b1")];

impl Records {
    fn open(&self, path: &Path, with_statistics: bool) -> Table {
        let columns = DTYPES.iter().map(|(name, dtype)| Column::new(*name, dtype.parse::<DType>().unwrap()));
        let schema = Schema::new(columns.collect()).unwrap();
        let n_rows = self.0.iter().map(|record| record.len() as u64).sum();
        let mut counters =
            Counters { n_records: self.0.len() as u64, committed_rows: n_rows, stats_offset: 0 };
        let mut body = Vec::new();
        for (index, record) in (0..).zip(&self.0) {
            body.extend_from_slice(&RecordHeader { index, n_rows: record.len() as u64 }.encode());
            record.iter().for_each(|row| body.extend_from_slice(&row.0.to_le_bytes()));
            record.iter().for_each(|row| body.extend_from_slice(&row.1.to_le_bytes()));
            record.iter().for_each(|row| body.extend_from_slice(&row.2.to_le_bytes()));
            record.iter().for_each(|row| body.extend_from_slice(&row.3.to_le_bytes()));
            record.iter().for_each(|row| body.push(u8::from(row.4)));
            body.resize(body.len().next_multiple_of(8), 0);
        }
        let manifest = Manifest::new(schema.clone());
        let end = Header::encode(&manifest, counters).len() + body.len();
        if with_statistics {
            counters.stats_offset = end as i64;
            let statistics = Statistics::new(&schema, self.0.len() as u64, self.statistics()).unwrap();
            body.extend(statistics.encode(&schema).unwrap());
        }
        let mut bytes = Header::encode(&manifest, counters);
        bytes.extend(body);
        std::fs::write(path, bytes).unwrap();
        Table::open(path).unwrap()
    }

    /// As writers make them: of records all of whose values have a place in an order.
    fn statistics(&self) -> Vec<ColumnStatistics> {
        fn of<T: Copy + PartialOrd, const N: usize>(
            records: &[Vec<T>],
            good: impl Fn(T) -> bool,
            bytes: impl Fn(T) -> [u8; N],
        ) -> ColumnStatistics {
            let mut statistics = ColumnStatistics { min: vec![], max: vec![], valid: vec![] };
            for record in records {
                let valid = !record.is_empty() && record.iter().all(|&value| good(value));
                let extreme = |keep: fn(&T, &T) -> bool| {
                    let first = record.iter().copied().reduce(|a, b| if keep(&a, &b) { a } else { b });
                    first.filter(|_| valid).map_or([0; N], &bytes)
                };
                statistics.min.extend(extreme(|a, b| a <= b));
                statistics.max.extend(extreme(|a, b| a >= b));
                statistics.valid.push(valid);
            }
            statistics
        }
        fn column<T>(records: &Records, f: impl Fn(&(f64, i64, u64, i64, bool)) -> T) -> Vec<Vec<T>> {
            records.0.iter().map(|record| record.iter().map(&f).collect()).collect()
        }
        vec![
            of(&column(self, |row| row.0), f64::is_finite, f64::to_le_bytes),
            of(&column(self, |row| row.1), |_| true, i64::to_le_bytes),
            of(&column(self, |row| row.2), |_| true, u64::to_le_bytes),
            of(&column(self, |row| row.3), |time| time != i64::MIN, i64::to_le_bytes),
            of(&column(self, |row| row.4), |_| true, |value: bool| [u8::from(value)]),
        ]
    }
}

fn skipped(table: &Table, text: &str) -> Vec<Range<u64>> {
    let graph = parse(text, &Parameters::new()).unwrap().bind_condition(&TableScope::new(table)).unwrap();
    let conditions = graph.conjuncts(graph.roots()[0]);
    rows(&graph, &conditions, &RowMap::base(Rows::all(table.n_rows()))).unwrap()
}

fn found(table: &Table, text: &str, base: &Rows<'_>) -> Vec<u64> {
    let graph = parse(text, &Parameters::new()).unwrap().bind_condition(&TableScope::new(table)).unwrap();
    let rows = graph.select_rows(0, base, &ReadOptions::default()).unwrap().rows;
    rows.to_vec(0..rows.len())
}

#[test]
fn records_are_passed_over_where_they_can_be() {
    let directory = tempfile::tempdir().unwrap();
    let record = |from: i64| (from..from + 10).map(|i| (i as f64, i, i as u64, i, from == 10)).collect();
    let records = Records(vec![record(0), record(10), record(20)]);
    let table = records.open(&directory.path().join("a"), true);
    for (text, expected) in [
        ("f < 10", vec![10..30]),
        ("f <= 10", vec![20..30]),
        ("10 >= f", vec![20..30]),
        ("f > 9", vec![0..10]),
        ("f >= 9.5", vec![0..10]),
        ("f == 15", vec![0..10, 20..30]),
        ("15 == f", vec![0..10, 20..30]),
        ("i == 15.5", vec![0..10, 20..30]),
        ("u in [3, 25, 99]", vec![10..20]),
        ("i in [-5, 99]", vec![0..30]),
        ("5 < i < 8", vec![10..30]),
        ("b", vec![0..10, 20..30]),
        ("i < 12 and f > 9", vec![0..10, 20..30]),
        // Nothing is known of these.
        ("i != 15", vec![]),
        ("not (i < 10)", vec![]),
        ("i + 1 > 100", vec![]),
        ("i < 5 or i > 25", vec![]),
        ("i not in [3]", vec![]),
    ] {
        assert_eq!(skipped(&table, text), expected, "{text}");
    }
    assert!(skipped(&records.open(&directory.path().join("b"), false), "f < -1").is_empty());
    // Of many files each has its own.
    let two =
        concat(&[table.clone(), records.open(&directory.path().join("b"), false), table], OnMismatch::Strict);
    assert_eq!(skipped(&two.unwrap().0, "f > 100"), [0..30, 60..90]);
}

fn records() -> impl Strategy<Value = Records> {
    let float = prop_oneof![
        3 => (-4..5_i8).prop_map(f64::from),
        1 => prop::sample::select(vec![f64::NAN, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1e300, 9_007_199_254_740_993.0]),
    ];
    let int = prop_oneof![
        3 => -4..5_i64,
        1 => prop::sample::select(vec![i64::MIN, i64::MAX, 9_007_199_254_740_993]),
    ];
    let uint = prop_oneof![3 => 0..5_u64, 1 => prop::sample::select(vec![u64::MAX, 1 << 63, (1 << 63) - 1])];
    let row = (float, int.clone(), uint, int, any::<bool>());
    prop::collection::vec(prop::collection::vec(row, 0..4), 0..7).prop_map(Records)
}

proptest! {
    #[test]
    fn skipping_changes_nothing(
        records in records(),
        column in prop::sample::select(vec!["f", "i", "u", "b + i"]),
        operator in prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]),
        constant in prop::sample::select(vec![
            "0", "-0.0", "1", "-3", "2.5", "9007199254740993", "9223372036854775807", "9223372036854775808.0",
            "18446744073709551615", "-9223372036854775808",
        ]),
        turned in any::<bool>(),
        start in 0..4_i64,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let with = records.open(&directory.path().join("a"), true);
        let without = records.open(&directory.path().join("b"), false);
        let text = match turned {
            false => format!("{column} {operator} {constant} and f == f"),
            true => format!("{constant} {operator} {column}"),
        };
        let n = with.n_rows();
        for base in [Rows::all(n), Rows::range(n, start.min(n as i64), n as i64, 1).unwrap()] {
            prop_assert_eq!(found(&with, &text, &base), found(&without, &text, &base), "{}", text);
        }
        let set = format!("{column} in [{constant}, 3]");
        if column != "b + i" {
            prop_assert_eq!(found(&with, &set, &Rows::all(n)), found(&without, &set, &Rows::all(n)), "{}", set);
        }
    }
}
