//! What a crash or a failure at any step of a writer leaves.

use std::path::Path;
use std::sync::Arc;

use colstore_format::COUNTERS_OFFSET;

use super::*;
use crate::storage::crash::{CrashTest, Newborn};
use crate::storage::recording::{Fault, Recording, Step};
use crate::{ReadOptions, StoreOptions, Table, store};

const NAME: &str = "t.cstore";

/// Values that tell records apart: `n` of them from `first` on.
fn values(first: u32, n: u32) -> Vec<u8> {
    (first..first + n).flat_map(u32::to_le_bytes).collect()
}

fn columns(bytes: &[u8]) -> [ColumnData<'_>; 2] {
    let halves = &bytes[..bytes.len() / 4];
    [("a", "<u4", bytes), ("b", "|u1", halves)].map(|(name, dtype, bytes)| {
        ColumnData::from_slice(name.into(), dtype.parse().unwrap(), bytes).unwrap()
    })
}

fn write(writer: &mut Writer, first: u32, n: u32) -> Result<()> {
    writer.write(&columns(&values(first, n)))
}

fn options(statistics: bool) -> WriterOptions {
    WriterOptions { statistics, ..WriterOptions::default() }
}

fn store_old(dir: &Path, statistics: bool) {
    let options = StoreOptions { statistics, ..StoreOptions::default() };
    store(dir.join(NAME), &columns(&values(7, 300)), &options).unwrap();
}

/// A session of one or of two commits, of records that are gathered and of some that are not.
fn session(
    storage: &Arc<dyn Storage>,
    dir: &Path,
    mode: WriterMode,
    statistics: bool,
    committed: Option<&mut dyn FnMut()>,
) -> Result<()> {
    let mut writer = Writer::open_in(storage, &dir.join(NAME), mode, &options(statistics))?;
    write(&mut writer, 0, 40)?;
    write(&mut writer, 40, 0)?;
    write(&mut writer, 40, 20_000)?;
    if let Some(committed) = committed {
        writer.commit()?;
        committed();
        write(&mut writer, 1, 1500)?;
    }
    write(&mut writer, 99, 3)?;
    writer.close()
}

#[test]
fn create_survives_every_crash() {
    for statistics in [false, true] {
        CrashTest::new(|_| (), |s, dir, _| session(s, dir, WriterMode::Create, statistics, None))
            .newborn(Newborn::UntilCommitted)
            .check();
        CrashTest::new(|_| (), |s, dir, c| session(s, dir, WriterMode::Create, statistics, Some(c)))
            .newborn(Newborn::UntilCommitted)
            .check();
    }
}

#[test]
fn recreate_survives_every_crash() {
    for statistics in [false, true] {
        let setup = |dir: &Path| store_old(dir, statistics);
        CrashTest::new(setup, |s, dir, _| session(s, dir, WriterMode::Recreate, statistics, None)).check();
        CrashTest::new(setup, |s, dir, c| session(s, dir, WriterMode::Recreate, statistics, Some(c))).check();
    }
}

#[test]
fn update_survives_every_crash() {
    for (before, after) in [(false, false), (false, true), (true, false), (true, true)] {
        let setup = |dir: &Path| store_old(dir, before);
        CrashTest::new(setup, |s, dir, _| session(s, dir, WriterMode::Update, after, None)).check();
        CrashTest::new(setup, |s, dir, c| session(s, dir, WriterMode::Update, after, Some(c))).check();
    }
}

/// Rows of a record that is gathered, of 50 KB, and how many of them make more than three batches.
const GATHERED: (u32, u32) = (10_000, 70);

/// A session that writes batch after batch.
fn batches(storage: &Arc<dyn Storage>, dir: &Path, mode: WriterMode) -> Result<()> {
    let (n_rows, n_records) = GATHERED;
    let mut writer = Writer::open_in(storage, &dir.join(NAME), mode, &options(false))?;
    for i in 0..n_records {
        write(&mut writer, i, n_rows)?;
    }
    writer.close()
}

#[test]
fn batches_survive_every_crash() {
    CrashTest::new(|_| (), |s, dir, _| batches(s, dir, WriterMode::Create))
        .newborn(Newborn::UntilCommitted)
        .check();
    let setup = |dir: &Path| store_old(dir, false);
    CrashTest::new(setup, |s, dir, _| batches(s, dir, WriterMode::Update)).check();
}

/// The values of column "a" of the file, record after record.
fn stored(path: &Path) -> Vec<u8> {
    let table = Table::open(path).unwrap();
    table.column_bytes(0, 0..table.n_rows(), &ReadOptions::default()).unwrap()
}

#[test]
fn whatever_fails_once_the_records_that_count_are_there() {
    let of_all_sizes = [(0, 30), (30, 5), (35, 25_000), (60, 0), (61, 7), (70, 400)];
    for mode in [WriterMode::Create, WriterMode::Recreate, WriterMode::Update] {
        fail_at_every_step(mode, &of_all_sizes);
    }
    let (n_rows, n_records) = GATHERED;
    fail_at_every_step(WriterMode::Update, &(0..n_records).map(|i| (i, n_rows)).collect::<Vec<_>>());
}

/// Writes `records`, of each its first value and the number of rows, and has every step fail once.
fn fail_at_every_step(mode: WriterMode, records: &[(u32, u32)]) {
    for (code, statistics) in [(libc::ENOSPC, true), (libc::EIO, false)] {
        for at in 0.. {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join(NAME);
            let mut old = None;
            if mode != WriterMode::Create {
                store_old(dir.path(), true);
                old = Some(stored(&path));
            }
            let (recording, _) = Recording::new(dir.path(), Some(Fault { at, lasting: false, code }));
            let opened = Writer::open_in(&recording.storage(), &path, mode, &options(statistics));
            let mut kept = Vec::new();
            let mut closed = None;
            if let Ok(mut writer) = opened {
                let base = writer.n_records() as usize;
                for &(first, n) in records {
                    let written = write(&mut writer, first, n);
                    kept.truncate(writer.n_records() as usize - base);
                    match written {
                        Ok(()) if kept.len() + base < writer.n_records() as usize => {
                            kept.push(values(first, n));
                        }
                        Ok(()) => panic!("a record that was written does not count"),
                        Err(e) => assert!(e.os_code() == Some(code) || e.kind() == ErrorKind::Io, "{e}"),
                    }
                }
                closed = Some(writer.close());
                kept.truncate(writer.n_records() as usize - base);
            }
            let Some(failed) = recording.failed() else {
                assert_eq!((kept.len(), closed.unwrap().is_ok()), (records.len(), true));
                break;
            };
            let before = old.clone().filter(|_| mode == WriterMode::Update).unwrap_or_default();
            let new = Some([before, kept.concat()].concat()).filter(|_| !kept.is_empty()).or(old.clone());
            let found = path.exists().then(|| stored(&path));
            let context = format!("{mode:?} {at} {failed:?} {closed:?}");
            match closed {
                Some(Ok(())) => assert!(found == new, "{context}"),
                _ => assert!(found == old || found == new, "{context}"),
            }
            if !matches!(failed, Step::Remove { .. }) {
                assert!(std::fs::read_dir(dir.path()).unwrap().count() <= 1, "{context}");
            }
        }
    }
}

#[test]
fn records_that_are_lost_are_named_and_those_before_are_kept() {
    for commit_first in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(NAME);
        let (recording, _) = Recording::new(dir.path(), None);
        let mut writer =
            Writer::open_in(&recording.storage(), &path, WriterMode::Create, &options(true)).unwrap();
        for i in 0..5 {
            write(&mut writer, i, 100).unwrap();
        }
        let header = first_end(writer.schema().unwrap());
        recording.end_disk_at(header + 2 * (32 + 504) + 50);
        if commit_first {
            let error = writer.commit().unwrap_err();
            assert!(error.message().contains("records 2 to 4"), "{error}");
            assert_eq!((writer.n_records(), writer.n_rows()), (2, 200));
            let error = write(&mut writer, 0, 1).unwrap_err();
            assert!(error.message().contains("records 2 to 4"), "{error}");
            recording.end_disk_at(u64::MAX);
            writer.close().unwrap();
        } else {
            let error = writer.close().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NoSpace);
            assert!(error.message().contains("records 2 to 4"), "{error}");
        }
        assert!(stored(&path) == [values(0, 100), values(1, 100)].concat());
    }
}

#[test]
fn what_is_gathered_behind_lost_records_is_lost_with_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    let (recording, _) = Recording::new(dir.path(), None);
    let mut writer =
        Writer::open_in(&recording.storage(), &path, WriterMode::Create, &options(true)).unwrap();
    let (n_rows, _) = GATHERED;
    // The first batch, and no more.
    for i in 0..20 {
        write(&mut writer, i, n_rows).unwrap();
    }
    recording.end_disk_at(first_end(writer.schema().unwrap()) + 3 * (32 + 50_000) + 1);
    // A second one is gathered while the first is on its way.
    for i in 20..30 {
        write(&mut writer, i, n_rows).unwrap();
    }
    let error = writer.commit().unwrap_err();
    assert!(error.message().contains("records 3 to 29"), "{error}");
    assert_eq!((writer.n_records(), writer.n_rows()), (3, 3 * u64::from(n_rows)));
    recording.end_disk_at(u64::MAX);
    writer.close().unwrap();
    assert!(stored(&path) == (0..3).flat_map(|i| values(i, n_rows)).collect::<Vec<u8>>());
}

#[test]
fn batches_written_by_a_helper_are_whole_and_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    for (mode, before) in [(WriterMode::Create, 0), (WriterMode::Update, 4000)] {
        let mut writer = Writer::open(&path, mode, &options(true)).unwrap();
        for i in before..before + 4000 {
            write(&mut writer, i, 200 + i % 7).unwrap();
            if i % 1500 == 1000 {
                writer.commit().unwrap();
                assert_eq!(Table::open(&path).unwrap().n_records(), i as usize + 1);
            }
        }
        writer.close().unwrap();
        let expected = (0..before + 4000).flat_map(|i| values(i, 200 + i % 7));
        assert!(stored(&path) == expected.collect::<Vec<u8>>());
    }
}

#[test]
fn an_abandoned_writer_leaves_no_helper_at_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    store_old(dir.path(), false);
    let before = std::fs::read(&path).unwrap();
    let (n_rows, n_records) = GATHERED;
    for _ in 0..20 {
        // Locked until the file is let go of.
        let mut writer = Writer::open(&path, WriterMode::Update, &options(false)).unwrap();
        for i in 0..n_records {
            write(&mut writer, i, n_rows).unwrap();
        }
        drop(writer);
        assert!(std::fs::read(&path).unwrap() == before);
    }
}

#[test]
fn room_is_made_before_a_record_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    let (recording, _) = Recording::new(dir.path(), None);
    let mut writer =
        Writer::open_in(&recording.storage(), &path, WriterMode::Create, &options(false)).unwrap();
    write(&mut writer, 0, 10).unwrap();
    let end = first_end(writer.schema().unwrap()) + 32 + 56;
    // Room for some, and then for one more and not for two.
    recording.end_disk_at(std::fs::metadata(&path).unwrap().len() + 100);
    let mut n = 1;
    let error = loop {
        match write(&mut writer, n, 10) {
            Ok(()) => n += 1,
            Err(e) => break e,
        }
    };
    assert_eq!((error.kind(), writer.n_records()), (ErrorKind::NoSpace, n.into()));
    assert!(n > 100);
    writer.commit().unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), end + (u64::from(n) - 1) * 88);
    recording.end_disk_at(u64::MAX);
    write(&mut writer, n, 10).unwrap();
    writer.close().unwrap();
    assert!(stored(&path) == (0..=n).flat_map(|i| values(i, 10)).collect::<Vec<u8>>());
}

#[test]
fn a_large_record_that_does_not_fit_is_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    let (recording, _) = Recording::new(dir.path(), None);
    let mut writer =
        Writer::open_in(&recording.storage(), &path, WriterMode::Create, &options(true)).unwrap();
    write(&mut writer, 0, 10).unwrap();
    recording.end_disk_at(5 << 20);
    let error = write(&mut writer, 10, 2 << 20).unwrap_err();
    assert_eq!((error.kind(), writer.n_records()), (ErrorKind::NoSpace, 1));
    assert!(std::fs::metadata(&path).unwrap().len() < 1000);
    recording.end_disk_at(u64::MAX);
    write(&mut writer, 10, 2 << 20).unwrap();
    writer.close().unwrap();
    assert!(stored(&path) == values(0, 10 + (2 << 20)));
    let statistics = Table::open(&path).unwrap().statistics().cloned().unwrap();
    assert_eq!(statistics.columns()[0].max[4..], (9 + (2u32 << 20)).to_le_bytes());
}

/// The steps that a session takes, without its writes of data, as text.
fn order(mode: WriterMode, setup: impl Fn(&Path), two: bool) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    setup(dir.path());
    let (recording, _) = Recording::new(dir.path(), None);
    let mut committed = || recording.committed();
    session(&recording.storage(), dir.path(), mode, true, two.then_some(&mut committed)).unwrap();
    let shown = |step: &Step| match step {
        Step::Write { offset: COUNTERS_OFFSET, bytes, .. } => {
            let counters = Counters::parse(bytes[..].try_into().unwrap()).unwrap();
            format!("counters {}{}", counters.n_records, if counters.stats_offset > 0 { " +" } else { "" })
        }
        Step::Write { .. } => "data".into(),
        Step::SetLen { .. } => "length".into(),
        Step::Create { .. } => "create".into(),
        Step::Flush { .. } => "flush".into(),
        Step::Rename { .. } => "rename".into(),
        Step::FlushDirectory { .. } => "flush directory".into(),
        Step::Committed => "committed".into(),
        Step::SetMode { .. } => "mode".into(),
        other => format!("{other:?}"),
    };
    let mut order: Vec<String> = recording.steps().iter().map(shown).collect();
    order.dedup();
    order
}

#[test]
fn data_is_flushed_before_the_counters_and_those_before_success() {
    let nothing = |_: &Path| ();
    let with_footer = |dir: &Path| store_old(dir, true);
    assert_eq!(
        order(WriterMode::Create, nothing, true),
        [
            "create",
            "data",
            "flush",
            "counters 3",
            "flush",
            "flush directory",
            "committed",
            "data",
            "length",
            "flush",
            "counters 5 +",
            "flush"
        ]
    );
    assert_eq!(
        order(WriterMode::Recreate, with_footer, true),
        [
            "create",
            "mode",
            "data",
            "counters 3",
            "flush",
            "rename",
            "flush directory",
            "committed",
            "data",
            "length",
            "flush",
            "counters 5 +",
            "flush"
        ]
    );
    // The footer must not be pointed at when it is written over.
    assert_eq!(
        order(WriterMode::Update, with_footer, false),
        ["counters 1", "flush", "length", "data", "length", "flush", "counters 5 +", "flush"]
    );
}

#[test]
fn a_fork_does_nothing_to_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    let mut writer = Writer::open(&path, WriterMode::Create, &options(false)).unwrap();
    write(&mut writer, 0, 10).unwrap();
    // Another process is what it takes itself for.
    let mut other = writer;
    other.process += 1;
    assert!(write(&mut other, 0, 1).unwrap_err().message().contains("forked"));
    assert!(other.commit().is_err());
    let before = std::fs::read(&path).unwrap();
    assert!(other.close().is_err());
    assert!(other.is_closed());
    drop(other);
    assert!(std::fs::read(&path).unwrap() == before);
}
