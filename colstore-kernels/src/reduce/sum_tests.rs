//! Every kind of number, instruction set, length and alignment against sums value by value.

use super::*;
use crate::reduce::blocks::tests::Scattered;
use crate::reduce::extremes;
use crate::testing::{self, Canvas, Random};

fn integer(number: Number, bytes: &[u8]) -> i128 {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = i128::from_le_bytes(wide);
    match number {
        Number::Bool => i128::from(bits != 0),
        Number::I8 | Number::I16 | Number::I32 | Number::I64 | Number::Time => {
            let shift = 128 - 8 * bytes.len();
            bits << shift >> shift
        }
        _ => bits,
    }
}

/// A binary16 by its definition.
fn half(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, f64::from(bits & 1023));
    let size = match exponent {
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => fraction * 2_f64.powi(-24),
        _ => (1024.0 + fraction) * 2_f64.powi(i32::from(exponent) - 25),
    };
    if sign == 1 { -size } else { size }
}

pub(in super::super) fn float(number: Number, bytes: &[u8]) -> f64 {
    match number {
        Number::F16 => half(u16::from_le_bytes(bytes.try_into().unwrap())),
        Number::F32 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        Number::F64 => f64::from_le_bytes(bytes.try_into().unwrap()),
        _ => integer(number, bytes) as f64,
    }
}

/// The documented order, value by value: lanes, folded; blocks, pairwise.
pub(in super::super) fn sum_in_order(values: &[f64]) -> f64 {
    fn tree(blocks: &[f64]) -> f64 {
        match blocks.len() {
            0 => 0.0,
            1 => blocks[0],
            n => {
                let half = n.next_power_of_two() / 2;
                tree(&blocks[..half]) + tree(&blocks[half..])
            }
        }
    }
    let blocks: Vec<f64> = values
        .chunks(2048)
        .map(|block| {
            let mut lanes = [0.0; 16];
            block.iter().enumerate().for_each(|(i, value)| lanes[i % 16] += value);
            for half in [8, 4, 2, 1] {
                (0..half).for_each(|lane| lanes[lane] += lanes[lane + half]);
            }
            lanes[0]
        })
        .collect();
    tree(&blocks)
}

fn is_float(number: Number) -> bool {
    matches!(number, Number::F16 | Number::F32 | Number::F64)
}

fn check(number: Number, column: &[u8], shift: usize) {
    let canvas = Canvas::of(column, shift);
    let values = column.chunks_exact(number.width());
    let rows = values.len();
    for isa in testing::isas() {
        // SAFETY: the canvas holds the column, the instruction set is available.
        let (found, exact) = unsafe {
            (sum_isa(isa, number, canvas.as_ptr(), rows), exact_sum_isa(isa, number, canvas.as_ptr(), rows))
        };
        let case = format!("{isa:?} {number:?}, {rows} rows at {shift}");
        if is_float(number) {
            let values: Vec<f64> = values.clone().map(|value| float(number, value)).collect();
            let Sum::Float(found) = found else { panic!("{case}: {found:?}") };
            let expected = sum_in_order(&values);
            assert!(
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                "{case}: {found} {expected}"
            );
            assert_eq!(exact, None);
        } else {
            let expected: i128 = values.clone().map(|value| integer(number, value)).sum();
            assert_eq!(exact, Some(expected), "{case}");
            let wrapped = expected as u64;
            match number {
                Number::U8 | Number::U16 | Number::U32 | Number::U64 => {
                    assert_eq!(found, Sum::Uint(wrapped), "{case}");
                }
                _ => assert_eq!(found, Sum::Int(wrapped.cast_signed()), "{case}"),
            }
        }
    }
}

fn noise(number: Number, rows: usize, random: &mut Random) -> Vec<u8> {
    let mut column = Vec::new();
    while column.len() < rows * number.width() {
        let value = random.next().wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
        let value = &value[..number.width()];
        if !is_float(number) || float(number, value).is_finite() {
            column.extend_from_slice(value);
        }
    }
    column
}

#[test]
fn every_length() {
    let mut random = Random::new(1);
    for number in Number::ALL {
        for rows in 0..=260 {
            check(number, &noise(number, rows, &mut random), rows % 64);
        }
        for rows in [2047, 2048, 2049, 4095, 4096, 4097, 6000, 6 * 2048, 20_011] {
            check(number, &noise(number, rows, &mut random), rows % 64);
        }
    }
}

#[test]
fn every_alignment() {
    let mut random = Random::new(2);
    for number in Number::ALL {
        let column = noise(number, 301, &mut random);
        (0..64).for_each(|shift| check(number, &column, shift));
    }
}

#[test]
fn where_values_lie_changes_no_bit() {
    let mut random = Random::new(5);
    for number in Number::ALL {
        for rows in [5, 2048, 3 * 2048 + 7, 4 * 2048, 9 * 2048 + 100, 40 * 2048] {
            let column = noise(number, rows, &mut random);
            let scattered = Scattered::of(&column, number.width(), &mut random);
            for isa in testing::isas() {
                let mut sums = Pairwise::new();
                let merge = |a, b| match (a, b) {
                    (Sum::Int(a), Sum::Int(b)) => Sum::Int(a.wrapping_add(b)),
                    (Sum::Uint(a), Sum::Uint(b)) => Sum::Uint(a.wrapping_add(b)),
                    (Sum::Float(a), Sum::Float(b)) => Sum::Float(a + b),
                    _ => panic!("{a:?} {b:?}"),
                };
                // SAFETY: the pieces are readable, the instruction set is available.
                let expected = unsafe {
                    sum_blocks_isa(isa, number, scattered.blocks(), &mut |sum| sums.push(sum, merge));
                    sum_isa(isa, number, column.as_ptr(), rows)
                };
                let found = sums.finish(merge).unwrap();
                let is_nan = |sum| matches!(sum, Sum::Float(value) if value.is_nan());
                let case = format!("{isa:?} {number:?}, {rows} rows: {found:?}, should be {expected:?}");
                assert!(found == expected || (is_nan(found) && is_nan(expected)), "{case}");
            }
        }
    }
}

#[test]
fn extreme_integers_overflow_nothing_but_64_bits() {
    for number in Number::ALL.into_iter().filter(|&number| !is_float(number)) {
        let width = number.width();
        let mut least = vec![0; width];
        least[width - 1] = 0x80;
        // More values than a narrow lane takes in before it is folded.
        let rows = if width <= 2 { 64 * STEPS + 77 } else { 5000 };
        check(number, &vec![0xFF; rows * width], 0);
        check(number, &least.repeat(rows), 3);
        least[..width - 1].fill(0xFF);
        least[width - 1] = 0x7F;
        check(number, &least.repeat(rows), 5);
    }
}

#[test]
fn every_binary16_is_read_right() {
    for bits in 0..=u16::MAX {
        let column = bits.to_le_bytes();
        // SAFETY: one value.
        let Sum::Float(found) = (unsafe { sum(Number::F16, column.as_ptr(), 1) }) else { panic!() };
        let expected = half(bits);
        assert!(found == expected || (found.is_nan() && expected.is_nan()), "{bits:#x}: {found} {expected}");
        // SAFETY: one value.
        let extremes = unsafe { extremes(Number::F16, column.as_ptr(), 1) }.unwrap();
        let least = half(u16::from_le_bytes([extremes.min[0], extremes.min[1]]));
        assert!(least == expected || (least.is_nan() && expected.is_nan()), "{bits:#x}");
    }
}

#[test]
fn what_is_not_finite_shows() {
    for (values, expected) in [
        (vec![1.0, f64::INFINITY, 2.0], f64::INFINITY),
        (vec![1.0, f64::NEG_INFINITY], f64::NEG_INFINITY),
        (vec![f64::INFINITY, f64::NEG_INFINITY], f64::NAN),
        (vec![1.0, -f64::NAN, 2.0], f64::NAN),
    ] {
        let column: Vec<u8> = values.iter().flat_map(|value: &f64| value.to_le_bytes()).collect();
        for isa in testing::isas() {
            // SAFETY: the column has that many values, the instruction set is available.
            let found = unsafe { sum_isa(isa, Number::F64, column.as_ptr(), values.len()) };
            let Sum::Float(found) = found else { panic!() };
            assert_eq!(found.to_bits(), expected.to_bits());
        }
    }
}

#[test]
fn ten_million_float32_lose_nothing() {
    let column: Vec<u8> = (0..10_000_000).flat_map(|_| 0.1_f32.to_le_bytes()).collect();
    // SAFETY: the column has that many values.
    let Sum::Float(found) = (unsafe { sum(Number::F32, column.as_ptr(), 10_000_000) }) else { panic!() };
    let expected = f64::from(0.1_f32) * 1e7;
    assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
}
