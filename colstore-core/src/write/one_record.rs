//! Where everything lies in a file of one record, known before it is created.

use colstore_format::{Counters, Header, Manifest, RecordHeader, Schema, Statistics};

use crate::error::{Error, ErrorKind, Result};

/// A file that will have one record, and perhaps statistics behind it.
#[derive(Debug)]
pub(super) struct OneRecord {
    schema: Schema,
    manifest: Manifest,
    n_rows: u64,
    statistics: bool,
    /// Where the values of the first column begin.
    body: u64,
    /// End of the record.
    end: u64,
}

impl OneRecord {
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for names that statistics have no room for,
    /// [`NoSpace`](ErrorKind::NoSpace) if no file can be so large.
    pub(super) fn new(schema: Schema, n_rows: u64, statistics: bool) -> Result<OneRecord> {
        if statistics {
            Statistics::check_names(&schema)?;
        }
        let manifest = Manifest::new(schema.clone());
        let body = (Header::encode(&manifest, Counters::default()).len() + RecordHeader::LEN) as u64;
        let end = body
            .checked_add(schema.body_size(n_rows)?)
            .filter(|&end| i64::try_from(end).is_ok())
            .ok_or_else(|| Error::new(ErrorKind::NoSpace, "the file would be larger than 2^63 bytes"))?;
        Ok(OneRecord { schema, manifest, n_rows, statistics, body, end })
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(super) fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Whether there will be statistics at [`end`](OneRecord::end).
    pub(super) fn has_statistics(&self) -> bool {
        self.statistics
    }

    /// Where the values of the first column begin.
    pub(super) fn body(&self) -> u64 {
        self.body
    }

    /// Where the values of a column begin.
    pub(super) fn column(&self, column: usize) -> u64 {
        // In range: it is within the record.
        self.body + self.n_rows * self.schema.prefix_width(column)
    }

    /// End of the record, its padding included.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Bytes of the record behind its header.
    pub(super) fn body_size(&self) -> u64 {
        self.end - self.body
    }

    /// Everything before the values, with counters that tell of the record: what is written last.
    pub(super) fn head(&self) -> Vec<u8> {
        let stats_offset = if self.statistics { self.end as i64 } else { 0 };
        let counters = Counters { n_records: 1, committed_rows: self.n_rows, stats_offset };
        let mut head = Header::encode(&self.manifest, counters);
        head.extend_from_slice(&RecordHeader { index: 0, n_rows: self.n_rows }.encode());
        head
    }
}
