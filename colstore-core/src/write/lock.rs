//! The lock that whoever changes a file holds.
//!
//! An advisory `flock` of the data file itself, which colstore 0.5.1 takes too: writers and compactions of either
//! keep each other out. Readers take none.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

/// What to do about locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LockPolicy {
    /// A file system that knows no locks is an error.
    Require,
    /// On a file system that knows no locks, go on without.
    #[default]
    Auto,
    /// Take none.
    Off,
}

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct FileLock(Option<File>);

impl FileLock {
    /// Locks `file` against all others who ask for a lock; `name` is what messages call it. Does not wait.
    pub(crate) fn exclusive(file: &File, name: &Path, policy: LockPolicy) -> Result<FileLock> {
        if policy == LockPolicy::Off {
            return Ok(FileLock(None));
        }
        loop {
            // SAFETY: a descriptor that is open, and a number.
            if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
                let file = file.try_clone().map_err(|e| Error::io("lock", name, &e))?;
                return Ok(FileLock(Some(file)));
            }
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                Some(libc::EINTR) => {}
                Some(libc::EWOULDBLOCK) => {
                    let message = format!(
                        "cannot lock '{}': another writer, or a compaction, holds the lock; try again when it is done",
                        name.display()
                    );
                    return Err(Error::new(ErrorKind::Io, message).with_path(name));
                }
                _ if policy == LockPolicy::Auto => return Ok(FileLock(None)),
                _ => return Err(Error::io("lock", name, &error)),
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            // SAFETY: a descriptor that is open, and a number. The lock ends with the last descriptor at the latest.
            unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_UN) };
        }
    }
}
