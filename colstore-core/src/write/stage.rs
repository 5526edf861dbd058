//! Where a thread puts a chunk together before it is written.
//!
//! A file takes one write at a time: the kernel holds a lock over it while it copies. With several threads, one
//! brings its chunk from memory into its cache while another's is being copied, and the kernel then reads from the
//! cache. Bytes are laid out as they will lie in the file's pages, since the kernel's copy is fastest between
//! places of equal alignment.

use std::sync::{Mutex, PoisonError};

/// The pages of the page cache.
const PAGE: usize = 4096;

/// Room for the chunks of all threads of one write, made when needed and used again.
#[derive(Debug, Default)]
pub(super) struct Stages(Mutex<Vec<Stage>>);

/// Room for one chunk.
#[derive(Debug, Default)]
pub(super) struct Stage(Vec<u8>);

impl Stages {
    /// Lends a stage to `work`.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut Stage) -> R) -> R {
        // A panic elsewhere leaves the list whole: it is changed in one step.
        let list = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = list().pop();
        let mut stage = taken.unwrap_or_default();
        let result = work(&mut stage);
        list().push(stage);
        result
    }
}

impl Stage {
    /// Room for `len` bytes that will lie at `offset` of a file.
    pub(super) fn room(&mut self, len: usize, offset: u64) -> *mut u8 {
        self.0.clear();
        self.0.reserve(len + 2 * PAGE);
        let start = self.0.as_mut_ptr();
        let wanted = offset as usize % PAGE;
        let lead = (wanted + PAGE - start.addr() % PAGE) % PAGE;
        start.wrapping_add(lead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_lies_as_in_the_file_and_is_used_again() {
        let stages = Stages::default();
        let mut first = None;
        for offset in [0u64, 1, 544, 4095, 4096, 1 << 40, (1 << 40) + 7] {
            stages.with(|stage| {
                let room = stage.room(1 << 20, offset);
                assert_eq!(room.addr() % PAGE, offset as usize % PAGE);
                // SAFETY: there is room for so many bytes.
                unsafe { room.write_bytes(1, 1 << 20) };
                let memory = stage.0.as_ptr();
                assert_eq!(*first.get_or_insert(memory), memory);
            });
        }
    }
}
