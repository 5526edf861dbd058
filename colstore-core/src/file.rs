//! One open file: header and record chain checked, committed bytes mapped, descriptor held.

use std::fs::{self, File, Metadata};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use colstore_format::{Header, Schema, Statistics};
use colstore_kernels::copy::{self, Stores};

use crate::advice::Advice;
use crate::config;
use crate::descriptors::Descriptor;
use crate::error::{Error, ErrorKind, Result};
use crate::mapping::Mapping;
use crate::options::{self, Backend};
use crate::pread;
use crate::record_index::RecordIndex;
use crate::source::{Source, read_statistics};
use crate::watch::Queue;

/// From this many bytes on a system call costs less than the page faults of a fresh mapping.
const FETCH_BYTES: usize = 16 << 10;

/// One `.cstore` file, open for reading.
#[derive(Debug)]
pub(crate) struct DataFile {
    path: PathBuf,
    descriptor: Arc<Descriptor>,
    size: u64,
    /// End of the last committed record.
    end: u64,
    header: Header,
    records: RecordIndex,
    /// Of nothing, if the file is read through its descriptor.
    mapping: Mapping,
    backend: Backend,
    advice: Advice,
    /// Reads in progress that had reading ahead switched off.
    pub(crate) sparse_reads: AtomicUsize,
    statistics: OnceLock<Option<Statistics>>,
}

impl DataFile {
    pub(crate) fn open(path: &Path, options: &options::OpenOptions) -> Result<DataFile> {
        let mut source = Source::open(path)?;
        let header = source.header()?;
        let (records, end) = source.records(&header)?;
        let Source { file, size, .. } = source;
        let backend = options.backend.unwrap_or_else(config::read_backend);
        let mapped = if backend == Backend::Mmap && records.n_rows() > 0 { end } else { 0 };
        let mapping = Mapping::new(&file, mapped).map_err(|e| map_error(path, &e))?;
        if options.advice != Advice::Normal {
            options.advice.give(&mapping);
        }
        if options.lock {
            mapping.lock();
        }
        let descriptor = Descriptor::new(file).map_err(|e| Error::io("examine", path, &e))?;
        Ok(DataFile {
            path: path.to_path_buf(),
            descriptor,
            size,
            end,
            header,
            records,
            mapping,
            backend,
            advice: options.advice,
            sparse_reads: AtomicUsize::new(0),
            statistics: OnceLock::new(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn schema(&self) -> &Schema {
        self.header.schema()
    }

    pub(crate) fn records(&self) -> &RecordIndex {
        &self.records
    }

    pub(crate) fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// Whether values can be had at an address.
    pub(crate) fn is_mapped(&self) -> bool {
        self.backend == Backend::Mmap
    }

    /// What was advised at opening.
    pub(crate) fn advice(&self) -> Advice {
        self.advice
    }

    /// Device and inode of the file.
    pub(crate) fn identity(&self) -> (u64, u64) {
        self.descriptor.identity()
    }

    /// What `f` makes of the file, which is opened anew if its descriptor was given up.
    pub(crate) fn with_file<R>(&self, f: impl Fn(&File) -> Result<R>) -> Result<R> {
        self.descriptor.with_reopened(&self.path, f).unwrap_or_else(|| Err(self.replaced()))
    }

    /// Reads the `len` committed bytes at `offset` through the descriptor.
    ///
    /// # Safety
    ///
    /// `len` bytes at `out` must be writable by nobody else.
    pub(crate) unsafe fn fetch(&self, offset: u64, out: *mut u8, len: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        let read = |file: &File| unsafe { pread::read_exact_at(file, offset, out, len) };
        match self.descriptor.with_reopened(&self.path, read) {
            Some(Ok(())) => Ok(()),
            Some(Err(e)) if e.kind() == io::ErrorKind::UnexpectedEof => {
                // Else it was short for a moment, or the system will not say.
                self.check_not_truncated()?;
                Err(self.truncated(&format!("before byte {}", offset + len as u64)))
            }
            Some(Err(e)) => Err(Error::io("read", &self.path, &e)),
            None => Err(self.replaced()),
        }
    }

    /// Copies the `len` committed bytes at `offset`: from the mapping if they are few, which costs no system call,
    /// and else through the descriptor, which costs no page faults.
    ///
    /// # Safety
    ///
    /// As [`fetch`](DataFile::fetch).
    pub(crate) unsafe fn copy(&self, offset: u64, out: *mut u8, len: usize) -> Result<()> {
        if self.is_mapped() && (len < FETCH_BYTES || !self.descriptor.is_held()) {
            // SAFETY: the bytes are mapped, as `at` makes sure; the output is the caller's and no mapping.
            unsafe { copy::copy_with(Stores::Cached, self.mapping.at(offset, len as u64), out, len) };
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { self.fetch(offset, out, len) }
    }

    /// Whether `metadata` are those of the file that was opened.
    pub(crate) fn is(&self, metadata: &Metadata) -> bool {
        self.descriptor.is_of(metadata)
    }

    /// Whether the file that was opened is the one at `path`, under whatever name.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| self.is(&metadata))
    }

    /// Minima and maxima by record, or `None` where the file has none that fit it.
    pub(crate) fn statistics(&self) -> Option<&Statistics> {
        self.statistics.get_or_init(|| self.read_statistics()).as_ref()
    }

    /// Bytes of the file up to the end of what was committed, statistics included.
    pub(crate) fn committed_len(&self) -> u64 {
        let statistics = || {
            let offset = self.header.counters().statistics_offset(self.end)?;
            self.statistics()?;
            offset.checked_add(Statistics::encoded_len(self.schema(), self.records.n_records() as u64)?)
        };
        statistics().unwrap_or(self.end)
    }

    fn read_statistics(&self) -> Option<Statistics> {
        let n_records = self.records.n_records() as u64;
        let read = |file: &File| read_statistics(file, self.size, &self.header, n_records, self.end);
        self.descriptor.with_reopened(&self.path, read)?
    }

    /// Fails if the file has become shorter than what is mapped, as far as its descriptor is still held: touching
    /// the missing pages would be a SIGBUS. A truncation after this check still is; only copying through a
    /// descriptor could prevent that.
    pub(crate) fn check_not_truncated(&self) -> Result<()> {
        // Half the price of asking for all that is known of the file; nobody uses the position.
        let Some(end) = self.descriptor.with(|mut file| file.seek(SeekFrom::End(0))) else { return Ok(()) };
        let size = end.map_err(|e| Error::io("examine", &self.path, &e))?;
        if size >= self.end {
            return Ok(());
        }
        Err(self.truncated(&format!("to {size} bytes")))
    }

    /// Has `queue` watch the file, if its descriptor is still held; false if that cannot be done.
    pub(crate) fn is_watched_by(&self, queue: &Queue) -> bool {
        self.descriptor.with(|file| queue.watch(file)).unwrap_or(true)
    }

    fn replaced(&self) -> Error {
        let message = format!(
            "'{}' was removed or replaced after it was opened, and its descriptor had to be given up; open it again",
            self.path.display()
        );
        Error::new(ErrorKind::Io, message).with_path(&self.path)
    }

    fn truncated(&self, to_what: &str) -> Error {
        let message = format!(
            "'{}' was cut {to_what} after it was opened (its records end at byte {}); open it again",
            self.path.display(),
            self.end
        );
        Error::new(ErrorKind::Io, message).with_path(&self.path)
    }
}

fn map_error(path: &Path, source: &io::Error) -> Error {
    let error = Error::io("map", path, source);
    match source.raw_os_error() {
        Some(libc::ENOMEM) => {
            error.with_hint("the process may have as many mappings as it is allowed (vm.max_map_count)")
        }
        _ => error,
    }
}
