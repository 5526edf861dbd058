//! Which dtypes hold numbers.

use colstore_format::{DType, Kind};
use colstore_kernels::reduce::Number;

/// How the kernels call what a dtype holds; `None` for text, bytes, and floats that no processor here computes with.
pub(crate) fn number(dtype: DType) -> Option<Number> {
    Some(match (dtype.kind(), dtype.itemsize()) {
        (Kind::Bool, _) => Number::Bool,
        (Kind::Int, 1) => Number::I8,
        (Kind::Int, 2) => Number::I16,
        (Kind::Int, 4) => Number::I32,
        (Kind::Int, 8) => Number::I64,
        (Kind::UInt, 1) => Number::U8,
        (Kind::UInt, 2) => Number::U16,
        (Kind::UInt, 4) => Number::U32,
        (Kind::UInt, 8) => Number::U64,
        (Kind::Float, 2) => Number::F16,
        (Kind::Float, 4) => Number::F32,
        (Kind::Float, 8) => Number::F64,
        (Kind::Datetime | Kind::Timedelta, _) => Number::Time,
        _ => return None,
    })
}
