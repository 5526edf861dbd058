//! One open file: header and record chain checked, committed bytes mapped, descriptor held.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use colstore_format::{Header, Preamble, RecordHeader, RecordWalk, Schema, Statistics};

use crate::descriptors::Descriptor;
use crate::error::{Error, ErrorKind, Result};
use crate::mapping::Mapping;
use crate::record_index::RecordIndex;

/// What the first read of a file fetches: most headers whole, in one system call.
const FIRST_READ: usize = 4096;
/// How much of a file is read at once where record headers lie close together.
const WINDOW: usize = 64 << 10;
/// Records farther apart than this are fetched one header at a time.
const WINDOW_REACH: u64 = 8 << 10;
/// Room for records that is set aside at once; beyond it the index grows as records are found to be there.
const RECORDS_AT_ONCE: u64 = 1 << 16;

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
    mapping: Mapping,
    statistics: OnceLock<Option<Statistics>>,
}

impl DataFile {
    pub(crate) fn open(path: &Path) -> Result<DataFile> {
        let mut source = Source::open(path)?;
        let header = source.header()?;
        let (records, end) = source.records(&header)?;
        let Source { file, size, .. } = source;
        let mapping = Mapping::new(&file, if records.n_rows() == 0 { 0 } else { end })
            .map_err(|e| map_error(path, &e))?;
        let descriptor = Descriptor::new(file).map_err(|e| Error::io("examine", path, &e))?;
        Ok(DataFile {
            path: path.to_path_buf(),
            descriptor,
            size,
            end,
            header,
            records,
            mapping,
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

    /// Minima and maxima by record, or `None` where the file has none that fit it.
    pub(crate) fn statistics(&self) -> Option<&Statistics> {
        self.statistics.get_or_init(|| self.read_statistics()).as_ref()
    }

    fn read_statistics(&self) -> Option<Statistics> {
        let offset = self.header.counters().statistics_offset(self.end)?;
        let n_records = self.records.n_records() as u64;
        let len = Statistics::encoded_len(self.schema(), n_records)?;
        if offset.checked_add(len)? > self.size {
            return None;
        }
        let read = |file: &File| read_whole(file, offset, len);
        let bytes = self.descriptor.with_reopened(&self.path, read)?.ok()?;
        Statistics::parse(&bytes, self.schema(), n_records)
    }

    /// Fails if the file has become shorter than what is mapped, as far as its descriptor is still held: touching
    /// the missing pages would be a SIGBUS. A truncation after this check still is; only copying through a
    /// descriptor could prevent that.
    pub(crate) fn check_not_truncated(&self) -> Result<()> {
        let Some(metadata) = self.descriptor.with(File::metadata) else { return Ok(()) };
        let size = metadata.map_err(|e| Error::io("examine", &self.path, &e))?.len();
        if size >= self.end {
            return Ok(());
        }
        let message = format!(
            "'{}' was cut to {size} bytes after it was opened (its records end at byte {}); open it again",
            self.path.display(),
            self.end
        );
        Err(Error::new(ErrorKind::Io, message).with_path(&self.path))
    }
}

/// A file while its headers are read: by descriptor, so that damage is an error and never a signal.
pub(crate) struct Source<'a> {
    path: &'a Path,
    file: File,
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
        let metadata = file.metadata().map_err(|e| Error::io("examine", path, &e))?;
        require_regular(path, &metadata)?;
        let size = metadata.len();
        let mut source = Source { path, file, size, window: Vec::new(), window_offset: 0 };
        source.fill(0, FIRST_READ)?;
        Ok(source)
    }

    /// Reads and checks everything before the first record.
    pub(crate) fn header(&mut self) -> Result<Header> {
        let in_file = |e| Error::in_file(self.path, &e);
        let preamble = Preamble::parse(&self.window, self.size).map_err(in_file)?;
        let start = Preamble::LEN;
        let len = usize::try_from(preamble.manifest_len())
            .map_err(|_| Error::new(ErrorKind::OutOfMemory, "the manifest is too large for this machine"))?;
        if let Some(manifest) = self.window.get(start..start + len) {
            return Header::parse(&preamble, manifest, self.size).map_err(in_file);
        }
        let mut manifest = vec![0; len];
        self.file
            .read_exact_at(&mut manifest, start as u64)
            .map_err(|e| Error::io("read the manifest of", self.path, &e))?;
        Header::parse(&preamble, &manifest, self.size).map_err(in_file)
    }

    /// Walks the record headers without touching bodies; also gives the end of the last record.
    fn records(&mut self, header: &Header) -> Result<(RecordIndex, u64)> {
        let n_records = header.counters().n_records;
        let mut index = RecordIndex::with_capacity(n_records.min(RECORDS_AT_ONCE) as usize);
        let mut walk = RecordWalk::new(header, self.size);
        let mut previous = 0;
        while let Some(offset) = walk.next_offset() {
            let near = offset - previous <= WINDOW_REACH;
            let bytes = self.bytes_at(offset, if near { WINDOW } else { RecordHeader::LEN })?;
            let record = walk.push(bytes).map_err(|e| Error::in_file(self.path, &e))?;
            index.push(&record);
            previous = offset;
        }
        let end = walk.finish().map_err(|e| Error::in_file(self.path, &e))?;
        Ok((index, end))
    }

    /// The bytes of a record header at `offset`, fewer where the file ends; fetches `fetch` bytes at need.
    fn bytes_at(&mut self, offset: u64, fetch: usize) -> Result<&[u8]> {
        let inside = |source: &Self| -> Option<usize> {
            let start = usize::try_from(offset.checked_sub(source.window_offset)?).ok()?;
            (start.checked_add(RecordHeader::LEN)? <= source.window.len()).then_some(start)
        };
        let start = match inside(self) {
            Some(start) => start,
            None => {
                self.fill(offset, fetch)?;
                0
            }
        };
        let end = self.window.len().min(start + RecordHeader::LEN);
        Ok(&self.window[start..end])
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

fn read_whole(file: &File, offset: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
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
