//! The seam between what is written and the system that keeps it.
//!
//! ```text
//!   store, writer, shards, compact, concat
//!                 │ creates, writes, flushes, renames, removes
//!                 ▼
//!              Storage ──► Disk: the operating system
//!                     └──► in tests: the same, with a record of every step, that can fail at any of them
//! ```
//!
//! Whatever changes a file or a directory goes through here, one method a step that a crash can come before or
//! after. Reading does not: it changes nothing.

use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::mapping::OutputMapping;

#[cfg(test)]
pub(crate) mod crash;
#[cfg(test)]
mod crash_states;
mod disk;
#[cfg(test)]
pub(crate) mod recording;

pub(crate) use disk::{Disk, largest_file};

/// Where files are created, renamed and removed.
pub(crate) trait Storage: Debug + Send + Sync {
    /// Creates an empty file, open for reading and writing; there must be none of that name.
    fn create_new(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>>;

    /// Opens a file that exists, for reading and writing. It is not changed by that.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn OutputFile>>;

    /// Gives a file another name, in one step. A file that has the name already is replaced, if `replace` says so,
    /// and [`AlreadyExists`](io::ErrorKind::AlreadyExists) if not.
    fn rename(&self, from: &Path, to: &Path, replace: bool) -> io::Result<()>;

    /// Gives a file a second name, which must not exist.
    fn link(&self, file: &Path, name: &Path) -> io::Result<()>;

    /// Takes a name away.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a directory and those above it, as far as they are missing.
    fn create_directories(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a directory are on the disk.
    fn flush_directory(&self, directory: &Path) -> io::Result<()>;
}

/// A file that is being written.
pub(crate) trait OutputFile: Debug + Send + Sync {
    /// The open file, for what does not change it: reading, asking, locking.
    fn file(&self) -> &File;

    /// Whether a helper may take steps while the writer goes on; not where a test counts on their order.
    fn allows_helpers(&self) -> bool {
        false
    }

    /// Writes all of `bytes` at `offset`; a file that ends before is made longer.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Writes `pieces` end to end at `offset`, in as few system calls as may be.
    fn write_pieces_at(&self, pieces: &[&[u8]], offset: u64) -> io::Result<()>;

    /// Copies `len` bytes of `source` from `from` on to `offset`, without bringing them into the process where the
    /// system can do that. It is an error if `source` ends before.
    fn copy_from(&self, source: &File, from: u64, offset: u64, len: u64) -> io::Result<()>;

    /// Makes the file `len` bytes long, with its blocks set aside where the file system can do that: writing is
    /// faster then, and a full disk shows before anything is written.
    fn allocate(&self, len: u64) -> io::Result<()>;

    /// As [`allocate`](OutputFile::allocate), and maps the file for writing: a store to any of its bytes then finds
    /// room. `None`, and nothing is changed, where blocks cannot be set aside or files be mapped.
    fn map(&self, len: u64) -> io::Result<Option<OutputMapping>> {
        let _ = len;
        Ok(None)
    }

    /// Sets blocks aside for the bytes from `from` up to `to`, so that writing there cannot fail for lack of space; a
    /// file that ends before is made longer. Gives whether that is possible here; if not, nothing was changed.
    fn reserve(&self, from: u64, to: u64) -> io::Result<bool>;

    /// Makes the file `len` bytes long.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Sets the permission bits.
    fn set_mode(&self, mode: u32) -> io::Result<()>;

    /// Asks the system to begin writing a range to the disk, so that the flush at the end has less to wait for.
    fn start_write_back(&self, offset: u64, len: u64);

    /// Writes to the disk what has been written to the file so far, and waits for that. Says nothing of failures, which
    /// the flush at the end reports, and makes nothing durable by itself.
    fn write_back(&self) {}

    /// Waits until the contents, the length and the permissions are on the disk.
    fn flush(&self) -> io::Result<()>;

    /// As [`flush`](OutputFile::flush), but for the permissions and the times.
    fn flush_data(&self) -> io::Result<()>;
}
