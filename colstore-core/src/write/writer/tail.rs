//! The end of a file, where records are added.
//!
//! ```text
//! … record │ record ┊ record │ record │ record ┊ zeros
//!                   ┊        buffer            ┊
//!                  end                  end + buffer      len
//! ```
//!
//! Small records are gathered and written together. What is in the buffer was promised to the caller, so room for it is
//! made in the file first, by writing zeros: what is written over later needs no more space (but on file systems that
//! never write over anything; see [`Loss`]). `docs/decisions/small-records.md` compares this with other ways.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::storage::{OutputFile, largest_file};

/// What is gathered at most.
const BUFFER: usize = 1 << 20;
/// Room that is made at first; then twice as much, up to the size of the buffer.
const FIRST_ROOM: u64 = 64 << 10;
/// What room is made of.
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
/// Bytes after which the system is asked to begin writing them to the disk.
const WRITE_BACK: u64 = 2 << 20;

/// The records at the end of a file.
#[derive(Debug)]
pub(super) struct Tail {
    file: Arc<dyn OutputFile>,
    /// For messages.
    path: PathBuf,
    /// Where the records stop that are in the file.
    end: u64,
    /// Records behind them.
    buffer: Vec<u8>,
    /// For each of those its rows, and where it stops in the buffer.
    gathered: Vec<(u64, usize)>,
    /// The length of the file.
    len: u64,
    room: u64,
    /// How far writing to the disk was begun.
    begun: u64,
}

/// Gathered records that could not be written after all: the disk failed, or is full and takes other blocks for what is
/// written over.
#[derive(Debug)]
pub(super) struct Loss {
    pub(super) n_records: u64,
    pub(super) n_rows: u64,
    pub(super) source: io::Error,
}

/// What became of a small record.
#[derive(Debug)]
pub(super) enum Refusal {
    /// There is no room for it. Those before are as they were.
    This(io::Error),
    /// Records before it were lost.
    Earlier(Loss),
}

impl Tail {
    /// The end of a file of `len` bytes whose records stop at `end`.
    pub(super) fn new(file: &Arc<dyn OutputFile>, path: &Path, end: u64, len: u64) -> Tail {
        Tail {
            file: Arc::clone(file),
            path: path.to_path_buf(),
            end,
            buffer: Vec::new(),
            gathered: Vec::new(),
            len,
            room: FIRST_ROOM,
            begun: end,
        }
    }

    /// The path of the file, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Cuts off what lies behind the records, before the first one is added.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        if self.len != self.end {
            self.file.set_len(self.end)?;
            self.len = self.end;
        }
        Ok(())
    }

    /// Cuts off what lies behind `end`, after the last record was added.
    pub(super) fn trim(&mut self, end: u64) {
        // If it fails, no harm is done: nothing there counts.
        if self.len > end && self.file.set_len(end).is_ok() {
            self.len = end;
        }
    }

    /// Where the records stop, gathered ones included.
    pub(super) fn end(&self) -> u64 {
        self.end + self.buffer.len() as u64
    }

    /// Adds a record of `size` bytes, which `fill` adds to the buffer.
    pub(super) fn gather(
        &mut self,
        n_rows: u64,
        size: usize,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> std::result::Result<(), Refusal> {
        if self.buffer.len() + size > BUFFER {
            self.drain().map_err(Refusal::Earlier)?;
        }
        self.make_room(size as u64).map_err(Refusal::This)?;
        let start = self.buffer.len();
        fill(&mut self.buffer);
        debug_assert_eq!(self.buffer.len(), start + size);
        self.gathered.push((n_rows, self.buffer.len()));
        Ok(())
    }

    /// Makes room in the file for `size` bytes more.
    fn make_room(&mut self, size: u64) -> io::Result<()> {
        let needed = self.end() + size;
        if needed <= self.len {
            return Ok(());
        }
        // Not beyond what the process may write, unless that is what it wants to.
        let wanted = needed.max((self.end() + self.room).min(largest_file()));
        self.len = match self.write_zeros(wanted) {
            Ok(()) => wanted,
            Err(_) if wanted > needed => self.write_zeros(needed).map(|()| needed)?,
            Err(e) => return Err(e),
        };
        self.room = (self.room * 2).min(BUFFER as u64);
        Ok(())
    }

    /// Makes the file end at `to`, in zeros.
    fn write_zeros(&self, to: u64) -> io::Result<()> {
        let mut left = to - self.len;
        let mut pieces = Vec::new();
        while left > 0 {
            let piece = &ZEROS[..left.min(ZEROS.len() as u64) as usize];
            left -= piece.len() as u64;
            pieces.push(piece);
        }
        let result = self.file.write_pieces_at(&pieces, self.len);
        if result.is_err() {
            // What lies behind the records is in nobody's way.
            let _ = self.file.set_len(self.len);
        }
        result
    }

    /// Writes what was gathered. If that fails, as many records as possible are kept.
    pub(super) fn drain(&mut self) -> std::result::Result<(), Loss> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let result = self.file.write_all_at(&self.buffer, self.end);
        let gathered = std::mem::take(&mut self.gathered);
        let mut outcome = Ok(());
        let mut written = self.buffer.len();
        if let Err(source) = result {
            written = 0;
            for (i, &(_, stop)) in gathered.iter().enumerate() {
                if self.file.write_all_at(&self.buffer[written..stop], self.end + written as u64).is_err() {
                    let lost = &gathered[i..];
                    let n_rows = lost.iter().map(|(n_rows, _)| n_rows).sum();
                    outcome = Err(Loss { n_records: lost.len() as u64, n_rows, source });
                    break;
                }
                written = stop;
            }
        }
        self.advance(written as u64);
        self.buffer.clear();
        if outcome.is_err() {
            self.cut();
        }
        outcome
    }

    /// Adds a record that lies in `pieces`; nothing may be gathered.
    pub(super) fn write(&mut self, pieces: &[&[u8]]) -> io::Result<()> {
        debug_assert!(self.buffer.is_empty());
        let len: usize = pieces.iter().map(|piece| piece.len()).sum();
        let result = self.file.write_pieces_at(pieces, self.end);
        self.settle(len as u64, result)
    }

    /// Adds a record of `size` bytes, which `write` puts where it is told; nothing may be gathered.
    pub(super) fn write_with<T>(
        &mut self,
        size: u64,
        write: impl FnOnce(&dyn OutputFile, u64) -> Result<T>,
    ) -> Result<T> {
        debug_assert!(self.buffer.is_empty());
        let file = Arc::clone(&self.file);
        let end = self.end + size;
        // A full disk shows before anything is written.
        let room = match file.reserve(self.end, end) {
            Ok(false) if self.len < end => file.set_len(end),
            result => result.map(|_| ()),
        };
        let result =
            room.map_err(|e| Error::io("write", &self.path, &e)).and_then(|()| write(&*file, self.end));
        self.settle(size, result)
    }

    fn settle<T, E>(&mut self, len: u64, result: std::result::Result<T, E>) -> std::result::Result<T, E> {
        match result {
            Ok(_) => self.advance(len),
            Err(_) => self.cut(),
        }
        result
    }

    fn advance(&mut self, len: u64) {
        self.end += len;
        self.len = self.len.max(self.end);
        if self.end - self.begun >= WRITE_BACK {
            self.file.start_write_back(self.begun, self.end - self.begun);
            self.begun = self.end;
        }
    }

    /// Takes the file back to the records that are in it.
    fn cut(&mut self) {
        // If it fails, no harm is done: nothing behind the records counts, and it will be written over.
        if self.file.set_len(self.end).is_ok() {
            self.len = self.end;
        }
        self.room = FIRST_ROOM;
    }

    /// Writes `footer` behind the records, of which none may be gathered, and makes the file end there.
    pub(super) fn finish(&mut self, footer: &[u8]) -> Result<()> {
        debug_assert!(self.buffer.is_empty());
        let len = self.end + footer.len() as u64;
        let result = (|| {
            if !footer.is_empty() {
                self.file.write_all_at(footer, self.end)?;
            }
            if self.len > len {
                self.file.set_len(len)?;
            }
            Ok(())
        })();
        match result {
            Ok(()) => {
                self.len = len;
                self.room = FIRST_ROOM;
                Ok(())
            }
            Err(e) => {
                self.cut();
                Err(Error::io("write", &self.path, &e))
            }
        }
    }
}
