/* Makes the calls that Colstore.jl makes for its main verbs, in its order and with its arguments, and frees what it got
 * late and in any order, as finalizers do.
 *
 * Above every function stands which Julia functions it replays; test_replay.py compares the calls of both. A name in
 * brackets picks the method that calls this function. Calls that free are finalizers and are not compared.
 *
 * Started as PROGRAM GOLDEN_DIRECTORY SCRATCH_DIRECTORY. */

#include "check.h"

enum { N_ROWS = 6 };

static const double X[N_ROWS] = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5};
static const uint8_t B[N_ROWS] = {0, 1, 1, 0, 0, 1};
static const int64_t T[N_ROWS] = {0, 1, 2, 3, INT64_MIN, 5};

/* What the replays start from. */

static colstore_schema *schema_of(const colstore_table *table)
{
    colstore_error *err = NULL;
    colstore_schema *schema = NULL;
    require(colstore_table_schema(table, &schema, &err), &err, "the schema");
    return schema;
}

static colstore_table *twice_of(const colstore_table *table)
{
    colstore_error *err = NULL;
    colstore_table *twice = NULL;
    const colstore_table *tables[] = {table, table};
    require(colstore_table_concat(tables, 2, COLSTORE_ON_MISMATCH_STRICT, &twice, NULL, &err), &err, "the table");
    return twice;
}

static colstore_rows *range_of(int64_t n_rows, int64_t start, int64_t stop, int64_t step)
{
    colstore_error *err = NULL;
    colstore_rows *rows = NULL;
    require(colstore_rows_range(n_rows, start, stop, step, &rows, &err), &err, "the rows");
    return rows;
}

/* --- opening -------------------------------------------------------------------------------------------- */

/* replays: load_library library_version */
static void loading(void)
{
    CHECK(colstore_abi_version() == COLSTORE_ABI_VERSION);
    CHECK(strlen(colstore_version()) > 0);
}

/* replays: expand_paths texts open_file Table Schema */
static void opening(const char *path)
{
    colstore_names *names = NULL;
    EXPECT(OK, colstore_paths_expand(path, strlen(path), &names, &err));
    size_t count = 0;
    EXPECT(OK, colstore_names_count(names, &count, &err));
    CHECK(count == 1);
    for (size_t i = 0; i < count; i++) {
        const char *start = NULL;
        size_t len = 0;
        EXPECT(OK, colstore_names_get(names, i, &start, &len, &err));
        CHECK(len == strlen(path) && memcmp(start, path, len) == 0);
    }

    colstore_open_options options = {.size = sizeof options, .advice = COLSTORE_ADVICE_RANDOM};
    colstore_table *table = NULL;
    EXPECT(OK, colstore_table_open(path, strlen(path), &options, &table, &err));
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    CHECK(n_rows == N_ROWS);
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    /* The schema may outlive its table. */
    colstore_table_free(table);
    size_t n_columns = 0;
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    CHECK(n_columns == 3);
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        CHECK(column.name_len == 1 && column.dtype_text_len >= 3 && column.dtype.itemsize > 0);
    }
    colstore_schema_free(schema);
    colstore_names_free(names);
}

/* replays: open_file taken_error */
static void failing(const char *path)
{
    colstore_open_options options = {.size = sizeof options};
    colstore_table *table = NULL;
    colstore_error *error = NULL;
    size_t len = 0;
    int64_t row = 0;
    CHECK(colstore_table_open(path, strlen(path), &options, &table, &error) == COLSTORE_STATUS_NOT_FOUND);
    CHECK(strlen(colstore_error_message(error, &len)) == len && len > 0);
    const char *found = colstore_error_path(error, &len);
    CHECK(len == strlen(path) && memcmp(found, path, len) == 0);
    CHECK(colstore_error_column(error, &len) == NULL);
    CHECK(!colstore_error_row(error, &row));
    CHECK(colstore_error_os_code(error) == 2);
    size_t first = 0, end = 0;
    CHECK(!colstore_error_span(error, &first, &end));
    CHECK(strcmp(colstore_status_name(COLSTORE_STATUS_NOT_FOUND), "NOT_FOUND") == 0);
    colstore_error_free(error);
}

/* replays: n_records record_rows paths column_position DType */
static void describing(const colstore_table *table, const colstore_schema *schema, const char *path)
{
    int64_t n_records = 0;
    EXPECT(OK, colstore_table_n_records(table, &n_records, &err));
    CHECK(n_records == 1);
    int64_t counts[1] = {7};
    EXPECT(OK, colstore_table_record_rows(table, counts, 1, &err));
    CHECK(counts[0] == N_ROWS);
    size_t n_files = 0;
    EXPECT(OK, colstore_table_n_files(table, &n_files, &err));
    for (size_t file = 0; file < n_files; file++) {
        const char *start = NULL;
        size_t len = 0;
        EXPECT(OK, colstore_table_path(table, file, &start, &len, &err));
        CHECK(len == strlen(path) && memcmp(start, path, len) == 0);
    }
    size_t index = 7;
    EXPECT(OK, colstore_schema_find(schema, "t", 1, &index, &err));
    CHECK(index == 2);
    colstore_dtype dtype = {.size = sizeof dtype};
    EXPECT(OK, colstore_dtype_parse("<M8[25s]", 8, &dtype, &err));
    CHECK(dtype.unit == COLSTORE_UNIT_SECOND && dtype.unit_multiplier == 25);
}

/* replays: column_position */
static void asking_for_what_is_not_there(const colstore_schema *schema)
{
    size_t index = 7;
    EXPECT(UNKNOWN_COLUMN, colstore_schema_find(schema, "no", 2, &index, &err));
    CHECK(index == 7);
}

/* replays: info[colstore_info_read] Schema */
static void reading_the_header(const char *path)
{
    colstore_info info = {.size = sizeof info};
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_info_read(path, strlen(path), &info, &schema, &err));
    CHECK(info.n_rows == N_ROWS && info.n_records == 1 && info.file_size > 0);
    size_t n_columns = 0;
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
    }
    colstore_schema_free(schema);
}

/* replays: concat_handles texts Table */
static void concatenating(const colstore_table *table)
{
    const colstore_table *tables[] = {table, table};
    colstore_table *whole = NULL;
    colstore_names *dropped = NULL;
    EXPECT(OK, colstore_table_concat(tables, 2, COLSTORE_ON_MISMATCH_DROP, &whole, &dropped, &err));
    size_t count = 7;
    EXPECT(OK, colstore_names_count(dropped, &count, &err));
    CHECK(count == 0);
    const char *start = NULL;
    size_t len = 0;
    EXPECT(OUT_OF_BOUNDS, colstore_names_get(dropped, 0, &start, &len, &err));
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_n_rows(whole, &n_rows, &err));
    CHECK(n_rows == 2 * N_ROWS);
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(whole, &schema, &err));
    colstore_table_free(whole);
    colstore_schema_free(schema);
    colstore_names_free(dropped);
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* replays: rows[colstore_rows_all] Rows */
static void all_rows(void)
{
    colstore_rows *rows = NULL;
    int64_t count = 0;
    EXPECT(OK, colstore_rows_all(N_ROWS, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == N_ROWS);
    colstore_rows_free(rows);
}

/* 6:-2:1, then nothing: what `rows` makes of a range that goes down to the first row, and of an empty one.
 *
 * replays: rows[colstore_rows_range] Rows Base.collect is_range */
static void ranges(void)
{
    colstore_rows *rows = NULL;
    int64_t count = 0;
    int64_t numbers[3] = {7, 7, 7};
    colstore_rows_info info = {.size = sizeof info};
    EXPECT(OK, colstore_rows_range(N_ROWS, 5, 0, -2, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == 3);
    EXPECT(OK, colstore_rows_positions(rows, 0, count, numbers, 3, &err));
    CHECK(numbers[0] == 5 && numbers[1] == 3 && numbers[2] == 1);
    EXPECT(OK, colstore_rows_describe(rows, &info, &err));
    CHECK(info.form == COLSTORE_ROWS_FORM_RANGE && info.step == -2);
    colstore_rows_free(rows);
}

/* The bounds of ranges, as `rows` computes them: (first - 1, last - 1 + sign(step), step). */
static void bounds_of_ranges(void)
{
    static const struct {
        int64_t start, stop, step, count;
    } cases[] = {{0, 6, 1, 6}, {0, 5, 2, 3}, {1, 6, 2, 3}, {5, -1, -1, 6}, {4, -1, -2, 3}, {2, 3, 1, 1}, {0, 0, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        colstore_rows *rows = NULL;
        int64_t count = 0;
        EXPECT(OK, colstore_rows_range(N_ROWS, cases[i].start, cases[i].stop, cases[i].step, &rows, &err));
        EXPECT(OK, colstore_rows_count(rows, &count, &err));
        CHECK(count == cases[i].count);
        colstore_rows_free(rows);
    }
}

/* replays: rows[colstore_rows_indices] Rows read_values![colstore_table_read_column_at] */
static void row_numbers(const colstore_table *table)
{
    /* The numbers are borrowed: they go after the selection. */
    int64_t *numbers = allocate(4 * sizeof *numbers);
    numbers[0] = 5, numbers[1] = 0, numbers[2] = 5, numbers[3] = 2;
    colstore_rows *rows = NULL;
    int64_t count = 0;
    double *out = allocate(4 * sizeof *out);
    colstore_read_options options = {.size = sizeof options};
    EXPECT(OK, colstore_rows_indices(N_ROWS, numbers, COLSTORE_INDEX_TYPE_I64, 4, 8, 1, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == 4);
    EXPECT(OK, colstore_table_read_column_at(table, 0, rows, &options, out, 4 * sizeof *out, &err));
    CHECK(out[0] == X[5] && out[1] == X[0] && out[2] == X[5] && out[3] == X[2]);
    colstore_rows_free(rows);
    free(numbers);
    free(out);
}

/* replays: rows[colstore_rows_mask_bits] Rows */
static void bits(void)
{
    /* As a BitVector has them: words of 64 bits, of which the library gets the bytes that the rows need. */
    uint64_t *chunks = allocate(sizeof *chunks);
    *chunks = 0x29;
    colstore_rows *rows = NULL;
    int64_t count = 0;
    EXPECT(OK, colstore_rows_mask_bits(N_ROWS, (const uint8_t *)chunks, (N_ROWS + 7) / 8, &rows, &err));
    free(chunks);
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == 3);
    colstore_rows_free(rows);
}

/* replays: rows[colstore_rows_mask] Base.getindex Rows */
static void masks(void)
{
    colstore_rows *outer = NULL, *inner = range_of(3, 0, 3, 2), *rows = NULL;
    int64_t count = 0;
    EXPECT(OK, colstore_rows_mask(N_ROWS, B, N_ROWS, 1, &outer, &err));
    EXPECT(OK, colstore_rows_select(outer, inner, &rows, &err));
    colstore_rows_free(inner);
    colstore_rows_free(outer);
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == 2);
    colstore_rows_free(rows);
}

/* --- reads ---------------------------------------------------------------------------------------------- */

/* replays: read_values![colstore_table_read_column] read_into[colstore_table_read_columns] */
static void reading(const colstore_table *table)
{
    colstore_read_options options = {.size = sizeof options, .max_threads = 2};
    double *x = allocate(3 * sizeof *x);
    int64_t *t = allocate(3 * sizeof *t);
    EXPECT(OK, colstore_table_read_column(table, 0, 1, 4, &options, x, 3 * sizeof *x, &err));
    CHECK(memcmp(x, X + 1, 3 * sizeof *x) == 0);
    const size_t columns[] = {2, 0}, sizes[] = {3 * sizeof *t, 3 * sizeof *x};
    void *const starts[] = {t, x};
    EXPECT(OK, colstore_table_read_columns(table, columns, 2, 3, 6, &options, starts, sizes, &err));
    CHECK(memcmp(t, T + 3, 3 * sizeof *t) == 0 && memcmp(x, X + 3, 3 * sizeof *x) == 0);
    free(x);
    free(t);
}

/* replays: rows[colstore_rows_range] Rows read_into[colstore_table_read_columns_at] */
static void reading_with_a_step(const colstore_table *table)
{
    colstore_rows *rows = NULL;
    int64_t count = 0;
    EXPECT(OK, colstore_rows_range(N_ROWS, 0, 5, 2, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    colstore_read_options options = {.size = sizeof options};
    double *x = allocate(3 * sizeof *x);
    uint8_t *b = allocate(3);
    const size_t columns[] = {0, 1}, sizes[] = {3 * sizeof *x, 3};
    void *const starts[] = {x, b};
    EXPECT(OK, colstore_table_read_columns_at(table, columns, 2, rows, &options, starts, sizes, &err));
    CHECK(x[0] == X[0] && x[1] == X[2] && x[2] == X[4] && b[1] == B[2]);
    colstore_rows_free(rows);
    free(x);
    free(b);
}

/* --- views ---------------------------------------------------------------------------------------------- */

/* Every value of a view, by address, as `getindex` computes it. */
static double sum_of(const colstore_view_info *info)
{
    double sum = 0;
    for (int64_t i = 1; i <= info->n_rows; i++) {
        double value;
        memcpy(&value, (const char *)info->data + (i - 1) * info->stride, sizeof value);
        sum += value;
    }
    return sum;
}

/* A column outlives its table.
 *
 * replays: open_file lend[colstore_table_view_column] ColumnView{T} */
static void lending(const char *path)
{
    colstore_open_options options = {.size = sizeof options};
    colstore_table *table = NULL;
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    EXPECT(OK, colstore_table_open(path, strlen(path), &options, &table, &err));
    EXPECT(OK, colstore_table_view_column(table, 0, 0, N_ROWS, &view, &err));
    colstore_table_free(table);
    EXPECT(OK, colstore_view_describe(view, &info, &err));
    CHECK(info.n_rows == N_ROWS && info.stride == 8 && sum_of(&info) == 18);
    colstore_view_free(view);
}

/* replays: rows[colstore_rows_range] Rows lend[colstore_table_view_column_at] ColumnView{T} */
static void lending_backwards(const colstore_table *table)
{
    colstore_rows *rows = NULL;
    int64_t count = 0;
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    EXPECT(OK, colstore_rows_range(N_ROWS, 5, -1, -2, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    EXPECT(OK, colstore_table_view_column_at(table, 0, rows, &view, &err));
    colstore_rows_free(rows);
    EXPECT(OK, colstore_view_describe(view, &info, &err));
    CHECK(info.n_rows == count && info.stride == -16 && sum_of(&info) == X[5] + X[3] + X[1]);
    colstore_view_free(view);
}

/* What `column` does for a table of two records: the rows cannot be lent, so they are read.
 *
 * replays: lend[colstore_table_view_column] read_values![colstore_table_read_column] */
static void reading_what_cannot_be_lent(const colstore_table *twice)
{
    colstore_view *view = NULL;
    double out[2 * N_ROWS];
    colstore_read_options options = {.size = sizeof options};
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(twice, 0, 0, 2 * N_ROWS, &view, &err));
    CHECK(view == NULL);
    EXPECT(OK, colstore_table_read_column(twice, 0, 0, 2 * N_ROWS, &options, out, sizeof out, &err));
    CHECK(memcmp(out, X, sizeof X) == 0 && memcmp(out + N_ROWS, X, sizeof X) == 0);
}

/* --- reductions ----------------------------------------------------------------------------------------- */

/* replays: rows[colstore_rows_range] Rows reduced[colstore_table_reduce] */
static void reducing(const colstore_table *table)
{
    colstore_rows *rows = NULL;
    int64_t count = 0;
    colstore_scalar scalar = {.size = sizeof scalar};
    colstore_read_options options = {.size = sizeof options};
    EXPECT(OK, colstore_rows_range(N_ROWS, 0, 3, 1, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    EXPECT(OK, colstore_table_reduce(table, 0, rows, COLSTORE_REDUCTION_VAR, 1.0, &options, &scalar, &err));
    CHECK(scalar.kind == 'f' && scalar.float_value == 1.0);
    colstore_rows_free(rows);
}

/* The kinds of values that `scalar_value` tells apart. */
static void kinds_of_scalars(const colstore_table *table)
{
    colstore_scalar scalar = {.size = sizeof scalar};
    EXPECT(OK, colstore_table_reduce(table, 0, NULL, COLSTORE_REDUCTION_SUM, 0.0, NULL, &scalar, &err));
    CHECK(scalar.kind == 'f' && scalar.float_value == 18);
    EXPECT(OK, colstore_table_reduce(table, 1, NULL, COLSTORE_REDUCTION_SUM, 0.0, NULL, &scalar, &err));
    CHECK(scalar.kind == 'i' && scalar.int_value == 3);
    EXPECT(OK, colstore_table_reduce(table, 1, NULL, COLSTORE_REDUCTION_MAX, 0.0, NULL, &scalar, &err));
    CHECK(scalar.kind == 'b' && scalar.uint_value == 1);
    EXPECT(OK, colstore_table_reduce(table, 2, NULL, COLSTORE_REDUCTION_MIN, 0.0, NULL, &scalar, &err));
    CHECK(scalar.kind == 'M' && scalar.int_value == INT64_MIN);
    colstore_rows *none = NULL;
    EXPECT(OK, colstore_rows_range(N_ROWS, 0, 0, 1, &none, &err));
    EXPECT(OK, colstore_table_reduce(table, 0, none, COLSTORE_REDUCTION_MIN, 0.0, NULL, &scalar, &err));
    CHECK(scalar.kind == 0);
    colstore_rows_free(none);
}

/* --- store, progress ------------------------------------------------------------------------------------ */

/* As the watcher of progress.jl. */
typedef struct watcher {
    colstore_progress *progress;
    int reports;
    int fails;
} watcher;

/* A callback that throws cancels the call.
 *
 * replays: hear_progress */
static void hear(void *context, uint64_t done, uint64_t total)
{
    watcher *watcher = context;
    watcher->reports += done <= total;
    if (watcher->fails) {
        colstore_progress_cancel(watcher->progress);
    }
}

/* replays: store[colstore_store] open_file Table */
static void storing(const char *path)
{
    /* Texts and values are the caller's and go after the call. */
    char *name = strdup("x"), *dtype = strdup("<f8");
    double *values = allocate(sizeof X);
    memcpy(values, X, sizeof X);
    colstore_store_options options = {.size = sizeof options, .mode = COLSTORE_STORE_MODE_RECREATE, .statistics = 1};
    const colstore_column_data columns[] = {
        column_of(name, dtype, values, N_ROWS, 8),
        column_of("b", "|b1", B, N_ROWS, 1),
        column_of("t", "<M8[s]", T, N_ROWS, 8),
    };
    EXPECT(OK, colstore_store(path, strlen(path), columns, 3, &options, &err));
    free(name);
    free(dtype);
    free(values);
    colstore_open_options opening = {.size = sizeof opening};
    colstore_table *table = NULL;
    EXPECT(OK, colstore_table_open(path, strlen(path), &opening, &table, &err));
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    CHECK(n_rows == N_ROWS);
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    colstore_schema_free(schema);
    colstore_table_free(table);
}

/* replays: Progress read_values![colstore_table_read_column] cancel! */
static void watching(const colstore_table *table)
{
    watcher *watcher = allocate(sizeof *watcher);
    *watcher = (struct watcher){NULL, 0, 0};
    EXPECT(OK, colstore_progress_new(hear, watcher, &watcher->progress, &err));
    double out[N_ROWS];
    colstore_read_options options = {.size = sizeof options, .progress = watcher->progress};
    EXPECT(OK, colstore_table_read_column(table, 0, 0, N_ROWS, &options, out, sizeof out, &err));
    CHECK(watcher->reports > 0);
    colstore_progress_cancel(watcher->progress);
    colstore_progress_free(watcher->progress);
    free(watcher);
}

/* What is left behind by a store whose callback throws: nothing.
 *
 * replays: Progress store[colstore_store] */
static void cancelling(const char *path)
{
    watcher *watcher = allocate(sizeof *watcher);
    *watcher = (struct watcher){NULL, 0, 1};
    EXPECT(OK, colstore_progress_new(hear, watcher, &watcher->progress, &err));
    const colstore_column_data column = column_of("x", "<f8", X, N_ROWS, 8);
    colstore_store_options options = {.size = sizeof options, .progress = watcher->progress};
    EXPECT(CANCELLED, colstore_store(path, strlen(path), &column, 1, &options, &err));
    CHECK(!file_exists(path));
    colstore_progress_free(watcher->progress);
    free(watcher);
}

/* --- copies, writers, shards ---------------------------------------------------------------------------- */

/* Rows of x, b and t, as every writer takes them. The texts and values are the caller's. */
static void columns_of(colstore_column_data columns[3], int64_t first, int64_t n_rows)
{
    columns[0] = column_of("x", "<f8", X + first, n_rows, 8);
    columns[1] = column_of("b", "|b1", B + first, n_rows, 1);
    columns[2] = column_of("t", "<M8[s]", T + first, n_rows, 8);
}

static void has(const char *path, int64_t n_rows, int64_t n_records)
{
    colstore_error *err = NULL;
    colstore_info info = {.size = sizeof info};
    require(colstore_info_read(path, strlen(path), &info, NULL, &err), &err, path);
    CHECK(info.n_rows == n_rows && info.n_records == n_records);
}

/* replays: store[colstore_table_write] open_file Table compact compact */
static void copying(const colstore_table *twice, const char *path, const char *compacted)
{
    colstore_copy_options options = {.size = sizeof options, .mode = COLSTORE_STORE_MODE_RECREATE, .statistics = 1};
    EXPECT(OK, colstore_table_write(twice, path, strlen(path), &options, &err));
    colstore_open_options opening = {.size = sizeof opening};
    colstore_table *table = NULL;
    EXPECT(OK, colstore_table_open(path, strlen(path), &opening, &table, &err));
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    CHECK(n_rows == 2 * N_ROWS);
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    colstore_schema_free(schema);
    colstore_table_free(table);
    colstore_compact_options compact = {.size = sizeof compact, .max_threads = 1};
    EXPECT(OK, colstore_compact(path, strlen(path), NULL, 0, &compact, &err));
    EXPECT(OK, colstore_compact(path, strlen(path), compacted, strlen(compacted), &compact, &err));
    has(path, 2 * N_ROWS, 1);
    has(compacted, 2 * N_ROWS, 1);
    remove(path);
    remove(compacted);
}

/* What `create` with a function does, with a commit in the middle.
 *
 * replays: open_writer Base.append![colstore_writer_write] info[colstore_writer_describe] commit
 *   append_packed! schema_of[colstore_writer_schema] Schema Base.close[colstore_writer_close] */
static void writing(const char *path)
{
    colstore_writer_options options = {.size = sizeof options, .lock = COLSTORE_LOCK_POLICY_AUTO, .statistics = 1};
    colstore_writer *writer = NULL;
    EXPECT(OK, colstore_writer_open(path, strlen(path), &options, &writer, &err));
    const colstore_column_data column = column_of("x", "<f8", X, 4, 8);
    EXPECT(OK, colstore_writer_write(writer, &column, 1, &err));
    colstore_writer_info info = {.size = sizeof info};
    EXPECT(OK, colstore_writer_describe(writer, &info, &err));
    CHECK(info.n_rows == 4 && info.n_records == 1 && info.mode == COLSTORE_WRITER_MODE_CREATE && !info.is_closed);
    EXPECT(OK, colstore_writer_commit(writer, &err));
    has(path, 4, 1);
    EXPECT(OK, colstore_writer_write_packed(writer, 2, X + 4, 2 * sizeof *X, &err));
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_writer_schema(writer, &schema, &err));
    size_t n_columns = 0;
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    CHECK(n_columns == 1);
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column described = {.size = sizeof described};
        EXPECT(OK, colstore_schema_column(schema, i, &described, &err));
        CHECK(described.dtype.kind == 'f');
    }
    EXPECT(OK, colstore_writer_close(writer, &err));
    /* The schema may outlive its writer. */
    colstore_writer_free(writer);
    colstore_schema_free(schema);
    has(path, 6, 2);
}

/* What `update` does if its function throws; then, with a writer that nobody closes, what its finalizer does.
 *
 * replays: open_writer Base.append![colstore_writer_write] abandon[colstore_writer_abandon] open_writer
 *   Base.append![colstore_writer_write] */
static void giving_up(const char *path)
{
    colstore_writer_options options = {.size = sizeof options, .mode = COLSTORE_WRITER_MODE_UPDATE};
    const colstore_column_data column = column_of("x", "<f8", X, N_ROWS, 8);
    colstore_writer *writer = NULL;
    EXPECT(OK, colstore_writer_open(path, strlen(path), &options, &writer, &err));
    EXPECT(OK, colstore_writer_write(writer, &column, 1, &err));
    EXPECT(OK, colstore_writer_abandon(writer, &err));
    colstore_writer_free(writer);
    has(path, 6, 2);
    EXPECT(OK, colstore_writer_open(path, strlen(path), &options, &writer, &err));
    EXPECT(OK, colstore_writer_write(writer, &column, 1, &err));
    colstore_writer_free(writer);
    has(path, 6, 2);
    remove(path);
}

/* What `create` does if the progress throws. The finalizers may free the progress before the writer, which keeps a share;
 * the watcher goes after both.
 *
 * replays: Progress open_writer Base.append![colstore_writer_write] abandon[colstore_writer_abandon] */
static void cancelling_a_writer(const char *path)
{
    enum { MANY = 1000000 };
    watcher *watcher = allocate(sizeof *watcher);
    *watcher = (struct watcher){NULL, 0, 1};
    double *values = allocate(MANY * sizeof *values);
    memset(values, 0, MANY * sizeof *values);
    EXPECT(OK, colstore_progress_new(hear, watcher, &watcher->progress, &err));
    colstore_writer_options options = {.size = sizeof options, .progress = watcher->progress};
    colstore_writer *writer = NULL;
    EXPECT(OK, colstore_writer_open(path, strlen(path), &options, &writer, &err));
    const colstore_column_data column = column_of("x", "<f8", values, MANY, 8);
    EXPECT(CANCELLED, colstore_writer_write(writer, &column, 1, &err));
    CHECK(watcher->reports > 0);
    EXPECT(OK, colstore_writer_abandon(writer, &err));
    CHECK(!file_exists(path));
    colstore_progress_free(watcher->progress);
    colstore_writer_free(writer);
    free(watcher);
    free(values);
}

/* replays: append[colstore_append] texts append[colstore_append_table] texts */
static void adding_shards(const char *directory, const colstore_table *table)
{
    /* The name is the caller's and goes after the call. */
    char *name = strdup("run_{index}.cstore");
    colstore_append_options options = {.size = sizeof options, .name = name, .name_len = strlen(name)};
    colstore_column_data columns[3];
    columns_of(columns, 0, N_ROWS);
    colstore_names *paths = NULL;
    EXPECT(OK, colstore_append(directory, strlen(directory), columns, 3, &options, &paths, &err));
    size_t count = 0, len = 0;
    const char *start = NULL;
    EXPECT(OK, colstore_names_count(paths, &count, &err));
    CHECK(count == 1);
    EXPECT(OK, colstore_names_get(paths, 0, &start, &len, &err));
    CHECK(len > strlen(directory) && memcmp(start + len - 7, ".cstore", 7) == 0);
    colstore_names_free(paths);
    EXPECT(OK, colstore_append_table(directory, strlen(directory), table, &options, &paths, &err));
    free(name);
    EXPECT(OK, colstore_names_count(paths, &count, &err));
    CHECK(count == 1);
    EXPECT(OK, colstore_names_get(paths, 0, &start, &len, &err));
    char second[4096];
    snprintf(second, sizeof second, "%.*s", (int)len, start);
    CHECK(file_exists(second));
    colstore_names_free(paths);
}

/* What `appender` with a function does: a shard of two batches, and the rest at the end.
 *
 * replays: appender Base.append![colstore_appender_write] Base.append![colstore_appender_write_table]
 *   info[colstore_appender_describe] Base.append![colstore_appender_write] Base.flush texts
 *   Base.close[colstore_appender_close] texts abandon[colstore_appender_abandon] */
static void collecting_shards(const char *directory, const colstore_table *table)
{
    colstore_appender_options options = {
        .size = sizeof options, .name = "run_{index}.cstore", .name_len = 18, .shard_rows = N_ROWS + 2};
    colstore_column_data columns[3];
    colstore_appender *appender = NULL;
    colstore_names *paths = NULL;
    columns_of(columns, 0, 2);
    EXPECT(OK, colstore_appender_open(directory, strlen(directory), &options, &appender, &err));
    EXPECT(OK, colstore_appender_write(appender, columns, 3, NULL, &err));
    EXPECT(OK, colstore_appender_write_table(appender, table, NULL, &err));
    colstore_appender_info info = {.size = sizeof info};
    EXPECT(OK, colstore_appender_describe(appender, &info, &err));
    CHECK(info.n_shards == 1 && info.pending_rows == 0 && !info.closed);
    EXPECT(OK, colstore_appender_write(appender, columns, 3, NULL, &err));
    EXPECT(OK, colstore_appender_flush(appender, NULL, &paths, &err));
    size_t count = 0, len = 0;
    const char *start = NULL;
    EXPECT(OK, colstore_names_count(paths, &count, &err));
    CHECK(count == 1);
    EXPECT(OK, colstore_names_get(paths, 0, &start, &len, &err));
    colstore_names_free(paths);
    EXPECT(OK, colstore_appender_close(appender, NULL, &paths, &err));
    EXPECT(OK, colstore_names_count(paths, &count, &err));
    CHECK(count == 0);
    EXPECT(OUT_OF_BOUNDS, colstore_names_get(paths, 0, &start, &len, &err));
    colstore_names_free(paths);
    EXPECT(OK, colstore_appender_abandon(appender, &err));
    colstore_appender_free(appender);
}

/* --- checks and recovery -------------------------------------------------------------------------------- */

/* replays: verify VerifyReport finding_at */
static void verifying(const char *path)
{
    colstore_verify_options options = {.size = sizeof options, .deep = 1};
    colstore_verify_report *report = NULL;
    colstore_verify_summary summary = {.size = sizeof summary};
    EXPECT(OK, colstore_verify(path, strlen(path), &options, &report, &err));
    EXPECT(OK, colstore_verify_report_describe(report, &summary, &err));
    CHECK(summary.n_files == 1 && summary.n_findings > 0);
    for (int64_t i = 0; i < summary.n_findings; i++) {
        colstore_finding finding = {.size = sizeof finding};
        EXPECT(OK, colstore_verify_report_finding(report, (size_t)i, &finding, &err));
        CHECK(finding.code_len > 0 && finding.message_len > 0 && finding.path_len == strlen(path));
        CHECK(finding.column != NULL || finding.column_len == 0);
    }
    colstore_verify_report_free(report);
}

/* replays: recover recover */
static void recovering(const char *crashed, const char *target)
{
    colstore_recover_options options = {.size = sizeof options};
    colstore_recovery recovery = {.size = sizeof recovery};
    EXPECT(OK, colstore_recover(crashed, strlen(crashed), NULL, 0, &options, &recovery, &err));
    CHECK(recovery.action == COLSTORE_RECOVERY_ACTION_LISTED && recovery.committed_records == 2);
    EXPECT(OK, colstore_recover(crashed, strlen(crashed), target, strlen(target), &options, &recovery, &err));
    CHECK(recovery.action == COLSTORE_RECOVERY_ACTION_COPIED);
    has(target, recovery.whole_rows, recovery.whole_records);
    remove(target);
}

/* --- settings ------------------------------------------------------------------------------------------- */

/* replays: config! config machine */
static void settings(void)
{
    char out[64];
    size_t len = 0;
    EXPECT(OK, colstore_config_set("max_threads", 11, "2", 1, &err));
    EXPECT(OK, colstore_config_get("max_threads", 11, out, sizeof out, &len, &err));
    CHECK(len == 1 && out[0] == '2');
    colstore_machine_info machine = {.size = sizeof machine};
    EXPECT(OK, colstore_machine(&machine, &err));
    CHECK(machine.logical_cores > 0);
}

/* replays: calibrate_threads */
static void calibrating(void)
{
    int32_t threads = 0;
    double speed = 0;
    EXPECT(OK, colstore_calibrate_threads(1, NULL, &threads, &speed, &err));
    CHECK(threads > 0 && speed > 0);
}

#include "replay_frames.h"

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const char *path = path_in(SCRATCH, "replay.cstore");
    loading();
    storing(path);
    opening(path);
    failing(path_in(SCRATCH, "missing.cstore"));

    colstore_table *table = open_or_exit(path), *twice = twice_of(table);
    colstore_schema *schema = schema_of(table);
    describing(table, schema, path);
    asking_for_what_is_not_there(schema);
    reading_the_header(path);
    concatenating(table);
    all_rows();
    ranges();
    bounds_of_ranges();
    row_numbers(table);
    bits();
    masks();
    reading(table);
    reading_with_a_step(table);
    lending(path);
    lending_backwards(table);
    reading_what_cannot_be_lent(twice);
    reducing(table);
    kinds_of_scalars(table);
    watching(table);
    cancelling(path_in(SCRATCH, "cancelled.cstore"));
    with_expressions_and_frames(table, path_in(SCRATCH, "frame.cstore"));
    copying(twice, path_in(SCRATCH, "copy.cstore"), path_in(SCRATCH, "compact.cstore"));
    const char *written = path_in(SCRATCH, "written.cstore");
    writing(written);
    giving_up(written);
    cancelling_a_writer(written);
    adding_shards(path_in(SCRATCH, "shards"), table);
    collecting_shards(path_in(SCRATCH, "shards"), table);
    verifying(path_in(GOLDEN, "crashed_update.cstore"));
    recovering(path_in(GOLDEN, "crashed_update.cstore"), path_in(SCRATCH, "recovered.cstore"));
    settings();
    if (!under_valgrind()) {
        calibrating();
    }
    colstore_schema_free(schema);
    colstore_table_free(twice);
    colstore_table_free(table);
    return check_report();
}
