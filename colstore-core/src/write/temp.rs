//! A file that is not there until it is whole.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::source::require_regular;
use crate::storage::{OutputFile, Storage};

/// How many names are tried before giving up.
const ATTEMPTS: u32 = 100;
/// As many symbolic links as the operating system follows.
const MAX_LINKS: u32 = 40;
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
        let (file, path) = create_beside(&**storage, &target)?;
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
        match self.storage.rename(&self.path, &self.target, replace) {
            Ok(()) => self.published = true,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(already_exists(&self.target)),
            Err(e) => return Err(Error::io("put in place", &self.target, &e)),
        }
        if flush {
            let directory = directory_of(&self.target);
            self.storage
                .flush_directory(directory)
                .map_err(|e| Error::io("flush the directory", directory, &e))?;
        }
        Ok(())
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

fn create_beside(storage: &dyn Storage, target: &Path) -> Result<(Arc<dyn OutputFile>, PathBuf)> {
    let Some(name) = target.file_name() else {
        let message = format!("'{}' does not name a file", target.display());
        return Err(Error::new(ErrorKind::InvalidArgument, message).with_path(target));
    };
    let directory = directory_of(target);
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..ATTEMPTS {
        let path = directory.join(temp_name(name.as_bytes()));
        match storage.create_new(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
            Err(e) => return Err(Error::io("create a temporary file for", target, &e)),
        }
    }
    Err(Error::io("create a temporary file for", target, &last))
}

/// `.NAME.RANDOM.tmp`, with NAME cut to what a directory entry holds.
fn temp_name(name: &[u8]) -> std::ffi::OsString {
    const LONGEST: usize = 255 - ".".len() - ".12345678.tmp".len();
    // A fresh RandomState is seeded anew: enough for a name that is then created exclusively.
    let mut random = RandomState::new().hash_one(std::process::id());
    let mut bytes = vec![b'.'];
    bytes.extend_from_slice(&name[..name.len().min(LONGEST)]);
    bytes.push(b'.');
    for _ in 0..8 {
        bytes.push(ALPHABET[(random % 32) as usize]);
        random /= 32;
    }
    bytes.extend_from_slice(b".tmp");
    std::ffi::OsStr::from_bytes(&bytes).to_os_string()
}
