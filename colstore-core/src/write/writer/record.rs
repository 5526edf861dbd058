//! One record on its way to the end of the file.

use std::ops::Range;

use colstore_format::{RecordHeader, Schema};

use super::WriterOptions;
use super::tail::{Loss, Refusal, Tail};
use crate::error::{Error, Result};
use crate::write::ColumnData;
use crate::write::body::{Body, BodyOptions};
use crate::write::extremes::{Extremes, extremes};

/// Records of up to so many bytes are gathered.
const SMALL: u64 = 64 << 10;
/// Records of so many bytes are written by several threads, where there are several.
const LARGE: u64 = 4 << 20;
/// The most zeros that a record ends with.
const PADDING: [u8; 8] = [0; 8];

/// A record whose values were checked.
pub(super) struct Record<'a> {
    schema: &'a Schema,
    header: [u8; RecordHeader::LEN],
    n_rows: u64,
    /// Of header, values and padding, in bytes.
    size: u64,
    values: Values<'a>,
}

/// The values of a record.
pub(super) enum Values<'a> {
    Columns(&'a [ColumnData<'a>]),
    /// As the file holds them.
    Packed(&'a [u8]),
}

/// Why a record was not written.
pub(super) enum Failure {
    /// For a reason of its own; the file is as it was before.
    Record(Error),
    /// Records before it were lost.
    Loss(Loss),
}

impl<'a> Record<'a> {
    /// Record number `index` of a file.
    pub(super) fn new(schema: &'a Schema, index: u64, n_rows: u64, values: Values<'a>) -> Result<Record<'a>> {
        let header = RecordHeader { index, n_rows }.encode();
        let size = RecordHeader::LEN as u64 + schema.body_size(n_rows)?;
        Ok(Record { schema, header, n_rows, size, values })
    }

    /// Its size in the file in bytes.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Adds it to `tail`. Gives the extremes of its columns, if the options ask for them.
    pub(super) fn write(
        &self,
        tail: &mut Tail,
        options: &WriterOptions,
    ) -> std::result::Result<Vec<Extremes>, Failure> {
        if self.size <= SMALL {
            return self.gather(tail, options);
        }
        tail.drain().map_err(Failure::Loss)?;
        let result = match &self.values {
            Values::Columns(columns) => self.write_columns(columns, tail, options),
            Values::Packed(body) => self.columns_of(body).and_then(|c| self.write_columns(&c, tail, options)),
        };
        result.map_err(Failure::Record)
    }

    /// Puts it into the buffer of small records.
    fn gather(
        &self,
        tail: &mut Tail,
        options: &WriterOptions,
    ) -> std::result::Result<Vec<Extremes>, Failure> {
        let mut found = Vec::new();
        let fill = |bytes: &mut [u8]| {
            let (header, body) = bytes.split_at_mut(RecordHeader::LEN);
            header.copy_from_slice(&self.header);
            let padding = (self.n_rows * self.schema.row_width()) as usize;
            match &self.values {
                Values::Columns(columns) => {
                    self.ranges().zip(*columns).for_each(|((_, range), c)| fill_stored(c, &mut body[range]));
                }
                Values::Packed(values) => body[..padding].copy_from_slice(values),
            }
            body[padding..].fill(0);
            if options.statistics {
                found = self.ranges().map(|(j, range)| extremes(self.dtype(j), &body[range])).collect();
            }
        };
        match tail.gather(self.n_rows, self.size as usize, options.max_threads, fill) {
            Ok(()) => Ok(found),
            Err(Refusal::This(e)) => Err(Failure::Record(Error::io("write", tail.path(), &e))),
            Err(Refusal::Earlier(loss)) => Err(Failure::Loss(loss)),
        }
    }

    /// Writes values from where they lie.
    fn write_columns(
        &self,
        columns: &[ColumnData<'_>],
        tail: &mut Tail,
        options: &WriterOptions,
    ) -> Result<Vec<Extremes>> {
        let values = self.n_rows * self.schema.row_width();
        let padding = &PADDING[..(self.size - RecordHeader::LEN as u64 - values) as usize];
        let path = tail.path().to_path_buf();
        if self.size >= LARGE {
            let body_options = BodyOptions {
                statistics: options.statistics,
                write_back: true,
                max_threads: options.max_threads,
                progress: options.progress.as_deref(),
            };
            return tail.write_with(self.size, |file, offset| {
                let body_offset = offset + RecordHeader::LEN as u64;
                let body = Body::new(columns, self.schema, body_offset);
                let found = body.write(file, &path, &body_options)?;
                file.write_all_at(&self.header, offset)
                    .and_then(|()| file.write_all_at(padding, body_offset + values))
                    .map_err(|e| Error::io("write", &path, &e))?;
                Ok(found)
            });
        }
        let rows = 0..self.n_rows;
        let packed: Vec<Vec<u8>> = columns
            .iter()
            .map(|column| {
                if column.stored_bytes(rows.clone()).is_some() {
                    return Vec::new();
                }
                let mut bytes = vec![0; self.n_rows as usize * column.dtype().itemsize()];
                fill_stored(column, &mut bytes);
                bytes
            })
            .collect();
        let mut pieces: Vec<&[u8]> = Vec::with_capacity(columns.len() + 2);
        pieces.push(&self.header);
        for (column, packed) in columns.iter().zip(&packed) {
            pieces.push(column.stored_bytes(rows.clone()).unwrap_or(packed));
        }
        let found = match options.statistics {
            true => pieces[1..].iter().enumerate().map(|(j, bytes)| extremes(self.dtype(j), bytes)).collect(),
            false => Vec::new(),
        };
        pieces.push(padding);
        tail.write(&pieces).map_err(|e| Error::io("write", &path, &e))?;
        Ok(found)
    }

    /// The columns of a body that is as the file holds it.
    fn columns_of<'b>(&self, body: &'b [u8]) -> Result<Vec<ColumnData<'b>>> {
        let columns = self.schema.columns().iter();
        let column = |(column, (_, range)): (&colstore_format::Column, (usize, Range<usize>))| {
            ColumnData::from_slice(column.name().clone(), column.dtype(), &body[range])
        };
        columns.zip(self.ranges()).map(column).collect()
    }

    /// Where the columns lie in the body.
    fn ranges(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let at = |j| (self.n_rows * self.schema.prefix_width(j)) as usize;
        (0..self.schema.len()).map(move |j| (j, at(j)..at(j + 1)))
    }

    fn dtype(&self, column: usize) -> colstore_format::DType {
        self.schema.columns()[column].dtype()
    }
}

/// Writes the values of a column to `out`, which has their size, as the file holds them.
fn fill_stored(column: &ColumnData<'_>, out: &mut [u8]) {
    let rows = 0..column.n_rows();
    if let Some(bytes) = column.stored_bytes(rows.clone()) {
        out.copy_from_slice(bytes);
        return;
    }
    assert_eq!(out.len(), column.n_rows() as usize * column.dtype().itemsize());
    // SAFETY: there is room for all values (asserted).
    unsafe { column.copy_stored(rows, out.as_mut_ptr()) };
}
