//! Tables of `.cstore` files: open them, read any rows and columns of them, write them.
//!
//! ```text
//!   path ──open──► DataFile: header and record chain checked, committed bytes mapped, descriptor held
//!                     │
//!                     ▼
//!   rows ──► pieces: what each record of each file holds of them
//!                     │
//!                     ▼
//!            chunks of the output ──► pool of threads ──► copy, gather, compress, … kernels ──► caller's buffer
//! ```
//!
//! A read allocates nothing that grows with the rows: results land in memory of the caller's, or are lent where
//! they lie ([`ColumnView`]).
//!
//! | module | what is in it |
//! |---|---|
//! | `table` | [`Table`]: opening, schema, counts |
//! | `rows` | [`Rows`]: which rows, checked once |
//! | `concat` | [`concat()`]: tables end to end |
//! | `part`, `layout` | one file of a table; where every record of a table lies |
//! | `read` | columns, records and views of a selection of rows |
//! | `reduce`, `number` | a column of a selection as one value; which dtypes are numbers |
//! | `write` | [`store`]: one-shot writing through a temporary file; [`copy_table`], [`compact`]: tables into one record;
//! |  | [`Writer`]: record by record, under a lock; [`append`] and [`Appender`]: shards of a directory |
//! | `recover` | [`inspect`] and [`recover()`]: what a writer that died has left |
//! | `verify` | [`verify()`]: everything that can be checked of a file |
//! | `storage` | what every change of a file goes through; tests put a double there |
//! | `extremes` | what statistics tell of records |
//! | `info` | [`info`]: the header alone |
//! | `source`, `access_time` | a file's headers, read by descriptor and checked; without a note of each read |
//! | `file` | one open file: checked, then mapped |
//! | `descriptors`, `watch` | which files keep their descriptor; whether files have been written to |
//! | `record_index` | where the records of a file lie; a row range cut into segments |
//! | `chunks` | an output cut into pieces of work |
//! | `mapping` | the only place that maps memory |
//! | `pread` | the other way to get at a file's bytes: by descriptor |
//! | `advice`, `memory`, `numa` | telling the system how files are read, and where large outputs should lie |
//! | `paths` | [`expand_paths`]: directories and patterns to files |
//! | [`config`], `options`, `error` | what may be set for the process and for a call; what can go wrong |
//! | `calibration`, `machine` | how many threads are best here; what the machine has |
//!
//! The example at [`Table`] stores a column and reads it back.

mod access_time;
mod advice;
mod calibration;
mod chunks;
mod concat;
pub mod config;
mod descriptors;
mod error;
mod extremes;
mod file;
mod info;
mod layout;
mod machine;
mod mapping;
mod memory;
mod numa;
mod number;
mod options;
mod part;
mod paths;
mod pread;
mod read;
mod record_index;
mod recover;
mod reduce;
mod rows;
mod source;
mod storage;
mod table;
mod verify;
mod watch;
mod write;

pub use advice::Advice;
pub use calibration::{Calibration, calibrate_threads};
pub use colstore_format::{ColumnName, DType, Schema, ShardTemplate, Statistics};
pub use colstore_kernels::index::{IndexSlice, IndexType};
pub use colstore_kernels::{Progress, allocator};
pub use concat::{OnMismatch, concat};
pub use error::{Error, ErrorKind, Result};
pub use extremes::RecordExtremes;
pub use info::{FileInfo, info};
pub use machine::{Machine, machine};
pub use options::{Backend, OpenOptions, ReadOptions};
pub use paths::expand_paths;
pub use read::{BlockCursor, BlockReader, ColumnOutput, ColumnView, Fill, FillOutput, fill};
pub use recover::{
    CountersState, Counts, FoundRecord, RecoverOptions, Recoverable, Recovery, RecoveryAction, Tail,
    TailKind, inspect, recover,
};
pub use reduce::{PartSource, REDUCE_BLOCK_ROWS, Reduction, RunSource, Scalar, reduce_parts, reduce_runs};
pub use rows::{BlockFill, Form, Index, Rows};
pub use table::{Table, column_index};
pub use verify::{Finding, FindingCode, Severity, VerifyOptions, VerifyReport, verify};
pub use write::{
    AppendOptions, Appender, AppenderOptions, ColumnData, CompactOptions, CopyOptions, Durability, Generated,
    LockPolicy, ShardSize, StoreMode, StoreOptions, Writer, WriterMode, WriterOptions, append, append_table,
    compact, copy_file, copy_table, store, store_generated,
};
