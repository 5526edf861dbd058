use super::*;
use crate::testing::Random;

fn starts(lengths: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut at = 0;
    let mut starts = vec![0];
    starts.extend(lengths.into_iter().map(|length| {
        at += length;
        at
    }));
    starts
}

fn oracle(starts: &[u64], row: u64) -> usize {
    starts.partition_point(|&start| start <= row) - 1
}

/// Rows at both ends of every segment, and some between.
fn rows(starts: &[u64], random: &mut Random) -> Vec<u64> {
    let mut rows: Vec<u64> = starts
        .windows(2)
        .flat_map(|pair| [pair[0], pair[1] - 1, pair[0] + random.next() % (pair[1] - pair[0])])
        .collect();
    // No multiple of the number that is searched for at once.
    rows.extend((0..7).map(|_| random.next() % starts[starts.len() - 1]));
    for i in (1..rows.len()).rev() {
        rows.swap(i, random.next() as usize % (i + 1));
    }
    rows
}

fn check(starts: &[u64]) {
    let mut random = Random::new(starts.len() as u64);
    let mut rows = rows(starts, &mut random);
    let segments = Segments::new(starts.to_vec());
    assert_eq!(segments.len(), starts.len() - 1);
    assert_eq!(segments.starts(), starts);
    let expected: Vec<u32> = rows.iter().map(|&row| oracle(starts, row) as u32).collect();
    let mut found = vec![7; rows.len()];
    segments.find_all(&rows, &mut found);
    assert!(found == expected, "find_all of {:?}…", &starts[..starts.len().min(9)]);
    for (&row, &expected) in rows.iter().zip(&expected) {
        assert_eq!(
            segments.find(row),
            expected as usize,
            "row {row} of {:?}…",
            &starts[..starts.len().min(9)]
        );
    }
    rows.sort_unstable();
    // All of them, with duplicates, and ever fewer: walks and jumps.
    for every in [1, 2, 7, 100] {
        let some: Vec<u64> = rows.iter().copied().step_by(every).flat_map(|row| [row, row]).collect();
        let mut found = vec![7; some.len()];
        segments.find_sorted(&some, &mut found);
        let expected: Vec<u32> = some.iter().map(|&row| oracle(starts, row) as u32).collect();
        assert!(found == expected, "find_sorted, every {every} of {:?}…", &starts[..starts.len().min(9)]);
    }
    // Dense rows from somewhere in the middle.
    let from = segments.n_rows() / 3;
    let some: Vec<u64> = (from..segments.n_rows().min(from + 3000)).collect();
    let mut found = vec![7; some.len()];
    segments.find_sorted(&some, &mut found);
    assert!(some.iter().zip(&found).all(|(&row, &found)| found as usize == oracle(starts, row)));
}

#[test]
fn equal_lengths() {
    for length in [1, 2, 3, 7, 64, 1000, 1023, 1 << 20, 12_345_678] {
        for n in [1, 2, 3, 10, 1000] {
            check(&starts(vec![length; n]));
            // The last shorter, or longer.
            check(&starts(std::iter::repeat_n(length, n).chain([1])));
            check(&starts(std::iter::repeat_n(length, n).chain([length + 5])));
            check(&starts(std::iter::repeat_n(length, n).chain([40 * length])));
        }
    }
}

#[test]
fn more_rows_than_half_a_word_counts() {
    for length in [3, 1 << 31, (1 << 32) + 1, 1 << 45, (1 << 50) - 1] {
        check(&starts(vec![length; 2000]));
        check(&starts((0..2000).map(|i| length + i % 3)));
    }
    check(&[0, (1 << 62) - 1, 1 << 63]);
    check(&[0, (1 << 62) - 1, u64::MAX]);
    check(&[0, 5, u64::MAX - 1, u64::MAX]);
}

#[test]
fn ragged_lengths() {
    let mut random = Random::new(3);
    for n in [1, 2, 3, 5, 8, 50, 1000, 20_000] {
        for most in [1, 2, 10, 1000, 1_000_000] {
            check(&starts((0..n).map(|_| 1 + random.next() % most)));
        }
    }
}

#[test]
fn lengths_that_defeat_a_table() {
    // One huge segment among many short ones, so that a table entry has all the short ones.
    for at in [0, 500, 999] {
        check(&starts((0..1000).map(|i| if i == at { 1 << 40 } else { 1 })));
    }
    check(&starts((0..60).map(|i| 1 << i)));
    check(&starts((0..60).rev().map(|i| 1 << i)));
}

#[test]
fn ten_million_segments() {
    let starts = starts((0..10_000_000).map(|i| 1 + (i * i) % 3));
    let segments = Segments::new(starts.clone());
    let rows: Vec<u64> = (0..segments.n_rows()).step_by(997).collect();
    let expected: Vec<u32> = rows.iter().map(|&row| oracle(&starts, row) as u32).collect();
    let mut found = vec![0; rows.len()];
    segments.find_all(&rows, &mut found);
    assert!(found == expected);
    segments.find_sorted(&rows, &mut found);
    assert!(found == expected);
}

#[test]
fn rows_that_do_not_ascend_are_found() {
    let mut random = Random::new(8);
    for lengths in [vec![1000; 5], vec![3; 400], (1..60).collect()] {
        let segments = Segments::new(starts(lengths));
        let n_rows = segments.starts().last().copied().unwrap();
        for _ in 0..20 {
            let mut rows: Vec<u64> = (0..300).map(|_| random.next() % n_rows).collect();
            // Most ascend, or the first and the last are of one segment.
            rows[..200].sort_unstable();
            rows[299] = rows[0];
            let mut found = vec![0; rows.len()];
            segments.find_sorted(&rows, &mut found);
            for (&row, &segment) in rows.iter().zip(&found) {
                assert!(segments.rows(segment as usize).contains(&row), "row {row}: {segment}");
            }
            assert!(!segments.each_run(&rows, |_, _| panic!("called for rows that do not ascend")));
        }
    }
}

#[test]
fn runs_share_a_segment() {
    let mut random = Random::new(9);
    for lengths in [vec![100_000], vec![1000; 7], vec![1; 2000], (1..200).collect(), vec![5, 70_000, 1, 9]] {
        let segments = Segments::new(starts(lengths));
        let n_rows = segments.starts().last().copied().unwrap();
        for n in [0, 1, 63, 64, 1000] {
            let mut rows: Vec<u64> = (0..n).map(|_| random.next() % n_rows).collect();
            rows.sort_unstable();
            let mut next = 0;
            let called = segments.each_run(&rows, |segment, run| {
                assert_eq!(run.start, next);
                next = run.end;
                assert!(rows[run].iter().all(|row| segments.rows(segment).contains(row)));
            });
            assert_eq!(next, if called { rows.len() } else { 0 });
            let (first, last) = (rows.first().copied().unwrap_or(0), rows.last().copied().unwrap_or(0));
            let apart = segments.find(last) - segments.find(first);
            assert_eq!(called, n == 0 || apart <= n / 64, "{n} rows");
        }
        assert!(!segments.each_run(&[n_rows], |_, _| panic!("called for a row that is not there")));
    }
}

#[test]
fn no_segment() {
    let segments = Segments::new(vec![0]);
    assert!(segments.is_empty());
    assert_eq!(segments.n_rows(), 0);
    segments.find_all(&[], &mut []);
    segments.find_sorted(&[], &mut []);
}

#[test]
fn rows_that_are_not_there_get_some_segment() {
    for starts in [starts(vec![10; 10]), starts(1..20), vec![0, 1]] {
        let segments = Segments::new(starts);
        for row in [segments.n_rows(), 1 << 32, 1 << 40, u64::MAX] {
            assert!(segments.find(row) < segments.len());
            let mut found = [0; 9];
            segments.find_sorted(&[0, 0, 1, 1, 2, row, row, row, row], &mut found);
            assert!(found.iter().all(|&segment| (segment as usize) < segments.len()));
        }
    }
}

#[test]
fn division_is_exact() {
    fn check<const BITS: u32>(d: u64) {
        let Some(divisor) = Divisor::<BITS>::new(d) else {
            assert!(d < 2 || d >= 1 << BITS);
            return;
        };
        let most = (1_u64 << BITS) - 1;
        let multiples = [1, 2, 3, most / d / 2, most / d].map(|times| d.saturating_mul(times).min(most));
        let rows = multiples
            .into_iter()
            .flat_map(|row| [row.saturating_sub(1), row, row.saturating_add(1).min(most)]);
        for row in rows.chain([0, 1, most, most / 3]) {
            // The divisor's own answer is cut off at the last segment.
            assert_eq!(
                u64::from(divisor.segment(row, u32::MAX)),
                (row / d).min(u64::from(u32::MAX)),
                "{row} / {d}"
            );
        }
    }
    let mut random = Random::new(9);
    for bit in 0..64 {
        for d in [(1_u64 << bit) - 1, 1 << bit, (1 << bit) + 1, random.next() << 15 >> bit] {
            check::<31>(d);
            check::<63>(d);
        }
    }
    (0..5000).for_each(check::<31>);
    (0..5000).for_each(check::<63>);
}

#[test]
#[should_panic(expected = "starts ascend")]
fn empty_segments_are_refused() {
    let _ = Segments::new(vec![0, 5, 5, 7]);
}
