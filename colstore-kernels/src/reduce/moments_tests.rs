//! Every kind of number, instruction set, length and alignment against the two passes of the definition.

use super::*;
use crate::reduce::blocks::tests::Scattered;
use crate::reduce::sum::tests::float;
use crate::testing::{self, Canvas, Random};

fn all(number: Number, column: &[u8], shift: usize) -> Vec<Moments> {
    let canvas = Canvas::of(column, shift);
    let rows = column.len() / number.width();
    testing::isas()
        // SAFETY: the canvas holds the column, the instruction set is available.
        .map(|isa| unsafe { moments_isa(isa, number, canvas.as_ptr(), rows) })
        .collect()
}

fn check(number: Number, column: &[u8], shift: usize) {
    let values: Vec<f64> = column.chunks_exact(number.width()).map(|value| float(number, value)).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let m2 = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    let size = values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    let found = all(number, column, shift);
    for one in &found {
        let case = format!("{number:?}, {n} rows at {shift}: {one:?}, should be {mean} {m2}");
        assert_eq!(one.count, values.len() as u64, "{case}");
        assert_eq!(
            (one.mean.to_bits(), one.m2.to_bits()),
            (found[0].mean.to_bits(), found[0].m2.to_bits()),
            "{case}"
        );
        assert!(values.is_empty() || (one.mean - mean).abs() <= 1e-12 * size, "{case}");
        assert!((one.m2 - m2).abs() <= 1e-11 * m2 + 1e-25 * size * size * n, "{case}");
    }
}

/// Values that can be squared.
fn noise(number: Number, rows: usize, random: &mut Random) -> Vec<u8> {
    let mut column = Vec::new();
    while column.len() < rows * number.width() {
        let value = random.next().wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
        let value = &value[..number.width()];
        if float(number, value).abs() < 1e100 {
            column.extend_from_slice(value);
        }
    }
    column
}

#[test]
fn every_length() {
    let mut random = Random::new(1);
    for number in Number::ALL {
        for rows in (0..=100).chain([2047, 2048, 2049, 4096, 7001, 20_011]) {
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
            let mut columns = vec![noise(number, rows, &mut random)];
            if number == Number::F64 {
                // Squares that overflow, in some blocks.
                let mut values = columns[0].clone();
                let row = random.below(rows);
                values[row * 8..(row + 1) * 8].copy_from_slice(&1e200_f64.to_le_bytes());
                columns.push(values);
            }
            for column in columns {
                let scattered = Scattered::of(&column, number.width(), &mut random);
                for isa in testing::isas() {
                    let mut all = Pairwise::new();
                    // SAFETY: the pieces are readable, the instruction set is available.
                    let expected = unsafe {
                        let push = &mut |moments| all.push(moments, Moments::merge);
                        moments_blocks_isa(isa, number, scattered.blocks(), push);
                        moments_isa(isa, number, column.as_ptr(), rows)
                    };
                    assert_eq!(all.finish(Moments::merge), Some(expected), "{isa:?} {number:?} {rows}");
                }
            }
        }
    }
}

#[test]
fn a_large_mean_costs_no_digits() {
    // 1e9 + 0, 1, 2, …: a sum of squares would have lost the variance altogether.
    let column: Vec<u8> = (0..9_000).flat_map(|i| (1e9 + f64::from(i % 3)).to_le_bytes()).collect();
    for found in all(Number::F64, &column, 1) {
        assert!((found.variance(0.0) - 2.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert!((found.variance(1.0) - 6000.0 / 8999.0).abs() < 1e-9);
        assert!(found.variance(9000.0).is_nan());
        assert!(found.variance(1e9).is_nan());
        assert!((found.variance(-9000.0) - 1.0 / 3.0).abs() < 1e-9);
    }
}

#[test]
fn a_large_mean_costs_no_digits_in_the_merging_either() {
    // Means of blocks differ by far less than what a float of their size tells apart.
    let (n, mut random) = (200_000u64, Random::new(4));
    let offsets: Vec<i64> = (0..n).map(|_| (random.next() >> 40) as i64 & 0xffff).collect();
    let column: Vec<u8> = offsets.iter().flat_map(|&i| (1e15 + i as f64 * 0.125).to_le_bytes()).collect();
    // Exact, in units of an eighth.
    let sum: i128 = offsets.iter().map(|&i| i128::from(i)).sum();
    let squares: i128 = offsets.iter().map(|&i| i128::from(i) * i128::from(i)).sum();
    let n = i128::from(n);
    let variance = (n * squares - sum * sum) as f64 / (n * n) as f64 / 64.0;
    for found in all(Number::F64, &column, 0) {
        assert!((found.variance(0.0) / variance - 1.0).abs() < 1e-14, "{found:?}, should be {variance}");
    }
}

#[test]
fn first_values_unlike_the_rest_cost_few_digits() {
    // Sixteen values far off, then values that are all alike: the pivot is as far from the mean as can be.
    let values: Vec<i64> = (0..2048 * 5).map(|i| if i % 2048 < 16 { 1_000_000_000 } else { i % 7 }).collect();
    let column: Vec<u8> = values.iter().flat_map(|&value| (value as f64).to_le_bytes()).collect();
    let n = values.len() as i128;
    let sum: i128 = values.iter().map(|&value| i128::from(value)).sum();
    let squares: i128 = values.iter().map(|&value| i128::from(value) * i128::from(value)).sum();
    let (mean, m2) = (sum as f64 / n as f64, (n * squares - sum * sum) as f64 / n as f64);
    for found in all(Number::F64, &column, 3) {
        assert!(
            (found.m2 / m2 - 1.0).abs() < 1e-13 && (found.mean / mean - 1.0).abs() < 1e-13,
            "{found:?} {m2}"
        );
    }
}

#[test]
fn equal_values_have_no_variance() {
    for value in [0.1, -1e15 / 3.0, 1e200, f64::MIN_POSITIVE] {
        let column: Vec<u8> = (0..2048 * 9 + 5).flat_map(|_| f64::to_le_bytes(value)).collect();
        for found in all(Number::F64, &column, 0) {
            assert!(
                found.m2 >= 0.0 && found.variance(0.0).sqrt() <= 1e-15 * value.abs(),
                "{value} {found:?}"
            );
        }
    }
}

#[test]
fn squares_beyond_the_range_of_floats_are_infinite() {
    let column: Vec<u8> =
        (0..2048 * 4).flat_map(|i| f64::to_le_bytes(if i % 100 == 50 { 1e200 } else { 0.0 })).collect();
    for found in all(Number::F64, &column, 0) {
        assert_eq!(found.variance(0.0), f64::INFINITY, "{found:?}");
        assert!(found.mean.is_finite());
    }
}

#[test]
fn merging_is_as_good_as_one_run() {
    let mut random = Random::new(3);
    let column = noise(Number::I32, 3000, &mut random);
    for cut in [0, 1, 17, 1500, 2999, 3000] {
        let (a, b) = column.split_at(cut * 4);
        let whole = all(Number::I32, &column, 0)[0];
        let merged = all(Number::I32, a, 0)[0].merge(all(Number::I32, b, 0)[0]);
        assert_eq!(merged.count, 3000);
        assert!((merged.mean - whole.mean).abs() <= 1e-6, "{merged:?} {whole:?}");
        assert!((merged.m2 - whole.m2).abs() <= 1e-13 * whole.m2);
    }
}

#[test]
fn what_is_not_finite_shows() {
    for spoiler in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for rows in [1, 20, 5000] {
            let mut values = vec![1.0; rows];
            values[rows / 2] = spoiler;
            let column: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            for found in all(Number::F64, &column, 0) {
                assert_eq!(found.m2.to_bits(), f64::NAN.to_bits(), "{spoiler} {rows}");
                assert!(found.variance(0.0).is_nan());
            }
        }
    }
}

#[test]
fn nothing_has_no_variance() {
    assert_eq!(all(Number::F64, &[], 0)[0], Moments::default());
    assert!(Moments::default().variance(0.0).is_nan());
}
