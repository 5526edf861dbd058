//! An allocator that ends the process at the first large allocation.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator with a limit on what is allocated at one time, in bytes.
///
/// libFuzzer's own `-malloc_limit_mb` needs a sanitizer, which stable Rust has not; this needs nothing. libFuzzer
/// itself is C++ and does not allocate here.
#[derive(Debug)]
pub struct Capped {
    live: AtomicUsize,
    limit: usize,
}

impl Capped {
    /// An allocator for `limit` bytes.
    pub const fn new(limit: usize) -> Capped {
        Capped { live: AtomicUsize::new(0), limit }
    }

    fn grow(&self, bytes: usize) {
        let live = self.live.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if live > self.limit {
            // Not a panic: that would allocate. libFuzzer saves the input when the process aborts.
            eprintln!("allocating {bytes} bytes makes {live}, over the limit of {}", self.limit);
            std::process::abort();
        }
    }
}

// SAFETY: every call is passed on to `System` with the arguments it came with, so that its guarantees are ours;
// the counter changes nothing of what is returned.
unsafe impl GlobalAlloc for Capped {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        self.live.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller passes a block of this allocator, hence of `System`, and its layout.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        self.live.fetch_sub(layout.size(), Relaxed);
        self.grow(new_size);
        // SAFETY: as in `dealloc`; `new_size` is passed on as it came.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}
