//! Writing files.
//!
//! Whatever is written goes to a temporary file beside its target and gets the target's name only when it is
//! whole, so that a reader sees the old file or the new one, and a failure leaves the old one as it was.

mod column_data;
mod copied;
mod generated;
mod stage;
mod store;
mod temp;

pub use column_data::ColumnData;
pub use copied::copy_file;
pub use generated::{Generated, store_generated};
pub use store::{Durability, StoreMode, StoreOptions, store};
