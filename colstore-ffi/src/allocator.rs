//! An allocator for arrays that results are read into, in the shape that hosts want who let others allocate
//! (NumPy's `PyDataMemAllocator` among them).

use std::ffi::c_void;
use std::ptr;

use colstore_core::allocator;

use crate::guard::guard_value;

/// Memory for `size` bytes, aligned to 64, of arbitrary content; NULL if there is none. Free it with
/// `colstore_allocator_free`.
///
/// Large blocks come from memory that earlier ones gave back: it need not be provided and zeroed by the kernel
/// once more, which takes longer than filling it. What is kept for that (at most 2 GiB or an eighth of the
/// machine's memory) the kernel may take at any time. `context` is ignored here and below.
#[unsafe(no_mangle)]
pub extern "C" fn colstore_allocator_malloc(context: *mut c_void, size: usize) -> *mut c_void {
    let _ignored = context;
    guard_value(ptr::null_mut(), || allocator::allocate(size).cast())
}

/// As `colstore_allocator_malloc` for `count` times `size` bytes, all zero.
#[unsafe(no_mangle)]
pub extern "C" fn colstore_allocator_calloc(context: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let _ignored = context;
    guard_value(ptr::null_mut(), || match count.checked_mul(size) {
        Some(total) => allocator::allocate_zeroed(total).cast(),
        None => ptr::null_mut(),
    })
}

/// A block of `size` bytes with the content of `data` as far as it goes, and `data` is freed; or NULL, and `data`
/// is as it was. NULL for `data` is fine.
///
/// # Safety
///
/// `data` is NULL or a block of this allocator that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_allocator_realloc(
    context: *mut c_void,
    data: *mut c_void,
    size: usize,
) -> *mut c_void {
    let _ignored = context;
    // SAFETY: the promise of the caller, word for word.
    guard_value(ptr::null_mut(), || unsafe { allocator::reallocate(data.cast(), size).cast() })
}

/// Frees a block. NULL is fine. `size` is ignored.
///
/// # Safety
///
/// `data` is NULL or a block of this allocator that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_allocator_free(context: *mut c_void, data: *mut c_void, size: usize) {
    let _ignored = (context, size);
    // SAFETY: the promise of the caller, word for word.
    guard_value((), || unsafe { allocator::free(data.cast()) });
}
