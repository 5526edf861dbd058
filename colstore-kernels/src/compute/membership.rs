//! Whether a value is one of a set.
//!
//! ```text
//! integers of 1 and 2 bytes    a bit for every value there is
//! few values                   compare with each, all rows of a block at once
//! many values                  binary search among the sorted ones
//! ```
//!
//! Zeros of either sign are one value, NaN is never in a set, and "not a time" is not either.

use super::half::F16;
use super::lanes::Lane;
use super::{Binary, Compare, Kernel, Operand, Type, loops};
use crate::isa::Isa;

/// Up to so many values are compared one by one: measured, a search costs as much as a dozen vector comparisons.
const FEW: usize = 12;

/// A set of values of one type.
#[derive(Clone, Debug)]
pub struct Set {
    ty: Type,
    /// The values, sorted by [`key`], each once; what can never be found is left out.
    keys: Vec<i64>,
    bytes: Vec<u64>,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Bits(Box<[u64]>),
    Few { equal: Kernel, or: Kernel },
    Many,
}

impl Set {
    /// The set of `n` values of `ty`, native and packed; they may repeat, in any order.
    ///
    /// # Panics
    /// If `values` is no whole number of values.
    #[must_use]
    pub fn new(ty: Type, values: &[u8]) -> Set {
        Set::with_isa(loops::best(), ty, values)
    }

    pub(super) fn with_isa(isa: Isa, ty: Type, values: &[u8]) -> Set {
        let width = ty.width();
        assert!(values.len().is_multiple_of(width), "whole values");
        let mut keys: Vec<i64> = values.chunks_exact(width).filter_map(|value| key(ty, value)).collect();
        keys.sort_unstable();
        keys.dedup();
        let form = match (width, super::compare::kernel(isa, Compare::Equal, ty)) {
            (1 | 2, _) if !matches!(ty, Type::F16) => {
                let mut bits = vec![0_u64; 1024].into_boxed_slice();
                for &key in &keys {
                    let at = key as u16 as usize;
                    bits[at / 64] |= 1 << (at % 64);
                }
                Form::Bits(bits)
            }
            (_, Some(equal)) if keys.len() <= FEW => match super::binary_isa(isa, Binary::Or, Type::Bool) {
                Some(or) => Form::Few { equal, or },
                None => Form::Many,
            },
            _ => Form::Many,
        };
        let bytes = keys.iter().map(|&key| value(ty, key)).collect();
        Set { ty, keys, bytes, form }
    }

    /// The type of the values.
    #[must_use]
    pub fn value_type(&self) -> Type {
        self.ty
    }

    /// Writes a byte for each of `n` values: whether it is in the set, or with `negated` whether it is not.
    ///
    /// # Panics
    /// If `values` or `out` is too short, or `values` is not aligned.
    pub fn contains(&self, values: &[u8], negated: bool, out: &mut [u8], n: usize) {
        let out = &mut out[..n];
        match &self.form {
            Form::Bits(bits) => {
                let is_in = |at: u16| u8::from(bits[usize::from(at) / 64] >> (at % 64) & 1 != 0);
                match self.ty {
                    // As keys, which are sign-extended.
                    Type::I8 => fill(out, values, |value: i8| is_in(i16::from(value).cast_unsigned())),
                    Type::U8 | Type::Bool => fill(out, values, |value: u8| is_in(value.into())),
                    _ => fill(out, values, is_in),
                }
            }
            Form::Few { equal, or } => self.compare_each(equal, or, values, out),
            Form::Many => self.search(values, out),
        }
        if negated {
            out.iter_mut().for_each(|out| *out ^= 1);
        }
    }

    fn compare_each(&self, equal: &Kernel, or: &Kernel, values: &[u8], out: &mut [u8]) {
        const BLOCK: usize = 1024;
        let width = self.ty.width();
        out.fill(0);
        let (mut found, mut all) = ([0_u8; BLOCK], [0_u8; BLOCK]);
        for (out, values) in out.chunks_mut(BLOCK).zip(values.chunks(BLOCK * width)) {
            let n = out.len();
            for word in &self.bytes {
                let word = word.to_le_bytes();
                let constant = super::lanes::aligned(word);
                equal.run(&[Operand::Column(values), Operand::Constant(&constant.0[..width])], &mut found, n);
                all[..n].copy_from_slice(out);
                or.run(&[Operand::Column(&all), Operand::Column(&found)], out, n);
            }
        }
    }

    fn search(&self, values: &[u8], out: &mut [u8]) {
        let is_in = |key: i64| u8::from(self.keys.binary_search(&key).is_ok());
        match self.ty {
            Type::I32 => fill(out, values, |value: i32| is_in(value.into())),
            Type::U32 => fill(out, values, |value: u32| is_in(value.into())),
            Type::I64 => fill(out, values, is_in),
            Type::Time => fill(out, values, |value: i64| if value == i64::MIN { 0 } else { is_in(value) }),
            Type::U64 => fill(out, values, |value: u64| is_in(value.cast_signed())),
            Type::F16 => fill(out, values, |value: F16| float_key(value.to_f32().into()).map_or(0, is_in)),
            Type::F32 => fill(out, values, |value: f32| float_key(value.into()).map_or(0, is_in)),
            Type::F64 => fill(out, values, |value: f64| float_key(value).map_or(0, is_in)),
            Type::Bool | Type::U8 => fill(out, values, |value: u8| is_in(value.into())),
            Type::I8 => fill(out, values, |value: i8| is_in(value.into())),
            Type::I16 => fill(out, values, |value: i16| is_in(value.into())),
            Type::U16 => fill(out, values, |value: u16| is_in(value.into())),
        }
    }
}

fn fill<T: Lane>(out: &mut [u8], values: &[u8], is_in: impl Fn(T) -> u8) {
    for (out, &value) in out.iter_mut().zip(super::lanes::slice::<T>(values)) {
        *out = is_in(value);
    }
}

/// A number that is the same for equal values and no others; `None` for what equals nothing.
fn key(ty: Type, value: &[u8]) -> Option<i64> {
    let mut wide = [0; 8];
    wide[..value.len()].copy_from_slice(value);
    #[allow(
        clippy::host_endian_bytes,
        reason = "values are native; those narrower are read at their own width"
    )]
    let number = |shift: u32| {
        let word = u64::from_ne_bytes(wide);
        (if cfg!(target_endian = "big") { word.rotate_left(64 - shift) } else { word << shift }).cast_signed()
            >> shift
    };
    let unsigned = |bits: u32| number(64 - bits) & ((1_i64 << bits) - 1);
    match ty {
        Type::Bool => Some(i64::from(value[0] != 0)),
        Type::I8 => Some(number(56)),
        Type::I16 => Some(number(48)),
        Type::I32 => Some(number(32)),
        Type::I64 | Type::U64 => Some(number(0)),
        Type::Time => Some(number(0)).filter(|&time| time != i64::MIN),
        Type::U8 => Some(unsigned(8)),
        Type::U16 => Some(unsigned(16)),
        Type::U32 => Some(unsigned(32)),
        Type::F16 => float_key(F16(unsigned(16) as u16).to_f32().into()),
        Type::F32 => float_key(f32::from_bits(unsigned(32) as u32).into()),
        Type::F64 => float_key(f64::from_bits(number(0).cast_unsigned())),
    }
}

fn float_key(value: f64) -> Option<i64> {
    // Adding zero makes a negative zero a positive one.
    (!value.is_nan()).then(|| (value + 0.0).to_bits().cast_signed())
}

/// The value of a key, in the first bytes of a word.
fn value(ty: Type, key: i64) -> u64 {
    let float = f64::from_bits(key.cast_unsigned());
    match ty {
        Type::F16 => F16::from_f64(float).0.into(),
        Type::F32 => (float as f32).to_bits().into(),
        _ => key.cast_unsigned(),
    }
}
