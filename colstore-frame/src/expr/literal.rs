//! Constants of expressions: as a language's literals, which take their dtype from what they meet, and as values of a
//! dtype.

use std::fmt;
use std::sync::Arc;

use colstore_format::{DType, Kind};

use super::integer::Integer;
use crate::error::{Error, Result};

/// A constant.
///
/// `Bool`, `Int` and `Float` are *weak*, as Python's are in NumPy 2: `x + 1` has the dtype of `x`. A [`Constant`] is
/// *strong*: it promotes as a column of its dtype does.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// Nothing: equal to no value.
    None,
    /// A weak boolean.
    Bool(bool),
    /// A weak integer of any size.
    Int(Integer),
    /// A weak float.
    Float(f64),
    /// `1j`: no operation takes it; it is here so that errors can say so.
    Imaginary(f64),
    /// Text as code points, lone surrogates among them; a `U` of its length, encoded where it meets an `S`.
    Str(Arc<[u32]>),
    /// Bytes: an `S` of its length.
    Bytes(Arc<[u8]>),
    /// A value of a dtype: a NumPy scalar, a time.
    Typed(Constant),
}

/// One value of a dtype.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Constant {
    dtype: DType,
    bytes: Arc<[u8]>,
}

impl Constant {
    /// A value given by its little-endian bytes.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) unless `bytes` are as many as the item size of `dtype`, and for a big-endian
    /// `dtype`.
    pub fn new(dtype: DType, bytes: &[u8]) -> Result<Constant> {
        if bytes.len() != dtype.itemsize() {
            return Err(Error::value(format!(
                "a constant of dtype '{dtype}' takes {} bytes, {} were given",
                dtype.itemsize(),
                bytes.len()
            )));
        }
        if dtype.needs_swap() {
            return Err(Error::value(format!(
                "a constant of dtype '{dtype}' was given; constants are little-endian"
            )));
        }
        Ok(Constant { dtype, bytes: bytes.into() })
    }

    /// For bytes that are of that dtype by construction.
    pub(crate) fn of(dtype: DType, bytes: &[u8]) -> Constant {
        debug_assert!(bytes.len() == dtype.itemsize() && !dtype.needs_swap());
        Constant { dtype, bytes: bytes.into() }
    }

    /// Its dtype, little-endian.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Its little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value of a boolean or integer, and the count of a time; `None` for the other kinds.
    pub fn as_i128(&self) -> Option<i128> {
        let mut word = [0; 8];
        word.get_mut(..self.bytes.len())?.copy_from_slice(&self.bytes);
        let unused = 64 - 8 * self.bytes.len() as u32;
        match self.dtype.kind() {
            Kind::Bool => Some(i128::from(word[0] != 0)),
            Kind::UInt => Some(i128::from(u64::from_le_bytes(word))),
            Kind::Int | Kind::Datetime | Kind::Timedelta => {
                Some(i128::from(i64::from_le_bytes(word) << unused >> unused))
            }
            Kind::Float | Kind::Bytes | Kind::Unicode => None,
            _ => None,
        }
    }

    /// The value of a float of 2, 4 or 8 bytes; `None` for the other dtypes.
    pub fn as_f64(&self) -> Option<f64> {
        if self.dtype.kind() != Kind::Float {
            return None;
        }
        match *self.bytes {
            [a, b] => Some(super::half::to_f64(u16::from_le_bytes([a, b]))),
            [a, b, c, d] => Some(f64::from(f32::from_le_bytes([a, b, c, d]))),
            [a, b, c, d, e, f, g, h] => Some(f64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => None,
        }
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Constant({}, ", self.dtype)?;
        if let Some(value) = self.as_i128() {
            write!(f, "{value})")
        } else if let Some(value) = self.as_f64() {
            write!(f, "{value:?})")
        } else {
            write!(f, "{:?})", self.bytes)
        }
    }
}

macro_rules! from_integers {
    ($($type:ty)*) => {$(
        impl From<$type> for Literal {
            /// A weak integer, whatever the Rust type.
            fn from(value: $type) -> Literal {
                Literal::Int(Integer::from(value))
            }
        }
    )*};
}
from_integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

impl From<bool> for Literal {
    /// A weak boolean.
    fn from(value: bool) -> Literal {
        Literal::Bool(value)
    }
}

impl From<f64> for Literal {
    /// A weak float.
    fn from(value: f64) -> Literal {
        Literal::Float(value)
    }
}

impl From<f32> for Literal {
    /// A weak float.
    fn from(value: f32) -> Literal {
        Literal::Float(f64::from(value))
    }
}

impl From<&str> for Literal {
    /// Text.
    fn from(value: &str) -> Literal {
        Literal::Str(value.chars().map(u32::from).collect())
    }
}

impl From<&[u8]> for Literal {
    /// Bytes.
    fn from(value: &[u8]) -> Literal {
        Literal::Bytes(value.into())
    }
}

impl<const N: usize> From<&[u8; N]> for Literal {
    /// Bytes.
    fn from(value: &[u8; N]) -> Literal {
        Literal::Bytes(value.as_slice().into())
    }
}

impl From<Constant> for Literal {
    /// A strong value.
    fn from(value: Constant) -> Literal {
        Literal::Typed(value)
    }
}

/// What [`isin`](super::Expr::isin) looks values up in.
///
/// A value is found if it equals an element exactly: `isin([1])` finds 1, 1.0 and `True`, not 1.01, and an `int64` is
/// not rounded to meet a float. NaN, NaT and `None` are never found, nor are elements of a kind that values of the column
/// cannot equal.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueSet {
    /// Literals, of any kinds.
    Literals(Vec<Literal>),
    /// An array of one dtype (little-endian): its bytes.
    Array {
        /// The dtype.
        dtype: DType,
        /// A whole number of elements.
        bytes: Arc<[u8]>,
    },
}

impl ValueSet {
    /// The elements of an array, given by its little-endian bytes.
    ///
    /// # Errors
    ///
    /// [`Value`](crate::ErrorKind::Value) unless `bytes` are a whole number of elements of a little-endian `dtype`.
    pub fn from_array(dtype: DType, bytes: &[u8]) -> Result<ValueSet> {
        let whole = match dtype.itemsize() {
            0 => bytes.is_empty(),
            size => bytes.len().is_multiple_of(size),
        };
        if !whole || dtype.needs_swap() {
            return Err(Error::value(format!(
                "{} bytes are no elements of dtype '{dtype}'; give whole little-endian elements",
                bytes.len()
            )));
        }
        Ok(ValueSet::Array { dtype, bytes: bytes.into() })
    }
}

impl<L: Into<Literal>, const N: usize> From<[L; N]> for ValueSet {
    fn from(values: [L; N]) -> ValueSet {
        ValueSet::Literals(values.into_iter().map(Into::into).collect())
    }
}

impl<L: Into<Literal>> From<Vec<L>> for ValueSet {
    fn from(values: Vec<L>) -> ValueSet {
        ValueSet::Literals(values.into_iter().map(Into::into).collect())
    }
}
