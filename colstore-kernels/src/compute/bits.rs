//! Logic of truth values, and of the bits of integers.
//!
//! A shift by as many bits as there are, or more, or by a negative number, leaves nothing: 0, or -1 where a negative
//! number is shifted to the right.

use super::loops::Kernel;
use super::{Binary, Type};
use crate::isa::Isa;

binary! { And, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a & b
}
binary! { Or, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a | b
}
binary! { Xor, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| a ^ b
}
binary! { LeftShift, Two:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| if (0..T::BITS as T).contains(&b) { a << b } else { 0 }
}
binary! { RightShift, Two:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64]
    |a, b, flags| if (0..T::BITS as T).contains(&b) { a >> b } else { a >> (T::BITS - 1) };
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| if b < T::BITS as T { a >> b } else { 0 };
}

macro_rules! with_bool {
    ($ty:expr, $isa:expr, $name:ident) => {
        of_type!(
            $ty, binary, $isa, $name: Bool u8, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64
        )
    };
}

/// The kernel of an operation of this file, for values of one type. Truth values are 0 and 1.
pub(super) fn kernel(isa: Isa, op: Binary, ty: Type) -> Option<Kernel> {
    match (op, ty) {
        (Binary::And, ty) => with_bool!(ty, isa, And),
        (Binary::Or, ty) => with_bool!(ty, isa, Or),
        (Binary::Xor, ty) => with_bool!(ty, isa, Xor),
        (Binary::LeftShift, ty) => of_ints!(ty, binary, isa, LeftShift),
        (Binary::RightShift, ty) => of_ints!(ty, binary, isa, RightShift),
        _ => None,
    }
}
