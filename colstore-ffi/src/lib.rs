//! libcolstore: the C ABI.
//!
//! Everything that C, C++, Python, Julia and others use goes through the functions in here, which
//! `include/colstore.h` declares (generated from this crate) and `docs/c-abi.md` explains. This crate holds
//! no logic of its own: it checks arguments, turns pointers into references and back, and calls
//! [`colstore_core`] and [`colstore_frame`].
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
//! | `handle`, `slice`, `text_array`, `versioned` | pointers of C into references, by kind: handles, arrays, arrays of texts, structs with a size |
//! | [`dtype`](DType), [`schema`](Schema) | what the columns are |
//! | [`table`](Table), [`info`](Info) | open files; a header |
//! | [`concat`](OnMismatch), `paths`, [`names`](Names) | many files as one table; the files of a data set |
//! | [`rows`](Rows) | which rows of a table |
//! | [`read`](ReadOptions), `gather`, [`view`](View) | values, copied or lent |
//! | [`reduce`](Reduction) | a column as one value |
//! | [`store`](StoreOptions) | writing a file |
//! | [`verify`](VerifyReport), [`recover`](Recovery) | what is wrong with a file; what a writer that died has left |
//! | [`copy`](CopyOptions), [`compact`](CompactOptions) | a table, or the records of a file, into one record |
//! | [`append`](AppendOptions), [`appender`](Appender) | adding shards to a directory |
//! | [`writer`](Writer) | writing a file record by record |
//! | [`expr`](Expr), `expr_call`, `expr_text`, [`callback`](ExprFunction) | a value for every row: columns, constants, functions, text, functions of the caller's |
//! | [`values`](Values) | sets of values; parameters of texts |
//! | [`filter`](Flag) | the rows for which a condition holds |
//! | [`frame`](Frame), `frame_edit`, `frame_read` | a table seen through columns of one's own and cuts |
//! | [`cutflow`](CutRecord) | what each cut left |
//! | [`progress`](Progress) | watching and cancelling |
//! | `config`, `calibrate`, [`machine`](MachineInfo) | settings of the process; which number of threads is best; what there is |
//! | [`allocator`](colstore_allocator_malloc) | memory for results, used again |
//!
//! A C program that reads a column is `examples/c/read.c`; one that queries and computes is `examples/c/query.c`.
//!
//! # Safety
//!
//! The promises that every caller makes are in `docs/c-abi.md`: pointers are NULL or point to what they are
//! declared as, handles are live, buffers have the sizes that go with them. What can be checked is checked.

mod allocator;
mod append;
mod appender;
mod calibrate;
mod callback;
mod compact;
mod concat;
mod config;
mod copy;
mod cutflow;
mod dtype;
mod error;
mod expr;
mod expr_call;
mod expr_text;
mod filter;
mod frame;
mod frame_edit;
mod frame_read;
mod gather;
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
mod text_array;
mod values;
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
pub use callback::{ExprFunction, ReleaseFunction, colstore_expr_callback};
pub use compact::{CompactOptions, colstore_compact};
pub use concat::{OnMismatch, colstore_table_concat};
pub use config::{colstore_config_get, colstore_config_set};
pub use copy::{CopyOptions, colstore_table_write};
pub use cutflow::{
    CutRecord, Cutflow, colstore_cutflow_count, colstore_cutflow_free, colstore_cutflow_get,
    colstore_frame_cutflow,
};
pub use dtype::{DType, Unit, colstore_dtype_parse};
pub use error::{
    Error, colstore_error_callback_code, colstore_error_column, colstore_error_free, colstore_error_message,
    colstore_error_os_code, colstore_error_path, colstore_error_row, colstore_error_span,
    colstore_error_status,
};
pub use expr::{
    Expr, colstore_expr_bool, colstore_expr_bytes, colstore_expr_column, colstore_expr_columns,
    colstore_expr_constant, colstore_expr_float, colstore_expr_free, colstore_expr_int,
    colstore_expr_integer, colstore_expr_none, colstore_expr_text, colstore_expr_uint,
};
pub use expr_call::{
    colstore_expr_call, colstore_expr_cast, colstore_expr_isin, colstore_expr_round, colstore_function_exact,
};
pub use expr_text::{colstore_expr_check, colstore_expr_parse, colstore_expr_print};
pub use filter::{Flag, colstore_rows_filter};
pub use frame::{
    Frame, colstore_frame_base_rows, colstore_frame_clone, colstore_frame_column, colstore_frame_free,
    colstore_frame_has_selection, colstore_frame_memory, colstore_frame_new, colstore_frame_resolve,
    colstore_frame_schema,
};
pub use frame_edit::{
    colstore_frame_assign, colstore_frame_cast, colstore_frame_drop, colstore_frame_filter,
    colstore_frame_rename, colstore_frame_select,
};
pub use frame_read::{
    colstore_frame_count, colstore_frame_evaluate, colstore_frame_expr_dtype, colstore_frame_read_columns,
    colstore_frame_read_records, colstore_frame_reduce, colstore_frame_rows, colstore_frame_write,
};
pub use gather::{
    colstore_table_gather_column, colstore_table_gather_columns, colstore_table_gather_records,
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
pub use values::{
    Params, Values, colstore_params_free, colstore_params_new, colstore_params_set,
    colstore_params_set_values, colstore_values_array, colstore_values_free, colstore_values_list,
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
