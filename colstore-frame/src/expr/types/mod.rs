//! Dtypes of results and of the loops that give them: NumPy 2's, for every function and all operands.
//!
//! `loops` has the rule of each function, `promotion` what two numbers have in common, `units` what two times have.
//! `tests/numpy/promotion.py` asks NumPy for all of it; the test in this module compares every answer.

mod loops;
mod promotion;
#[cfg(test)]
mod tests;
pub(crate) mod units;

use std::fmt;

use colstore_format::{DType, Kind};

pub(crate) use loops::resolve;
pub(crate) use promotion::is_number;

macro_rules! dtypes {
    ($($name:ident $kind:ident $size:literal;)*) => {
        $(pub(crate) const $name: DType = match DType::with_itemsize(Kind::$kind, $size) {
            Some(dtype) => dtype,
            None => unreachable!(),
        };)*
    };
}
dtypes! {
    BOOL Bool 1;
    INT8 Int 1;
    INT16 Int 2;
    INT32 Int 4;
    INT64 Int 8;
    UINT8 UInt 1;
    UINT16 UInt 2;
    UINT32 UInt 4;
    UINT64 UInt 8;
    FLOAT16 Float 2;
    FLOAT32 Float 4;
    FLOAT64 Float 8;
    TIMEDELTA Timedelta 8;
}

/// What a function sees of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// Values of a dtype.
    Strong(DType),
    /// A Python integer.
    WeakInt,
    /// A Python float.
    WeakFloat,
}

impl Operand {
    /// The dtype, if it has one of its own.
    fn strong(self) -> Option<DType> {
        match self {
            Operand::Strong(dtype) => Some(dtype),
            Operand::WeakInt | Operand::WeakFloat => None,
        }
    }
}

/// As in NumPy's messages.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Strong(dtype) => write!(f, "{}", Name(*dtype)),
            Operand::WeakInt => f.write_str("a Python int"),
            Operand::WeakFloat => f.write_str("a Python float"),
        }
    }
}

/// A dtype as people say it: `int32`, `datetime64[ms]`, `S3`.
pub(crate) struct Name(pub(crate) DType);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = 8 * self.0.itemsize();
        match self.0.kind() {
            Kind::Bool => f.write_str("bool"),
            Kind::Int => write!(f, "int{bits}"),
            Kind::UInt => write!(f, "uint{bits}"),
            Kind::Float => write!(f, "float{bits}"),
            Kind::Bytes => write!(f, "S{}", self.0.itemsize()),
            Kind::Unicode => write!(f, "U{}", self.0.itemsize() / 4),
            kind => {
                f.write_str(if kind == Kind::Datetime { "datetime64" } else { "timedelta64" })?;
                let text = self.0.to_string();
                f.write_str(text.find('[').map_or("", |at| &text[at..]))
            }
        }
    }
}

/// The loop of a function for some operands: what they are cast to, and what comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) operands: Vec<DType>,
    pub(crate) result: DType,
}
