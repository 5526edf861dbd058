//! Writing files.
//!
//! What is written in one go goes to a temporary file beside its target and gets the target's name only when it is
//! whole, so that a reader sees the old file or the new one, and a failure leaves the old one as it was. A [`Writer`]
//! adds records behind those that readers know of, and says last of all, in one small write, that they are there.

mod body;
mod check;
mod column_data;
mod extremes;
mod lock;
mod stage;
mod store;
mod temp;
mod writer;

pub use column_data::ColumnData;
pub use lock::LockPolicy;
pub use store::{Durability, StoreMode, StoreOptions, store};
pub use writer::{Writer, WriterMode, WriterOptions};
