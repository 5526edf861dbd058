//! Every comparison, type, instruction set, length, first bit and alignment against values one by one.

use std::cmp::Ordering;

use super::*;
use crate::testing::{self, Canvas, Random};

const OPS: [Compare; 6] = [
    Compare::Equal,
    Compare::NotEqual,
    Compare::Less,
    Compare::LessEqual,
    Compare::Greater,
    Compare::GreaterEqual,
];

/// How two values of a type lie to each other; `None` if one is none.
fn order(number: Number, a: &[u8], b: &[u8]) -> Option<Ordering> {
    let wide = |bytes: &[u8]| {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        u128::from_le_bytes(wide)
    };
    let signed = |bytes: &[u8]| {
        let shift = 128 - 8 * bytes.len();
        wide(bytes).cast_signed() << shift >> shift
    };
    let float = |bytes: &[u8]| match bytes.len() {
        4 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        _ => f64::from_le_bytes(bytes.try_into().unwrap()),
    };
    match number {
        Number::F32 | Number::F64 => float(a).partial_cmp(&float(b)),
        Number::U8 | Number::U16 | Number::U32 | Number::U64 => Some(wide(a).cmp(&wide(b))),
        Number::Time if [a, b].iter().any(|time| signed(time) == i64::MIN.into()) => None,
        _ => Some(signed(a).cmp(&signed(b))),
    }
}

fn holds(op: Compare, order: Option<Ordering>) -> bool {
    match op {
        Compare::Equal => order == Some(Ordering::Equal),
        Compare::NotEqual => order != Some(Ordering::Equal),
        Compare::Less => order == Some(Ordering::Less),
        Compare::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Compare::Greater => order == Some(Ordering::Greater),
        Compare::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// Values of a type that are special, and some that are not.
fn specials(number: Number) -> Vec<Vec<u8>> {
    let floats =
        [0.0, -0.0, 1.0, -1.5, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e-310];
    match number {
        Number::F32 => floats.iter().map(|&value| (value as f32).to_le_bytes().to_vec()).collect(),
        Number::F64 => floats.iter().map(|value| value.to_le_bytes().to_vec()).collect(),
        _ => [0_u64, 1, 2, u64::MAX, 1 << 7, 1 << 15, 1 << 31, 1 << 63, i64::MAX.cast_unsigned()]
            .iter()
            .map(|value| value.to_le_bytes()[..number.width()].to_vec())
            .collect(),
    }
}

/// Specials in no order, and whatever bytes there are.
fn column(number: Number, n: usize, random: &mut Random) -> Vec<u8> {
    let specials = specials(number);
    (0..n)
        .flat_map(|_| match random.next() % 4 {
            0 => random.next().to_le_bytes()[..number.width()].to_vec(),
            _ => specials[random.next() as usize % specials.len()].clone(),
        })
        .collect()
}

fn native(mut value: Vec<u8>) -> Vec<u8> {
    if cfg!(target_endian = "big") {
        value.reverse();
    }
    value
}

fn check(number: Number, n: usize, first_bit: usize, shift: usize, random: &mut Random) {
    let column = column(number, n, random);
    let canvas = Canvas::of(&column, shift);
    let before: Vec<u64> = (0..(first_bit + n).div_ceil(64) + 1).map(|_| random.next() << 7).collect();
    for constant in specials(number) {
        for op in OPS {
            let mut expected = before.clone();
            for (i, value) in column.chunks_exact(number.width()).enumerate() {
                let bit = first_bit + i;
                expected[bit / 64] |= u64::from(holds(op, order(number, value, &constant))) << (bit % 64);
            }
            for isa in testing::isas() {
                let mut words = before.clone();
                let value = native(constant.clone());
                // SAFETY: the canvas holds the column, the instruction set is available.
                unsafe { compare_isa(isa, op, number, canvas.as_ptr(), n, &value, &mut words, first_bit) };
                assert_eq!(
                    words, expected,
                    "{isa:?} {op:?} {number:?} {constant:?}: {n} from {first_bit} at {shift}"
                );
            }
        }
    }
}

fn types() -> impl Iterator<Item = Number> {
    Number::ALL.into_iter().filter(|&number| compares(number))
}

#[test]
fn every_length() {
    let mut random = Random::new(1);
    for number in types() {
        for n in (0..=66).chain([127, 128, 129, 191, 256, 257, 320, 700, 64 * 13 + 5]) {
            check(number, n, 0, n % 64, &mut random);
        }
    }
}

#[test]
fn every_first_bit() {
    let mut random = Random::new(2);
    for number in types() {
        for first_bit in 0..130 {
            check(number, 150, first_bit, first_bit % 64, &mut random);
        }
    }
}

#[test]
fn every_alignment() {
    let mut random = Random::new(3);
    for number in types() {
        (0..64).for_each(|shift| check(number, 130, 3, shift, &mut random));
    }
}

#[test]
#[should_panic(expected = "bits from")]
fn too_few_words() {
    // SAFETY: it panics before anything is read.
    unsafe { compare(Compare::Equal, Number::I64, std::ptr::null(), 60, &[0; 8], &mut [0], 5) };
}

#[test]
#[should_panic(expected = "one value of")]
fn a_constant_of_another_width() {
    // SAFETY: it panics before anything is read.
    unsafe { compare(Compare::Equal, Number::I64, std::ptr::null(), 60, &[0; 4], &mut [0], 0) };
}
