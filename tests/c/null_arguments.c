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
    of_store(path_in(SCRATCH, "null.cstore"));
    of_progress_and_errors();
    colstore_table_free(table);
    return check_report();
}
