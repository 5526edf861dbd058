//! `malloc` and `free` for outputs: large blocks come from memory that earlier ones gave back.
//!
//! Blocks of [`arena::LEAST_BYTES`] and more come from the [`arena`], smaller ones from the C library. A
//! header in front of each says which, so that freeing needs nothing but the address: the shape that hosts want
//! who let others bring an allocator for their arrays.

use std::ptr::{self, NonNull};

use crate::arena;

/// In front of every block; a cache line, so that the data stay aligned to one.
#[repr(C, align(64))]
struct Header {
    /// Bytes of the block, with this header.
    len: usize,
    from_arena: bool,
}

const HEADER: usize = size_of::<Header>();

/// Memory for `size` bytes, aligned to 64, of arbitrary content; null if there is none.
#[must_use]
pub fn allocate(size: usize) -> *mut u8 {
    let Some(total) = size.checked_add(HEADER) else { return ptr::null_mut() };
    let (start, header) = if size >= arena::LEAST_BYTES {
        let Some((start, len)) = arena::lend(total) else { return ptr::null_mut() };
        (start.as_ptr(), Header { len, from_arena: true })
    } else {
        let mut start = ptr::null_mut();
        // SAFETY: `start` is writable; the alignment is a power of two and a multiple of a pointer's size.
        if unsafe { libc::posix_memalign(&raw mut start, align_of::<Header>(), total) } != 0 {
            return ptr::null_mut();
        }
        (start.cast::<u8>(), Header { len: total, from_arena: false })
    };
    // SAFETY: both kinds of block have `total` bytes or more, which is at least a header, and are aligned for one.
    unsafe {
        start.cast::<Header>().write(header);
        start.add(HEADER)
    }
}

/// As [`allocate`], all zero.
#[must_use]
pub fn allocate_zeroed(size: usize) -> *mut u8 {
    let data = allocate(size);
    if !data.is_null() {
        // SAFETY: the block just made has `size` bytes.
        unsafe { data.write_bytes(0, size) };
    }
    data
}

/// A block of `size` bytes with the content of `data` as far as it goes, and `data` is freed; or null, and `data` is
/// as it was.
///
/// # Safety
///
/// `data` is null or comes from this module, was not freed, and nobody uses it any more.
pub unsafe fn reallocate(data: *mut u8, size: usize) -> *mut u8 {
    let new = allocate(size);
    if data.is_null() || new.is_null() {
        return new;
    }
    // SAFETY: a header lies in front of `data`, by the caller's promise, and its `len` counts it in. Both blocks
    // have the bytes that are copied, and they are two.
    unsafe {
        let old = (*data.sub(HEADER).cast::<Header>()).len - HEADER;
        data.copy_to_nonoverlapping(new, old.min(size));
        free(data);
    }
    new
}

/// Frees a block; nothing for null.
///
/// # Safety
///
/// `data` is null or comes from this module, was not freed, and nobody uses it any more.
pub unsafe fn free(data: *mut u8) {
    if data.is_null() {
        return;
    }
    // SAFETY: a header lies in front of `data`, by the caller's promise, and says where the block came from.
    unsafe {
        let start = data.sub(HEADER);
        let Header { len, from_arena } = start.cast::<Header>().read();
        match NonNull::new(start) {
            Some(start) if from_arena => arena::give_back(start, len),
            _ => libc::free(start.cast()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 7] = [0, 1, 63, 4096, arena::LEAST_BYTES - 1, arena::LEAST_BYTES, 9 << 20];

    #[test]
    fn blocks_are_aligned_whole_and_apart() {
        let _turn = arena::TURN.lock();
        let blocks: Vec<(*mut u8, usize)> = SIZES.iter().map(|&size| (allocate(size), size)).collect();
        for (i, &(data, size)) in blocks.iter().enumerate() {
            assert!(!data.is_null() && data.addr().is_multiple_of(64));
            // SAFETY: the block has `size` bytes.
            unsafe { data.write_bytes(i as u8, size) };
        }
        for (i, &(data, size)) in blocks.iter().enumerate() {
            // SAFETY: the bytes were written above; the block is freed once.
            unsafe {
                assert!((0..size).step_by(997).all(|at| data.add(at).read() == i as u8));
                free(data);
            }
        }
        assert!(allocate(usize::MAX).is_null());
        assert!(allocate(usize::MAX - HEADER).is_null());
    }

    #[test]
    fn zeroed_blocks_are_zero_even_when_used_before() {
        let _turn = arena::TURN.lock();
        for size in SIZES {
            for _ in 0..2 {
                let data = allocate_zeroed(size);
                // SAFETY: the block has `size` bytes, and is freed once.
                unsafe {
                    assert!((0..size).step_by(61).all(|at| data.add(at).read() == 0));
                    data.write_bytes(0xEE, size);
                    free(data);
                }
            }
        }
    }

    #[test]
    fn content_moves_along() {
        let _turn = arena::TURN.lock();
        for old in SIZES {
            for new in SIZES {
                let data = allocate(old);
                // SAFETY: the blocks have these sizes; each is freed once, by `reallocate` or by `free`.
                unsafe {
                    (0..old).step_by(991).for_each(|at| data.add(at).write(at as u8));
                    let moved = reallocate(data, new);
                    assert!((0..old.min(new)).step_by(991).all(|at| moved.add(at).read() == at as u8));
                    free(moved);
                }
            }
        }
        // SAFETY: null is allowed in both.
        unsafe {
            let data = reallocate(ptr::null_mut(), 10);
            assert!(!data.is_null());
            free(data);
            free(ptr::null_mut());
        }
    }
}
