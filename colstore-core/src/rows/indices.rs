//! Row numbers, one by one.

use std::marker::PhantomData;
use std::sync::Arc;

use colstore_kernels::index::{self, IndexSlice, IndexType};

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
pub(super) fn out_of_bounds(error: &index::OutOfBounds, n_rows: u64) -> Error {
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
