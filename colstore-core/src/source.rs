//! A file while its headers are read and checked, before it is mapped.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use colstore_format::{
    self as format, COUNTERS_OFFSET, Counters, Header, Preamble, RecordHeader, RecordWalk, Statistics,
};
use colstore_kernels::pool;

use crate::access_time;
use crate::error::{Error, ErrorKind, Result};
use crate::options::threads;
use crate::record_index::RecordIndex;

/// What the first read of a file fetches: most headers whole, in one system call.
const FIRST_READ: usize = 4096;
/// How often the start of a file is read anew while it changes.
const PREAMBLE_READS: usize = 10;
/// How much of a file is read at once where record headers lie close together.
const WINDOW: usize = 64 << 10;
/// Records farther apart than this are fetched one header at a time.
const WINDOW_REACH: u64 = 8 << 10;
/// Room for records that is set aside at once; beyond it the index grows as records are found to be there.
const RECORDS_AT_ONCE: u64 = 1 << 16;

/// Records that must be left for it to pay to fetch their headers on several threads.
const LEAST_AHEAD: u64 = 64;
/// Headers that are fetched at once: half a megabyte of them.
const MOST_AHEAD: u64 = 16384;
/// Headers that a thread fetches at a time.
const AHEAD_CHUNK: usize = 64;
/// What fetching a header costs, in bytes that could be copied in the same time.
const AHEAD_BYTES: u64 = 8192;

/// A file while its headers are read: by descriptor, so that damage is an error and never a signal.
pub(crate) struct Source<'a> {
    path: &'a Path,
    pub(crate) file: File,
    pub(crate) size: u64,
    window: Vec<u8>,
    window_offset: u64,
}

impl Source<'_> {
    pub(crate) fn open(path: &Path) -> Result<Source<'_>> {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(path)
            .map_err(|e| Error::io("open", path, &e))?;
        Source::of(path, file)
    }

    /// As [`open`](Source::open), of a file that is open.
    pub(crate) fn of(path: &Path, file: File) -> Result<Source<'_>> {
        let examine = |file: &File| file.metadata().map_err(|e| Error::io("examine", path, &e));
        require_regular(path, &examine(&file)?)?;
        let mut source = Source { path, file, size: u64::MAX, window: Vec::new(), window_offset: 0 };
        source.fill(0, FIRST_READ)?;
        // Not before the counters are known: a writer may be making the file longer, and what they tell of must be
        // inside.
        source.size = examine(&source.file)?.len();
        Ok(source)
    }

    /// Reads and checks everything before the first record.
    pub(crate) fn header(&mut self) -> Result<Header> {
        let preamble = self.read_preamble()?;
        self.with_manifest(&preamble, |manifest| {
            Header::parse(&preamble, manifest, self.size).map_err(|e| Error::in_file(self.path, &e))
        })?
    }

    /// The first 80 bytes, apart from the counters, which may be damaged. For before anything else is read.
    pub(crate) fn preamble(&self) -> format::Result<(Preamble, format::Result<Counters>)> {
        Preamble::parse_any_counters(&self.window, self.size)
    }

    /// The block of the counters. For before anything else is read.
    pub(crate) fn counters_block(&self) -> Option<&[u8; Counters::LEN]> {
        self.window.get(COUNTERS_OFFSET as usize..)?.first_chunk()
    }

    /// Hands the text of the manifest to `f`.
    pub(crate) fn with_manifest<R>(&self, preamble: &Preamble, f: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let start = Preamble::LEN;
        let len = usize::try_from(preamble.manifest_len())
            .map_err(|_| Error::new(ErrorKind::OutOfMemory, "the manifest is too large for this machine"))?;
        if let Some(manifest) = self.window.get(start..start + len).filter(|_| self.window_offset == 0) {
            return Ok(f(manifest));
        }
        let mut manifest = vec![0; len];
        self.file
            .read_exact_at(&mut manifest, start as u64)
            .map_err(|e| Error::io("read the manifest of", self.path, &e))?;
        Ok(f(&manifest))
    }

    /// Reads what stands before the manifest.
    fn read_preamble(&mut self) -> Result<Preamble> {
        for _ in 0..PREAMBLE_READS {
            match Preamble::parse(&self.window, self.size) {
                Ok(preamble) => return Ok(preamble),
                Err(e) => {
                    let before = std::mem::take(&mut self.window);
                    let size = self.file.metadata().map_err(|e| Error::io("examine", self.path, &e))?.len();
                    self.fill(0, FIRST_READ)?;
                    if before == self.window && size == self.size {
                        return Err(Error::in_file(self.path, &e));
                    }
                    // Somebody is writing: the counters may have been seen while they were being rewritten.
                    self.size = self.file.metadata().map_err(|e| Error::io("examine", self.path, &e))?.len();
                }
            }
        }
        Preamble::parse(&self.window, self.size).map_err(|e| Error::in_file(self.path, &e))
    }

    /// Walks the record headers without touching bodies; also gives the end of the last record.
    pub(crate) fn records(&mut self, header: &Header) -> Result<(RecordIndex, u64)> {
        let n_records = header.counters().n_records;
        let mut index = RecordIndex::with_capacity(n_records.min(RECORDS_AT_ONCE) as usize);
        let mut walk = RecordWalk::new(header, self.size);
        let mut ahead = Lookahead::default();
        let (mut previous, mut step) = (0, 0);
        while let Some(offset) = walk.next_offset() {
            let last_step = step;
            step = offset - previous;
            previous = offset;
            let left = n_records - index.n_records() as u64;
            if step > WINDOW_REACH && step == last_step && left >= LEAST_AHEAD && !ahead.has(offset) {
                ahead = Lookahead::fetch(&self.file, offset, step, left.min(MOST_AHEAD), self.size);
            }
            let bytes = match ahead.take(offset) {
                Some(bytes) => bytes,
                None => {
                    let fetch = if step > WINDOW_REACH { RecordHeader::LEN } else { WINDOW };
                    self.bytes_at(offset, RecordHeader::LEN, fetch)?
                }
            };
            index.push(&walk.push(bytes).map_err(|e| Error::in_file(self.path, &e))?);
        }
        let end = walk.finish().map_err(|e| Error::in_file(self.path, &e))?;
        Ok((index, end))
    }

    /// The `len` bytes at `offset`, fewer where the file ends; at need it fetches `fetch` bytes, which must not be fewer.
    fn bytes_at(&mut self, offset: u64, len: usize, fetch: usize) -> Result<&[u8]> {
        let inside = |source: &Self| -> Option<usize> {
            let start = usize::try_from(offset.checked_sub(source.window_offset)?).ok()?;
            (start.checked_add(len)? <= source.window.len()).then_some(start)
        };
        let start = match inside(self) {
            Some(start) => start,
            None => {
                self.fill(offset, fetch)?;
                0
            }
        };
        let end = self.window.len().min(start + len);
        Ok(&self.window[start..end])
    }

    /// The few bytes at `offset`, fewer where the file ends, for a walk that last looked `step` bytes before.
    pub(crate) fn peek(&mut self, offset: u64, len: usize, step: u64) -> Result<&[u8]> {
        // Room for the padding of a record and the header of the next.
        let fetch = if step > WINDOW_REACH { 2 * RecordHeader::LEN } else { WINDOW };
        self.bytes_at(offset, len, fetch.max(len))
    }

    /// The `len` bytes at `offset`, which must lie inside the file.
    pub(crate) fn read_whole(&self, offset: u64, len: u64) -> Result<Vec<u8>> {
        let len = usize::try_from(len)
            .map_err(|_| Error::new(ErrorKind::OutOfMemory, "the file is too large for this machine"))?;
        let mut bytes = vec![0; len];
        self.file.read_exact_at(&mut bytes, offset).map_err(|e| Error::io("read", self.path, &e))?;
        Ok(bytes)
    }

    /// Makes the window `len` bytes from `offset` on, fewer where the file ends.
    fn fill(&mut self, offset: u64, len: usize) -> Result<()> {
        let len = self.size.saturating_sub(offset).min(len as u64) as usize;
        self.window.resize(len, 0);
        self.window_offset = offset;
        let mut done = 0;
        while done < len {
            match self.file.read_at(&mut self.window[done..], offset + done as u64) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::io("read", self.path, &e)),
            }
        }
        self.window.truncate(done);
        Ok(())
    }
}

/// The footer of a file of `size` bytes whose `n_records` records stop at `end`, if it has one that fits them.
pub(crate) fn read_statistics(
    file: &File,
    size: u64,
    header: &Header,
    n_records: u64,
    end: u64,
) -> Option<Statistics> {
    let schema = header.schema();
    let offset = header.counters().statistics_offset(end)?;
    let len = Statistics::encoded_len(schema, n_records)?;
    if offset.checked_add(len)? > size {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(len).ok()?];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Statistics::parse(&bytes, schema, n_records)
}

/// Headers that lie where they must if the records go on being of equal size, fetched on several threads. Only a
/// guess: the walk takes them where they are right, and goes on without them where they are not.
#[derive(Default)]
struct Lookahead {
    first: u64,
    step: u64,
    headers: Vec<Option<[u8; RecordHeader::LEN]>>,
    next: usize,
}

impl Lookahead {
    /// Fetches up to `n` headers from `first` on, `step` bytes apart, as far as they lie inside a file of `size`.
    fn fetch(file: &File, first: u64, step: u64, n: u64, size: u64) -> Lookahead {
        let last = size.saturating_sub(RecordHeader::LEN as u64).saturating_sub(first) / step;
        let n = n.min(last + 1);
        let mut headers = vec![None; n as usize];
        let chunks: Vec<Mutex<&mut [_]>> = headers.chunks_mut(AHEAD_CHUNK).map(Mutex::new).collect();
        // The first read of the file has been noted.
        let _unnoted = access_time::Unnoted::new(file);
        // Without progress nothing can cancel it.
        let _ = pool::run(threads(None, n * AHEAD_BYTES), chunks.len(), None, 0, &|chunk| {
            let mut headers = chunks[chunk].lock().unwrap_or_else(PoisonError::into_inner);
            for (i, header) in headers.iter_mut().enumerate() {
                let mut bytes = [0; RecordHeader::LEN];
                let offset = first + step * (chunk * AHEAD_CHUNK + i) as u64;
                // What cannot be read here is an error only if the walk comes by.
                *header = file.read_exact_at(&mut bytes, offset).is_ok().then_some(bytes);
            }
        });
        drop(chunks);
        Lookahead { first, step, headers, next: 0 }
    }

    /// Whether the next header is the one at `offset`.
    fn has(&self, offset: u64) -> bool {
        let expected = self.first + self.step * self.next as u64;
        offset == expected && matches!(self.headers.get(self.next), Some(Some(_)))
    }

    /// The next header, if it is the one at `offset`.
    fn take(&mut self, offset: u64) -> Option<&[u8]> {
        if !self.has(offset) {
            return None;
        }
        self.next += 1;
        self.headers[self.next - 1].as_ref().map(|header| &header[..])
    }
}

/// Refuses directories, pipes and devices.
pub(crate) fn require_regular(path: &Path, metadata: &Metadata) -> Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    if metadata.is_dir() {
        return Err(Error::io("open", path, &io::Error::from_raw_os_error(libc::EISDIR)));
    }
    let message = format!("'{}' is not a regular file", path.display());
    Err(Error::new(ErrorKind::InvalidArgument, message).with_path(path))
}
