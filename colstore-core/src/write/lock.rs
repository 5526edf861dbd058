//! One writer at a time: a lock on the open file itself.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

/// What to do about the lock that keeps writers apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LockPolicy {
    /// Without a lock there is no writing.
    Require,
    /// Where the file system has no locks, write without one.
    #[default]
    Auto,
    /// Take none.
    Off,
}

/// An exclusive lock on a file, given back when dropped.
#[derive(Debug)]
pub(crate) struct FileLock(Option<File>);

impl FileLock {
    /// Locks `file`, which messages call `name`, without waiting.
    pub(crate) fn exclusive(file: &File, name: &Path, policy: LockPolicy) -> Result<FileLock> {
        if policy == LockPolicy::Off {
            return Ok(FileLock(None));
        }
        let file = file.try_clone().map_err(|e| Error::io("lock", name, &e))?;
        match file.try_lock() {
            Ok(()) => Ok(FileLock(Some(file))),
            Err(TryLockError::WouldBlock) => {
                let message = format!(
                    "another writer has the lock of '{}'; try again when it has closed the file",
                    name.display()
                );
                Err(Error::new(ErrorKind::Io, message).with_path(name).with_os_code(libc::EWOULDBLOCK))
            }
            Err(TryLockError::Error(_)) if policy == LockPolicy::Auto => Ok(FileLock(None)),
            Err(TryLockError::Error(e)) => Err(Error::io("lock", name, &e)),
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            // The last descriptor that goes takes the lock along in any case.
            let _ = file.unlock();
        }
    }
}
