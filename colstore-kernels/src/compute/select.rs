//! One value or another, and values kept within bounds.

use std::marker::PhantomData;

use super::Type;
use super::half::F16;
use super::loops::{self, Kernel, Levels};
use crate::isa::Isa;

struct Select<T>(PhantomData<T>);

/// Not below the low bound, then not above the high one. A NaN in either place, or as the value, is the result.
struct Clip<T>(PhantomData<T>);

macro_rules! selects {
    ($($type:ty),*) => {$(
        impl loops::Ternary for Select<$type> {
            type A = u8;
            type B = $type;
            type C = $type;
            type Out = $type;
            const LEVELS: Levels = Levels::Three;

            #[inline(always)]
            fn apply(condition: u8, yes: $type, no: $type, _: &mut u32) -> $type {
                if condition != 0 { yes } else { no }
            }
        }
    )*};
}

selects!(u8, u16, u32, u64);

macro_rules! clips {
    ($($type:ty),*; $value:ident is missing if $missing:expr) => {$(
        impl loops::Ternary for Clip<$type> {
            type A = $type;
            type B = $type;
            type C = $type;
            type Out = $type;
            const LEVELS: Levels = Levels::Three;

            #[inline(always)]
            #[allow(unused_variables, reason = "integers are never missing")]
            fn apply(value: $type, low: $type, high: $type, _: &mut u32) -> $type {
                let is_missing = |$value: $type| $missing;
                let raised = if is_missing(value) || value > low { value } else { low };
                if is_missing(raised) || raised < high { raised } else { high }
            }
        }
    )*};
}

clips!(i8, i16, i32, i64, u8, u16, u32, u64; value is missing if false);
clips!(f32, f64; value is missing if value.is_nan());

impl loops::Ternary for Clip<F16> {
    type A = F16;
    type B = F16;
    type C = F16;
    type Out = F16;
    const LEVELS: Levels = Levels::Two;

    #[inline(always)]
    fn apply(value: F16, low: F16, high: F16, _: &mut u32) -> F16 {
        let raised = if value.is_nan() || value.to_f32() >= low.to_f32() { value } else { low };
        if raised.is_nan() || raised.to_f32() <= high.to_f32() { raised } else { high }
    }
}

struct ClipTime;

impl loops::Ternary for ClipTime {
    type A = i64;
    type B = i64;
    type C = i64;
    type Out = i64;
    const LEVELS: Levels = Levels::Three;

    #[inline(always)]
    fn apply(value: i64, low: i64, high: i64, _: &mut u32) -> i64 {
        if value == i64::MIN || low == i64::MIN || high == i64::MIN {
            i64::MIN
        } else {
            value.max(low).min(high)
        }
    }
}

/// `where` for values of a width of 1, 2, 4 or 8 bytes.
pub(super) fn select(isa: Isa, width: usize) -> Option<Kernel> {
    Some(match width {
        1 => loops::ternary::<Select<u8>>(isa),
        2 => loops::ternary::<Select<u16>>(isa),
        4 => loops::ternary::<Select<u32>>(isa),
        8 => loops::ternary::<Select<u64>>(isa),
        _ => return None,
    })
}

/// `clip` for values of one type, the bounds included.
pub(super) fn clip(isa: Isa, ty: Type) -> Option<Kernel> {
    let kernel = match ty {
        Type::Bool => Some(loops::ternary::<Clip<u8>>(isa)),
        Type::Time => Some(loops::ternary::<ClipTime>(isa)),
        ty => of_numbers!(ty, ternary, isa, Clip),
    };
    kernel.map(Kernel::quiet)
}
