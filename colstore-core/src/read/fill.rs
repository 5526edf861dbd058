//! Outputs that are computed rather than read: the same chunks on the same threads, filled by whoever has the values.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::result::Result;

use colstore_kernels::copy::{self, Stores};
use colstore_kernels::stride;

use super::output::check_output;
use super::run_chunks;
use crate::error::{Error, ErrorKind};
use crate::options::ReadOptions;
use crate::{memory, numa};

/// Where values that are computed go.
#[derive(Debug)]
pub enum FillOutput<'a> {
    /// Columns, packed each: item size and memory of exactly so many bytes a row.
    Columns(Vec<(usize, &'a mut [MaybeUninit<u8>])>),
    /// Records without gaps: the fields' item sizes in order, and memory of exactly as many bytes a row as all have.
    Records(&'a [usize], &'a mut [MaybeUninit<u8>]),
}

/// The part of the outputs that one chunk of rows is to fill.
#[derive(Debug)]
pub struct Fill<'a> {
    places: &'a [Place],
    rows: Range<u64>,
    stores: Stores,
}

/// One column of an output.
#[derive(Debug, Clone, Copy)]
struct Place {
    out: *mut u8,
    width: usize,
    stride: usize,
}

// SAFETY: the memory is borrowed exclusively for the whole call, and each row is written by the one chunk it is in.
unsafe impl Sync for Place {}

impl Fill<'_> {
    /// The rows to be filled.
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// Writes packed values of column `column` to rows `first` of the chunk and on, counted from the chunk's first.
    ///
    /// # Panics
    ///
    /// If there is no such column, the rows are not the chunk's, or the values are not whole.
    pub fn put(&mut self, column: usize, first: u64, values: &[u8]) {
        let place = &self.places[column];
        if values.is_empty() {
            return;
        }
        let n = values.len() / place.width;
        assert_eq!(n * place.width, values.len(), "whole values");
        let len = self.rows.end - self.rows.start;
        assert!(
            first <= len && n as u64 <= len - first,
            "{n} values from {first} on in a chunk of {len} rows"
        );
        let row = (self.rows.start + first) as usize;
        // SAFETY: these rows of the output, which holds all rows, are the chunk's, and a chunk is filled by one thread.
        unsafe {
            let dst = place.out.add(row * place.stride);
            if place.stride == place.width {
                copy::copy_with(self.stores, values.as_ptr(), dst, values.len());
            } else {
                stride::scatter(values.as_ptr(), dst, place.stride as isize, n, place.width);
            }
        }
    }
}

/// Has `work` fill `n_rows` rows of `output`, `chunk_rows` at a time, on as many threads as `bytes` bytes of work
/// deserve. Chunks come in no certain order; each must be filled as a whole.
///
/// # Errors
///
/// [`InvalidArgument`](ErrorKind::InvalidArgument) if an output has not exactly the bytes of the rows, before anything
/// is written; [`Cancelled`](ErrorKind::Cancelled); and the first failure of `work`. All but the first leave the output
/// partly written.
///
/// # Panics
///
/// If `chunk_rows` is 0.
pub fn fill<E: From<Error> + Send>(
    n_rows: u64,
    output: FillOutput<'_>,
    chunk_rows: u64,
    bytes: u64,
    options: &ReadOptions<'_>,
    work: &(dyn Fn(&mut Fill<'_>) -> Result<(), E> + Sync),
) -> Result<(), E> {
    assert!(chunk_rows > 0, "chunks have rows");
    let mut places = Vec::new();
    let mut total = 0;
    let mut prepare = |out: &mut [MaybeUninit<u8>]| {
        numa::spread(out.as_mut_ptr().cast(), out.len());
        memory::ask_for_huge_pages(out.as_ptr().cast(), out.len());
        total += out.len() as u64;
    };
    match output {
        FillOutput::Columns(columns) => {
            for (index, (width, out)) in columns.into_iter().enumerate() {
                check_output(out.len(), n_rows, width as u64, || format!("column {index}"))?;
                prepare(out);
                places.push(Place { out: out.as_mut_ptr().cast(), width, stride: width });
            }
        }
        FillOutput::Records(widths, out) => {
            let stride = widths.iter().try_fold(0_usize, |sum, &width| sum.checked_add(width));
            let stride = stride
                .ok_or_else(|| Error::new(ErrorKind::OutOfMemory, "a record of these fields is too large"))?;
            check_output(out.len(), n_rows, stride as u64, || "the records".into())?;
            prepare(out);
            let mut offset = 0;
            for &width in widths {
                places.push(Place { out: out.as_mut_ptr().cast::<u8>().wrapping_add(offset), width, stride });
                offset += width;
            }
        }
    }
    let n_chunks = usize::try_from(n_rows.div_ceil(chunk_rows))
        .map_err(|_| Error::new(ErrorKind::OutOfMemory, format!("{n_rows} rows are too many")))?;
    let stores = copy::stores_for(total);
    run_chunks(n_chunks, bytes, options, &|chunk| {
        let first = chunk as u64 * chunk_rows;
        work(&mut Fill { places: &places, rows: first..n_rows.min(first + chunk_rows), stores })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(fill: &mut Fill<'_>) -> crate::Result<()> {
        let rows = fill.rows();
        for row in rows.clone() {
            fill.put(0, row - rows.start, &(row as u16).to_le_bytes());
        }
        let wide: Vec<u8> = rows.flat_map(|row| [row as u8, 7, 8]).collect();
        fill.put(1, 0, &wide);
        Ok(())
    }

    #[test]
    fn chunks_fill_columns_and_records() {
        for (n_rows, chunk_rows) in [(0, 1), (1, 1), (1000, 7), (1000, 1000), (1000, 5000)] {
            let n = n_rows as usize;
            let narrow: Vec<u8> = (0..n_rows).flat_map(|row| (row as u16).to_le_bytes()).collect();
            let wide: Vec<u8> = (0..n_rows).flat_map(|row| [row as u8, 7, 8]).collect();
            let (mut a, mut b) = (vec![0; 2 * n], vec![0; 3 * n]);
            let columns = vec![(2, uninit(&mut a)), (3, uninit(&mut b))];
            fill(n_rows, FillOutput::Columns(columns), chunk_rows, u64::MAX, &ReadOptions::default(), &work)
                .unwrap();
            assert_eq!((&a, &b), (&narrow, &wide));
            let mut records = vec![0; 5 * n];
            let output = FillOutput::Records(&[2, 3], uninit(&mut records));
            fill(n_rows, output, chunk_rows, u64::MAX, &ReadOptions::default(), &work).unwrap();
            for (row, record) in records.chunks(5).enumerate() {
                assert_eq!(record[..2], narrow[2 * row..2 * row + 2]);
                assert_eq!(record[2..], wide[3 * row..3 * row + 3]);
            }
        }
    }

    #[test]
    fn wrong_sizes_and_failures_are_errors() {
        let mut a = vec![0; 9];
        let output = FillOutput::Columns(vec![(2, uninit(&mut a))]);
        let error = fill(5, output, 2, 0, &ReadOptions::default(), &work).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        let output = FillOutput::Columns(vec![(3, uninit(&mut a))]);
        let fails = |_: &mut Fill<'_>| Err(Error::new(ErrorKind::Io, "as asked"));
        assert_eq!(fill(3, output, 2, 0, &ReadOptions::default(), &fails).unwrap_err().kind(), ErrorKind::Io);
    }

    fn uninit(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
        // SAFETY: same memory, same layout; whoever gets it only writes initialised bytes.
        unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
    }
}
