//! Every step of adding a shard made to fail, one at a time.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::append::{append_in, append_table_in};
use super::{AppendOptions, Appender, AppenderOptions, ColumnData, ShardSize, StoreOptions, store};
use crate::concat::{OnMismatch, concat};
use crate::error::{ErrorKind, Result};
use crate::options::ReadOptions;
use crate::paths::expand_paths;
use crate::storage::{Disk, OutputFile, Storage};
use crate::table::Table;

/// The disk, where step `failing` fails. With `crashed` so does everything after it, as for a process that was ended.
#[derive(Debug)]
struct Steps {
    next: AtomicUsize,
    failing: usize,
    crashes: bool,
    crashed: AtomicBool,
}

impl Steps {
    fn failing_at(failing: usize, crashes: bool) -> (Arc<Steps>, Arc<dyn Storage>) {
        let steps =
            Arc::new(Steps { next: AtomicUsize::new(0), failing, crashes, crashed: AtomicBool::new(false) });
        (Arc::clone(&steps), Arc::new(FailingDisk(steps)))
    }

    fn step(&self) -> io::Result<()> {
        let fails = self.next.fetch_add(1, Ordering::Relaxed) == self.failing;
        if fails && self.crashes {
            self.crashed.store(true, Ordering::Relaxed);
        }
        match fails || self.crashed.load(Ordering::Relaxed) {
            true => Err(io::Error::from_raw_os_error(libc::EIO)),
            false => Ok(()),
        }
    }

    /// Whether the step that fails was reached.
    fn has_failed(&self) -> bool {
        self.next.load(Ordering::Relaxed) > self.failing
    }
}

#[derive(Debug)]
struct FailingDisk(Arc<Steps>);

impl Storage for FailingDisk {
    fn create_new(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        self.0.step()?;
        Ok(Arc::new(FailingFile(Disk.create_new(path)?, Arc::clone(&self.0))))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        Ok(Arc::new(FailingFile(Disk.open(path)?, Arc::clone(&self.0))))
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        self.0.step()?;
        Disk.link(file, name)
    }

    fn rename(&self, from: &Path, to: &Path, replace: bool) -> io::Result<()> {
        self.0.step()?;
        Disk.rename(from, to, replace)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.step()?;
        Disk.remove(path)
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        self.0.step()?;
        Disk.create_directories(path)
    }

    fn flush_directory(&self, directory: &Path) -> io::Result<()> {
        self.0.step()?;
        Disk.flush_directory(directory)
    }
}

#[derive(Debug)]
struct FailingFile(Arc<dyn OutputFile>, Arc<Steps>);

impl OutputFile for FailingFile {
    fn file(&self) -> &File {
        self.0.file()
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.1.step()?;
        self.0.write_all_at(bytes, offset)
    }

    fn write_pieces_at(&self, pieces: &[&[u8]], offset: u64) -> io::Result<()> {
        self.1.step()?;
        self.0.write_pieces_at(pieces, offset)
    }

    fn copy_from(&self, source: &File, from: u64, offset: u64, len: u64) -> io::Result<()> {
        self.1.step()?;
        self.0.copy_from(source, from, offset, len)
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        self.1.step()?;
        self.0.allocate(len)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.1.step()?;
        self.0.set_len(len)
    }

    fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.1.step()?;
        self.0.set_mode(mode)
    }

    fn start_write_back(&self, offset: u64, len: u64) {
        self.0.start_write_back(offset, len);
    }

    fn reserve(&self, from: u64, to: u64) -> io::Result<bool> {
        self.1.step()?;
        self.0.reserve(from, to)
    }

    fn flush_data(&self) -> io::Result<()> {
        self.1.step()?;
        self.0.flush_data()
    }

    fn flush(&self) -> io::Result<()> {
        self.1.step()?;
        self.0.flush()
    }
}

fn column(bytes: &[u8]) -> ColumnData<'_> {
    ColumnData::from_slice("x".into(), "|u1".parse().unwrap(), bytes).unwrap()
}

/// The values of all shards, in order. Whatever shards there are must be whole.
fn values(directory: &Path) -> Vec<u8> {
    if !directory.exists() {
        return Vec::new();
    }
    let tables: Vec<Table> =
        expand_paths(directory).unwrap().iter().map(|path| Table::open(path).unwrap()).collect();
    let (table, _) = concat(&tables, OnMismatch::Strict).unwrap();
    match table.n_files() {
        0 => Vec::new(),
        _ => table.column_bytes(0, 0..table.n_rows(), &ReadOptions::default()).unwrap(),
    }
}

fn temporary_files(directory: &Path) -> usize {
    let names = fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".tmp")).count()
}

/// Runs `work` with every step of it failing in turn, until it succeeds; gives the number of steps.
fn every_step(crashes: bool, work: impl Fn(&Arc<dyn Storage>, &Path, &Steps)) -> usize {
    for failing in 0..200 {
        let dir = tempfile::tempdir().unwrap();
        let (steps, storage) = Steps::failing_at(failing, crashes);
        work(&storage, dir.path(), &steps);
        if !steps.has_failed() {
            return failing;
        }
    }
    panic!("never without a failure");
}

#[test]
fn a_failed_append_leaves_all_shards_or_one_more() {
    for crashes in [false, true] {
        for kind in 0..3 {
            let n_steps = every_step(crashes, |storage, dir, steps| {
                let sources = [dir.join("a.cstore"), dir.join("b.cstore")];
                for source in &sources {
                    store(source, &[column(&[1, 2])], &StoreOptions::default()).unwrap();
                }
                let tables = sources.map(|path| Table::open(path).unwrap());
                let directory = dir.join("new/directory");
                let options = AppendOptions::default();
                let (result, added): (Result<_>, &[u8]) = match kind {
                    0 => (append_in(storage, &directory, &[column(&[1, 2, 3])], &options), &[1, 2, 3]),
                    1 => (append_table_in(storage, &directory, &tables[0], &options), &[1, 2]),
                    _ => {
                        let (table, _) = concat(&tables, OnMismatch::Strict).unwrap();
                        (append_table_in(storage, &directory, &table, &options), &[1, 2, 1, 2])
                    }
                };
                let found = values(&directory);
                match result {
                    Ok(path) => {
                        assert!(path.is_file() && !steps.has_failed());
                        assert_eq!(found, added);
                    }
                    Err(e) => {
                        assert!(steps.has_failed());
                        let in_place = e.message().contains("is in place");
                        assert_eq!(found.is_empty(), !in_place, "{e}");
                        assert!(found.is_empty() || found == added);
                    }
                }
                if !crashes {
                    assert_eq!(temporary_files(&directory), 0);
                }
                // The next one finds nothing in its way, and cleans up.
                let n_before = found.len();
                append_in(&(Arc::new(Disk) as Arc<dyn Storage>), &directory, &[column(&[9])], &options)
                    .unwrap();
                assert_eq!((values(&directory).len(), temporary_files(&directory)), (n_before + 1, 0));
            });
            assert!(n_steps >= 9, "{n_steps}");
        }
    }
}

#[test]
fn what_could_not_be_flushed_is_held_and_flushed_later() {
    let n_steps = every_step(false, |storage, dir, steps| {
        let Ok(mut appender) = Appender::open_in(storage, dir, &AppenderOptions::default()) else {
            return;
        };
        appender.write(&[column(&[1, 2])]).unwrap();
        appender.write(&[column(&[3])]).unwrap();
        assert_eq!(appender.pending_rows(), 3);
        let first = appender.close();
        if let Err(e) = &first {
            assert!(steps.has_failed() && e.kind() == ErrorKind::Io, "{e}");
            let in_place = e.message().contains("is in place");
            assert_eq!(
                (appender.pending_rows(), appender.is_closed()),
                if in_place { (0, true) } else { (3, false) }
            );
        }
        appender.close().unwrap();
        assert_eq!((values(dir), temporary_files(dir)), (vec![1, 2, 3], 0));
        assert_eq!((appender.n_shards(), appender.is_closed(), appender.is_locked()), (1, true, false));
    });
    assert!(n_steps >= 8, "{n_steps}");
}

#[test]
fn a_batch_whose_shard_could_not_be_written_is_not_held() {
    let n_steps = every_step(false, |storage, dir, steps| {
        let options = AppenderOptions { shard_size: ShardSize::Rows(4), ..AppenderOptions::default() };
        let Ok(mut appender) = Appender::open_in(storage, dir, &options) else {
            return;
        };
        // The second batch completes a shard, the third is one.
        for (batch, before) in [(&[1u8, 2][..], 0), (&[3, 4, 5], 2), (&[6, 7, 8, 9], 0)] {
            let Err(e) = appender.write(&[column(batch)]) else { continue };
            assert!(steps.has_failed());
            if !e.message().contains("is in place") {
                assert_eq!(appender.pending_rows(), before);
                appender.write(&[column(batch)]).unwrap();
            }
        }
        appender.close().unwrap();
        assert_eq!((values(dir), temporary_files(dir)), ((1..10).collect(), 0));
    });
    assert!(n_steps >= 14, "{n_steps}");
}

#[test]
fn a_shard_in_place_decides_about_columns_though_its_name_was_not_flushed() {
    let other = || ColumnData::from_slice("y".into(), "|u1".parse().unwrap(), &[7; 8]).unwrap();
    let in_place = AtomicUsize::new(0);
    for batches in [&[&[1u8, 2, 3, 4][..]][..], &[&[1, 2], &[3, 4]]] {
        every_step(false, |storage, dir, _| {
            let options = AppenderOptions { shard_size: ShardSize::Rows(4), ..AppenderOptions::default() };
            let Ok(mut appender) = Appender::open_in(storage, dir, &options) else {
                return;
            };
            let results: Vec<Result<()>> =
                batches.iter().map(|batch| appender.write(&[column(batch)])).collect();
            if let Some(Err(e)) = results.last()
                && e.message().contains("is in place")
            {
                in_place.fetch_add(1, Ordering::Relaxed);
                assert_eq!((appender.n_shards(), appender.pending_rows()), (1, 0));
                assert_eq!(appender.write(&[other()]).unwrap_err().kind(), ErrorKind::InvalidArgument);
            }
        });
    }
    assert_eq!(in_place.into_inner(), 2);
}
