//! What a crash or a failure at any step leaves of tables that are copied, compacted and appended to.

use std::path::Path;
use std::sync::Arc;

use super::append::{append_in, append_table_in};
use super::compact::compact_in;
use super::copied::copy_file_in;
use super::copy_table::copy_table_in;
use super::generated::store_generated_in;
use super::writer::{Writer, WriterMode, WriterOptions};
use super::{
    AppendOptions, Appender, AppenderOptions, ColumnData, CompactOptions, CopyOptions, ShardSize, StoreMode,
    StoreOptions, store,
};
use crate::concat::{OnMismatch, concat};
use crate::error::Error;
use crate::storage::Storage;
use crate::storage::crash::CrashTest;
use crate::table::Table;

fn columns(bytes: &[u8]) -> [ColumnData<'_>; 2] {
    let halves = &bytes[..bytes.len() / 2];
    [("a", "<u2", bytes), ("b", "|u1", halves)].map(|(name, dtype, bytes)| {
        ColumnData::from_slice(name.into(), dtype.parse().unwrap(), bytes).unwrap()
    })
}

/// A file of three records.
fn write_records(path: &Path) {
    let mut writer = Writer::open(path, WriterMode::Create, &WriterOptions::default()).unwrap();
    for record in [[1; 3000], [2; 3000], [3; 3000]] {
        writer.write(&columns(&record)).unwrap();
    }
    writer.close().unwrap();
}

fn store_one(path: &Path) {
    store(path, &columns(&[9; 800]), &StoreOptions::default()).unwrap();
}

#[test]
fn compact_survives_every_crash() {
    for statistics in [false, true] {
        let options = CompactOptions { statistics, ..CompactOptions::default() };
        let records = |dir: &Path| write_records(&dir.join("t.cstore"));
        CrashTest::new(records, |s, dir, _| compact_in(s, &dir.join("t.cstore"), None, &options)).check();
        let out = |dir: &Path| dir.join("out.cstore");
        CrashTest::new(records, |s, dir, _| compact_in(s, &dir.join("t.cstore"), Some(&out(dir)), &options))
            .check();
        let both = |dir: &Path| {
            records(dir);
            store_one(&out(dir));
        };
        CrashTest::new(both, |s, dir, _| compact_in(s, &dir.join("t.cstore"), Some(&out(dir)), &options))
            .check();
    }
    // A file that is compact is copied as it is.
    let one = |dir: &Path| store_one(&dir.join("t.cstore"));
    let options = CompactOptions::default();
    CrashTest::new(one, |s, dir, _| {
        compact_in(s, &dir.join("t.cstore"), Some(&dir.join("out.cstore")), &options)
    })
    .check();
}

#[test]
fn copies_of_many_files_survive_every_crash() {
    let sources = tempfile::tempdir().unwrap();
    let paths = ["a.cstore", "b.cstore"].map(|name| sources.path().join(name));
    write_records(&paths[0]);
    store_one(&paths[1]);
    let tables = paths.map(|path| Table::open(path).unwrap());
    let (table, _) = concat(&tables, OnMismatch::Strict).unwrap();
    let out = |dir: &Path| dir.join("out.cstore");
    for statistics in [false, true] {
        let options = CopyOptions { statistics, mode: StoreMode::Recreate, ..CopyOptions::default() };
        CrashTest::new(|_| (), |s, dir, _| copy_table_in(s, &table, &out(dir), &options)).check();
        let old = |dir: &Path| store_one(&out(dir));
        CrashTest::new(old, |s, dir, _| copy_table_in(s, &table, &out(dir), &options)).check();
    }
}

#[test]
fn computed_and_copied_files_survive_every_crash() {
    let sources = tempfile::tempdir().unwrap();
    store_one(&sources.path().join("one.cstore"));
    let table = Table::open(sources.path().join("one.cstore")).unwrap();
    let out = |dir: &Path| dir.join("out.cstore");
    let old = |dir: &Path| write_records(&out(dir));
    let options = StoreOptions { mode: StoreMode::Recreate, ..StoreOptions::default() };
    let compute = |storage: &Arc<dyn Storage>, dir: &Path| {
        store_generated_in::<Error>(storage, &out(dir), (table.schema(), 3000), &options, &|chunk| {
            let n = (chunk.rows().end - chunk.rows().start) as usize;
            chunk.column(0)[..2 * n].fill(7);
            chunk.column(1)[..n].fill(8);
            Ok(())
        })
    };
    CrashTest::new(|_| (), |s, dir, _| compute(s, dir)).check();
    CrashTest::new(old, |s, dir, _| compute(s, dir)).check();
    let copy = |storage: &Arc<dyn Storage>, dir: &Path| {
        copy_file_in(storage, &table, &out(dir), &options).map(|copied| assert!(copied))
    };
    CrashTest::new(|_| (), |s, dir, _| copy(s, dir)).check();
    CrashTest::new(old, |s, dir, _| copy(s, dir)).check();
}

#[test]
fn appending_survives_every_crash() {
    let options = AppendOptions::default();
    let values = [5; 3000];
    CrashTest::new(
        |_| (),
        |s, dir, _| append_in(s, &dir.join("shards"), &columns(&values), &options).map(drop),
    )
    .check();
    let first = |dir: &Path| {
        super::append(dir, &columns(&[4; 600]), &options).unwrap();
    };
    CrashTest::new(first, |s, dir, _| append_in(s, dir, &columns(&values), &options).map(drop)).check();
    let sources = tempfile::tempdir().unwrap();
    let source = sources.path().join("source.cstore");
    write_records(&source);
    let source = Table::open(source).unwrap();
    CrashTest::new(first, |s, dir, _| append_table_in(s, dir, &source, &options).map(drop)).check();
}

#[test]
fn an_appender_survives_every_crash() {
    let options = AppenderOptions { shard_size: ShardSize::Rows(1000), ..AppenderOptions::default() };
    CrashTest::new(
        |_| (),
        |s, dir, committed| {
            let mut appender = Appender::open_in(&Arc::clone(s), &dir.join("shards"), &options)?;
            appender.write(&columns(&[1; 1600]))?;
            appender.write(&columns(&[2; 600]))?;
            committed();
            appender.write(&columns(&[3; 80]))?;
            appender.close().map(drop)
        },
    )
    .check();
}
