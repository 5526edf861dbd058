//! How the chunks of a new file get into it.
//!
//! ```text
//! pwrite:  a thread puts a chunk together in its stage; the system copies it into the file's pages
//! mmap:    a thread puts a chunk together in the file's pages, which are mapped
//! ```
//!
//! The file is the same. Its blocks are set aside first: a full disk is an error then, before anything is written,
//! and never a signal in the middle of a store to mapped memory. Where blocks cannot be set aside, nothing is mapped.

use crate::config::{self, WriteMethod};
use crate::error::Result;
use crate::mapping::OutputMapping;
use crate::write::stage::Stages;
use crate::write::temp::TempFile;
use crate::write::write_back::WriteBack;

/// Bytes that are put together and written at a time: about what the second-level cache of a core holds.
pub(super) const WRITE_CHUNK: u64 = 2 << 20;

/// Bytes that one system call writes of a copy. The kernel keeps them in blocks of memory as large as what is written at
/// once; blocks of this size are easy to find, however memory was used before.
pub(super) const COPIED_PIECE: usize = 128 << 10;

/// Takes the chunks of one new file, from any number of threads.
pub(super) struct Sink<'a> {
    temp: &'a TempFile,
    map: Option<OutputMapping>,
    _write_back: Option<WriteBack>,
    /// Bytes that one system call writes.
    piece: usize,
    stages: Stages,
}

impl<'a> Sink<'a> {
    /// Makes the file `len` bytes long, which then reads as zeros; at most `piece` bytes are written at once. With
    /// `write_back`, it is brought to the disk meanwhile: for files that will be flushed.
    pub(super) fn new(temp: &'a TempFile, len: u64, piece: usize, write_back: bool) -> Result<Sink<'a>> {
        let file = temp.file();
        let map = match config::write_method() {
            WriteMethod::Pwrite => None,
            WriteMethod::Mmap => file.map(len).map_err(|e| temp.write_error(&e))?,
        };
        if map.is_none() {
            file.allocate(len).map_err(|e| temp.write_error(&e))?;
        }
        let write_back = if write_back { WriteBack::start(file, len) } else { None };
        Ok(Sink { temp, map, _write_back: write_back, piece, stages: Stages::default() })
    }

    /// Lets `fill` put `len` bytes together, which then are the file's from `offset` on. `fill` must write all of
    /// them; they must lie within the length of the file.
    pub(super) fn fill<R>(
        &self,
        offset: u64,
        len: usize,
        fill: impl FnOnce(*mut u8) -> Result<R>,
    ) -> Result<R> {
        let Some(map) = &self.map else {
            return self.stages.with(|stage| {
                let room = stage.room(len, offset);
                let result = fill(room)?;
                // SAFETY: the stage has room for `len` bytes, all of which have been written.
                self.write(offset, unsafe { std::slice::from_raw_parts(room, len) })?;
                Ok(result)
            });
        };
        fill(map.at(offset, len as u64))
    }

    /// Writes bytes that lie as the file will hold them.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut offset = offset;
        for piece in bytes.chunks(self.piece) {
            self.temp.file().write_all_at(piece, offset).map_err(|e| self.temp.write_error(&e))?;
            offset += piece.len() as u64;
        }
        Ok(())
    }
}
