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

            /// As NumPy does between two constants, of a zero its sign is kept.
            #[inline(always)]
            #[allow(unused_variables, reason = "integers are never missing")]
            fn apply_constants(value: $type, low: $type, high: $type, flags: &mut u32) -> $type {
                let is_missing = |$value: $type| $missing;
                if is_missing(low) || is_missing(high) {
                    return Self::apply(value, low, high, flags);
                }
                let raised = if value < low { low } else { value };
                if raised > high { high } else { raised }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::Operand;
    use crate::compute::lanes::Lanes;
    use crate::testing;

    fn doubles(values: &[f64]) -> Lanes {
        let mut lanes = Lanes::new(8 * values.len());
        for (bytes, value) in lanes.bytes_mut().chunks_exact_mut(8).zip(values) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        lanes
    }

    #[test]
    fn zeros_keep_their_sign_between_constant_bounds() {
        let values = [-0.0, 0.0, -1.0, 2.0, 0.5, -0.0, 0.0];
        let (low, high) = (doubles(&[0.0; 7]), doubles(&[1.0; 7]));
        for isa in testing::isas() {
            let run = |low: Operand<'_>, high: Operand<'_>| {
                let mut out = doubles(&[9.0; 7]);
                let column = doubles(&values);
                clip(isa, Type::F64).unwrap().run(
                    &[Operand::Column(column.bytes()), low, high],
                    out.bytes_mut(),
                    7,
                );
                out.bytes()
                    .chunks_exact(8)
                    .map(|value| f64::from_le_bytes(value.try_into().unwrap()))
                    .collect()
            };
            let signs = |values: Vec<f64>| -> Vec<(f64, bool)> {
                values.into_iter().map(|value| (value.abs(), value.is_sign_negative())).collect()
            };
            let zero = doubles(&[0.0]);
            let one = doubles(&[1.0]);
            let kept = signs(run(Operand::Constant(zero.bytes()), Operand::Constant(one.bytes())));
            assert_eq!(
                kept,
                signs(vec![-0.0, 0.0, 0.0, 1.0, 0.5, -0.0, 0.0]),
                "NumPy's np.clip(values, 0.0, 1.0), {isa:?}"
            );
            let raised = signs(run(Operand::Column(low.bytes()), Operand::Column(high.bytes())));
            assert_eq!(
                raised,
                signs(vec![0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0]),
                "the same with arrays of bounds, {isa:?}"
            );
            let nan = doubles(&[f64::NAN]);
            for (low, high) in [(&nan, &one), (&zero, &nan)] {
                let found: Vec<f64> = run(Operand::Constant(low.bytes()), Operand::Constant(high.bytes()));
                assert!(found.iter().all(|value| value.is_nan()), "{found:?}, {isa:?}");
            }
        }
    }
}
