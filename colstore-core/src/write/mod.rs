//! Writing files.
//!
//! What is written in one go goes to a temporary file beside its target and gets the target's name only when it is
//! whole, so that a reader sees the old file or the new one, and a failure leaves the old one as it was. A [`Writer`]
//! adds records behind those that readers know of, and says last of all, in one small write, that they are there.

mod append;
mod appender;
mod body;
mod check;
mod column_data;
mod compact;
mod copied;
mod copy_table;
#[cfg(test)]
mod crash_tests;
mod extremes;
mod generated;
pub(crate) mod lock;
mod one_record;
mod row_buffer;
mod shard_directory;
#[cfg(test)]
mod shard_failures;
mod shard_file;
mod shard_schema;
mod sink;
mod stage;
mod store;
pub(crate) mod temp;
mod write_back;
mod writer;

pub use append::{AppendOptions, append, append_table};
pub use appender::{Appender, AppenderOptions, ShardSize};
pub use column_data::ColumnData;
pub use compact::{CompactOptions, compact};
pub use copied::copy_file;
pub use copy_table::{CopyOptions, copy_table};
pub use generated::{Generated, store_generated};
pub use lock::LockPolicy;
pub use store::{Durability, StoreMode, StoreOptions, store};
pub use writer::{Writer, WriterMode, WriterOptions};
