//! Data types of columns.
//!
//! A file names a column's type by NumPy's array-protocol string: byte order, kind, size, and for times a
//! unit, as in `<f8`, `|S12`, `<M8[25s]`. A [`DType`] is that, taken apart; the spellings that a reader
//! accepts are in `dtype_text.rs`.

use std::fmt;

use crate::constants::MAX_ITEMSIZE;
use crate::dtype_text;
use crate::error::{Error, Result};

/// What the bytes of a value mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// One byte: 0 is false, anything else is true.
    Bool,
    /// Two's complement, 1, 2, 4 or 8 bytes.
    Int,
    /// Unsigned, 1, 2, 4 or 8 bytes.
    UInt,
    /// IEEE 754, 2, 4 or 8 bytes. With 16 bytes: the `long double` of the host that wrote the file, which is
    /// moved but never interpreted.
    Float,
    /// A signed 8-byte count of units since 1970-01-01T00:00; the minimum is "not a time".
    Datetime,
    /// A signed 8-byte count of units; the minimum is "not a time".
    Timedelta,
    /// Bytes, padded with NULs at the end.
    Bytes,
    /// UCS-4 code points of 4 bytes each, padded with NULs at the end.
    Unicode,
}

impl Kind {
    /// NumPy's letter for the kind: `b i u f M m S U`.
    pub fn code(self) -> char {
        match self {
            Kind::Bool => 'b',
            Kind::Int => 'i',
            Kind::UInt => 'u',
            Kind::Float => 'f',
            Kind::Datetime => 'M',
            Kind::Timedelta => 'm',
            Kind::Bytes => 'S',
            Kind::Unicode => 'U',
        }
    }
}

/// The order of the bytes of a word in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Least significant byte first: what writers produce. Types whose words are one byte are always little.
    Little,
    /// Most significant byte first: read, never written.
    Big,
}

/// The unit of a [`Kind::Datetime`] or [`Kind::Timedelta`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// No unit.
    Generic,
    /// `Y`
    Year,
    /// `M`
    Month,
    /// `W`
    Week,
    /// `D`
    Day,
    /// `h`
    Hour,
    /// `m`
    Minute,
    /// `s`
    Second,
    /// `ms`
    Milli,
    /// `us`
    Micro,
    /// `ns`
    Nano,
    /// `ps`
    Pico,
    /// `fs`
    Femto,
    /// `as`
    Atto,
}

impl Unit {
    /// NumPy's name of the unit; empty for [`Unit::Generic`].
    pub fn code(self) -> &'static str {
        match self {
            Unit::Generic => "",
            Unit::Year => "Y",
            Unit::Month => "M",
            Unit::Week => "W",
            Unit::Day => "D",
            Unit::Hour => "h",
            Unit::Minute => "m",
            Unit::Second => "s",
            Unit::Milli => "ms",
            Unit::Micro => "us",
            Unit::Nano => "ns",
            Unit::Pico => "ps",
            Unit::Femto => "fs",
            Unit::Atto => "as",
        }
    }
}

/// The data type of a column: what a value is and how many bytes it takes.
///
/// Two dtypes are equal when their canonical text is: `int32`, `i4` and `<i4` are one type, `>i4` is another.
///
/// ```
/// use colstore_format::{DType, Kind, Unit};
///
/// let dtype = DType::parse("datetime64[25s]")?;
/// assert_eq!(dtype.to_string(), "<M8[25s]");
/// assert_eq!((dtype.kind(), dtype.itemsize()), (Kind::Datetime, 8));
/// assert_eq!(dtype.unit(), Some((Unit::Second, 25)));
/// # Ok::<(), colstore_format::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DType {
    kind: Kind,
    order: ByteOrder,
    unit: Unit,
    multiplier: u32,
    itemsize: u32,
}

impl DType {
    /// Reads a NumPy spelling of a type.
    ///
    /// Accepted are the array-protocol strings (`<f8`, `|S3`, `>M8[ns]`), with any of the prefixes `< > = |` or none
    /// on any width, the type letters (`?`, `h`, `d`, `g`, ...) and NumPy's names (`int32`, `float64`,
    /// `datetime64[ns]`, ...). `=` and no prefix mean little-endian; `l` and `long` have 8 bytes.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the text names no type that a `.cstore` file can hold: unknown text, complex,
    /// object, void and structured types, sub-arrays, and item sizes over 2³¹ − 1 bytes.
    pub fn parse(text: &str) -> Result<DType> {
        dtype_text::parse(text).ok_or_else(|| dtype_text::refusal(text))
    }

    /// A type without unit. The caller has checked that `itemsize` fits the kind.
    pub(crate) const fn plain(kind: Kind, itemsize: u32) -> DType {
        DType { kind, order: ByteOrder::Little, unit: Unit::Generic, multiplier: 1, itemsize }
    }

    /// A datetime or timedelta; generic has no multiples.
    pub(crate) const fn time(kind: Kind, unit: Unit, multiplier: u32) -> DType {
        let multiplier = if matches!(unit, Unit::Generic) { 1 } else { multiplier };
        DType { kind, order: ByteOrder::Little, unit, multiplier, itemsize: 8 }
    }

    /// The little-endian type of this kind and item size in bytes; times come out without unit. `None` if there is no
    /// such type.
    pub const fn with_itemsize(kind: Kind, itemsize: usize) -> Option<DType> {
        let valid = match kind {
            Kind::Bool => itemsize == 1,
            Kind::Int | Kind::UInt => matches!(itemsize, 1 | 2 | 4 | 8),
            Kind::Float => matches!(itemsize, 2 | 4 | 8 | 16),
            Kind::Datetime | Kind::Timedelta => itemsize == 8,
            Kind::Bytes => itemsize <= MAX_ITEMSIZE,
            Kind::Unicode => itemsize <= MAX_ITEMSIZE && itemsize.is_multiple_of(4),
        };
        if valid { Some(DType::plain(kind, itemsize as u32)) } else { None }
    }

    /// The same datetime or timedelta, little-endian, in this unit; `None` for other kinds and for multipliers outside
    /// 1 to 2³¹ − 1.
    pub fn with_unit(self, unit: Unit, multiplier: u32) -> Option<DType> {
        let valid = self.unit().is_some() && (1..=i32::MAX as u32).contains(&multiplier);
        valid.then(|| DType::time(self.kind, unit, multiplier))
    }

    /// The type with its words in big-endian order; the same type where words are single bytes.
    pub(crate) fn to_big(self) -> DType {
        let order = if self.word_size() > 1 { ByteOrder::Big } else { ByteOrder::Little };
        DType { order, ..self }
    }

    /// What the bytes of a value mean.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The size of a value in bytes. Zero is possible for `S` and `U`.
    pub fn itemsize(self) -> usize {
        self.itemsize as usize
    }

    /// The order of the bytes in the file; [`ByteOrder::Little`] where there is only one order.
    pub fn byte_order(self) -> ByteOrder {
        self.order
    }

    /// The unit and its multiplier, for times only. `M8[25s]` is `(Unit::Second, 25)`, `M8` is `(Unit::Generic, 1)`.
    pub fn unit(self) -> Option<(Unit, u32)> {
        matches!(self.kind, Kind::Datetime | Kind::Timedelta).then_some((self.unit, self.multiplier))
    }

    /// How many bytes are reversed as one when the byte order changes: the item size of a number or time,
    /// 4 for `U`, 1 for `S` and one-byte types.
    pub fn word_size(self) -> usize {
        match self.kind {
            Kind::Bool | Kind::Bytes => 1,
            Kind::Unicode => 4,
            Kind::Int | Kind::UInt | Kind::Float | Kind::Datetime | Kind::Timedelta => self.itemsize(),
        }
    }

    /// Whether the bytes of the file's words must be reversed to give little-endian values.
    pub fn needs_swap(self) -> bool {
        self.order == ByteOrder::Big
    }

    /// The same type in little-endian order: the type of what reads return, and of what is written.
    #[must_use]
    pub fn to_little(self) -> DType {
        DType { order: ByteOrder::Little, ..self }
    }

    /// Whether a writer may make a column of this type.
    ///
    /// # Errors
    ///
    /// [`Invalid`](crate::ErrorKind::Invalid) for `S` and `U` of width zero, which readers accept as columns without bytes.
    pub fn is_storable(self) -> Result<()> {
        if self.itemsize == 0 {
            return Err(Error::invalid(format!(
                "a column of dtype '{self}' has no bytes and cannot be stored; give it a width of at least 1"
            )));
        }
        Ok(())
    }
}

/// The canonical text: NumPy's `dtype.str`.
impl std::str::FromStr for DType {
    type Err = Error;

    /// As [`DType::parse`].
    fn from_str(text: &str) -> Result<DType> {
        DType::parse(text)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match (self.order, self.word_size()) {
            (_, 1) => '|',
            (ByteOrder::Little, _) => '<',
            (ByteOrder::Big, _) => '>',
        };
        let size = if self.kind == Kind::Unicode { self.itemsize / 4 } else { self.itemsize };
        write!(f, "{order}{}{size}", self.kind.code())?;
        match (self.unit, self.multiplier) {
            (Unit::Generic, _) => Ok(()),
            (unit, 1) => write!(f, "[{}]", unit.code()),
            (unit, multiplier) => write!(f, "[{multiplier}{}]", unit.code()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn parsed(text: &str) -> DType {
        DType::parse(text).unwrap()
    }

    #[test]
    fn parts_of_a_type() {
        let dtype = parsed(">U3");
        assert_eq!((dtype.kind(), dtype.itemsize(), dtype.word_size()), (Kind::Unicode, 12, 4));
        assert!(dtype.needs_swap());
        assert_eq!(dtype.to_little().to_string(), "<U3");
        assert_eq!(dtype.unit(), None);
        assert_eq!(parsed("<f16").word_size(), 16);
        assert_eq!(parsed(">M8").unit(), Some((Unit::Generic, 1)));
    }

    #[test]
    fn single_bytes_have_no_order() {
        for text in [">b1", ">i1", ">u1", ">S7", ">?"] {
            let dtype = parsed(text);
            assert_eq!(
                (dtype.byte_order(), dtype.word_size(), dtype.needs_swap()),
                (ByteOrder::Little, 1, false)
            );
            assert!(dtype.to_string().starts_with('|'));
        }
    }

    #[test]
    fn width_zero_is_read_but_not_stored() {
        for text in ["|S0", "<U0"] {
            let dtype = parsed(text);
            assert_eq!((dtype.itemsize(), dtype.to_string().as_str()), (0, text));
            assert_eq!(dtype.is_storable().unwrap_err().kind(), ErrorKind::Invalid);
        }
        parsed("<f16").is_storable().unwrap();
    }
}
