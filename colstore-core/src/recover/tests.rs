//! The steps by which a recovery reaches the disk, and what a failure at any of them leaves.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::run::recover_in;
use super::{RecoverOptions, RecoveryAction};
use crate::Table;
use crate::storage::{Disk, OutputFile, Storage};

/// The disk, with a record of every step, that fails from the step `fails_at` on.
#[derive(Debug)]
struct Recorder {
    steps: Arc<Mutex<Vec<&'static str>>>,
    fails_at: usize,
}

impl Recorder {
    fn step(&self, name: &'static str) -> io::Result<()> {
        let mut steps = self.steps.lock().unwrap();
        steps.push(name);
        if steps.len() > self.fails_at { Err(io::Error::other("no more")) } else { Ok(()) }
    }

    fn file(&self, file: Arc<dyn OutputFile>) -> Arc<dyn OutputFile> {
        Arc::new(RecordedFile {
            file,
            recorder: Recorder { steps: Arc::clone(&self.steps), fails_at: self.fails_at },
        })
    }
}

impl Storage for Recorder {
    fn create_new(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        self.step("create")?;
        Disk.create_new(path).map(|file| self.file(file))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        self.step("open")?;
        Disk.open(path).map(|file| self.file(file))
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        Disk.link(file, name)
    }

    fn rename(&self, from: &Path, to: &Path, replace: bool) -> io::Result<()> {
        self.step("rename")?;
        Disk.rename(from, to, replace)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Disk.remove(path)
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        Disk.create_directories(path)
    }

    fn flush_directory(&self, directory: &Path) -> io::Result<()> {
        self.step("flush directory")?;
        Disk.flush_directory(directory)
    }
}

#[derive(Debug)]
struct RecordedFile {
    file: Arc<dyn OutputFile>,
    recorder: Recorder,
}

impl OutputFile for RecordedFile {
    fn file(&self) -> &File {
        self.file.file()
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        assert_eq!((bytes.len(), offset), (64, 8), "counters only");
        self.recorder.step("counters")?;
        self.file.write_all_at(bytes, offset)
    }

    fn write_pieces_at(&self, pieces: &[&[u8]], offset: u64) -> io::Result<()> {
        self.file.write_pieces_at(pieces, offset)
    }

    fn copy_from(&self, source: &File, from: u64, offset: u64, len: u64) -> io::Result<()> {
        self.recorder.step("copy")?;
        self.file.copy_from(source, from, offset, len)
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        self.file.allocate(len)
    }

    fn set_len(&self, _: u64) -> io::Result<()> {
        panic!("nothing is cut off")
    }

    fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.file.set_mode(mode)
    }

    fn start_write_back(&self, offset: u64, len: u64) {
        self.file.start_write_back(offset, len);
    }

    fn reserve(&self, from: u64, to: u64) -> io::Result<bool> {
        self.file.reserve(from, to)
    }

    fn flush_data(&self) -> io::Result<()> {
        self.recorder.step("flush")?;
        self.file.flush_data()
    }

    fn flush(&self) -> io::Result<()> {
        self.recorder.step("flush")?;
        self.file.flush()
    }
}

/// Two committed records with 11 rows, and a third with 9.
fn torn(dir: &Path) -> PathBuf {
    let golden = "../tests/data/golden/crashed_update_torn.cstore";
    let path = dir.join("torn.cstore");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(golden), &path).unwrap();
    path
}

#[test]
fn a_failure_at_any_step_of_a_commit_leaves_a_readable_file() {
    let expected = ["open", "flush", "counters", "flush"];
    for fails_at in 0..=expected.len() {
        let dir = tempfile::tempdir().unwrap();
        let path = torn(dir.path());
        let steps = Arc::default();
        let storage: Arc<dyn Storage> = Arc::new(Recorder { steps: Arc::clone(&steps), fails_at });
        let options = RecoverOptions { commit: true, ..RecoverOptions::default() };
        let result = recover_in(&storage, &path, None, &options);
        let done = expected.len().min(fails_at + 1);
        assert_eq!(*steps.lock().unwrap(), expected[..done]);
        assert_eq!(result.is_ok(), fails_at == expected.len());
        // The counters were written before the last flush.
        let n_rows = if fails_at >= 3 { 20 } else { 11 };
        assert_eq!(Table::open(&path).unwrap().n_rows(), n_rows, "{fails_at}");
    }
}

#[test]
fn a_failure_at_any_step_of_a_copy_leaves_no_file_behind() {
    let expected = ["create", "copy", "counters", "flush", "rename", "flush directory"];
    for fails_at in 0..=expected.len() {
        let dir = tempfile::tempdir().unwrap();
        let path = torn(dir.path());
        let before = std::fs::read(&path).unwrap();
        let out = dir.path().join("out.cstore");
        let steps = Arc::default();
        let storage: Arc<dyn Storage> = Arc::new(Recorder { steps: Arc::clone(&steps), fails_at });
        let result = recover_in(&storage, &path, Some(&out), &RecoverOptions::default());
        let done = expected.len().min(fails_at + 1);
        assert_eq!(*steps.lock().unwrap(), expected[..done]);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        let is_published = fails_at >= 5;
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            1 + usize::from(is_published),
            "{fails_at}"
        );
        if is_published {
            assert_eq!(Table::open(&out).unwrap().n_rows(), 20);
        }
        assert_eq!(
            result.map(|recovery| recovery.action).ok(),
            (fails_at == 6).then_some(RecoveryAction::Copied)
        );
    }
}
