//! Comparisons, into bytes of 0 and 1.
//!
//! NaN is unequal to everything, and so is "not a time". Integers of either signedness are compared as what they are.

use std::cmp::Ordering;

use super::half::F16;
use super::loops::{Kernel, Levels};
use super::{Compare, Type, loops};
use crate::isa::Isa;

macro_rules! comparison {
    ($name:ident, $mixed:ident, $times:ident, $operator:tt, $missing:expr) => {
        binary! { $name, Three:
            [u8 => u8, i8 => u8, i16 => u8, i32 => u8, i64 => u8, u16 => u8, u32 => u8, u64 => u8, f32 => u8, f64 => u8]
            |a, b, flags| u8::from(a $operator b)
        }
        halves!(binary_bool: $name);

        /// A signed integer and an unsigned one.
        pub(super) struct $mixed;
        impl loops::Binary for $mixed {
            type A = i64;
            type B = u64;
            type Out = u8;
            const LEVELS: Levels = Levels::Three;

            #[inline(always)]
            fn apply(a: i64, b: u64, _: &mut u32) -> u8 {
                // A negative number is below all unsigned ones, and 0 stands in for it with a number above zero.
                let (a, b) = if a < 0 { (0, b | 1) } else { (a.cast_unsigned(), b) };
                u8::from(a $operator b)
            }
        }

        /// Times, the least of which is none.
        pub(super) struct $times;
        impl loops::Binary for $times {
            type A = i64;
            type B = i64;
            type Out = u8;
            const LEVELS: Levels = Levels::Three;

            #[inline(always)]
            fn apply(a: i64, b: i64, _: &mut u32) -> u8 {
                if a == i64::MIN || b == i64::MIN { $missing } else { u8::from(a $operator b) }
            }
        }
    };
}

comparison!(Equal, EqualMixed, EqualTimes, ==, 0);
comparison!(NotEqual, NotEqualMixed, NotEqualTimes, !=, 1);
comparison!(Less, LessMixed, LessTimes, <, 0);
comparison!(LessEqual, LessEqualMixed, LessEqualTimes, <=, 0);
comparison!(Greater, GreaterMixed, GreaterTimes, >, 0);
comparison!(GreaterEqual, GreaterEqualMixed, GreaterEqualTimes, >=, 0);

macro_rules! pick {
    ($ty:expr, $isa:expr, $name:ident, $times:ident) => {
        match $ty {
            Type::Time => Some(loops::binary::<$times>($isa)),
            ty => of_type!(
                ty, binary, $isa, $name: Bool u8, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32,
                U64 u64, F16 F16, F32 f32, F64 f64
            ),
        }
    };
}

/// The comparison of two values of one type.
pub(super) fn kernel(isa: Isa, op: Compare, ty: Type) -> Option<Kernel> {
    let kernel = match op {
        Compare::Equal => pick!(ty, isa, Equal, EqualTimes),
        Compare::NotEqual => pick!(ty, isa, NotEqual, NotEqualTimes),
        Compare::Less => pick!(ty, isa, Less, LessTimes),
        Compare::LessEqual => pick!(ty, isa, LessEqual, LessEqualTimes),
        Compare::Greater => pick!(ty, isa, Greater, GreaterTimes),
        Compare::GreaterEqual => pick!(ty, isa, GreaterEqual, GreaterEqualTimes),
    };
    kernel.map(Kernel::quiet)
}

/// Integers and floats, neither rounded.
struct Exact<I, O>(std::marker::PhantomData<(I, O)>);

/// Which orders a comparison holds for.
trait Holds {
    fn holds(order: Option<Ordering>) -> bool;
}

macro_rules! holds {
    ($($name:ident |$order:ident| $body:expr;)*) => {$(
        struct $name;
        impl Holds for $name {
            #[inline(always)]
            fn holds($order: Option<Ordering>) -> bool {
                $body
            }
        }
    )*};
}

holds! {
    IsEqual |order| order == Some(Ordering::Equal);
    IsNotEqual |order| order != Some(Ordering::Equal);
    IsLess |order| order == Some(Ordering::Less);
    IsLessEqual |order| matches!(order, Some(Ordering::Less | Ordering::Equal));
    IsGreater |order| order == Some(Ordering::Greater);
    IsGreaterEqual |order| matches!(order, Some(Ordering::Greater | Ordering::Equal));
}

macro_rules! exact {
    ($($int:ty, $low:expr, $high:expr;)*) => {$(
        impl<O: Holds + 'static> loops::Binary for Exact<$int, O> {
            type A = $int;
            type B = f64;
            type Out = u8;
            const LEVELS: Levels = Levels::One;

            #[inline(always)]
            fn apply(a: $int, b: f64, _: &mut u32) -> u8 {
                let order = if b.is_nan() {
                    None
                } else if b >= $high {
                    Some(Ordering::Less)
                } else if b < $low {
                    Some(Ordering::Greater)
                } else {
                    // In range, so that the whole part is exact, and the rest decides where that is equal.
                    let whole = b.trunc();
                    Some(a.cmp(&(whole as $int)).then(if b > whole {
                        Ordering::Less
                    } else if b < whole {
                        Ordering::Greater
                    } else {
                        Ordering::Equal
                    }))
                };
                u8::from(O::holds(order))
            }
        }
    )*};
}

exact! {
    i64, -9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808.0;
    u64, 0.0, 18_446_744_073_709_551_616.0;
}

macro_rules! exact_kernel {
    ($isa:expr, $op:expr, $int:ty) => {
        match $op {
            Compare::Equal => loops::binary::<Exact<$int, IsEqual>>($isa),
            Compare::NotEqual => loops::binary::<Exact<$int, IsNotEqual>>($isa),
            Compare::Less => loops::binary::<Exact<$int, IsLess>>($isa),
            Compare::LessEqual => loops::binary::<Exact<$int, IsLessEqual>>($isa),
            Compare::Greater => loops::binary::<Exact<$int, IsGreater>>($isa),
            Compare::GreaterEqual => loops::binary::<Exact<$int, IsGreaterEqual>>($isa),
        }
    };
}

/// The comparison of an `i64` or `u64` with an `f64`.
pub(super) fn exact(isa: Isa, op: Compare, integers: Type) -> Option<Kernel> {
    match integers {
        Type::I64 => Some(exact_kernel!(isa, op, i64).quiet()),
        Type::U64 => Some(exact_kernel!(isa, op, u64).quiet()),
        _ => None,
    }
}

/// The comparison of an `i64` with a `u64`.
pub(super) fn mixed(isa: Isa, op: Compare) -> Kernel {
    let kernel = match op {
        Compare::Equal => loops::binary::<EqualMixed>(isa),
        Compare::NotEqual => loops::binary::<NotEqualMixed>(isa),
        Compare::Less => loops::binary::<LessMixed>(isa),
        Compare::LessEqual => loops::binary::<LessEqualMixed>(isa),
        Compare::Greater => loops::binary::<GreaterMixed>(isa),
        Compare::GreaterEqual => loops::binary::<GreaterEqualMixed>(isa),
    };
    kernel.quiet()
}
