use super::*;
use crate::testing::{self, Canvas, Random};

const TYPES: [IndexType; 8] = [
    IndexType::I8,
    IndexType::I16,
    IndexType::I32,
    IndexType::I64,
    IndexType::U8,
    IndexType::U16,
    IndexType::U32,
    IndexType::U64,
];

fn least_and_greatest(index_type: IndexType) -> (i128, i128) {
    let bits = 8 * index_type.width() as u32;
    if matches!(index_type, IndexType::U8 | IndexType::U16 | IndexType::U32 | IndexType::U64) {
        (0, (1 << bits) - 1)
    } else {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }
}

/// Memory that holds the values, and the description of it.
fn place(values: &[i128], index_type: IndexType, stride: isize, shift: usize) -> (Canvas, IndexSlice) {
    let width = index_type.width();
    let mut bytes = vec![0xAA; values.len().saturating_sub(1) * stride.unsigned_abs() + width];
    let first = if stride < 0 { bytes.len() - width } else { 0 };
    for (i, value) in values.iter().enumerate() {
        let at = first.checked_add_signed(stride * i as isize).unwrap();
        bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
    }
    let canvas = Canvas::of(&bytes, shift);
    let data = canvas.as_ptr().wrapping_add(first);
    (canvas, IndexSlice { data, len: values.len(), stride, index_type })
}

fn oracle(values: &[i128], n_rows: u64) -> Result<(Shape, Vec<u64>), OutOfBounds> {
    let n = i128::from(n_rows);
    if let Some(position) = values.iter().position(|&value| value < -n || value >= n) {
        return Err(OutOfBounds { position, value: values[position] });
    }
    let rows: Vec<u64> = values.iter().map(|&v| (if v < 0 { v + n } else { v }) as u64).collect();
    let step = match rows.as_slice() {
        [] => None,
        [_] => Some(1),
        [first, second, ..] => i64::try_from(i128::from(*second) - i128::from(*first)).ok(),
    };
    let even = |step: i64| rows.windows(2).all(|p| i128::from(p[1]) - i128::from(p[0]) == i128::from(step));
    let progression = step.filter(|&step| step != 0 && even(step)).map(|step| (rows[0], step));
    Ok((Shape { sorted: rows.is_sorted(), progression }, rows))
}

#[track_caller]
fn check(values: &[i128], n_rows: u64, index_type: IndexType, stride: isize, shift: usize) {
    let (_memory, indices) = place(values, index_type, stride, shift);
    let expected = oracle(values, n_rows);
    for isa in testing::isas() {
        for threads in [1, 4] {
            // SAFETY: the slice describes the canvas; the set is available.
            let shape = unsafe { examine_isa(isa, &indices, n_rows, threads) };
            let case = format!("{isa:?}, {threads} threads: {} {index_type:?} of {n_rows}", values.len());
            assert_eq!(shape, expected.clone().map(|(shape, _)| shape), "{case}");
        }
        for from in [0, 1, 63, values.len() / 2].into_iter().filter(|&from| from <= values.len()) {
            let mut out = vec![0; values.len() - from];
            // SAFETY: as above; from `from` on there are as many values as `out` is long.
            let loaded = unsafe { load_isa(isa, &indices, from, n_rows, &mut out) };
            match oracle(&values[from..], n_rows) {
                Ok((_, rows)) => {
                    assert_eq!(loaded, Ok(()));
                    assert!(out == rows, "{isa:?}: {index_type:?} from {from}");
                }
                Err(bad) => {
                    assert_eq!(loaded, Err(OutOfBounds { position: bad.position + from, ..bad }));
                }
            }
        }
    }
}

#[test]
fn every_type_length_stride_and_alignment() {
    let mut random = Random::new(1);
    for index_type in TYPES {
        let (least, greatest) = least_and_greatest(index_type);
        let width = index_type.width() as isize;
        for len in (0..=4 * 8 + 2).chain([63, 64, 65, 1023, 1024, 1025, 1500]) {
            let n_rows = (greatest.min(1 << 40) as u64).min(100 + random.next() % 1_000_000);
            let (low, high) = (least.max(-i128::from(n_rows)), greatest.min(i128::from(n_rows) - 1));
            let value = |random: &mut Random| low + i128::from(random.next()) % (high - low + 1);
            let mut values: Vec<i128> = (0..len).map(|_| value(&mut random)).collect();
            for stride in [width, width + 3, 2 * width, -width, -width - 1] {
                check(&values, n_rows, index_type, stride, (len * 7) % 64);
            }
            check(&vec![values.first().copied().unwrap_or(0); len], n_rows, index_type, 0, 1);
            values.sort_by_key(|&v| if v < 0 { v + i128::from(n_rows) } else { v });
            check(&values, n_rows, index_type, width, len % 64);
        }
    }
}

#[test]
fn values_at_the_bounds() {
    for index_type in TYPES {
        let (least, greatest) = least_and_greatest(index_type);
        for n_rows in
            [0, 1, 2, 100, 127, 128, 129, 255, 256, 65_536, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX]
        {
            let n = i128::from(n_rows);
            let near =
                [-n - 1, -n, -n + 1, -1, 0, 1, n - 1, n, n + 1, least, least + 1, greatest, greatest - 1];
            for value in near.into_iter().filter(|value| (least..=greatest).contains(value)) {
                check(&[value], n_rows, index_type, index_type.width() as isize, 0);
                check(&[0, 0, 1, value, 0], n_rows, index_type, index_type.width() as isize, 3);
            }
        }
    }
}

#[test]
fn the_first_of_several_bad_positions() {
    let mut random = Random::new(2);
    let n_rows = 1000;
    for len in [10, 1024, 5000, 70_000, 300_000] {
        for bad in [1, 2, 5, 40] {
            let mut values: Vec<i128> = (0..len).map(|_| i128::from(random.next() % n_rows)).collect();
            for _ in 0..bad {
                values[random.next() as usize % len] = [1000, -1001, 1 << 33][random.next() as usize % 3];
            }
            check(&values, n_rows, IndexType::I64, 8, 5);
        }
        let mut values = vec![0; len];
        values[len - 1] = -1001;
        check(&values, n_rows, IndexType::I32, 4, 5);
    }
}

#[test]
fn progressions() {
    for len in [1, 2, 3, 7, 8, 9, 1024, 1025, 70_000, 200_000] {
        for step in [1, 2, 1000, -1, -3] {
            let n_rows = 1 + (len - 1) * i64::abs(step) as u64;
            let first = if step < 0 { i128::from(n_rows) - 1 } else { 0 };
            let mut values: Vec<i128> = (0..len).map(|i| first + i128::from(i) * i128::from(step)).collect();
            check(&values, n_rows, IndexType::I64, 8, 0);
            check(&values, n_rows + 17, IndexType::U32, 4, 2);
            // The same rows, counted from the end.
            let negative: Vec<i128> = values.iter().map(|value| value - i128::from(n_rows)).collect();
            check(&negative, n_rows, IndexType::I64, 8, 0);
            // One value disturbs it, anywhere.
            for at in [0, 1, 2, 8, 1023, 1024, 65_535, 65_536, len as usize - 1] {
                if let Some(&value) = values.get(at) {
                    values[at] = 0;
                    check(&values, n_rows, IndexType::I64, 8, 0);
                    values[at] = value;
                }
            }
        }
        check(&vec![5; len as usize], 6, IndexType::I64, 8, 0);
    }
}

#[test]
fn sorted_until_somewhere() {
    let len = 200_000;
    for at in [1, 9, 1023, 1024, 1025, 65_535, 65_536, 65_537, 131_072, len - 1] {
        let mut values: Vec<i128> = (0..len as i128).map(|i| 2 * i + i % 2).collect();
        check(&values, 1 << 20, IndexType::I64, 8, 0);
        values[at] = values[at - 1] - 1;
        check(&values, 1 << 20, IndexType::I64, 8, 0);
        // Two progressions, each of which ascends, one below the other.
        let values: Vec<i128> = (0..len).map(|i| (if i < at { i + 100 } else { i - at }) as i128).collect();
        check(&values, 1 << 20, IndexType::I64, 8, 0);
    }
}

#[test]
fn indices_that_change_are_loaded_within_bounds() {
    let mut values = vec![3_i64; 100];
    let indices =
        IndexSlice { data: values.as_ptr().cast(), len: 100, stride: 8, index_type: IndexType::I64 };
    // SAFETY: the slice describes the values, which live.
    assert_eq!(unsafe { examine(&indices, 10, 1) }, Ok(Shape { sorted: true, progression: None }));
    values[70] = 10;
    let mut out = [0; 50];
    // SAFETY: as above; from 50 on there are 50 values.
    let loaded = unsafe { load(&indices, 50, 10, &mut out) };
    assert_eq!(loaded, Err(OutOfBounds { position: 70, value: 10 }));
}
