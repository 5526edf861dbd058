//! The file that a writer fills: opened, locked before anything is changed, and given its name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::source::require_regular;
use crate::storage::{OutputFile, Storage};
use crate::write::lock::{FileLock, LockPolicy, is_at};
use crate::write::temp::{TempFile, already_exists, directory_of, follow_links};

/// How often an open begins anew because the file was replaced between opening and locking it.
const ATTEMPTS: u32 = 100;

/// A locked file under construction.
#[derive(Debug)]
pub(super) struct Place {
    storage: Arc<dyn Storage>,
    file: Arc<dyn OutputFile>,
    /// The given path with symbolic links followed.
    path: PathBuf,
    name: Name,
    lock: FileLock,
    /// The file that will be replaced, and its lock.
    old: Option<(Arc<dyn OutputFile>, FileLock)>,
}

/// How the file stands to its name.
#[derive(Debug)]
enum Name {
    /// It was there before, or is there for good.
    Settled,
    /// It was made at its path, and may not survive a power cut there.
    New,
    /// It has a temporary name until it takes the place of another.
    Beside(TempFile),
}

impl Place {
    /// A new file at `path`, where there must be none.
    pub(super) fn create(storage: &Arc<dyn Storage>, path: &Path, policy: LockPolicy) -> Result<Place> {
        let path = follow_links(path)?;
        if path.file_name().is_none() {
            let message = format!("'{}' does not name a file", path.display());
            return Err(Error::new(ErrorKind::InvalidArgument, message).with_path(&path));
        }
        let file = storage.create_new(&path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => already_exists(&path),
            _ => Error::io("create", &path, &e),
        })?;
        let storage = Arc::clone(storage);
        match FileLock::exclusive(file.file(), &path, policy) {
            Ok(lock) => Ok(Place { storage, file, path, name: Name::New, lock, old: None }),
            Err(e) => {
                if is_at(file.file(), &path) {
                    // The error that is reported is the one that matters.
                    let _ = storage.remove(&path);
                }
                Err(e)
            }
        }
    }

    /// A file that will take the place of the one at `path`; a new one, if there is none.
    pub(super) fn recreate(storage: &Arc<dyn Storage>, path: &Path, policy: LockPolicy) -> Result<Place> {
        for _ in 0..ATTEMPTS {
            let path = follow_links(path)?;
            match storage.open(&path) {
                Ok(old) => {
                    let Some(old_lock) = lock_named(old.file(), &path, policy)? else { continue };
                    let temp = TempFile::new(storage, &path, true)?;
                    // Nobody else knows the temporary name, but everybody the one that it gets.
                    let lock = FileLock::exclusive(temp.file().file(), &path, policy)?;
                    let (storage, file) = (Arc::clone(storage), Arc::clone(temp.file()));
                    let old = Some((old, old_lock));
                    return Ok(Place { storage, file, path, name: Name::Beside(temp), lock, old });
                }
                Err(e) if e.kind() == io::ErrorKind::NotFound => {
                    match Place::create(storage, &path, policy) {
                        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                        result => return result,
                    }
                }
                Err(e) => return Err(Error::io("open", &path, &e)),
            }
        }
        Err(restless(path))
    }

    /// The file at `path`.
    pub(super) fn update(storage: &Arc<dyn Storage>, path: &Path, policy: LockPolicy) -> Result<Place> {
        for _ in 0..ATTEMPTS {
            let path = follow_links(path)?;
            let file = storage.open(&path).map_err(|e| Error::io("open", &path, &e))?;
            let Some(lock) = lock_named(file.file(), &path, policy)? else { continue };
            let storage = Arc::clone(storage);
            return Ok(Place { storage, file, path, name: Name::Settled, lock, old: None });
        }
        Err(restless(path))
    }

    pub(super) fn file(&self) -> &Arc<dyn OutputFile> {
        &self.file
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn is_locked(&self) -> bool {
        self.lock.is_held() && self.old.as_ref().is_none_or(|(_, lock)| lock.is_held())
    }

    /// Whether readers can see what is written.
    pub(super) fn is_visible(&self) -> bool {
        !matches!(self.name, Name::Beside(_))
    }

    /// Whether the file was made at its path and never finished.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.name, Name::New)
    }

    /// Flushes the finished file, and gives it its name for good.
    pub(super) fn settle(&mut self) -> Result<()> {
        let flush =
            |file: &dyn OutputFile, path: &Path| file.flush_data().map_err(|e| Error::io("flush", path, &e));
        match std::mem::replace(&mut self.name, Name::Settled) {
            Name::Settled => flush(&*self.file, &self.path),
            Name::New => {
                let directory = directory_of(&self.path);
                flush(&*self.file, &self.path).and_then(|()| {
                    self.storage
                        .flush_directory(directory)
                        .map_err(|e| Error::io("flush the directory", directory, &e))
                })
            }
            Name::Beside(temp) => {
                temp.publish(true, true)?;
                // Who waits for the old file finds that it has been replaced.
                self.old = None;
                Ok(())
            }
        }
    }

    /// Takes away what was never finished; a file that it should have replaced stays.
    pub(super) fn discard(&mut self) {
        if self.is_new() && is_at(self.file.file(), &self.path) {
            // Nobody could do more about a file that cannot be removed.
            let _ = self.storage.remove(&self.path);
        }
        self.name = Name::Settled;
    }

    /// Lets go of the file and of the one that it should have replaced, and changes nothing: for a process to which they
    /// do not belong.
    pub(super) fn forget(self) {
        if let Name::Beside(temp) = self.name {
            temp.leave();
        }
    }

    /// Takes away the file and the one that it should have replaced.
    pub(super) fn remove(&mut self) -> Result<()> {
        let named = match (&self.name, &self.old) {
            (Name::Settled, _) => return Ok(()),
            (Name::New, _) => self.file.file(),
            (Name::Beside(_), Some((old, _))) => old.file(),
            (Name::Beside(_), None) => return Ok(()),
        };
        let result = match is_at(named, &self.path) {
            true => self.storage.remove(&self.path).map_err(|e| Error::io("remove", &self.path, &e)),
            false => Ok(()),
        };
        self.name = Name::Settled;
        result
    }
}

/// Locks a file that was opened at `path`; `None` if that is another file by now.
fn lock_named(file: &File, path: &Path, policy: LockPolicy) -> Result<Option<FileLock>> {
    let metadata = file.metadata().map_err(|e| Error::io("examine", path, &e))?;
    require_regular(path, &metadata)?;
    let lock = FileLock::exclusive(file, path, policy)?;
    Ok(is_at(file, path).then_some(lock))
}

fn restless(path: &Path) -> Error {
    let message = format!("'{}' was replaced by others whenever it was about to be locked", path.display());
    Error::new(ErrorKind::Io, message).with_path(path)
}
