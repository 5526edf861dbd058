//! Kernels against what NumPy gives: `tests/numpy/kernels.py` has made the table.

use std::collections::HashMap;

use super::*;
use crate::testing;

const TABLE: &str = include_str!("../../tests/data/numpy.txt");

fn lanes(hex: &str) -> Lanes {
    let bytes: Vec<u8> =
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect();
    let mut lanes = Lanes::new(bytes.len());
    lanes.bytes_mut().copy_from_slice(&bytes);
    lanes
}

fn of_name(name: &str) -> Type {
    match name {
        "?" => Type::Bool,
        "f2" => Type::F16,
        "f4" => Type::F32,
        "f8" => Type::F64,
        "i1" => Type::I8,
        "i2" => Type::I16,
        "i4" => Type::I32,
        "i8" => Type::I64,
        "u1" => Type::U8,
        "u2" => Type::U16,
        "u4" => Type::U32,
        _ => Type::U64,
    }
}

fn binary_of(name: &str) -> Binary {
    match name {
        "floor_divide" => Binary::FloorDivide,
        "remainder" => Binary::Remainder,
        "fmod" => Binary::Fmod,
        "true_divide" => Binary::Divide,
        "maximum" => Binary::Maximum,
        "minimum" => Binary::Minimum,
        "heaviside" => Binary::Heaviside,
        "copysign" => Binary::CopySign,
        "nextafter" => Binary::NextAfter,
        "gcd" => Binary::Gcd,
        "left_shift" => Binary::LeftShift,
        "right_shift" => Binary::RightShift,
        other => panic!("{other}"),
    }
}

fn unary_of(name: &str) -> Unary {
    match name {
        "sign" => Unary::Sign,
        "rint" => Unary::Rint,
        "floor" => Unary::Floor,
        "ceil" => Unary::Ceil,
        "trunc" => Unary::Trunc,
        "sqrt" => Unary::Sqrt,
        "square" => Unary::Square,
        "absolute" => Unary::Absolute,
        "negative" => Unary::Negative,
        "reciprocal" => Unary::Reciprocal,
        "spacing" => Unary::Spacing,
        "isnan" => Unary::IsNan,
        "isfinite" => Unary::IsFinite,
        "signbit" => Unary::SignBit,
        "degrees" => Unary::Degrees,
        "radians" => Unary::Radians,
        other => panic!("{other}"),
    }
}

fn is_nan(ty: Type, value: &[u8]) -> bool {
    match ty {
        Type::F16 => F16(u16::from_le_bytes(value.try_into().unwrap())).is_nan(),
        Type::F32 => f32::from_le_bytes(value.try_into().unwrap()).is_nan(),
        Type::F64 => f64::from_le_bytes(value.try_into().unwrap()).is_nan(),
        _ => false,
    }
}

fn check(case: &str, ty: Type, kernel: &Kernel, operands: &[&[u8]], expected: &[u8]) {
    let n = expected.len() / ty.width();
    let mut out = Lanes::new(expected.len());
    let lent: Vec<Operand<'_>> = operands.iter().map(|&operand| Operand::Column(operand)).collect();
    kernel.run(&lent, out.bytes_mut(), n);
    let width = ty.width();
    for (i, (found, expected)) in out.bytes().chunks(width).zip(expected.chunks(width)).enumerate() {
        let shown: Vec<&[u8]> =
            operands.iter().map(|o| &o[i * (o.len() / n)..(i + 1) * (o.len() / n)]).collect();
        assert!(
            found == expected || (is_nan(ty, found) && is_nan(ty, expected)),
            "{}: of {shown:x?} {found:x?}, and NumPy gives {expected:x?}",
            &case[..case.len().min(40)]
        );
    }
}

#[test]
fn kernels_give_what_numpy_gives() {
    let mut values: HashMap<&str, Lanes> = HashMap::new();
    let mut checked = 0;
    for line in TABLE.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for isa in testing::isas() {
            match words[..] {
                ["values", dtype, hex] => {
                    values.insert(dtype, lanes(hex));
                }
                ["binary", name, dtype, hex] => {
                    let (ty, column) = (of_name(dtype), &values[dtype]);
                    let n = column.bytes().len() / ty.width();
                    let mut left = Lanes::new(n * column.bytes().len());
                    let repeated = column.bytes().chunks(ty.width()).flat_map(|value| value.repeat(n));
                    left.bytes_mut().iter_mut().zip(repeated).for_each(|(to, from)| *to = from);
                    let mut right = Lanes::new(n * column.bytes().len());
                    right.bytes_mut().copy_from_slice(&column.bytes().repeat(n));
                    let kernel = binary_isa(isa, binary_of(name), ty).unwrap();
                    check(line, ty, &kernel, &[left.bytes(), right.bytes()], lanes(hex).bytes());
                    checked += 1;
                }
                ["unary", name, dtype, hex] => {
                    let op = unary_of(name);
                    let kernel = unary::kernel(isa, op, of_name(dtype)).unwrap();
                    let is_test = matches!(op, Unary::IsNan | Unary::IsFinite | Unary::SignBit);
                    let out = if is_test { Type::Bool } else { of_name(dtype) };
                    check(line, out, &kernel, &[values[dtype].bytes()], lanes(hex).bytes());
                    checked += 1;
                }
                ["cast", from, to, hex] => {
                    let kernel = cast::kernel(isa, of_name(from), of_name(to));
                    check(line, of_name(to), &kernel, &[values[from].bytes()], lanes(hex).bytes());
                    checked += 1;
                }
                _ => panic!("{line}"),
            }
        }
    }
    assert!(checked > 300);
}
