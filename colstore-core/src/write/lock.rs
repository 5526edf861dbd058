//! The lock that a writer holds on its file: one writer at a time, readers never ask.
//!
//! ```text
//! flock ──held by another──► Locked
//!   │ not supported here
//!   ▼
//! fcntl(F_OFD_SETLK) ──held by another──► Locked
//!   │ not supported here
//!   ▼
//! policy: require ──► error          auto ──► go on without a lock, and say so
//! ```
//!
//! Both kinds belong to the open file and not to the process: they keep out other writers of the same process, too, and
//! end with the descriptor, however the process ends. colstore 0.5.1 takes the first kind.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::config;
use crate::error::{Error, ErrorKind, Result};

/// What a writer does about the lock on its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockPolicy {
    /// It is taken, or nothing is written.
    Require,
    /// It is taken where the file system has locks; where it has none, the writer goes on without, and says so.
    Auto,
    /// It is not asked for: the caller makes sure that there is one writer.
    Off,
}

/// Error code of Linux for locks that an NFS server does not have; it has no name in user space.
const ENOTSUPP: i32 = 524;

/// An exclusive lock on an open file, given up when dropped. A process that was forked off does not give it up.
#[derive(Debug)]
pub(crate) struct FileLock {
    /// The locked file; `None` if there is no lock.
    file: Option<File>,
    kind: Kind,
    process: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flock,
    OpenFile,
}

impl FileLock {
    /// Locks an open file, at once or not at all; `name` is for messages.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if another open file holds the lock; [`Io`](ErrorKind::Io) if it cannot be had,
    /// which under [`LockPolicy::Auto`] is no error where the system does not support it.
    pub(crate) fn exclusive(file: &File, name: &Path, policy: LockPolicy) -> Result<FileLock> {
        FileLock::with(file, name, policy, |kind| lock(file, kind))
    }

    fn with(
        file: &File,
        name: &Path,
        policy: LockPolicy,
        lock: impl Fn(Kind) -> io::Result<()>,
    ) -> Result<FileLock> {
        let process = std::process::id();
        let none = FileLock { file: None, kind: Kind::Flock, process };
        if policy == LockPolicy::Off {
            return Ok(none);
        }
        for kind in [Kind::Flock, Kind::OpenFile] {
            match lock(kind) {
                Ok(()) => {
                    let file = file.try_clone().map_err(|e| Error::io("lock", name, &e))?;
                    return Ok(FileLock { file: Some(file), kind, process });
                }
                Err(e) if is_held(&e) => return Err(locked(name, &e)),
                Err(e) if is_unsupported(&e) => {
                    if kind == Kind::OpenFile && policy == LockPolicy::Require {
                        let error = Error::io("lock", name, &e);
                        return Err(error.with_hint(
                            "locks are not supported by its file system; with the lock policy 'auto' files are \
                             written without",
                        ));
                    }
                }
                Err(e) => return Err(Error::io("lock", name, &e)),
            }
        }
        Ok(none)
    }

    /// Whether there is a lock: not if the policy was not to ask, or the file system has none.
    pub(crate) fn is_held(&self) -> bool {
        self.file.is_some()
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Whoever was forked off shares the open file: unlocking there would take the lock from its parent.
        if let Some(file) = self.file.take()
            && self.process == std::process::id()
        {
            // Not left to closing the descriptor: a child may have a copy of it.
            let _ = unlock(&file, self.kind);
        }
    }
}

/// The policy of the process, unless the caller has one of its own.
pub(crate) fn policy_or_default(policy: Option<LockPolicy>) -> LockPolicy {
    policy.unwrap_or_else(config::lock_policy)
}

/// Whether `path` still names the open file: it may have been replaced before the lock was taken.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

fn locked(name: &Path, source: &io::Error) -> Error {
    let message =
        format!("'{}' is locked by another writer; try again when that has closed it", name.display());
    let error = Error::new(ErrorKind::Locked, message).with_path(name);
    error.with_os_code(source.raw_os_error().unwrap_or(libc::EWOULDBLOCK))
}

fn is_held(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EWOULDBLOCK | libc::EACCES))
}

fn is_unsupported(error: &io::Error) -> bool {
    // Of a kernel that does not know the second kind, EINVAL. ENOTSUP is another number than EOPNOTSUPP in places.
    let codes = [libc::ENOLCK, libc::ENOTSUP, libc::EOPNOTSUPP, libc::ENOSYS, libc::EINVAL, ENOTSUPP];
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

fn lock(file: &File, kind: Kind) -> io::Result<()> {
    match kind {
        Kind::Flock => flock(file, libc::LOCK_EX | libc::LOCK_NB),
        Kind::OpenFile => lock_open_file(file, libc::F_WRLCK as libc::c_short),
    }
}

fn unlock(file: &File, kind: Kind) -> io::Result<()> {
    match kind {
        Kind::Flock => flock(file, libc::LOCK_UN),
        Kind::OpenFile => lock_open_file(file, libc::F_UNLCK as libc::c_short),
    }
}

fn flock(file: &File, operation: libc::c_int) -> io::Result<()> {
    loop {
        // SAFETY: a descriptor that is open, and a number; no memory is involved.
        if unsafe { libc::flock(file.as_raw_fd(), operation) } == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// A lock of the whole file that belongs to the open file, as `flock`'s does.
#[cfg(target_os = "linux")]
fn lock_open_file(file: &File, kind: libc::c_short) -> io::Result<()> {
    // SAFETY: the struct is plain numbers; zero is the start and, for the length, the end of the file.
    let mut range: libc::flock = unsafe { std::mem::zeroed() };
    range.l_type = kind;
    range.l_whence = libc::SEEK_SET as libc::c_short;
    loop {
        // SAFETY: a descriptor that is open, and a struct that outlives the call.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const range) } != -1 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn lock_open_file(_: &File, _: libc::c_short) -> io::Result<()> {
    Err(io::Error::from_raw_os_error(libc::ENOTSUP))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn file(dir: &tempfile::TempDir) -> (PathBuf, File, File) {
        let path = dir.path().join("t.cstore");
        let open =
            || File::options().read(true).write(true).create(true).truncate(false).open(&path).unwrap();
        let (first, second) = (open(), open());
        (path, first, second)
    }

    fn code(code: i32) -> io::Result<()> {
        Err(io::Error::from_raw_os_error(code))
    }

    #[test]
    fn one_at_a_time_and_freed_when_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let (path, first, second) = file(&dir);
        for policy in [LockPolicy::Require, LockPolicy::Auto] {
            let lock = FileLock::exclusive(&first, &path, policy).unwrap();
            assert!(lock.is_held());
            let error = FileLock::exclusive(&second, &path, policy).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::Locked, Some(&*path)));
            assert!(error.message().contains("lock") && error.message().contains("t.cstore"), "{error}");
            assert!(!FileLock::exclusive(&second, &path, LockPolicy::Off).unwrap().is_held());
            // A copy of the descriptor, as a child has it, does not keep the lock.
            let copy = first.try_clone().unwrap();
            drop(lock);
            drop(FileLock::exclusive(&second, &path, policy).unwrap());
            drop(copy);
        }
    }

    #[test]
    fn the_second_kind_locks_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let (path, first, second) = file(&dir);
        let without_flock = |file: &File, kind| match kind {
            Kind::Flock => code(libc::ENOSYS),
            Kind::OpenFile => lock(file, kind),
        };
        let take =
            |file: &File| FileLock::with(file, &path, LockPolicy::Require, |kind| without_flock(file, kind));
        let held = take(&first).unwrap();
        assert_eq!((held.is_held(), held.kind), (true, Kind::OpenFile));
        assert_eq!(take(&second).unwrap_err().kind(), ErrorKind::Locked);
        drop(held);
        assert!(take(&second).unwrap().is_held());
    }

    #[test]
    fn without_support_the_policy_decides() {
        let dir = tempfile::tempdir().unwrap();
        let (path, first, _) = file(&dir);
        for number in [libc::ENOLCK, libc::ENOTSUP, libc::EOPNOTSUPP, libc::ENOSYS, ENOTSUPP] {
            let lock = FileLock::with(&first, &path, LockPolicy::Auto, |_| code(number)).unwrap();
            assert!(!lock.is_held());
            let error = FileLock::with(&first, &path, LockPolicy::Require, |_| code(number)).unwrap_err();
            assert_eq!((error.kind(), error.os_code()), (ErrorKind::Io, Some(number)));
            assert!(error.message().contains("not supported"), "{error}");
        }
        for policy in [LockPolicy::Auto, LockPolicy::Require] {
            let error = FileLock::with(&first, &path, policy, |_| code(libc::EIO)).unwrap_err();
            assert_eq!((error.kind(), error.os_code()), (ErrorKind::Io, Some(libc::EIO)));
        }
    }

    #[test]
    fn a_file_that_was_replaced_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let (path, first, _) = file(&dir);
        assert!(is_at(&first, &path));
        let other = dir.path().join("other");
        File::create(&other).unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(!is_at(&first, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&first, &path));
    }
}
