//! Memory for large outputs, kept for the next one when it is given back.
//!
//! ```text
//! lend(len):        take a kept block that fits, or map a new one
//! give_back(block): tell the kernel that it may have the pages (MADV_FREE); keep the block
//!                   while more than the limit is kept: unmap the oldest
//! ```
//!
//! Fresh memory is dear. Before the first store to a page goes through, the kernel zeroes the page, and for a copy
//! out of the page cache that takes longer than the copy itself. The C library returns every large block to the
//! kernel at once, so a program that reads column after column pays each time. Here a block stays mapped instead.
//!
//! Kept memory is not withheld from others: pages under `MADV_FREE` are the first that the kernel takes when
//! memory gets short, and it takes them without writing anything anywhere. Those that it has not taken are written
//! to again without a fault. (Until then they count as the process's own in figures such as RSS.)
//!
//! Blocks are whole huge pages, and the advice for huge pages is given for them. Kernels fill buffers that their
//! caller brings; this is for callers that have a choice where to get them.

use crate::pages::{self, HUGE_BYTES};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, TryLockError};

/// Smaller blocks are better got from an allocator, which keeps them anyway.
pub const LEAST_BYTES: usize = 4 << 20;

/// How much is kept at most, unless [`set_limit`] says otherwise: this, or an eighth of the machine's memory if that is
/// less.
pub const DEFAULT_LIMIT: usize = 2 << 30;

/// A block may be larger than what is asked for by this part of it.
const WASTE: usize = 8;

/// Blocks that nobody uses, the oldest first.
static KEPT: Mutex<Vec<Block>> = Mutex::new(Vec::new());
/// `UNSET` until somebody asks.
static LIMIT: AtomicUsize = AtomicUsize::new(UNSET);
const UNSET: usize = usize::MAX;

/// A mapping of its own.
struct Block {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: a block owns its memory, and any thread may unmap a mapping.
unsafe impl Send for Block {}

/// Memory for `len` bytes or more, aligned to a page, and how much it is; `None` if there is none.
///
/// The content is arbitrary. It belongs to the caller until [`give_back`].
#[must_use]
pub fn lend(len: usize) -> Option<(NonNull<u8>, usize)> {
    let len = len.max(1).checked_next_multiple_of(HUGE_BYTES)?;
    let block = take(len).or_else(|| Block::map(len)).or_else(|| {
        // Perhaps what is kept is what is missing.
        trim(0);
        Block::map(len)
    })?;
    Some((block.start, block.len))
}

/// Takes a block back, to be lent again.
///
/// # Safety
/// `start` and `len` are what one call of [`lend`] returned, which was not given back yet, and nobody uses the
/// memory any more.
pub unsafe fn give_back(start: NonNull<u8>, len: usize) {
    let block = Block { start, len };
    let limit = limit();
    if len > limit || !block.release_pages() {
        block.unmap();
        return;
    }
    let Some(mut kept) = try_kept() else {
        block.unmap();
        return;
    };
    kept.push(block);
    let surplus = cut(&mut kept, limit);
    drop(kept);
    surplus.into_iter().for_each(Block::unmap);
}

/// Unmaps kept blocks, the oldest first, until at most `limit` bytes are kept.
pub fn trim(limit: usize) {
    let surplus = try_kept().map(|mut kept| cut(&mut kept, limit));
    surplus.into_iter().flatten().for_each(Block::unmap);
}

/// How many bytes are kept for the next caller.
#[must_use]
pub fn kept_bytes() -> usize {
    try_kept().map_or(0, |kept| total(&kept))
}

/// Sets how many bytes are kept at most. 0 keeps nothing.
pub fn set_limit(limit: usize) {
    LIMIT.store(limit.min(UNSET - 1), Ordering::Relaxed);
    trim(limit);
}

fn limit() -> usize {
    match LIMIT.load(Ordering::Relaxed) {
        UNSET => {
            let limit = physical_memory().map_or(DEFAULT_LIMIT, |all| DEFAULT_LIMIT.min(all / 8));
            // Keeps what `set_limit` may have stored meanwhile.
            match LIMIT.compare_exchange(UNSET, limit, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => limit,
                Err(stored) => stored,
            }
        }
        limit => limit,
    }
}

fn physical_memory() -> Option<usize> {
    // SAFETY: sysconf has no preconditions.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    usize::try_from(pages).ok()?.checked_mul(usize::try_from(size).ok()?).filter(|&bytes| bytes > 0)
}

/// The kept blocks, unless another thread has them right now: then it is quicker to do without. That also keeps a
/// child of `fork()` from waiting for a thread it does not have.
fn try_kept() -> Option<std::sync::MutexGuard<'static, Vec<Block>>> {
    match KEPT.try_lock() {
        Ok(kept) => Some(kept),
        Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// The smallest kept block of at least `len` bytes, if it is not much larger; of equal ones the newest.
fn take(len: usize) -> Option<Block> {
    let mut kept = try_kept()?;
    let fits = |block: &Block| block.len >= len && block.len - len <= block.len / WASTE;
    let (at, _) =
        kept.iter().enumerate().rev().filter(|(_, block)| fits(block)).min_by_key(|(_, block)| block.len)?;
    Some(kept.remove(at))
}

fn total(kept: &[Block]) -> usize {
    kept.iter().map(|block| block.len).sum()
}

fn cut(kept: &mut Vec<Block>, limit: usize) -> Vec<Block> {
    let mut left = total(kept);
    let mut count = 0;
    while left > limit {
        left -= kept[count].len;
        count += 1;
    }
    kept.drain(..count).collect()
}

impl Block {
    /// `len` is a multiple of [`HUGE_BYTES`].
    fn map(len: usize) -> Option<Block> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, wherever the kernel likes, takes nothing from anybody.
        let start = unsafe { libc::mmap(ptr::null_mut(), len, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        pages::advise_huge(start as usize, len);
        Some(Block { start: NonNull::new(start.cast())?, len })
    }

    /// Lets the kernel have the pages until they are written to again. False if it will not hear of it.
    fn release_pages(&self) -> bool {
        #[cfg(target_os = "linux")]
        // SAFETY: the mapping is the block's own, nobody uses it, and its content may be lost.
        unsafe {
            libc::madvise(self.start.as_ptr().cast(), self.len, libc::MADV_FREE) == 0
        }
        #[cfg(not(target_os = "linux"))]
        false
    }

    fn unmap(self) {
        // SAFETY: the mapping is the block's own, and nobody uses it.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
    }
}

/// The kept blocks are one for the process: tests that use them, here and elsewhere, take turns.
#[cfg(test)]
pub(crate) static TURN: Mutex<()> = Mutex::new(());

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(start: NonNull<u8>, len: usize, byte: u8) {
        // SAFETY: lent to the test, and `len` bytes long.
        unsafe { start.write_bytes(byte, len) };
    }

    #[test]
    fn what_is_given_back_is_lent_again() {
        let _turn = TURN.lock();
        trim(0);
        let (start, len) = lend(5 << 20).unwrap();
        assert_eq!(len, 6 << 20);
        fill(start, len, 1);
        // SAFETY: lent above, used by nobody.
        unsafe { give_back(start, len) };
        assert_eq!(kept_bytes(), len);
        // Much less is not served from it, about as much is.
        let (other, other_len) = lend(2 << 20).unwrap();
        assert_ne!(other, start);
        let (again, again_len) = lend(6 << 20).unwrap();
        assert_eq!((again, again_len), (start, len));
        assert_eq!(kept_bytes(), 0);
        fill(again, again_len, 2);
        // SAFETY: both were lent above and are used by nobody.
        unsafe {
            give_back(other, other_len);
            give_back(again, again_len);
        }
        trim(0);
        assert_eq!(kept_bytes(), 0);
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let _turn = TURN.lock();
        set_limit(10 << 20);
        let blocks: Vec<_> = (0..4).map(|_| lend(4 << 20).unwrap()).collect();
        for &(start, len) in &blocks {
            fill(start, len, 3);
            // SAFETY: lent above, used by nobody.
            unsafe { give_back(start, len) };
        }
        assert_eq!(kept_bytes(), 8 << 20);
        let newest = lend(4 << 20).unwrap();
        assert_eq!(newest, blocks[3]);
        set_limit(0);
        // SAFETY: lent above, used by nobody.
        unsafe { give_back(newest.0, newest.1) };
        assert_eq!(kept_bytes(), 0, "nothing is kept under a limit of 0");
        set_limit(DEFAULT_LIMIT);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let _turn = TURN.lock();
        assert!(lend(usize::MAX).is_none());
        assert!(lend(1 << 60).is_none());
    }

    #[test]
    fn from_eight_threads_at_once() {
        let _turn = TURN.lock();
        std::thread::scope(|scope| {
            for thread in 0..8_u8 {
                scope.spawn(move || {
                    for round in 0..20 {
                        let (start, len) = lend((2 + round % 3) << 20).unwrap();
                        // SAFETY: the block is this thread's until it is given back.
                        unsafe {
                            start.write_volatile(thread);
                            start.add(len - 1).write_volatile(thread);
                            std::thread::yield_now();
                            assert_eq!(
                                (start.read_volatile(), start.add(len - 1).read_volatile()),
                                (thread, thread)
                            );
                            give_back(start, len);
                        }
                    }
                });
            }
        });
        trim(0);
    }
}
