//! libcolstore: the C ABI.
//!
//! Everything that C, C++, Python, Julia and others use goes through the functions in here, which
//! `include/colstore.h` declares (generated from this crate) and `docs/c-abi.md` explains. This crate holds
//! no logic of its own: it checks arguments, turns pointers into references and back, and calls
//! [`colstore_core`].
//!
//! ```text
//!   C caller ── pointers, lengths, structs with a size ──▶ exported function
//!                                                             │ guard: nothing unwinds out of here
//!                    handle, slice, versioned ◀───────────────┤ arguments become references, or INVALID_ARGUMENT
//!                                                             │
//!                              colstore_core ◀────────────────┤ the work
//!                                                             │
//!   status, *err on failure, outputs on success ◀─────────────┘
//! ```
//!
//! | module | what it is about |
//! |---|---|
//! | [`version`](ABI_VERSION) | which library this is |
//! | [`status`](Status) | what a call came to |
//! | [`error`](Error) | why it failed |
//! | `guard` | the one boundary that panics do not cross |
//! | `handle`, `slice`, `versioned` | pointers of C into references, by kind: handles, arrays, structs with a size |
//! | [`dtype`](DType), [`schema`](Schema) | what the columns are |
//! | [`table`](Table), [`info`](Info) | an open file; a header |
//! | [`read`](ReadOptions), [`view`](View) | values, copied or lent |
//! | [`store`](StoreOptions) | writing a file |
//! | [`progress`](Progress) | watching and cancelling |
//! | [`allocator`](colstore_allocator_malloc) | memory for results, used again |
//!
//! A C program that reads a column is `examples/c/read.c`.
//!
//! # Safety
//!
//! The promises that every caller makes are in `docs/c-abi.md`: pointers are NULL or point to what they are
//! declared as, handles are live, buffers have the sizes that go with them. What can be checked is checked.

mod allocator;
mod dtype;
mod error;
mod guard;
mod handle;
mod info;
mod progress;
mod read;
mod schema;
mod slice;
mod status;
mod store;
mod table;
mod version;
mod versioned;
mod view;

pub use allocator::{
    colstore_allocator_calloc, colstore_allocator_free, colstore_allocator_malloc, colstore_allocator_realloc,
};
pub use dtype::{DType, Unit, colstore_dtype_parse};
pub use error::{
    Error, colstore_error_column, colstore_error_free, colstore_error_message, colstore_error_os_code,
    colstore_error_path, colstore_error_row, colstore_error_status,
};
pub use info::{Info, colstore_info_read};
pub use progress::{
    Progress, ProgressCallback, colstore_progress_cancel, colstore_progress_free, colstore_progress_new,
};
pub use read::{
    ReadOptions, colstore_table_read_column, colstore_table_read_columns, colstore_table_read_records,
};
pub use schema::{
    Column, Schema, colstore_schema_column, colstore_schema_find, colstore_schema_free,
    colstore_schema_n_columns,
};
pub use status::{Status, colstore_status_name};
pub use store::{ColumnData, Durability, StoreMode, StoreOptions, colstore_store};
pub use table::{
    OpenOptions, Table, colstore_table_free, colstore_table_n_records, colstore_table_n_rows,
    colstore_table_open, colstore_table_schema,
};
pub use version::{ABI_VERSION, colstore_abi_version, colstore_version};
pub use view::{View, ViewInfo, colstore_table_view_column, colstore_view_describe, colstore_view_free};
