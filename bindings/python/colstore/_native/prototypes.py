"""The functions of `include/colstore.h`: result and argument types of every one.

Handles are `c_void_p`. A last argument `_ERROR` is `colstore_error **`. A test compares this table with the header.
"""

from __future__ import annotations

from ctypes import POINTER, c_bool, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from .structs import (
    AppenderInfo,
    AppenderOptions,
    AppendOptions,
    Column,
    ColumnData,
    CompactOptions,
    CopyOptions,
    CutRecord,
    DType,
    Finding,
    ExprFunction,
    Info,
    MachineInfo,
    OpenOptions,
    ProgressCallback,
    ReadOptions,
    RecoverOptions,
    Recovery,
    ReleaseFunction,
    RowsInfo,
    Scalar,
    StoreOptions,
    VerifyOptions,
    VerifySummary,
    ViewInfo,
    WriterInfo,
    WriterOptions,
)

_STATUS = c_int32
_HANDLE = c_void_p
_ERROR = POINTER(c_void_p)
_OUT_HANDLE = POINTER(c_void_p)
_OUT_SIZE = POINTER(c_size_t)
_OUT_I64 = POINTER(c_int64)
_SIZES = POINTER(c_size_t)
_POINTERS = POINTER(c_void_p)
_READ = POINTER(ReadOptions)
_OUT_FLAGS = POINTER(c_uint32)
_TEXTS = POINTER(c_char_p)

PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    # version
    "colstore_abi_version": (c_uint32, ()),
    "colstore_version": (c_char_p, ()),
    "colstore_status_name": (c_char_p, (_STATUS,)),
    # error
    "colstore_error_status": (_STATUS, (_HANDLE,)),
    "colstore_error_message": (c_void_p, (_HANDLE, _OUT_SIZE)),
    "colstore_error_path": (c_void_p, (_HANDLE, _OUT_SIZE)),
    "colstore_error_column": (c_void_p, (_HANDLE, _OUT_SIZE)),
    "colstore_error_row": (c_bool, (_HANDLE, _OUT_I64)),
    "colstore_error_os_code": (c_int32, (_HANDLE,)),
    "colstore_error_span": (c_bool, (_HANDLE, _OUT_SIZE, _OUT_SIZE)),
    "colstore_error_callback_code": (c_int64, (_HANDLE,)),
    "colstore_error_free": (None, (_HANDLE,)),
    # dtype, schema
    "colstore_dtype_parse": (_STATUS, (c_char_p, c_size_t, POINTER(DType), _ERROR)),
    "colstore_schema_n_columns": (_STATUS, (_HANDLE, _OUT_SIZE, _ERROR)),
    "colstore_schema_column": (_STATUS, (_HANDLE, c_size_t, POINTER(Column), _ERROR)),
    "colstore_schema_find": (_STATUS, (_HANDLE, c_char_p, c_size_t, _OUT_SIZE, _ERROR)),
    "colstore_schema_free": (None, (_HANDLE,)),
    # table
    "colstore_table_open": (_STATUS, (c_char_p, c_size_t, POINTER(OpenOptions), _OUT_HANDLE, _ERROR)),
    "colstore_table_free": (None, (_HANDLE,)),
    "colstore_table_schema": (_STATUS, (_HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_table_n_rows": (_STATUS, (_HANDLE, _OUT_I64, _ERROR)),
    "colstore_table_n_records": (_STATUS, (_HANDLE, _OUT_I64, _ERROR)),
    "colstore_table_record_rows": (_STATUS, (_HANDLE, _OUT_I64, c_size_t, _ERROR)),
    "colstore_info_read": (_STATUS, (c_char_p, c_size_t, POINTER(Info), _OUT_HANDLE, _ERROR)),
    # reads
    "colstore_table_read_column": (
        _STATUS,
        (_HANDLE, c_size_t, c_int64, c_int64, _READ, c_void_p, c_size_t, _ERROR),
    ),
    "colstore_table_read_columns": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, c_int64, c_int64, _READ, _POINTERS, _SIZES, _ERROR),
    ),
    "colstore_table_read_records": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, c_int64, c_int64, _READ, c_void_p, c_size_t, _ERROR),
    ),
    # rows
    "colstore_rows_all": (_STATUS, (c_int64, _OUT_HANDLE, _ERROR)),
    "colstore_rows_range": (_STATUS, (c_int64, c_int64, c_int64, c_int64, _OUT_HANDLE, _ERROR)),
    "colstore_rows_indices": (
        _STATUS,
        (c_int64, c_void_p, c_int32, c_size_t, c_int64, c_int32, _OUT_HANDLE, _ERROR),
    ),
    "colstore_rows_mask": (_STATUS, (c_int64, c_void_p, c_size_t, c_int64, _OUT_HANDLE, _ERROR)),
    "colstore_rows_mask_bits": (_STATUS, (c_int64, c_void_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_rows_select": (_STATUS, (_HANDLE, _HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_rows_count": (_STATUS, (_HANDLE, _OUT_I64, _ERROR)),
    "colstore_rows_positions": (_STATUS, (_HANDLE, c_int64, c_int64, _OUT_I64, c_size_t, _ERROR)),
    "colstore_rows_describe": (_STATUS, (_HANDLE, POINTER(RowsInfo), _ERROR)),
    "colstore_rows_free": (None, (_HANDLE,)),
    # reads by selection
    "colstore_table_read_column_at": (_STATUS, (_HANDLE, c_size_t, _HANDLE, _READ, c_void_p, c_size_t, _ERROR)),
    "colstore_table_read_columns_at": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, _HANDLE, _READ, _POINTERS, _SIZES, _ERROR),
    ),
    "colstore_table_read_records_at": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, _HANDLE, _READ, c_void_p, c_size_t, _ERROR),
    ),
    "colstore_table_gather_column": (
        _STATUS,
        (_HANDLE, c_size_t, c_void_p, c_int32, c_size_t, c_int64, _READ, c_void_p, c_size_t, _ERROR),
    ),
    "colstore_table_gather_columns": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, c_void_p, c_int32, c_size_t, c_int64, _READ, _POINTERS, _SIZES, _ERROR),
    ),
    "colstore_table_gather_records": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, c_void_p, c_int32, c_size_t, c_int64, _READ, c_void_p, c_size_t, _ERROR),
    ),
    "colstore_table_view_column_at": (_STATUS, (_HANDLE, c_size_t, _HANDLE, _OUT_HANDLE, _ERROR)),
    # many files
    "colstore_table_concat": (_STATUS, (_POINTERS, c_size_t, c_int32, _OUT_HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_table_n_files": (_STATUS, (_HANDLE, _OUT_SIZE, _ERROR)),
    "colstore_table_path": (_STATUS, (_HANDLE, c_size_t, POINTER(c_void_p), _OUT_SIZE, _ERROR)),
    "colstore_paths_expand": (_STATUS, (c_char_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_names_count": (_STATUS, (_HANDLE, _OUT_SIZE, _ERROR)),
    "colstore_names_get": (_STATUS, (_HANDLE, c_size_t, POINTER(c_void_p), _OUT_SIZE, _ERROR)),
    "colstore_names_free": (None, (_HANDLE,)),
    # reductions
    "colstore_table_reduce": (
        _STATUS,
        (_HANDLE, c_size_t, _HANDLE, c_int32, c_double, _READ, POINTER(Scalar), _ERROR),
    ),
    # configuration
    "colstore_config_set": (_STATUS, (c_char_p, c_size_t, c_char_p, c_size_t, _ERROR)),
    "colstore_config_get": (_STATUS, (c_char_p, c_size_t, c_char_p, c_size_t, _OUT_SIZE, _ERROR)),
    "colstore_calibrate_threads": (_STATUS, (c_int32, _HANDLE, POINTER(c_int32), POINTER(c_double), _ERROR)),
    "colstore_machine": (_STATUS, (POINTER(MachineInfo), _ERROR)),
    # view
    "colstore_table_view_column": (_STATUS, (_HANDLE, c_size_t, c_int64, c_int64, _OUT_HANDLE, _ERROR)),
    "colstore_view_describe": (_STATUS, (_HANDLE, POINTER(ViewInfo), _ERROR)),
    "colstore_view_free": (None, (_HANDLE,)),
    # store
    "colstore_store": (
        _STATUS,
        (c_char_p, c_size_t, POINTER(ColumnData), c_size_t, POINTER(StoreOptions), _ERROR),
    ),
    # verify, recover
    "colstore_verify": (_STATUS, (c_char_p, c_size_t, POINTER(VerifyOptions), _OUT_HANDLE, _ERROR)),
    "colstore_verify_report_describe": (_STATUS, (_HANDLE, POINTER(VerifySummary), _ERROR)),
    "colstore_verify_report_finding": (_STATUS, (_HANDLE, c_size_t, POINTER(Finding), _ERROR)),
    "colstore_verify_report_free": (None, (_HANDLE,)),
    "colstore_recover": (
        _STATUS,
        (c_char_p, c_size_t, c_char_p, c_size_t, POINTER(RecoverOptions), POINTER(Recovery), _ERROR),
    ),
    # copy, compact
    "colstore_table_write": (_STATUS, (_HANDLE, c_char_p, c_size_t, POINTER(CopyOptions), _ERROR)),
    "colstore_compact": (_STATUS, (c_char_p, c_size_t, c_char_p, c_size_t, POINTER(CompactOptions), _ERROR)),
    # append, appender
    "colstore_append": (
        _STATUS,
        (c_char_p, c_size_t, POINTER(ColumnData), c_size_t, POINTER(AppendOptions), _OUT_HANDLE, _ERROR),
    ),
    "colstore_append_table": (
        _STATUS,
        (c_char_p, c_size_t, _HANDLE, POINTER(AppendOptions), _OUT_HANDLE, _ERROR),
    ),
    "colstore_appender_open": (_STATUS, (c_char_p, c_size_t, POINTER(AppenderOptions), _OUT_HANDLE, _ERROR)),
    "colstore_appender_write": (_STATUS, (_HANDLE, POINTER(ColumnData), c_size_t, _HANDLE, _ERROR)),
    "colstore_appender_write_table": (_STATUS, (_HANDLE, _HANDLE, _HANDLE, _ERROR)),
    "colstore_appender_flush": (_STATUS, (_HANDLE, _HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_appender_close": (_STATUS, (_HANDLE, _HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_appender_abandon": (_STATUS, (_HANDLE, _ERROR)),
    "colstore_appender_describe": (_STATUS, (_HANDLE, POINTER(AppenderInfo), _ERROR)),
    "colstore_appender_free": (None, (_HANDLE,)),
    # writer
    "colstore_writer_open": (_STATUS, (c_char_p, c_size_t, POINTER(WriterOptions), _OUT_HANDLE, _ERROR)),
    "colstore_writer_write": (_STATUS, (_HANDLE, POINTER(ColumnData), c_size_t, _ERROR)),
    "colstore_writer_write_packed": (_STATUS, (_HANDLE, c_int64, c_void_p, c_size_t, _ERROR)),
    "colstore_writer_commit": (_STATUS, (_HANDLE, _ERROR)),
    "colstore_writer_close": (_STATUS, (_HANDLE, _ERROR)),
    "colstore_writer_abandon": (_STATUS, (_HANDLE, _ERROR)),
    "colstore_writer_describe": (_STATUS, (_HANDLE, POINTER(WriterInfo), _ERROR)),
    "colstore_writer_schema": (_STATUS, (_HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_writer_free": (None, (_HANDLE,)),
    # expressions
    "colstore_expr_column": (_STATUS, (c_char_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_none": (_STATUS, (_OUT_HANDLE, _ERROR)),
    "colstore_expr_bool": (_STATUS, (c_int32, _OUT_HANDLE, _ERROR)),
    "colstore_expr_int": (_STATUS, (c_int64, _OUT_HANDLE, _ERROR)),
    "colstore_expr_uint": (_STATUS, (c_uint64, _OUT_HANDLE, _ERROR)),
    "colstore_expr_integer": (_STATUS, (c_char_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_float": (_STATUS, (c_double, _OUT_HANDLE, _ERROR)),
    "colstore_expr_constant": (_STATUS, (c_char_p, c_size_t, c_void_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_text": (_STATUS, (c_char_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_bytes": (_STATUS, (c_void_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_call": (_STATUS, (c_char_p, c_size_t, _POINTERS, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_isin": (_STATUS, (_HANDLE, _HANDLE, c_int32, _OUT_HANDLE, _ERROR)),
    "colstore_expr_cast": (_STATUS, (_HANDLE, c_char_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_expr_round": (_STATUS, (_HANDLE, c_int32, _OUT_HANDLE, _ERROR)),
    "colstore_expr_callback": (
        _STATUS,
        (ExprFunction, c_void_p, ReleaseFunction, c_char_p, c_size_t, _POINTERS, c_size_t, _OUT_HANDLE, _ERROR),
    ),
    "colstore_expr_parse": (_STATUS, (c_char_p, c_size_t, _HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_expr_print": (_STATUS, (_HANDLE, c_char_p, c_size_t, _OUT_SIZE, _ERROR)),
    "colstore_expr_columns": (_STATUS, (_HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_expr_check": (_STATUS, (_HANDLE, _HANDLE, c_int32, c_char_p, c_size_t, _OUT_SIZE, _ERROR)),
    "colstore_expr_free": (None, (_HANDLE,)),
    "colstore_function_exact": (c_int32, (c_char_p, c_size_t, c_char_p, c_size_t)),
    # values, parameters
    "colstore_values_array": (
        _STATUS,
        (c_char_p, c_size_t, c_void_p, c_size_t, c_int64, _OUT_HANDLE, _ERROR),
    ),
    "colstore_values_list": (_STATUS, (_POINTERS, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_values_free": (None, (_HANDLE,)),
    "colstore_params_new": (_STATUS, (_OUT_HANDLE, _ERROR)),
    "colstore_params_set": (_STATUS, (_HANDLE, c_char_p, c_size_t, _HANDLE, _ERROR)),
    "colstore_params_set_values": (_STATUS, (_HANDLE, c_char_p, c_size_t, _HANDLE, _ERROR)),
    "colstore_params_free": (None, (_HANDLE,)),
    # queries
    "colstore_rows_filter": (_STATUS, (_HANDLE, _HANDLE, _HANDLE, _READ, _OUT_HANDLE, _OUT_FLAGS, _ERROR)),
    # frames
    "colstore_frame_new": (_STATUS, (_HANDLE, _HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_frame_clone": (_STATUS, (_HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_frame_schema": (_STATUS, (_HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_frame_column": (_STATUS, (_HANDLE, c_char_p, c_size_t, _OUT_HANDLE, _ERROR)),
    "colstore_frame_resolve": (_STATUS, (_HANDLE, _HANDLE, _OUT_HANDLE, _ERROR)),
    "colstore_frame_memory": (
        _STATUS,
        (
            _HANDLE,
            c_char_p,
            c_size_t,
            c_void_p,
            c_int64,
            c_int64,
            ReleaseFunction,
            c_void_p,
            _OUT_HANDLE,
            _ERROR,
        ),
    ),
    "colstore_frame_base_rows": (_STATUS, (_HANDLE, _OUT_I64, _ERROR)),
    "colstore_frame_has_selection": (_STATUS, (_HANDLE, POINTER(c_int32), _ERROR)),
    "colstore_frame_free": (None, (_HANDLE,)),
    "colstore_frame_assign": (_STATUS, (_HANDLE, _TEXTS, _SIZES, _POINTERS, c_size_t, _ERROR)),
    "colstore_frame_drop": (_STATUS, (_HANDLE, _TEXTS, _SIZES, c_size_t, _ERROR)),
    "colstore_frame_select": (_STATUS, (_HANDLE, _TEXTS, _SIZES, c_size_t, _ERROR)),
    "colstore_frame_rename": (_STATUS, (_HANDLE, _TEXTS, _SIZES, _TEXTS, _SIZES, c_size_t, _ERROR)),
    "colstore_frame_cast": (_STATUS, (_HANDLE, _TEXTS, _SIZES, _TEXTS, _SIZES, c_size_t, _ERROR)),
    "colstore_frame_filter": (_STATUS, (_HANDLE, _HANDLE, c_char_p, c_size_t, _HANDLE, _ERROR)),
    "colstore_frame_count": (_STATUS, (_HANDLE, _READ, _OUT_I64, _OUT_FLAGS, _ERROR)),
    "colstore_frame_rows": (_STATUS, (_HANDLE, _READ, _OUT_HANDLE, _OUT_FLAGS, _ERROR)),
    "colstore_frame_read_columns": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, c_int64, c_int64, _READ, _POINTERS, _SIZES, _OUT_FLAGS, _ERROR),
    ),
    "colstore_frame_read_records": (
        _STATUS,
        (_HANDLE, _SIZES, c_size_t, c_int64, c_int64, _READ, c_void_p, c_size_t, _OUT_FLAGS, _ERROR),
    ),
    "colstore_frame_expr_dtype": (_STATUS, (_HANDLE, _HANDLE, c_char_p, c_size_t, _OUT_SIZE, _ERROR)),
    "colstore_frame_evaluate": (
        _STATUS,
        (_HANDLE, _HANDLE, c_int32, _READ, c_void_p, c_size_t, _OUT_FLAGS, _ERROR),
    ),
    "colstore_frame_reduce": (
        _STATUS,
        (_HANDLE, _HANDLE, c_int32, c_double, _READ, POINTER(Scalar), _OUT_FLAGS, _ERROR),
    ),
    "colstore_frame_write": (_STATUS, (_HANDLE, c_char_p, c_size_t, POINTER(StoreOptions), _OUT_FLAGS, _ERROR)),
    # cutflow
    "colstore_frame_cutflow": (_STATUS, (_HANDLE, _READ, _OUT_HANDLE, _OUT_FLAGS, _ERROR)),
    "colstore_cutflow_count": (_STATUS, (_HANDLE, _OUT_SIZE, _ERROR)),
    "colstore_cutflow_get": (_STATUS, (_HANDLE, c_size_t, POINTER(CutRecord), _ERROR)),
    "colstore_cutflow_free": (None, (_HANDLE,)),
    # progress
    "colstore_progress_new": (_STATUS, (ProgressCallback, c_void_p, _OUT_HANDLE, _ERROR)),
    "colstore_progress_cancel": (None, (_HANDLE,)),
    "colstore_progress_free": (None, (_HANDLE,)),
    # allocator
    "colstore_allocator_malloc": (c_void_p, (c_void_p, c_size_t)),
    "colstore_allocator_calloc": (c_void_p, (c_void_p, c_size_t, c_size_t)),
    "colstore_allocator_realloc": (c_void_p, (c_void_p, c_void_p, c_size_t)),
    "colstore_allocator_free": (None, (c_void_p, c_void_p, c_size_t)),
}
