"""The structs of `include/colstore.h`, field for field.

Structs that the caller hands over begin with their size. Text that the library lends is a `c_void_p` with a
length beside it, because it may contain NUL; text that we hand over is a `c_char_p`, which keeps the bytes alive.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)

#: `colstore_progress_callback(context, done, total)`
ProgressCallback = CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)

#: `colstore_expr_function(context, args, n_args, n_rows, out, code)`
ExprFunction = CFUNCTYPE(c_int32, c_void_p, POINTER(c_void_p), c_size_t, c_int64, c_void_p, POINTER(c_int64))

#: `colstore_release_function(context)`
ReleaseFunction = CFUNCTYPE(None, c_void_p)


class DType(Structure):
    """`colstore_dtype`"""

    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int32),
        ("big_endian", c_int32),
        ("itemsize", c_size_t),
        ("unit", c_int32),
        ("unit_multiplier", c_int32),
    ]


class Column(Structure):
    """`colstore_column`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_void_p),
        ("name_len", c_size_t),
        ("dtype_text", c_void_p),
        ("dtype_text_len", c_size_t),
        ("native_text", c_void_p),
        ("native_text_len", c_size_t),
        ("dtype", DType),
    ]


class OpenOptions(Structure):
    """`colstore_open_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("advice", c_int32),
        ("lock", c_int32),
        ("backend", c_int32),
        ("reserved", c_int32),
    ]


class Info(Structure):
    """`colstore_info`"""

    _fields_ = [
        ("size", c_size_t),
        ("format_version", c_uint32),
        ("reserved", c_uint32),
        ("n_rows", c_int64),
        ("n_records", c_int64),
        ("file_size", c_int64),
    ]


class ReadOptions(Structure):
    """`colstore_read_options`"""

    _fields_ = [("size", c_size_t), ("max_threads", c_int32), ("reserved", c_uint32), ("progress", c_void_p)]


class ViewInfo(Structure):
    """`colstore_view_info`"""

    _fields_ = [
        ("size", c_size_t),
        ("data", c_void_p),
        ("n_rows", c_int64),
        ("stride", c_int64),
        ("itemsize", c_size_t),
    ]


class RowsInfo(Structure):
    """`colstore_rows_info`"""

    _fields_ = [
        ("size", c_size_t),
        ("n_rows", c_int64),
        ("count", c_int64),
        ("form", c_int32),
        ("sorted", c_int32),
        ("first", c_int64),
        ("step", c_int64),
    ]


class Scalar(Structure):
    """`colstore_scalar`"""

    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int32),
        ("reserved", c_int32),
        ("int_value", c_int64),
        ("uint_value", c_uint64),
        ("float_value", c_double),
    ]


class MachineInfo(Structure):
    """`colstore_machine_info`"""

    _fields_ = [
        ("size", c_size_t),
        ("physical_cores", c_int32),
        ("logical_cores", c_int32),
        ("sockets", c_int32),
        ("numa_nodes", c_int32),
        ("default_threads", c_int32),
        ("reserved", c_int32),
    ]


class ColumnData(Structure):
    """`colstore_column_data`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("name_len", c_size_t),
        ("dtype", c_char_p),
        ("dtype_len", c_size_t),
        ("data", c_void_p),
        ("n_rows", c_int64),
        ("stride", c_int64),
    ]


class StoreOptions(Structure):
    """`colstore_store_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("mode", c_int32),
        ("statistics", c_int32),
        ("durability", c_int32),
        ("max_threads", c_int32),
        ("progress", c_void_p),
    ]


class VerifyOptions(Structure):
    """`colstore_verify_options`"""

    _fields_ = [("size", c_size_t), ("deep", c_int32), ("max_threads", c_int32), ("progress", c_void_p)]


class VerifySummary(Structure):
    """`colstore_verify_summary`"""

    _fields_ = [
        ("size", c_size_t),
        ("n_findings", c_int64),
        ("n_errors", c_int64),
        ("n_warnings", c_int64),
        ("n_notes", c_int64),
        ("n_files", c_int64),
        ("n_records", c_int64),
        ("n_rows", c_int64),
        ("n_bytes", c_int64),
        ("n_value_bytes", c_int64),
    ]


class Finding(Structure):
    """`colstore_finding`"""

    _fields_ = [
        ("size", c_size_t),
        ("severity", c_int32),
        ("reserved", c_int32),
        ("code", c_void_p),
        ("code_len", c_size_t),
        ("message", c_void_p),
        ("message_len", c_size_t),
        ("path", c_void_p),
        ("path_len", c_size_t),
        ("column", c_void_p),
        ("column_len", c_size_t),
        ("offset", c_int64),
        ("record", c_int64),
    ]


class RecoverOptions(Structure):
    """`colstore_recover_options`"""

    _fields_ = [("size", c_size_t), ("commit", c_int32), ("no_lock", c_int32), ("progress", c_void_p)]


class Recovery(Structure):
    """`colstore_recovery`"""

    _fields_ = [
        ("size", c_size_t),
        ("action", c_int32),
        ("counters", c_int32),
        ("committed_records", c_int64),
        ("committed_rows", c_int64),
        ("committed_end", c_int64),
        ("whole_records", c_int64),
        ("whole_rows", c_int64),
        ("whole_end", c_int64),
        ("tail_bytes", c_int64),
        ("file_size", c_int64),
        ("statistics_offset", c_int64),
        ("may_lose_committed", c_int32),
        ("reserved", c_int32),
    ]


class CopyOptions(Structure):
    """`colstore_copy_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("mode", c_int32),
        ("statistics", c_int32),
        ("max_threads", c_int32),
        ("reserved", c_int32),
        ("progress", c_void_p),
    ]


class CompactOptions(Structure):
    """`colstore_compact_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("statistics", c_int32),
        ("max_threads", c_int32),
        ("progress", c_void_p),
    ]


class AppendOptions(Structure):
    """`colstore_append_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("name_len", c_size_t),
        ("statistics", c_int32),
        ("max_threads", c_int32),
        ("progress", c_void_p),
    ]


class AppenderOptions(Structure):
    """`colstore_appender_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("name_len", c_size_t),
        ("shard_rows", c_int64),
        ("shard_bytes", c_int64),
        ("statistics", c_int32),
        ("max_threads", c_int32),
    ]


class AppenderInfo(Structure):
    """`colstore_appender_info`"""

    _fields_ = [
        ("size", c_size_t),
        ("n_shards", c_int64),
        ("pending_rows", c_int64),
        ("closed", c_int32),
        ("locked", c_int32),
    ]


class WriterOptions(Structure):
    """`colstore_writer_options`"""

    _fields_ = [
        ("size", c_size_t),
        ("mode", c_int32),
        ("statistics", c_int32),
        ("lock", c_int32),
        ("max_threads", c_int32),
        ("progress", c_void_p),
    ]


class WriterInfo(Structure):
    """`colstore_writer_info`"""

    _fields_ = [
        ("size", c_size_t),
        ("n_records", c_int64),
        ("n_rows", c_int64),
        ("mode", c_int32),
        ("is_locked", c_int32),
        ("is_closed", c_int32),
        ("reserved", c_int32),
    ]


class CutRecord(Structure):
    """`colstore_cut_record`"""

    _fields_ = [
        ("size", c_size_t),
        ("label", c_void_p),
        ("label_len", c_size_t),
        ("condition", c_void_p),
        ("condition_len", c_size_t),
        ("entering", c_int64),
        ("passing", c_int64),
        ("weighted", c_int32),
        ("reserved", c_int32),
        ("weighted_entering", c_double),
        ("weighted_passing", c_double),
        ("weighted_variance", c_double),
    ]


DTYPE_SIZE = sizeof(DType)
COLUMN_SIZE = sizeof(Column)
OPEN_OPTIONS_SIZE = sizeof(OpenOptions)
INFO_SIZE = sizeof(Info)
READ_OPTIONS_SIZE = sizeof(ReadOptions)
VIEW_INFO_SIZE = sizeof(ViewInfo)
ROWS_INFO_SIZE = sizeof(RowsInfo)
SCALAR_SIZE = sizeof(Scalar)
MACHINE_INFO_SIZE = sizeof(MachineInfo)
COLUMN_DATA_SIZE = sizeof(ColumnData)
STORE_OPTIONS_SIZE = sizeof(StoreOptions)
VERIFY_OPTIONS_SIZE = sizeof(VerifyOptions)
VERIFY_SUMMARY_SIZE = sizeof(VerifySummary)
FINDING_SIZE = sizeof(Finding)
RECOVER_OPTIONS_SIZE = sizeof(RecoverOptions)
RECOVERY_SIZE = sizeof(Recovery)
COPY_OPTIONS_SIZE = sizeof(CopyOptions)
COMPACT_OPTIONS_SIZE = sizeof(CompactOptions)
APPEND_OPTIONS_SIZE = sizeof(AppendOptions)
APPENDER_OPTIONS_SIZE = sizeof(AppenderOptions)
APPENDER_INFO_SIZE = sizeof(AppenderInfo)
WRITER_OPTIONS_SIZE = sizeof(WriterOptions)
WRITER_INFO_SIZE = sizeof(WriterInfo)
CUT_RECORD_SIZE = sizeof(CutRecord)
