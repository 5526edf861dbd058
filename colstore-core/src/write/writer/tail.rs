//! The end of a file, where records are added.
//!
//! ```text
//! … record │ record ┊ record │ record │ … ┊ record │ record │ record ┊ zeros
//!                   ┊ on its way          ┊ gathered                 ┊
//!                  end                                             end()      len
//! ```
//!
//! Small records are gathered and written together. What is gathered was promised to the caller, so room for it is
//! made in the file first, by writing zeros: what is written over later needs no more space (but on file systems that
//! never write over anything; see [`Loss`]). A batch that is full is written by a helper, if there is one, which also
//! makes room for the one after the next, while the next is gathered; nothing else is done to the file meanwhile.
//! `docs/decisions/small-records.md` compares this with other ways.

use std::io;
use std::mem;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use colstore_kernels::behind::Behind;

use super::batch::{BATCH, Batch, Errand, Outcome, Torn, write_zeros};
use crate::error::{Error, Result};
use crate::options::threads;
use crate::storage::{OutputFile, largest_file};

/// Room that is made at first; then twice as much, up to the size of a batch.
const FIRST_ROOM: u64 = 64 << 10;
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
    /// Records behind them that are being written, and their size.
    on_its_way: Option<(Behind<Outcome>, u64)>,
    /// Records behind those.
    batch: Batch,
    /// Memory for another batch.
    spare: Batch,
    /// The length of the file, as far as it is known.
    len: u64,
    room: u64,
    /// How far writing to the disk was begun.
    begun: u64,
}

/// Gathered records that could not be written after all.
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
            on_its_way: None,
            batch: Batch::default(),
            spare: Batch::default(),
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
        self.end + self.on_its_way.as_ref().map_or(0, |(_, len)| *len) + self.batch.len()
    }

    /// Adds a record of `size` bytes, which `fill` writes; up to `max_threads` threads may work on that.
    pub(super) fn gather(
        &mut self,
        n_rows: u64,
        size: usize,
        max_threads: Option<NonZeroUsize>,
        fill: impl FnOnce(&mut [u8]),
    ) -> std::result::Result<(), Refusal> {
        if self.batch.len() + size as u64 > BATCH {
            self.send(max_threads).map_err(Refusal::Earlier)?;
        }
        if self.end() + size as u64 > self.len {
            // Who is on the way may have made room.
            self.wait().map_err(Refusal::Earlier)?;
            self.make_room(size as u64).map_err(Refusal::This)?;
        }
        self.batch.add(n_rows, size, fill);
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
        self.len = match write_zeros(&*self.file, self.len..wanted) {
            Ok(()) => wanted,
            Err(_) if wanted > needed => {
                write_zeros(&*self.file, self.len..needed)?;
                needed
            }
            Err(e) => return Err(e),
        };
        self.room = (self.room * 2).min(BATCH);
        Ok(())
    }

    /// Sends the batch on its way, when the one before has arrived.
    fn send(&mut self, max_threads: Option<NonZeroUsize>) -> std::result::Result<(), Loss> {
        self.wait()?;
        let batch = mem::replace(&mut self.batch, mem::take(&mut self.spare));
        let (len, end) = (batch.len(), self.end + batch.len());
        let is_helped = threads(max_threads, 2 * BATCH) > 1;
        let ahead = if is_helped { end + 2 * BATCH } else { 0 };
        let errand = Errand {
            file: Arc::clone(&self.file),
            batch,
            offset: self.end,
            write_back: self.write_back_up_to(end),
            zeros: self.len..ahead.min(largest_file()),
        };
        let is_helped = is_helped && self.file.allows_helpers();
        self.on_its_way = Some((Behind::begin(is_helped, || errand.run()), len));
        Ok(())
    }

    /// Waits for the batch that is on its way.
    fn wait(&mut self) -> std::result::Result<(), Loss> {
        let Some((outcome, _)) = self.on_its_way.take() else { return Ok(()) };
        let Outcome { batch, result, len } = outcome.finish();
        self.len = len;
        self.arrive(batch, result)
    }

    /// Writes what was gathered. If that fails, as many records as possible are kept.
    pub(super) fn drain(&mut self) -> std::result::Result<(), Loss> {
        self.wait()?;
        if self.batch.is_empty() {
            return Ok(());
        }
        let batch = mem::take(&mut self.batch);
        let result = batch.write(&*self.file, self.end);
        self.arrive(batch, result)
    }

    /// After a batch was written, or was not.
    fn arrive(
        &mut self,
        mut batch: Batch,
        result: std::result::Result<(), Torn>,
    ) -> std::result::Result<(), Loss> {
        match result {
            Ok(()) => {
                self.advance(batch.len());
                batch.clear();
                self.spare = batch;
                Ok(())
            }
            Err(Torn { written, n_records, n_rows, source }) => {
                self.advance(written);
                // What was gathered since would be behind a gap.
                let later = mem::take(&mut self.batch);
                self.cut();
                Err(Loss {
                    n_records: n_records + later.n_records(),
                    n_rows: n_rows + later.n_rows(),
                    source,
                })
            }
        }
    }

    /// Gives gathered records up.
    pub(super) fn abandon(&mut self) {
        // Else the file could be written, and its lock held, after its writer has gone.
        let _ = self.wait();
        self.batch.clear();
    }

    /// Adds a record that lies in `pieces`; nothing may be gathered.
    pub(super) fn write(&mut self, pieces: &[&[u8]]) -> io::Result<()> {
        debug_assert!(self.on_its_way.is_none() && self.batch.is_empty());
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
        debug_assert!(self.on_its_way.is_none() && self.batch.is_empty());
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
        if let Some(range) = self.write_back_up_to(self.end) {
            self.file.start_write_back(range.start, range.end - range.start);
        }
    }

    /// What of the file up to `end` is now to be written to the disk, if it is worth it.
    fn write_back_up_to(&mut self, end: u64) -> Option<Range<u64>> {
        (end.saturating_sub(self.begun) >= WRITE_BACK).then(|| mem::replace(&mut self.begun, end)..end)
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
        debug_assert!(self.on_its_way.is_none() && self.batch.is_empty());
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
