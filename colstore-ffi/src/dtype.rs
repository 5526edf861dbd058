//! What the values of a column are, as numbers that C can switch over.

use std::ffi::c_char;
use std::mem;

use colstore_format::{ByteOrder, DType as FormatDType, Unit as FormatUnit};

use crate::error::{Error, ErrorOut, Failure};
use crate::guard::guard;
use crate::slice;
use crate::status::Status;
use crate::versioned::{OutStruct, Versioned};

/// The units of datetimes and timedeltas. The numbers never change.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// No unit: a time without one, or no time at all.
    None = 0,
    /// Years.
    Year = 1,
    /// Months.
    Month = 2,
    /// Weeks.
    Week = 3,
    /// Days.
    Day = 4,
    /// Hours.
    Hour = 5,
    /// Minutes.
    Minute = 6,
    /// Seconds.
    Second = 7,
    /// Milliseconds.
    Milli = 8,
    /// Microseconds.
    Micro = 9,
    /// Nanoseconds.
    Nano = 10,
    /// Picoseconds.
    Pico = 11,
    /// Femtoseconds.
    Femto = 12,
    /// Attoseconds.
    Atto = 13,
}

impl From<FormatUnit> for Unit {
    fn from(unit: FormatUnit) -> Unit {
        match unit {
            FormatUnit::Generic => Unit::None,
            FormatUnit::Year => Unit::Year,
            FormatUnit::Month => Unit::Month,
            FormatUnit::Week => Unit::Week,
            FormatUnit::Day => Unit::Day,
            FormatUnit::Hour => Unit::Hour,
            FormatUnit::Minute => Unit::Minute,
            FormatUnit::Second => Unit::Second,
            FormatUnit::Milli => Unit::Milli,
            FormatUnit::Micro => Unit::Micro,
            FormatUnit::Nano => Unit::Nano,
            FormatUnit::Pico => Unit::Pico,
            FormatUnit::Femto => Unit::Femto,
            FormatUnit::Atto => Unit::Atto,
        }
    }
}

/// A dtype, taken apart. This struct does not grow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DType {
    /// `sizeof(colstore_dtype)`.
    pub size: usize,
    /// NumPy's letter: `'b'` bool, `'i'` signed, `'u'` unsigned, `'f'` float (with 16 bytes: the opaque `long
    /// double` of the host that wrote the file), `'M'` datetime, `'m'` timedelta, `'S'` NUL-padded bytes,
    /// `'U'` NUL-padded UCS-4 text.
    pub kind: i32,
    /// 1 if the file holds the values in big-endian order, else 0. What reads return is little-endian in any
    /// case.
    pub big_endian: i32,
    /// Bytes of a value; 0 is possible for `'S'` and `'U'`.
    pub itemsize: usize,
    /// For `'M'` and `'m'` the unit, an `enum colstore_unit`; else `COLSTORE_UNIT_NONE`.
    pub unit: i32,
    /// How many units one count stands for (25 in `M8[25s]`); 0 unless the kind is `'M'` or `'m'`.
    pub unit_multiplier: i32,
}

// SAFETY: repr(C), the size first, integers only.
unsafe impl Versioned for DType {
    const NAME: &'static str = "colstore_dtype";
    const FIRST_SIZE: usize = mem::offset_of!(DType, unit_multiplier) + size_of::<i32>();
}

impl From<FormatDType> for DType {
    fn from(dtype: FormatDType) -> DType {
        let (unit, multiplier) = match dtype.unit() {
            Some((unit, multiplier)) => (unit.into(), i32::try_from(multiplier).unwrap_or(i32::MAX)),
            None => (Unit::None, 0),
        };
        DType {
            size: size_of::<DType>(),
            kind: dtype.kind().code() as i32,
            big_endian: i32::from(dtype.byte_order() == ByteOrder::Big),
            itemsize: dtype.itemsize(),
            unit: unit as i32,
            unit_multiplier: multiplier,
        }
    }
}

/// Reads the text of a dtype that the caller gave.
pub(crate) fn parse(text: &str) -> Result<FormatDType, Error> {
    FormatDType::parse(text).map_err(|error| Error::new(Status::UnsupportedType, error.message()))
}

/// Reads the text of a dtype, in any of NumPy's spellings: `"<f8"`, `"float64"`, `">M8[25s]"`, `"S12"`.
///
/// Fails with `UNSUPPORTED_TYPE` if the text names no type that a `.cstore` file can hold.
///
/// # Safety
///
/// `text` has `len` bytes; `out` is NULL or a `colstore_dtype` with its size set; `err` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn colstore_dtype_parse(
    text: *const c_char,
    len: usize,
    out: *mut DType,
    err: *mut *mut Error,
) -> Status {
    // SAFETY: NULL or writable, by the promise of the caller.
    let err = unsafe { ErrorOut::new(err) };
    guard("colstore_dtype_parse", err, || {
        // SAFETY: both are NULL or valid for their sizes during the call, by the promise of the caller.
        let (text, out) = unsafe { (slice::text(text, len, "text")?, OutStruct::new(out, "out")?) };
        out.set(parse(text).map_err(Failure::Error)?.into());
        Ok(())
    })
}
