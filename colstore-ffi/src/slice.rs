//! Pointer and length, as C passes strings, arrays and buffers, turned into slices after what can be checked
//! was; numbers turned into choices.
//!
//! NULL is allowed with the length 0 only (an empty C++ container may have no storage).

use std::ffi::{c_char, c_void};
use std::fmt::Display;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::{Error, Failure};
use crate::handle::check_pointer;
use crate::status::Status;

/// The `len` bytes of a string or other data.
///
/// # Safety
///
/// `pointer` is NULL or has `len` bytes that nobody changes while `'a` lasts.
pub(crate) unsafe fn bytes<'a>(
    pointer: *const c_char,
    len: usize,
    argument: impl Display + Copy,
) -> Result<&'a [u8], Failure> {
    // SAFETY: the same promise; u8 and c_char have one layout.
    unsafe { array(pointer.cast::<u8>(), len, argument) }
}

/// The `len` bytes of a UTF-8 text.
///
/// # Safety
///
/// `pointer` is NULL or has `len` bytes that nobody changes while `'a` lasts.
pub(crate) unsafe fn text<'a>(
    pointer: *const c_char,
    len: usize,
    argument: impl Display + Copy,
) -> Result<&'a str, Failure> {
    // SAFETY: the same promise.
    let bytes = unsafe { bytes(pointer, len, argument) }?;
    std::str::from_utf8(bytes).map_err(|error| {
        Failure::Argument(format!("the text of {argument} is not UTF-8 from byte {} on", error.valid_up_to()))
    })
}

/// A path from the bytes of the operating system (UTF-8 where they are text).
///
/// # Safety
///
/// `pointer` is NULL or has `len` bytes that nobody changes during the call.
pub(crate) unsafe fn path(
    pointer: *const c_char,
    len: usize,
    argument: impl Display + Copy,
) -> Result<PathBuf, Failure> {
    if pointer.is_null() {
        return Err(Failure::null(argument));
    }
    // SAFETY: the same promise.
    let bytes = unsafe { bytes(pointer, len, argument) }?;
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Failure::Argument(format!(
            "{argument} has a NUL at byte {at} of {len}, which no path can hold; pass its length without a NUL"
        )));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Failure::Argument(format!("{argument} is not UTF-8, which a path must be here")))?;
        Ok(PathBuf::from(text))
    }
}

/// The `len` elements of an array of plain values.
///
/// # Safety
///
/// `pointer` is NULL or has `len` valid elements that nobody changes while `'a` lasts.
pub(crate) unsafe fn array<'a, T: Copy>(
    pointer: *const T,
    len: usize,
    argument: impl Display + Copy,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check_pointer(pointer, argument)?;
    check_extent(pointer.addr(), len, size_of::<T>(), argument)?;
    // SAFETY: not NULL, aligned, at most isize::MAX bytes and not around the end of the address space, as
    // just checked; `len` valid elements that do not change, by the promise of the caller.
    Ok(unsafe { std::slice::from_raw_parts(pointer, len) })
}

/// A buffer of the caller's that a call fills.
///
/// # Safety
///
/// `pointer` is NULL or has `size` bytes that nobody else uses while `'a` lasts.
pub(crate) unsafe fn output<'a>(
    pointer: *mut c_void,
    size: usize,
    argument: impl Display + Copy,
) -> Result<&'a mut [MaybeUninit<u8>], Failure> {
    if size == 0 {
        return Ok(&mut []);
    }
    check_pointer(pointer.cast::<u8>(), argument)?;
    check_extent(pointer.addr(), size, 1, argument)?;
    // SAFETY: not NULL, at most isize::MAX bytes and not around the end of the address space, as just
    // checked; bytes need no alignment and `MaybeUninit` no value; nobody else uses them, by the promise of
    // the caller.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<u8>>(), size) })
}

/// An array of the caller's that a call fills.
///
/// # Safety
///
/// `pointer` is NULL or has `len` elements that nobody else uses while `'a` lasts.
pub(crate) unsafe fn output_array<'a, T: Copy>(
    pointer: *mut T,
    len: usize,
    argument: impl Display + Copy,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check_pointer(pointer.cast_const(), argument)?;
    check_extent(pointer.addr(), len, size_of::<T>(), argument)?;
    // SAFETY: not NULL, aligned, at most isize::MAX bytes and not around the end of the address space, as just
    // checked; `MaybeUninit` needs no value; nobody else uses the elements, by the promise of the caller.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<T>>(), len) })
}

/// The stride of `n` values of `width` bytes, the first at `data`, after a check that all of them can lie within
/// the address space.
pub(crate) fn strided(
    data: *const c_void,
    n: u64,
    stride: i64,
    width: usize,
    argument: impl Display + Copy,
) -> Result<isize, Failure> {
    if n > 0 && width > 0 {
        check_pointer(data.cast::<u8>(), argument)?;
        let address = data.addr() as i128;
        let last = address + (i128::from(n) - 1) * i128::from(stride);
        let begin = address.min(last);
        let end = address.max(last) + width as i128;
        if begin <= 0 || end > usize::MAX as i128 || end - begin > isize::MAX as i128 {
            return Err(Failure::Argument(format!(
                "{argument} with {n} values of {width} bytes, {stride} bytes apart, is more than the address space \
                 holds"
            )));
        }
    }
    isize::try_from(stride).map_err(|_| {
        Failure::Argument(format!("{argument} has a stride of {stride} bytes, more than memory"))
    })
}

/// A number that must be one of the listed constants.
pub(crate) fn choice<T: Copy>(number: i32, choices: &[(i32, T)], argument: &str) -> Result<T, Failure> {
    match choices.iter().find(|(value, _)| *value == number) {
        Some((_, choice)) => Ok(*choice),
        None => {
            let allowed: Vec<String> = choices.iter().map(|(value, _)| value.to_string()).collect();
            let allowed = allowed.join(" or ");
            Err(Failure::Argument(format!("{argument} is {number}; it must be {allowed}")))
        }
    }
}

/// That there is memory for `n` elements of the library's own, to be asked where a caller's number alone says how
/// many: an allocation that fails later ends the process.
pub(crate) fn check_room<T>(n: usize) -> Result<(), Error> {
    Vec::<T>::new().try_reserve_exact(n).map_err(|_| {
        let message = format!("no memory for {n} elements of {} bytes", size_of::<T>());
        Error::new(Status::OutOfMemory, message)
    })
}

/// The bytes of a path as C has them: those of the operating system.
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// That `len` elements of `width` bytes can lie at the address at all.
pub(crate) fn check_extent(
    address: usize,
    len: usize,
    width: usize,
    argument: impl Display + Copy,
) -> Result<(), Failure> {
    let size = len.checked_mul(width).filter(|size| isize::try_from(*size).is_ok());
    match size.and_then(|size| address.checked_add(size)) {
        Some(_end) => Ok(()),
        None => Err(Failure::Argument(format!(
            "{argument} with {len} elements of {width} bytes is more than the address space holds"
        ))),
    }
}

/// That no two of the buffers share a byte.
pub(crate) fn check_disjoint(
    pointers: &[*mut c_void],
    sizes: &[usize],
    argument: impl Display + Copy,
) -> Result<(), Failure> {
    let mut ranges: Vec<(Range<usize>, usize)> = pointers
        .iter()
        .zip(sizes)
        .enumerate()
        .filter(|(_, (_, size))| **size > 0)
        .map(|(index, (pointer, size))| (pointer.addr()..pointer.addr().saturating_add(*size), index))
        .collect();
    ranges.sort_unstable_by_key(|(range, _)| range.start);
    for pair in ranges.windows(2) {
        if let [(left, left_index), (right, right_index)] = pair
            && right.start < left.end
        {
            return Err(Failure::Argument(format!(
                "the buffers {argument}[{left_index}] and {argument}[{right_index}] overlap; every column needs a \
                 buffer of its own"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn null_goes_with_the_length_zero_only() {
        // SAFETY: NULL is allowed.
        unsafe {
            assert_eq!(bytes(ptr::null(), 0, "x").unwrap_or_else(|_| panic!("empty")), b"");
            assert!(bytes(ptr::null(), 1, "x").is_err());
            assert!(path(ptr::null(), 0, "x").is_err());
            assert!(output(ptr::null_mut(), 0, "x").is_ok());
            assert!(output(ptr::null_mut(), 1, "x").is_err());
        }
    }

    #[test]
    fn impossible_lengths_are_refused() {
        assert!(check_extent(8, usize::MAX, 1, "x").is_err());
        assert!(check_extent(8, usize::MAX / 4, 8, "x").is_err());
        assert!(check_extent(usize::MAX - 3, 4, 1, "x").is_err());
        assert!(check_extent(8, 4, 8, "x").is_ok());
    }

    #[test]
    fn values_apart_must_lie_in_the_address_space() {
        let at = |address: usize| ptr::without_provenance::<c_void>(address);
        for (n, stride) in [(1, i64::MAX), (1, i64::MIN), (10, 8), (10, -8), (1 << 40, 0), (2, 1 << 40)] {
            assert!(strided(at(1 << 20), n, stride, 8, "x").is_ok(), "{n} {stride}");
        }
        for (n, stride) in [(2, i64::MAX), (2, i64::MIN), (2, -(1 << 20)), (u64::MAX, 8), (1 << 61, -8)] {
            assert!(strided(at(1 << 20), n, stride, 8, "x").is_err(), "{n} {stride}");
        }
        assert!(strided(ptr::null(), 1, 8, 8, "x").is_err());
        assert!(strided(ptr::null(), 0, 8, 8, "x").is_ok());
        assert!(strided(ptr::null(), 1, 8, 0, "x").is_ok());
    }

    #[test]
    fn room_that_no_memory_has_is_refused() {
        assert!(check_room::<u64>(1000).is_ok());
        assert!(check_room::<u64>(usize::MAX / 8).is_err());
        assert!(check_room::<u64>(usize::MAX).is_err());
    }

    #[test]
    fn a_path_has_no_nul() {
        let text = c"ab";
        // SAFETY: the literal has three bytes with its NUL.
        unsafe {
            assert!(path(text.as_ptr(), 3, "path").is_err());
            assert!(path(text.as_ptr(), 2, "path").is_ok());
        }
    }

    #[test]
    fn overlaps_are_found() {
        let mut buffer = [0_u8; 16];
        let begin = buffer.as_mut_ptr();
        let at = |offset: usize| begin.wrapping_add(offset).cast::<c_void>();
        let pointers = [at(8), at(0), at(4)];
        assert!(check_disjoint(&pointers, &[8, 4, 4], "outs").is_ok());
        assert!(check_disjoint(&pointers, &[8, 5, 4], "outs").is_err());
        assert!(check_disjoint(&pointers, &[0, 4, 5], "outs").is_ok());
    }
}
