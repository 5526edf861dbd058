//! What callers may set for one open or one read; every field has a default that suits most.

use std::num::NonZeroUsize;

use colstore_kernels::budget;

use crate::advice::Advice;
use crate::{Progress, config};

/// How a table is opened.
///
/// ```
/// use colstore_core::{Advice, Backend, OpenOptions};
///
/// let mut options = OpenOptions::default();
/// options.backend = Some(Backend::Pread);
/// options.advice = Advice::Sequential;
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// What to tell the system of how a mapped file will be read.
    pub advice: Advice,
    /// Whether to keep a mapped file in memory (`mlock`). As much of it is locked as the process may lock: nothing,
    /// if the file is too large for that.
    pub lock: bool,
    /// How bytes are got at; `None` for the setting `read_backend` of [`config`].
    pub backend: Option<Backend>,
}

/// How a file's bytes are got at. What is read is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// The file is mapped. Fastest, and lends columns without a copy; but a file that is cut short by another
    /// process while it is read takes pages away under the reader, which is a signal (SIGBUS).
    Mmap,
    /// The file is read through its descriptor. Whatever becomes of it is an error, and nothing can be lent. For
    /// file systems that are bad at mapping, and for files that others may cut.
    Pread,
}

/// How one read is carried out. Options never change what is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The most threads that may work on it, the calling one among them; `None` for the setting `max_threads` of
    /// [`config`].
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes done, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

/// Bytes of output that one thread fills before it takes the next piece.
pub(crate) const CHUNK_BYTES: u64 = budget::CHUNK_BYTES as u64;

/// How many threads may work on `bytes` bytes.
pub(crate) fn threads(max_threads: Option<NonZeroUsize>, bytes: u64) -> usize {
    let cap =
        max_threads.or_else(config::max_threads).map_or_else(budget::default_threads, NonZeroUsize::get);
    budget::threads_for(bytes, cap)
}
