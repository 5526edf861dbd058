//! A storage for tests: does everything for real under one directory, remembers every step, and fails where it is told
//! to.

#![allow(clippy::unwrap_used, reason = "for tests")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Disk, OutputFile, Storage};

/// Stands for a file, whatever its name.
pub(crate) type FileId = usize;

/// One change, or one wait for changes to be on the disk. Paths are below the directory of the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Create {
        path: PathBuf,
        file: FileId,
    },
    Write {
        file: FileId,
        offset: u64,
        bytes: Vec<u8>,
    },
    SetLen {
        file: FileId,
        len: u64,
    },
    /// The file is made longer, with blocks set aside.
    Reserve {
        file: FileId,
        to: u64,
    },
    SetMode {
        file: FileId,
    },
    Flush {
        file: FileId,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
        file: FileId,
    },
    Link {
        path: PathBuf,
        file: FileId,
    },
    Remove {
        path: PathBuf,
    },
    CreateDirectories {
        path: PathBuf,
    },
    FlushDirectory {
        path: PathBuf,
    },
    /// No step of the storage: a commit has returned to its caller.
    Committed,
}

/// Which step fails, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    /// The number of the step, from 0, among those that were tried.
    pub(crate) at: usize,
    /// Whether the steps after it fail as well: with `ENOSPC` those that need space, else all.
    pub(crate) lasting: bool,
    pub(crate) code: i32,
}

/// What a storage has under its directory: files by number, and their names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    pub(crate) files: BTreeMap<FileId, Vec<u8>>,
    pub(crate) names: BTreeMap<PathBuf, FileId>,
}

/// The storage; clones share one record.
#[derive(Debug, Clone)]
pub(crate) struct Recording(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    steps: Vec<Step>,
    names: BTreeMap<PathBuf, FileId>,
    n_files: usize,
    n_tried: usize,
    fault: Option<Fault>,
    /// The step that failed first.
    failed: Option<Step>,
    /// Where writes stop to fit on the disk, even if room for them was set aside.
    end_of_disk: u64,
}

impl Recording {
    /// A storage over `root`; also gives what is there already.
    pub(crate) fn new(root: &Path, fault: Option<Fault>) -> (Recording, Contents) {
        let mut contents = Contents::default();
        for path in files_below(root) {
            let file = contents.files.len();
            contents.files.insert(file, fs::read(&path).unwrap());
            contents.names.insert(path.strip_prefix(root).unwrap().to_path_buf(), file);
        }
        let state = State {
            steps: Vec::new(),
            names: contents.names.clone(),
            n_files: contents.files.len(),
            n_tried: 0,
            fault,
            failed: None,
            end_of_disk: u64::MAX,
        };
        let shared = Shared { root: root.to_path_buf(), state: Mutex::new(state) };
        (Recording(Arc::new(shared)), contents)
    }

    pub(crate) fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.clone())
    }

    /// Notes that a commit has returned.
    pub(crate) fn committed(&self) {
        self.state().steps.push(Step::Committed);
    }

    /// From now on writes that go beyond byte `end` of a file fail for lack of space, even over
    /// what is there.
    pub(crate) fn end_disk_at(&self, end: u64) {
        self.state().end_of_disk = end;
    }

    /// The steps that succeeded, in order.
    pub(crate) fn steps(&self) -> Vec<Step> {
        self.state().steps.clone()
    }

    /// The step that failed first, if any did.
    pub(crate) fn failed(&self) -> Option<Step> {
        self.state().failed.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap()
    }

    fn below_root(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.0.root).unwrap().to_path_buf()
    }

    /// Takes `step`, unless it is the one that fails.
    fn take(&self, step: Step, action: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let code = self.state().fault_of(&step);
        if let Some(code) = code {
            self.state().failed.get_or_insert(step);
            return Err(io::Error::from_raw_os_error(code));
        }
        action()?;
        self.state().steps.push(step);
        Ok(())
    }
}

impl State {
    /// How the next step fails.
    fn fault_of(&mut self, step: &Step) -> Option<i32> {
        let number = self.n_tried;
        self.n_tried += 1;
        if let Step::Write { offset, bytes, .. } = step
            && offset + bytes.len() as u64 > self.end_of_disk
        {
            return Some(libc::ENOSPC);
        }
        let fault = self.fault?;
        let needs_space = matches!(
            step,
            Step::Create { .. } | Step::Write { .. } | Step::Reserve { .. } | Step::Flush { .. }
        );
        let fails = number == fault.at
            || fault.lasting && number > fault.at && (fault.code != libc::ENOSPC || needs_space);
        fails.then_some(fault.code)
    }
}

impl Storage for Recording {
    fn create_new(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        let name = self.below_root(path);
        let file = self.state().n_files;
        let mut created = None;
        self.take(Step::Create { path: name.clone(), file }, || {
            created = Some(Disk.create_new(path)?);
            Ok(())
        })?;
        let mut state = self.state();
        state.n_files += 1;
        state.names.insert(name, file);
        let inner = created.unwrap();
        Ok(Arc::new(RecordedFile { recording: self.clone(), file, inner }))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>> {
        let inner = Disk.open(path)?;
        let file = self.state().names[&self.below_root(path)];
        Ok(Arc::new(RecordedFile { recording: self.clone(), file, inner }))
    }

    fn rename(&self, from: &Path, to: &Path, replace: bool) -> io::Result<()> {
        let (name, new) = (self.below_root(from), self.below_root(to));
        let file = self.state().names[&name];
        let step = Step::Rename { from: name.clone(), to: new.clone(), file };
        self.take(step, || Disk.rename(from, to, replace))?;
        let mut state = self.state();
        state.names.remove(&name);
        state.names.insert(new, file);
        Ok(())
    }

    fn link(&self, file: &Path, name: &Path) -> io::Result<()> {
        let (old, new) = (self.below_root(file), self.below_root(name));
        let id = self.state().names[&old];
        self.take(Step::Link { path: new.clone(), file: id }, || Disk.link(file, name))?;
        self.state().names.insert(new, id);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let name = self.below_root(path);
        self.take(Step::Remove { path: name.clone() }, || Disk.remove(path))?;
        self.state().names.remove(&name);
        Ok(())
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        let step = Step::CreateDirectories { path: self.below_root(path) };
        self.take(step, || Disk.create_directories(path))
    }

    fn flush_directory(&self, directory: &Path) -> io::Result<()> {
        let step = Step::FlushDirectory { path: self.below_root(directory) };
        self.take(step, || Disk.flush_directory(directory))
    }
}

#[derive(Debug)]
struct RecordedFile {
    recording: Recording,
    file: FileId,
    inner: Arc<dyn OutputFile>,
}

impl OutputFile for RecordedFile {
    fn file(&self) -> &File {
        self.inner.file()
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let step = Step::Write { file: self.file, offset, bytes: bytes.to_vec() };
        let result = self.recording.take(step, || self.inner.write_all_at(bytes, offset));
        // What goes over several blocks may be cut short anywhere when it fails.
        if result.is_err() && bytes.len() > 512 {
            self.inner.write_all_at(&bytes[..bytes.len() / 2], offset)?;
        }
        result
    }

    fn write_pieces_at(&self, pieces: &[&[u8]], offset: u64) -> io::Result<()> {
        self.write_all_at(&pieces.concat(), offset)
    }

    fn copy_from(&self, source: &File, from: u64, offset: u64, len: u64) -> io::Result<()> {
        let mut bytes = vec![0; len as usize];
        source.read_exact_at(&mut bytes, from)?;
        self.write_all_at(&bytes, offset)
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        let step = Step::Reserve { file: self.file, to: len };
        self.recording.take(step, || self.inner.allocate(len))
    }

    fn reserve(&self, from: u64, to: u64) -> io::Result<bool> {
        let step = Step::Reserve { file: self.file, to };
        self.recording.take(step, || {
            // Where the test runs on a file system that cannot do it, as far as it can be seen.
            match self.inner.reserve(from, to)? {
                false if self.file().metadata()?.len() < to => self.inner.set_len(to),
                _ => Ok(()),
            }
        })?;
        Ok(true)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let step = Step::SetLen { file: self.file, len };
        self.recording.take(step, || self.inner.set_len(len))
    }

    fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.recording.take(Step::SetMode { file: self.file }, || self.inner.set_mode(mode))
    }

    fn start_write_back(&self, _offset: u64, _len: u64) {}

    fn flush(&self) -> io::Result<()> {
        self.recording.take(Step::Flush { file: self.file }, || self.inner.flush())
    }

    fn flush_data(&self) -> io::Result<()> {
        self.recording.take(Step::Flush { file: self.file }, || self.inner.flush_data())
    }
}

/// All files below a directory, in the order of their paths.
pub(crate) fn files_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { directories.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
