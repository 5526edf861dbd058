//! Small records that are written together, and the errand of writing them.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::memory::Words;
use crate::storage::OutputFile;

/// What is gathered at most.
pub(super) const BATCH: u64 = 1 << 20;
/// Memory for the first records: there may not be many.
const FIRST: usize = 64 << 10;

/// What room is made of.
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];

/// Records that are gathered.
#[derive(Debug, Default)]
pub(super) struct Batch {
    memory: Words,
    len: usize,
    /// For each record its rows, and where it stops.
    records: Vec<(u64, usize)>,
}

/// What could not be written of a batch: the disk failed, or is full and takes other blocks for what is written over.
#[derive(Debug)]
pub(super) struct Torn {
    /// The bytes of the records before, which were written.
    pub(super) written: u64,
    pub(super) n_records: u64,
    pub(super) n_rows: u64,
    pub(super) source: io::Error,
}

impl Batch {
    /// In bytes.
    pub(super) fn len(&self) -> u64 {
        self.len as u64
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn n_records(&self) -> u64 {
        self.records.len() as u64
    }

    pub(super) fn n_rows(&self) -> u64 {
        self.records.iter().map(|(n_rows, _)| n_rows).sum()
    }

    /// Adds a record of `size` bytes, which `fill` writes all of. The batch is to have at most [`BATCH`] bytes then.
    pub(super) fn add(&mut self, n_rows: u64, size: usize, fill: impl FnOnce(&mut [u8])) {
        let end = self.len + size;
        if end > self.memory.bytes().len() {
            let mut larger = Words::for_bytes(if end <= FIRST { FIRST } else { BATCH as usize });
            larger.bytes_mut()[..self.len].copy_from_slice(self.bytes());
            self.memory = larger;
        }
        fill(&mut self.memory.bytes_mut()[self.len..end]);
        self.len = end;
        self.records.push((n_rows, end));
    }

    fn bytes(&self) -> &[u8] {
        &self.memory.bytes()[..self.len]
    }

    /// Takes all records out; the memory stays.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.records.clear();
    }

    /// Writes all records to `file`, the first to `offset`. If that fails, as many as possible.
    pub(super) fn write(&self, file: &dyn OutputFile, offset: u64) -> Result<(), Torn> {
        let Err(source) = file.write_all_at(self.bytes(), offset) else { return Ok(()) };
        let mut written = 0;
        for (i, &(_, stop)) in self.records.iter().enumerate() {
            if file.write_all_at(&self.bytes()[written..stop], offset + written as u64).is_err() {
                let lost = &self.records[i..];
                return Err(Torn {
                    written: written as u64,
                    n_records: lost.len() as u64,
                    n_rows: lost.iter().map(|(n_rows, _)| n_rows).sum(),
                    source,
                });
            }
            written = stop;
        }
        Ok(())
    }
}

/// A batch on its way into the file, and what is to be done there for the next ones.
#[derive(Debug)]
pub(super) struct Errand {
    pub(super) file: Arc<dyn OutputFile>,
    pub(super) batch: Batch,
    pub(super) offset: u64,
    /// What the system is asked to begin writing to the disk.
    pub(super) write_back: Option<Range<u64>>,
    /// From the end of the file on.
    pub(super) zeros: Range<u64>,
}

/// How an errand went.
#[derive(Debug)]
pub(super) struct Outcome {
    /// As it was, for its memory.
    pub(super) batch: Batch,
    pub(super) result: Result<(), Torn>,
    /// The length of the file.
    pub(super) len: u64,
}

impl Errand {
    pub(super) fn run(self) -> Outcome {
        let file = &*self.file;
        let mut len = self.zeros.start;
        let result = self.batch.write(file, self.offset);
        if result.is_ok() {
            if let Some(range) = self.write_back {
                file.start_write_back(range.start, range.end - range.start);
            }
            // If there is no room ahead, the record that needs some will show it.
            if write_zeros(file, self.zeros.clone()).is_ok() {
                len = self.zeros.end.max(len);
            }
        }
        Outcome { batch: self.batch, result, len }
    }
}

/// Makes `file`, which ends where `range` starts, end where it ends, in zeros. If that fails, it is as before.
pub(super) fn write_zeros(file: &dyn OutputFile, range: Range<u64>) -> io::Result<()> {
    let mut left = range.end.saturating_sub(range.start);
    if left == 0 {
        return Ok(());
    }
    let mut pieces = Vec::new();
    while left > 0 {
        let piece = &ZEROS[..left.min(ZEROS.len() as u64) as usize];
        left -= piece.len() as u64;
        pieces.push(piece);
    }
    let result = file.write_pieces_at(&pieces, range.start);
    if result.is_err() {
        // What lies behind the records is in nobody's way.
        let _ = file.set_len(range.start);
    }
    result
}
