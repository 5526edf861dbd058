//! Functions of one value.
//!
//! Those that IEEE 754 defines are exact; the others are the C library's, within a unit in the last place, and where it is
//! further off, those of [`accurate`]. Their float32 goes through float64.

use super::accurate;
use super::half::F16;
use super::loops::{self, Kernel, Levels};
use super::{Type, Unary};
use crate::isa::Isa;

unary! { Negative, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, flags| (0 as T).wrapping_sub(a);
    [f32 => f32, f64 => f64] |a, flags| -a;
}
unary! { Absolute, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64] |a, flags| a.wrapping_abs();
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64] |a, flags| a;
    [f32 => f32, f64 => f64] |a, flags| a.abs();
}
unary! { Sign, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64] |a, flags| a.signum();
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64] |a, flags| T::from(a > 0);
    [f32 => f32, f64 => f64] |a, flags| if a > 0.0 { 1.0 } else if a < 0.0 { -1.0 } else if a == 0.0 { 0.0 } else { a };
}
unary! { Square, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, flags| a.wrapping_mul(a);
    [f32 => f32, f64 => f64] |a, flags| a * a;
}
unary! { Reciprocal, Two:
    [f32 => f32, f64 => f64] |a, flags| 1.0 / a;
    // As what float infinity is cast to.
    [i32 => i32, i64 => i64]
    |a, flags| match a { 0 => { *flags |= 1; T::MIN } 1 | -1 => a, _ => 0 };
    [i8 => i8, i16 => i16]
    |a, flags| match a { 0 => { *flags |= 1; 0 } 1 | -1 => a, _ => 0 };
    [u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, flags| match a { 0 => { *flags |= 1; 0 } 1 => 1, _ => 0 };
}
unary! { Invert, Three:
    [i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32, u64 => u64]
    |a, flags| !a
}
unary! { LogicalNot, Three: [u8 => u8] |a, flags| u8::from(a == 0) }

unary! { Sqrt, Three: [f32 => f32, f64 => f64] |a, flags| a.sqrt() }
unary! { Floor, Three: [f32 => f32, f64 => f64] |a, flags| a.floor() }
unary! { Ceil, Three: [f32 => f32, f64 => f64] |a, flags| a.ceil() }
unary! { Trunc, Three: [f32 => f32, f64 => f64] |a, flags| a.trunc() }
unary! { Rint, Three: [f32 => f32, f64 => f64] |a, flags| a.round_ties_even() }
unary! { IsNan, Three: [f32 => u8, f64 => u8] |a, flags| u8::from(a.is_nan()) }
unary! { IsInf, Three: [f32 => u8, f64 => u8] |a, flags| u8::from(a.is_infinite()) }
unary! { IsFinite, Three: [f32 => u8, f64 => u8] |a, flags| u8::from(a.is_finite()) }
unary! { SignBit, Three: [f32 => u8, f64 => u8] |a, flags| u8::from(a.is_sign_negative()) }
unary! { Degrees, Three:
    [f32 => f32] |a, flags| a * (180.0 / std::f32::consts::PI);
    [f64 => f64] |a, flags| a * (180.0 / std::f64::consts::PI);
}
unary! { Radians, Three:
    [f32 => f32] |a, flags| a * (std::f32::consts::PI / 180.0);
    [f64 => f64] |a, flags| a * (std::f64::consts::PI / 180.0);
}
unary! { Spacing, One:
    [f32 => f32, f64 => f64]
    |a, flags| if a.is_infinite() { T::NAN } else if a < 0.0 { a.next_down() - a } else { a.next_up() - a }
}
unary! { Cbrt, One: [f32 => f32, f64 => f64] |a, flags| a.cbrt() }
unary! { Exp, One: [f32 => f32, f64 => f64] |a, flags| a.exp() }
unary! { Exp2, One: [f32 => f32, f64 => f64] |a, flags| a.exp2() }
unary! { Expm1, One: [f32 => f32, f64 => f64] |a, flags| a.exp_m1() }
unary! { Log, One: [f32 => f32, f64 => f64] |a, flags| a.ln() }
unary! { Log2, One: [f32 => f32, f64 => f64] |a, flags| a.log2() }
unary! { Log10, One:
    [f32 => f32] |a, flags| accurate::log10(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::log10(a);
}
unary! { Log1p, One: [f32 => f32, f64 => f64] |a, flags| a.ln_1p() }
unary! { Sin, One: [f32 => f32, f64 => f64] |a, flags| a.sin() }
unary! { Cos, One: [f32 => f32, f64 => f64] |a, flags| a.cos() }
unary! { Tan, One: [f32 => f32, f64 => f64] |a, flags| a.tan() }
unary! { Arcsin, One: [f32 => f32, f64 => f64] |a, flags| a.asin() }
unary! { Arccos, One: [f32 => f32, f64 => f64] |a, flags| a.acos() }
unary! { Arctan, One: [f32 => f32, f64 => f64] |a, flags| a.atan() }
unary! { Sinh, One:
    [f32 => f32] |a, flags| accurate::sinh(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::sinh(a);
}
unary! { Cosh, One:
    [f32 => f32] |a, flags| accurate::cosh(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::cosh(a);
}
unary! { Tanh, One:
    [f32 => f32] |a, flags| accurate::tanh(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::tanh(a);
}
unary! { Arcsinh, One:
    [f32 => f32] |a, flags| accurate::arcsinh(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::arcsinh(a);
}
unary! { Arccosh, One:
    [f32 => f32] |a, flags| accurate::arccosh(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::arccosh(a);
}
unary! { Arctanh, One:
    [f32 => f32] |a, flags| accurate::arctanh(f64::from(a)) as f32;
    [f64 => f64] |a, flags| accurate::arctanh(a);
}

halves!(unary: Square, Reciprocal, Sqrt, Floor, Ceil, Trunc, Rint, Degrees, Radians, Cbrt, Exp, Exp2, Expm1, Log, Log2,
    Log10, Log1p, Sin, Cos, Tan, Arcsin, Arccos, Arctan, Sinh, Cosh, Tanh, Arcsinh, Arccosh, Arctanh);
halves!(unary_bool: IsNan, IsInf, IsFinite, SignBit);

/// Of binary16, what only touches bits.
macro_rules! halves_by_bits {
    ($($name:ident |$a:ident| $body:expr;)*) => {$(
        impl loops::Unary for $name<F16> {
            type A = F16;
            type Out = F16;
            const LEVELS: Levels = Levels::Two;

            #[inline(always)]
            fn apply($a: F16, _: &mut u32) -> F16 {
                $body
            }
        }
    )*};
}

halves_by_bits! {
    Negative |a| F16(a.0 ^ 0x8000);
    Absolute |a| F16(a.0 & 0x7fff);
    Sign |a| {
        let value = a.to_f32();
        if value > 0.0 { F16(0x3c00) } else if value < 0.0 { F16(0xbc00) } else if value == 0.0 { F16(0) } else { a }
    };
    Spacing |a| {
        // Unlike that of the wider types, the gap above, and without a sign.
        let above = match a.0 {
            0x8000 => 1,
            negative @ 0x8001.. => negative - 1,
            positive => positive + 1,
        };
        if a.0 & 0x7c00 == 0x7c00 { F16(0x7e00) } else { F16::from_f32(F16(above).to_f32() - a.to_f32()) }
    };
}

macro_rules! of_times {
    ($($name:ident => $out:ty: |$a:ident| $body:expr;)*) => {$(
        struct $name;
        impl loops::Unary for $name {
            type A = i64;
            type Out = $out;
            const LEVELS: Levels = Levels::Three;

            #[inline(always)]
            fn apply($a: i64, _: &mut u32) -> $out {
                $body
            }
        }
    )*};
}

of_times! {
    // "Not a time" is its own negative, and its own absolute value.
    NegativeTime => i64: |a| a.wrapping_neg();
    AbsoluteTime => i64: |a| a.wrapping_abs();
    SignTime => i64: |a| a.signum();
    IsNat => u8: |a| u8::from(a == i64::MIN);
    IsTime => u8: |a| u8::from(a != i64::MIN);
}

/// The kernel of a function for values of one type.
pub(super) fn kernel(isa: Isa, op: Unary, ty: Type) -> Option<Kernel> {
    use Unary as U;
    if ty == Type::Time {
        return Some(match op {
            U::Negative => loops::unary::<NegativeTime>(isa),
            U::Absolute => loops::unary::<AbsoluteTime>(isa),
            U::Sign => loops::unary::<SignTime>(isa),
            U::IsNan => loops::unary::<IsNat>(isa),
            U::IsFinite => loops::unary::<IsTime>(isa),
            _ => return None,
        });
    }
    match op {
        U::LogicalNot => of_type!(ty, unary, isa, LogicalNot: Bool u8),
        U::Negative => of_numbers!(ty, unary, isa, Negative),
        U::Absolute => of_numbers!(ty, unary, isa, Absolute),
        U::Sign => of_numbers!(ty, unary, isa, Sign),
        U::Square => of_numbers!(ty, unary, isa, Square),
        U::Reciprocal => of_numbers!(ty, unary, isa, Reciprocal),
        U::Invert => of_ints!(ty, unary, isa, Invert),
        U::Sqrt => of_floats!(ty, unary, isa, Sqrt),
        U::Floor => of_floats!(ty, unary, isa, Floor),
        U::Ceil => of_floats!(ty, unary, isa, Ceil),
        U::Trunc => of_floats!(ty, unary, isa, Trunc),
        U::Rint => of_floats!(ty, unary, isa, Rint),
        U::IsNan => of_floats!(ty, unary, isa, IsNan).map(Kernel::quiet),
        U::IsInf => of_floats!(ty, unary, isa, IsInf).map(Kernel::quiet),
        U::IsFinite => of_floats!(ty, unary, isa, IsFinite).map(Kernel::quiet),
        U::SignBit => of_floats!(ty, unary, isa, SignBit).map(Kernel::quiet),
        U::Degrees => of_floats!(ty, unary, isa, Degrees),
        U::Radians => of_floats!(ty, unary, isa, Radians),
        U::Spacing => of_floats!(ty, unary, isa, Spacing),
        U::Cbrt => of_floats!(ty, unary, isa, Cbrt),
        U::Exp => of_floats!(ty, unary, isa, Exp),
        U::Exp2 => of_floats!(ty, unary, isa, Exp2),
        U::Expm1 => of_floats!(ty, unary, isa, Expm1),
        U::Log => of_floats!(ty, unary, isa, Log),
        U::Log2 => of_floats!(ty, unary, isa, Log2),
        U::Log10 => of_floats!(ty, unary, isa, Log10),
        U::Log1p => of_floats!(ty, unary, isa, Log1p),
        U::Sin => of_floats!(ty, unary, isa, Sin),
        U::Cos => of_floats!(ty, unary, isa, Cos),
        U::Tan => of_floats!(ty, unary, isa, Tan),
        U::Arcsin => of_floats!(ty, unary, isa, Arcsin),
        U::Arccos => of_floats!(ty, unary, isa, Arccos),
        U::Arctan => of_floats!(ty, unary, isa, Arctan),
        U::Sinh => of_floats!(ty, unary, isa, Sinh),
        U::Cosh => of_floats!(ty, unary, isa, Cosh),
        U::Tanh => of_floats!(ty, unary, isa, Tanh),
        U::Arcsinh => of_floats!(ty, unary, isa, Arcsinh),
        U::Arccosh => of_floats!(ty, unary, isa, Arccosh),
        U::Arctanh => of_floats!(ty, unary, isa, Arctanh),
    }
}
