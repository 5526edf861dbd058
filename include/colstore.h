/*
 * colstore: columnar tables in memory-mapped .cstore files.
 *
 * Generated from the Rust sources of colstore-ffi by cbindgen; do not edit (`make header` writes it anew).
 *
 * How to read it; docs/c-abi.md says more:
 *
 * - Functions that can fail return a colstore_status and take, last, `colstore_error **err`. On failure *err
 *   receives an error that the caller frees, unless err is NULL; on success it is left alone. Statuses are
 *   named here without their prefix COLSTORE_STATUS_. Every function with `err` may return INVALID_ARGUMENT
 *   and INTERNAL besides what its comment says.
 * - Inputs come first, outputs last. Outputs are written on success only.
 * - Functions that make something (their `out` is a pointer to a pointer) give it to the caller, and the _free
 *   of its type takes it back, on any thread; NULL is fine there. Texts and memory that are only lent say
 *   until when.
 * - NULL where it is not allowed, an impossible size or a number out of its set is INVALID_ARGUMENT, never a
 *   crash. A pointer that comes with a length may be NULL if the length is 0; a path may not.
 * - Strings are bytes in UTF-8 with a length. They need no NUL at the end.
 * - Structs begin with their size: zero the struct, then set `size` to its sizeof, before the call.
 * - Any number of threads may use a handle at once. Only freeing it must be the last use.
 */

#ifndef COLSTORE_H
#define COLSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* --- Version -------------------------------------------------------------------------------------------- */

/**
 * The version of the ABI that this header describes. Compare it with `colstore_abi_version()` after loading.
 */
#define COLSTORE_ABI_VERSION 1

/**
 * The version of the ABI that the loaded library has. It is raised when something that programs rely on
 * changes; additions do not raise it.
 */
uint32_t colstore_abi_version(void);

/** The version of the library, such as `"0.6.0"`. The text is static: never free it. */
const char *colstore_version(void);

/* --- Status and error ----------------------------------------------------------------------------------- */

/**
 * What a call came to. 0 is success. A number keeps its meaning for ever and is never used again; later
 * versions may add numbers, so treat an unknown one as a failure.
 */
enum colstore_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** The call did what it was asked to. */
    COLSTORE_STATUS_OK = 0,
    /** An argument is wrong: NULL where it must not be, a size that does not fit, a value out of its set. */
    COLSTORE_STATUS_INVALID_ARGUMENT = 1,
    /** The dtype cannot be stored in a `.cstore` file. */
    COLSTORE_STATUS_UNSUPPORTED_TYPE = 2,
    /** There is no file at the path. */
    COLSTORE_STATUS_NOT_FOUND = 3,
    /** There is a file at the path already, and the call must not replace it. */
    COLSTORE_STATUS_ALREADY_EXISTS = 4,
    /** The operating system does not allow the access. */
    COLSTORE_STATUS_PERMISSION_DENIED = 5,
    /** The operating system failed to read or write. */
    COLSTORE_STATUS_IO = 6,
    /** The disk is full, or a quota or the largest file size is reached. */
    COLSTORE_STATUS_NO_SPACE = 7,
    /** The bytes of the file are no valid `.cstore` file. */
    COLSTORE_STATUS_FORMAT = 8,
    /** The table has no column of that name. */
    COLSTORE_STATUS_UNKNOWN_COLUMN = 9,
    /** A row or an index is outside its range. */
    COLSTORE_STATUS_OUT_OF_BOUNDS = 10,
    /**
     * The values do not lie one after the other in the file, or not in native byte order: they cannot be
     * viewed, only read.
     */
    COLSTORE_STATUS_NOT_CONTIGUOUS = 11,
    /** The call was cancelled through its progress. */
    COLSTORE_STATUS_CANCELLED = 12,
    /** Memory or address space ran out. */
    COLSTORE_STATUS_OUT_OF_MEMORY = 13,
    /** A defect of this library. The message says where; please report it. */
    COLSTORE_STATUS_INTERNAL = 14,
    /** The file or directory is locked by another writer. */
    COLSTORE_STATUS_LOCKED = 15,
    /**
     * A condition or expression that cannot be understood: its syntax, a name in it, a result that is not boolean.
     */
    COLSTORE_STATUS_QUERY = 16,
    /** No operation for operands of these dtypes. */
    COLSTORE_STATUS_TYPE = 17,
    /** The frame has no column of that name. */
    COLSTORE_STATUS_KEY = 18,
    /** A value, a length or a number of rows that is not allowed. */
    COLSTORE_STATUS_VALUE = 19,
    /** A number that its dtype cannot hold. */
    COLSTORE_STATUS_OVERFLOW = 20,
    /** A function of the caller's failed; `colstore_error_callback_code` has its code. */
    COLSTORE_STATUS_CALLBACK = 21,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_status colstore_status;
#else
typedef int32_t colstore_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The name of a status without its prefix, such as `"NOT_FOUND"`; `"UNKNOWN"` for a number that is no
 * status.
 *
 * The text is static: never free it.
 */
const char *colstore_status_name(int32_t status);

/**
 * Why a call failed: its status, a message for people, and what it is about. Opaque; owned by the caller;
 * immutable, so any thread may read it.
 */
typedef struct colstore_error colstore_error;

/** The status of the error; `COLSTORE_STATUS_OK` for NULL. */
colstore_status colstore_error_status(const colstore_error *error);

/**
 * The message: what was asked, what was found, where, and what to do. UTF-8, and NUL-terminated too; its
 * length without the NUL goes to `*len`, unless `len` is NULL. An empty text for NULL.
 *
 * The text is borrowed from the error: it is valid until `colstore_error_free`.
 */
const char *colstore_error_message(const colstore_error *error, size_t *len);

/**
 * The path of the file that the error is about, as bytes of the operating system (UTF-8 where they are
 * text), NUL-terminated too; NULL when it is about none. Its length goes to `*len`, unless `len` is NULL.
 *
 * The bytes are borrowed from the error: they are valid until `colstore_error_free`.
 */
const char *colstore_error_path(const colstore_error *error, size_t *len);

/**
 * The name of the column that the error is about, UTF-8 (a lone surrogate shown as an escape),
 * NUL-terminated too; NULL when it is about none. Its length goes to `*len`, unless `len` is NULL.
 *
 * The text is borrowed from the error: it is valid until `colstore_error_free`.
 */
const char *colstore_error_column(const colstore_error *error, size_t *len);

/** Whether the error is about a row; if so, its number goes to `*row`, unless `row` is NULL. */
bool colstore_error_row(const colstore_error *error, int64_t *row);

/** The error number of the operating system (`errno`), 0 when it had no part in the failure. */
int32_t colstore_error_os_code(const colstore_error *error);

/**
 * Whether the error is about a part of an expression that was given as text; if so, the part is its bytes from
 * `*start` up to, but not including, `*end`, unless these are NULL.
 */
bool colstore_error_span(const colstore_error *error, size_t *start, size_t *end);

/** The code that a function of the caller's gave when it failed; 0 for every other error. */
int64_t colstore_error_callback_code(const colstore_error *error);

/** Frees an error, and with it the texts borrowed from it. NULL is fine. */
void colstore_error_free(colstore_error *error);

/* --- Dtype: what the values of a column are ------------------------------------------------------------- */

/** The units of datetimes and timedeltas. The numbers never change. */
enum colstore_unit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** No unit: a time without one, or no time at all. */
    COLSTORE_UNIT_NONE = 0,
    /** Years. */
    COLSTORE_UNIT_YEAR = 1,
    /** Months. */
    COLSTORE_UNIT_MONTH = 2,
    /** Weeks. */
    COLSTORE_UNIT_WEEK = 3,
    /** Days. */
    COLSTORE_UNIT_DAY = 4,
    /** Hours. */
    COLSTORE_UNIT_HOUR = 5,
    /** Minutes. */
    COLSTORE_UNIT_MINUTE = 6,
    /** Seconds. */
    COLSTORE_UNIT_SECOND = 7,
    /** Milliseconds. */
    COLSTORE_UNIT_MILLI = 8,
    /** Microseconds. */
    COLSTORE_UNIT_MICRO = 9,
    /** Nanoseconds. */
    COLSTORE_UNIT_NANO = 10,
    /** Picoseconds. */
    COLSTORE_UNIT_PICO = 11,
    /** Femtoseconds. */
    COLSTORE_UNIT_FEMTO = 12,
    /** Attoseconds. */
    COLSTORE_UNIT_ATTO = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_unit colstore_unit;
#else
typedef int32_t colstore_unit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** A dtype, taken apart. This struct does not grow. */
typedef struct colstore_dtype {
    /** `sizeof(colstore_dtype)`. */
    size_t size;
    /**
     * NumPy's letter: `'b'` bool, `'i'` signed, `'u'` unsigned, `'f'` float (with 16 bytes: the opaque `long
     * double` of the host that wrote the file), `'M'` datetime, `'m'` timedelta, `'S'` NUL-padded bytes,
     * `'U'` NUL-padded UCS-4 text.
     */
    int32_t kind;
    /**
     * 1 if the file holds the values in big-endian order, else 0. What reads return is little-endian in any
     * case.
     */
    int32_t big_endian;
    /** Bytes of a value; 0 is possible for `'S'` and `'U'`. */
    size_t itemsize;
    /** For `'M'` and `'m'` the unit, an `enum colstore_unit`; else `COLSTORE_UNIT_NONE`. */
    int32_t unit;
    /** How many units one count stands for (25 in `M8[25s]`); 0 unless the kind is `'M'` or `'m'`. */
    int32_t unit_multiplier;
} colstore_dtype;

/**
 * Reads the text of a dtype, in any of NumPy's spellings: `"<f8"`, `"float64"`, `">M8[25s]"`, `"S12"`.
 *
 * Fails with `UNSUPPORTED_TYPE` if the text names no type that a `.cstore` file can hold.
 */
colstore_status colstore_dtype_parse(const char *text, size_t len, colstore_dtype *out, colstore_error **err);

/* --- Schema: the columns of a table --------------------------------------------------------------------- */

/**
 * A column of a schema. The texts are borrowed from the schema: they are valid until `colstore_schema_free`,
 * and end at their length, not at a NUL.
 */
typedef struct colstore_column {
    /** `sizeof(colstore_column)`, set by the caller. */
    size_t size;
    /** The name: UTF-8, or WTF-8 if it has lone surrogates (each as its three bytes). It may contain NULs. */
    const char *name;
    /** Bytes of the name. */
    size_t name_len;
    /** The dtype as the file spells it. */
    const char *dtype_text;
    /** Bytes of `dtype_text`. */
    size_t dtype_text_len;
    /** The dtype of what reads return, NumPy's `dtype.str` in little-endian order: `"<f8"`, `"|S3"`. */
    const char *native_text;
    /** Bytes of `native_text`. */
    size_t native_text_len;
    /** The dtype in the file, taken apart; its size is set by the library. */
    colstore_dtype dtype;
} colstore_column;

/** The columns of a table, in order. Opaque; owned by the caller; immutable; it needs the table no more. */
typedef struct colstore_schema colstore_schema;

/** The number of columns. */
colstore_status colstore_schema_n_columns(const colstore_schema *schema, size_t *out, colstore_error **err);

/**
 * Describes the column at position `index`, counted from 0.
 *
 * Fails with `OUT_OF_BOUNDS` if there is none.
 */
colstore_status colstore_schema_column(
    const colstore_schema *schema, size_t index, colstore_column *out, colstore_error **err);

/**
 * The position of the column with the given name: `len` bytes of UTF-8, or of WTF-8 for lone surrogates. The
 * name may be empty.
 *
 * Fails with `UNKNOWN_COLUMN` if there is none; the message lists the names there are.
 */
colstore_status colstore_schema_find(
    const colstore_schema *schema, const char *name, size_t len, size_t *index, colstore_error **err);

/** Frees a schema, and with it the texts borrowed from it. NULL is fine. */
void colstore_schema_free(colstore_schema *schema);

/* --- Table: files, open for reading --------------------------------------------------------------------- */

/**
 * How the pages of a file will be asked for, so that the system reads ahead or does not. The numbers never
 * change.
 */
enum colstore_advice
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** The library's choice. */
    COLSTORE_ADVICE_DEFAULT = 0,
    /** In no particular way. */
    COLSTORE_ADVICE_NORMAL = 1,
    /** From the first to the last. */
    COLSTORE_ADVICE_SEQUENTIAL = 2,
    /** In no order: nothing is read ahead. */
    COLSTORE_ADVICE_RANDOM = 3,
    /** All, and soon: reading begins at once. */
    COLSTORE_ADVICE_WILL_NEED = 4,
    /** None for a while: what is in memory may go. */
    COLSTORE_ADVICE_DONT_NEED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_advice colstore_advice;
#else
typedef int32_t colstore_advice;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** How the bytes of a file are got at. What is read is the same. The numbers never change. */
enum colstore_backend
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** As the setting `read_backend` says, see `colstore_config_set`. */
    COLSTORE_BACKEND_DEFAULT = 0,
    /**
     * The file is mapped. Fastest, and lends values without a copy; but if another program shortens the file,
     * touching what is gone raises `SIGBUS`.
     */
    COLSTORE_BACKEND_MMAP = 1,
    /**
     * The file is read through its descriptor: whatever becomes of it is an error, and nothing can be lent.
     */
    COLSTORE_BACKEND_PREAD = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_backend colstore_backend;
#else
typedef int32_t colstore_backend;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** How a table is opened. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_open_options {
    /** `sizeof(colstore_open_options)`, set by the caller. */
    size_t size;
    /** An `enum colstore_advice`, for files that are mapped. */
    int32_t advice;
    /** 1 to keep the mapped file in memory (`mlock`), as far as the process may, else 0. */
    int32_t lock;
    /** An `enum colstore_backend`. */
    int32_t backend;
    /** Must be 0. */
    int32_t reserved;
} colstore_open_options;

/**
 * A `.cstore` file, open for reading, or many of them end to end. Opaque; owned by the caller; immutable, so any
 * number of threads may use it at once. It shows what was committed when the files were opened.
 */
typedef struct colstore_table colstore_table;

/**
 * Opens the file at `path`: checks its header and the headers of its records, and maps the committed bytes.
 * The values are not touched, so the cost does not depend on the number of rows.
 *
 * `options` may be NULL. `*out` is a new table: free it with `colstore_table_free`.
 *
 * Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the file cannot be read, with `FORMAT` if it is no
 * whole and valid `.cstore` file.
 */
colstore_status colstore_table_open(
    const char *path, size_t path_len, const colstore_open_options *options, colstore_table **out,
    colstore_error **err);

/**
 * The columns of the table. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the
 * table.
 */
colstore_status colstore_table_schema(
    const colstore_table *table, colstore_schema **out, colstore_error **err);

/** The number of rows. */
colstore_status colstore_table_n_rows(const colstore_table *table, int64_t *out, colstore_error **err);

/**
 * The number of records that the rows lie in, in all files. With one, every column is contiguous and can be
 * viewed whole.
 */
colstore_status colstore_table_n_records(const colstore_table *table, int64_t *out, colstore_error **err);

/**
 * The number of rows of every record, in the order of the rows. Where records begin and end tells which rows can be
 * viewed.
 *
 * `out` has `n` elements, exactly as many as there are records.
 */
colstore_status colstore_table_record_rows(
    const colstore_table *table, int64_t *out, size_t n, colstore_error **err);

/** The number of files: 1 for a table that was opened, any number for one that was put together. */
colstore_status colstore_table_n_files(const colstore_table *table, size_t *out, colstore_error **err);

/**
 * The path of the file at position `file`, counted from 0 in the order of the rows, as it was given when the file
 * was opened: bytes of the operating system, without a NUL, `*len` of them.
 *
 * `*path` is borrowed from the table: it is valid until `colstore_table_free`.
 *
 * Fails with `OUT_OF_BOUNDS` if there is no such file.
 */
colstore_status colstore_table_path(
    const colstore_table *table, size_t file, const char **path, size_t *len, colstore_error **err);

/**
 * Frees a table. Views and schemas taken from it and tables put together from it stay valid; the files go with
 * the last of them. NULL is fine.
 */
void colstore_table_free(colstore_table *table);

/** What the header of a file says. */
typedef struct colstore_info {
    /** `sizeof(colstore_info)`, set by the caller. */
    size_t size;
    /** The version of the file format, 1. */
    uint32_t format_version;
    /** 0. */
    uint32_t reserved;
    /** Committed rows. */
    int64_t n_rows;
    /** Committed records. */
    int64_t n_records;
    /** Size of the whole file in bytes. */
    int64_t file_size;
} colstore_info;

/**
 * Reads the header of the file at `path`, and nothing else of it: damage behind the header is not seen.
 *
 * `schema` may be NULL; else `*schema` is a new schema: free it with `colstore_schema_free`.
 *
 * Fails as `colstore_table_open` does.
 */
colstore_status colstore_info_read(
    const char *path, size_t path_len, colstore_info *out, colstore_schema **schema, colstore_error **err);

/* --- Names, and tables of many files -------------------------------------------------------------------- */

/** A list of names or paths. Opaque; owned by the caller; immutable. */
typedef struct colstore_names colstore_names;

/** The number of texts. */
colstore_status colstore_names_count(const colstore_names *names, size_t *out, colstore_error **err);

/**
 * The text at position `index`, counted from 0: `*len` bytes, without a NUL.
 *
 * `*text` is borrowed from the list: it is valid until `colstore_names_free`.
 *
 * Fails with `OUT_OF_BOUNDS` if there is none.
 */
colstore_status colstore_names_get(
    const colstore_names *names, size_t index, const char **text, size_t *len, colstore_error **err);

/** Frees a list, and with it the texts borrowed from it. NULL is fine. */
void colstore_names_free(colstore_names *names);

/** What to do if tables differ in their columns. */
enum colstore_on_mismatch
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Fail with `INVALID_ARGUMENT`. The order of the columns may differ. */
    COLSTORE_ON_MISMATCH_STRICT = 0,
    /** Leave out the columns that not every table has with the same dtype. */
    COLSTORE_ON_MISMATCH_DROP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_on_mismatch colstore_on_mismatch;
#else
typedef int32_t colstore_on_mismatch;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Puts tables end to end: the rows of `tables[0]`, then those of `tables[1]`, and so on. No file is read or opened
 * for it, and the tables may be freed afterwards, before or after the new one. A table may be there more than
 * once, and may itself be put together.
 *
 * `tables` has `n` elements. `on_mismatch` is an `enum colstore_on_mismatch`. The columns are in the order of
 * `tables[0]`; without tables there are neither columns nor rows.
 *
 * `*out` is a new table: free it with `colstore_table_free`. `dropped` may be NULL; else `*dropped` are the names
 * of the columns that were left out, sorted (a lone surrogate shown as an escape): free them with
 * `colstore_names_free`.
 *
 * Fails with `INVALID_ARGUMENT` if the columns differ; the message names the files, the column and both dtypes.
 * If columns may be left out, it fails with `INVALID_ARGUMENT` only if none remains.
 */
colstore_status colstore_table_concat(
    const colstore_table *const *tables, size_t n, int32_t on_mismatch, colstore_table **out,
    colstore_names **dropped, colstore_error **err);

/**
 * The paths of the files that `path` stands for, in natural order (`run_2` before `run_10`):
 *
 * - a directory stands for the `.cstore` files in it, without hidden ones; there may be none,
 * - a path with `*`, `?` or `[` in it is a pattern, and stands for the files that match (`**` for directories of
 *   any depth),
 * - another path stands for itself, whether there is a file or not.
 *
 * `*out` is a new list of paths, bytes of the operating system: free it with `colstore_names_free`.
 *
 * Fails with `NOT_FOUND` if no file matches the pattern, with `INVALID_ARGUMENT` if it is no pattern, with
 * `PERMISSION_DENIED` or `IO` if the operating system refuses.
 */
colstore_status colstore_paths_expand(
    const char *path, size_t path_len, colstore_names **out, colstore_error **err);

/* --- Progress: watching and cancelling long calls ------------------------------------------------------- */

/**
 * Watches long calls and can cancel them. Opaque; owned by the caller. One progress may be given to several
 * calls.
 */
typedef struct colstore_progress colstore_progress;

/**
 * Hears how far a call is: `done` of `total` bytes, both in whole pieces of work, so that they may be a
 * little more than the call moves; `done` is `total` at the end. It is called now and then by the thread
 * that made the call, and by no other. It must return soon, and must not throw or jump out.
 */
typedef void (*colstore_progress_callback)(void *context, uint64_t done, uint64_t total);

/**
 * Makes a progress for the options of a long call.
 *
 * `callback` may be NULL if it is for cancelling only. `context` is handed to the callback as it is; both
 * must stay valid while calls with this progress run. `*out` is a new progress: free it with
 * `colstore_progress_free`.
 */
colstore_status colstore_progress_new(
    colstore_progress_callback callback, void *context, colstore_progress **out, colstore_error **err);

/**
 * Asks the calls with this progress to stop: they return `CANCELLED` within 50 ms. Calls that begin later
 * return it at once. Any thread may ask, and so may a signal handler. NULL is fine.
 */
void colstore_progress_cancel(colstore_progress *progress);

/**
 * Frees a progress. Calls that run with it go on, with their reports, and can no longer be cancelled. NULL
 * is fine.
 */
void colstore_progress_free(colstore_progress *progress);

/* --- Rows: which rows of a table ------------------------------------------------------------------------ */

/** The type of index values. The numbers never change. */
enum colstore_index_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** `int8_t` */
    COLSTORE_INDEX_TYPE_I8 = 1,
    /** `int16_t` */
    COLSTORE_INDEX_TYPE_I16 = 2,
    /** `int32_t` */
    COLSTORE_INDEX_TYPE_I32 = 3,
    /** `int64_t` */
    COLSTORE_INDEX_TYPE_I64 = 4,
    /** `uint8_t` */
    COLSTORE_INDEX_TYPE_U8 = 5,
    /** `uint16_t` */
    COLSTORE_INDEX_TYPE_U16 = 6,
    /** `uint32_t` */
    COLSTORE_INDEX_TYPE_U32 = 7,
    /** `uint64_t` */
    COLSTORE_INDEX_TYPE_U64 = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_index_type colstore_index_type;
#else
typedef int32_t colstore_index_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** What a selection came to. The numbers never change. */
enum colstore_rows_form
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Evenly spaced rows, whatever they were made from. */
    COLSTORE_ROWS_FORM_RANGE = 1,
    /** Row numbers, one by one. */
    COLSTORE_ROWS_FORM_INDICES = 2,
    /** One bit for every row. */
    COLSTORE_ROWS_FORM_MASK = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_rows_form colstore_rows_form;
#else
typedef int32_t colstore_rows_form;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** What a selection is. */
typedef struct colstore_rows_info {
    /** `sizeof(colstore_rows_info)`, set by the caller. */
    size_t size;
    /** The number of rows that are selected from: that of the tables which the selection is good for. */
    int64_t n_rows;
    /** The number of rows that are selected. */
    int64_t count;
    /** An `enum colstore_rows_form`. */
    int32_t form;
    /** 1 if no row is below the one before it, else 0. */
    int32_t sorted;
    /** The first row of a range, if there is one; else 0. */
    int64_t first;
    /**
     * From one row of a range to the next: negative for descending rows, 1 for up to one row; 0 in other forms.
     */
    int64_t step;
} colstore_rows_info;

/**
 * Rows of a table, in order; a row may be there more than once. Opaque; owned by the caller; immutable. It is
 * made for tables of a certain number of rows and good for every table of that many; it needs none of them.
 *
 * Made by `colstore_rows_indices` with `borrow`, it reads the caller's memory whenever it is used: that memory
 * must stay readable until `colstore_rows_free`. Every other selection has memory of its own.
 */
typedef struct colstore_rows colstore_rows;

/**
 * All rows of tables of `n_rows` rows.
 *
 * `*out` is a new selection: free it with `colstore_rows_free`.
 */
colstore_status colstore_rows_all(int64_t n_rows, colstore_rows **out, colstore_error **err);

/**
 * Row `start` and every `step`-th one from there, as long as it is before `stop`: below it if `step` is
 * positive, above it if `step` is negative, so that a `stop` of -1 reaches row 0. Numbers are not counted from
 * the end and not clipped.
 *
 * `*out` is a new selection: free it with `colstore_rows_free`.
 *
 * Fails with `INVALID_ARGUMENT` if `step` is 0, with `OUT_OF_BOUNDS` if a row is not one of the `n_rows` rows.
 */
colstore_status colstore_rows_range(
    int64_t n_rows, int64_t start, int64_t stop, int64_t step, colstore_rows **out, colstore_error **err);

/**
 * Rows by number, in the order given, as often as given. Negative numbers count from the end: -1 is the last
 * row.
 *
 * `data` points to the first of `n` numbers, `stride` bytes apart (their size in an array; it may be larger,
 * negative or 0), at any address, in native byte order. `index_type` is an `enum colstore_index_type`.
 *
 * If `borrow` is 0, the numbers are copied. Otherwise they are not: THE MEMORY MUST STAY READABLE UNTIL
 * `colstore_rows_free`, and every use of the selection reads it anew. Numbers that are changed meanwhile are
 * checked again where they are used: the use selects other rows, the old or the new, or fails with
 * `OUT_OF_BOUNDS`, but never reads what is not there.
 *
 * `*out` is a new selection: free it with `colstore_rows_free`.
 *
 * Fails with `OUT_OF_BOUNDS` if a number is below `-n_rows`, or `n_rows` or above; the message names the first
 * such number and its position, `colstore_error_row` the number.
 */
colstore_status colstore_rows_indices(
    int64_t n_rows, const void *data, int32_t index_type, size_t n, int64_t stride, int32_t borrow,
    colstore_rows **out, colstore_error **err);

/**
 * The rows whose byte is not 0: row `i` is selected by the byte at `bytes + i * stride`. The bytes are copied,
 * as bits.
 *
 * `*out` is a new selection: free it with `colstore_rows_free`.
 *
 * Fails with `OUT_OF_BOUNDS` unless there are as many bytes as rows, `n == n_rows`.
 */
colstore_status colstore_rows_mask(
    int64_t n_rows, const uint8_t *bytes, size_t n, int64_t stride, colstore_rows **out,
    colstore_error **err);

/**
 * The rows whose bit is set: row `i` is selected by bit `i % 8`, counted from the lowest, of byte `i / 8`. Bits
 * beyond the last row do not count. The bits are copied.
 *
 * `*out` is a new selection: free it with `colstore_rows_free`.
 *
 * Fails with `OUT_OF_BOUNDS` unless there are as many bytes as the rows need, `n_bytes == (n_rows + 7) / 8`.
 */
colstore_status colstore_rows_mask_bits(
    int64_t n_rows, const uint8_t *bits, size_t n_bytes, colstore_rows **out, colstore_error **err);

/**
 * A selection of a selection: those rows of `outer` that `inner` says by their position in it, in the order of
 * `inner`. Row `p` of `inner` stands for the row at position `p` of `outer`.
 *
 * `*out` is a new selection: free it with `colstore_rows_free`. It is good for the tables that `outer` is good
 * for, and borrows nothing, neither from the two nor from what they borrow.
 *
 * Fails with `INVALID_ARGUMENT` unless `inner` was made for as many rows as `outer` selects, with `OUT_OF_BOUNDS` if
 * borrowed numbers have been changed to such as are no rows.
 */
colstore_status colstore_rows_select(
    const colstore_rows *outer, const colstore_rows *inner, colstore_rows **out, colstore_error **err);

/** The number of rows selected; a row that is there twice counts twice. */
colstore_status colstore_rows_count(const colstore_rows *rows, int64_t *out, colstore_error **err);

/**
 * The row numbers at positions `start` to `stop` (not included) of the selection.
 *
 * `out` has `n` elements, exactly `stop - start`. What it holds after a failure is unspecified.
 *
 * Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= count`, and if borrowed numbers have been changed to
 * such as are no rows.
 */
colstore_status colstore_rows_positions(
    const colstore_rows *rows, int64_t start, int64_t stop, int64_t *out, size_t n, colstore_error **err);

/** Says what a selection came to: evenly spaced rows are a range, whatever they were made from. */
colstore_status colstore_rows_describe(
    const colstore_rows *rows, colstore_rows_info *out, colstore_error **err);

/** Frees a selection; memory that it borrowed is the caller's alone again. NULL is fine. */
void colstore_rows_free(colstore_rows *rows);

/* --- Read: values into buffers of the caller's ---------------------------------------------------------- */

/** How a read is done. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_read_options {
    /** `sizeof(colstore_read_options)`, set by the caller. */
    size_t size;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /** Must be 0. */
    uint32_t reserved;
    /** Receives reports and can cancel the read; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_read_options;

/**
 * Reads rows `start` to `stop` (not included) of the column at position `column` into `out`: one value after
 * the other, in native byte order.
 *
 * `out_size` is the size of `out` in bytes, and must be `(stop - start) * itemsize` exactly; any alignment
 * will do. `options` may be NULL. What `out` holds after a failure is unspecified.
 *
 * Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= n_rows` and the column exists, with `CANCELLED`
 * if the progress was cancelled.
 */
colstore_status colstore_table_read_column(
    const colstore_table *table, size_t column, int64_t start, int64_t stop,
    const colstore_read_options *options, void *out, size_t out_size, colstore_error **err);

/**
 * Reads rows `start` to `stop` (not included) of several columns at once, each into a buffer of its own: the
 * values of the column at position `columns[i]` go to `outs[i]`, which has `out_sizes[i]` bytes, exactly
 * `(stop - start) * itemsize`. The three arrays have `n_columns` elements. The buffers must not overlap.
 *
 * `options` may be NULL. What the buffers hold after a failure is unspecified. Fails as
 * `colstore_table_read_column`.
 */
colstore_status colstore_table_read_columns(
    const colstore_table *table, const size_t *columns, size_t n_columns, int64_t start, int64_t stop,
    const colstore_read_options *options, void *const *outs, const size_t *out_sizes, colstore_error **err);

/**
 * Reads rows `start` to `stop` (not included) of several columns as records: row after row, and in a row the
 * values of the columns in the order of `columns`, with nothing between them, in native byte order.
 *
 * `columns` has `n_columns` positions. `out_size` is the size of `out` in bytes, and must be `(stop - start)
 * * (sum of the itemsizes)` exactly. `options` may be NULL. What `out` holds after a failure is unspecified.
 * Fails as `colstore_table_read_column`.
 */
colstore_status colstore_table_read_records(
    const colstore_table *table, const size_t *columns, size_t n_columns, int64_t start, int64_t stop,
    const colstore_read_options *options, void *out, size_t out_size, colstore_error **err);

/**
 * Reads the selected rows of the column at position `column` into `out`, in the order of the selection: one
 * value after the other, in native byte order.
 *
 * `out_size` is the size of `out` in bytes, and must be the number of selected rows times the itemsize,
 * exactly; any alignment will do. `options` may be NULL. What `out` holds after a failure is unspecified.
 *
 * Fails with `INVALID_ARGUMENT` if the selection was made for another number of rows than the table has, with
 * `OUT_OF_BOUNDS` if the column does not exist or borrowed row numbers have been changed to such as are no rows,
 * with `CANCELLED` if the progress was cancelled.
 */
colstore_status colstore_table_read_column_at(
    const colstore_table *table, size_t column, const colstore_rows *rows,
    const colstore_read_options *options, void *out, size_t out_size, colstore_error **err);

/**
 * Reads the selected rows of several columns at once, each into a buffer of its own, as
 * `colstore_table_read_columns` does. The selection is looked at once for all columns, which is faster than one
 * call a column.
 *
 * `out_sizes[i]` must be the number of selected rows times the itemsize of column `columns[i]`, exactly.
 * `options` may be NULL. What the buffers hold after a failure is unspecified. Fails as
 * `colstore_table_read_column_at`.
 */
colstore_status colstore_table_read_columns_at(
    const colstore_table *table, const size_t *columns, size_t n_columns, const colstore_rows *rows,
    const colstore_read_options *options, void *const *outs, const size_t *out_sizes, colstore_error **err);

/**
 * Reads the selected rows of several columns as records, as `colstore_table_read_records` does: one record a
 * selected row, in the order of the selection.
 *
 * `out_size` must be the number of selected rows times the sum of the itemsizes, exactly. `options` may be NULL.
 * What `out` holds after a failure is unspecified. Fails as `colstore_table_read_column_at`.
 */
colstore_status colstore_table_read_records_at(
    const colstore_table *table, const size_t *columns, size_t n_columns, const colstore_rows *rows,
    const colstore_read_options *options, void *out, size_t out_size, colstore_error **err);

/**
 * Reads `n` rows by number of the column at position `column` into `out`: what `colstore_table_read_column_at` reads
 * with what `colstore_rows_indices` makes of `data`, `index_type`, `n` and `stride`, in one call.
 *
 * The numbers are borrowed for the call, and each is looked at once, when it is used. Rows that are read more than once
 * are better kept as a selection, which knows of an order among them and need not look for it again.
 *
 * `out_size` is the size of `out` in bytes, and must be `n` times the itemsize, exactly; any alignment will do.
 * `options` may be NULL. What `out` holds after a failure is unspecified.
 *
 * Fails with `OUT_OF_BOUNDS` if the column does not exist, or if a number is below `-n_rows`, or `n_rows` or above;
 * the message names the first such number and its position, `colstore_error_row` the number. Fails with `CANCELLED` if
 * the progress was cancelled.
 */
colstore_status colstore_table_gather_column(
    const colstore_table *table, size_t column, const void *data, int32_t index_type, size_t n,
    int64_t stride, const colstore_read_options *options, void *out, size_t out_size, colstore_error **err);

/**
 * Reads `n` rows by number of several columns at once, each into a buffer of its own, as
 * `colstore_table_read_columns_at` does.
 *
 * The row numbers are given as to `colstore_table_gather_column`, and it fails as that does. `out_sizes[i]` must be
 * `n` times the itemsize of column `columns[i]`, exactly. `options` may be NULL. What the buffers hold after a failure
 * is unspecified.
 */
colstore_status colstore_table_gather_columns(
    const colstore_table *table, const size_t *columns, size_t n_columns, const void *data,
    int32_t index_type, size_t n, int64_t stride, const colstore_read_options *options, void *const *outs,
    const size_t *out_sizes, colstore_error **err);

/**
 * Reads `n` rows by number of several columns as records, as `colstore_table_read_records_at` does.
 *
 * The row numbers are given as to `colstore_table_gather_column`, and it fails as that does. `out_size` must be `n`
 * times the sum of the itemsizes, exactly. `options` may be NULL. What `out` holds after a failure is unspecified.
 */
colstore_status colstore_table_gather_records(
    const colstore_table *table, const size_t *columns, size_t n_columns, const void *data,
    int32_t index_type, size_t n, int64_t stride, const colstore_read_options *options, void *out,
    size_t out_size, colstore_error **err);

/* --- View: values lent where they lie ------------------------------------------------------------------- */

/** Where the values of a view lie. */
typedef struct colstore_view_info {
    /** `sizeof(colstore_view_info)`, set by the caller. */
    size_t size;
    /**
     * The first value: read-only memory, borrowed from the view until `colstore_view_free`. Values may lie
     * at any address, so copy them out with `memcpy` where their type wants an alignment.
     */
    const void *data;
    /** The number of values. */
    int64_t n_rows;
    /** Bytes from one value to the next; negative for rows in descending order. */
    int64_t stride;
    /** Bytes of a value. */
    size_t itemsize;
} colstore_view_info;

/**
 * Rows of a column, lent where they lie in the mapped file. Opaque; owned by the caller; immutable; it keeps
 * the mapping alive after the table is freed.
 */
typedef struct colstore_view colstore_view;

/**
 * Lends rows `start` to `stop` (not included) of the column at position `column`, without a copy.
 *
 * `*out` is a new view: free it with `colstore_view_free`. It stays valid when the table is freed. If
 * another process writes into the file or shortens it, the values change with it.
 *
 * Fails with `NOT_CONTIGUOUS` if the rows lie in more than one record or in big-endian order (read them
 * instead), with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= n_rows` and the column exists.
 */
colstore_status colstore_table_view_column(
    const colstore_table *table, size_t column, int64_t start, int64_t stop, colstore_view **out,
    colstore_error **err);

/**
 * Lends the selected rows of the column at position `column`, without a copy, if they are evenly spaced: with a
 * step, the stride of the view is that many values, and negative for rows in descending order.
 *
 * `*out` is a new view: free it with `colstore_view_free`. It stays valid when the table and the selection are
 * freed.
 *
 * Fails with `NOT_CONTIGUOUS` if the rows are not evenly spaced, lie in more than one record or in big-endian
 * order (read them instead), with `INVALID_ARGUMENT` if the selection was made for another number of rows than
 * the table has, with `OUT_OF_BOUNDS` if the column does not exist.
 */
colstore_status colstore_table_view_column_at(
    const colstore_table *table, size_t column, const colstore_rows *rows, colstore_view **out,
    colstore_error **err);

/** Says where the values of a view lie. */
colstore_status colstore_view_describe(
    const colstore_view *view, colstore_view_info *out, colstore_error **err);

/** Frees a view; the memory that it lent must not be touched any more. NULL is fine. */
void colstore_view_free(colstore_view *view);

/* --- Allocator: memory for results, used again ---------------------------------------------------------- */

/**
 * Memory for `size` bytes, aligned to 64, of arbitrary content; NULL if there is none. Free it with
 * `colstore_allocator_free`.
 *
 * Large blocks come from memory that earlier ones gave back: it need not be provided and zeroed by the kernel
 * once more, which takes longer than filling it. What is kept for that (at most 2 GiB or an eighth of the
 * machine's memory) the kernel may take at any time. `context` is ignored here and below.
 */
void *colstore_allocator_malloc(void *context, size_t size);

/** As `colstore_allocator_malloc` for `count` times `size` bytes, all zero. */
void *colstore_allocator_calloc(void *context, size_t count, size_t size);

/**
 * A block of `size` bytes with the content of `data` as far as it goes, and `data` is freed; or NULL, and `data`
 * is as it was. NULL for `data` is fine.
 */
void *colstore_allocator_realloc(void *context, void *data, size_t size);

/** Frees a block. NULL is fine. `size` is ignored. */
void colstore_allocator_free(void *context, void *data, size_t size);

/* --- Reductions: a column as one value ------------------------------------------------------------------ */

/** What a column is reduced to. The numbers never change. */
enum colstore_reduction
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The sum: of booleans and signed integers modulo 2^64 as `'i'`, of unsigned integers modulo 2^64 as `'u'`, of
     * floats added up in double precision as `'f'`.
     */
    COLSTORE_REDUCTION_SUM = 1,
    /** The arithmetic mean, as `'f'`. */
    COLSTORE_REDUCTION_MEAN = 2,
    /** The least value, of the column's kind. */
    COLSTORE_REDUCTION_MIN = 3,
    /** The greatest value, of the column's kind. */
    COLSTORE_REDUCTION_MAX = 4,
    /**
     * The variance, as `'f'`: the sum of the squared distances from the mean, divided by the number of rows less
     * `ddof`; NaN if that is not above 0.
     */
    COLSTORE_REDUCTION_VAR = 5,
    /** The standard deviation, as `'f'`: the square root of the variance. */
    COLSTORE_REDUCTION_STD = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_reduction colstore_reduction;
#else
typedef int32_t colstore_reduction;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** One value. The fields that `kind` does not name are 0. */
typedef struct colstore_scalar {
    /** `sizeof(colstore_scalar)`, set by the caller. */
    size_t size;
    /**
     * Which field has the value: `'b'` `uint_value`, 0 or 1; `'i'`, `'M'` and `'m'` `int_value`, the last two in
     * units of the column, with `INT64_MIN` for "not a time"; `'u'` `uint_value`; `'f'` `float_value`; 0: there is
     * no value, because no row is selected.
     */
    int32_t kind;
    /** 0. */
    int32_t reserved;
    /** A signed integer or a time. */
    int64_t int_value;
    /** An unsigned integer or a boolean. */
    uint64_t uint_value;
    /** A float. */
    double float_value;
} colstore_scalar;

/**
 * Reduces rows of the column at position `column` to one value. The values are not copied out, and the memory that
 * is needed does not depend on their number. The result is the same to the last bit for any number of threads and
 * however the rows lie in records and files.
 *
 * `rows` may be NULL for all rows. `reduction` is an `enum colstore_reduction`; `ddof` is looked at for the
 * variance and the standard deviation only. `options` may be NULL. A NaN, or a "not a time", among the values makes
 * the result one. Of no rows the sum is 0, the variance and the standard deviation are NaN, and for the rest there
 * is no value.
 *
 * Fails with `UNSUPPORTED_TYPE` for bytes, text and floats of 16 bytes, and for times unless the least or the
 * greatest is asked for; with `INVALID_ARGUMENT` if the selection was made for another number of rows than the
 * table has, with `OUT_OF_BOUNDS` if the column does not exist or borrowed row numbers have been changed to such as
 * are no rows, with `CANCELLED` if the progress was cancelled.
 */
colstore_status colstore_table_reduce(
    const colstore_table *table, size_t column, const colstore_rows *rows, int32_t reduction, double ddof,
    const colstore_read_options *options, colstore_scalar *out, colstore_error **err);

/* --- Store: writing a file ------------------------------------------------------------------------------ */

/** What to do with a file that exists at the path. */
enum colstore_store_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Fail with `ALREADY_EXISTS`. */
    COLSTORE_STORE_MODE_CREATE = 0,
    /** Replace it, once the new one is complete. */
    COLSTORE_STORE_MODE_RECREATE = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_store_mode colstore_store_mode;
#else
typedef int32_t colstore_store_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** What a new file survives. */
enum colstore_durability
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** The end of the process: the operating system has the data. */
    COLSTORE_DURABILITY_PROCESS = 0,
    /** A power cut: the data and the name of the file are flushed to the disk. */
    COLSTORE_DURABILITY_DISK = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_durability colstore_durability;
#else
typedef int32_t colstore_durability;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** A column to store. */
typedef struct colstore_column_data {
    /** `sizeof(colstore_column_data)`, set by the caller; the same in every element of an array. */
    size_t size;
    /** The name: UTF-8, or WTF-8 for lone surrogates. */
    const char *name;
    /** Bytes of the name. */
    size_t name_len;
    /**
     * The dtype of the values at `data`, in any of NumPy's spellings: `"<f8"`, `"|S3"`. Big-endian values
     * are converted.
     */
    const char *dtype;
    /** Bytes of the dtype's text. */
    size_t dtype_len;
    /** The first value, at any address; may be NULL if there are no rows. */
    const void *data;
    /** The number of values; the same in every column. */
    int64_t n_rows;
    /** Bytes from one value to the next: the itemsize for an array. It may be larger, negative, or 0. */
    int64_t stride;
} colstore_column_data;

/** How a file is written. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_store_options {
    /** `sizeof(colstore_store_options)`, set by the caller. */
    size_t size;
    /** An `enum colstore_store_mode`. */
    int32_t mode;
    /** 1 to record the least and the greatest value of every column, else 0. */
    int32_t statistics;
    /** An `enum colstore_durability`. */
    int32_t durability;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /** Receives reports and can cancel the call; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_store_options;

/**
 * Writes a new `.cstore` file at `path` with the given columns, all at once.
 *
 * Everything is checked before anything is created. The data go to a temporary file beside the path, which
 * is then renamed: after a failure or a cancel the path is as it was before, with no file left behind.
 * Readers that have the old file open keep it. `columns` has `n_columns` elements, at least one; their
 * memory is borrowed for the call. `options` may be NULL.
 *
 * Fails with `ALREADY_EXISTS` if there is a file and the mode is to create one, with `UNSUPPORTED_TYPE` or
 * `INVALID_ARGUMENT` for columns that cannot be stored, with `NO_SPACE` on a full disk, with `CANCELLED` if
 * the progress was cancelled, and with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the operating system
 * refuses.
 */
colstore_status colstore_store(
    const char *path, size_t path_len, const colstore_column_data *columns, size_t n_columns,
    const colstore_store_options *options, colstore_error **err);

/* --- Verify: what is wrong with a file ------------------------------------------------------------------ */

/** How bad a finding is. */
enum colstore_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Worth knowing: nothing is wrong with the data. */
    COLSTORE_SEVERITY_NOTE = 0,
    /** Not as writers leave a file, but readers get the right values. */
    COLSTORE_SEVERITY_WARNING = 1,
    /** Damage: the file cannot be read, or not all that it says is true. */
    COLSTORE_SEVERITY_ERROR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_severity colstore_severity;
#else
typedef int32_t colstore_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * One thing that was found. The texts are UTF-8 without a NUL and borrowed from the report: they are valid
 * until `colstore_verify_report_free`.
 */
typedef struct colstore_finding {
    /** `sizeof(colstore_finding)`, set by the caller. */
    size_t size;
    /** An `enum colstore_severity`. */
    int32_t severity;
    /** 0. */
    int32_t reserved;
    /** A word that says what it is about, such as `"record"`. */
    const char *code;
    /** Bytes of the word. */
    size_t code_len;
    /** What was expected and what was found. */
    const char *message;
    /** Bytes of the message. */
    size_t message_len;
    /** The file, as bytes of the operating system. */
    const char *path;
    /** Bytes of the path. */
    size_t path_len;
    /** The name of the column (a lone surrogate shown as an escape), NULL if it is about none. */
    const char *column;
    /** Bytes of the name. */
    size_t column_len;
    /** Where, in bytes from the start of the file; -1 if it is about no place. */
    int64_t offset;
    /** In which record, counted from 0; -1 if it is about none. */
    int64_t record;
} colstore_finding;

/** What a check of files has found. Opaque; owned by the caller; immutable. */
typedef struct colstore_verify_report colstore_verify_report;

/** How files are checked. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_verify_options {
    /** `sizeof(colstore_verify_options)`, set by the caller. */
    size_t size;
    /** 1 to read all values too, else 0. */
    int32_t deep;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /** Receives reports and can cancel the call; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_verify_options;

/** What a check came to. */
typedef struct colstore_verify_summary {
    /** `sizeof(colstore_verify_summary)`, set by the caller. */
    size_t size;
    /** Findings that are listed: of each file at most a thousand, and one more that says so. */
    int64_t n_findings;
    /** Errors, listed or not; 0 if everything is sound. */
    int64_t n_errors;
    /** Warnings, listed or not. */
    int64_t n_warnings;
    /** Notes, listed or not. */
    int64_t n_notes;
    /** Files that were looked at as tables. */
    int64_t n_files;
    /** Committed records that were found to be whole. */
    int64_t n_records;
    /** Rows in them. */
    int64_t n_rows;
    /** Bytes of all files together. */
    int64_t n_bytes;
    /** Bytes of values that were read. */
    int64_t n_value_bytes;
} colstore_verify_summary;

/**
 * Checks the file at `path`, or all files of a directory or a pattern, and reports what is wrong with them and
 * where. Damage is in the report; it is no failure of the call.
 *
 * Found is any changed bit of the header, the manifest, record headers, fillers and statistics. Values have no
 * checksum: a change of them is found with `deep` only, and only if it leaves the range that the statistics of
 * the file give, or is a byte that no bool or text holds. No lock is taken.
 *
 * `options` may be NULL. `*out` is a new report: free it with `colstore_verify_report_free`.
 *
 * Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if a single file or the directory cannot be read, and with
 * `CANCELLED` if the progress was cancelled.
 */
colstore_status colstore_verify(
    const char *path, size_t path_len, const colstore_verify_options *options, colstore_verify_report **out,
    colstore_error **err);

/** What the check came to: how many findings, over how much. */
colstore_status colstore_verify_report_describe(
    const colstore_verify_report *report, colstore_verify_summary *out, colstore_error **err);

/**
 * The finding at position `index`, counted from 0, in the order of the files and of the places in them.
 *
 * Fails with `OUT_OF_BOUNDS` if there is none.
 */
colstore_status colstore_verify_report_finding(
    const colstore_verify_report *report, size_t index, colstore_finding *out, colstore_error **err);

/** Frees a report, and with it the texts borrowed from it. NULL is fine. */
void colstore_verify_report_free(colstore_verify_report *report);

/* --- Recover: what a writer that died has left ---------------------------------------------------------- */

/** What a recovery has done. */
enum colstore_recovery_action
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** It has looked, and changed nothing. */
    COLSTORE_RECOVERY_ACTION_LISTED = 0,
    /** It was to commit, and there was nothing to commit. */
    COLSTORE_RECOVERY_ACTION_UNCHANGED = 1,
    /** The records are committed in the file. */
    COLSTORE_RECOVERY_ACTION_COMMITTED = 2,
    /** The records are in a new file, committed. */
    COLSTORE_RECOVERY_ACTION_COPIED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_recovery_action colstore_recovery_action;
#else
typedef int32_t colstore_recovery_action;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** Whether the counters of a file, which say how many of its records are committed, can be relied on. */
enum colstore_counters_state
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** They are intact, and the records are there. */
    COLSTORE_COUNTERS_STATE_INTACT = 0,
    /** They are intact, and do not agree with the records. */
    COLSTORE_COUNTERS_STATE_WRONG = 1,
    /** Their bytes are damaged, as by a write that was torn. */
    COLSTORE_COUNTERS_STATE_DAMAGED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_counters_state colstore_counters_state;
#else
typedef int32_t colstore_counters_state;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** What was found in a file before anything was done, and what was done. */
typedef struct colstore_recovery {
    /** `sizeof(colstore_recovery)`, set by the caller. */
    size_t size;
    /** An `enum colstore_recovery_action`. */
    int32_t action;
    /** An `enum colstore_counters_state`. */
    int32_t counters;
    /** Records that readers see; -1 if they refuse the file, because its counters are not intact. */
    int64_t committed_records;
    /** Rows in them; -1 likewise. */
    int64_t committed_rows;
    /** Where the last of them ends, in bytes from the start of the file; -1 likewise. */
    int64_t committed_end;
    /** All whole records from the first on, committed or not. */
    int64_t whole_records;
    /** Rows in them. */
    int64_t whole_rows;
    /** Where the last of them ends, in bytes from the start of the file. */
    int64_t whole_end;
    /** Bytes behind the last whole record. */
    int64_t tail_bytes;
    /** Size of the file in bytes. */
    int64_t file_size;
    /**
     * Where a statistics footer for exactly the whole records starts, in bytes from the start of the file; 0 for
     * none.
     */
    int64_t statistics_offset;
    /**
     * 1 if records may have been committed that are not among the whole ones: then only a new file can take them.
     */
    int32_t may_lose_committed;
    /** 0. */
    int32_t reserved;
} colstore_recovery;

/** How a file is recovered. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_recover_options {
    /** `sizeof(colstore_recover_options)`, set by the caller. */
    size_t size;
    /** 1 to commit the records in the file itself, else 0. */
    int32_t commit;
    /** 1 to work without the lock that keeps writers apart, else 0. */
    int32_t no_lock;
    /** Receives reports and can cancel the call; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_recover_options;

/**
 * Finds the whole records of a file that a writer did not get to commit, or whose counters are damaged, and
 * recovers them if asked to.
 *
 * With a `target`, what readers saw and what was found go to a new file there, and the old one stays as it is.
 * With `commit` in the options, the counters of the file itself are rewritten, its data being flushed before and
 * they after; nothing else of it is touched or cut off. With neither, nothing is changed. `target` may be NULL,
 * with `target_len` 0.
 *
 * Bodies of records have no checksum: after a power cut (not after the end of a process) a whole record may hold
 * values that never reached the disk.
 *
 * `options` may be NULL.
 *
 * Fails with `FORMAT` if magic or manifest are damaged, if there is no whole record, or if a commit in the file
 * might give up records that were committed; with `LOCKED` if a writer is at work on the file; with `ALREADY_EXISTS` if
 * there is something at the target; with `INVALID_ARGUMENT` for both target and commit; and with `NO_SPACE`,
 * `CANCELLED`, `NOT_FOUND`, `PERMISSION_DENIED` or `IO` as other calls do.
 */
colstore_status colstore_recover(
    const char *path, size_t path_len, const char *target, size_t target_len,
    const colstore_recover_options *options, colstore_recovery *out, colstore_error **err);

/* --- Copy and compact: tables into files of one record -------------------------------------------------- */

/** How a table is written. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_copy_options {
    /** `sizeof(colstore_copy_options)`, set by the caller. */
    size_t size;
    /** An `enum colstore_store_mode`. */
    int32_t mode;
    /** 1 to record the least and the greatest value of every column, else 0. */
    int32_t statistics;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /** Must be 0. */
    int32_t reserved;
    /** Receives reports and can cancel the call; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_copy_options;

/**
 * Writes all rows of a table to a new `.cstore` file of one record at `path`: the bytes that `colstore_store` writes
 * for the same columns, whatever files and records the rows come from. A table that is put together becomes one file
 * that way.
 *
 * The memory it takes does not grow with the table. The data go to a temporary file beside the path, which is flushed
 * to the disk and renamed, and so is its directory: the file is there after a power cut. After a failure or a cancel
 * the path is as it was before, with no file left behind. Readers that have the old file open keep it. `options` may
 * be NULL.
 *
 * Fails with `ALREADY_EXISTS` if there is a file and the mode is to create one, with `INVALID_ARGUMENT` for a table
 * without columns and if the path leads to one of the table's own files, with `NO_SPACE` on a full disk, with
 * `CANCELLED` if the progress was cancelled, and with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the operating system
 * refuses.
 */
colstore_status colstore_table_write(
    const colstore_table *table, const char *path, size_t path_len, const colstore_copy_options *options,
    colstore_error **err);

/** How a file is compacted. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_compact_options {
    /** `sizeof(colstore_compact_options)`, set by the caller. */
    size_t size;
    /** 1 to record the least and the greatest value of every column if a new record is written, else 0. */
    int32_t statistics;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /** Receives reports and can cancel the call; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_compact_options;

/**
 * Puts the records of the file at `path` together to one: in place if `out` is NULL, else in a new file at `out`,
 * where any other file is replaced.
 *
 * A file of one record or none is compact: in place nothing happens to it, and `out` becomes a copy of it, byte for
 * byte. In any other case the new file has the bytes that `colstore_store` writes for the same columns; recorded least
 * and greatest values are dropped unless the options ask for them.
 *
 * The file is locked meanwhile against writers and other compactions. The new one is written under a temporary name,
 * flushed to the disk and renamed: after a failure or a cancel everything is as it was before, with no file left
 * behind, and readers that have the old file open keep it. In place, permissions stay, and so does a symbolic link;
 * other hard links of the file keep the old records. If `out` leads to the file itself, that means in place. `options`
 * may be NULL.
 *
 * Fails with `NOT_FOUND` or `FORMAT` for a file that is not there or not valid, with `LOCKED` if somebody else
 * holds the lock, with `NO_SPACE`, `PERMISSION_DENIED` or `IO` if the operating system refuses, and with `CANCELLED` if
 * the progress was cancelled.
 */
colstore_status colstore_compact(
    const char *path, size_t path_len, const char *out, size_t out_len,
    const colstore_compact_options *options, colstore_error **err);

/* --- Append, and appender: shards for a directory ------------------------------------------------------- */

/** How a shard is added. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_append_options {
    /** `sizeof(colstore_append_options)`, set by the caller. */
    size_t size;
    /**
     * What the shard is called: a name that ends in `.cstore`, in which `{index}` or `{index:05d}` stands for a
     * number; NULL for `shard_{index:05d}.cstore`.
     */
    const char *name;
    /** Bytes of the name. */
    size_t name_len;
    /** 1 to record the least and the greatest value of every column, else 0. */
    int32_t statistics;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /** Receives reports and can cancel the call; may be NULL. Borrowed for the call. */
    colstore_progress *progress;
} colstore_append_options;

/**
 * Adds a shard with the given columns to a directory, which is created if it is missing, with those above it.
 *
 * The shard is one file of one record, and appears whole and on the disk, or not at all. Its number is one more than
 * the largest that another name of the same form has. `columns` has `n_columns` elements, at least one, with the names
 * and dtypes of the first shard that is there, in its order; their memory is borrowed for the call. `options` may be
 * NULL. One writer at a time: a lock on the file `.colstore.lock`, which stays in the directory, keeps others out.
 *
 * `path` may be NULL; else `*path` is a new list of one text, the path of the shard: free it with
 * `colstore_names_free`.
 *
 * Fails as `colstore_store` does; with `INVALID_ARGUMENT` for a wrong name and for columns that are not those of the
 * first shard, with `ALREADY_EXISTS` for a name without a number that is taken, with `LOCKED` if another writer holds the
 * lock, with `FORMAT` if the first shard is damaged. There is no new shard then, unless the message says that it is in
 * place.
 */
colstore_status colstore_append(
    const char *directory, size_t directory_len, const colstore_column_data *columns, size_t n_columns,
    const colstore_append_options *options, colstore_names **path, colstore_error **err);

/**
 * Adds the rows of a table as a shard to a directory.
 *
 * A table of one file is copied byte for byte, with all its records; the files of a larger one become one record, and
 * so does any table if statistics are asked for. Else as `colstore_append`.
 *
 * Fails as `colstore_append` does; also with `INVALID_ARGUMENT` for a table that has rows of the directory's own
 * shards.
 */
colstore_status colstore_append_table(
    const char *directory, size_t directory_len, const colstore_table *table,
    const colstore_append_options *options, colstore_names **path, colstore_error **err);

/** How an appender makes shards. NULL instead means every default, and so do zeros behind the size. */
typedef struct colstore_appender_options {
    /** `sizeof(colstore_appender_options)`, set by the caller. */
    size_t size;
    /** What shards are called, as in `colstore_append_options`; a name without a number is for one shard. */
    const char *name;
    /** Bytes of the name. */
    size_t name_len;
    /** Rows that make a shard, once there are as many or more; 0 for no such limit. */
    int64_t shard_rows;
    /**
     * Bytes that make a shard, counted in whole rows, at least one; 0 for no such limit. Only one of the limits may be
     * set.
     */
    int64_t shard_bytes;
    /** 1 to record the least and the greatest value of every column, else 0. */
    int32_t statistics;
    /** At most this many threads, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
} colstore_appender_options;

/** What an appender has done. */
typedef struct colstore_appender_info {
    /** `sizeof(colstore_appender_info)`, set by the caller. */
    size_t size;
    /** Shards that it has made. */
    int64_t n_shards;
    /** Rows that are in no shard yet. */
    int64_t pending_rows;
    /** 1 if it is closed, else 0. */
    int32_t closed;
    /** 1 if it holds a lock on the directory; 0 once it is closed, and on file systems without locks. */
    int32_t locked;
} colstore_appender_info;

/** Adds shards to a directory. Opaque; owned by the caller. Calls from several threads take turns. */
typedef struct colstore_appender colstore_appender;

/**
 * Opens an appender for a directory, which is created if it is missing, with those above it.
 *
 * Rows are copied into memory until there are enough for a shard, so that the appender holds up to a shard and a batch.
 * The directory is locked until the appender is closed or freed. `options` may be NULL: then only
 * `colstore_appender_flush` and `colstore_appender_close` make shards.
 *
 * `*out` is a new appender: free it with `colstore_appender_free`.
 *
 * Fails with `INVALID_ARGUMENT` for a wrong name, and for a limit with a name that has no number; with `IO` if another
 * writer holds the lock; with `FORMAT` if the first shard is damaged; and with `PERMISSION_DENIED`, `ALREADY_EXISTS`
 * (a file in the place of the directory), `NO_SPACE` or `IO` if the operating system refuses.
 */
colstore_status colstore_appender_open(
    const char *directory, size_t directory_len, const colstore_appender_options *options,
    colstore_appender **out, colstore_error **err);

/**
 * Adds rows, and makes a shard of all rows there are if that is enough; batches are not split.
 *
 * `columns` has `n_columns` elements, at least one, with the names and dtypes of earlier rows and shards, in the same
 * order; their memory is borrowed for the call. `progress` may be NULL; it is borrowed for the call.
 *
 * Fails as `colstore_append` does; with `INVALID_ARGUMENT` if the appender is closed, and with `OUT_OF_MEMORY`. None of
 * the rows is held then, and earlier ones still are.
 */
colstore_status colstore_appender_write(
    const colstore_appender *appender, const colstore_column_data *columns, size_t n_columns,
    colstore_progress *progress, colstore_error **err);

/**
 * Adds the rows of a table, as `colstore_appender_write` does with columns.
 *
 * Fails as that does; also with `INVALID_ARGUMENT` for a table that has rows of the directory's own shards.
 */
colstore_status colstore_appender_write_table(
    const colstore_appender *appender, const colstore_table *table, colstore_progress *progress,
    colstore_error **err);

/**
 * Makes a shard of the rows that are held, if anything was written since the last one. It is on the disk then.
 *
 * `progress` may be NULL; it is borrowed for the call. `path` may be NULL; else `*path` is a new list, of the path of
 * the shard or of nothing: free it with `colstore_names_free`.
 *
 * Fails with `NO_SPACE`, `CANCELLED`, or `IO` and the like if the operating system refuses, and holds the rows for
 * another try then, unless the message says that the shard is in place; with `ALREADY_EXISTS` for a name without a
 * number that is taken, with `INVALID_ARGUMENT` if this appender has made a shard of that name, or is closed.
 */
colstore_status colstore_appender_flush(
    const colstore_appender *appender, colstore_progress *progress, colstore_names **path,
    colstore_error **err);

/**
 * Flushes as `colstore_appender_flush` does, and lets other writers have the directory. Closing again does nothing.
 *
 * Fails as the flush does; the appender stays open then if it still holds rows.
 */
colstore_status colstore_appender_close(
    const colstore_appender *appender, colstore_progress *progress, colstore_names **path,
    colstore_error **err);

/**
 * Closes an appender without making a shard: the rows that it holds are gone, and other writers can have the
 * directory. For when a close has failed and nobody will try again.
 */
colstore_status colstore_appender_abandon(const colstore_appender *appender, colstore_error **err);

/** What the appender has done so far. */
colstore_status colstore_appender_describe(
    const colstore_appender *appender, colstore_appender_info *out, colstore_error **err);

/**
 * Frees an appender. If it was not closed, rows that are in no shard yet are gone, and other writers can have the
 * directory. NULL is fine.
 */
void colstore_appender_free(colstore_appender *appender);

/* --- Writer: writing a file record by record ------------------------------------------------------------ */

/** What a writer does about the lock on its file. */
enum colstore_lock_policy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** What the setting `lock_policy` says. */
    COLSTORE_LOCK_POLICY_DEFAULT = 0,
    /** Take it, or fail. */
    COLSTORE_LOCK_POLICY_REQUIRE = 1,
    /** Take it where the file system has locks; where it has none, go on without, and say so in the info. */
    COLSTORE_LOCK_POLICY_AUTO = 2,
    /** Do not ask for it: the caller makes sure that there is one writer. */
    COLSTORE_LOCK_POLICY_OFF = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_lock_policy colstore_lock_policy;
#else
typedef int32_t colstore_lock_policy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/** What a writer does with a file that exists at the path. */
enum colstore_writer_mode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Fail with `ALREADY_EXISTS`. */
    COLSTORE_WRITER_MODE_CREATE = 0,
    /** Replace it at the first commit. */
    COLSTORE_WRITER_MODE_RECREATE = 1,
    /** Add records to it; fail with `NOT_FOUND` if there is none. */
    COLSTORE_WRITER_MODE_UPDATE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_writer_mode colstore_writer_mode;
#else
typedef int32_t colstore_writer_mode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A file that is written record by record. Opaque; owned by the caller. Its calls take turns, whichever threads
 * they come from.
 */
typedef struct colstore_writer colstore_writer;

/**
 * How a file is written record by record. NULL instead means every default, and so do zeros behind the size.
 */
typedef struct colstore_writer_options {
    /** `sizeof(colstore_writer_options)`, set by the caller. */
    size_t size;
    /** An `enum colstore_writer_mode`. */
    int32_t mode;
    /** 1 to record the least and the greatest value of every column in every record, else 0. */
    int32_t statistics;
    /** An `enum colstore_lock_policy`. */
    int32_t lock;
    /** At most this many threads for one record, the calling one included; 0 for the library's choice. */
    int32_t max_threads;
    /**
     * Receives reports of large records and can cancel them; may be NULL. The writer keeps a share of it: its
     * callback and context must be valid as long as records are written.
     */
    colstore_progress *progress;
} colstore_writer_options;

/** How far a writer is. */
typedef struct colstore_writer_info {
    /** `sizeof(colstore_writer_info)`, set by the caller. */
    size_t size;
    /** Records in the file, those that are not committed yet included. */
    int64_t n_records;
    /** Rows in the file, those that are not committed yet included. */
    int64_t n_rows;
    /** An `enum colstore_writer_mode`. */
    int32_t mode;
    /**
     * 1 if the writer has the lock on its file, or had until it was closed; 0 if nothing keeps others from writing.
     */
    int32_t is_locked;
    /** 1 after `colstore_writer_close` or `colstore_writer_abandon`, else 0. */
    int32_t is_closed;
    /** 0. */
    int32_t reserved;
} colstore_writer_info;

/**
 * Opens the file at `path` for writing record by record, and locks it before anything is changed. A symbolic link
 * at the path stays, its target is written.
 *
 * In the mode `CREATE` an empty file is made at once, and stays empty up to the first record. In the mode `RECREATE`
 * records go to a temporary file beside an existing one, which is replaced at the first commit and keeps its
 * permissions; readers that have the old file open keep it. In the mode `UPDATE` the file is checked, and not changed
 * before the first record. `options` may be NULL.
 *
 * `*out` is a new writer: close it with `colstore_writer_close`, then free it with `colstore_writer_free`.
 *
 * Fails with `ALREADY_EXISTS` and `NOT_FOUND` as the mode says, with `LOCKED` if there is another writer, with
 * `FORMAT` if a file to be updated is damaged, and with `PERMISSION_DENIED`, `NO_SPACE` or `IO` if the operating
 * system refuses.
 */
colstore_status colstore_writer_open(
    const char *path, size_t path_len, const colstore_writer_options *options, colstore_writer **out,
    colstore_error **err);

/**
 * Writes one record of `n_columns` columns, at least one, all of one length, which may be 0. The first record of a
 * new file decides what the columns are; later ones must have the same names in the same order and the same dtypes,
 * but for the byte order. Everything is checked before a byte is written. The columns' memory is borrowed for the
 * call.
 *
 * Records count once they are committed. A small record may be kept in memory, with room for it set aside in the
 * file. After a failure the file is as it was before the call, and more can be written; should records be lost that
 * were kept in memory, the message says which, nothing more can be written, and closing commits the ones before.
 *
 * Fails with `UNSUPPORTED_TYPE` or `INVALID_ARGUMENT` for columns that do not fit and for a writer that is closed,
 * with `NO_SPACE` on a full disk, with `CANCELLED` if the progress was cancelled, and with `IO` if the operating system
 * refuses.
 */
colstore_status colstore_writer_write(
    const colstore_writer *writer, const colstore_column_data *columns, size_t n_columns,
    colstore_error **err);

/**
 * Writes one record of `n_rows` rows whose values lie in `body` already as the file holds them: the columns of the
 * schema one after the other, each of `n_rows` little-endian values, with nothing between or behind them, `size` bytes
 * together. For many small records this is the fastest way. The columns must be known: from the file, or from a first
 * record by `colstore_writer_write`.
 *
 * Fails as `colstore_writer_write`, also with `INVALID_ARGUMENT` if the columns are not known or the size is wrong.
 */
colstore_status colstore_writer_write_packed(
    const colstore_writer *writer, int64_t n_rows, const void *body, size_t size, colstore_error **err);

/**
 * Makes the records so far count: once the call returns, they survive a power cut, and readers that open the file see
 * them. More can be written. Statistics are written by `colstore_writer_close` alone.
 *
 * Fails with `NO_SPACE` or `IO` if the operating system refuses; what was committed before still is. After a failed
 * flush nothing more can be written or committed, since nobody knows what is on the disk.
 */
colstore_status colstore_writer_commit(const colstore_writer *writer, colstore_error **err);

/**
 * Commits what was written and ends the writer, whatever the result; nothing if it is closed already. If nothing was
 * written, an updated file stays exactly as it is; in the other modes there is no file then, unless
 * records were refused: then a file that should have been replaced stays.
 *
 * Fails as `colstore_writer_commit`. If only the statistics could not be written, the records are committed; the
 * message says so.
 */
colstore_status colstore_writer_close(const colstore_writer *writer, colstore_error **err);

/**
 * Ends the writer without committing: what it wrote since its last commit is taken away, as far as that can be.
 * Nothing if it is closed already.
 */
colstore_status colstore_writer_abandon(const colstore_writer *writer, colstore_error **err);

/** Says how far the writer is, whether it has the lock, and whether it is closed. */
colstore_status colstore_writer_describe(
    const colstore_writer *writer, colstore_writer_info *out, colstore_error **err);

/**
 * The columns of the file. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the writer.
 *
 * Fails with `INVALID_ARGUMENT` before the first record of a new file, which decides what they are.
 */
colstore_status colstore_writer_schema(
    const colstore_writer *writer, colstore_schema **out, colstore_error **err);

/**
 * Frees a writer. One that was not closed commits nothing: what it wrote since its last commit is taken away, and
 * nobody hears of failures. NULL is fine.
 */
void colstore_writer_free(colstore_writer *writer);

/* --- Expressions: a value for every row ----------------------------------------------------------------- */

/**
 * Says that a context is not needed any more. It is called once, from any thread, while no lock of the library is
 * held, and must not throw or jump out.
 */
typedef void (*colstore_release_function)(void *context);

/**
 * A value for every row, worked out from columns of the same row. Opaque; owned by the caller; immutable, so any
 * number of threads may use it at once. What it was made of may be freed: it keeps what it needs.
 */
typedef struct colstore_expr colstore_expr;

/**
 * A function of the caller's over many rows at once. `args` has `n_args` pointers, each to `n_rows` values of the
 * dtype of that operand, one after the other in native byte order and aligned for their type; `out` takes as many
 * results of the declared dtype. It returns 0; anything else fails the call that computes the expression, with
 * `CALLBACK`, and `*code`, which was 0, is kept for `colstore_error_callback_code`.
 *
 * It is called for blocks of rows, in no order, from any thread and from several at once, while no lock of the
 * library is held; for a row whose result is not needed it may be called or not. It must not throw or jump out.
 */
typedef int32_t (*colstore_expr_function)(
    void *context, const void *const *args, size_t n_args, int64_t n_rows, void *out, int64_t *code);

/**
 * A function of the caller's over `n_args` operands, at least one; `dtype` is the text of the dtype of its results,
 * little-endian.
 *
 * `context` is handed to the function as it is. Once neither this expression nor anything made of it needs the
 * function any more, `release`, unless it is NULL, is called with the context: exactly once, also if this call fails
 * (before it returns then).
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 *
 * Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `VALUE` without operands or for a big-endian dtype.
 */
colstore_status colstore_expr_callback(
    colstore_expr_function function, void *context, colstore_release_function release, const char *dtype,
    size_t dtype_len, const colstore_expr *const *args, size_t n_args, colstore_expr **out,
    colstore_error **err);

/**
 * The column of a name: `name_len` bytes of UTF-8, or of WTF-8 for lone surrogates. It is looked up where the
 * expression is used, not before.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_column(
    const char *name, size_t name_len, colstore_expr **out, colstore_error **err);

/**
 * Nothing: equal to no value, and no limit for `clip`.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_none(colstore_expr **out, colstore_error **err);

/**
 * A boolean without a dtype of its own, as Python's `True`: true unless `value` is 0.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_bool(int32_t value, colstore_expr **out, colstore_error **err);

/**
 * An integer without a dtype of its own, as Python's: `x + 1` has the dtype of `x`.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_int(int64_t value, colstore_expr **out, colstore_error **err);

/**
 * As `colstore_expr_int`, for numbers that an `int64_t` may not hold.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_uint(uint64_t value, colstore_expr **out, colstore_error **err);

/**
 * As `colstore_expr_int`, for numbers of any size as text: decimal digits, or hexadecimal ones after `0x`, with or
 * without a sign.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 *
 * Fails with `VALUE` for another text, and for more than 10000 decimal digits.
 */
colstore_status colstore_expr_integer(
    const char *text, size_t len, colstore_expr **out, colstore_error **err);

/**
 * A float without a dtype of its own, as Python's: `x + 0.5` is of float32 for a float32 `x`.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_float(double value, colstore_expr **out, colstore_error **err);

/**
 * One value of a dtype, as NumPy's scalars: it promotes as a column of that dtype does.
 *
 * `dtype` is the text of a little-endian dtype, `value` one value of it: `value_len` bytes, at any address.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 *
 * Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `VALUE` if the dtype is big-endian or if
 * `value_len` is not its itemsize.
 */
colstore_status colstore_expr_constant(
    const char *dtype, size_t dtype_len, const void *value, size_t value_len, colstore_expr **out,
    colstore_error **err);

/**
 * A text: `len` bytes of UTF-8, or of WTF-8 for lone surrogates. It is compared with text, and with bytes that are
 * its characters one by one.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_text(const char *text, size_t len, colstore_expr **out, colstore_error **err);

/**
 * Bytes, to be compared with columns of bytes.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_bytes(const void *data, size_t len, colstore_expr **out, colstore_error **err);

/**
 * The names of the columns that an expression uses, each once, in the order of their first use. Columns that it
 * holds themselves, as `colstore_frame_column` gives them, are not among them.
 *
 * `*out` is a new list: free it with `colstore_names_free`.
 */
colstore_status colstore_expr_columns(const colstore_expr *expr, colstore_names **out, colstore_error **err);

/** Frees an expression. What was made of it keeps what it needs. NULL is fine. */
void colstore_expr_free(colstore_expr *expr);

/**
 * A function of `n_args` operands. Operators are functions too; all are called as in NumPy: `"add"`, `"less_equal"`,
 * `"logical_and"`, `"invert"`, `"sqrt"`, `"where"` (condition, then, else), `"clip"` (value, low, high).
 *
 * `*out` is a new expression: free it with `colstore_expr_free`. The operands are not taken: they may be used
 * again, and must be freed.
 *
 * Fails with `VALUE` if there is no function of that name, or if it takes another number of operands. Whether it
 * has a result for the dtypes of its operands is seen where the expression is used.
 */
colstore_status colstore_expr_call(
    const char *name, size_t name_len, const colstore_expr *const *args, size_t n_args, colstore_expr **out,
    colstore_error **err);

/**
 * A value as another dtype, as NumPy's `astype` makes it. A big-endian dtype stands for the little-endian one.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 *
 * Fails with `UNSUPPORTED_TYPE` if the text names no dtype.
 */
colstore_status colstore_expr_cast(
    const colstore_expr *value, const char *dtype, size_t dtype_len, colstore_expr **out,
    colstore_error **err);

/**
 * A value rounded to `decimals` digits after the point, or before it if negative, as `numpy.round` does.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_round(
    const colstore_expr *value, int32_t decimals, colstore_expr **out, colstore_error **err);

/**
 * An expression as text, as `colstore_expr_parse` reads it where there is such a text: `*len` bytes of UTF-8,
 * without a NUL, at `out`.
 *
 * `capacity` is the size of `out`. If it is 0, only the length is given, and `out` may be NULL.
 *
 * Fails with `INVALID_ARGUMENT` if the text is longer than `capacity`.
 */
colstore_status colstore_expr_print(
    const colstore_expr *expr, char *out, size_t capacity, size_t *len, colstore_error **err);

/**
 * Checks an expression over the columns of a table without reading them, and gives the dtype of its results as text,
 * NumPy's `dtype.str` in little-endian order: `*len` bytes, without a NUL, at `out`, which has `capacity` bytes.
 * If that is 0, only the length is given, and `out` may be NULL. No such text is longer than 32 bytes.
 *
 * If `condition` is not 0, the expression must be one that rows can be selected by: boolean, with a column in it.
 *
 * Fails with `QUERY` for a name that the table does not have and for what is no condition, with `TYPE` if there is
 * no operation for its operands, with `OVERFLOW` for an integer that the dtype beside it cannot hold, with `VALUE`
 * for an integer to a negative power, with `INVALID_ARGUMENT` if the text is longer than `capacity`.
 */
colstore_status colstore_expr_check(
    const colstore_expr *expr, const colstore_table *table, int32_t condition, char *out, size_t capacity,
    size_t *len, colstore_error **err);

/**
 * 1 if there is a function of that name and its results for operands of that dtype are the same to the last bit
 * everywhere, because IEEE 754 or integer arithmetic defines them; 0 otherwise, and for a text that names no
 * function or no dtype.
 */
int32_t colstore_function_exact(const char *name, size_t name_len, const char *dtype, size_t dtype_len);

/** Values that others are looked up in. Opaque; owned by the caller; immutable; it has memory of its own. */
typedef struct colstore_values colstore_values;

/**
 * The `n` values of an array: at `data`, `stride` bytes apart (the itemsize in an array; it may be larger,
 * negative or 0), at any address. They are copied. `dtype` is the text of their dtype; big-endian values are
 * converted.
 *
 * `*out` is a new set: free it with `colstore_values_free`.
 *
 * Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `OUT_OF_MEMORY` if there is no memory for a copy.
 */
colstore_status colstore_values_array(
    const char *dtype, size_t dtype_len, const void *data, size_t n, int64_t stride, colstore_values **out,
    colstore_error **err);

/**
 * A set of `n` constants, which may be of different kinds.
 *
 * `*out` is a new set: free it with `colstore_values_free`. The constants are not taken.
 *
 * Fails with `INVALID_ARGUMENT` if an expression is no constant.
 */
colstore_status colstore_values_list(
    const colstore_expr *const *literals, size_t n, colstore_values **out, colstore_error **err);

/** Frees a set. NULL is fine. */
void colstore_values_free(colstore_values *values);

/** Values for the `@names` of expressions that are given as text. Opaque; owned by the caller. */
typedef struct colstore_params colstore_params;

/**
 * Makes a list of parameters without any.
 *
 * `*out` is a new list: free it with `colstore_params_free`.
 */
colstore_status colstore_params_new(colstore_params **out, colstore_error **err);

/**
 * Gives a parameter a value, in the place of one it had. The name is without the `@`.
 *
 * Fails with `INVALID_ARGUMENT` if the expression is no constant.
 */
colstore_status colstore_params_set(
    colstore_params *params, const char *name, size_t name_len, const colstore_expr *literal,
    colstore_error **err);

/** Gives a parameter several values, for the right side of `in`. */
colstore_status colstore_params_set_values(
    colstore_params *params, const char *name, size_t name_len, const colstore_values *values,
    colstore_error **err);

/** Frees parameters. Expressions that were made with them keep their values. NULL is fine. */
void colstore_params_free(colstore_params *params);

/**
 * Whether a value equals one of `values`; with `negated` not 0, whether it equals none. Values are compared
 * exactly: a set with 1 in it has 1.0 and true in it, not 1.01. NaN, "not a time" and nothing are never found.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 */
colstore_status colstore_expr_isin(
    const colstore_expr *value, const colstore_values *values, int32_t negated, colstore_expr **out,
    colstore_error **err);

/**
 * Reads an expression in Python's syntax, such as `pt > 30 and abs(eta) < @limit`, with values for its `@names` from
 * `params`, which may be NULL if there are none.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`. It keeps the text, so that errors in its use show
 * the place.
 *
 * Fails with `QUERY` if the text is no expression or has a parameter without value, with `TYPE` for a parameter of
 * several values where one is needed; `colstore_error_span` says where in the text.
 */
colstore_status colstore_expr_parse(
    const char *text, size_t len, const colstore_params *params, colstore_expr **out, colstore_error **err);

/* --- Queries: the rows for which a condition holds ------------------------------------------------------ */

/**
 * What went on in a computation that a program may want to warn of: bits that are added up. The numbers never
 * change.
 */
enum colstore_flag
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /** Something was divided by zero. */
    COLSTORE_FLAG_DIVIDE = 1,
    /** A result was too large for its dtype. */
    COLSTORE_FLAG_OVERFLOW = 2,
    /** A result was too small for its dtype to keep all digits. */
    COLSTORE_FLAG_UNDERFLOW = 4,
    /** An operation had no result: NaN, or an arbitrary integer, was given. */
    COLSTORE_FLAG_INVALID = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum colstore_flag colstore_flag;
#else
typedef int32_t colstore_flag;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The rows of a table for which a condition holds, in the order of `base`, or of the table if that is NULL.
 *
 * `condition` is boolean and uses columns of the table by name. Parts that are joined by `and` are computed from
 * left to right, and later ones for the rows that are left; records whose statistics tell that the condition holds
 * for none of their rows are not read. `options` and `flags` may be NULL; `*flags` receives the sum of `enum
 * colstore_flag`.
 *
 * `*out` is a new selection of its own memory: free it with `colstore_rows_free`.
 *
 * Fails with `QUERY`, `TYPE`, `OVERFLOW` or `VALUE` as `colstore_expr_check` does for a condition, with `CALLBACK`
 * if a function of the caller's failed, with `VALUE` if `base` was made for another number of rows than the table
 * has, with `CANCELLED` if the progress was cancelled, and as a read does.
 */
colstore_status colstore_rows_filter(
    const colstore_table *table, const colstore_rows *base, const colstore_expr *condition,
    const colstore_read_options *options, colstore_rows **out, uint32_t *flags, colstore_error **err);

/* --- Frames: a table seen through columns of one's own and cuts ----------------------------------------- */

/**
 * Columns that are computed from those of a table, for the rows that cuts leave; nothing is computed before it is
 * asked for. Opaque; owned by the caller. It keeps the files open that it reads.
 *
 * Edits change the frame, or leave it as it was if they fail. Any number of threads may use it at once: a call
 * sees the frame as it was when the call began, and no call waits for another that reads.
 */
typedef struct colstore_frame colstore_frame;

/**
 * A frame of all columns of a table, for the rows of `base` in its order, or for all rows if that is NULL.
 *
 * The selection is copied where it borrows. `*out` is a new frame: free it with `colstore_frame_free`.
 *
 * Fails with `VALUE` if `base` was made for another number of rows than the table has.
 */
colstore_status colstore_frame_new(
    const colstore_table *table, const colstore_rows *base, colstore_frame **out, colstore_error **err);

/**
 * Another frame that is as this one is now; edits of either do not show in the other. Rows that cuts have left are
 * not looked for again.
 *
 * `*out` is a new frame: free it with `colstore_frame_free`.
 */
colstore_status colstore_frame_clone(const colstore_frame *frame, colstore_frame **out, colstore_error **err);

/**
 * The names and dtypes of the columns as they are now, in order.
 *
 * `*out` is a new schema, which does not change with the frame: free it with `colstore_schema_free`.
 *
 * Fails with `TYPE` if a column cannot be computed.
 */
colstore_status colstore_frame_schema(
    const colstore_frame *frame, colstore_schema **out, colstore_error **err);

/**
 * The column of a name as an expression: the column itself, so that it stays what it is when the name is given
 * another.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`. It outlives the frame.
 *
 * Fails with `KEY` if there is no such column.
 */
colstore_status colstore_frame_column(
    const colstore_frame *frame, const char *name, size_t name_len, colstore_expr **out,
    colstore_error **err);

/**
 * An expression with the columns of this frame in the place of their names.
 *
 * `*out` is a new expression: free it with `colstore_expr_free`. It outlives the frame.
 *
 * Fails with `KEY` for a name that is no column of the frame.
 */
colstore_status colstore_frame_resolve(
    const colstore_frame *frame, const colstore_expr *expr, colstore_expr **out, colstore_error **err);

/**
 * Memory of the caller's as a column for this frame: one value for each base row, in their order.
 *
 * `data` points to the first of `n_rows` values, `stride` bytes apart (the itemsize in an array; it may be larger,
 * negative or 0), at any address. `dtype` is the text of their dtype; big-endian values are converted as they are
 * read.
 *
 * The values are not copied: THE MEMORY MUST STAY READABLE AND UNCHANGED until it is released. Once neither this
 * expression nor anything made of it, such as a frame, needs it any more, `release`, unless it is NULL, is called
 * with `context`: exactly once, from any thread, also if this call fails (before it returns then).
 *
 * `*out` is a new expression: free it with `colstore_expr_free`.
 *
 * Fails with `VALUE` unless `n_rows` is the number of base rows, with `UNSUPPORTED_TYPE` if the text names no dtype.
 */
colstore_status colstore_frame_memory(
    const colstore_frame *frame, const char *dtype, size_t dtype_len, const void *data, int64_t n_rows,
    int64_t stride, colstore_release_function release, void *context, colstore_expr **out,
    colstore_error **err);

/** The number of rows before any cut. */
colstore_status colstore_frame_base_rows(const colstore_frame *frame, int64_t *out, colstore_error **err);

/**
 * Whether some rows of the table are left out: 1 if the frame has a cut, or base rows that are not all rows of the
 * table in their order, else 0.
 */
colstore_status colstore_frame_has_selection(const colstore_frame *frame, int32_t *out, colstore_error **err);

/** Frees a frame. Expressions that were made of its columns keep what they need. NULL is fine. */
void colstore_frame_free(colstore_frame *frame);

/**
 * Gives `n` columns, each by name: one that is there is replaced in its place, others come last, in the order
 * given. All expressions are over the columns that are there before, none over one another. A constant is a column
 * with that value in every row.
 *
 * Fails with `KEY` for a name in an expression that is no column of the frame, with `VALUE` for columns of another
 * number of rows, with `TYPE` if there is no operation for the operands of an expression; the frame is as it was
 * then.
 */
colstore_status colstore_frame_assign(
    colstore_frame *frame, const char *const *names, const size_t *name_lens,
    const colstore_expr *const *values, size_t n, colstore_error **err);

/**
 * Takes away the columns of `n` names.
 *
 * Fails with `KEY` if one is not there; the frame is as it was then.
 */
colstore_status colstore_frame_drop(
    colstore_frame *frame, const char *const *names, const size_t *name_lens, size_t n,
    colstore_error **err);

/**
 * Keeps the columns of `n` names, in the order given.
 *
 * Fails with `KEY` if one is not there, with `VALUE` if one is named twice; the frame is as it was then.
 */
colstore_status colstore_frame_select(
    colstore_frame *frame, const char *const *names, const size_t *name_lens, size_t n,
    colstore_error **err);

/**
 * Gives `n` columns other names: the one called `names[i]` is called `new_names[i]` then, in its place.
 *
 * Fails with `KEY` if one is not there, with `VALUE` if two would have one name; the frame is as it was then.
 */
colstore_status colstore_frame_rename(
    colstore_frame *frame, const char *const *names, const size_t *name_lens, const char *const *new_names,
    const size_t *new_name_lens, size_t n, colstore_error **err);

/**
 * Gives `n` columns other dtypes: the values of the one called `names[i]` are cast to `dtypes[i]`, as NumPy's
 * `astype` does.
 *
 * Fails with `KEY` if one is not there, with `TYPE` if one cannot be cast, with `UNSUPPORTED_TYPE` if a text names
 * no dtype; the frame is as it was then.
 */
colstore_status colstore_frame_cast(
    colstore_frame *frame, const char *const *names, const size_t *name_lens, const char *const *dtypes,
    const size_t *dtype_lens, size_t n, colstore_error **err);

/**
 * Adds a cut: rows for which `condition` does not hold are left out from now on. Nothing is read before it is
 * asked for.
 *
 * `label` is what the cut is called in reports, NULL for no name. `weight` is the weight of a row in reports; if
 * it is NULL, that of the cut before, if there is one.
 *
 * Fails with `QUERY`, `TYPE`, `OVERFLOW` or `VALUE` for a condition as `colstore_expr_check` does, over the
 * columns of the frame; with `KEY` for a weight with a name that is no column, with `TYPE` for one that is no
 * number. The frame is as it was then.
 */
colstore_status colstore_frame_filter(
    colstore_frame *frame, const colstore_expr *condition, const char *label, size_t label_len,
    const colstore_expr *weight, colstore_error **err);

/**
 * The number of rows that the cuts leave. They are found by all cuts in one pass, and kept until the next cut.
 *
 * `options` and `flags` may be NULL; `*flags` receives the sum of `enum colstore_flag`, of finding the rows also
 * in later calls that use them.
 *
 * Fails with `CALLBACK` if a function of the caller's failed, with `CANCELLED` if the progress was cancelled, and
 * as a read does.
 */
colstore_status colstore_frame_count(
    const colstore_frame *frame, const colstore_read_options *options, int64_t *out, uint32_t *flags,
    colstore_error **err);

/**
 * The rows that the cuts leave, as rows of the table.
 *
 * `*out` is a new selection of its own memory: free it with `colstore_rows_free`. Otherwise as
 * `colstore_frame_count`.
 */
colstore_status colstore_frame_rows(
    const colstore_frame *frame, const colstore_read_options *options, colstore_rows **out, uint32_t *flags,
    colstore_error **err);

/**
 * Reads several columns of a frame, each into a buffer of its own, for positions `start` to `stop` (not included)
 * among the rows that the cuts leave: 0 and the count for all of them.
 *
 * The column at position `columns[i]` of the frame's schema goes to `outs[i]`, which has `out_sizes[i]` bytes,
 * exactly `(stop - start) * itemsize`: packed, in native byte order. The three arrays have `n_columns` elements.
 * The buffers must not overlap. `options` and `flags` may be NULL. What the buffers hold after a failure is
 * unspecified.
 *
 * Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= count` and the columns exist, with `INVALID_ARGUMENT`
 * for a buffer of another size, and as `colstore_frame_count`.
 */
colstore_status colstore_frame_read_columns(
    const colstore_frame *frame, const size_t *columns, size_t n_columns, int64_t start, int64_t stop,
    const colstore_read_options *options, void *const *outs, const size_t *out_sizes, uint32_t *flags,
    colstore_error **err);

/**
 * Reads several columns of a frame as records, for positions `start` to `stop` (not included) among the rows that
 * the cuts leave: row after row, and in a row the values of the columns in the order of `columns`, with nothing
 * between them.
 *
 * `columns` has `n_columns` positions in the frame's schema. `out_size` is the size of `out` in bytes, and must be
 * `(stop - start) * (sum of the itemsizes)` exactly. Otherwise as `colstore_frame_read_columns`.
 */
colstore_status colstore_frame_read_records(
    const colstore_frame *frame, const size_t *columns, size_t n_columns, int64_t start, int64_t stop,
    const colstore_read_options *options, void *out, size_t out_size, uint32_t *flags, colstore_error **err);

/**
 * The dtype of an expression over the columns of a frame, as text: `*len` bytes, without a NUL, at `out`, which
 * has `capacity` bytes. If that is 0, only the length is given, and `out` may be NULL. No such text is longer than
 * 32 bytes.
 *
 * Fails with `KEY` for a name that is no column of the frame, with `TYPE`, `OVERFLOW` or `VALUE` as
 * `colstore_expr_check`, with `INVALID_ARGUMENT` if the text is longer than `capacity`.
 */
colstore_status colstore_frame_expr_dtype(
    const colstore_frame *frame, const colstore_expr *expr, char *out, size_t capacity, size_t *len,
    colstore_error **err);

/**
 * Computes an expression over the columns of a frame: for the rows that the cuts leave, or for all base rows if
 * `ignore_cuts` is not 0.
 *
 * `out_size` is the size of `out` in bytes, and must be the number of rows times the itemsize of
 * `colstore_frame_expr_dtype` exactly. `options` and `flags` may be NULL. What `out` holds after a failure is
 * unspecified.
 *
 * Fails as `colstore_frame_expr_dtype` and `colstore_frame_count`, with `INVALID_ARGUMENT` for a buffer of another
 * size.
 */
colstore_status colstore_frame_evaluate(
    const colstore_frame *frame, const colstore_expr *expr, int32_t ignore_cuts,
    const colstore_read_options *options, void *out, size_t out_size, uint32_t *flags, colstore_error **err);

/**
 * Reduces an expression over the columns of a frame, for the rows that the cuts leave, to one value: bit for bit
 * what `colstore_table_reduce` makes of a stored column of the same values.
 *
 * `reduction` is an `enum colstore_reduction`; `ddof` is looked at for the variance and the standard deviation only.
 * `options` and `flags` may be NULL.
 *
 * Fails as `colstore_table_reduce`, `colstore_frame_expr_dtype` and `colstore_frame_count`.
 */
colstore_status colstore_frame_reduce(
    const colstore_frame *frame, const colstore_expr *expr, int32_t reduction, double ddof,
    const colstore_read_options *options, colstore_scalar *out, uint32_t *flags, colstore_error **err);

/**
 * Writes all columns of a frame, for the rows that the cuts leave, to a new `.cstore` file at `path`. The file
 * appears whole or not at all, as by `colstore_store`; memory does not grow with the rows. A frame of a file of
 * one record of which nothing was changed is copied byte for byte.
 *
 * `options` and `flags` may be NULL.
 *
 * Fails as `colstore_store` and `colstore_frame_count`.
 */
colstore_status colstore_frame_write(
    const colstore_frame *frame, const char *path, size_t path_len, const colstore_store_options *options,
    uint32_t *flags, colstore_error **err);

/**
 * What one cut does. The texts are borrowed from the cutflow: they are valid until `colstore_cutflow_free`, and
 * end at their length, not at a NUL.
 */
typedef struct colstore_cut_record {
    /** `sizeof(colstore_cut_record)`, set by the caller. */
    size_t size;
    /** What the cut is called, UTF-8; NULL if it has no name. */
    const char *label;
    /** Bytes of the label. */
    size_t label_len;
    /** The condition, as `colstore_expr_print` gives it. */
    const char *condition;
    /** Bytes of the condition. */
    size_t condition_len;
    /** The number of rows that all cuts before leave. */
    int64_t entering;
    /** The number of them that this one leaves. */
    int64_t passing;
    /** 1 if the cut has a weight, else 0; the fields below are 0 then. */
    int32_t weighted;
    /** 0. */
    int32_t reserved;
    /** The sum of the weights of the rows that enter. */
    double weighted_entering;
    /** The sum of the weights of the rows that pass. */
    double weighted_passing;
    /** The sum of the squares of the weights of the rows that pass: their variance. */
    double weighted_variance;
} colstore_cut_record;

/** What each cut of a frame did. Opaque; owned by the caller; immutable; it needs the frame no more. */
typedef struct colstore_cutflow colstore_cutflow;

/** The number of cuts. */
colstore_status colstore_cutflow_count(const colstore_cutflow *cutflow, size_t *out, colstore_error **err);

/**
 * What the cut at position `index`, counted from 0, does.
 *
 * Fails with `OUT_OF_BOUNDS` if there is none.
 */
colstore_status colstore_cutflow_get(
    const colstore_cutflow *cutflow, size_t index, colstore_cut_record *out, colstore_error **err);

/** Frees a cutflow, and with it the texts borrowed from it. NULL is fine. */
void colstore_cutflow_free(colstore_cutflow *cutflow);

/**
 * What each cut of a frame does, in their order.
 *
 * `options` and `flags` may be NULL. `*out` is a new cutflow: free it with `colstore_cutflow_free`.
 *
 * Fails as `colstore_frame_count`.
 */
colstore_status colstore_frame_cutflow(
    const colstore_frame *frame, const colstore_read_options *options, colstore_cutflow **out,
    uint32_t *flags, colstore_error **err);

/* --- Configuration of the whole process ----------------------------------------------------------------- */

/**
 * Gives a setting of the whole process a value, both as text; it holds from the next call on, in all threads.
 * Settings change how calls are carried out, never what they result in.
 *
 * - `max_threads` (`auto`, `1`, `2`, …): the most threads of a call that does not say
 * - `read_backend` (`mmap`, `pread`): how files are read that are opened without saying how
 * - `write_method` (`auto`, `pwrite`, `mmap`): how a new file is filled whose size is known
 * - `huge_pages` (`auto`, `off`): whether outputs that the library allocates ask for huge pages
 * - `numa_policy` (`auto`, `interleave`, `local`): where large outputs lie if there are several memory nodes
 * - `mask_density_gate` (`auto`, `0`, `0.01`, …): the share of rows below which the rows of a mask are jumped to
 * - `prefetch_distance` (`auto`, `0` to `16384`): how many rows ahead a gather asks for what it will need
 * - `lock_policy` (`auto`, `require`, `off`): what a writer does about the lock on its file, where it is not told
 *
 * Until it is set, a setting has the value of the environment variable with its name in capitals, such as
 * `COLSTORE_MAX_THREADS`, or else the first one listed.
 *
 * Fails with `INVALID_ARGUMENT` for a name or a value that there is not; the message says which there are.
 */
colstore_status colstore_config_set(
    const char *name, size_t name_len, const char *value, size_t value_len, colstore_error **err);

/**
 * The value of a setting, as `colstore_config_set` takes it: `*len` bytes of text, without a NUL, at `out`.
 *
 * `capacity` is the size of `out`. If it is 0, only the length is given, and `out` may be NULL.
 *
 * Fails with `INVALID_ARGUMENT` for a name that there is not, and if the text is longer than `capacity`; no value
 * is longer than 64 bytes.
 */
colstore_status colstore_config_get(
    const char *name, size_t name_len, char *out, size_t capacity, size_t *len, colstore_error **err);

/**
 * Measures how fast random rows are gathered by every number of threads up to the default, in `rounds` rounds of
 * some 20 ms a number; 5 are enough on a quiet machine. Needs some 150 MB of memory.
 *
 * `*threads` is the least number of threads that is within 3 % of the fastest, `*gigabytes_per_second` what that
 * many gather, in 10^9 bytes. Nothing is set by it: `colstore_config_set` of `max_threads` does that. `progress`
 * may be NULL; its reports are those of one measurement after the other.
 *
 * Fails with `INVALID_ARGUMENT` unless `rounds` is positive, with `OUT_OF_MEMORY`, and with `CANCELLED` if the
 * progress was cancelled.
 */
colstore_status colstore_calibrate_threads(
    int32_t rounds, colstore_progress *progress, int32_t *threads, double *gigabytes_per_second,
    colstore_error **err);

/** The processors and memory that this process may use. Every number is at least 1. */
typedef struct colstore_machine_info {
    /** `sizeof(colstore_machine_info)`, set by the caller. */
    size_t size;
    /** Cores, threads of one core counted once. */
    int32_t physical_cores;
    /** Threads that the processors run at once. */
    int32_t logical_cores;
    /** Processor packages. */
    int32_t sockets;
    /** Nodes that memory is on. */
    int32_t numa_nodes;
    /** The most threads that work on one call, unless it or the setting `max_threads` says otherwise. */
    int32_t default_threads;
    /** 0. */
    int32_t reserved;
} colstore_machine_info;

/** Says what the machine has, as far as this process may use it (its affinity mask and quotas). */
colstore_status colstore_machine(colstore_machine_info *out, colstore_error **err);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* COLSTORE_H */
