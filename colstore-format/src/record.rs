//! Records: the header before each block of rows, and the walk along the chain of them.
//!
//! ```text
//!  0  4 bytes "REC\x01"
//!  4  i64  index of the record, from 0
//! 12  i64  number of rows
//! 20  i64  zero, covered by the CRC, not checked
//! 28  u32  CRC-32 of bytes 0..28
//! 32  body: the columns one after the other, then zeros up to a multiple of 8
//! ```

use crate::constants::{COUNTERS_OFFSET, RECORD_MAGIC};
use crate::cursor::Cursor;
use crate::error::{Error, Result};
use crate::header::Header;

/// The 32 bytes before a record's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordHeader {
    /// The position of the record in the file, from 0.
    pub index: u64,
    /// The number of rows, at most 2⁶³ - 1.
    pub n_rows: u64,
}

impl RecordHeader {
    /// The size of the header in bytes.
    pub const LEN: usize = 32;

    /// The header as it stands in a file.
    pub fn encode(&self) -> [u8; RecordHeader::LEN] {
        let mut bytes = [0; RecordHeader::LEN];
        bytes[..4].copy_from_slice(&RECORD_MAGIC);
        bytes[4..12].copy_from_slice(&self.index.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.n_rows.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Whether the field of an intact header that is reserved is zero, as writers leave it; readers do not look at it.
    pub fn is_reserved_zero(bytes: &[u8; RecordHeader::LEN]) -> bool {
        bytes[20..28] == [0; 8]
    }

    /// Reads the header of record `expected_index`, which stands at byte `at_offset` of the file.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the magic, the index or the CRC is wrong or the number of rows is negative.
    pub fn parse(
        bytes: &[u8; RecordHeader::LEN],
        expected_index: u64,
        at_offset: u64,
    ) -> Result<RecordHeader> {
        let mut cursor = Cursor::new(bytes);
        let (Some(magic), Some(index), Some(n_rows), Some(_), Some(stored)) =
            (cursor.array::<4>(), cursor.u64(), cursor.i64(), cursor.u64(), cursor.u32())
        else {
            return Err(truncated(expected_index, at_offset, bytes.len()));
        };
        if magic != RECORD_MAGIC {
            return Err(Error::malformed_at(
                at_offset,
                format_args!(
                    "the header of record {expected_index} is missing: found {}",
                    magic.escape_ascii()
                ),
            ));
        }
        if index != expected_index {
            return Err(Error::malformed_at(
                at_offset.saturating_add(4),
                format_args!("record {expected_index} calls itself number {index}"),
            ));
        }
        let computed = crc32fast::hash(&bytes[..28]);
        if stored != computed {
            return Err(Error::malformed_at(
                at_offset.saturating_add(28),
                format_args!(
                    "the header of record {index} is damaged: its CRC is {stored:08x}, its bytes give {computed:08x}"
                ),
            ));
        }
        let n_rows = u64::try_from(n_rows).map_err(|_| {
            Error::malformed_at(
                at_offset.saturating_add(12),
                format_args!("record {index} claims {n_rows} rows"),
            )
        })?;
        Ok(RecordHeader { index, n_rows })
    }
}

pub(crate) fn truncated(index: u64, offset: u64, found: usize) -> Error {
    Error::malformed_at(
        offset,
        format_args!(
            "the file is cut off inside the header of record {index}: {found} of {} bytes",
            RecordHeader::LEN
        ),
    )
}

/// A record whose body lies inside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Where the body starts, in bytes from the start of the file.
    pub body_offset: u64,
    /// The number of rows.
    pub n_rows: u64,
    /// The number of rows in the records before.
    pub first_row: u64,
}

/// The walk along the record headers of a file, as a state machine that is fed bytes.
///
/// The caller fetches the 32 bytes at [`next_offset`](RecordWalk::next_offset) and hands them to [`push`](RecordWalk::push) until there is no next
/// offset, then calls [`finish`](RecordWalk::finish). Bodies are not needed, only the file's size.
#[derive(Clone, Debug)]
pub struct RecordWalk<'a> {
    header: &'a Header,
    file_size: u64,
    offset: u64,
    n_done: u64,
    n_rows: u64,
}

impl<'a> RecordWalk<'a> {
    /// Starts at the first record of a file of `file_size` bytes.
    pub fn new(header: &'a Header, file_size: u64) -> RecordWalk<'a> {
        RecordWalk { header, file_size, offset: header.data_offset(), n_done: 0, n_rows: 0 }
    }

    /// Where the next record header starts; `None` when all records have been seen.
    pub fn next_offset(&self) -> Option<u64> {
        (self.n_done < self.header.counters().n_records).then_some(self.offset)
    }

    /// Takes the next record header: exactly 32 bytes, or fewer if the file ends before.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if the header is cut off or damaged, if the body does not lie inside the file, if there
    /// are more rows than the counters say, or if there is no next record.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Record> {
        let at = self.offset;
        let n_records = self.header.counters().n_records;
        if self.n_done >= n_records {
            return Err(Error::malformed_at(
                at,
                format_args!("the file has no record beyond its {n_records}"),
            ));
        }
        let header = bytes.try_into().map_err(|_| truncated(self.n_done, at, bytes.len()))?;
        let RecordHeader { index, n_rows } = RecordHeader::parse(header, self.n_done, at)?;

        let body_offset = at.checked_add(RecordHeader::LEN as u64);
        let body_size = self.header.schema().body_size(n_rows).ok();
        let end = body_offset.zip(body_size).and_then(|(offset, size)| offset.checked_add(size));
        let (Some(body_offset), Some(end)) = (body_offset, end.filter(|end| *end <= self.file_size)) else {
            return Err(Error::malformed_at(
                at,
                format_args!(
                    "the body of record {index} is cut off: {n_rows} rows of {} bytes do not fit in a file of {} bytes",
                    self.header.schema().row_width(),
                    self.file_size
                ),
            ));
        };

        let first_row = self.n_rows;
        let committed = self.header.counters().committed_rows;
        self.n_rows = first_row.checked_add(n_rows).filter(|sum| *sum <= committed).ok_or_else(|| {
            Error::malformed_at(
                at,
                format_args!(
                    "the records up to number {index} hold more rows than the {committed} committed ones"
                ),
            )
        })?;
        self.offset = end;
        self.n_done += 1;
        Ok(Record { body_offset, n_rows, first_row })
    }

    /// Ends the walk and returns the committed end of the file, in bytes: where the last record stops.
    ///
    /// # Errors
    ///
    /// [`Malformed`](crate::ErrorKind::Malformed) if not all records were seen or their rows do not add up to the committed rows.
    pub fn finish(self) -> Result<u64> {
        let counters = self.header.counters();
        if self.n_done != counters.n_records {
            return Err(Error::malformed_at(
                self.offset,
                format_args!("the walk ended after {} of {} records", self.n_done, counters.n_records),
            ));
        }
        if self.n_rows != counters.committed_rows {
            return Err(Error::malformed_at(
                COUNTERS_OFFSET + 8,
                format_args!(
                    "the records hold {} rows, the counters say {}",
                    self.n_rows, counters.committed_rows
                ),
            ));
        }
        Ok(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counters;
    use crate::dtype::DType;
    use crate::header::Preamble;
    use crate::manifest::Manifest;
    use crate::schema::{Column, Schema};

    /// The header of a file of `<i4` and `|S8` (12 bytes a row) that claims these counts, as one of `file_size` bytes.
    fn header(n_records: u64, committed_rows: u64, file_size: u64) -> Header {
        let columns = [("a", "<i4"), ("b", "|S8")].map(|(n, d)| Column::new(n, DType::parse(d).unwrap()));
        let manifest = Manifest::new(Schema::new(columns.into()).unwrap());
        let bytes = Header::encode(&manifest, Counters { n_records, committed_rows, stats_offset: 0 });
        let preamble = Preamble::parse(&bytes, file_size).unwrap();
        Header::parse(&preamble, &bytes[80..80 + preamble.manifest_len() as usize], file_size).unwrap()
    }

    #[test]
    fn the_example_of_the_specification() {
        let bytes = RecordHeader { index: 0, n_rows: 5 }.encode();
        assert_eq!(bytes[28..], 0xb10a_0791u32.to_le_bytes());
        assert_eq!(RecordHeader::parse(&bytes, 0, 256), Ok(RecordHeader { index: 0, n_rows: 5 }));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let good = RecordHeader { index: 3, n_rows: 1000 }.encode();
        for bit in 0..8 * RecordHeader::LEN {
            let mut bytes = good;
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = RecordHeader::parse(&bytes, 3, 512).unwrap_err();
            assert!((512..544).contains(&error.offset().unwrap()));
        }
        assert!(RecordHeader::parse(&good, 2, 512).is_err());
    }

    #[test]
    fn a_walk() {
        let (rows, size) = ([5, 0, 2], 1000);
        let header = header(3, 7, size);
        let mut walk = RecordWalk::new(&header, size);
        let mut offset = header.data_offset();
        let mut first_row = 0;
        for (index, n_rows) in (0..).zip(rows) {
            assert_eq!(walk.next_offset(), Some(offset));
            let record = walk.push(&RecordHeader { index, n_rows }.encode()).unwrap();
            assert_eq!(record, Record { body_offset: offset + 32, n_rows, first_row });
            offset += 32 + (12 * n_rows).next_multiple_of(8);
            first_row += n_rows;
        }
        assert_eq!(walk.next_offset(), None);
        assert!(walk.clone().push(&RecordHeader { index: 3, n_rows: 0 }.encode()).is_err());
        assert_eq!(walk.finish(), Ok(offset));
    }

    #[test]
    fn bodies_beyond_the_file_are_refused() {
        let big = 1u64 << 62;
        // The row counts make n * 12 wrap around in 64 bits, to 0 and to a small number.
        for n_rows in [6, 7, 1 << 61, 1 << 62, u64::MAX / 12, u64::MAX / 12 + 1, i64::MAX as u64] {
            let size = 256 + 32 + 64;
            let mut header = header(1, i64::MAX as u64, size.max(4096));
            let walk_size = header.data_offset() + 32 + 64;
            let outcome =
                RecordWalk::new(&header, walk_size).push(&RecordHeader { index: 0, n_rows }.encode());
            assert!(outcome.is_err(), "{n_rows}");
            assert!(outcome.unwrap_err().message().contains(&n_rows.to_string()));
            // And with all the room in the world, as long as it can be counted.
            header = self::header(1, i64::MAX as u64, big);
            let outcome = RecordWalk::new(&header, big).push(&RecordHeader { index: 0, n_rows }.encode());
            assert_eq!(outcome.is_ok(), n_rows < 100, "{n_rows}");
        }
        let header = header(1, 5, 4096);
        let exact = header.data_offset() + 32 + 64;
        for (size, fits) in [(exact, true), (exact - 1, false), (exact - 4, false)] {
            // 60 bytes of values: what is missing is padding only, and still missing.
            let outcome = RecordWalk::new(&header, size).push(&RecordHeader { index: 0, n_rows: 5 }.encode());
            assert_eq!(outcome.is_ok(), fits);
        }
    }

    #[test]
    fn sums_must_be_right() {
        let header = header(2, 7, 4096);
        let push = |rows: &[u64]| {
            let mut walk = RecordWalk::new(&header, 4096);
            for (index, n_rows) in (0..).zip(rows) {
                walk.push(&RecordHeader { index, n_rows: *n_rows }.encode())?;
            }
            walk.finish()
        };
        push(&[3, 4]).unwrap();
        for wrong in [&[3, 3][..], &[3, 5], &[8, 0], &[7], &[]] {
            push(wrong).unwrap_err();
        }
    }

    #[test]
    fn a_cut_header_is_told_from_a_damaged_one() {
        let header = header(1, 0, 4096);
        let bytes = RecordHeader { index: 0, n_rows: 0 }.encode();
        for len in 0..32 {
            let error = RecordWalk::new(&header, 4096).push(&bytes[..len]).unwrap_err();
            assert!(error.message().contains("cut off"), "{error}");
        }
    }
}
