//! Dates and durations, counted in units of their dtype. Whatever involves "not a time" gives it, or NaN.

use std::marker::PhantomData;

use super::TimeOp;
use super::loops::{self, Kernel, Levels};
use crate::isa::Isa;

const NAT: i64 = i64::MIN;
const DIVIDE: u32 = 1;
const INVALID: u32 = 8;

macro_rules! time {
    ($($name:ident, $level:ident: $a:ty, $b:ty => $out:ty: |$x:ident, $y:ident, $flags:ident| $body:expr;)*) => {$(
        struct $name;
        impl loops::Binary for $name {
            type A = $a;
            type B = $b;
            type Out = $out;
            const LEVELS: Levels = Levels::$level;

            #[inline(always)]
            #[allow(unused_variables, reason = "one text for all functions")]
            fn apply($x: $a, $y: $b, $flags: &mut u32) -> $out {
                $body
            }
        }
    )*};
}

time! {
    Add, Three: i64, i64 => i64: |a, b, flags| if a == NAT || b == NAT { NAT } else { a.wrapping_add(b) };
    Subtract, Three: i64, i64 => i64: |a, b, flags| if a == NAT || b == NAT { NAT } else { a.wrapping_sub(b) };
    MultiplyInt, Three: i64, i64 => i64: |a, b, flags| if a == NAT { NAT } else { a.wrapping_mul(b) };
    MultiplyFloat, One: i64, f64 => i64: |a, b, flags| if a == NAT { NAT } else { to_time(a as f64 * b) };
    DivideInt, One: i64, i64 => i64: |a, b, flags| if a == NAT || b == 0 { NAT } else { a.wrapping_div(b) };
    DivideFloat, One: i64, f64 => i64: |a, b, flags| if a == NAT { NAT } else { to_time(a as f64 / b) };
    Ratio, Three: i64, i64 => f64:
        |a, b, flags| if a == NAT || b == NAT { f64::NAN } else { a as f64 / b as f64 };
    FloorRatio, One: i64, i64 => i64: |a, b, flags| if a == NAT || b == NAT {
        *flags |= INVALID;
        0
    } else if b == 0 {
        *flags |= DIVIDE;
        0
    } else {
        floor_divide(a, b)
    };
    Fmod, One: i64, i64 => i64: |a, b, flags| if a == NAT || b == NAT || b == 0 { NAT } else { a.wrapping_rem(b) };
    Remainder, One: i64, i64 => i64: |a, b, flags| if a == NAT || b == NAT {
        NAT
    } else if b == 0 {
        *flags |= DIVIDE;
        NAT
    } else {
        let remainder = a.wrapping_rem(b);
        if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
    };
}

#[inline(always)]
fn to_time(value: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        value as i64
    } else {
        NAT
    }
}

#[inline(always)]
fn floor_divide(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// Units of another size: so many times as many, rounded down to a multiple of a coarser one.
struct Scale<F>(PhantomData<F>);

impl loops::Ternary for Scale<i64> {
    type A = i64;
    type B = i64;
    type C = i64;
    type Out = i64;
    const LEVELS: Levels = Levels::One;

    #[inline(always)]
    fn apply(value: i64, numerator: i64, denominator: i64, _: &mut u32) -> i64 {
        if value == NAT || denominator == 0 {
            NAT
        } else {
            floor_divide(value.wrapping_mul(numerator), denominator)
        }
    }
}

/// The kernel of an operation of times.
pub(super) fn kernel(isa: Isa, op: TimeOp) -> Kernel {
    match op {
        TimeOp::Add => loops::binary::<Add>(isa),
        TimeOp::Subtract => loops::binary::<Subtract>(isa),
        TimeOp::MultiplyInt => loops::binary::<MultiplyInt>(isa),
        TimeOp::MultiplyFloat => loops::binary::<MultiplyFloat>(isa).quiet(),
        TimeOp::DivideInt => loops::binary::<DivideInt>(isa),
        TimeOp::DivideFloat => loops::binary::<DivideFloat>(isa).quiet(),
        TimeOp::Ratio => loops::binary::<Ratio>(isa),
        TimeOp::FloorRatio => loops::binary::<FloorRatio>(isa),
        TimeOp::Fmod => loops::binary::<Fmod>(isa),
        TimeOp::Remainder => loops::binary::<Remainder>(isa),
        TimeOp::Scale => loops::ternary::<Scale<i64>>(isa),
    }
}
