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
//! | [`table`](Table), [`info`](Info) | open files; a header |
//! | [`concat`](OnMismatch), `paths`, [`names`](Names) | many files as one table; the files of a data set |
//! | [`rows`](Rows) | which rows of a table |
//! | [`read`](ReadOptions), [`view`](View) | values, copied or lent |
//! | [`reduce`](Reduction) | a column as one value |
//! | [`store`](StoreOptions) | writing a file |
//! | [`verify`](VerifyReport), [`recover`](Recovery) | what is wrong with a file; what a writer that died has left |
//! | [`copy`](CopyOptions), [`compact`](CompactOptions) | a table, or the records of a file, into one record |
//! | [`append`](AppendOptions), [`appender`](Appender) | adding shards to a directory |
//! | [`writer`](Writer) | writing a file record by record |
//! | [`progress`](Progress) | watching and cancelling |
//! | `config`, `calibrate`, [`machine`](MachineInfo) | settings of the process; which number of threads is best; what there is |
//! | [`allocator`](colstore_allocator_malloc) | memory for results, used again |
//!
//! A C program that reads a column is `examples/c/read.c`.
//!
//! # Safety
//!
//! The promises that every caller makes are in `docs/c-abi.md`: pointers are NULL or point to what they are
//! declared as, handles are live, buffers have the sizes that go with them. What can be checked is checked.

mod allocator;
mod append;
mod appender;
mod calibrate;
mod compact;
mod concat;
mod config;
mod copy;
mod dtype;
mod error;
mod guard;
mod handle;
mod info;
mod machine;
mod names;
mod paths;
mod progress;
mod read;
mod recover;
mod reduce;
mod rows;
mod schema;
mod slice;
mod status;
mod store;
mod table;
mod verify;
mod version;
mod versioned;
mod view;
mod writer;

pub use allocator::{
    colstore_allocator_calloc, colstore_allocator_free, colstore_allocator_malloc, colstore_allocator_realloc,
};
pub use append::{AppendOptions, colstore_append, colstore_append_table};
pub use appender::{
    Appender, AppenderInfo, AppenderOptions, colstore_appender_abandon, colstore_appender_close,
    colstore_appender_describe, colstore_appender_flush, colstore_appender_free, colstore_appender_open,
    colstore_appender_write, colstore_appender_write_table,
};
pub use calibrate::colstore_calibrate_threads;
pub use compact::{CompactOptions, colstore_compact};
pub use concat::{OnMismatch, colstore_table_concat};
pub use config::{colstore_config_get, colstore_config_set};
pub use copy::{CopyOptions, colstore_table_write};
pub use dtype::{DType, Unit, colstore_dtype_parse};
pub use error::{
    Error, colstore_error_column, colstore_error_free, colstore_error_message, colstore_error_os_code,
    colstore_error_path, colstore_error_row, colstore_error_status,
};
pub use info::{Info, colstore_info_read};
pub use machine::{MachineInfo, colstore_machine};
pub use names::{Names, colstore_names_count, colstore_names_free, colstore_names_get};
pub use paths::colstore_paths_expand;
pub use progress::{
    Progress, ProgressCallback, colstore_progress_cancel, colstore_progress_free, colstore_progress_new,
};
pub use read::{
    ReadOptions, colstore_table_read_column, colstore_table_read_column_at, colstore_table_read_columns,
    colstore_table_read_columns_at, colstore_table_read_records, colstore_table_read_records_at,
};
pub use recover::{CountersState, RecoverOptions, Recovery, RecoveryAction, colstore_recover};
pub use reduce::{Reduction, Scalar, colstore_table_reduce};
pub use rows::{
    IndexType, Rows, RowsForm, RowsInfo, colstore_rows_all, colstore_rows_count, colstore_rows_describe,
    colstore_rows_free, colstore_rows_indices, colstore_rows_mask, colstore_rows_mask_bits,
    colstore_rows_positions, colstore_rows_range, colstore_rows_select,
};
pub use schema::{
    Column, Schema, colstore_schema_column, colstore_schema_find, colstore_schema_free,
    colstore_schema_n_columns,
};
pub use status::{Status, colstore_status_name};
pub use store::{ColumnData, Durability, StoreMode, StoreOptions, colstore_store};
pub use table::{
    Advice, Backend, OpenOptions, Table, colstore_table_free, colstore_table_n_files,
    colstore_table_n_records, colstore_table_n_rows, colstore_table_open, colstore_table_path,
    colstore_table_record_rows, colstore_table_schema,
};
pub use verify::{
    Finding, Severity, VerifyOptions, VerifyReport, VerifySummary, colstore_verify,
    colstore_verify_report_describe, colstore_verify_report_finding, colstore_verify_report_free,
};
pub use version::{ABI_VERSION, colstore_abi_version, colstore_version};
pub use view::{
    View, ViewInfo, colstore_table_view_column, colstore_table_view_column_at, colstore_view_describe,
    colstore_view_free,
};
pub use writer::{
    LockPolicy, Writer, WriterInfo, WriterMode, WriterOptions, colstore_writer_abandon,
    colstore_writer_close, colstore_writer_commit, colstore_writer_describe, colstore_writer_free,
    colstore_writer_open, colstore_writer_schema, colstore_writer_write, colstore_writer_write_packed,
};
