//! Every kind of number, instruction set, length and alignment against the loop of the first paragraph.

use super::*;
use crate::testing::{self, Canvas, Random};
use std::cmp::Ordering;

/// A value as something that compares, or `None` if it spoils the answer.
fn decode(number: Number, bytes: &[u8]) -> Option<f64> {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match number {
        Number::F16 => {
            let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, (bits & 1023) as f64);
            let size = match exponent {
                31 => return None,
                0 => fraction * 2_f64.powi(-24),
                _ => (1024.0 + fraction) * 2_f64.powi(exponent as i32 - 25),
            };
            Some(if sign == 1 { -size } else { size })
        }
        Number::F32 => Some(f64::from(f32::from_bits(bits as u32))).filter(|value| value.is_finite()),
        Number::F64 => Some(f64::from_bits(bits)).filter(|value| value.is_finite()),
        _ => unreachable!("an integer"),
    }
}

fn compare(number: Number, a: &[u8], b: &[u8]) -> Option<Ordering> {
    let signed = |bytes: &[u8]| {
        let fill = if bytes.last().is_some_and(|byte| byte & 0x80 != 0) { 0xFF } else { 0 };
        let mut wide = [fill; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(wide)
    };
    match number {
        Number::F16 | Number::F32 | Number::F64 => decode(number, a)?.partial_cmp(&decode(number, b)?),
        Number::Bool => Some((a[0] != 0).cmp(&(b[0] != 0))),
        Number::I8 | Number::I16 | Number::I32 | Number::I64 => Some(signed(a).cmp(&signed(b))),
        Number::Time => {
            let (a, b) = (signed(a), signed(b));
            (a != i64::MIN && b != i64::MIN).then(|| a.cmp(&b))
        }
        Number::U8 | Number::U16 | Number::U32 | Number::U64 => Some(a.iter().rev().cmp(b.iter().rev())),
    }
}

fn oracle(number: Number, column: &[u8]) -> Option<MinMax> {
    let mut values = column.chunks_exact(number.width());
    let first = values.next()?;
    compare(number, first, first)?;
    let (mut min, mut max) = (first, first);
    for value in values {
        if compare(number, value, min)? != Ordering::Greater {
            min = value;
        }
        if compare(number, value, max)? != Ordering::Less {
            max = value;
        }
    }
    let widen = |value: &[u8]| {
        let mut wide = [0; 8];
        wide[..value.len()].copy_from_slice(value);
        if number == Number::Bool {
            wide[0] = u8::from(wide[0] != 0);
        }
        wide
    };
    Some(MinMax { min: widen(min), max: widen(max) })
}

fn check(number: Number, column: &[u8], shift: usize, case: &str) {
    let canvas = Canvas::of(column, shift);
    let expected = oracle(number, column);
    for isa in testing::isas() {
        // SAFETY: the canvas holds the column, the instruction set is available.
        let found = unsafe { min_max_isa(isa, number, canvas.as_ptr(), column.len() / number.width()) };
        assert_eq!(found, expected, "{isa:?} {number:?} {case} at {shift}");
    }
}

/// A column without anything that spoils the answer.
fn good(number: Number, rows: usize, random: &mut Random) -> Vec<u8> {
    let mut column = Vec::new();
    while column.len() < rows * number.width() {
        let value = random.next().wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
        let value = &value[..number.width()];
        if compare(number, value, value).is_some() {
            column.extend_from_slice(value);
        }
    }
    column
}

#[test]
fn every_length() {
    let mut random = Random::new(1);
    for number in Number::ALL {
        for rows in 0..=4 * 128 + 3 {
            check(number, &good(number, rows, &mut random), rows % 64, &format!("{rows} rows"));
        }
    }
}

#[test]
fn every_alignment() {
    let mut random = Random::new(2);
    for number in Number::ALL {
        let column = good(number, 301, &mut random);
        for shift in 0..64 {
            check(number, &column, shift, "301 rows");
        }
    }
}

#[test]
fn the_extreme_in_every_place() {
    let mut random = Random::new(3);
    for number in Number::ALL {
        let width = number.width();
        let rows = 2 * 128 + 5;
        for place in 0..rows {
            // All values alike but two neighbours, one of which is likely the least, one the greatest.
            let mut column = good(number, 1, &mut random).repeat(rows);
            column[place * width..][..width].copy_from_slice(&good(number, 1, &mut random));
            let other = (place + 1) % rows;
            column[other * width..][..width].copy_from_slice(&good(number, 1, &mut random));
            check(number, &column, place % 64, &format!("extreme at {place}"));
        }
    }
}

/// Bit patterns that must take the answer away.
fn spoilers(number: Number) -> Vec<u64> {
    match number {
        Number::F16 => vec![0x7c00, 0xfc00, 0x7c01, 0x7fff, 0xfc01, 0xfe00, 0xffff],
        Number::F32 => vec![0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff],
        Number::F64 => [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN].map(f64::to_bits).to_vec(),
        Number::Time => vec![1 << 63],
        _ => Vec::new(),
    }
}

#[test]
fn one_spoiler_in_every_place() {
    let mut random = Random::new(4);
    for number in [Number::F16, Number::F32, Number::F64, Number::Time] {
        let width = number.width();
        for rows in [1, 15, 130, 300] {
            let clean = good(number, rows, &mut random);
            for spoiler in spoilers(number) {
                for place in 0..rows {
                    let mut column = clean.clone();
                    column[place * width..][..width].copy_from_slice(&spoiler.to_le_bytes()[..width]);
                    assert_eq!(oracle(number, &column), None);
                    check(number, &column, place % 64, &format!("{spoiler:#x} at {place} of {rows}"));
                }
            }
        }
    }
}

#[test]
fn a_spoiler_behind_many_blocks() {
    let mut random = Random::new(5);
    for number in [Number::F16, Number::F32, Number::F64, Number::Time] {
        let rows = 3 * BLOCK_BYTES / number.width() + 7;
        let mut column = good(number, rows, &mut random);
        check(number, &column, 1, "clean");
        let place = column.len() - 3 * number.width();
        column[place..][..number.width()]
            .copy_from_slice(&spoilers(number)[0].to_le_bytes()[..number.width()]);
        check(number, &column, 1, "spoilt near the end");
    }
}

#[test]
fn the_last_zero_gives_its_sign() {
    let mut random = Random::new(6);
    for (number, sign) in [(Number::F16, 1_u64 << 15), (Number::F32, 1 << 31), (Number::F64, 1 << 63)] {
        let width = number.width();
        for rows in [1, 2, 3, 17, 70, 300, 700] {
            // Zeros are the least of values above zero, the greatest of values below, or all there is.
            for others in 0..3 {
                for _ in 0..40 {
                    let mut column = good(number, rows, &mut random);
                    for value in column.chunks_exact_mut(width) {
                        let top = value.len() - 1;
                        match others {
                            0 => value[top] &= 0x7F,
                            1 => value[top] |= 0x80,
                            _ => value.fill(0),
                        }
                    }
                    for _ in 0..1 + random.next() % 4 {
                        let place = random.next() as usize % rows;
                        let zero = if random.next().is_multiple_of(2) { 0 } else { sign };
                        column[place * width..][..width].copy_from_slice(&zero.to_le_bytes()[..width]);
                    }
                    check(number, &column, rows % 64, &format!("zeros among {rows}, kind {others}"));
                }
            }
        }
    }
}

#[test]
fn bytes_that_are_no_bool_are_true() {
    check(Number::Bool, &[2, 255, 7], 0, "all true");
    check(Number::Bool, &[0, 0], 0, "all false");
    check(Number::Bool, &[0, 0, 128], 0, "both");
    // SAFETY: three readable bytes.
    let both = unsafe { min_max(Number::Bool, [9_u8, 0, 3].as_ptr(), 3) }.unwrap();
    assert_eq!((both.min[0], both.max[0]), (0, 1));
}
