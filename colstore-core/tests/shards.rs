//! Directories of shards: names and bytes of what is added, what is refused, and what is left behind.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use colstore_core::{
    AppendOptions, Appender, AppenderOptions, ColumnData, ErrorKind, LockPolicy, OnMismatch, Progress,
    ReadOptions, ShardSize, StoreOptions, Table, append, append_table, concat, expand_paths, store,
};
use common::Model;

const DTYPES: [&str; 8] = ["|b1", "<i2", "<f4", "<f8", "<M8[us]", "|S5", "<U3", "<u8"];

fn columns(model: &Model) -> Vec<ColumnData<'_>> {
    let columns = model.schema.columns().iter().zip(&model.stored);
    columns.map(|(c, bytes)| ColumnData::from_slice(c.name().clone(), c.dtype(), bytes).unwrap()).collect()
}

fn x(bytes: &[u8]) -> ColumnData<'_> {
    ColumnData::from_slice("x".into(), "|u1".parse().unwrap(), bytes).unwrap()
}

fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn open_all(paths: &[PathBuf]) -> Table {
    let tables: Vec<Table> = paths.iter().map(|path| Table::open(path).unwrap()).collect();
    concat(&tables, OnMismatch::Strict).unwrap().0
}

fn named(name: &str) -> AppendOptions<'_> {
    AppendOptions { name, ..AppendOptions::default() }
}

/// What `store` makes of the same columns.
fn stored(dir: &Path, columns: &[ColumnData<'_>], statistics: bool) -> Vec<u8> {
    let path = dir.join("stored.cstore");
    store(&path, columns, &StoreOptions { statistics, ..StoreOptions::default() }).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(path).unwrap();
    bytes
}

#[test]
fn shards_are_numbered_from_the_largest_of_their_template() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("a/b");
    let add = |name| append(&shards, &[x(b"abc")], &named(name)).unwrap();
    assert_eq!(
        append(&shards, &[x(b"a")], &AppendOptions::default()).unwrap(),
        shards.join("shard_00000.cstore")
    );
    assert_eq!(add("shard_{index:05d}.cstore"), shards.join("shard_00001.cstore"));
    assert_eq!(add("run_{index}.cstore"), shards.join("run_0.cstore"));
    fs::rename(shards.join("shard_00001.cstore"), shards.join("shard_41.cstore")).unwrap();
    assert_eq!(add("shard_{index:05d}.cstore"), shards.join("shard_00042.cstore"));
    // A directory of the next name is no shard, but in the way.
    fs::create_dir(shards.join("shard_00050.cstore")).unwrap();
    assert_eq!(add("shard_{index:05d}.cstore"), shards.join("shard_00051.cstore"));
    assert_eq!(add("last.cstore"), shards.join("last.cstore"));
    for taken in ["last.cstore", "shard_00050.cstore"] {
        let error = append(&shards, &[x(b"abc")], &named(taken)).unwrap_err();
        assert_eq!((error.kind(), error.os_code()), (ErrorKind::AlreadyExists, Some(libc::EEXIST)));
        assert_eq!(error.path(), Some(&*shards.join(taken)));
    }
    // A link that leads nowhere is not followed.
    symlink(dir.path().join("elsewhere"), shards.join("link.cstore")).unwrap();
    assert_eq!(
        append(&shards, &[x(b"abc")], &named("link.cstore")).unwrap_err().kind(),
        ErrorKind::AlreadyExists
    );
    assert_eq!(entries(dir.path()), ["a"]);
    assert_eq!(
        entries(&shards),
        [
            ".colstore.lock",
            "last.cstore",
            "link.cstore",
            "run_0.cstore",
            "shard_00000.cstore",
            "shard_00042.cstore",
            "shard_00050.cstore",
            "shard_00051.cstore",
            "shard_41.cstore",
        ]
    );
}

#[test]
fn names_that_are_refused_create_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("new");
    for name in ["", "x", "x.CSTORE", ".x.cstore", "a/{index}.cstore", "{index:x}.cstore", "{other}.cstore"] {
        let error = append(&shards, &[x(b"abc")], &named(name)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{name}: {error}");
        let options = AppenderOptions { name, ..AppenderOptions::default() };
        assert_eq!(Appender::open(&shards, &options).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!(
        append(&shards, &[], &AppendOptions::default()).unwrap_err().kind(),
        ErrorKind::InvalidArgument
    );
    for (name, shard_size, text) in [
        ("one.cstore", ShardSize::Rows(5), "literal"),
        ("one.cstore", ShardSize::Bytes(5), "literal"),
        ("{index}.cstore", ShardSize::Rows(0), "at least one"),
        ("{index}.cstore", ShardSize::Bytes(0), "at least one"),
    ] {
        let options = AppenderOptions { name, shard_size, ..AppenderOptions::default() };
        let error = Appender::open(&shards, &options).unwrap_err();
        assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains(text), "{error}");
    }
    assert!(!shards.exists());
    fs::write(&shards, b"a file").unwrap();
    let error = append(&shards, &[x(b"abc")], &AppendOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{error}");
}

#[test]
fn columns_become_the_file_that_store_makes() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    for n_rows in [0, 1, 1000, 300_001] {
        let model = Model::new(&DTYPES, &[n_rows], 7);
        for statistics in [false, true] {
            let options = AppendOptions { statistics, ..AppendOptions::default() };
            let path = append(&shards, &columns(&model), &options).unwrap();
            assert!(fs::read(&path).unwrap() == stored(dir.path(), &columns(&model), statistics));
        }
    }
    // The permissions are what the process gives to new files, the lock's too.
    let plain = dir.path().join("plain");
    File::create(&plain).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    for name in ["shard_00000.cstore", ".colstore.lock"] {
        assert_eq!(mode(&shards.join(name)), mode(&plain), "{name}");
    }
    assert_eq!(fs::metadata(shards.join(".colstore.lock")).unwrap().len(), 0);
}

#[test]
fn a_file_is_copied_byte_for_byte_and_files_become_one_record() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    let models =
        [Model::new(&DTYPES, &[5, 0, 70_000], 3), Model::new(&DTYPES, &[0], 4), Model::new(&DTYPES, &[9], 5)];
    let mut bytes = models[0].to_bytes();
    bytes.extend_from_slice(b"what is left of a writer that died");
    let tables = [common::open(dir.path(), &bytes), common::open(dir.path(), &models[1].to_bytes())];
    let path = append_table(&shards, &tables[0], &AppendOptions::default()).unwrap();
    assert!(fs::read(path).unwrap() == bytes);
    let many = [&tables[0], &tables[1], &common::open(dir.path(), &models[2].to_bytes())].map(Table::clone);
    let (many, _) = concat(&many, OnMismatch::Strict).unwrap();
    let all = models[0].concat(&models[1]).concat(&models[2]);
    for statistics in [false, true] {
        for max_threads in [1, 3] {
            let max_threads = std::num::NonZeroUsize::new(max_threads);
            let options = AppendOptions { statistics, max_threads, ..AppendOptions::default() };
            let path = append_table(&shards, &many, &options).unwrap();
            assert!(fs::read(path).unwrap() == stored(dir.path(), &columns(&all), statistics));
        }
    }
    // With statistics one file becomes one record, too.
    let options = AppendOptions { statistics: true, ..AppendOptions::default() };
    let path = append_table(&shards, &tables[0], &options).unwrap();
    assert!(fs::read(path).unwrap() == stored(dir.path(), &columns(&models[0]), true));
    let (nothing, _) = concat(&[], OnMismatch::Strict).unwrap();
    let error = append_table(&shards, &nothing, &AppendOptions::default()).unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains("schema"), "{error}");
}

#[test]
fn big_endian_values_are_stored_little_endian() {
    let dir = tempfile::tempdir().unwrap();
    let big = Model::new(&[">i4", ">f8", ">U2", ">M8[s]"], &[100, 3], 9);
    let little = {
        let mut model = Model::new(&["<i4", "<f8", "<U2", "<M8[s]"], &[103], 9);
        model.stored = (0..4).map(|column| big.native(column)).collect();
        model
    };
    let expected = stored(dir.path(), &columns(&little), false);
    let shards = dir.path().join("shards");
    let path = append(&shards, &columns(&big), &AppendOptions::default()).unwrap();
    assert!(fs::read(path).unwrap() == expected);
    let options = AppenderOptions { shard_size: ShardSize::Rows(206), ..AppenderOptions::default() };
    let mut appender = Appender::open(&shards, &options).unwrap();
    appender.write(&columns(&big)).unwrap();
    appender.write_table(&common::open(dir.path(), &big.to_bytes())).unwrap();
    assert_eq!((appender.n_shards(), appender.pending_rows()), (1, 0));
    let table = open_all(&expand_paths(&shards).unwrap());
    little.concat(&little).concat(&little).check(&table, 0, 309, &ReadOptions::default());
    // A copy byte for byte has other dtypes than the shards.
    let table = common::open(dir.path(), &big.to_bytes());
    assert_eq!(
        append_table(
            &shards,
            &table,
            &AppendOptions { lock: Some(LockPolicy::Off), ..AppendOptions::default() }
        )
        .unwrap_err()
        .kind(),
        ErrorKind::InvalidArgument
    );
}

#[test]
fn other_columns_are_refused_and_nothing_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    fs::create_dir(&shards).unwrap();
    // In natural order the first is shard_2, by name it is shard_10.
    store(
        shards.join("shard_2.cstore"),
        &columns(&Model::new(&["<i4", "<f8"], &[2], 1)),
        &StoreOptions::default(),
    )
    .unwrap();
    store(shards.join("shard_10.cstore"), &columns(&Model::new(&["<i8"], &[2], 1)), &StoreOptions::default())
        .unwrap();
    let before = entries(&shards);
    for dtypes in [&["<i8"][..], &["<i4"], &["<i4", "<f4"], &["<i4", "<f8", "|b1"]] {
        let model = Model::new(dtypes, &[3], 2);
        let table = common::open(dir.path(), &model.to_bytes());
        for error in [
            append(&shards, &columns(&model), &AppendOptions::default()).unwrap_err(),
            append_table(&shards, &table, &AppendOptions::default()).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(
                error.message().contains("schema") && error.message().contains("shard_2.cstore"),
                "{error}"
            );
        }
        assert_eq!(entries(&shards), before);
        let mut appender = Appender::open(&shards, &AppenderOptions::default()).unwrap();
        assert_eq!(appender.write(&columns(&model)).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(appender.write_table(&table).unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!(appender.close().unwrap(), None);
        fs::remove_file(shards.join(".colstore.lock")).unwrap();
        assert_eq!(entries(&shards), before);
    }
    append(&shards, &columns(&Model::new(&["<i4", "<f8"], &[2], 1)), &AppendOptions::default()).unwrap();
}

#[test]
fn a_directory_is_not_appended_to_itself() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    for _ in 0..3 {
        append(&shards, &[x(b"abc")], &AppendOptions::default()).unwrap();
    }
    let before = entries(&shards);
    let paths = expand_paths(&shards).unwrap();
    let outside = dir.path().join("outside.cstore");
    store(&outside, &[x(b"def")], &StoreOptions::default()).unwrap();
    symlink(&shards, dir.path().join("link")).unwrap();
    fs::hard_link(&paths[1], dir.path().join("hard.cstore")).unwrap();
    let gone = Table::open(&paths[2]).unwrap();
    // Replaced since it was opened: another file, but still the directory's own shard.
    store(dir.path().join("new"), &[x(b"abc")], &StoreOptions::default()).unwrap();
    fs::rename(dir.path().join("new"), &paths[2]).unwrap();
    let sources = [
        open_all(&paths),
        open_all(&[outside.clone(), paths[0].clone()]),
        open_all(&expand_paths(dir.path().join("link")).unwrap()[..1]),
        open_all(&[dir.path().join("hard.cstore")]),
        gone,
    ];
    for table in &sources {
        for statistics in [false, true] {
            for directory in [&shards, &dir.path().join("link"), &shards.join("../shards")] {
                let options = AppendOptions { statistics, ..AppendOptions::default() };
                let error = append_table(directory, table, &options).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                assert!(error.message().contains("itself"), "{error}");
            }
        }
        let mut appender = Appender::open(&shards, &AppenderOptions::default()).unwrap();
        assert!(appender.write_table(table).unwrap_err().message().contains("itself"));
        assert_eq!(appender.close().unwrap(), None);
        assert_eq!(entries(&shards), before);
    }
    // Other directories may have them, and this one what is outside.
    append_table(dir.path().join("other"), &sources[0], &AppendOptions::default()).unwrap();
    append_table(&shards, &open_all(&[outside]), &AppendOptions::default()).unwrap();
}

#[test]
fn batches_are_not_split() {
    let dir = tempfile::tempdir().unwrap();
    let directory = dir.path().join("rows");
    let batch = |first: u8, n: u8| -> Vec<u8> { (first..first + n).collect() };
    let options = AppenderOptions { shard_size: ShardSize::Rows(25), ..AppenderOptions::default() };
    let mut appender = Appender::open(&directory, &options).unwrap();
    for (i, pending) in [(0, 10), (1, 20), (2, 0), (3, 10)] {
        appender.write(&[x(&batch(i * 10, 10))]).unwrap();
        assert_eq!((appender.pending_rows(), appender.n_shards()), (pending, u64::from(i >= 2)));
    }
    // More than enough by itself, but there are rows before it.
    appender.write(&[x(&batch(40, 60))]).unwrap();
    // Enough by itself, with none before it.
    appender.write(&[x(&batch(100, 50))]).unwrap();
    appender.write(&[x(&batch(150, 5))]).unwrap();
    assert_eq!(appender.close().unwrap(), Some(directory.join("shard_00003.cstore")));
    assert_eq!((appender.n_shards(), appender.is_closed(), appender.pending_rows()), (4, true, 0));
    let table = open_all(&expand_paths(&directory).unwrap());
    assert_eq!(table.record_rows().collect::<Vec<_>>(), [30, 70, 50, 5]);
    assert_eq!(table.column_bytes(0, 0..155, &ReadOptions::default()).unwrap(), batch(0, 155));
    // Bytes are counted as whole rows, and there is at least one.
    for (limit, rows, n_shards) in [(40, 9, 0), (40, 10, 1), (43, 10, 1), (44, 10, 0), (1, 1, 1), (3, 1, 1)] {
        let directory = dir.path().join(format!("bytes-{limit}-{rows}"));
        let options = AppenderOptions { shard_size: ShardSize::Bytes(limit), ..AppenderOptions::default() };
        let mut appender = Appender::open(directory, &options).unwrap();
        appender.write(&columns(&Model::new(&["<i4"], &[rows], 1))).unwrap();
        assert_eq!(appender.n_shards(), n_shards, "{rows} rows under {limit} bytes");
    }
}

#[test]
fn an_appender_over_its_life() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    let mut appender = Appender::open(&shards, &AppenderOptions::default()).unwrap();
    assert_eq!(appender.flush().unwrap(), None);
    // The first batch decides about the columns.
    appender.write(&[x(b"ab")]).unwrap();
    let error = appender.write(&columns(&Model::new(&["|u1"], &[3], 1))).unwrap_err();
    assert!(error.message().contains("written first"), "{error}");
    assert_eq!(appender.write(&[]).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(appender.flush().unwrap(), Some(shards.join("shard_00000.cstore")));
    assert_eq!(appender.flush().unwrap(), None);
    // A batch without rows makes a shard without rows.
    appender.write(&[x(b"")]).unwrap();
    assert_eq!(appender.flush().unwrap(), Some(shards.join("shard_00001.cstore")));
    assert_eq!((appender.close().unwrap(), appender.close().unwrap()), (None, None));
    for error in [appender.write(&[x(b"ab")]).unwrap_err(), appender.flush().unwrap_err()] {
        assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains("closed"), "{error}");
    }
    assert_eq!(appender.n_shards(), 2);
    // Dropped without being closed.
    let mut appender = Appender::open(&shards, &AppenderOptions::default()).unwrap();
    appender.write(&[x(b"ab")]).unwrap();
    drop(appender);
    assert_eq!(expand_paths(&shards).unwrap().len(), 2);
    // Closed without writing, while it lives on.
    let mut appender = Appender::open(&shards, &AppenderOptions::default()).unwrap();
    appender.write(&[x(b"ab")]).unwrap();
    appender.abandon();
    assert_eq!((appender.pending_rows(), appender.is_closed(), appender.is_locked()), (0, true, false));
    assert_eq!(appender.close().unwrap(), None);
    assert_eq!(expand_paths(&shards).unwrap().len(), 2);
    // A name without a number makes one shard.
    let options = AppenderOptions { name: "one.cstore", statistics: true, ..AppenderOptions::default() };
    let mut appender = Appender::open(&shards, &options).unwrap();
    appender.write(&[x(b"ab")]).unwrap();
    assert_eq!(appender.flush().unwrap(), Some(shards.join("one.cstore")));
    assert!(Table::open(shards.join("one.cstore")).unwrap().statistics().is_some());
    appender.write(&[x(b"cd")]).unwrap();
    let error = appender.close().unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains("literal"), "{error}");
    assert_eq!((appender.pending_rows(), appender.is_closed()), (2, false));
    drop(appender);
    let mut appender = Appender::open(&shards, &options).unwrap();
    appender.write(&[x(b"cd")]).unwrap();
    assert_eq!(appender.flush().unwrap_err().kind(), ErrorKind::AlreadyExists);
}

#[test]
fn tables_are_held_or_written_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let model = Model::new(&DTYPES, &[7, 0, 5], 11);
    let table = common::open(dir.path(), &model.to_bytes());
    let all = model.concat(&model).concat(&model);
    for (shard_size, expected) in [
        (ShardSize::Unlimited, vec![36]),
        (ShardSize::Rows(12), vec![12; 3]),
        (ShardSize::Rows(13), vec![24, 12]),
    ] {
        let shards = tempfile::tempdir().unwrap();
        let options = AppenderOptions { shard_size, ..AppenderOptions::default() };
        let mut appender = Appender::open(shards.path(), &options).unwrap();
        appender.write_table(&table).unwrap();
        appender.write(&columns(&model)).unwrap();
        appender.write_table(&table).unwrap();
        appender.close().unwrap();
        let table = open_all(&expand_paths(shards.path()).unwrap());
        assert_eq!(table.record_rows().collect::<Vec<_>>(), expected);
        all.check(&table, 0, 36, &ReadOptions::default());
    }
}

#[test]
fn one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    let mut first = Appender::open(&shards, &AppenderOptions::default()).unwrap();
    assert!(first.is_locked());
    first.write(&[x(b"ab")]).unwrap();
    for policy in [None, Some(LockPolicy::Require)] {
        let options = AppendOptions { lock: policy, ..AppendOptions::default() };
        let appender = AppenderOptions { lock: policy, ..AppenderOptions::default() };
        for error in [
            append(&shards, &[x(b"cd")], &options).unwrap_err(),
            Appender::open(&shards, &appender).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.path()), (ErrorKind::Locked, Some(&*shards)));
            assert!(error.message().contains("lock") && error.message().contains("shards"), "{error}");
        }
    }
    // Who heeds no lock gets a name of their own.
    let off = AppendOptions { lock: Some(LockPolicy::Off), ..AppendOptions::default() };
    assert_eq!(append(&shards, &[x(b"cd")], &off).unwrap(), shards.join("shard_00000.cstore"));
    assert_eq!(first.flush().unwrap(), Some(shards.join("shard_00001.cstore")));
    // Closing lets others in, and so does failing to open.
    first.close().unwrap();
    fs::write(shards.join("a.cstore"), b"damaged").unwrap();
    for _ in 0..2 {
        let error = Appender::open(&shards, &AppenderOptions::default()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Format, Some(&*shards.join("a.cstore"))));
        let error = append(&shards, &[x(b"cd")], &AppendOptions::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Format);
    }
    fs::remove_file(shards.join("a.cstore")).unwrap();
    append(&shards, &[x(b"cd")], &AppendOptions::default()).unwrap();
}

#[test]
fn files_of_dead_writers_are_removed_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let dead = [".shard_00000.cstore.append-abcdefgh.tmp", ".a.append-012345zz.tmp"];
    let others = [
        ".shard_00000.cstore.abcdefgh.tmp",
        ".shard_00000.cstore.append-abcdefg.tmp",
        ".shard_00000.cstore.append-ABCDEFGH.tmp",
        "shard.append-abcdefgh.tmp",
        ".hidden.cstore",
        "notes.txt",
    ];
    let live = ".shard_00009.cstore.append-livelive.tmp";
    for name in dead.iter().chain(&others).chain([&live]) {
        fs::write(dir.path().join(name), b"half a shard").unwrap();
    }
    // A pipe and a link are not our files, whatever they are called.
    symlink(dir.path().join("notes.txt"), dir.path().join(".b.append-abcdefgh.tmp")).unwrap();
    fs::create_dir(dir.path().join(".c.append-abcdefgh.tmp")).unwrap();
    fs::create_dir(dir.path().join("directory.cstore")).unwrap();
    let held = File::open(dir.path().join(live)).unwrap();
    held.lock().unwrap();
    // Without the directory's lock nothing is removed.
    let off = AppendOptions { lock: Some(LockPolicy::Off), ..AppendOptions::default() };
    append(dir.path(), &[x(b"ab")], &off).unwrap();
    assert!(dead.iter().all(|name| dir.path().join(name).exists()));
    append(dir.path(), &[x(b"ab")], &AppendOptions::default()).unwrap();
    assert!(!dead.iter().any(|name| dir.path().join(name).exists()));
    assert!(others.iter().chain([&live]).all(|name| dir.path().join(name).exists()));
    assert!(dir.path().join(".b.append-abcdefgh.tmp").is_symlink());
    assert!(dir.path().join(".c.append-abcdefgh.tmp").is_dir());
    // None of them is a shard.
    assert_eq!(expand_paths(dir.path()).unwrap().len(), 2);
    drop(held);
    append(dir.path(), &[x(b"ab")], &AppendOptions::default()).unwrap();
    assert!(!dir.path().join(live).exists());
}

#[test]
fn a_shard_that_is_being_written_is_marked_as_live() {
    // The temporary file of a writer that heeds no lock, seen while it is written: somebody else cleans up then.
    let dir = tempfile::tempdir().unwrap();
    let bytes = vec![7u8; 40 << 20];
    let (directory, other) = (dir.path().to_path_buf(), dir.path().to_path_buf());
    let appended = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&appended);
    let progress = Progress::with_callback(move |_, _| {
        if !seen.swap(true, Ordering::Relaxed) {
            append(&other, &[x(b"ab")], &named("other_{index}.cstore")).unwrap();
        }
    });
    let options =
        AppendOptions { lock: Some(LockPolicy::Off), progress: Some(&progress), ..AppendOptions::default() };
    append(&directory, &[x(&bytes)], &options).unwrap();
    assert!(appended.load(Ordering::Relaxed));
    assert_eq!(open_all(&expand_paths(&directory).unwrap()).n_rows(), bytes.len() as u64 + 2);
}

#[test]
fn a_cancelled_call_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let shards = dir.path().join("shards");
    let bytes = vec![7u8; 4 << 20];
    let tables = [0, 1].map(|i| {
        let path = dir.path().join(format!("{i}.cstore"));
        store(&path, &[x(&bytes)], &StoreOptions::default()).unwrap();
        Table::open(path).unwrap()
    });
    let (both, _) = concat(&tables, OnMismatch::Strict).unwrap();
    let progress = Arc::new(Progress::new());
    progress.cancel();
    let options = AppendOptions { progress: Some(&progress), ..AppendOptions::default() };
    for error in [
        append(&shards, &[x(&bytes)], &options).unwrap_err(),
        append_table(&shards, &tables[0], &options).unwrap_err(),
        append_table(&shards, &both, &options).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(entries(&shards), [".colstore.lock"]);
    }
    let mut appender = Appender::open(&shards, &AppenderOptions::default()).unwrap();
    appender.write(&[x(b"ab")]).unwrap();
    appender.set_progress(Some(Arc::clone(&progress)));
    assert_eq!(appender.write(&[x(&bytes)]).unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(appender.write_table(&both).unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(appender.flush().unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(appender.pending_rows(), 2);
    appender.set_progress(None);
    assert!(appender.close().unwrap().is_some());
    // A first batch that was not taken decides nothing.
    let options = AppenderOptions { shard_size: ShardSize::Rows(5), ..AppenderOptions::default() };
    let mut appender = Appender::open(dir.path().join("others"), &options).unwrap();
    for n_rows in [3, 8] {
        appender.set_progress(Some(Arc::clone(&progress)));
        for dtypes in [&["<i4", "<f8"][..], &["|S3"]] {
            let model = Model::new(dtypes, &[n_rows], 5);
            assert_eq!(appender.write(&columns(&model)).unwrap_err().kind(), ErrorKind::Cancelled);
        }
    }
    appender.set_progress(None);
    let model = Model::new(&["<U2", "<i8", "<f4"], &[3], 5);
    appender.write(&columns(&model)).unwrap();
    appender.write(&columns(&model)).unwrap();
    let table = open_all(&expand_paths(dir.path().join("others")).unwrap());
    model.concat(&model).check(&table, 0, 6, &ReadOptions::default());
}

#[test]
fn readers_see_whole_shards_only() {
    const SHARDS: u64 = 200;
    let dir = tempfile::tempdir().unwrap();
    let directory = dir.path().join("shards");
    fs::create_dir(&directory).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let (mut last, mut looks) = (0, 0);
                    while !done.load(Ordering::Relaxed) || last < SHARDS {
                        let paths = expand_paths(&directory).unwrap();
                        let table = open_all(&paths);
                        assert_eq!(table.n_rows(), 100 * paths.len() as u64);
                        if table.n_files() > 0 {
                            let bytes =
                                table.column_bytes(0, 0..table.n_rows(), &ReadOptions::default()).unwrap();
                            let rows = bytes.chunks(100).zip(0u64..);
                            rows.for_each(|(rows, i)| assert!(rows.iter().all(|&value| value == i as u8)));
                        }
                        assert!(table.n_files() as u64 >= last);
                        last = table.n_files() as u64;
                        looks += 1;
                    }
                    looks
                })
            })
            .collect();
        let options = AppenderOptions { shard_size: ShardSize::Rows(100), ..AppenderOptions::default() };
        let mut appender = Appender::open(&directory, &options).unwrap();
        for i in 0..SHARDS {
            appender.write(&[x(&[i as u8; 60])]).unwrap();
            appender.write(&[x(&[i as u8; 40])]).unwrap();
        }
        done.store(true, Ordering::Relaxed);
        assert!(readers.into_iter().all(|reader| reader.join().unwrap() > 1));
    });
}

#[test]
fn a_source_that_was_replaced_is_copied_as_it_was_opened() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("source.cstore");
    store(&source, &[x(b"old")], &StoreOptions::default()).unwrap();
    let (before, inode) = (fs::read(&source).unwrap(), fs::metadata(&source).unwrap().ino());
    let table = Table::open(&source).unwrap();
    store(dir.path().join("new"), &[x(b"new rows")], &StoreOptions::default()).unwrap();
    fs::rename(dir.path().join("new"), &source).unwrap();
    assert_ne!(fs::metadata(&source).unwrap().ino(), inode);
    let path = append_table(dir.path().join("shards"), &table, &AppendOptions::default()).unwrap();
    assert!(fs::read(path).unwrap() == before);
    // Cut short since, it is no table any more.
    let table = Table::open(&source).unwrap();
    let file = File::options().write(true).open(&source).unwrap();
    file.set_len(file.metadata().unwrap().len() - 8).unwrap();
    let error = append_table(dir.path().join("shards"), &table, &AppendOptions::default()).unwrap_err();
    assert!(error.kind() == ErrorKind::Format && error.path() == Some(&source), "{error}");
    assert_eq!(entries(&dir.path().join("shards")), [".colstore.lock", "shard_00000.cstore"]);
}
