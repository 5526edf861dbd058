//! Values of one type as another, as NumPy's `astype` has them on x86-64.
//!
//! | from | to | |
//! |---|---|---|
//! | anything | bool | whether it is not zero; NaN is not |
//! | bool | a number | 0 or 1 |
//! | integer | integer | the lower bits |
//! | integer | float | the nearest |
//! | float | i64, i32 | towards zero; the least integer for NaN and what is out of range |
//! | float | narrower integers | as `i32`, of which the lower bits |
//! | float | u64, u32 | as `i64` or `i32`; from 2⁶³ or 2³¹ on what is left of the value above that, and that added |
//! | binary16 | an integer | as float32, but for `u32`: as `i64`, of which the lower bits |
//! | float | float | the nearest |
//!
//! What is out of range is undefined in C; NumPy's compiled loops give this, but for the few last values of an array,
//! where they may differ.

use super::Type;
use super::half::F16;
use super::loops::{self, Kernel, Levels};
use crate::isa::Isa;
use std::marker::PhantomData;

struct Cast<A, B>(PhantomData<(A, B)>);

/// The conversion of one value.
trait To<B>: Copy {
    fn to(self) -> B;
}

impl<A: super::lanes::Lane + To<B>, B: super::lanes::Lane> loops::Unary for Cast<A, B> {
    type A = A;
    type Out = B;
    const LEVELS: Levels = Levels::Three;

    #[inline(always)]
    fn apply(a: A, _: &mut u32) -> B {
        a.to()
    }
}

/// A byte that is true unless zero, to be read.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

// SAFETY: one byte, all patterns of which are values.
unsafe impl super::lanes::Lane for Truth {}

macro_rules! by_as {
    ($($from:ty => $($to:ty),*;)*) => {$($(
        impl To<$to> for $from {
            #[inline(always)]
            #[allow(clippy::cast_lossless, trivial_numeric_casts, reason = "one text for all types")]
            fn to(self) -> $to {
                self as $to
            }
        }
    )*)*};
}

by_as! {
    i8 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    i16 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    i32 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    i64 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    u8 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    u16 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    u32 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    u64 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    f32 => f32, f64;
    f64 => f32, f64;
}

#[inline(always)]
fn to_i32(value: f64) -> i32 {
    if value > -2_147_483_649.0 && value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

#[inline(always)]
fn to_i64(value: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        value as i64
    } else {
        i64::MIN
    }
}

#[inline(always)]
fn to_u64(value: f64) -> u64 {
    if value >= 9_223_372_036_854_775_808.0 {
        to_i64(value - 9_223_372_036_854_775_808.0).cast_unsigned() ^ (1 << 63)
    } else {
        to_i64(value).cast_unsigned()
    }
}

#[inline(always)]
fn to_u32(value: f64) -> u32 {
    if value >= 2_147_483_648.0 {
        to_i32(value - 2_147_483_648.0).cast_unsigned() ^ (1 << 31)
    } else {
        to_i32(value).cast_unsigned()
    }
}

macro_rules! from_floats {
    ($($float:ty),*) => {$(
        impl To<i8> for $float { #[inline(always)] fn to(self) -> i8 { to_i32(self.into()) as i8 } }
        impl To<i16> for $float { #[inline(always)] fn to(self) -> i16 { to_i32(self.into()) as i16 } }
        impl To<i32> for $float { #[inline(always)] fn to(self) -> i32 { to_i32(self.into()) } }
        impl To<i64> for $float { #[inline(always)] fn to(self) -> i64 { to_i64(self.into()) } }
        impl To<u8> for $float { #[inline(always)] fn to(self) -> u8 { to_i32(self.into()) as u8 } }
        impl To<u16> for $float { #[inline(always)] fn to(self) -> u16 { to_i32(self.into()) as u16 } }
        impl To<u32> for $float { #[inline(always)] fn to(self) -> u32 { to_u32(self.into()) } }
        impl To<u64> for $float { #[inline(always)] fn to(self) -> u64 { to_u64(self.into()) } }
    )*};
}

from_floats!(f32, f64);

impl To<F16> for f64 {
    #[inline(always)]
    fn to(self) -> F16 {
        F16::from_f64(self)
    }
}

macro_rules! halves {
    ($($type:ty),*) => {$(
        impl To<F16> for $type {
            #[inline(always)]
            #[allow(clippy::cast_lossless, trivial_numeric_casts, reason = "one text for all types")]
            fn to(self) -> F16 {
                F16::from_f32(self as f32)
            }
        }
    )*};
}

halves!(i8, i16, i32, i64, u8, u16, u32, u64, f32);

macro_rules! from_half {
    ($($type:ty),*) => {$(
        impl To<$type> for F16 {
            #[inline(always)]
            fn to(self) -> $type {
                <f32 as To<$type>>::to(self.to_f32())
            }
        }
    )*};
}

from_half!(i8, i16, i32, i64, u8, u16, u64, f32, f64);

impl To<u32> for F16 {
    #[inline(always)]
    fn to(self) -> u32 {
        to_i64(self.to_f32().into()) as u32
    }
}

impl To<F16> for F16 {
    #[inline(always)]
    fn to(self) -> F16 {
        self
    }
}

macro_rules! to_truth {
    ($($type:ty),*) => {$(
        impl To<Truth> for $type {
            #[inline(always)]
            fn to(self) -> Truth {
                Truth(u8::from(self != 0 as $type))
            }
        }
        impl To<$type> for Truth {
            #[inline(always)]
            fn to(self) -> $type {
                if self.0 != 0 { 1 as $type } else { 0 as $type }
            }
        }
    )*};
}

to_truth!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl To<Truth> for F16 {
    #[inline(always)]
    fn to(self) -> Truth {
        Truth(u8::from(self.0 & 0x7fff != 0))
    }
}

impl To<F16> for Truth {
    #[inline(always)]
    fn to(self) -> F16 {
        F16(if self.0 != 0 { 0x3c00 } else { 0 })
    }
}

impl To<Truth> for Truth {
    #[inline(always)]
    fn to(self) -> Truth {
        Truth(u8::from(self.0 != 0))
    }
}

macro_rules! to {
    ($isa:expr, $from:ty, $to:expr) => {
        match $to {
            Type::Bool => loops::unary::<Cast<$from, Truth>>($isa),
            Type::I8 => loops::unary::<Cast<$from, i8>>($isa),
            Type::I16 => loops::unary::<Cast<$from, i16>>($isa),
            Type::I32 => loops::unary::<Cast<$from, i32>>($isa),
            Type::I64 | Type::Time => loops::unary::<Cast<$from, i64>>($isa),
            Type::U8 => loops::unary::<Cast<$from, u8>>($isa),
            Type::U16 => loops::unary::<Cast<$from, u16>>($isa),
            Type::U32 => loops::unary::<Cast<$from, u32>>($isa),
            Type::U64 => loops::unary::<Cast<$from, u64>>($isa),
            Type::F16 => loops::unary::<Cast<$from, F16>>($isa),
            Type::F32 => loops::unary::<Cast<$from, f32>>($isa),
            Type::F64 => loops::unary::<Cast<$from, f64>>($isa),
        }
    };
}

/// The kernel that turns values of one type into another. Times are the integers they are kept as.
pub(super) fn kernel(isa: Isa, from: Type, to: Type) -> Kernel {
    match from {
        Type::Bool => to!(isa, Truth, to),
        Type::I8 => to!(isa, i8, to),
        Type::I16 => to!(isa, i16, to),
        Type::I32 => to!(isa, i32, to),
        Type::I64 | Type::Time => to!(isa, i64, to),
        Type::U8 => to!(isa, u8, to),
        Type::U16 => to!(isa, u16, to),
        Type::U32 => to!(isa, u32, to),
        Type::U64 => to!(isa, u64, to),
        Type::F16 => to!(isa, F16, to),
        Type::F32 => to!(isa, f32, to),
        Type::F64 => to!(isa, f64, to),
    }
}
