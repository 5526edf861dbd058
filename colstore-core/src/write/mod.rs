//! Writing files.
//!
//! Whatever is written goes to a temporary file beside its target and gets the target's name only when it is
//! whole, so that a reader sees the old file or the new one, and a failure leaves the old one as it was.

mod column_data;
pub(crate) mod lock;
mod compact;
mod copy_table;
mod lock;
mod sink;
mod stage;
mod store;
pub(crate) mod temp;
mod write_back;

pub use column_data::ColumnData;
pub use lock::LockPolicy;
pub use compact::{CompactOptions, compact};
pub use copy_table::{CopyOptions, copy_table};
pub use lock::LockPolicy;
pub use store::{Durability, StoreMode, StoreOptions, store};
