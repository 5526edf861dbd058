//! Names, texts and expressions in arrays, and texts into buffers of the caller's.

use std::ffi::c_char;
use std::fmt::Display;
use std::str::FromStr;

use colstore_format::{ColumnName, DType};

use crate::dtype;
use crate::error::Failure;
use crate::handle::Out;
use crate::slice;

/// A column name of `len` bytes.
///
/// # Safety
///
/// `pointer` is NULL or has `len` bytes that nobody changes during the call.
pub(crate) unsafe fn name(
    pointer: *const c_char,
    len: usize,
    argument: impl Display + Copy,
) -> Result<ColumnName, Failure> {
    // SAFETY: the same promise.
    let bytes = unsafe { slice::bytes(pointer, len, argument) }?;
    ColumnName::from_wtf8(bytes)
        .map_err(|error| Failure::Argument(format!("{argument} is no column name: {}", error.message())))
}

/// A dtype whose text has `len` bytes.
///
/// # Safety
///
/// `pointer` is NULL or has `len` bytes that nobody changes during the call.
pub(crate) unsafe fn dtype(
    pointer: *const c_char,
    len: usize,
    argument: impl Display + Copy,
) -> Result<DType, Failure> {
    // SAFETY: the same promise.
    let text = unsafe { slice::text(pointer, len, argument) }?;
    Ok(dtype::parse(text)?)
}

/// `n` column names.
///
/// # Safety
///
/// `pointers` and `lens` are NULL or have `n` elements, and each pointer its length, that nobody changes during the
/// call.
pub(crate) unsafe fn names(
    pointers: *const *const c_char,
    lens: *const usize,
    n: usize,
    argument: &str,
) -> Result<Vec<ColumnName>, Failure> {
    // SAFETY: the same promise.
    unsafe { each(pointers, lens, n, argument, |pointer, len, at| name(pointer, len, at)) }
}

/// `n` dtypes.
///
/// # Safety
///
/// As [`names`].
pub(crate) unsafe fn dtypes(
    pointers: *const *const c_char,
    lens: *const usize,
    n: usize,
    argument: &str,
) -> Result<Vec<DType>, Failure> {
    // SAFETY: the same promise.
    unsafe { each(pointers, lens, n, argument, |pointer, len, at| dtype(pointer, len, at)) }
}

/// # Safety
///
/// As [`names`]; the function must be fit to be called with every element.
unsafe fn each<T>(
    pointers: *const *const c_char,
    lens: *const usize,
    n: usize,
    argument: &str,
    take: impl Fn(*const c_char, usize, std::fmt::Arguments<'_>) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    // SAFETY: the same promise.
    let (pointers, lens) = unsafe {
        (
            slice::array(pointers, n, argument)?,
            slice::array(lens, n, format_args!("the lengths of {argument}"))?,
        )
    };
    let elements = pointers.iter().zip(lens).enumerate();
    elements.map(|(at, (pointer, len))| take(*pointer, *len, format_args!("{argument}[{at}]"))).collect()
}

/// Gives a text to the caller: its length to `len` and, unless `capacity` is 0, its bytes to `out`.
///
/// # Safety
///
/// `out` is NULL or has `capacity` bytes that nobody else uses during the call; `len` is NULL or writable.
pub(crate) unsafe fn give(
    text: &str,
    out: *mut c_char,
    capacity: usize,
    len: *mut usize,
    argument: &str,
) -> Result<(), Failure> {
    // SAFETY: the same promise.
    let (out, len) = unsafe { (slice::output(out.cast(), capacity, argument)?, Out::new(len, "len")?) };
    if capacity > 0 {
        let Some(out) = out.get_mut(..text.len()) else {
            return Err(Failure::Argument(format!(
                "the capacity of {argument} is {capacity}, but the text has {} bytes; ask for the length with 0",
                text.len()
            )));
        };
        for (out, byte) in out.iter_mut().zip(text.bytes()) {
            out.write(byte);
        }
    }
    len.set(text.len());
    Ok(())
}

/// The code points of a text in UTF-8, or in WTF-8 for lone surrogates (each as its three bytes).
pub(crate) fn code_points(mut bytes: &[u8], argument: &str) -> Result<Vec<u32>, Failure> {
    let total = bytes.len();
    let mut points = Vec::with_capacity(total);
    loop {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => {
                points.extend(text.chars().map(u32::from));
                return Ok(points);
            }
            Err(error) => error.valid_up_to(),
        };
        let (text, rest) = bytes.split_at(valid);
        points.extend(String::from_utf8_lossy(text).chars().map(u32::from));
        match rest {
            [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, after @ ..] => {
                points.push(0xd000 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f));
                bytes = after;
            }
            _ => {
                let at = total - rest.len();
                return Err(Failure::Argument(format!(
                    "the text of {argument} is not UTF-8 from byte {at} on"
                )));
            }
        }
    }
}

/// Something that is spelled as a text.
///
/// # Safety
///
/// `pointer` is NULL or has `len` bytes that nobody changes during the call.
pub(crate) unsafe fn parse<T: FromStr<Err = colstore_frame::Error>>(
    pointer: *const c_char,
    len: usize,
    argument: &str,
) -> Result<T, Failure> {
    // SAFETY: the same promise.
    Ok(unsafe { slice::text(pointer, len, argument) }?.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_code_points_lone_surrogates_among_them() {
        let points = |bytes: &[u8]| code_points(bytes, "text").ok();
        assert_eq!(points("a\u{e9}\u{1f600}".as_bytes()), Some(vec![0x61, 0xe9, 0x1f600]));
        assert_eq!(points(b"a\xed\xa0\x80b\xed\xbf\xbf"), Some(vec![0x61, 0xd800, 0x62, 0xdfff]));
        for invalid in [&b"\xff"[..], b"a\xed\xa0", b"\xed\x9f", b"\xc0\x80", b"\xf4\x90\x80\x80"] {
            assert_eq!(points(invalid), None, "{invalid:?}");
        }
    }
}
