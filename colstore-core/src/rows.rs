//! Which rows of a table: all, a range with any step, positions in any order, or a mask.
//!
//! ```text
//!   positions ──examine──► first bad one: an error, before anything is written
//!                  │
//!                  ├─ an arithmetic progression ──► range
//!                  └─ else ───────────────────────► indices (ascending or not)
//!   mask ────pack─► bits and counts ── one run of set bits, or none ──► range
//!                                   └─ else ──────────────────────────► mask
//! ```
//!
//! A selection is checked once, when it is made; what reads it needs to know nothing but these three forms. One that is
//! used once may leave the check of many positions to the read (`indices_once`).

mod filled;
mod form;
mod indices;
mod mask;

use std::ops::Range;

pub use filled::BlockFill;
pub use form::Form;
pub use indices::Index;
use indices::clamp;
pub(crate) use indices::{Indices, Order};
pub(crate) use mask::Mask;

use crate::error::{Error, ErrorKind, Result};

/// A checked selection of rows, in order; a row may be selected more than once.
///
/// Made for tables of a certain number of rows, and good for any table of that many. A range of numbers
/// converts to a selection that is checked when it is used.
///
/// ```
/// use colstore_core::Rows;
///
/// let rows = Rows::indices(10, &[-1i64, 0, 3])?;
/// assert_eq!(rows.len(), 3);
/// assert_eq!(rows.to_vec(0..3), [9, 0, 3]);
/// let mask = [0u8, 1, 1];
/// assert_eq!(rows.select(&Rows::mask(3, &mask)?)?.to_vec(0..2), [0, 3]);
/// let error = Rows::indices(10, &[3u8, 10]).unwrap_err();
/// assert_eq!(error.row(), Some(10));
/// # Ok::<(), colstore_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    /// The number of rows that are selected from; unknown for a range that is yet to be checked.
    n_rows: Option<u64>,
    selection: Selection<'a>,
}

#[derive(Debug, Clone)]
pub(crate) enum Selection<'a> {
    /// Rows `first`, `first + step`, … `len` of them.
    Range { first: u64, step: i64, len: u64 },
    /// A range that is checked when it is used.
    Unchecked(Range<u64>),
    /// Rows one by one.
    Indices { indices: Indices<'a>, order: Order },
    /// The rows whose bit is set.
    Mask(Mask),
}

impl<'a> Rows<'a> {
    /// All of `n_rows` rows.
    pub fn all(n_rows: u64) -> Rows<'a> {
        Rows::progression(n_rows, 0, 1, n_rows)
    }

    /// Row `start` and every `step`-th one from there, as long as it is before `stop`: below it for a positive
    /// step, above it for a negative one (a `stop` of -1 reaches row 0).
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a step of 0, [`OutOfBounds`](ErrorKind::OutOfBounds)
    /// if a selected row is not there.
    pub fn range(n_rows: u64, start: i64, stop: i64, step: i64) -> Result<Rows<'a>> {
        if step == 0 {
            return Err(Error::new(ErrorKind::InvalidArgument, "a range of rows cannot have a step of 0"));
        }
        let (low, high) = if step > 0 { (start, stop) } else { (stop, start) };
        let span = i128::from(high) - i128::from(low);
        let len = if span <= 0 { 0 } else { (span as u128).div_ceil(u128::from(step.unsigned_abs())) as u64 };
        if len == 0 {
            return Ok(Rows::progression(n_rows, 0, 1, 0));
        }
        let last = i128::from(start) + i128::from(len - 1) * i128::from(step);
        for row in [i128::from(start), last] {
            if row < 0 || row >= i128::from(n_rows) {
                let message = format!(
                    "row {row} of the range {start}..{stop} is out of bounds: there are {n_rows} rows"
                );
                return Err(Error::new(ErrorKind::OutOfBounds, message).with_row(clamp(row)));
            }
        }
        Ok(Rows::progression(n_rows, start as u64, step, len))
    }

    /// The rows whose byte is not zero, one byte a row.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) if there are not as many bytes as rows.
    pub fn mask(n_rows: u64, bytes: &[u8]) -> Result<Rows<'static>> {
        // SAFETY: the bytes are borrowed for the call, which is all that is needed.
        unsafe { Rows::mask_raw(n_rows, bytes.as_ptr(), bytes.len(), 1) }
    }

    /// [`mask`](Rows::mask) over bytes `stride` apart.
    ///
    /// # Safety
    ///
    /// `len` bytes from `data` on, `stride` apart, must be readable during the call.
    ///
    /// # Errors
    ///
    /// As [`mask`](Rows::mask).
    pub unsafe fn mask_raw(n_rows: u64, data: *const u8, len: usize, stride: isize) -> Result<Rows<'static>> {
        check_mask_length(n_rows, len as u64)?;
        // SAFETY: the caller's promise.
        Ok(Rows::from_mask(n_rows, unsafe { Mask::pack(data, len, stride) }))
    }

    /// The rows whose bit is set: row `i` is bit `i % 8` of byte `i / 8`, the lowest bit first. Bits beyond the
    /// rows do not count.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) if there are not just as many bytes as the bits need.
    pub fn mask_bits(n_rows: u64, bits: &[u8]) -> Result<Rows<'static>> {
        if bits.len() as u64 != n_rows.div_ceil(8) {
            let message = format!(
                "mask length {} bytes does not match the {} bytes that {n_rows} rows need",
                bits.len(),
                n_rows.div_ceil(8)
            );
            return Err(Error::new(ErrorKind::OutOfBounds, message));
        }
        Ok(Rows::from_mask(n_rows, Mask::from_bits(bits, n_rows as usize)))
    }

    fn from_mask(n_rows: u64, mask: Mask) -> Rows<'static> {
        match mask.run() {
            Some(run) => Rows::progression(n_rows, run.start, 1, run.end - run.start),
            None => Rows { n_rows: Some(n_rows), selection: Selection::Mask(mask) },
        }
    }

    /// Rows that we know to be there.
    fn progression(n_rows: u64, first: u64, step: i64, len: u64) -> Rows<'a> {
        let step = if len <= 1 { 1 } else { step };
        Rows { n_rows: Some(n_rows), selection: Selection::Range { first, step, len } }
    }

    fn owned(n_rows: u64, rows: Vec<u64>) -> Rows<'static> {
        let order = Order::of(rows.is_sorted());
        let indices = Indices::Owned(rows.into());
        Rows { n_rows: Some(n_rows), selection: Selection::Indices { indices, order } }
    }

    /// The number of rows selected.
    pub fn len(&self) -> u64 {
        match &self.selection {
            Selection::Range { len, .. } => *len,
            Selection::Unchecked(range) => range.end.saturating_sub(range.start),
            Selection::Indices { indices, .. } => indices.len() as u64,
            Selection::Mask(mask) => mask.count(),
        }
    }

    /// Whether no row is selected.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of the selected rows come before row `row` in the table.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) if borrowed indices have changed and are no rows any more.
    ///
    /// ```
    /// use colstore_core::Rows;
    ///
    /// assert_eq!(Rows::mask(5, &[1, 0, 1, 1, 0])?.rank(3)?, 2);
    /// assert_eq!(Rows::range(5, 4, -1, -2)?.rank(3)?, 2);
    /// # Ok::<(), colstore_core::Error>(())
    /// ```
    pub fn rank(&self, row: u64) -> Result<u64> {
        let len = self.len();
        match &self.selection {
            Selection::Mask(mask) => Ok(mask.rank(row)),
            Selection::Unchecked(range) => {
                Ok(row.clamp(range.start, range.end.max(range.start)) - range.start)
            }
            Selection::Range { step, .. } => {
                // The number of leading rows before it, or of leading rows that are not.
                let is_before = |i: u64| self.nth_row(i).map(|other| (other < row) == (*step > 0));
                let leading = partition_point(len, is_before)?;
                Ok(if *step > 0 { leading } else { len - leading })
            }
            Selection::Indices { order: Order::Ascending, .. } => {
                partition_point(len, |i| Ok(self.nth_row(i)? < row))
            }
            Selection::Indices { .. } => {
                let mut rows = vec![0; len.min(4096) as usize];
                let mut found = 0;
                for start in (0..len).step_by(4096) {
                    let rows = &mut rows[..(len - start).min(4096) as usize];
                    self.positions(start, rows)?;
                    found += rows.iter().filter(|&&other| other < row).count() as u64;
                }
                Ok(found)
            }
        }
    }

    fn nth_row(&self, i: u64) -> Result<u64> {
        let mut row = [0];
        self.positions(i, &mut row)?;
        Ok(row[0])
    }

    pub(crate) fn selection(&self) -> &Selection<'a> {
        &self.selection
    }

    /// The rows as a range, if they lie side by side in ascending order. To be asked after [`check`](Rows::check).
    pub(crate) fn side_by_side(&self) -> Option<Range<u64>> {
        match &self.selection {
            Selection::Range { first, step: 1, len } => Some(*first..first + len),
            Selection::Unchecked(range) => Some(range.clone()),
            _ => None,
        }
    }

    /// Checks that the selection is one of a table of `n_rows` rows.
    pub(crate) fn check(&self, n_rows: u64) -> Result<()> {
        match (&self.selection, self.n_rows) {
            (Selection::Unchecked(range), _) => check_range(range, n_rows),
            (_, Some(made_for)) if made_for != n_rows => {
                let message = format!("the selection was made for {made_for} rows; the table has {n_rows}");
                Err(Error::new(ErrorKind::InvalidArgument, message))
            }
            _ => Ok(()),
        }
    }

    /// The selected rows at positions `range` of the selection; zeros if borrowed indices have changed and are no
    /// rows any more ([`positions`](Rows::positions) tells).
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the selection.
    pub fn to_vec(&self, range: Range<u64>) -> Vec<u64> {
        assert!(range.start <= range.end && range.end <= self.len(), "{range:?} of {} rows", self.len());
        let len = (range.end - range.start) as usize;
        match &self.selection {
            Selection::Range { first, step, .. } => range.map(|i| nth(*first, *step, i)).collect(),
            Selection::Unchecked(rows) => range.map(|i| rows.start + i).collect(),
            Selection::Indices { indices, .. } => {
                let mut rows = vec![0; len];
                // The rows have been examined; should the caller have changed them since to such as are not there,
                // what was loaded is worth nothing, and row 0 is there if any is.
                if indices.load(range.start as usize, self.n_rows.unwrap_or(u64::MAX), &mut rows).is_err() {
                    rows.fill(0);
                }
                rows
            }
            Selection::Mask(mask) => mask.positions(range),
        }
    }

    /// A selection of this selection: `inner` says which of its rows, by position.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) or [`InvalidArgument`](ErrorKind::InvalidArgument) if `inner` is
    /// no selection of as many rows as are selected here, or borrowed indices have changed and are no rows any more.
    pub fn select(&self, inner: &Rows<'_>) -> Result<Rows<'static>> {
        inner.check(self.len())?;
        let n_rows = self.n_rows.unwrap_or_else(|| self.bound());
        let outer = match &self.selection {
            Selection::Unchecked(range) => &Selection::Range { first: range.start, step: 1, len: self.len() },
            other => other,
        };
        let range = match &inner.selection {
            Selection::Range { first, step, len } => Some((*first, *step, *len)),
            Selection::Unchecked(range) => Some((range.start, 1, range.end - range.start)),
            _ => None,
        };
        Ok(match (outer, range, &inner.selection) {
            (_, Some((_, _, 0)), _) => Rows::progression(n_rows, 0, 1, 0),
            (Selection::Range { first, step, .. }, Some((start, inner_step, len)), _) => {
                Rows::progression(n_rows, nth(*first, *step, start), step.saturating_mul(inner_step), len)
            }
            (Selection::Range { first, step: 1, .. }, None, Selection::Mask(inner)) => {
                // Bits stay bits: nothing is needed that grows by eight bytes a row.
                let mask = inner.moved(*first as usize, n_rows as usize);
                Rows { n_rows: Some(n_rows), selection: Selection::Mask(mask) }
            }
            (Selection::Mask(outer), None, Selection::Mask(inner)) => {
                Rows::from_mask(n_rows, outer.nest(inner))
            }
            (Selection::Range { first, step, .. }, None, _) => {
                let positions = inner.load(0..inner.len())?;
                Rows::owned(n_rows, positions.into_iter().map(|i| nth(*first, *step, i)).collect())
            }
            (_, Some((start, 1, len)), _) => Rows::owned(n_rows, self.load(start..start + len)?),
            _ => {
                let rows = self.load(0..self.len())?;
                let positions = inner.load(0..inner.len())?;
                Rows::owned(n_rows, positions.into_iter().map(|i| rows[i as usize]).collect())
            }
        })
    }

    /// One more than the largest row an unchecked range selects.
    fn bound(&self) -> u64 {
        match &self.selection {
            Selection::Unchecked(range) => range.end,
            _ => 0,
        }
    }

    /// The same selection with memory of its own, so that nothing stays borrowed.
    pub fn into_owned(self) -> Rows<'static> {
        let n_rows = self.n_rows;
        let selection = match self.selection {
            Selection::Range { first, step, len } => Selection::Range { first, step, len },
            Selection::Unchecked(range) => Selection::Unchecked(range),
            Selection::Mask(mask) => Selection::Mask(mask),
            Selection::Indices { indices: Indices::Owned(rows), order } => {
                Selection::Indices { indices: Indices::Owned(rows), order }
            }
            Selection::Indices { indices: Indices::Borrowed(..), .. } => {
                return Rows::owned(n_rows.unwrap_or(0), self.to_vec(0..self.len()));
            }
        };
        Rows { n_rows, selection }
    }
}

impl From<Range<u64>> for Rows<'_> {
    fn from(range: Range<u64>) -> Self {
        Rows { n_rows: None, selection: Selection::Unchecked(range) }
    }
}

impl<'a> From<&Rows<'a>> for Rows<'a> {
    fn from(rows: &Rows<'a>) -> Rows<'a> {
        rows.clone()
    }
}

/// The first of `0..n` that `is_before` is false for, `n` if none; those that it is true for come first.
fn partition_point(n: u64, is_before: impl Fn(u64) -> Result<bool>) -> Result<u64> {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle)? { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

/// Row `i` of a progression that was checked.
pub(crate) fn nth(first: u64, step: i64, i: u64) -> u64 {
    first.wrapping_add_signed(step.wrapping_mul(i as i64))
}

fn check_range(range: &Range<u64>, n_rows: u64) -> Result<()> {
    if range.start <= range.end && range.end <= n_rows {
        return Ok(());
    }
    let outside = if range.start > range.end || range.start > n_rows { range.start } else { range.end };
    let message = format!(
        "rows {}..{} are out of bounds: there are {n_rows} rows, and a range begins at or before its end",
        range.start, range.end
    );
    Err(Error::new(ErrorKind::OutOfBounds, message).with_row(i64::try_from(outside).unwrap_or(i64::MAX)))
}

fn check_mask_length(n_rows: u64, len: u64) -> Result<()> {
    if len == n_rows {
        return Ok(());
    }
    let message = format!("mask length {len} does not match the number of rows, {n_rows}");
    Err(Error::new(ErrorKind::OutOfBounds, message))
}
