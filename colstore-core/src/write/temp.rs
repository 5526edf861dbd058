//! A file that is not there until it is whole.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use colstore_kernels::{Cancelled, Progress, pool};

use crate::error::{Error, ErrorKind, Result};
use crate::source::require_regular;
use crate::storage::{OutputFile, Storage};

/// How many names are tried before giving up.
const ATTEMPTS: u32 = 100;
/// As many symbolic links as the operating system follows.
const MAX_LINKS: u32 = 40;
/// While the disk is waited for, progress is reported this often.
const REPORT_EVERY: Duration = Duration::from_millis(20);
/// Characters of the random part of a name.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz012345";

/// A temporary file beside its target, named `.TARGET.RANDOM.tmp` so that listings of tables pass over it.
/// Removed when dropped, unless it was published.
#[derive(Debug)]
pub(crate) struct TempFile {
    storage: Arc<dyn Storage>,
    file: Arc<dyn OutputFile>,
    path: PathBuf,
    /// Where it will be published: the given path with symbolic links followed.
    target: PathBuf,
    /// Whether a file will be replaced.
    replaces: bool,
    published: bool,
}

impl TempFile {
    /// Creates a temporary file for `target`. If there is a file at `target` already, the new one gets its
    /// permissions, and `replace` must be set.
    pub(crate) fn new(storage: &Arc<dyn Storage>, target: &Path, replace: bool) -> Result<TempFile> {
        TempFile::marked(storage, target, replace, "")
    }

    /// As [`new`](TempFile::new), with `mark` before the random part of the name, by which [`is_marked`] knows it.
    pub(crate) fn marked(
        storage: &Arc<dyn Storage>,
        target: &Path,
        replace: bool,
        mark: &str,
    ) -> Result<TempFile> {
        let target = follow_links(target)?;
        let existing = match fs::symlink_metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(Error::io("examine", &target, &e)),
        };
        if let Some(metadata) = &existing {
            if !replace {
                return Err(already_exists(&target));
            }
            require_regular(&target, metadata)?;
        }
        let (file, path) = beside(&target, mark, |path| storage.create_new(path))?;
        let storage = Arc::clone(storage);
        let temp = TempFile { storage, file, path, target, replaces: existing.is_some(), published: false };
        if let Some(metadata) = existing {
            let mode = metadata.permissions().mode() & 0o7777;
            temp.file.set_mode(mode).map_err(|e| Error::io("set the permissions of", &temp.path, &e))?;
        }
        Ok(temp)
    }

    pub(crate) fn file(&self) -> &Arc<dyn OutputFile> {
        &self.file
    }

    /// Where it is until then.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where it will be published.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Whether a file will be replaced. Its rows must not be lost to a power cut, so the new ones have to be on
    /// the disk before they take its place.
    pub(crate) fn replaces(&self) -> bool {
        self.replaces
    }

    /// The error for a failed write.
    pub(crate) fn write_error(&self, source: &io::Error) -> Error {
        Error::io("write", &self.target, source)
    }

    /// Gives the file its name, in one step. Without `replace`, an existing file of that name is an error;
    /// with it, that file is replaced, and whoever has it open or mapped keeps it.
    pub(crate) fn publish(mut self, replace: bool, flush: bool) -> Result<()> {
        if flush {
            self.file.flush().map_err(|e| Error::io("flush", &self.target, &e))?;
        }
        self.put_in_place(replace)?;
        if flush { self.flush_directory() } else { Ok(()) }
    }

    /// [`publish`](TempFile::publish) with everything flushed. `progress` goes on reporting that all `bytes` are
    /// written, and can cancel: the disk may take long.
    pub(crate) fn publish_watched(
        mut self,
        replace: bool,
        progress: Option<&Progress>,
        bytes: u64,
    ) -> Result<()> {
        match progress {
            None => self.file.flush().map_err(|e| Error::io("flush", &self.target, &e))?,
            Some(progress) => self.flush_watched(progress, bytes)?,
        }
        self.put_in_place(replace)?;
        self.flush_directory()
    }

    /// Flushes on a thread of its own. If cancelled, that thread is left to itself: it holds the file, whose name is
    /// gone by then.
    fn flush_watched(&self, progress: &Progress, bytes: u64) -> Result<()> {
        let failed = |e: &io::Error| Error::io("flush", &self.target, e);
        let (sender, receiver) = mpsc::channel();
        let file = Arc::clone(&self.file);
        let flush = move || {
            pool::leave_signals_to_others();
            // Nobody listens any more if the call was cancelled.
            let _ = sender.send(file.flush());
        };
        if thread::Builder::new().name("colstore-flush".into()).spawn(flush).is_err() {
            return self.file.flush().map_err(|e| failed(&e));
        }
        loop {
            match receiver.recv_timeout(REPORT_EVERY) {
                Ok(result) => return result.map_err(|e| failed(&e)),
                Err(RecvTimeoutError::Timeout) => progress.report(bytes, bytes),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(failed(&io::Error::other("the thread that did it ended early")));
                }
            }
            if progress.is_cancelled() {
                return Err(Cancelled.into());
            }
        }
    }

    fn put_in_place(&mut self, replace: bool) -> Result<()> {
        match self.storage.rename(&self.path, &self.target, replace) {
            Ok(()) => {
                self.published = true;
                Ok(())
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(already_exists(&self.target)),
            Err(e) => Err(Error::io("put in place", &self.target, &e)),
        }
    }

    fn flush_directory(&self) -> Result<()> {
        flush_directory_of(&*self.storage, &self.target)
    }

    /// Leaves the file as it is, for the process that it belongs to.
    pub(crate) fn leave(mut self) {
        self.published = true;
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.published {
            // Nothing more can be done about a file that cannot be removed; the failure that led here is
            // what the caller hears of.
            let _ = self.storage.remove(&self.path);
        }
    }
}

pub(super) fn already_exists(target: &Path) -> Error {
    let message = format!(
        "'{}' exists already; choose another path, or replace it with mode 'recreate'",
        target.display()
    );
    let error = Error::new(ErrorKind::AlreadyExists, message);
    error.with_path(target).with_os_code(libc::EEXIST)
}

/// Makes `path`, which names some file, a hard link of `file` instead, in one step.
pub(super) fn link_in_place(storage: &Arc<dyn Storage>, file: &Path, path: &Path) -> Result<()> {
    let path = follow_links(path)?;
    let failed = |e: &io::Error| Error::io("put a link in place at", &path, e);
    let temp = beside(&path, "", |temp| storage.link(file, temp)).map(|((), temp)| temp)?;
    if let Err(e) = storage.rename(&temp, &path, true) {
        // What failed is what the caller hears of.
        let _ = storage.remove(&temp);
        return Err(failed(&e));
    }
    flush_directory_of(&**storage, &path)
}

pub(super) fn flush_directory_of(storage: &dyn Storage, path: &Path) -> Result<()> {
    let directory = directory_of(path);
    storage.flush_directory(directory).map_err(|e| Error::io("flush the directory", directory, &e))
}

pub(super) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The path itself, or where the symbolic link at it leads in the end, which need not exist.
pub(super) fn follow_links(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = directory_of(&path).join(next),
            // Not a link, or not there.
            Err(_) => return Ok(path),
        }
    }
    Err(Error::io("follow", &path, &io::Error::from_raw_os_error(libc::ELOOP)))
}

/// Calls `create` with temporary names beside `target` until it finds one that is free; gives what it made, and the
/// name.
fn beside<T>(target: &Path, mark: &str, create: impl Fn(&Path) -> io::Result<T>) -> Result<(T, PathBuf)> {
    let Some(name) = target.file_name() else {
        let message = format!("'{}' does not name a file", target.display());
        return Err(Error::new(ErrorKind::InvalidArgument, message).with_path(target));
    };
    let directory = directory_of(target);
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..ATTEMPTS {
        let path = directory.join(temp_name(name.as_bytes(), mark));
        match create(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
            Err(e) => return Err(Error::io("create a temporary file for", target, &e)),
        }
    }
    Err(Error::io("create a temporary file for", target, &last))
}

/// Characters of the random part of a name.
const RANDOM_LEN: usize = 8;

/// `.NAME.RANDOM.tmp`, with NAME cut to what a directory entry holds, and `mark` in front of RANDOM.
fn temp_name(name: &[u8], mark: &str) -> std::ffi::OsString {
    let longest = 255 - "...tmp".len() - mark.len() - RANDOM_LEN;
    // A fresh RandomState is seeded anew: enough for a name that is then created exclusively.
    let mut random = RandomState::new().hash_one(std::process::id());
    let mut bytes = vec![b'.'];
    bytes.extend_from_slice(&name[..name.len().min(longest)]);
    bytes.push(b'.');
    bytes.extend_from_slice(mark.as_bytes());
    for _ in 0..RANDOM_LEN {
        bytes.push(ALPHABET[(random % 32) as usize]);
        random /= 32;
    }
    bytes.extend_from_slice(b".tmp");
    std::ffi::OsStr::from_bytes(&bytes).to_os_string()
}

/// Whether a file of this name can only be a temporary one with this mark, which holds no dot.
pub(super) fn is_marked(name: &[u8], mark: &str) -> bool {
    let random = || -> Option<&[u8]> {
        let inner = name.strip_prefix(b".")?.strip_suffix(b".tmp")?;
        let last_dot = inner.iter().rposition(|&byte| byte == b'.')?;
        inner[last_dot + 1..].strip_prefix(mark.as_bytes())
    };
    random().is_some_and(|random| random.len() == RANDOM_LEN && random.iter().all(|c| ALPHABET.contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_names_are_known() {
        for name in [&b"t.cstore"[..], b"", &[b'x'; 255], b"a.mark-abcdefgh"] {
            let marked = temp_name(name, "mark-");
            assert!(marked.len() <= 255);
            assert!(is_marked(marked.as_bytes(), "mark-"), "{}", marked.display());
            assert!(!is_marked(temp_name(name, "").as_bytes(), "mark-"));
        }
        for other in [
            "",
            ".tmp",
            "..tmp",
            ".a.mark-.tmp",
            ".a.mark-abcdefg6.tmp",
            "a.mark-abcdefgh.tmp",
            ".mark-abcdefgh.tmp",
        ] {
            assert!(!is_marked(other.as_bytes(), "mark-"), "{other}");
        }
    }
}
