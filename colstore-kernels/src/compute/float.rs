//! Functions of two floats that are no arithmetic.

use super::half::F16;
use super::loops::{self, Kernel, Levels};
use super::{Binary, Type};
use crate::isa::Isa;

binary! { CopySign, Three: [f32 => f32, f64 => f64] |a, b, flags| a.copysign(b) }
binary! { NextAfter, One:
    [f32 => f32, f64 => f64]
    |a, b, flags| if a.is_nan() || b.is_nan() {
        a + b
    } else if a == b {
        b
    } else if a < b {
        a.next_up()
    } else {
        a.next_down()
    }
}
binary! { Heaviside, Three:
    [f32 => f32, f64 => f64]
    |a, b, flags| if a.is_nan() { a } else if a == 0.0 { b } else if a < 0.0 { 0.0 } else { 1.0 }
}
binary! { Hypot, One: [f32 => f32, f64 => f64] |a, b, flags| a.hypot(b) }
binary! { Arctan2, One: [f32 => f32, f64 => f64] |a, b, flags| a.atan2(b) }
binary! { LogAddExp, One:
    [f32 => f32, f64 => f64]
    |a, b, flags| {
        // Equal infinities, too.
        if a == b {
            a + (2.0 as T).ln()
        } else {
            let gap = a - b;
            if gap > 0.0 {
                a + (-gap).exp().ln_1p()
            } else if gap <= 0.0 {
                b + gap.exp().ln_1p()
            } else {
                gap
            }
        }
    }
}
binary! { LogAddExp2, One:
    [f32 => f32, f64 => f64]
    |a, b, flags| {
        let log2_1p = |x: T| x.ln_1p() * (std::f64::consts::LOG2_E as T);
        if a == b {
            a + 1.0
        } else {
            let gap = a - b;
            if gap > 0.0 {
                a + log2_1p((-gap).exp2())
            } else if gap <= 0.0 {
                b + log2_1p(gap.exp2())
            } else {
                gap
            }
        }
    }
}
halves!(binary: Hypot, Arctan2, LogAddExp, LogAddExp2);

macro_rules! halves_by_bits {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        impl loops::Binary for $name<F16> {
            type A = F16;
            type B = F16;
            type Out = F16;
            const LEVELS: Levels = Levels::Two;

            #[inline(always)]
            fn apply($a: F16, $b: F16, _: &mut u32) -> F16 {
                $body
            }
        }
    )*};
}

halves_by_bits! {
    CopySign |a, b| F16(a.0 & 0x7fff | b.0 & 0x8000);
    Heaviside |a, b| {
        let value = a.to_f32();
        if value.is_nan() { a } else if value == 0.0 { b } else if value < 0.0 { F16(0) } else { F16(0x3c00) }
    };
    NextAfter |a, b| {
        let (x, y) = (a.to_f32(), b.to_f32());
        if a.is_nan() || b.is_nan() {
            F16(0x7e00)
        } else if x == y {
            a
        } else if x == 0.0 {
            F16(b.0 & 0x8000 | 1)
        } else if (a.0 & 0x8000 == 0) == (x < y) {
            F16(a.0 + 1)
        } else {
            F16(a.0 - 1)
        }
    };
}

/// A float times a power of two.
struct Ldexp<F, E>(std::marker::PhantomData<(F, E)>);

macro_rules! ldexp {
    ($($float:ty, $exponent:ty;)*) => {$(
        impl loops::Binary for Ldexp<$float, $exponent> {
            type A = $float;
            type B = $exponent;
            type Out = $float;
            const LEVELS: Levels = Levels::One;

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "one text for all types")]
            fn apply(a: $float, b: $exponent, _: &mut u32) -> $float {
                let exponent = (b as i64).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
                scale(a, exponent)
            }
        }
    )*};
}

ldexp! { f32, i32; f32, i64; f64, i32; f64, i64; F16, i32; F16, i64; }

/// Floats that the C library scales by powers of two, rounding once.
trait Scale: Copy {
    fn scaled(self, exponent: i32) -> Self;
}

fn scale<T: Scale>(value: T, exponent: i32) -> T {
    value.scaled(exponent)
}

unsafe extern "C" {
    safe fn ldexp(value: f64, exponent: i32) -> f64;
    safe fn ldexpf(value: f32, exponent: i32) -> f32;
}

impl Scale for f32 {
    fn scaled(self, exponent: i32) -> f32 {
        ldexpf(self, exponent)
    }
}

impl Scale for f64 {
    fn scaled(self, exponent: i32) -> f64 {
        ldexp(self, exponent)
    }
}

impl Scale for F16 {
    fn scaled(self, exponent: i32) -> F16 {
        F16::from_f32(ldexpf(self.to_f32(), exponent))
    }
}

/// `ldexp` of a float type by `i32` or `i64` exponents.
pub(super) fn ldexp_kernel(isa: Isa, ty: Type, exponents: Type) -> Option<Kernel> {
    Some(match (ty, exponents) {
        (Type::F16, Type::I32) => loops::binary::<Ldexp<F16, i32>>(isa),
        (Type::F16, Type::I64) => loops::binary::<Ldexp<F16, i64>>(isa),
        (Type::F32, Type::I32) => loops::binary::<Ldexp<f32, i32>>(isa),
        (Type::F32, Type::I64) => loops::binary::<Ldexp<f32, i64>>(isa),
        (Type::F64, Type::I32) => loops::binary::<Ldexp<f64, i32>>(isa),
        (Type::F64, Type::I64) => loops::binary::<Ldexp<f64, i64>>(isa),
        _ => return None,
    })
}

/// The kernel of an operation of this file, for values of one type.
pub(super) fn kernel(isa: Isa, op: Binary, ty: Type) -> Option<Kernel> {
    match op {
        Binary::CopySign => of_floats!(ty, binary, isa, CopySign).map(Kernel::quiet),
        Binary::NextAfter => of_floats!(ty, binary, isa, NextAfter),
        Binary::Heaviside => of_floats!(ty, binary, isa, Heaviside),
        Binary::Hypot => of_floats!(ty, binary, isa, Hypot),
        Binary::Arctan2 => of_floats!(ty, binary, isa, Arctan2),
        Binary::LogAddExp => of_floats!(ty, binary, isa, LogAddExp),
        Binary::LogAddExp2 => of_floats!(ty, binary, isa, LogAddExp2),
        _ => None,
    }
}
