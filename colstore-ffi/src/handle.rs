//! Ownership across the boundary, in one place: how a Rust value becomes a handle, how a handle is borrowed,
//! how it is taken back, and how a result is written to where the caller wants it.

use std::fmt::Display;

use crate::error::Failure;

/// A type that C holds by pointer and never looks into. Handles may be used from many threads at once, so
/// they are `Send + Sync` and borrowed only as shared references.
pub(crate) trait Handle: Sized + Send + Sync + 'static {}

/// Gives the value to the caller, who owes a call of the type's `_free`.
pub(crate) fn give<T: Handle>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Ends the life of a handle; nothing for NULL.
///
/// # Safety
///
/// `pointer` is NULL, or comes from [`give`], was not taken back, and nobody uses it or will.
pub(crate) unsafe fn take_back<T: Handle>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: it was made by `Box::into_raw` in `give` with this type, and is freed once, by the promise
        // of the caller.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// Borrows what a handle stands for; NULL is an error that names the argument.
///
/// # Safety
///
/// `pointer` is NULL, or comes from [`give`] and is not taken back while `'a` lasts.
pub(crate) unsafe fn lend<'a, T: Handle>(
    pointer: *const T,
    argument: impl Display + Copy,
) -> Result<&'a T, Failure> {
    // SAFETY: the same promise.
    unsafe { lend_optional(pointer) }.ok_or_else(|| Failure::null(argument))
}

/// Borrows what a handle stands for; `None` for NULL.
///
/// # Safety
///
/// `pointer` is NULL, or comes from [`give`] and is not taken back while `'a` lasts.
pub(crate) unsafe fn lend_optional<'a, T: Handle>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: NULL gives None; else `give` made it by `Box::into_raw`, so that it is aligned and points to a
    // whole `T`, alive for `'a` by the promise of the caller. Only shared references are ever made of
    // handles.
    unsafe { pointer.as_ref() }
}

/// A place of the caller's that receives a result, and only once there is one.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Checks the pointer, before any work is done.
    ///
    /// # Safety
    ///
    /// `pointer` is NULL or may be written as a `T` until the value is gone.
    pub(crate) unsafe fn new(pointer: *mut T, argument: impl Display + Copy) -> Result<Out<T>, Failure> {
        check_pointer(pointer, argument)?;
        Ok(Out(pointer))
    }

    pub(crate) fn set(self, value: T) {
        // SAFETY: not NULL and aligned, as `new` checked; writable by the promise made there. What the place
        // held is a plain value of C, which needs no drop.
        unsafe { self.0.write(value) };
    }
}

/// That a pointer is neither NULL nor misaligned for its type.
pub(crate) fn check_pointer<T>(pointer: *const T, argument: impl Display + Copy) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::null(argument));
    }
    if !pointer.is_aligned() {
        return Err(Failure::Argument(format!(
            "the argument {argument} is {pointer:?}, which is no multiple of {} as its type demands",
            align_of::<T>()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ptr;
    use std::sync::Arc;

    use super::*;

    struct Counted(#[expect(dead_code, reason = "held for its count")] Arc<()>);
    impl Handle for Counted {}

    #[test]
    fn a_handle_lives_from_give_to_take_back() {
        let count = Arc::new(());
        let handle = give(Counted(Arc::clone(&count)));
        assert_eq!(Arc::strong_count(&count), 2);
        // SAFETY: `handle` is live until it is taken back, once; NULL is allowed.
        unsafe {
            assert!(lend(handle, "handle").is_ok());
            take_back(handle);
            take_back::<Counted>(ptr::null_mut());
        }
        assert_eq!(Arc::strong_count(&count), 1);
    }

    #[test]
    fn null_and_misaligned_places_are_refused() {
        let mut words = [0_u64; 2];
        let misaligned = words.as_mut_ptr().cast::<u8>().wrapping_add(1).cast::<u64>();
        // SAFETY: NULL is allowed; the misaligned place lies in `words`.
        unsafe {
            assert!(Out::<u64>::new(ptr::null_mut(), "out").is_err());
            assert!(Out::new(misaligned, "out").is_err());
            Out::new(words.as_mut_ptr(), "out").unwrap_or_else(|_| panic!("valid")).set(7);
        }
        assert_eq!(words, [7, 0]);
    }
}
