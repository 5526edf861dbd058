//! Functions of columns, row by row: what expressions are computed with.
//!
//! A [`Kernel`] computes a block of rows: from operands in memory of our own ([`Lanes`]), each a value a row or one
//! constant, into another. It is picked once, by operation and type, and then run for block after block.
//!
//! ```text
//!   column bytes ──copy──► operand ─┐
//!                                   ├─ kernel ──► result ──► operand of the next, or output
//!   constant ───────────► operand ──┘      └──► flags: divided by zero, overflow, …
//! ```
//!
//! | module | kernels |
//! |---|---|
//! | `arithmetic` | `+ - * / // %`, powers, greatest common divisors |
//! | `compare`, `text` | the six comparisons, into bytes of 0 and 1; those of bytes and text |
//! | `bits` | logic, bits, shifts |
//! | `extremes`, `select` | the greater and the lesser; one or the other; within bounds |
//! | `unary`, `float` | mathematical functions of one and of two values |
//! | `accurate` | those of one value for which the C library is not precise enough |
//! | `cast` | one type as another |
//! | `times` | dates and durations |
//! | `membership` | whether a value is one of a set |
//! | `loops`, `lanes`, `half`, `flags` | how rows are walked; where they lie; binary16; what went on |
//!
//! Results are those of NumPy 2 on x86-64, to the last bit where IEEE 754 defines them, on every instruction set.

#[macro_use]
mod macros;

mod accurate;
mod arithmetic;
mod bits;
mod cast;
mod compare;
mod extremes;
mod flags;
mod float;
mod half;
mod lanes;
mod loops;
mod membership;
mod select;
mod text;
mod times;
mod unary;

pub use flags::Flags;
pub use half::F16;
pub use lanes::Lanes;
pub use loops::{Kernel, Operand};
pub use membership::Set;
pub use text::{Unit as TextUnit, compare as compare_text, order as order_text};

/// What a value is, as far as kernels care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One byte, 0 or 1.
    Bool,
    /// Signed, 1 byte.
    I8,
    /// Signed, 2 bytes.
    I16,
    /// Signed, 4 bytes.
    I32,
    /// Signed, 8 bytes.
    I64,
    /// Unsigned, 1 byte.
    U8,
    /// Unsigned, 2 bytes.
    U16,
    /// Unsigned, 4 bytes.
    U32,
    /// Unsigned, 8 bytes.
    U64,
    /// IEEE 754 binary16.
    F16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// A date or a duration: signed, 8 bytes, the least of which stands for "not a time".
    Time,
}

impl Type {
    /// Every type.
    pub const ALL: [Type; 13] = [
        Type::Bool,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::U8,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::F16,
        Type::F32,
        Type::F64,
        Type::Time,
    ];

    /// Bytes of a value.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Type::Bool | Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 | Type::F16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 | Type::Time => 8,
        }
    }
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    /// The comparison that holds with the operands exchanged.
    #[must_use]
    pub fn swapped(self) -> Compare {
        match self {
            Compare::Less => Compare::Greater,
            Compare::LessEqual => Compare::GreaterEqual,
            Compare::Greater => Compare::Less,
            Compare::GreaterEqual => Compare::LessEqual,
            same => same,
        }
    }
}

/// A function of two values of one type, into the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Remainder,
    Fmod,
    Power,
    Gcd,
    Lcm,
    And,
    Or,
    Xor,
    LeftShift,
    RightShift,
    Maximum,
    Minimum,
    Fmax,
    Fmin,
    CopySign,
    NextAfter,
    Heaviside,
    Hypot,
    Arctan2,
    LogAddExp,
    LogAddExp2,
}

/// A function of one value, into the same type, or into truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Unary {
    Negative,
    Absolute,
    Sign,
    Square,
    Reciprocal,
    Invert,
    LogicalNot,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Rint,
    IsNan,
    IsInf,
    IsFinite,
    SignBit,
    Degrees,
    Radians,
    Spacing,
    Cbrt,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Arcsin,
    Arccos,
    Arctan,
    Sinh,
    Cosh,
    Tanh,
    Arcsinh,
    Arccosh,
    Arctanh,
}

/// An operation of dates and durations, whose units were made the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeOp {
    /// Of two times.
    Add,
    /// Of two times.
    Subtract,
    /// Of a duration and an `i64`.
    MultiplyInt,
    /// Of a duration and an `f64`, towards zero.
    MultiplyFloat,
    /// Of a duration and an `i64`, towards zero.
    DivideInt,
    /// Of a duration and an `f64`, towards zero.
    DivideFloat,
    /// Of two durations, as an `f64`.
    Ratio,
    /// Of two durations, rounded down, as an `i64`.
    FloorRatio,
    /// Of two durations, with the sign of the second.
    Remainder,
    /// Of two durations, with the sign of the first.
    Fmod,
    /// Of a time and two `i64`: times the first, divided by the second and rounded down.
    Scale,
}

/// The kernel of a function of one value; `None` if there is none for the type.
#[must_use]
pub fn unary(op: Unary, ty: Type) -> Option<Kernel> {
    unary::kernel(loops::best(), op, ty)
}

/// The kernel of a function of two values of one type; `None` if there is none for the type.
#[must_use]
pub fn binary(op: Binary, ty: Type) -> Option<Kernel> {
    binary_isa(loops::best(), op, ty)
}

fn binary_isa(isa: crate::isa::Isa, op: Binary, ty: Type) -> Option<Kernel> {
    arithmetic::kernel(isa, op, ty)
        .or_else(|| bits::kernel(isa, op, ty))
        .or_else(|| extremes::kernel(isa, op, ty))
        .or_else(|| float::kernel(isa, op, ty))
}

/// The comparison of two values of one type; `None` for a type without.
#[must_use]
pub fn compare(op: Compare, ty: Type) -> Option<Kernel> {
    compare::kernel(loops::best(), op, ty)
}

/// The comparison of an `i64` with a `u64`.
#[must_use]
pub fn compare_mixed(op: Compare) -> Kernel {
    compare::mixed(loops::best(), op)
}

/// The exact comparison of an `i64` or `u64` with an `f64`; `None` for other integers.
#[must_use]
pub fn compare_exact(op: Compare, integers: Type) -> Option<Kernel> {
    compare::exact(loops::best(), op, integers)
}

/// Values of one type as another, as the table of `cast` says.
#[must_use]
pub fn cast(from: Type, to: Type) -> Kernel {
    cast::kernel(loops::best(), from, to)
}

/// The second operand where the first, a truth value, holds, else the third; for values of 1, 2, 4 or 8 bytes.
#[must_use]
pub fn select(width: usize) -> Option<Kernel> {
    select::select(loops::best(), width)
}

/// The first operand, but at least the second and at most the third.
#[must_use]
pub fn clip(ty: Type) -> Option<Kernel> {
    select::clip(loops::best(), ty)
}

/// An operation of dates and durations.
#[must_use]
pub fn time(op: TimeOp) -> Kernel {
    times::kernel(loops::best(), op)
}

/// Packs truth values of a byte each into bits, as masks have them; gives how many are true.
///
/// # Panics
/// If `words` has not just as many words as the bits need.
pub fn pack(truths: &[u8], words: &mut [u64]) -> u64 {
    // SAFETY: the bytes are readable, side by side.
    unsafe { crate::mask::pack_bytes(truths.as_ptr(), 1, truths.len(), words) }
}

/// Appends those of `n` values of `width` bytes whose bit is set to `out`.
///
/// # Panics
/// If there are not that many values or bits.
pub fn compress(width: usize, values: &[u8], words: &[u64], n: usize, out: &mut Vec<u8>) {
    assert!(n.checked_mul(width).is_some_and(|len| len <= values.len()), "values to be compressed");
    let from = out.len();
    let set = crate::mask::count(&words[..n.div_ceil(64)]) as usize;
    out.resize(from + set * width, 0);
    // SAFETY: `n` values are readable. No more bits are set among the first `n` than in their words, for so many of
    // which there is room, and the vector overlaps nothing.
    let found = unsafe {
        crate::mask::compress(
            crate::copy::Stores::Cached,
            width,
            values.as_ptr(),
            words,
            0,
            n,
            out.as_mut_ptr().add(from),
        )
    };
    out.truncate(from + found * width);
}

/// A float times two to an integer, which is an `i32` or an `i64`.
#[must_use]
pub fn ldexp(ty: Type, exponents: Type) -> Option<Kernel> {
    float::ldexp_kernel(loops::best(), ty, exponents)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod numpy_tests;
