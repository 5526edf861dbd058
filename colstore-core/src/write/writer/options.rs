//! How a file is written record by record.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::Progress;
use crate::write::LockPolicy;

/// What a writer does with a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterMode {
    /// It is an error, and nothing is touched.
    Create,
    /// It is replaced at the first commit. Until then it is as it was, and whoever has it open keeps it.
    Recreate,
    /// It must exist; records are added to it.
    Update,
}

/// How a [`Writer`](crate::Writer) writes.
///
/// ```
/// let mut options = colstore_core::WriterOptions::default();
/// options.statistics = true;
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriterOptions {
    /// Whether [`close`](crate::Writer::close) records the minima and maxima of every record behind the data. An update
    /// keeps those that are there; those of records written without are unknown.
    pub statistics: bool,
    /// What to do about the lock on the file; `None` for the setting `lock_policy` of [`config`](crate::config).
    pub lock: Option<LockPolicy>,
    /// The most threads that may work on one record; `None` for the setting `max_threads` of [`config`](crate::config).
    pub max_threads: Option<NonZeroUsize>,
    /// Where to report the bytes done of a large record, and how to be cancelled in one.
    pub progress: Option<Arc<Progress>>,
}
