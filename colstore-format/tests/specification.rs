//! The examples of `docs/format.md` are what the code does.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod support;

use std::fs;
use std::path::Path;

use colstore_format::{
    Column, ColumnStatistics, Counters, DType, Header, Manifest, RecordHeader, Schema, Statistics,
    natural_cmp,
};

/// The fenced blocks of a language, without their fences.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/format.md");
    let text = fs::read_to_string(path).unwrap();
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The bytes of lines of two-digit groups, up to the first double blank.
fn bytes(lines: &str) -> Vec<u8> {
    let hex = |line: &str| -> Vec<u8> {
        let bytes = line.split("  ").next().unwrap().split(' ');
        bytes.map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect()
    };
    lines.lines().flat_map(hex).collect()
}

fn schema(columns: &[(&str, &str)]) -> Schema {
    let columns = columns.iter().map(|(name, dtype)| Column::new(*name, DType::parse(dtype).unwrap()));
    Schema::new(columns.collect()).unwrap()
}

#[test]
fn canonical_texts_and_their_crc() {
    let blocks = blocks("canonical");
    let cases = [("x", "<i4", 2_049_230_696), ("é\u{7f}😀", "|S3", 3_208_488_869)];
    assert_eq!(blocks.len(), cases.len());
    for (block, (name, dtype, crc)) in blocks.iter().zip(cases) {
        assert_eq!(crc32fast::hash(block.trim_end().as_bytes()), crc);
        assert_eq!(Manifest::new(schema(&[(name, dtype)])).crc(), crc);
    }
}

#[test]
fn the_record() {
    let mut record = RecordHeader { index: 0, n_rows: 5 }.encode().to_vec();
    record.extend([0, 3, 6, 9, 12].map(i32::to_le_bytes).as_flattened());
    record.extend([0; 4]);
    assert_eq!(bytes(&blocks("record")[0]), record);
    // It is that of a golden file.
    assert_eq!(support::load("dtype/i4.cstore")[256..], record);
}

#[test]
fn the_order_of_names() {
    let listed = blocks("order").remove(0);
    let listed: Vec<&str> = listed.lines().collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_ne!(sorted, listed);
    sorted.sort_by(|a, b| natural_cmp(a, b));
    assert_eq!(sorted, listed);
}

#[test]
fn the_whole_file() {
    let schema = schema(&[("id", "<i4"), ("tag", "|S3")]);
    let numbers = |values: &[i32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let statistics = vec![
        ColumnStatistics { min: numbers(&[-1, 4]), max: numbers(&[9, 100]), valid: vec![true; 2] },
        ColumnStatistics { min: vec![0; 6], max: vec![0; 6], valid: vec![false; 2] },
    ];
    let statistics = Statistics::new(&schema, 2, statistics).unwrap();

    let counters = Counters { n_records: 2, committed_rows: 5, stats_offset: 0x1a8 };
    let mut file = Header::encode(&Manifest::new(schema.clone()), counters);
    let records: [(&[i32], &[u8]); 2] = [(&[7, 9, -1], b"ab\0c\0\0\0\0\0"), (&[4, 100], b"xyzde\0")];
    for (index, (ids, tags)) in (0..).zip(records) {
        let n_rows = ids.len() as u64;
        file.extend(RecordHeader { index, n_rows }.encode());
        let end = file.len() + schema.body_size(n_rows).unwrap() as usize;
        file.extend(numbers(ids));
        file.extend(tags);
        file.resize(end, 0);
    }
    assert_eq!(file.len(), 0x1a8);
    file.extend(statistics.encode(&schema).unwrap());

    let dump = blocks("hexdump").remove(0);
    let rows: Vec<String> = dump.lines().map(|line| line[5..].to_owned()).collect();
    assert_eq!(bytes(&rows.join("\n")), file);

    let contents = support::read(&file).unwrap();
    assert_eq!((contents.header.counters(), contents.end), (counters, 0x1a8));
    assert_eq!(contents.record_rows, [3, 2]);
    assert_eq!(contents.columns, [numbers(&[7, 9, -1, 4, 100]), b"ab\0c\0\0\0\0\0xyzde\0".to_vec()]);
    assert_eq!(contents.statistics, Some(statistics));
}
