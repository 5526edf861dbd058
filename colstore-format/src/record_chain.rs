//! The chain of records without the counters: which whole records follow one another, whatever is committed of them.

use crate::constants::RECORD_ALIGNMENT;
use crate::error::{Error, Result};
use crate::record::{Record, RecordHeader, truncated};
use crate::schema::Schema;

/// A walk like [`RecordWalk`](crate::RecordWalk) that needs no counters: it goes on for as long as there are whole records.
///
/// The caller fetches the 32 bytes at [`end`](RecordChain::end) and hands them to [`push`](RecordChain::push) until that fails. Every
/// record takes at least 32 bytes of the file, so the walk ends.
///
/// ```
/// use colstore_format::{Column, DType, RecordChain, RecordHeader, Schema};
///
/// let schema = Schema::new(vec![Column::new("x", DType::parse("<i4")?)])?;
/// // Records of 2 and of 9 rows, of which the second is cut off, 64 bytes into the file.
/// let mut chain = RecordChain::new(&schema, 64, 64 + 40 + 50);
/// let record = chain.push(&RecordHeader { index: 0, n_rows: 2 }.encode())?;
/// assert_eq!((record.body_offset, record.n_rows), (96, 2));
/// assert!(chain.push(&RecordHeader { index: 1, n_rows: 9 }.encode()).is_err());
/// assert_eq!((chain.n_records(), chain.n_rows(), chain.end()), (1, 2, 104));
/// # Ok::<(), colstore_format::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordChain<'a> {
    schema: &'a Schema,
    file_size: u64,
    n_records: u64,
    n_rows: u64,
    end: u64,
}

impl<'a> RecordChain<'a> {
    /// Starts at `data_offset`, where the first record of a file of `file_size` bytes is.
    pub fn new(schema: &'a Schema, data_offset: u64, file_size: u64) -> RecordChain<'a> {
        RecordChain { schema, file_size, n_records: 0, n_rows: 0, end: data_offset }
    }

    /// Takes the next record header: exactly 32 bytes, or fewer if the file ends before. After a failure the chain ends where it did
    /// before.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the header is cut off, damaged or missing, if the body does not lie inside the file,
    /// or if there would be more than 2⁶³ - 1 rows.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Record> {
        let at = self.end;
        let header = bytes.try_into().map_err(|_| truncated(self.n_records, at, bytes.len()))?;
        let RecordHeader { index, n_rows } = RecordHeader::parse(header, self.n_records, at)?;
        let body_offset = at.checked_add(RecordHeader::LEN as u64);
        let body_size = self.schema.body_size(n_rows).ok();
        let end = body_offset.zip(body_size).and_then(|(offset, size)| offset.checked_add(size));
        let (Some(body_offset), Some(end)) = (body_offset, end.filter(|end| *end <= self.file_size)) else {
            return Err(Error::malformed_at(
                at,
                format_args!(
                    "the body of record {index} is cut off: {n_rows} rows of {} bytes do not fit in a file of {} bytes",
                    self.schema.row_width(),
                    self.file_size
                ),
            ));
        };
        let first_row = self.n_rows;
        let sum = first_row.checked_add(n_rows).filter(|sum| i64::try_from(*sum).is_ok());
        self.n_rows = sum.ok_or_else(|| {
            let message = format_args!("the records up to number {index} hold more rows than can be counted");
            Error::malformed_at(at, message)
        })?;
        self.end = end;
        self.n_records += 1;
        Ok(Record { body_offset, n_rows, first_row })
    }

    /// The columns.
    pub fn schema(&self) -> &'a Schema {
        self.schema
    }

    /// The number of records so far.
    pub fn n_records(&self) -> u64 {
        self.n_records
    }

    /// The number of their rows.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Where the last of them ends, in bytes from the start of the file, and the next one would start.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// How many zero bytes end a body of `n_rows` rows: fewer than 8. The body must have been found to fit in a file.
    pub fn padding(&self, n_rows: u64) -> u64 {
        let values = n_rows.wrapping_mul(self.schema.row_width());
        values.wrapping_neg() % RECORD_ALIGNMENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::schema::Column;

    fn schema(dtypes: &[&str]) -> Schema {
        let columns = dtypes.iter().enumerate();
        Schema::new(columns.map(|(i, d)| Column::new(format!("c{i}"), DType::parse(d).unwrap())).collect())
            .unwrap()
    }

    #[test]
    fn it_takes_what_is_whole_and_stays_where_it_was_otherwise() {
        let schema = schema(&["<i4", "|S1"]);
        let mut chain = RecordChain::new(&schema, 128, 128 + 40 + 32 + 48);
        for (n_rows, padding, end) in [(1, 3, 168), (0, 0, 200)] {
            let index = chain.n_records();
            chain.push(&RecordHeader { index, n_rows }.encode()).unwrap();
            assert_eq!((chain.padding(n_rows), chain.end()), (padding, end));
        }
        let good = RecordHeader { index: 2, n_rows: 3 }.encode();
        let mut damaged = good;
        damaged[13] ^= 1;
        let wrong = [
            good[..31].to_vec(),
            damaged.to_vec(),
            RecordHeader { index: 3, n_rows: 3 }.encode().to_vec(),
            RecordHeader { index: 2, n_rows: 4 }.encode().to_vec(),
            RecordHeader { index: 2, n_rows: u64::MAX / 2 }.encode().to_vec(),
        ];
        for bytes in wrong {
            assert!(chain.push(&bytes).is_err());
            assert_eq!((chain.n_records(), chain.n_rows(), chain.end()), (2, 1, 200));
        }
        assert_eq!(chain.push(&good), Ok(Record { body_offset: 232, n_rows: 3, first_row: 1 }));
        assert_eq!((chain.n_records(), chain.n_rows(), chain.end()), (3, 4, 248));
        assert!(chain.push(&[]).is_err());
    }

    #[test]
    fn rows_of_no_columns_are_counted_no_further_than_can_be() {
        let schema = schema(&[]);
        let mut chain = RecordChain::new(&schema, 64, 1024);
        let largest = i64::MAX as u64;
        chain.push(&RecordHeader { index: 0, n_rows: largest }.encode()).unwrap();
        assert!(chain.push(&RecordHeader { index: 1, n_rows: 1 }.encode()).is_err());
        assert_eq!((chain.n_records(), chain.n_rows()), (1, largest));
        chain.push(&RecordHeader { index: 1, n_rows: 0 }.encode()).unwrap();
    }
}
