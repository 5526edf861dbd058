/* NULL in every argument of every function, one after another: a status, never a crash, and nothing written. */

#include "check.h"

static void of_info_and_open(const char *path)
{
    size_t len = strlen(path);
    colstore_info info = {.size = sizeof info, .n_rows = 77};
    colstore_schema *schema = NULL;
    colstore_table *table = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_info_read(NULL, len, &info, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_info_read(NULL, 0, &info, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_info_read(path, len, NULL, &schema, &err));
    CHECK(schema == NULL && info.n_rows == 77);
    EXPECT(OK, colstore_info_read(path, len, &info, NULL, &err));
    CHECK(colstore_info_read(path, len, &info, &schema, NULL) == COLSTORE_STATUS_OK);
    colstore_schema_free(schema);

    EXPECT(INVALID_ARGUMENT, colstore_table_open(NULL, len, NULL, &table, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_open(NULL, 0, NULL, &table, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_open(path, len, NULL, NULL, &err));
    CHECK(table == NULL);
    CHECK(colstore_table_open(path, len, NULL, &table, NULL) == COLSTORE_STATUS_OK);
    colstore_table_free(table);
}

static void of_tables(const colstore_table *table)
{
    colstore_schema *schema = NULL;
    int64_t count = 77;
    EXPECT(INVALID_ARGUMENT, colstore_table_schema(NULL, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_schema(table, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_n_rows(NULL, &count, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_n_rows(table, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_n_records(NULL, &count, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_n_records(table, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_record_rows(NULL, &count, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_record_rows(table, NULL, 1, &err));
    CHECK(schema == NULL && count == 77);
    CHECK(colstore_table_schema(table, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_n_rows(table, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_n_records(table, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    colstore_table_free(NULL);
}

static void of_schemas(const colstore_table *table)
{
    colstore_schema *schema = NULL;
    colstore_column column = {.size = sizeof column};
    colstore_dtype dtype = {.size = sizeof dtype};
    size_t number = 77;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_n_columns(NULL, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_n_columns(schema, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_column(NULL, 0, &column, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_column(schema, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_find(NULL, "a", 1, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_find(schema, NULL, 1, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_schema_find(schema, "a", 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_dtype_parse(NULL, 3, &dtype, &err));
    EXPECT(INVALID_ARGUMENT, colstore_dtype_parse("<i4", 3, NULL, &err));
    CHECK(number == 77 && column.name == NULL && dtype.kind == 0);
    CHECK(colstore_schema_n_columns(schema, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_schema_column(schema, 0, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_schema_find(schema, "a", 1, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_dtype_parse("<i4", 3, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    colstore_schema_free(schema);
    colstore_schema_free(NULL);
}

static void of_reads(const colstore_table *table)
{
    int32_t out[5];
    double more[5];
    const size_t columns[] = {0, 1}, sizes[] = {sizeof out, sizeof more};
    void *const outs[] = {out, more};
    void *const one_null[] = {out, NULL};
    char rows[5 * 12];
    const colstore_read_options options = {.size = sizeof options};

    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(NULL, 0, 0, 5, &options, out, sizeof out, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, &options, NULL, sizeof out, &err));
    EXPECT(OK, colstore_table_read_column(table, 0, 0, 5, NULL, out, sizeof out, &err));
    CHECK(colstore_table_read_column(table, 0, 0, 5, &options, out, sizeof out, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_table_read_column(NULL, 0, 0, 5, &options, out, sizeof out, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);

    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(NULL, columns, 2, 0, 5, &options, outs, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, NULL, 2, 0, 5, &options, outs, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, columns, 2, 0, 5, &options, NULL, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, columns, 2, 0, 5, &options, one_null, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, columns, 2, 0, 5, &options, outs, NULL, &err));
    EXPECT(OK, colstore_table_read_columns(table, columns, 2, 0, 5, NULL, outs, sizes, &err));
    CHECK(colstore_table_read_columns(table, columns, 2, 0, 5, &options, NULL, sizes, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);

    EXPECT(INVALID_ARGUMENT, colstore_table_read_records(NULL, columns, 2, 0, 5, &options, rows, sizeof rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records(table, NULL, 2, 0, 5, &options, rows, sizeof rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records(table, columns, 2, 0, 5, &options, NULL, sizeof rows, &err));
    EXPECT(OK, colstore_table_read_records(table, columns, 2, 0, 5, NULL, rows, sizeof rows, &err));
    CHECK(colstore_table_read_records(table, columns, 2, 0, 5, &options, NULL, sizeof rows, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
}

static void of_views(const colstore_table *table)
{
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column(NULL, 0, 0, 3, &view, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column(table, 0, 0, 3, NULL, &err));
    CHECK(view == NULL);
    EXPECT(OK, colstore_table_view_column(table, 0, 0, 3, &view, &err));
    EXPECT(INVALID_ARGUMENT, colstore_view_describe(NULL, &info, &err));
    EXPECT(INVALID_ARGUMENT, colstore_view_describe(view, NULL, &err));
    CHECK(info.data == NULL);
    CHECK(colstore_table_view_column(table, 0, 0, 3, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_view_describe(view, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    colstore_view_free(view);
    colstore_view_free(NULL);
}

static void of_store(const char *path)
{
    static const double values[] = {1, 2, 3};
    const colstore_column_data good = column_of("x", "<f8", values, 3, 8);
    const colstore_store_options options = {.size = sizeof options};
    size_t len = strlen(path);
    colstore_column_data column;
    remove(path);
    EXPECT(INVALID_ARGUMENT, colstore_store(NULL, len, &good, 1, &options, &err));
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, NULL, 1, &options, &err));
    column = good;
    column.name = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, &column, 1, &options, &err));
    column = good;
    column.dtype = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, &column, 1, &options, &err));
    column = good;
    column.data = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, &column, 1, &options, &err));
    CHECK(colstore_store(path, len, NULL, 1, &options, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(!file_exists(path));
    CHECK(colstore_store(path, len, &good, 1, NULL, NULL) == COLSTORE_STATUS_OK);
    CHECK(file_exists(path));
}

static void of_copies(const colstore_table *table, const char *path, const char *source)
{
    size_t len = strlen(path), source_len = strlen(source);
    EXPECT(INVALID_ARGUMENT, colstore_table_write(NULL, path, len, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_write(table, NULL, len, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_write(table, NULL, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_compact(NULL, source_len, path, len, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_compact(NULL, 0, path, len, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_compact(source, source_len, NULL, len, NULL, &err));
    CHECK(colstore_table_write(NULL, path, len, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_compact(NULL, 0, NULL, 0, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(!file_exists(path));
    CHECK(colstore_table_write(table, path, len, NULL, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_compact(source, source_len, path, len, NULL, NULL) == COLSTORE_STATUS_OK);
    CHECK(file_exists(path));
}

static void of_shards(const char *directory, const colstore_table *table)
{
    static const double values[] = {1, 2, 3};
    const colstore_column_data good = column_of("x", "<f8", values, 3, 8);
    const colstore_append_options options = {.size = sizeof options};
    const colstore_appender_options appender_options = {.size = sizeof appender_options};
    size_t len = strlen(directory);
    colstore_names *path = NULL;
    colstore_appender *appender = NULL;
    colstore_appender_info info = {.size = sizeof info, .n_shards = 77};
    EXPECT(INVALID_ARGUMENT, colstore_append(NULL, len, &good, 1, &options, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_append(NULL, 0, &good, 1, &options, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, NULL, 1, &options, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_append_table(NULL, len, table, &options, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_append_table(directory, len, NULL, &options, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_open(NULL, len, &appender_options, &appender, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_open(directory, len, &appender_options, NULL, &err));
    CHECK(path == NULL && appender == NULL && !file_exists(directory));
    EXPECT(OK, colstore_appender_open(directory, len, NULL, &appender, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_write(NULL, &good, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_write(appender, NULL, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_write_table(NULL, table, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_write_table(appender, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_flush(NULL, NULL, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_close(NULL, NULL, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_abandon(NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_describe(NULL, &info, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_describe(appender, NULL, &err));
    CHECK(path == NULL && info.n_shards == 77);
    CHECK(colstore_appender_write(appender, &good, 1, NULL, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_appender_close(appender, NULL, NULL, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_append(directory, len, &good, 1, NULL, NULL, NULL) == COLSTORE_STATUS_OK);
    colstore_appender_free(appender);
    colstore_appender_free(NULL);
}

static void of_rows(void)
{
    static const int64_t indices[] = {3, 1, 3};
    static const uint8_t mask[] = {1, 0, 1, 1, 1};
    const int32_t type = COLSTORE_INDEX_TYPE_I64;
    colstore_rows *rows = NULL, *other = NULL;
    int64_t count = 77, found[3] = {77};
    colstore_rows_info info = {.size = sizeof info, .count = 77};
    EXPECT(INVALID_ARGUMENT, colstore_rows_all(5, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_range(5, 0, 5, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(5, NULL, type, 3, 8, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(5, NULL, type, 3, 8, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(5, indices, type, 3, 8, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask(5, NULL, 5, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask(5, mask, 5, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask_bits(5, NULL, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask_bits(5, mask, 1, NULL, &err));
    CHECK(rows == NULL);
    CHECK(colstore_rows_all(5, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_rows_range(5, 0, 5, 0, &rows, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_rows_indices(5, indices, 0, 3, 8, 0, &rows, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_rows_mask(5, mask, 4, 1, &rows, NULL) == COLSTORE_STATUS_OUT_OF_BOUNDS);
    CHECK(colstore_rows_mask_bits(5, mask, 5, &rows, NULL) == COLSTORE_STATUS_OUT_OF_BOUNDS);
    CHECK(rows == NULL);

    CHECK(colstore_rows_indices(5, indices, type, 3, 8, 0, &rows, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_rows_select(NULL, rows, &other, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_select(rows, NULL, &other, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_select(rows, rows, NULL, &err));
    CHECK(colstore_rows_select(NULL, NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(other == NULL);
    EXPECT(INVALID_ARGUMENT, colstore_rows_count(NULL, &count, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_count(rows, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_positions(NULL, 0, 3, found, 3, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_positions(rows, 0, 3, NULL, 3, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_describe(NULL, &info, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_describe(rows, NULL, &err));
    CHECK(count == 77 && found[0] == 77 && info.count == 77);
    CHECK(colstore_rows_count(rows, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_rows_positions(rows, 0, 3, NULL, 3, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_rows_describe(rows, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    colstore_rows_free(rows);
    colstore_rows_free(NULL);
}

static void of_reads_by_selection(const colstore_table *table)
{
    int32_t out[2];
    double more[2];
    char records[2 * 12];
    const size_t columns[] = {0, 1}, sizes[] = {sizeof out, sizeof more};
    void *const outs[] = {out, more}, *const one_null[] = {out, NULL};
    colstore_rows *rows = NULL;
    colstore_view *view = NULL;
    EXPECT(OK, colstore_rows_range(5, 0, 2, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column_at(NULL, 0, rows, NULL, out, sizeof out, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column_at(table, 0, NULL, NULL, out, sizeof out, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column_at(table, 0, rows, NULL, NULL, sizeof out, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(NULL, columns, 2, rows, NULL, outs, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(table, NULL, 2, rows, NULL, outs, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(table, columns, 2, NULL, NULL, outs, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(table, columns, 2, rows, NULL, NULL, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(table, columns, 2, rows, NULL, one_null, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(table, columns, 2, rows, NULL, outs, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records_at(NULL, columns, 2, rows, NULL, records, 24, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records_at(table, NULL, 2, rows, NULL, records, 24, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records_at(table, columns, 2, NULL, NULL, records, 24, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records_at(table, columns, 2, rows, NULL, NULL, 24, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column_at(NULL, 0, rows, &view, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column_at(table, 0, NULL, &view, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column_at(table, 0, rows, NULL, &err));
    CHECK(view == NULL);
    CHECK(colstore_table_read_column_at(table, 0, NULL, NULL, out, sizeof out, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_read_columns_at(table, columns, 2, NULL, NULL, outs, sizes, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_read_records_at(table, columns, 2, NULL, NULL, records, 24, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_view_column_at(table, 0, NULL, &view, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_read_column_at(table, 0, rows, NULL, out, sizeof out, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_table_read_columns_at(table, columns, 2, rows, NULL, outs, sizes, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_table_read_records_at(table, columns, 2, rows, NULL, records, 24, NULL) == COLSTORE_STATUS_OK);
    colstore_rows_free(rows);
}

static void of_many_files(const colstore_table *table, const char *path)
{
    const colstore_table *const tables[] = {table, NULL};
    colstore_table *out = NULL;
    colstore_names *names = NULL;
    const char *text = NULL;
    size_t number = 77;
    EXPECT(INVALID_ARGUMENT, colstore_table_concat(NULL, 1, 0, &out, &names, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_concat(tables, 2, 0, &out, &names, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_concat(tables, 1, 0, NULL, &names, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_n_files(NULL, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_n_files(table, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_path(NULL, 0, &text, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_path(table, 0, NULL, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_path(table, 0, &text, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_paths_expand(NULL, 3, &names, &err));
    EXPECT(INVALID_ARGUMENT, colstore_paths_expand(NULL, 0, &names, &err));
    EXPECT(INVALID_ARGUMENT, colstore_paths_expand(path, strlen(path), NULL, &err));
    CHECK(out == NULL && names == NULL && text == NULL && number == 77);
    CHECK(colstore_table_concat(tables, 2, 0, &out, &names, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_paths_expand(path, strlen(path), NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_paths_expand(path, strlen(path), &names, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_names_count(NULL, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_names_count(names, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_names_get(NULL, 0, &text, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_names_get(names, 0, NULL, &number, &err));
    EXPECT(INVALID_ARGUMENT, colstore_names_get(names, 0, &text, NULL, &err));
    CHECK(text == NULL && number == 77);
    CHECK(colstore_names_count(names, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_names_get(names, 7, &text, &number, NULL) == COLSTORE_STATUS_OUT_OF_BOUNDS);
    colstore_names_free(names);
    colstore_names_free(NULL);
}

static void of_verify_and_recover(const char *path)
{
    const size_t len = strlen(path);
    colstore_verify_report *report = NULL;
    colstore_verify_summary summary = {.size = sizeof summary};
    colstore_finding finding = {.size = sizeof finding};
    EXPECT(INVALID_ARGUMENT, colstore_verify(NULL, len, NULL, &report, &err));
    EXPECT(INVALID_ARGUMENT, colstore_verify(NULL, 0, NULL, &report, &err));
    EXPECT(INVALID_ARGUMENT, colstore_verify(path, len, NULL, NULL, &err));
    CHECK(colstore_verify(path, len, NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT && report == NULL);
    EXPECT(OK, colstore_verify(path, len, NULL, &report, &err));
    EXPECT(INVALID_ARGUMENT, colstore_verify_report_describe(NULL, &summary, &err));
    EXPECT(INVALID_ARGUMENT, colstore_verify_report_describe(report, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_verify_report_finding(NULL, 0, &finding, &err));
    EXPECT(INVALID_ARGUMENT, colstore_verify_report_finding(report, 0, NULL, &err));
    CHECK(colstore_verify_report_describe(NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_verify_report_finding(NULL, 0, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    colstore_verify_report_free(report);
    colstore_verify_report_free(NULL);

    colstore_recovery recovery = {.size = sizeof recovery};
    EXPECT(INVALID_ARGUMENT, colstore_recover(NULL, len, NULL, 0, NULL, &recovery, &err));
    EXPECT(INVALID_ARGUMENT, colstore_recover(path, len, NULL, 5, NULL, &recovery, &err));
    EXPECT(INVALID_ARGUMENT, colstore_recover(path, len, NULL, 0, NULL, NULL, &err));
    CHECK(colstore_recover(path, len, NULL, 0, NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
}

static void of_writers(const char *path)
{
    const colstore_column_data column = column_of("x", "<f8", "12345678", 1, 8);
    colstore_writer_options options = {.size = sizeof options, .mode = COLSTORE_WRITER_MODE_RECREATE};
    colstore_writer_info info = {.size = sizeof info, .n_rows = 77};
    colstore_writer *writer = NULL;
    colstore_schema *schema = NULL;
    size_t len = strlen(path);
    EXPECT(INVALID_ARGUMENT, colstore_writer_open(NULL, len, &options, &writer, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_open(NULL, 0, &options, &writer, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_open(path, len, &options, NULL, &err));
    CHECK(writer == NULL && !file_exists(path));
    CHECK(colstore_writer_open(path, len, NULL, &writer, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_writer_schema(writer, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write(NULL, &column, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write(writer, NULL, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write(writer, NULL, 0, &err));
    CHECK(colstore_writer_write(writer, &column, 1, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(NULL, 1, "12345678", 8, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(writer, 1, NULL, 8, &err));
    EXPECT(OK, colstore_writer_write_packed(writer, 0, NULL, 0, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_describe(NULL, &info, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_describe(writer, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_schema(NULL, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_schema(writer, NULL, &err));
    CHECK(info.n_rows == 77 && schema == NULL);
    EXPECT(INVALID_ARGUMENT, colstore_writer_commit(NULL, &err));
    CHECK(colstore_writer_commit(writer, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_writer_abandon(NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_close(NULL, &err));
    CHECK(colstore_writer_close(writer, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_writer_abandon(writer, NULL) == COLSTORE_STATUS_OK);
    colstore_writer_free(writer);
    colstore_writer_free(NULL);
}

static void of_expressions(const colstore_table *table)
{
    colstore_expr *expr = NULL, *made = NULL;
    colstore_values *values = NULL;
    colstore_params *params = NULL;
    colstore_names *names = NULL;
    const double number = 1;
    size_t len = 77;
    char text[8];
    EXPECT(INVALID_ARGUMENT, colstore_expr_column(NULL, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_column("x", 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_none(NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_bool(1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_int(1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_uint(1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_integer(NULL, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_integer("1", 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_float(1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_constant(NULL, 3, &number, 8, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_constant("<f8", 3, NULL, 8, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_constant("<f8", 3, &number, 8, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_text(NULL, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_text("x", 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_bytes(NULL, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_bytes("x", 1, NULL, &err));
    CHECK(colstore_expr_int(1, &expr, NULL) == COLSTORE_STATUS_OK);

    const colstore_expr *const args[] = {expr, NULL};
    EXPECT(INVALID_ARGUMENT, colstore_expr_call(NULL, 3, args, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_call("add", 3, NULL, 2, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_call("add", 3, args, 2, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_call("absolute", 8, args, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_cast(NULL, "f4", 2, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_cast(expr, NULL, 2, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_cast(expr, "f4", 2, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_round(NULL, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_round(expr, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_callback(NULL, NULL, NULL, "f8", 2, args, 1, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_parse(NULL, 1, NULL, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_parse("x", 1, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_print(NULL, text, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_print(expr, NULL, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_print(expr, text, sizeof text, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_columns(NULL, &names, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_columns(expr, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_check(NULL, table, 0, text, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_check(expr, NULL, 0, text, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_check(expr, table, 0, NULL, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_check(expr, table, 0, text, sizeof text, NULL, &err));
    CHECK(colstore_function_exact(NULL, 3, "f8", 2) == 0 && colstore_function_exact("add", 3, NULL, 2) == 0);

    EXPECT(INVALID_ARGUMENT, colstore_values_array(NULL, 3, &number, 1, 8, &values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_values_array("<f8", 3, NULL, 1, 8, &values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_values_array("<f8", 3, &number, 1, 8, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_values_list(NULL, 1, &values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_values_list(args, 2, &values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_values_list(args, 1, NULL, &err));
    CHECK(values == NULL);
    CHECK(colstore_values_list(args, 1, &values, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_expr_isin(NULL, values, 0, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_isin(expr, NULL, 0, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_isin(expr, values, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_new(NULL, &err));
    CHECK(colstore_params_new(&params, NULL) == COLSTORE_STATUS_OK);
    EXPECT(INVALID_ARGUMENT, colstore_params_set(NULL, "x", 1, expr, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_set(params, NULL, 1, expr, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_set(params, "x", 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_set_values(NULL, "x", 1, values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_set_values(params, NULL, 1, values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_set_values(params, "x", 1, NULL, &err));
    colstore_rows *rows = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_rows_filter(NULL, NULL, expr, NULL, &rows, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_filter(table, NULL, NULL, NULL, &rows, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_filter(table, NULL, expr, NULL, NULL, NULL, &err));
    CHECK(made == NULL && names == NULL && rows == NULL && len == 77);
    colstore_params_free(params);
    colstore_values_free(values);
    colstore_expr_free(expr);
    colstore_params_free(NULL);
    colstore_values_free(NULL);
    colstore_expr_free(NULL);
}

static void of_frames(const colstore_table *table, const char *path)
{
    colstore_frame *frame = NULL, *other = NULL;
    colstore_schema *schema = NULL;
    colstore_expr *expr = NULL, *made = NULL;
    colstore_rows *rows = NULL;
    colstore_cutflow *cutflow = NULL;
    const char *const name = "a";
    const size_t one = 1;
    int64_t count = 77;
    int32_t has = 77;
    size_t len = 77;
    char text[8];
    int64_t value;
    void *const outs[] = {&value};
    const size_t column = 0, size = sizeof value;
    colstore_scalar scalar = {.size = sizeof scalar, .kind = 77};
    EXPECT(INVALID_ARGUMENT, colstore_frame_new(NULL, NULL, &frame, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_new(table, NULL, NULL, &err));
    CHECK(frame == NULL);
    CHECK(colstore_frame_new(table, NULL, &frame, NULL) == COLSTORE_STATUS_OK);
    CHECK(colstore_expr_column(name, one, &expr, NULL) == COLSTORE_STATUS_OK);
    const colstore_expr *const exprs[] = {expr}, *const no_exprs[] = {NULL};
    EXPECT(INVALID_ARGUMENT, colstore_frame_clone(NULL, &other, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_clone(frame, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_schema(NULL, &schema, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_schema(frame, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_column(NULL, name, one, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_column(frame, NULL, one, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_column(frame, name, one, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_resolve(NULL, expr, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_resolve(frame, NULL, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_resolve(frame, expr, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(NULL, "<i8", 3, &value, 5, 0, NULL, NULL, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(frame, NULL, 3, &value, 5, 0, NULL, NULL, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(frame, "<i8", 3, NULL, 5, 0, NULL, NULL, &made, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(frame, "<i8", 3, &value, 5, 0, NULL, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_base_rows(NULL, &count, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_base_rows(frame, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_has_selection(NULL, &has, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_has_selection(frame, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_assign(NULL, &name, &one, exprs, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_assign(frame, NULL, &one, exprs, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_assign(frame, &name, NULL, exprs, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_assign(frame, &name, &one, NULL, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_assign(frame, &name, &one, no_exprs, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_drop(NULL, &name, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_drop(frame, NULL, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_drop(frame, &name, NULL, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_drop(frame, (const char *const[]){NULL}, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_select(NULL, &name, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_select(frame, NULL, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_rename(NULL, &name, &one, &name, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_rename(frame, NULL, &one, &name, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_rename(frame, &name, &one, NULL, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_rename(frame, &name, &one, &name, NULL, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_cast(NULL, &name, &one, &name, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_cast(frame, &name, &one, NULL, &one, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_filter(NULL, expr, NULL, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_filter(frame, NULL, NULL, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_filter(frame, expr, NULL, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_count(NULL, NULL, &count, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_count(frame, NULL, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_rows(NULL, NULL, &rows, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_rows(frame, NULL, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_columns(NULL, &column, 1, 0, 1, NULL, outs, &size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_columns(frame, NULL, 1, 0, 1, NULL, outs, &size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_columns(frame, &column, 1, 0, 1, NULL, NULL, &size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_columns(frame, &column, 1, 0, 1, NULL, outs, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT,
           colstore_frame_read_columns(frame, &column, 1, 0, 1, NULL, (void *const[]){NULL}, &size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_records(NULL, &column, 1, 0, 1, NULL, &value, size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_records(frame, NULL, 1, 0, 1, NULL, &value, size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_read_records(frame, &column, 1, 0, 1, NULL, NULL, size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_expr_dtype(NULL, expr, text, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_expr_dtype(frame, NULL, text, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_expr_dtype(frame, expr, NULL, sizeof text, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_expr_dtype(frame, expr, text, sizeof text, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_evaluate(NULL, expr, 0, NULL, &value, size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_evaluate(frame, NULL, 0, NULL, &value, size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_evaluate(frame, expr, 0, NULL, NULL, size, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_reduce(NULL, expr, 1, 0, NULL, &scalar, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_reduce(frame, NULL, 1, 0, NULL, &scalar, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_reduce(frame, expr, 1, 0, NULL, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_write(NULL, path, strlen(path), NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_write(frame, NULL, strlen(path), NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_cutflow(NULL, NULL, &cutflow, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_cutflow(frame, NULL, NULL, NULL, &err));
    CHECK(cutflow == NULL);
    CHECK(colstore_frame_cutflow(frame, NULL, &cutflow, NULL, NULL) == COLSTORE_STATUS_OK);
    colstore_cut_record record = {.size = sizeof record};
    EXPECT(INVALID_ARGUMENT, colstore_cutflow_count(NULL, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_cutflow_count(cutflow, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_cutflow_get(NULL, 0, &record, &err));
    EXPECT(INVALID_ARGUMENT, colstore_cutflow_get(cutflow, 0, NULL, &err));
    CHECK(other == NULL && schema == NULL && made == NULL && rows == NULL && count == 77 && has == 77);
    CHECK(len == 77 && scalar.kind == 77 && !file_exists(path));
    colstore_cutflow_free(cutflow);
    colstore_expr_free(expr);
    colstore_frame_free(frame);
    colstore_cutflow_free(NULL);
    colstore_frame_free(NULL);
}

static void of_progress_and_errors(void)
{
    colstore_progress *progress = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_progress_new(NULL, NULL, NULL, &err));
    CHECK(colstore_progress_new(NULL, NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_progress_new(NULL, NULL, &progress, NULL) == COLSTORE_STATUS_OK);
    colstore_progress_free(progress);
    colstore_progress_free(NULL);
    colstore_progress_cancel(NULL);

    colstore_error *err = NULL;
    CHECK(colstore_progress_new(NULL, NULL, NULL, &err) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(strlen(colstore_error_message(err, NULL)) > 0);
    CHECK(colstore_error_path(err, NULL) == NULL && colstore_error_column(err, NULL) == NULL);
    CHECK(!colstore_error_row(err, NULL) && colstore_error_os_code(err) == 0);
    CHECK(!colstore_error_span(err, NULL, NULL) && colstore_error_callback_code(err) == 0);
    CHECK(!colstore_error_span(NULL, NULL, NULL) && colstore_error_callback_code(NULL) == 0);
    /* It says which argument of which function. */
    CHECK(strstr(colstore_error_message(err, NULL), "colstore_progress_new") != NULL);
    CHECK(strstr(colstore_error_message(err, NULL), "out") != NULL);
    colstore_error_free(err);
    colstore_error_free(NULL);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    colstore_table *table = open_or_exit(path_in(GOLDEN, "corrupt/_base.cstore"));
    of_info_and_open(path_in(GOLDEN, "corrupt/_base.cstore"));
    of_tables(table);
    of_schemas(table);
    of_reads(table);
    of_views(table);
    of_rows();
    of_reads_by_selection(table);
    of_many_files(table, path_in(GOLDEN, "shards3"));
    of_store(path_in(SCRATCH, "null.cstore"));
    of_verify_and_recover(path_in(GOLDEN, "corrupt/_base.cstore"));
    of_copies(table, path_in(SCRATCH, "copy.cstore"), path_in(GOLDEN, "corrupt/_base.cstore"));
    of_shards(path_in(SCRATCH, "null_shards"), table);
    of_writers(path_in(SCRATCH, "null_writer.cstore"));
    of_expressions(table);
    of_frames(table, path_in(SCRATCH, "frame.cstore"));
    of_progress_and_errors();
    colstore_table_free(table);
    return check_report();
}
