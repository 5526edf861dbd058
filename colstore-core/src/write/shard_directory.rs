//! A directory of shards while one writer adds to it.
//!
//! ```text
//!   .colstore.lock                          empty, never removed; whoever adds shards holds a lock on it
//!   shard_00000.cstore, …                   the shards: visible, whole, never changed
//!   .NAME.cstore.append-RANDOM.tmp          a shard that is being written, locked by whoever writes it
//! ```
//!
//! A temporary file that carries our mark and that nobody has locked was left by a writer that died. It is removed by
//! the next one, under the lock of the directory.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_format::{Schema, ShardTemplate, is_shard_name, natural_cmp};

use super::lock::{FileLock, LockPolicy};
use super::temp::{directory_of, is_marked};
use crate::error::{Error, ErrorKind, Result};
use crate::source::Source;
use crate::storage::Storage;
use crate::table::Table;

/// The file whose lock lets one writer at a time add shards.
const LOCK_NAME: &str = ".colstore.lock";
/// What the names of our temporary files have before their random part.
pub(super) const MARK: &str = "append-";

/// A directory that shards are added to.
#[derive(Debug)]
pub(super) struct ShardDirectory {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    template: ShardTemplate,
    lock: FileLock,
}

impl ShardDirectory {
    /// Creates the directory if it is missing, locks it, and removes what dead writers left.
    pub(super) fn open(
        storage: &Arc<dyn Storage>,
        path: &Path,
        template: ShardTemplate,
        policy: LockPolicy,
    ) -> Result<ShardDirectory> {
        create(&**storage, path)?;
        let lock = match policy {
            // Nothing is locked, so no file is needed for it.
            LockPolicy::Off => FileLock::exclusive(&open_directory(path)?, path, policy)?,
            _ => FileLock::exclusive(&lock_file(&**storage, path)?, path, policy)?,
        };
        if lock.is_held() {
            remove_orphans(&**storage, path)?;
        }
        Ok(ShardDirectory { storage: Arc::clone(storage), path: path.to_path_buf(), template, lock })
    }

    pub(super) fn storage(&self) -> &Arc<dyn Storage> {
        &self.storage
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn template(&self) -> &ShardTemplate {
        &self.template
    }

    pub(super) fn is_locked(&self) -> bool {
        self.lock.is_held()
    }

    /// Where the next shard goes.
    pub(super) fn next_path(&self) -> Result<PathBuf> {
        let name = match self.template.literal() {
            Some(name) => name.to_owned(),
            None => {
                // Directories count too: their names are taken.
                let names = visible_names(&self.path)?;
                let names = names.iter().filter_map(|name| name.to_str());
                self.template.format(self.template.next_index(names)?)
            }
        };
        let path = self.path.join(name);
        match fs::symlink_metadata(&path) {
            Ok(_) => {
                let message = format!(
                    "shard '{}' exists already, and shards are never replaced; choose another name, or a template \
                     with {{index}} in it",
                    path.display()
                );
                let error = Error::new(ErrorKind::AlreadyExists, message);
                Err(error.with_path(&path).with_os_code(libc::EEXIST))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(path),
            Err(e) => Err(Error::io("examine", &path, &e)),
        }
    }
}

/// What a directory says without being changed.
pub(super) struct Existing<'a>(pub(super) &'a Path);

impl Existing<'_> {
    /// Whether a writer that opens the directory leaves something behind even if it writes nothing.
    pub(super) fn is_unlocked_directory(&self) -> bool {
        self.0.is_dir() && !self.0.join(LOCK_NAME).exists()
    }

    /// Columns and path of the first shard in natural order, after a check of its headers; `None` without shards.
    pub(super) fn first_schema(&self) -> Result<Option<(Schema, PathBuf)>> {
        let mut names = visible_names(self.0)?;
        names.sort_by(|a, b| natural_cmp(&a.to_string_lossy(), &b.to_string_lossy()).then_with(|| a.cmp(b)));
        let Some(path) = names.iter().map(|name| self.0.join(name)).find(|path| path.is_file()) else {
            return Ok(None);
        };
        let mut source = Source::open(&path)?;
        let header = source.header()?;
        source.records(&header)?;
        Ok(Some((header.schema().clone(), path)))
    }

    /// Fails if some of the table's rows are in a shard of the directory.
    pub(super) fn check_not_own(&self, table: &Table) -> Result<()> {
        let Ok(directory) = fs::canonicalize(self.0) else { return Ok(()) };
        let own = visible_names(&directory)?;
        let own: Vec<(u64, u64)> = own
            .iter()
            .filter_map(|name| fs::metadata(directory.join(name)).ok())
            .map(|metadata| (metadata.dev(), metadata.ino()))
            .collect();
        for part in table.parts() {
            let path = part.file.path();
            let is_shard = path.file_name().is_some_and(|name| is_shard_name(&name.to_string_lossy()));
            let beside = || fs::canonicalize(directory_of(path)).is_ok_and(|parent| parent == directory);
            if own.contains(&part.file.identity()) || (is_shard && beside()) {
                let message = format!(
                    "cannot append '{}' to itself: rows to be added are in its own shard '{}'",
                    self.0.display(),
                    path.display()
                );
                return Err(Error::new(ErrorKind::InvalidArgument, message).with_path(path));
            }
        }
        Ok(())
    }
}

/// The names in a directory that a shard could have.
fn visible_names(directory: &Path) -> Result<Vec<OsString>> {
    let failed = |e: &io::Error| Error::io("list", directory, e);
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(|e| failed(&e))? {
        let name = entry.map_err(|e| failed(&e))?.file_name();
        if is_shard_name(&name.to_string_lossy()) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Creates the directory and those above it, so that they outlast a power cut.
fn create(storage: &dyn Storage, directory: &Path) -> Result<()> {
    let missing: Vec<&Path> = directory
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && fs::symlink_metadata(path).is_err())
        .collect();
    storage.create_directories(directory).map_err(|e| Error::io("create the directory", directory, &e))?;
    for path in missing {
        let parent = directory_of(path);
        storage.flush_directory(parent).map_err(|e| Error::io("flush the directory", parent, &e))?;
    }
    Ok(())
}

fn open_directory(path: &Path) -> Result<File> {
    File::open(path).map_err(|e| Error::io("open", path, &e))
}

fn lock_file(storage: &dyn Storage, directory: &Path) -> Result<File> {
    let path = directory.join(LOCK_NAME);
    let failed = |e: &io::Error| Error::io("open", &path, e);
    match storage.create_new(&path) {
        Ok(file) => return file.file().try_clone().map_err(|e| failed(&e)),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(Error::io("create", &path, &e)),
    }
    // Without O_NONBLOCK, a named pipe of that name would wait for somebody at its other end.
    let open = |write| OpenOptions::new().read(true).write(write).custom_flags(libc::O_NONBLOCK).open(&path);
    match open(true) {
        // Another user's file can be locked all the same; some network file systems want it open for writing.
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => open(false),
        opened => opened,
    }
    .map_err(|e| failed(&e))
}

/// Removes the temporary files of writers that are gone. Those of writers that live are locked by them; files without
/// our mark are not ours.
fn remove_orphans(storage: &dyn Storage, directory: &Path) -> Result<()> {
    let failed = |e: &io::Error| Error::io("list", directory, e);
    for entry in fs::read_dir(directory).map_err(|e| failed(&e))? {
        let entry = entry.map_err(|e| failed(&e))?;
        let path = entry.path();
        if is_marked(entry.file_name().as_bytes(), MARK) && is_abandoned(&path) {
            // It is in nobody's way if it cannot be removed.
            let _ = storage.remove(&path);
        }
    }
    Ok(())
}

/// Whether nobody has a lock on the file.
fn is_abandoned(path: &Path) -> bool {
    let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW;
    let Ok(file) = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path) else {
        return false;
    };
    file.metadata().is_ok_and(|metadata| metadata.is_file()) && file.try_lock().is_ok()
}
