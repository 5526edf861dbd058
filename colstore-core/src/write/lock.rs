//! One writer at a time: an advisory lock on a file.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

/// What is to be done about locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LockPolicy {
    /// Without a lock nothing is written.
    Require,
    /// A lock is taken where the file system has locks; where it has none, writing goes on without.
    #[default]
    Auto,
    /// No lock is taken, and none is heeded.
    Off,
}

/// An exclusive lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    /// The locked file; `None` if there is no lock.
    file: Option<File>,
    process: u32,
}

impl FileLock {
    /// Locks `file`, which messages call `name`, without waiting.
    pub(crate) fn exclusive(file: &File, name: &Path, policy: LockPolicy) -> Result<FileLock> {
        let process = std::process::id();
        if policy == LockPolicy::Off {
            return Ok(FileLock { file: None, process });
        }
        let file = file.try_clone().map_err(|e| Error::io("lock", name, &e))?;
        match file.try_lock() {
            Ok(()) => Ok(FileLock { file: Some(file), process }),
            Err(TryLockError::WouldBlock) => {
                let message =
                    format!("another writer holds the lock on '{}'; let it finish first", name.display());
                Err(Error::new(ErrorKind::Io, message).with_path(name))
            }
            Err(TryLockError::Error(e)) if policy == LockPolicy::Auto && is_unsupported(&e) => {
                Ok(FileLock { file: None, process })
            }
            Err(TryLockError::Error(e)) => Err(Error::io("lock", name, &e)),
        }
    }

    /// Whether there is a lock.
    pub(crate) fn is_held(&self) -> bool {
        self.file.is_some()
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // A child of `fork()` shares the lock with its parent, whose it is.
        if let Some(file) = &self.file
            && std::process::id() == self.process
        {
            // Closing the file does the same, if nobody else has the descriptor.
            let _ = file.unlock();
        }
    }
}

/// Whether the file system has no locks. Network file systems of Linux say so in a number of their own, 524.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOLCK | libc::ENOSYS | libc::EOPNOTSUPP | 524))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_unless_locks_are_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let files: Vec<File> = (0..3).map(|_| File::create(&path).unwrap()).collect();
        let first = FileLock::exclusive(&files[0], &path, LockPolicy::Auto).unwrap();
        assert!(first.is_held());
        for policy in [LockPolicy::Auto, LockPolicy::Require] {
            let error = FileLock::exclusive(&files[1], &path, policy).unwrap_err();
            assert!(error.kind() == ErrorKind::Io && error.message().contains("lock"), "{error}");
        }
        assert!(!FileLock::exclusive(&files[1], &path, LockPolicy::Off).unwrap().is_held());
        drop(first);
        assert!(FileLock::exclusive(&files[2], &path, LockPolicy::Require).unwrap().is_held());
    }
}
