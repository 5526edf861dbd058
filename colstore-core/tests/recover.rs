//! Files that a writer left at any point, and files whose counters are damaged: what is found, and what becomes of it.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs::File;
use std::path::{Path, PathBuf};

use colstore_core::{
    CountersState, ErrorKind, Progress, ReadOptions, RecoverOptions, Recoverable, RecoveryAction, Table,
    TailKind, VerifyOptions, inspect, recover, verify,
};
use colstore_format::{ColumnStatistics, Counters, RecordHeader, Statistics};
use common::Model;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden").join(name)
}

const COMMIT: RecoverOptions<'static> = RecoverOptions { commit: true, lock: None, progress: None };
const COPY: RecoverOptions<'static> = RecoverOptions { commit: false, lock: None, progress: None };

/// The model's first records as a model of their own.
fn first(model: &Model, n_records: usize) -> Model {
    let mut first = model.clone();
    first.record_rows.truncate(n_records);
    let n_rows = first.n_rows() as usize;
    for (column, stored) in first.schema.columns().iter().zip(&mut first.stored) {
        stored.truncate(n_rows * column.dtype().itemsize());
    }
    first
}

fn set_counters(bytes: &mut [u8], n_records: u64, committed_rows: u64, stats_offset: i64) {
    bytes[8..72].copy_from_slice(&Counters { n_records, committed_rows, stats_offset }.encode());
}

fn check_table(path: &Path, model: &Model) {
    let table = Table::open(path).unwrap();
    assert_eq!(table.record_rows().collect::<Vec<_>>(), model.record_rows);
    for column in 0..model.schema.len() {
        let bytes = table.column_bytes(column, 0..model.n_rows(), &ReadOptions::default()).unwrap();
        assert_eq!(bytes, model.native(column));
    }
}

/// A writer that is killed at any byte of its last record: the whole ones are found, in the file and in a copy.
#[test]
fn a_writer_killed_at_any_byte_leaves_its_whole_records() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("torn.cstore"), dir.path().join("out.cstore"));
    let model = Model::new(&["<i4", "|S3"], &[5, 0, 4, 3], 7);
    let whole = model.to_bytes();
    let last = whole.len() - (32 + 24);
    let (three, four) = (first(&model, 3), &model);
    let first_end = whole.len() - (32 + 24) - (32 + 32) - 32;
    for len in last..=whole.len() {
        // One record was committed before.
        let mut bytes = whole[..len].to_vec();
        set_counters(&mut bytes, 1, 5, 0);
        std::fs::write(&path, &bytes).unwrap();
        check_table(&path, &first(&model, 1));

        let is_whole = len == whole.len();
        let expected = if is_whole { four } else { &three };
        let found = inspect(&path).unwrap();
        assert_eq!(found.counters, CountersState::Intact);
        let committed = found.committed.unwrap();
        assert_eq!((committed.n_records, committed.n_rows, committed.end), (1, 5, first_end as u64), "{len}");
        let n = expected.record_rows.len() as u64;
        assert_eq!((found.whole.n_records, found.whole.n_rows), (n, expected.n_rows()), "{len}");
        assert_eq!(found.n_recoverable_records(), n - 1);
        assert_eq!(found.records.iter().map(|r| r.index).collect::<Vec<_>>(), (1..n).collect::<Vec<_>>());
        assert_eq!(found.records[0].offset, first_end as u64);
        match &found.tail {
            None => assert!(is_whole || len == last),
            Some(tail) => {
                assert_eq!(
                    (tail.kind, tail.len),
                    (TailKind::TornRecord, (len - last) as u64),
                    "{len}: {tail:?}"
                );
            }
        }
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "looking changes nothing");

        let recovery = recover(&path, Some(&out), &COPY).unwrap();
        assert_eq!(recovery.action, RecoveryAction::Copied);
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "copying changes nothing");
        assert_eq!(std::fs::read(&out).unwrap(), expected.to_bytes(), "{len}");
        std::fs::remove_file(&out).unwrap();

        let reader = Table::open(&path).unwrap();
        assert_eq!(recover(&path, None, &COMMIT).unwrap().action, RecoveryAction::Committed);
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after.len(), len, "nothing is cut off");
        assert_eq!(after[72..], bytes[72..], "only counters change");
        check_table(&path, expected);
        assert_eq!(reader.n_rows(), 5);
        let again = recover(&path, None, &COMMIT).unwrap();
        assert_eq!(again.action, RecoveryAction::Unchanged);
        assert!(again.found.is_complete());
        assert!(verify(&path, &VerifyOptions { deep: true, ..VerifyOptions::default() }).unwrap().is_sound());
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
}

/// A counters block of which any number of bytes are the new ones, or whose bytes are anything at all.
#[test]
fn torn_counters_are_put_right_from_the_records() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("torn.cstore");
    let model = Model::new(&["<u2"], &[300, 70_000], 9);
    let whole = model.to_bytes();
    let old = Counters { n_records: 1, committed_rows: 300, stats_offset: 0x1234 }.encode();
    let new: [u8; 64] = whole[8..72].try_into().unwrap();
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    for cut in 0..=64 {
        blocks.push([&new[..cut], &old[cut..]].concat());
        blocks.push([&old[..cut], &new[cut..]].concat());
        blocks.push([&new[..cut], &vec![0; 64 - cut][..]].concat());
    }
    for bit in 0..28 * 8 {
        let mut block = new;
        block[bit / 8] ^= 1 << (bit % 8);
        blocks.push(block.to_vec());
    }
    blocks.push(vec![0xff; 64]);
    let negative = |at: usize| {
        let mut block = new;
        block[at..at + 8].copy_from_slice(&(-5i64).to_le_bytes());
        let crc = crc32(&block[..24]);
        block[24..28].copy_from_slice(&crc.to_le_bytes());
        block.to_vec()
    };
    blocks.extend([negative(0), negative(8)]);
    let mut n_damaged = 0;
    for block in blocks {
        let mut bytes = whole.clone();
        bytes[8..72].copy_from_slice(&block);
        std::fs::write(&path, &bytes).unwrap();
        let is_readable = Table::open(&path).is_ok();
        let found = inspect(&path).unwrap();
        assert_eq!(found.committed.is_some(), is_readable, "{block:02x?}");
        assert_eq!(matches!(found.counters, CountersState::Damaged(_)), !is_readable, "{block:02x?}");
        assert_eq!((found.whole.n_records, found.whole.n_rows), (2, 70_300));
        assert!(!found.may_lose_committed());
        n_damaged += usize::from(!is_readable);
        if !is_readable {
            assert_eq!(found.n_recoverable_records(), 2);
            assert_eq!(found.records.len(), 2);
        }
        let action = recover(&path, None, &COMMIT).unwrap().action;
        let is_complete = found.committed.is_some_and(|committed| committed.n_records == 2);
        assert_eq!(action == RecoveryAction::Unchanged, is_complete, "{block:02x?}");
        check_table(&path, &model);
        if action == RecoveryAction::Committed {
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }
    assert!(n_damaged > 250, "{n_damaged}");
}

/// CRC-32 as files have it, by way of a record header, whose CRC is over its first 28 bytes.
fn crc32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    }) ^ !0
}

/// Counters that are intact and claim what the records do not hold.
#[test]
fn counters_that_do_not_agree_are_put_right_unless_that_loses_records() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("wrong.cstore"), dir.path().join("out.cstore"));
    let model = Model::new(&["<u2"], &[3, 4], 9);
    for (n_records, n_rows, is_lossy) in [
        (0, 7, false),
        (1, 7, false),
        (2, 6, false),
        (2, 8, false),
        (3, 7, true),
        (1 << 40, 7, true),
        (3, 9, true),
    ] {
        let mut bytes = model.to_bytes();
        set_counters(&mut bytes, n_records, n_rows, 0);
        std::fs::write(&path, &bytes).unwrap();
        let found = inspect(&path).unwrap();
        assert!(matches!(found.counters, CountersState::Wrong(_)), "{found:?}");
        assert_eq!((found.committed, found.n_recoverable_records()), (None, 2));
        assert_eq!((found.claimed_records, found.may_lose_committed()), (Some(n_records), is_lossy));
        recover(&path, Some(&out), &COPY).unwrap();
        assert_eq!(std::fs::read(&out).unwrap(), model.to_bytes());
        std::fs::remove_file(&out).unwrap();
        match recover(&path, None, &COMMIT) {
            Ok(_) => {
                assert!(!is_lossy);
                check_table(&path, &model);
            }
            Err(error) => {
                assert!(is_lossy, "{error}");
                assert_eq!(error.kind(), ErrorKind::Format);
                assert!(error.message().contains("new file"), "{error}");
                assert_eq!(std::fs::read(&path).unwrap(), bytes);
            }
        }
    }
}

/// A file that was cut, as by a copy that stopped: what is whole of it goes to a new file only.
#[test]
fn a_file_that_was_cut_is_rescued_into_a_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("cut.cstore"), dir.path().join("out.cstore"));
    let model = Model::new(&["<u2", "<f8"], &[3, 4, 5], 9);
    let whole = model.to_bytes();
    let ends = [whole.len(), whole.len() - (32 + 56), whole.len() - (32 + 56) - (32 + 40)];
    let data = ends[2] - (32 + 32);
    for len in 72..whole.len() {
        std::fs::write(&path, &whole[..len]).unwrap();
        let n_whole = ends.iter().filter(|end| **end <= len).count();
        assert!(recover(&path, None, &COMMIT).is_err(), "{len}");
        assert_eq!(std::fs::read(&path).unwrap(), whole[..len]);
        match recover(&path, Some(&out), &COPY) {
            Ok(recovery) => {
                assert_eq!(recovery.found.whole.n_records as usize, n_whole);
                assert_eq!(std::fs::read(&out).unwrap(), first(&model, n_whole).to_bytes());
                std::fs::remove_file(&out).unwrap();
            }
            Err(error) => {
                assert!(n_whole == 0, "{len} of {data}: {error}");
                assert_eq!(error.kind(), ErrorKind::Format);
                assert!(!out.exists());
            }
        }
    }
}

/// Without counters nothing tells whether records lie behind a damaged header.
#[test]
fn a_damaged_header_behind_damaged_counters_is_not_committed_over() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("damaged.cstore"), dir.path().join("out.cstore"));
    let model = Model::new(&["<u8"], &[3, 4, 5], 9);
    let mut bytes = model.to_bytes();
    bytes[8] ^= 1;
    let second = bytes.len() - (32 + 40) - (32 + 32);
    bytes[second + 12] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let found = inspect(&path).unwrap();
    assert_eq!((found.whole.n_records, found.may_lose_committed()), (1, true));
    assert_eq!(found.tail.unwrap().kind, TailKind::Unknown);
    assert_eq!(recover(&path, None, &COMMIT).unwrap_err().kind(), ErrorKind::Format);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    recover(&path, Some(&out), &COPY).unwrap();
    check_table(&out, &first(&model, 1));
}

fn with_footer(model: &Model, n_records: u64, committed: u64) -> Vec<u8> {
    let mut bytes = model.to_bytes();
    let end = bytes.len() as i64;
    let size = n_records as usize * model.schema.columns()[0].dtype().itemsize();
    let own =
        ColumnStatistics { min: vec![0; size], max: vec![0; size], valid: vec![false; n_records as usize] };
    let statistics = Statistics::new(&model.schema, n_records, vec![own]).unwrap();
    bytes.extend(statistics.encode(&model.schema).unwrap());
    let rows = model.record_rows[..committed as usize].iter().sum();
    set_counters(&mut bytes, committed, rows, if committed == n_records { end } else { 0 });
    bytes
}

#[test]
fn statistics_are_kept_where_they_are_for_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("footer.cstore"), dir.path().join("out.cstore"));
    let model = Model::new(&["<i8"], &[3, 4], 9);
    // Killed between the footer and the counters.
    let bytes = with_footer(&model, 2, 1);
    std::fs::write(&path, &bytes).unwrap();
    let found = inspect(&path).unwrap();
    assert_eq!(found.statistics_offset, Some(found.whole.end));
    assert_eq!(found.tail.unwrap().kind, TailKind::Statistics);
    recover(&path, Some(&out), &COPY).unwrap();
    recover(&path, None, &COMMIT).unwrap();
    for path in [&path, &out] {
        assert_eq!(std::fs::read(path).unwrap(), with_footer(&model, 2, 2));
        let report = verify(path, &VerifyOptions { deep: true, ..VerifyOptions::default() }).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
    std::fs::remove_file(&out).unwrap();
    // A footer for fewer records, or a damaged one, is not.
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for bytes in [with_footer(&model, 1, 0), damaged] {
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(inspect(&path).unwrap().statistics_offset, None);
        recover(&path, Some(&out), &COPY).unwrap();
        recover(&path, None, &COMMIT).unwrap();
        assert_eq!(std::fs::read(&out).unwrap(), model.to_bytes());
        std::fs::remove_file(&out).unwrap();
        check_table(&path, &model);
        assert!(Table::open(&path).unwrap().statistics().is_none());
    }
}

#[test]
fn golden_files_that_crashed() {
    let dir = tempfile::tempdir().unwrap();
    for (name, committed, whole, tail) in [
        ("crashed_create.cstore", 0, 1, None),
        ("crashed_update.cstore", 2, 4, None),
        ("crashed_update_torn.cstore", 2, 3, Some(TailKind::TornRecord)),
        ("crashed_update_with_stats.cstore", 2, 3, None),
        ("appended.cstore", 3, 3, None),
        ("stats_multi.cstore", 5, 5, Some(TailKind::Statistics)),
    ] {
        let path = dir.path().join(name);
        std::fs::copy(golden(name), &path).unwrap();
        let found: Recoverable = inspect(&path).unwrap();
        assert_eq!(found.counters, CountersState::Intact, "{name}");
        let counts = (found.committed.unwrap().n_records, found.whole.n_records);
        assert_eq!((counts, found.tail.as_ref().map(|tail| tail.kind)), ((committed, whole), tail), "{name}");
        assert_eq!(found.is_complete(), committed == whole);
        recover(&path, None, &COMMIT).unwrap();
        assert_eq!(Table::open(&path).unwrap().n_rows(), found.whole.n_rows);
        let report = verify(&path, &VerifyOptions { deep: true, ..VerifyOptions::default() }).unwrap();
        assert!(report.is_sound(), "{name}: {:?}", report.findings);
    }
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("t.cstore"), dir.path().join("out.cstore"));
    let model = Model::new(&["<u2"], &[3, 4], 9);
    let mut bytes = model.to_bytes();
    set_counters(&mut bytes, 1, 3, 0);
    std::fs::write(&path, &bytes).unwrap();

    let both = recover(&path, Some(&out), &COMMIT).unwrap_err();
    assert_eq!(both.kind(), ErrorKind::InvalidArgument);
    std::fs::write(&out, b"mine").unwrap();
    assert_eq!(recover(&path, Some(&out), &COPY).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(recover(&path, Some(&path), &COPY).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(std::fs::read(&out).unwrap(), b"mine");
    std::fs::remove_file(&out).unwrap();

    let progress = Progress::new();
    progress.cancel();
    for (out, commit) in [(Some(out.as_path()), false), (None, true)] {
        let options = RecoverOptions { commit, progress: Some(&progress), ..RecoverOptions::default() };
        assert_eq!(recover(&path, out, &options).unwrap_err().kind(), ErrorKind::Cancelled);
    }

    // A writer at work.
    let writer = File::open(&path).unwrap();
    writer.lock().unwrap();
    for (out, options) in [(Some(out.as_path()), &COPY), (None, &COMMIT)] {
        let error = recover(&path, out, options).unwrap_err();
        assert!(
            error.message().contains("another writer") && error.message().contains("t.cstore"),
            "{error}"
        );
    }
    assert_eq!(recover(&path, None, &COPY).unwrap().action, RecoveryAction::Listed);
    writer.unlock().unwrap();

    for name in ["corrupt/magic_bad.cstore", "corrupt/manifest_bitflip.cstore", "corrupt/empty_file.cstore"] {
        assert_eq!(inspect(golden(name)).unwrap_err().kind(), ErrorKind::Format, "{name}");
    }
    assert_eq!(inspect("/no/such.cstore").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
    recover(&path, None, &COMMIT).unwrap();
    check_table(&path, &model);
}

/// Records of nothing take 32 bytes each: as many as a file has room for are walked, and few are listed.
#[test]
fn many_records_are_counted_and_few_listed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.cstore");
    let mut bytes = Model::new(&["<u2"], &[], 9).to_bytes();
    for index in 0..100_000 {
        bytes.extend(RecordHeader { index, n_rows: 0 }.encode());
    }
    std::fs::write(&path, &bytes).unwrap();
    let found = inspect(&path).unwrap();
    assert_eq!((found.n_recoverable_records(), found.n_recoverable_rows()), (100_000, 0));
    assert_eq!(found.records.len(), 1000);
}
