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
 * - Functions that make something (_open, _new, _schema, _view_column) give it to the caller, and the _free
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

/* --- Table: a file, open for reading -------------------------------------------------------------------- */

/** How a table is opened. NULL instead means every default. There is nothing to choose yet. */
typedef struct colstore_open_options {
    /** `sizeof(colstore_open_options)`, set by the caller. */
    size_t size;
} colstore_open_options;

/**
 * A `.cstore` file, open for reading. Opaque; owned by the caller; immutable, so any number of threads may
 * use it at once. It shows what was committed when it was opened.
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
 * The number of records that the rows lie in. With one, every column is contiguous and can be viewed whole.
 */
colstore_status colstore_table_n_records(const colstore_table *table, int64_t *out, colstore_error **err);

/**
 * Frees a table. Views and schemas taken from it stay valid; the mapping goes with the last of them. NULL is
 * fine.
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
    /** Bytes from one value to the next. */
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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* COLSTORE_H */
