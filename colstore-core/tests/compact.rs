//! Compaction: what becomes of the file, of its names, and of those who use it meanwhile.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use colstore_core::{CompactOptions, ErrorKind, LockPolicy, Progress, ReadOptions, Table, compact};
use common::Model;

const DTYPES: [&str; 5] = ["<i4", "|b1", "<f8", "|S3", ">i2"];

fn model(record_rows: &[u64]) -> Model {
    Model::new(&DTYPES, record_rows, 11)
}

/// `model` in one record, in little-endian order.
fn compacted(model: &Model) -> Vec<u8> {
    let mut one = Model::new(&["<i4", "|b1", "<f8", "|S3", "<i2"], &[model.n_rows()], 11);
    one.stored = (0..model.stored.len()).map(|j| model.native(j)).collect();
    one.to_bytes()
}

fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn options() -> CompactOptions<'static> {
    CompactOptions::default()
}

#[test]
fn records_become_one_in_place_and_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("t.cstore"), dir.path().join("out.cstore"));
    let many: Vec<u64> = (0..1000).map(|i| i % 50).collect();
    for record_rows in [&[3, 4][..], &[0, 0], &[0, 7, 0], &many, &[300_000, 200_000]] {
        let model = model(record_rows);
        let mut bytes = model.to_bytes();
        bytes.extend_from_slice(b"orphan bytes");
        fs::write(&path, &bytes).unwrap();
        compact(&path, Some(&out), &options()).unwrap();
        assert!(fs::read(&path).unwrap() == bytes);
        assert!(fs::read(&out).unwrap() == compacted(&model), "{} records", record_rows.len());
        // An existing file is replaced.
        compact(&path, Some(&out), &options()).unwrap();
        compact(&path, None, &options()).unwrap();
        assert!(fs::read(&path).unwrap() == compacted(&model));
    }
    assert_eq!(entries(dir.path()), ["out.cstore", "t.cstore"]);
}

#[test]
fn one_record_stays_as_it_is_and_is_copied_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("t.cstore"), dir.path().join("out.cstore"));
    for record_rows in [&[][..], &[0], &[2_000_000]] {
        let mut bytes = model(record_rows).to_bytes();
        bytes.extend_from_slice(b"orphan bytes");
        fs::write(&path, &bytes).unwrap();
        let before = fs::metadata(&path).unwrap();
        compact(&path, None, &options()).unwrap();
        compact(&path, Some(&path), &CompactOptions { statistics: true, ..options() }).unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!(
            (after.ino(), after.mtime(), after.mtime_nsec()),
            (before.ino(), before.mtime(), before.mtime_nsec())
        );
        compact(&path, Some(&out), &options()).unwrap();
        assert!(fs::read(&path).unwrap() == bytes);
        assert!(fs::read(&out).unwrap() == bytes);
    }
    assert_eq!(entries(dir.path()), ["out.cstore", "t.cstore"]);
}

#[test]
fn statistics_are_there_if_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let mut model = model(&[3, 4]);
    model.stored[0] = (0..7i32).flat_map(|i| (i * 5 - 12).to_le_bytes()).collect();
    fs::write(&path, model.to_bytes()).unwrap();
    compact(&path, None, &CompactOptions { statistics: true, ..options() }).unwrap();
    let table = Table::open(&path).unwrap();
    let statistics = table.statistics().unwrap();
    assert_eq!(statistics.n_records(), 1);
    assert_eq!(statistics.columns()[0].min, (-12i32).to_le_bytes());
    assert_eq!(statistics.columns()[0].max, 18i32.to_le_bytes());
    assert_eq!(
        (&statistics.columns()[0].valid[..], &statistics.columns()[3].valid[..]),
        (&[true][..], &[false][..])
    );
}

#[test]
fn permissions_and_symbolic_links_stay() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("data")).unwrap();
    let (real, link) = (dir.path().join("data/t.cstore"), dir.path().join("link"));
    symlink("data/t.cstore", &link).unwrap();
    fs::write(&real, model(&[3, 4]).to_bytes()).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    compact(&link, None, &options()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), compacted(&model(&[3, 4])));
    assert_eq!(fs::metadata(&real).unwrap().mode() & 0o777, 0o640);
    // The target through the link, and the link through the target, are the file itself.
    for (path, out) in [(&real, &link), (&link, &real), (&link, &link)] {
        fs::write(&real, model(&[3, 4]).to_bytes()).unwrap();
        compact(path, Some(out), &options()).unwrap();
        assert_eq!(fs::read(&real).unwrap(), compacted(&model(&[3, 4])));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    // A link to another file.
    fs::write(&real, model(&[3, 4]).to_bytes()).unwrap();
    fs::write(dir.path().join("data/other"), b"old").unwrap();
    symlink("data/other", dir.path().join("to-other")).unwrap();
    compact(&real, Some(&dir.path().join("to-other")), &options()).unwrap();
    assert_eq!(fs::read(&real).unwrap(), model(&[3, 4]).to_bytes());
    assert_eq!(fs::read(dir.path().join("data/other")).unwrap(), compacted(&model(&[3, 4])));
    assert_eq!(entries(&dir.path().join("data")), ["other", "t.cstore"]);
}

#[test]
fn hard_links_keep_the_old_records_unless_they_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (path, link) = (dir.path().join("t.cstore"), dir.path().join("link"));
    let (old, new) = (model(&[3, 4]).to_bytes(), compacted(&model(&[3, 4])));
    fs::write(&path, &old).unwrap();
    fs::hard_link(&path, &link).unwrap();
    compact(&path, None, &options()).unwrap();
    assert_eq!((fs::read(&path).unwrap(), fs::read(&link).unwrap()), (new.clone(), old.clone()));

    fs::remove_file(&link).unwrap();
    fs::write(&path, &old).unwrap();
    fs::hard_link(&path, &link).unwrap();
    compact(&path, Some(&link), &options()).unwrap();
    assert_eq!((fs::read(&path).unwrap(), fs::read(&link).unwrap()), (new.clone(), new));
    assert_eq!(fs::metadata(&path).unwrap().ino(), fs::metadata(&link).unwrap().ino());
    assert_eq!(entries(dir.path()), ["link", "t.cstore"]);
}

#[test]
fn readers_keep_what_they_opened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let model = model(&[100_000, 50_000]);
    fs::write(&path, model.to_bytes()).unwrap();
    let table = Table::open(&path).unwrap();
    let view = table.view_column(0, 0..100_000).unwrap();
    compact(&path, None, &options()).unwrap();
    model.check(&table, 0, 150_000, &ReadOptions::default());
    // SAFETY: the view has 100,000 rows of four bytes.
    let bytes = unsafe { std::slice::from_raw_parts(view.as_ptr(), 400_000) };
    assert!(bytes == &model.native(0)[..400_000]);
    assert_eq!(Table::open(&path).unwrap().n_records(), 1);
}

#[test]
fn a_locked_file_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("t.cstore"), dir.path().join("out"));
    let old = model(&[3, 4]).to_bytes();
    fs::write(&path, &old).unwrap();
    let holder = File::open(&path).unwrap();
    // SAFETY: a descriptor that is open, and a number.
    assert_eq!(unsafe { libc::flock(holder.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }, 0);
    for out in [None, Some(&*out)] {
        let error = compact(&path, out, &options()).unwrap_err();
        assert!(error.message().contains("lock") && error.path() == Some(&path), "{error}");
        assert_eq!(error.kind(), ErrorKind::Locked);
    }
    assert_eq!(fs::read(&path).unwrap(), old);
    compact(&path, Some(&out), &CompactOptions { lock: Some(LockPolicy::Off), ..options() }).unwrap();
    drop(holder);
    compact(&path, None, &options()).unwrap();
    assert_eq!(Table::open(&path).unwrap().n_records(), 1);
}

#[test]
fn compactions_at_once_do_not_lose_a_row() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.cstore");
    let model = model(&[20_000; 20]);
    for _ in 0..5 {
        fs::write(&path, model.to_bytes()).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| match compact(&path, None, &options()) {
                    Ok(()) => {}
                    Err(error) => assert!(error.message().contains("lock"), "{error}"),
                });
            }
        });
        assert!(fs::read(&path).unwrap() == compacted(&model));
    }
    assert_eq!(entries(dir.path()), ["t.cstore"]);
}

#[test]
fn what_cannot_be_compacted_is_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("t.cstore"), dir.path().join("out"));
    assert_eq!(compact(&path, None, &options()).unwrap_err().kind(), ErrorKind::NotFound);
    let good = model(&[3, 4]).to_bytes();
    // A magic number, a count, a record header, and an end that are wrong.
    for (at, cut) in [(3, 0), (16, 0), (good.len() - 100, 0), (9, 5)] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes.truncate(good.len() - cut);
        fs::write(&path, &bytes).unwrap();
        fs::write(&out, b"old").unwrap();
        if Table::open(&path).is_ok() {
            // The byte was a value.
            continue;
        }
        for out in [None, Some(&*out)] {
            assert_eq!(compact(&path, out, &options()).unwrap_err().kind(), ErrorKind::Format);
        }
        assert_eq!((fs::read(&path).unwrap(), &fs::read(&out).unwrap()[..]), (bytes, &b"old"[..]));
    }
    assert_eq!(entries(dir.path()), ["out", "t.cstore"]);
    fs::write(&path, &good).unwrap();
    assert_eq!(
        compact(&path, Some(&dir.path().join("missing/out")), &options()).unwrap_err().kind(),
        ErrorKind::NotFound
    );
    assert_eq!(compact(&path, Some(dir.path()), &options()).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(compact(dir.path(), None, &options()).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn a_cancelled_compaction_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("t.cstore"), dir.path().join("out"));
    let progress = Progress::new();
    progress.cancel();
    for record_rows in [&[3, 4][..], &[7]] {
        let bytes = model(record_rows).to_bytes();
        fs::write(&path, &bytes).unwrap();
        let error = compact(&path, Some(&out), &CompactOptions { progress: Some(&progress), ..options() });
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Cancelled);
        assert_eq!(entries(dir.path()), ["t.cstore"]);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
