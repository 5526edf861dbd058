//! The `.cstore` file format: bytes to values and back, without I/O.
//!
//! A file is a header that names the columns, then records of rows, then perhaps statistics:
//!
//! ```text
//! 0         8          72        80            D                                              end
//! ┌─────────┬──────────┬─────────┬──────────┬──┬────────┬──────┬──────┬─┬────────┬──────┬────┬────────────┐
//! │ magic   │ counters │ length  │ manifest │00│ record │ col. │ col. │0│ record │ col. │ .. │ statistics │
//! │         │          │         │ (JSON)   │  │ header │ 0    │ 1    │ │ header │ 0    │    │ footer     │
//! └─────────┴──────────┴─────────┴──────────┴──┴────────┴──────┴──────┴─┴────────┴──────┴────┴────────────┘
//!            Counters             Manifest      RecordHeader                                  Statistics
//! └── Preamble ──────────────────┘
//! └── Header ───────────────────────────────┘└─ RecordWalk ──────────────────────────────────┘
//! ```
//!
//! `docs/format.md` specifies every byte. This crate opens no files: callers fetch the bytes that a step asks for and hand them in. It
//! trusts none of them: every number is bounded by the size of the file before it is used, arithmetic is checked, and damage gives an [`Error`].
//!
//! | module | owns |
//! |---|---|
//! | `header` | [`Preamble`] and [`Header`]: the start of a file |
//! | `counters` | [`Counters`]: how much is committed |
//! | `manifest`, `manifest_text`, `manifest_json`, `json` | [`Manifest`]: schema to JSON text and back, canonical text, CRC |
//! | `schema`, `name_index`, `column_name` | [`Schema`], [`Column`], [`ColumnName`]; where a column's bytes are |
//! | `dtype`, `dtype_text` | [`DType`] and its spellings |
//! | `record` | [`RecordHeader`], and [`RecordWalk`] along the chain of them |
//! | `record_chain` | [`RecordChain`]: the same walk without the counters, for recovery |
//! | `statistics` | [`Statistics`]: the optional footer |
//! | `statistics_check` | why a footer does not count |
//! | `shard_name`, `natural_order` | names and order of the files of a directory |
//! | `constants`, `cursor`, `error` | magic numbers and limits, checked reads, [`Error`] |
//!
//! # Example
//!
//! Writing a file of one record and finding its column again:
//!
//! ```
//! use colstore_format::{Column, Counters, DType, Header, Manifest, Preamble, RecordHeader, RecordWalk, Schema};
//!
//! let schema = Schema::new(vec![Column::new("x", DType::parse("<i4")?)])?;
//! let counters = Counters { n_records: 1, committed_rows: 2, stats_offset: 0 };
//! let mut file = Header::encode(&Manifest::new(schema), counters);
//! file.extend(RecordHeader { index: 0, n_rows: 2 }.encode());
//! file.extend([7, 0, 0, 0, 8, 0, 0, 0]);
//!
//! let size = file.len() as u64;
//! let preamble = Preamble::parse(&file[..Preamble::LEN], size)?;
//! let manifest_end = Preamble::LEN + preamble.manifest_len() as usize;
//! let header = Header::parse(&preamble, &file[Preamble::LEN..manifest_end], size)?;
//! let mut walk = RecordWalk::new(&header, size);
//! while let Some(offset) = walk.next_offset() {
//!     let offset = offset as usize;
//!     let record = walk.push(&file[offset..(offset + RecordHeader::LEN).min(file.len())])?;
//!     let start = (record.body_offset + record.n_rows * header.schema().prefix_width(0)) as usize;
//!     assert_eq!(file[start..start + 8], [7, 0, 0, 0, 8, 0, 0, 0]);
//! }
//! assert_eq!(walk.finish()?, size);
//! # Ok::<(), colstore_format::Error>(())
//! ```

#![forbid(unsafe_code)]

mod column_name;
mod constants;
mod counters;
mod cursor;
mod dtype;
mod dtype_text;
mod error;
mod header;
mod json;
mod manifest;
mod manifest_json;
mod manifest_text;
mod name_index;
mod natural_order;
mod record;
mod record_chain;
mod schema;
mod shard_name;
mod statistics;
mod statistics_check;

pub use column_name::ColumnName;
pub use constants::{
    COUNTERS_OFFSET, FILE_MAGIC, FORMAT_VERSION, HEADER_ALIGNMENT, MAX_ITEMSIZE, MAX_MANIFEST_DEPTH,
    MAX_MANIFEST_LEN, MAX_STATISTICS_NAME_LEN, RECORD_ALIGNMENT, RECORD_MAGIC, SHARD_EXTENSION,
    STATISTICS_MAGIC, STATISTICS_VERSION,
};
pub use counters::Counters;
pub use dtype::{ByteOrder, DType, Kind, Unit};
pub use error::{Error, ErrorKind, Result};
pub use header::{Header, Preamble};
pub use manifest::Manifest;
pub use natural_order::natural_cmp;
pub use record::{Record, RecordHeader, RecordWalk};
pub use record_chain::RecordChain;
pub use schema::{Column, Schema};
pub use shard_name::{ShardTemplate, is_shard_name};
pub use statistics::{ColumnStatistics, Statistics};
