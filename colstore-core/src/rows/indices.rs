//! Row numbers, one by one.

use std::marker::PhantomData;
use std::sync::Arc;

use colstore_kernels::budget;
use colstore_kernels::index::{self, IndexSlice, IndexType, Shape};

use super::{Rows, Selection};
use crate::error::{Error, ErrorKind, Result};

/// Row numbers, of ours or of the caller's.
#[derive(Debug, Clone)]
pub(crate) enum Indices<'a> {
    Owned(Arc<[u64]>),
    /// Memory of the caller's. It was examined, but is checked again wherever it is loaded.
    Borrowed(IndexSlice, PhantomData<&'a [u64]>),
}

// SAFETY: borrowed memory is only ever read, and `'a` keeps it readable.
unsafe impl Send for Indices<'_> {}
// SAFETY: as for Send.
unsafe impl Sync for Indices<'_> {}

impl Indices<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Indices::Owned(rows) => rows.len(),
            Indices::Borrowed(slice, _) => slice.len,
        }
    }

    /// Loads rows `from..from + out.len()` of them, all below `n_rows`.
    pub(crate) fn load(&self, from: usize, n_rows: u64, out: &mut [u64]) -> Result<()> {
        match self {
            Indices::Owned(rows) => {
                out.copy_from_slice(&rows[from..from + out.len()]);
                Ok(())
            }
            Indices::Borrowed(slice, _) => {
                assert!(from + out.len() <= slice.len);
                // SAFETY: the positions are among the slice's, which `'a` keeps readable.
                let loaded = unsafe { index::load(slice, from, n_rows, out) };
                loaded.map_err(|bad| {
                    // Others before it may not have been looked at.
                    // SAFETY: as above.
                    let first = unsafe { index::examine(slice, n_rows, 1) }.err();
                    out_of_bounds(&first.unwrap_or(bad), n_rows)
                })
            }
        }
    }
}

/// What is known of the order of indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// They ascend; some may be equal.
    Ascending,
    /// The first ones ascend. The others have not been looked at.
    Presumed,
    /// None.
    Any,
}

impl Order {
    pub(super) fn of(sorted: bool) -> Order {
        if sorted { Order::Ascending } else { Order::Any }
    }

    /// Whether to read as if they ascended. What does so has to come out right if they do not.
    pub(crate) fn seems_ascending(self) -> bool {
        self != Order::Any
    }
}

/// More indices than this take longer to look through than to look at the beginning of.
const SAMPLE: usize = 4096;

impl<'a> Rows<'a> {
    /// Rows by position, in the order given; negative ones count from the end. The memory stays borrowed.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](ErrorKind::OutOfBounds) naming the first position that is not there.
    pub fn indices<I: Index>(n_rows: u64, indices: &'a [I]) -> Result<Rows<'a>> {
        let slice = IndexSlice {
            data: indices.as_ptr().cast(),
            len: indices.len(),
            stride: size_of::<I>() as isize,
            index_type: I::TYPE,
        };
        // SAFETY: the slice is borrowed for `'a`.
        unsafe { Rows::indices_raw(n_rows, slice) }
    }

    /// [`indices`](Rows::indices) over memory at any alignment and stride.
    ///
    /// # Safety
    ///
    /// All indices must stay readable for `'a`. Should they change after the call, reads give other rows or an
    /// error, but never touch what is not there.
    ///
    /// # Errors
    ///
    /// As [`indices`](Rows::indices).
    pub unsafe fn indices_raw(n_rows: u64, indices: IndexSlice) -> Result<Rows<'a>> {
        let bytes = indices.len as u64 * 8;
        let threads = budget::threads_for(bytes, budget::default_threads());
        // SAFETY: the caller's promise.
        let shape = unsafe { index::examine(&indices, n_rows, threads) };
        match shape.map_err(|e| out_of_bounds(&e, n_rows))? {
            _ if indices.len == 0 => Ok(Rows::progression(n_rows, 0, 1, 0)),
            Shape { progression: Some((first, step)), .. } => {
                Ok(Rows::progression(n_rows, first, step, indices.len as u64))
            }
            Shape { sorted, .. } => Ok(Rows::borrowed(n_rows, indices, Order::of(sorted))),
        }
    }

    /// [`indices_raw`](Rows::indices_raw) for a selection that is used once: of many indices only the first thousands
    /// are looked at, unless those are evenly spaced. The others are checked when they are loaded. So the error for an
    /// index that is not there, the same as else, may come from the read, which may have written other rows by then.
    ///
    /// # Safety
    ///
    /// As [`indices_raw`](Rows::indices_raw).
    ///
    /// # Errors
    ///
    /// As [`indices_raw`](Rows::indices_raw), for the indices that are looked at.
    pub unsafe fn indices_once(n_rows: u64, indices: IndexSlice) -> Result<Rows<'a>> {
        if indices.len > SAMPLE {
            // SAFETY: the caller's promise, for the first of the indices.
            let shape = unsafe { index::examine(&IndexSlice { len: SAMPLE, ..indices }, n_rows, 1) }
                .map_err(|e| out_of_bounds(&e, n_rows))?;
            if shape.progression.is_none() {
                let order = if shape.sorted { Order::Presumed } else { Order::Any };
                return Ok(Rows::borrowed(n_rows, indices, order));
            }
        }
        // SAFETY: the caller's promise, word for word.
        unsafe { Rows::indices_raw(n_rows, indices) }
    }

    fn borrowed(n_rows: u64, indices: IndexSlice, order: Order) -> Rows<'a> {
        let indices = Indices::Borrowed(indices, PhantomData);
        Rows { n_rows: Some(n_rows), selection: Selection::Indices { indices, order } }
    }
}

/// An integer type that rows may be given in.
pub trait Index: Copy + sealed::Sealed {
    #[doc(hidden)]
    const TYPE: IndexType;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! index_types {
    ($($type:ty: $variant:ident),*) => {$(
        impl sealed::Sealed for $type {}
        impl Index for $type {
            const TYPE: IndexType = IndexType::$variant;
        }
    )*};
}

index_types!(i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64);

/// The error for an index that is out of bounds.
fn out_of_bounds(error: &index::OutOfBounds, n_rows: u64) -> Error {
    let index::OutOfBounds { position, value } = *error;
    let message = format!(
        "row {value}, at position {position} of the indices, is out of bounds: there are {n_rows} rows"
    );
    Error::new(ErrorKind::OutOfBounds, message).with_row(clamp(value))
}

/// A row for an error, as near as its type has it.
pub(super) fn clamp(row: i128) -> i64 {
    row.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}
