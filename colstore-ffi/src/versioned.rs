//! Structs that begin with their size, so that they can grow while old programs keep working: both sides use
//! only the bytes that both know.

use std::fmt::Display;
use std::mem::MaybeUninit;
use std::ptr;

use crate::error::Failure;
use crate::handle::check_pointer;

/// A struct that C passes by pointer, with its size in the first field.
///
/// # Safety
///
/// Implementors are `repr(C)`, their first field is `size: usize`, and every pattern of bits is a valid value
/// of each field (integers and raw pointers); zero means "the default" or "none".
pub(crate) unsafe trait Versioned: Copy {
    /// The name in C.
    const NAME: &'static str;
    /// `sizeof` in the first version of the ABI that has the struct; it never changes.
    const FIRST_SIZE: usize;

    /// A struct of zeros: every default.
    fn zeroed() -> Self {
        // SAFETY: zeros are valid in every field, by the promise of the trait.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }
}

/// Reads a struct of the caller's; what the caller's version does not have yet is zero.
///
/// # Safety
///
/// `pointer` is NULL, or begins with its size and has that many bytes that nobody changes during the call.
pub(crate) unsafe fn read<T: Versioned>(
    pointer: *const T,
    argument: impl Display + Copy,
) -> Result<T, Failure> {
    // SAFETY: the same promise.
    let size = unsafe { size_of_caller(pointer, argument) }?;
    let mut value = T::zeroed();
    // SAFETY: `size` bytes are readable, by the promise of the caller; at most as many as `value` has are
    // copied, to a local variable; any bytes make a valid `T`, by the promise of the trait.
    unsafe {
        let bytes = size_of::<T>().min(size);
        ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut value).cast::<u8>(), bytes);
    }
    Ok(value)
}

/// Reads a struct of the caller's; every default for NULL.
///
/// # Safety
///
/// As [`read`].
pub(crate) unsafe fn read_optional<T: Versioned>(
    pointer: *const T,
    argument: impl Display + Copy,
) -> Result<T, Failure> {
    if pointer.is_null() {
        return Ok(T::zeroed());
    }
    // SAFETY: the same promise.
    unsafe { read(pointer, argument) }
}

/// The checked size that the caller wrote into the struct.
///
/// # Safety
///
/// As [`read`].
pub(crate) unsafe fn size_of_caller<T: Versioned>(
    pointer: *const T,
    argument: impl Display + Copy,
) -> Result<usize, Failure> {
    check_pointer(pointer, argument)?;
    // SAFETY: not NULL and aligned, as just checked; the first field is the size, by the promise of the
    // trait.
    let size = unsafe { pointer.cast::<usize>().read() };
    if size < T::FIRST_SIZE {
        let name = T::NAME;
        return Err(Failure::Argument(format!(
            "{argument}->size is {size}, but {name} has at least {} bytes; set it to sizeof({name}) before the call",
            T::FIRST_SIZE
        )));
    }
    Ok(size)
}

/// A struct of the caller's that receives a result, and only once there is one.
pub(crate) struct OutStruct<T> {
    pointer: *mut T,
    size: usize,
}

impl<T: Versioned> OutStruct<T> {
    /// Checks the pointer and the size, before any work is done.
    ///
    /// # Safety
    ///
    /// `pointer` is NULL, or begins with its size and may be written that far until the value is gone.
    pub(crate) unsafe fn new(
        pointer: *mut T,
        argument: impl Display + Copy,
    ) -> Result<OutStruct<T>, Failure> {
        // SAFETY: the same promise.
        let size = unsafe { size_of_caller(pointer, argument) }?;
        Ok(OutStruct { pointer, size })
    }

    /// Writes the fields that the caller's version has, all but the size, which stays the caller's.
    pub(crate) fn set(self, value: T) {
        let end = size_of::<T>().min(self.size);
        let begin = size_of::<usize>();
        // SAFETY: `end` is at most the caller's size, and that far the struct is writable by the promise made
        // to `new`; it is at most the size of `value` too, and at least FIRST_SIZE, which includes the first
        // field. The caller's struct is not our local variable.
        unsafe {
            let source = (&raw const value).cast::<u8>().add(begin);
            let target = self.pointer.cast::<u8>().add(begin);
            ptr::copy_nonoverlapping(source, target, end - begin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Version 1 ended after `first`.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Grown {
        size: usize,
        first: u64,
        second: u64,
    }

    // SAFETY: repr(C), the size first, integers only.
    unsafe impl Versioned for Grown {
        const NAME: &'static str = "colstore_grown";
        const FIRST_SIZE: usize = 16;
    }

    #[test]
    fn an_old_caller_is_read_and_written_as_far_as_it_goes() {
        let mut place = Grown { size: 16, first: 1, second: 99 };
        // SAFETY: `place` has all three fields.
        unsafe {
            let read = read(&raw const place, "place").unwrap_or_else(|_| panic!("valid"));
            assert_eq!(read, Grown { size: 16, first: 1, second: 0 });
            let out = OutStruct::new(&raw mut place, "place").unwrap_or_else(|_| panic!("valid"));
            out.set(Grown { size: 24, first: 5, second: 6 });
        }
        assert_eq!(place, Grown { size: 16, first: 5, second: 99 });
    }

    #[test]
    fn a_newer_caller_is_read_and_written_as_far_as_we_know() {
        let mut place = [Grown { size: 40, first: 1, second: 2 }, Grown { size: 7, first: 7, second: 7 }];
        // SAFETY: `place` has more than 40 bytes.
        unsafe {
            let read = read(place.as_ptr(), "place").unwrap_or_else(|_| panic!("valid"));
            assert_eq!(read, place[0]);
            let out = OutStruct::new(place.as_mut_ptr(), "place").unwrap_or_else(|_| panic!("valid"));
            out.set(Grown { size: 24, first: 5, second: 6 });
        }
        assert_eq!(place[0], Grown { size: 40, first: 5, second: 6 });
        assert_eq!(place[1], Grown { size: 7, first: 7, second: 7 });
    }

    #[test]
    fn a_size_that_is_too_small_is_refused() {
        let place = Grown { size: 15, first: 1, second: 2 };
        // SAFETY: `place` has more bytes than it says.
        assert!(unsafe { read(&raw const place, "place") }.is_err());
    }
}
