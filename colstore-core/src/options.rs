//! What callers may set for one open or one read; every field has a default that suits most.

use std::num::NonZeroUsize;

use colstore_kernels::budget;

use crate::Progress;

/// How a table is opened.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct OpenOptions {}

/// How one read is carried out. Options never change what is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The most threads that may work on it, the calling one among them; `None` for the machine's default.
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report bytes done, and how to be cancelled.
    pub progress: Option<&'a Progress>,
}

/// Bytes of output that one thread fills before it takes the next piece.
pub(crate) const CHUNK_BYTES: u64 = budget::CHUNK_BYTES as u64;

/// How many threads may work on `bytes` bytes.
pub(crate) fn threads(max_threads: Option<NonZeroUsize>, bytes: u64) -> usize {
    let cap = max_threads.map_or_else(budget::default_threads, NonZeroUsize::get);
    budget::threads_for(bytes, cap)
}
