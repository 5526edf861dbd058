//! Every changed bit that the format lets be found is found, and what is sound is called so.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use colstore_core::{
    ColumnData, ErrorKind, FindingCode, Progress, Severity, StoreOptions, Table, VerifyOptions, VerifyReport,
    store, verify,
};
use colstore_format::{
    Column, ColumnStatistics, Counters, DType, Header, Manifest, Preamble, RecordHeader, Schema, Statistics,
};
use common::Model;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden")
}

fn check(path: impl AsRef<Path>, deep: bool) -> VerifyReport {
    verify(path, &VerifyOptions { deep, ..VerifyOptions::default() }).unwrap()
}

/// The findings in short: severity and code.
fn found(report: &VerifyReport) -> Vec<(Severity, FindingCode)> {
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.severity, finding.code)).collect();
    let count = |severity| found.iter().filter(|(s, _)| *s == severity).count() as u64;
    assert_eq!(report.n_errors, count(Severity::Error));
    assert_eq!(report.n_warnings, count(Severity::Warning));
    assert_eq!(report.n_notes, count(Severity::Note));
    found
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("corrupt") {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|extension| extension == "cstore") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn every_golden_file_is_sound() {
    use FindingCode::{ManifestForm, Orphans, Padding, Reserved, StatisticsMissing, Trailing, Value};
    let known: HashMap<&str, &[FindingCode]> = HashMap::from([
        ("crashed_create.cstore", &[Orphans][..]),
        ("crashed_update.cstore", &[Orphans]),
        ("crashed_update_torn.cstore", &[Orphans, Trailing]),
        ("crashed_update_with_stats.cstore", &[Orphans, StatisticsMissing]),
        ("foreign/bool_bytes.cstore", &[Value]),
        ("foreign/invalid_ucs4.cstore", &[Value]),
        ("foreign/extra_keys.cstore", &[ManifestForm]),
        ("foreign/no_crc.cstore", &[ManifestForm]),
        ("foreign/null_crc.cstore", &[ManifestForm]),
        ("foreign/pretty_json.cstore", &[ManifestForm]),
        ("foreign/raw_utf8.cstore", &[ManifestForm]),
        // A byte a row of a column that has none, behind the last record.
        ("quirk_zero_width.cstore", &[Trailing]),
        // Made by hand with fillers that no writer leaves.
        ("foreign/reserved_nonzero.cstore", &[Padding, Reserved, Reserved]),
    ]);
    let files = files(&golden());
    assert!(files.len() > 60, "{} files", files.len());
    for path in files {
        let name = path.strip_prefix(golden()).unwrap().to_str().unwrap().to_owned();
        let expected = known.get(name.as_str()).copied().unwrap_or_default();
        for deep in [false, true] {
            let report = check(&path, deep);
            assert_eq!(report.is_sound(), !expected.contains(&Padding), "{name}: {:#?}", report.findings);
            let codes: Vec<FindingCode> = found(&report).into_iter().map(|(_, code)| code).collect();
            let expected: Vec<_> = expected.iter().copied().filter(|code| deep || *code != Value).collect();
            let mut sorted = codes.clone();
            sorted.sort_by_key(|code| code.name());
            let mut wanted = expected.clone();
            wanted.sort_by_key(|code| code.name());
            assert_eq!(sorted, wanted, "{name}, deep {deep}: {:#?}", report.findings);
            let table = Table::open(&path).unwrap();
            assert_eq!((report.n_rows, report.n_files), (table.n_rows(), 1), "{name}");
            assert_eq!(report.n_bytes, std::fs::metadata(&path).unwrap().len());
            let n_value_bytes = if deep { table.n_rows() * table.schema().row_width() } else { 0 };
            assert_eq!(report.n_value_bytes, n_value_bytes, "{name}");
        }
    }
}

/// Every damaged file but these gives an error; they hold nothing that contradicts the format's checksums.
#[test]
fn every_damaged_file_is_found() {
    let milder: HashMap<&str, &[(Severity, FindingCode)]> = HashMap::from([
        // A value without a checksum, inside the range that the statistics give.
        ("body_bitflip.cstore", &[][..]),
        ("reserved_nonzero.cstore", &[(Severity::Warning, FindingCode::Reserved)]),
        // What an update that died at its beginning leaves.
        ("footer_missing.cstore", &[(Severity::Warning, FindingCode::StatisticsMissing)]),
        ("footer_offset_zero.cstore", &[(Severity::Note, FindingCode::Trailing)]),
        ("trailing_after_footer.cstore", &[(Severity::Note, FindingCode::Trailing)]),
        ("trailing_no_footer.cstore", &[(Severity::Note, FindingCode::Trailing)]),
    ]);
    let files = files(&golden().join("corrupt"));
    assert_eq!(files.len(), 76);
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        for deep in [false, true] {
            let report = check(&path, deep);
            let found = found(&report);
            if name == "_base.cstore" {
                assert!(found.is_empty(), "{:#?}", report.findings);
            } else if let Some(expected) = milder.get(name) {
                assert_eq!(found, *expected, "{name}: {:#?}", report.findings);
            } else {
                assert!(!report.is_sound(), "{name}: {:#?}", report.findings);
            }
            // What cannot be opened is never called sound.
            match Table::open(&path) {
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Format, "{name}: {error}");
                    assert!(!report.is_sound(), "{name}");
                }
            }
            for finding in &report.findings {
                let size = std::fs::metadata(&path).unwrap().len();
                assert!(finding.offset.is_some_and(|offset| offset <= size), "{name}: {finding:?}");
            }
        }
    }
}

/// Where a file's values are: the bytes that no checksum covers and no rule fixes.
fn value_bytes(bytes: &[u8]) -> Vec<bool> {
    let size = bytes.len() as u64;
    let preamble = Preamble::parse(bytes, size).unwrap();
    let header = Header::parse(&preamble, &bytes[80..][..preamble.manifest_len() as usize], size).unwrap();
    let mut walk = colstore_format::RecordWalk::new(&header, size);
    let mut is_value = vec![false; bytes.len()];
    while let Some(offset) = walk.next_offset() {
        let record = walk.push(&bytes[offset as usize..][..RecordHeader::LEN]).unwrap();
        let len = (record.n_rows * header.schema().row_width()) as usize;
        is_value[record.body_offset as usize..][..len].fill(true);
    }
    is_value
}

#[test]
fn every_flipped_bit_outside_of_values_is_found_where_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("flipped.cstore");
    for name in [
        "corrupt/_base.cstore",
        "stats_unicode_names.cstore",
        "empty_records_mixed.cstore",
        "padding_1_to_9.cstore",
    ] {
        let good = std::fs::read(golden().join(name)).unwrap();
        let is_value = value_bytes(&good);
        let n_flips = 8 * is_value.iter().filter(|is_value| !**is_value).count();
        assert!(n_flips > 1000, "{name}: {n_flips}");
        std::fs::write(&path, &good).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        for bit in (0..8 * good.len()).filter(|bit| !is_value[bit / 8]) {
            let flipped = good[bit / 8] ^ (1 << (bit % 8));
            file.write_all_at(&[flipped], bit as u64 / 8).unwrap();
            let report = check(&path, false);
            file.write_all_at(&good[bit / 8..=bit / 8], bit as u64 / 8).unwrap();
            let first = report.findings.first();
            let first =
                first.unwrap_or_else(|| panic!("{name}: bit {} of byte {} is not found", bit % 8, bit / 8));
            let at = first.offset.unwrap();
            let footer = u64::from_le_bytes(good[24..32].try_into().unwrap());
            // In the part of the file that the checksum covers which tells.
            let (byte, manifest_end) =
                (bit as u64 / 8, 80 + u64::from_le_bytes(good[72..80].try_into().unwrap()));
            let part = match byte {
                0..8 => 0..8,
                8..72 => 8..72,
                72..80 => 72..manifest_end,
                _ if byte < manifest_end => 80..manifest_end,
                _ if footer != 0 && byte >= footer => footer..good.len() as u64,
                _ => byte.saturating_sub(31)..good.len() as u64,
            };
            assert!(part.contains(&at), "{name}: bit {} of byte {byte}: found at {at}: {first:?}", bit % 8);
            let is_reserved = (36..72).contains(&byte);
            let is_form = first.code == FindingCode::ManifestForm;
            assert_eq!(report.is_sound(), is_reserved || is_form, "{name}: byte {byte}: {first:?}");
        }
    }
}

/// A file of one record with statistics, and where its values start.
fn with_statistics(path: &Path, columns: &[(&str, &str, &[u8])]) -> usize {
    let columns: Vec<ColumnData<'_>> = columns
        .iter()
        .map(|(name, dtype, bytes)| {
            ColumnData::from_slice((*name).into(), DType::parse(dtype).unwrap(), bytes).unwrap()
        })
        .collect();
    store(path, &columns, &StoreOptions { statistics: true, ..StoreOptions::default() }).unwrap();
    let bytes = std::fs::read(path).unwrap();
    Preamble::parse(&bytes, bytes.len() as u64).unwrap().data_offset() as usize + RecordHeader::LEN
}

#[test]
fn values_that_leave_the_range_of_the_statistics_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("values.cstore");
    let ints: Vec<u8> = [5i32, -7, 9, 0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let floats: Vec<u8> = [0.0f64, -0.0, 2.5, 1.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let body = with_statistics(&path, &[("i", "<i4", &ints), ("f", "<f8", &floats)]);
    let good = std::fs::read(&path).unwrap();
    let altered = |at: usize, new: &[u8]| {
        let mut bytes = good.clone();
        bytes[body + at..][..new.len()].copy_from_slice(new);
        std::fs::write(&path, &bytes).unwrap();
        assert!(check(&path, false).findings.is_empty());
        check(&path, true)
    };
    assert!(altered(0, &5i32.to_le_bytes()).findings.is_empty());
    // Zeros of either sign are one value; what stays in the range cannot be found.
    assert!(altered(16, &(-0.0f64).to_le_bytes()).findings.is_empty());
    assert!(altered(0, &6i32.to_le_bytes()).findings.is_empty());
    for (at, new, column) in [
        (0, &10i32.to_le_bytes()[..], "i"),
        (4, &(-6i32).to_le_bytes(), "i"),
        (24, &(-1.0f64).to_le_bytes(), "f"),
        (24, &f64::NAN.to_le_bytes(), "f"),
        (40, &f64::INFINITY.to_le_bytes(), "f"),
        (32, &1.0f64.to_le_bytes(), "f"),
    ] {
        let report = altered(at, new);
        let [finding] = report.findings.as_slice() else { panic!("{:?}", report.findings) };
        assert_eq!((finding.severity, finding.code), (Severity::Error, FindingCode::Extremes));
        assert_eq!((finding.record, finding.column.as_deref()), (Some(0), Some(column)));
        let start = body as u64 + if column == "i" { 0 } else { 16 };
        assert_eq!(finding.offset, Some(start));
        assert!(finding.message.contains(column), "{}", finding.message);
    }
}

/// Columns of many pieces, of a part of one, and many small records; on one thread and on several.
#[test]
fn values_are_compared_in_files_of_any_layout() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large.cstore");
    let n = 700_000u64;
    let long: Vec<u8> = (0..n).flat_map(|i| (i * 7919 % n).to_le_bytes()).collect();
    let short: Vec<u8> = (0..n).map(|i| (i % 200) as u8).collect();
    let text: Vec<u8> = (0..n).flat_map(|i| (i as u32 % 5000).to_le_bytes()).collect();
    let columns = [("a", "<u8", &long[..]), ("b", "|u1", &short), ("t", "<U1", &text), ("c", "|i1", &short)];
    let body = with_statistics(&path, &columns);
    let good = std::fs::read(&path).unwrap();
    // Where the last byte of a column is, what to put there, and whether that leaves the range.
    let n_bytes = n as usize;
    let places = [
        ("a", 8 * n_bytes - 1, 0x40, true),
        ("b", 9 * n_bytes - 1, 255, true),
        // 0 to 127 and -128 to -57 are there already.
        ("c", 14 * n_bytes - 1, 0x7f, false),
    ];
    for threads in [1, 4] {
        let options =
            VerifyOptions { deep: true, max_threads: threads.try_into().ok(), ..VerifyOptions::default() };
        std::fs::write(&path, &good).unwrap();
        let report = verify(&path, &options).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        assert_eq!(report.n_value_bytes, 14 * n);
        for (column, at, new, is_found) in places {
            let mut bytes = good.clone();
            assert_ne!(bytes[body + at], new);
            bytes[body + at] = new;
            std::fs::write(&path, &bytes).unwrap();
            let report = verify(&path, &options).unwrap();
            if !is_found {
                assert!(report.findings.is_empty(), "{column}: {:?}", report.findings);
                continue;
            }
            let [finding] = report.findings.as_slice() else { panic!("{column}: {:?}", report.findings) };
            assert_eq!(finding.column.as_deref(), Some(column));
            assert_eq!(finding.code, FindingCode::Extremes);
        }
    }
    // Small records: ten thousand of seven rows, the extremes of each in the footer.
    let records = vec![7; 10_000];
    let model = Model::new(&["<i2", "|S3"], &records, 11);
    let mut bytes = model.to_bytes();
    let end = bytes.len() as u64;
    let mut own = ColumnStatistics { min: Vec::new(), max: Vec::new(), valid: vec![true; records.len()] };
    for values in model.stored[0].chunks(14) {
        let values: Vec<i16> = values.chunks(2).map(|v| i16::from_le_bytes(v.try_into().unwrap())).collect();
        own.min.extend(values.iter().min().unwrap().to_le_bytes());
        own.max.extend(values.iter().max().unwrap().to_le_bytes());
    }
    let none = ColumnStatistics { min: vec![0; 30_000], max: vec![0; 30_000], valid: vec![false; 10_000] };
    let statistics = Statistics::new(&model.schema, 10_000, vec![own, none]).unwrap();
    bytes.extend(statistics.encode(&model.schema).unwrap());
    let counters = Counters { n_records: 10_000, committed_rows: 70_000, stats_offset: end as i64 };
    bytes[8..72].copy_from_slice(&counters.encode());
    std::fs::write(&path, &bytes).unwrap();
    assert!(check(&path, true).findings.is_empty());
    let record = 7777;
    let at = end as usize - (10_000 - record) * (32 + 40) + 32;
    let lowest = i16::MIN.to_le_bytes();
    assert_ne!(bytes[at..at + 2], lowest);
    bytes[at..at + 2].copy_from_slice(&lowest);
    std::fs::write(&path, &bytes).unwrap();
    let report = check(&path, true);
    assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
    assert_eq!(
        (report.findings[0].record, report.findings[0].offset),
        (Some(record as u64), Some(at as u64))
    );
}

#[test]
fn statistics_that_cannot_be_are_found_without_values() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("flags.cstore");
    let schema = Schema::new(vec![Column::new("x", DType::parse("<i2").unwrap())]).unwrap();
    let write = |min: [u8; 4], valid: [bool; 2]| {
        let counters = Counters { n_records: 2, committed_rows: 4, stats_offset: 0 };
        let mut bytes = Header::encode(&Manifest::new(schema.clone()), counters);
        for (index, n_rows) in [(0, 0), (1, 4)] {
            bytes.extend(RecordHeader { index, n_rows }.encode());
            bytes.extend(vec![0; 2 * n_rows as usize]);
        }
        let counters = Counters { stats_offset: bytes.len() as i64, ..counters };
        bytes[8..72].copy_from_slice(&counters.encode());
        let own = ColumnStatistics { min: min.to_vec(), max: vec![0; 4], valid: valid.to_vec() };
        bytes.extend(Statistics::new(&schema, 2, vec![own]).unwrap().encode(&schema).unwrap());
        std::fs::write(&path, bytes).unwrap();
        found(&check(&path, false))
    };
    assert_eq!(write([0; 4], [false, true]), []);
    assert_eq!(write([0; 4], [false, false]), []);
    assert_eq!(write([0; 4], [true, true]), [(Severity::Error, FindingCode::Statistics)]);
    assert_eq!(write([0, 0, 0, 1], [false, false]), [(Severity::Warning, FindingCode::Statistics)]);
}

#[test]
fn a_directory_is_checked_file_by_file() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    for (name, dtypes, rows) in
        [("a_1", ["<i4", "<f8"], 5), ("a_2", ["<i4", "<f8"], 0), ("a_10", ["<i4", "<f4"], 3)]
    {
        std::fs::write(root.join(name).with_extension("cstore"), Model::new(&dtypes, &[rows], 3).to_bytes())
            .unwrap();
    }
    let shards = check(golden().join("shards3"), true);
    let codes: Vec<_> = shards.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, [FindingCode::TemporaryFile, FindingCode::ForeignFile, FindingCode::ForeignFile]);
    std::fs::write(root.join(".colstore.lock"), b"").unwrap();
    std::fs::write(root.join("readme.txt"), b"").unwrap();
    std::fs::write(root.join(".a_3.cstore.abcdefgh.tmp"), b"").unwrap();
    std::fs::write(root.join("short.cstore"), b"CSTORE\0\x01").unwrap();
    std::fs::create_dir(root.join("deeper.cstore")).unwrap();
    let report = check(root, true);
    assert_eq!((report.n_files, report.n_rows, report.n_errors), (4, 8, 2));
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|f| (f.path.file_name().unwrap().to_str().unwrap(), f.code, f.column.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            (".a_3.cstore.abcdefgh.tmp", FindingCode::TemporaryFile, None),
            ("deeper.cstore", FindingCode::ForeignFile, None),
            ("readme.txt", FindingCode::ForeignFile, None),
            ("a_10.cstore", FindingCode::Schema, Some("c1")),
            ("short.cstore", FindingCode::Counters, None),
        ]
    );
    let mismatch = check(golden().join("shards_mismatch"), false);
    assert!(mismatch.findings.iter().all(|f| f.code == FindingCode::Schema) && !mismatch.is_sound());
}

#[test]
fn what_is_not_there_is_an_error_and_a_cancel_ends_it() {
    let options = VerifyOptions::default();
    assert_eq!(verify("/no/such.cstore", &options).unwrap_err().kind(), ErrorKind::NotFound);
    let progress = Progress::new();
    progress.cancel();
    for deep in [false, true] {
        let options = VerifyOptions { deep, progress: Some(&progress), ..VerifyOptions::default() };
        let error = verify(golden().join("stats_multi.cstore"), &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
    }
}

#[test]
fn findings_are_bounded_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.cstore");
    let model = Model::new(&["|u1"], &[1; 5000], 5);
    let mut bytes = model.to_bytes();
    let start = bytes.len() - 5000 * 40;
    for record in 0..5000 {
        bytes[start + 40 * record + 39] = 1;
    }
    std::fs::write(&path, &bytes).unwrap();
    let report = check(&path, false);
    assert_eq!((report.n_errors, report.findings.len()), (5000, 1001));
    let last = report.findings.last().unwrap();
    assert_eq!((last.code, last.severity), (FindingCode::More, Severity::Error));
    assert!(last.message.contains("4000"), "{}", last.message);
}
