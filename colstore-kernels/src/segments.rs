//! Which segment a row is in.
//!
//! ```text
//! starts    0        10   15            29     segment s has rows starts[s]..starts[s + 1]
//! segments  [   0    )[ 1 )[     2      )
//!
//! find(row) = the last s with starts[s] <= row
//! ```
//!
//! Segments of equal length, all but the last, need no search: `row / length` is one multiplication and one
//! shift (see `Divisor`). Others are found by binary search without branches: of the interval that is left,
//! the upper half is taken or not by arithmetic, so that there is nothing to mispredict and the searches for
//! many rows overlap. Two things make that search short:
//!
//! - A coarse table says for each 2^k rows which segment they begin in. With one or two entries a segment, what is
//!   left to search between two entries is a step or two unless the lengths differ wildly, whatever the number of
//!   segments. The number of steps is that of the widest interval and the same for all rows.
//! - Ascending rows ([`find_sorted`](Segments::find_sorted)) mostly stay in the segment of the row before, or move
//!   on to the next; only a farther jump is a search.

use crate::isa::{self, Isa};
use std::hint::select_unpredictable;
use std::ops::Range;

/// Row numbers cut into segments, as many as fit into a `u32`; none of them is empty.
///
/// ```
/// use colstore_kernels::Segments;
///
/// let segments = Segments::new(vec![0, 10, 15, 29]);
/// assert_eq!(segments.len(), 3);
/// assert_eq!(segments.find(14), 1);
/// let mut found = [0; 3];
/// segments.find_all(&[28, 0, 10], &mut found);
/// assert_eq!(found, [2, 0, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Segments {
    starts: Vec<u64>,
    search: Search,
}

#[derive(Clone, Debug)]
enum Search {
    /// At most one segment.
    One,
    /// All but the last have the same length, and there are at most 2^31 rows.
    Equal(Divisor<31>),
    /// The same with more rows.
    EqualOfMany(Divisor<63>),
    Table(Table),
}

impl Segments {
    /// `starts` are the first rows of the segments and, last, the number of rows. Takes linear time.
    ///
    /// # Panics
    /// If `starts` is empty, does not begin with 0, does not ascend strictly, or there are more than `u32::MAX`
    /// segments.
    #[must_use]
    pub fn new(starts: Vec<u64>) -> Segments {
        assert_eq!(starts.first(), Some(&0), "the first segment begins at row 0");
        assert!(starts.len() - 1 <= u32::MAX as usize, "{} segments are too many", starts.len() - 1);
        let ascends = starts.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(ascends, "segments have one row or more, and their starts ascend");
        let search = match starts.as_slice() {
            [_] | [_, _] => Search::One,
            [inner @ .., n_rows] => {
                let length = inner[1];
                let equal = inner.windows(2).all(|pair| pair[1] - pair[0] == length);
                let table = || Search::Table(Table::new(inner, *n_rows));
                match *n_rows {
                    _ if !equal => table(),
                    n if n <= 1 << 31 => Divisor::new(length).map_or_else(table, Search::Equal),
                    n if n <= 1 << 63 => Divisor::new(length).map_or_else(table, Search::EqualOfMany),
                    _ => table(),
                }
            }
            [] => unreachable!("there is a first start"),
        };
        Segments { starts, search }
    }

    /// How many segments there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none, and so no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rows there are.
    #[must_use]
    pub fn n_rows(&self) -> u64 {
        self.starts[self.len()]
    }

    /// The first row of each segment and, last, the number of rows.
    #[must_use]
    pub fn starts(&self) -> &[u64] {
        &self.starts
    }

    /// The rows of a segment.
    ///
    /// # Panics
    /// If there is no such segment.
    #[must_use]
    pub fn rows(&self, segment: usize) -> Range<u64> {
        self.starts[segment]..self.starts[segment + 1]
    }

    /// The segment of `row`; any segment, if there is no such row.
    #[must_use]
    #[inline]
    pub fn find(&self, row: u64) -> usize {
        match &self.search {
            Search::One => 0,
            Search::Equal(divisor) => divisor.segment(row, self.last()) as usize,
            Search::EqualOfMany(divisor) => divisor.segment(row, self.last()) as usize,
            Search::Table(table) => {
                let mut segment = [0];
                table.find_all(&self.starts, &[row], &mut segment);
                segment[0] as usize
            }
        }
    }

    /// The segment of each row, in any order. A row that is not there gets any segment.
    ///
    /// # Panics
    /// If `out` has not the length of `rows`.
    pub fn find_all(&self, rows: &[u64], out: &mut [u32]) {
        assert_eq!(rows.len(), out.len(), "as many segments as rows");
        match &self.search {
            Search::One => out.fill(0),
            Search::Equal(divisor) => match isa::active() {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the active instruction set is available.
                Isa::Avx512 => unsafe { divide_avx512(divisor, rows, self.last(), out) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the active instruction set is available.
                Isa::Avx2 => unsafe { divide_avx2(divisor, rows, self.last(), out) },
                _ => divisor.segments(rows, self.last(), out),
            },
            Search::EqualOfMany(divisor) => divisor.segments(rows, self.last(), out),
            Search::Table(table) => table.find_all(&self.starts, rows, out),
        }
    }

    /// The segment of each row, in ascending order; duplicates are fine. Rows that do not ascend take longer, those that
    /// are not there get any segment.
    ///
    /// # Panics
    /// If `out` has not the length of `rows`.
    pub fn find_sorted(&self, rows: &[u64], out: &mut [u32]) {
        assert_eq!(rows.len(), out.len(), "as many segments as rows");
        let (&[first, ..], &[.., last]) = (rows, rows) else { return };
        let (low, high) = (self.find(first), self.find(last));
        if low == high && self.hold(low, rows) {
            out.fill(low as u32);
            return;
        }
        // Where rows change segments all the time, the walk would stumble at every other row.
        if high.abs_diff(low) > rows.len() / WALK_ROWS {
            self.find_all(rows, out);
            return;
        }
        let mut segment = low;
        let mut here = self.rows(segment);
        for (out, &row) in out.iter_mut().zip(rows) {
            if !here.contains(&row) {
                let next = (segment + 1).min(self.len() - 1);
                segment = if self.rows(next).contains(&row) { next } else { self.find(row) };
                here = self.rows(segment);
            }
            *out = segment as u32;
        }
    }

    /// Cuts ascending rows into runs that share a segment, and calls `f` with each segment and the positions of its rows.
    /// False, and nothing was called, if the rows do not ascend or are not there, or runs are too short on average to be
    /// worth it.
    pub fn each_run(&self, rows: &[u64], mut f: impl FnMut(usize, Range<usize>)) -> bool {
        let (&[first, ..], &[.., last]) = (rows, rows) else { return true };
        let (low, high) = (self.find(first), self.find(last));
        if low > high || high - low > rows.len() / RUN_ROWS || !rows.is_sorted() {
            return false;
        }
        if !self.rows(low).contains(&first) || !self.rows(high).contains(&last) {
            return false;
        }
        let mut from = 0;
        while from < rows.len() {
            let segment = if from == 0 { low } else { self.find(rows[from]) };
            let end = self.starts[segment + 1];
            let len = match segment == high {
                true => rows.len() - from,
                false => rows[from..].partition_point(|&row| row < end),
            };
            f(segment, from..from + len);
            from += len;
        }
        true
    }

    /// Whether all rows are a segment's.
    fn hold(&self, segment: usize, rows: &[u64]) -> bool {
        let here = self.rows(segment);
        rows.iter().fold(true, |all, row| all & here.contains(row))
    }

    /// The last segment; not to be asked if there is none.
    fn last(&self) -> u32 {
        self.starts.len() as u32 - 2
    }
}

/// Rows that have to share a segment, on average, for a walk to be worth it.
const WALK_ROWS: usize = 4;

/// Rows that have to share a segment, on average, to be walked over by themselves.
const RUN_ROWS: usize = 64;

/// Division by multiplication: `row / d = (row * m) >> s`, exact for all rows below 2^BITS.
///
/// With `2^l >= d` the smallest such power, `s = BITS + l` and `m = floor(2^s / d) + 1`, there is an `e` with
/// `m * d = 2^s + e` and `0 < e <= d <= 2^l`. So
///
/// ```text
/// row * m / 2^s = row / d + (row * e) / (d * 2^s)
/// ```
///
/// where for `row < 2^BITS` the second term is less than `1 / d`: too little to lift `row / d`, a multiple of
/// `1 / d`, to the next whole number. `m` fits into `BITS + 1` bits: for a power of two it is `2^BITS + 1`, and for
/// other `d` below 2^BITS, where `2^l <= 2 * (d - 1)`, `2^s / d` is at most `2^(BITS + 1) - 2^(BITS + 1) / d`,
/// which is less than `2^(BITS + 1) - 2`.
///
/// For up to 2^31 rows `m` has 32 bits and the product 64, which is a multiplication that vectors have.
#[derive(Clone, Copy, Debug)]
struct Divisor<const BITS: u32> {
    multiplier: u64,
    shift: u32,
}

impl<const BITS: u32> Divisor<BITS> {
    /// `None` for 0 and 1, and for what no row but 0 is a multiple of.
    fn new(d: u64) -> Option<Divisor<BITS>> {
        const { assert!(BITS == 31 || BITS == 63, "half of a register or all of it, less the bit that m takes") };
        if d < 2 || d >= 1 << BITS {
            return None;
        }
        let shift = BITS + d.next_power_of_two().trailing_zeros();
        let multiplier = ((1_u128 << shift) / u128::from(d) + 1) as u64;
        Some(Divisor { multiplier, shift })
    }

    /// `row / d`, but at most `last`: the last segment may be longer, and whatever the row, the answer is a
    /// segment.
    #[inline(always)]
    fn segment(&self, row: u64, last: u32) -> u32 {
        if BITS == 31 {
            let product = u64::from(row as u32) * u64::from(self.multiplier as u32);
            ((product >> self.shift) as u32).min(last)
        } else {
            let product = u128::from(row) * u128::from(self.multiplier);
            // The shift is at least 64, as d is at least 2.
            (((product >> 64) as u64) >> (self.shift - 64)).min(u64::from(last)) as u32
        }
    }

    #[inline(always)]
    fn segments(&self, rows: &[u64], last: u32, out: &mut [u32]) {
        for (out, &row) in out.iter_mut().zip(rows) {
            *out = self.segment(row, last);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn divide_avx2(divisor: &Divisor<31>, rows: &[u64], last: u32, out: &mut [u32]) {
    divisor.segments(rows, last, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn divide_avx512(divisor: &Divisor<31>, rows: &[u64], last: u32, out: &mut [u32]) {
    divisor.segments(rows, last, out);
}

/// Where to search for a row.
#[derive(Clone, Debug)]
struct Table {
    /// Row `r` is in one of the `width` segments from `first[r >> shift]` on, all of which exist.
    first: Vec<u32>,
    shift: u32,
    width: u32,
}

impl Table {
    /// `inner` has the starts of the segments.
    fn new(inner: &[u64], n_rows: u64) -> Table {
        // One to two entries a segment.
        let shift = (n_rows / inner.len() as u64).ilog2();
        let entries = ((n_rows - 1) >> shift) + 1;
        let mut first = Vec::with_capacity(entries as usize);
        let mut segment = 0;
        for entry in 0..entries {
            let row = entry << shift;
            while segment + 1 < inner.len() && inner[segment + 1] <= row {
                segment += 1;
            }
            first.push(segment as u32);
        }
        let last = inner.len() as u32 - 1;
        let ends = first.iter().skip(1).chain([&last]);
        let widest = first.iter().zip(ends).map(|(first, end)| end - first).max().unwrap_or(0);
        // Close to the end, begin earlier rather than search less.
        first.iter_mut().for_each(|first| *first = (*first).min(last - widest));
        Table { first, shift, width: widest + 1 }
    }

    #[inline]
    fn find_all(&self, starts: &[u64], rows: &[u64], out: &mut [u32]) {
        let (groups, rest) = rows.as_chunks::<TOGETHER>();
        let (out_groups, out_rest) = out.as_chunks_mut::<TOGETHER>();
        for (rows, out) in groups.iter().zip(out_groups) {
            *out = self.find_together(starts, rows);
        }
        for (&row, out) in rest.iter().zip(out_rest) {
            [*out] = self.find_together(starts, &[row]);
        }
    }

    /// `N` searches side by side. `starts` are those that the table was made of.
    #[inline(always)]
    fn find_together<const N: usize>(&self, starts: &[u64], rows: &[u64; N]) -> [u32; N] {
        let end = self.first.len() - 1;
        let mut low = rows.map(|row| self.first[((row >> self.shift) as usize).min(end)]);
        let mut left = self.width;
        while left > 1 {
            let half = left / 2;
            for i in 0..N {
                // SAFETY: `left` segments from `low` on exist and `half` is less than `left`, so `low + half`
                // is a segment and has a start.
                let start = unsafe { *starts.get_unchecked((low[i] + half) as usize) };
                low[i] = select_unpredictable(start <= rows[i], low[i] + half, low[i]);
            }
            left -= half;
        }
        low
    }
}

/// Searches that are under way at once.
const TOGETHER: usize = 8;

#[cfg(test)]
#[path = "segments_tests.rs"]
mod tests;
