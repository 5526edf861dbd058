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
 * - `huge_pages` (`auto`, `off`): whether outputs that the library allocates ask for huge pages
 * - `numa_policy` (`auto`, `interleave`, `local`): where large outputs lie if there are several memory nodes
 * - `mask_density_gate` (`auto`, `0`, `0.01`, …): the share of rows below which the rows of a mask are jumped to
 * - `prefetch_distance` (`auto`, `0` to `16384`): how many rows ahead a gather asks for what it will need
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
