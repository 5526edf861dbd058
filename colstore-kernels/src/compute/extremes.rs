//! The greater and the lesser of two values.
//!
//! `maximum` and `minimum` give a NaN, or "not a time", if there is one, `fmax` and `fmin` the other value.

use super::half::F16;
use super::loops::{Kernel, Levels};
use super::{Binary, Type, loops};
use crate::isa::Isa;

binary! { Maximum, Three:
    [u8 => u8, i8 => i8, i16 => i16, i32 => i32, i64 => i64, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| if a > b { a } else { b };
    [f32 => f32, f64 => f64] |a, b, flags| if a > b || a.is_nan() { a } else { b };
}
binary! { Minimum, Three:
    [u8 => u8, i8 => i8, i16 => i16, i32 => i32, i64 => i64, u16 => u16, u32 => u32, u64 => u64]
    |a, b, flags| if a < b { a } else { b };
    [f32 => f32, f64 => f64] |a, b, flags| if a < b || a.is_nan() { a } else { b };
}
binary! { Fmax, Three:
    [f32 => f32, f64 => f64] |a, b, flags| if a > b || b.is_nan() { a } else { b };
}
binary! { Fmin, Three:
    [f32 => f32, f64 => f64] |a, b, flags| if a < b || b.is_nan() { a } else { b };
}

/// NumPy compares binary16 by `>=` and `<=`, so that the first of equal zeros is given.
macro_rules! of_halves {
    ($($name:ident, $operator:tt, $decides:ident;)*) => {$(
        impl loops::Binary for $name<F16> {
            type A = F16;
            type B = F16;
            type Out = F16;
            const LEVELS: Levels = Levels::Two;

            #[inline(always)]
            fn apply(a: F16, b: F16, _: &mut u32) -> F16 {
                let (x, y) = (a.to_f32(), b.to_f32());
                let missing = match stringify!($decides) {
                    "first" => x.is_nan(),
                    _ => y.is_nan(),
                };
                if x $operator y || missing { a } else { b }
            }
        }
    )*};
}

of_halves! {
    Maximum, >=, first;
    Minimum, <=, first;
    Fmax, >=, second;
    Fmin, <=, second;
}

macro_rules! of_times {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        pub(super) struct $name;
        impl loops::Binary for $name {
            type A = i64;
            type B = i64;
            type Out = i64;
            const LEVELS: Levels = Levels::Three;

            #[inline(always)]
            fn apply($a: i64, $b: i64, _: &mut u32) -> i64 {
                $body
            }
        }
    )*};
}

of_times! {
    // "Not a time" is the least integer, so it is the minimum by itself.
    MinimumTime |a, b| a.min(b);
    MaximumTime |a, b| if a == i64::MIN || b == i64::MIN { i64::MIN } else { a.max(b) };
    FmaxTime |a, b| a.max(b);
    FminTime |a, b| if a == i64::MIN { b } else if b == i64::MIN { a } else { a.min(b) };
}

/// The kernel of an operation of this file, for values of one type.
pub(super) fn kernel(isa: Isa, op: Binary, ty: Type) -> Option<Kernel> {
    let kernel = match (op, ty) {
        (Binary::Maximum, Type::Time) => Some(loops::binary::<MaximumTime>(isa)),
        (Binary::Minimum, Type::Time) => Some(loops::binary::<MinimumTime>(isa)),
        (Binary::Fmax, Type::Time) => Some(loops::binary::<FmaxTime>(isa)),
        (Binary::Fmin, Type::Time) => Some(loops::binary::<FminTime>(isa)),
        (Binary::Maximum | Binary::Fmax, Type::Bool) => Some(loops::binary::<Maximum<u8>>(isa)),
        (Binary::Minimum | Binary::Fmin, Type::Bool) => Some(loops::binary::<Minimum<u8>>(isa)),
        (Binary::Maximum, ty) => of_numbers!(ty, binary, isa, Maximum),
        (Binary::Minimum, ty) => of_numbers!(ty, binary, isa, Minimum),
        (Binary::Fmax, Type::F16 | Type::F32 | Type::F64) => of_floats!(ty, binary, isa, Fmax),
        (Binary::Fmin, Type::F16 | Type::F32 | Type::F64) => of_floats!(ty, binary, isa, Fmin),
        (Binary::Fmax, ty) => of_ints!(ty, binary, isa, Maximum),
        (Binary::Fmin, ty) => of_ints!(ty, binary, isa, Minimum),
        _ => None,
    };
    kernel.map(Kernel::quiet)
}
