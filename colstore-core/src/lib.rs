//! Tables of `.cstore` files: open them, read any rows and columns of them, write them.
//!
//! ```text
//!   path ──open──► DataFile: header and record chain checked, committed bytes mapped, descriptor held
//!                     │
//!                     ▼
//!   rows ──► segments: the piece of each record that the rows cover
//!                     │
//!                     ▼
//!            chunks of the output ──► pool of threads ──► copy, byteswap or interleave kernels ──► caller's buffer
//! ```
//!
//! A read allocates nothing that grows with the file or with the rows: results land in memory of the caller's,
//! or are lent where they lie ([`ColumnView`]).
//!
//! | module | what is in it |
//! |---|---|
//! | `table` | [`Table`]: opening, schema, counts |
//! | `read` | columns, records and views of a row range |
//! | `write` | [`store`]: one-shot writing through a temporary file |
//! | `info` | [`info`]: the header alone |
//! | `file` | one file: headers read by descriptor and checked, then mapped |
//! | `record_index` | where records lie; a row range cut into segments |
//! | `chunks` | an output cut into pieces of work |
//! | `mapping` | the only place that maps memory |
//! | `options`, `error` | what callers may set; what can go wrong |
//!
//! The example at [`Table`] stores a column and reads it back.

mod chunks;
mod error;
mod file;
mod info;
mod mapping;
mod options;
mod read;
mod record_index;
mod table;
mod write;

pub use colstore_format::{ColumnName, DType, Schema, Statistics};
pub use colstore_kernels::{Progress, allocator};
pub use error::{Error, ErrorKind, Result};
pub use info::{FileInfo, info};
pub use options::{OpenOptions, ReadOptions};
pub use read::{ColumnOutput, ColumnView};
pub use table::Table;
pub use write::{ColumnData, Durability, StoreMode, StoreOptions, store};
