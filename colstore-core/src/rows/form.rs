//! What a selection came to, for callers who treat its forms apart, and its rows one by one.

use std::ops::Range;

use super::mask::BLOCK_ROWS;
use super::{Order, Rows, Selection, nth};
use crate::error::{Error, ErrorKind, Result};

/// The form a selection was brought into. Whatever it was made from, rows that are evenly spaced are a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Row `first` and every `step`-th one from there; the step is not 0, and 1 if there is at most one row.
    Range {
        /// The first row; 0 if there are none.
        first: u64,
        /// Rows from one to the next, negative for descending ones.
        step: i64,
    },
    /// Rows one by one.
    Indices {
        /// Whether they are known to ascend; some may be equal.
        sorted: bool,
    },
    /// The rows whose bit is set.
    Mask,
}

impl Rows<'_> {
    /// The number of rows that are selected from; `None` for a range of numbers, which is checked when it is used.
    pub fn n_rows(&self) -> Option<u64> {
        self.n_rows
    }

    /// The form of the selection.
    pub fn form(&self) -> Form {
        match &self.selection {
            Selection::Range { first, step, .. } => Form::Range { first: *first, step: *step },
            Selection::Unchecked(range) => Form::Range { first: range.start, step: 1 },
            Selection::Indices { order, .. } => Form::Indices { sorted: *order == Order::Ascending },
            Selection::Mask(_) => Form::Mask,
        }
    }

    /// The selected rows at positions `range`, checked again where they are borrowed.
    pub(super) fn load(&self, range: Range<u64>) -> Result<Vec<u64>> {
        let mut rows = vec![0; (range.end - range.start) as usize];
        self.positions(range.start, &mut rows)?;
        Ok(rows)
    }

    /// Writes the numbers of `out.len()` selected rows, from position `start` of the selection on.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) if there are fewer, or if borrowed indices have changed and are no
    /// rows any more, which leaves `out` partly written.
    pub fn positions(&self, start: u64, out: &mut [u64]) -> Result<()> {
        let len = self.len();
        let end = start.checked_add(out.len() as u64).filter(|&end| end <= len).ok_or_else(|| {
            let message =
                format!("{} positions from {start} on are out of bounds: {len} rows are selected", out.len());
            Error::new(ErrorKind::OutOfBounds, message)
        })?;
        match &self.selection {
            Selection::Range { first, step, .. } => fill(out, start..end, |i| nth(*first, *step, i)),
            Selection::Unchecked(range) => fill(out, start..end, |i| range.start + i),
            Selection::Indices { indices, .. } => {
                indices.load(start as usize, self.n_rows.unwrap_or(u64::MAX), out)?;
            }
            Selection::Mask(mask) => {
                // Some at a time, for the scratch of a mask is bounded by what is asked of it.
                let mut from = start;
                for out in out.chunks_mut(BLOCK_ROWS) {
                    let to = from + out.len() as u64;
                    out.copy_from_slice(&mask.positions(from..to));
                    from = to;
                }
            }
        }
        Ok(())
    }
}

fn fill(out: &mut [u64], positions: Range<u64>, row: impl Fn(u64) -> u64) {
    for (out, i) in out.iter_mut().zip(positions) {
        *out = row(i);
    }
}

#[cfg(test)]
mod tests {
    use colstore_kernels::index::{IndexSlice, IndexType};

    use super::*;

    #[test]
    fn positions_are_those_of_the_selection_in_every_form() {
        let n_rows = 200_000;
        let scattered: Vec<i64> = (0..5000).map(|i| i * i % 1999 - 999).collect();
        let bytes: Vec<u8> = (0..n_rows).map(|row| u8::from(row % 3 != 1)).collect();
        let selections = [
            Rows::all(n_rows),
            Rows::range(n_rows, 150_000, -1, -7).unwrap(),
            Rows::indices(n_rows, &scattered).unwrap(),
            Rows::indices(n_rows, &scattered).unwrap().into_owned(),
            Rows::mask(n_rows, &bytes).unwrap(),
            Rows::from(5..150_000),
        ];
        for rows in &selections {
            let len = rows.len();
            for range in [0..len, 0..0, len..len, 1..len - 1, len / 2..len / 2 + 3] {
                let mut out = vec![0; (range.end - range.start) as usize];
                rows.positions(range.start, &mut out).unwrap();
                assert_eq!(out, rows.to_vec(range), "{:?}", rows.form());
            }
            assert_eq!(rows.positions(len, &mut [0]).unwrap_err().kind(), ErrorKind::OutOfBounds);
            assert_eq!(rows.positions(u64::MAX, &mut [0]).unwrap_err().kind(), ErrorKind::OutOfBounds);
        }
    }

    #[test]
    fn borrowed_indices_that_became_wrong_are_found() {
        let mut indices = [5i64, 1, 5, 7];
        let slice =
            IndexSlice { data: indices.as_mut_ptr().cast(), len: 4, stride: 8, index_type: IndexType::I64 };
        // SAFETY: the array outlives the selection.
        let rows: Rows<'_> = unsafe { Rows::indices_raw(10, slice) }.unwrap();
        let backwards = Rows::range(4, 3, -1, -1).unwrap();
        let outer = Rows::indices(10, &[9u8, 1, 4, 4, 4, 2, 2, 7, 3, 3]).unwrap();
        for wrong in [10, -11, i64::MAX, i64::MIN] {
            // SAFETY: as above; nobody has a reference to it.
            unsafe { slice.data.cast_mut().cast::<i64>().add(2).write(wrong) };
            assert_eq!(rows.positions(0, &mut [0; 4]).unwrap_err().kind(), ErrorKind::OutOfBounds);
            assert_eq!(rows.select(&backwards).unwrap_err().row(), Some(wrong));
            assert_eq!(outer.select(&rows).unwrap_err().row(), Some(wrong));
            assert_eq!(Rows::all(10).select(&rows).unwrap_err().row(), Some(wrong));
            assert_eq!(rows.to_vec(0..4), [0; 4]);
            assert_eq!(rows.clone().into_owned().to_vec(0..4), [0; 4]);
        }
    }

    #[test]
    fn evenly_spaced_rows_are_a_range() {
        let form = |rows: &[i64]| Rows::indices(10, rows).unwrap().form();
        assert_eq!(form(&[3, 4, 5]), Form::Range { first: 3, step: 1 });
        assert_eq!(form(&[-1, -3, -5]), Form::Range { first: 9, step: -2 });
        assert_eq!(form(&[7]), Form::Range { first: 7, step: 1 });
        assert_eq!(form(&[]), Form::Range { first: 0, step: 1 });
        assert_eq!(form(&[1, 1, 2]), Form::Indices { sorted: true });
        assert_eq!(form(&[2, 1, 2]), Form::Indices { sorted: false });
        assert_eq!(Rows::mask(3, &[0, 1, 1]).unwrap().form(), Form::Range { first: 1, step: 1 });
        assert_eq!(Rows::mask(3, &[1, 0, 1]).unwrap().form(), Form::Mask);
        assert_eq!(Rows::all(3).n_rows(), Some(3));
        assert_eq!(Rows::from(0..3).n_rows(), None);
    }
}
