/* What an error knows: status, message, path, column, row, error number; and that nobody has to take it. */

#include "check.h"

#include <errno.h>

static void no_error(void)
{
    size_t len = 77;
    int64_t row = 77;
    CHECK(colstore_error_status(NULL) == COLSTORE_STATUS_OK);
    CHECK(strcmp(colstore_error_message(NULL, &len), "") == 0 && len == 0);
    CHECK(strcmp(colstore_error_message(NULL, NULL), "") == 0);
    len = 77;
    CHECK(colstore_error_path(NULL, &len) == NULL && len == 0);
    CHECK(colstore_error_path(NULL, NULL) == NULL);
    len = 77;
    CHECK(colstore_error_column(NULL, &len) == NULL && len == 0);
    CHECK(colstore_error_column(NULL, NULL) == NULL);
    CHECK(!colstore_error_row(NULL, &row) && row == 77);
    CHECK(!colstore_error_row(NULL, NULL));
    CHECK(colstore_error_os_code(NULL) == 0);
    colstore_error_free(NULL);
}

static void a_missing_file(const char *path)
{
    colstore_error *err = NULL;
    colstore_table *table = NULL;
    size_t len = 0;
    CHECK(colstore_table_open(path, strlen(path), NULL, &table, &err) == COLSTORE_STATUS_NOT_FOUND);
    CHECK(table == NULL);
    CHECK(colstore_error_status(err) == COLSTORE_STATUS_NOT_FOUND);
    CHECK(colstore_error_path(err, &len) != NULL && len == strlen(path));
    CHECK(strcmp(colstore_error_path(err, NULL), path) == 0);
    CHECK(strstr(colstore_error_message(err, NULL), path) != NULL);
    CHECK(colstore_error_column(err, &len) == NULL && len == 0);
    CHECK(!colstore_error_row(err, NULL));
    CHECK(colstore_error_os_code(err) == ENOENT);
    colstore_error_free(err);
}

static void a_path_that_is_no_text(const char *scratch)
{
    colstore_error *err = NULL;
    colstore_table *table = NULL;
    const char *path = path_in(scratch, "\xff\xfe.cstore");
    CHECK(colstore_table_open(path, strlen(path), NULL, &table, &err) == COLSTORE_STATUS_NOT_FOUND);
    CHECK(strcmp(colstore_error_path(err, NULL), path) == 0);
    colstore_error_free(err);
}

static void an_unknown_column(const colstore_table *table)
{
    colstore_error *err = NULL;
    colstore_schema *schema = NULL;
    size_t index = 77, len = 0;
    require(colstore_table_schema(table, &schema, &err), &err, "schema");
    CHECK(colstore_schema_find(schema, "nope", 4, &index, &err) == COLSTORE_STATUS_UNKNOWN_COLUMN);
    CHECK(index == 77);
    CHECK(colstore_error_column(err, &len) != NULL && len == 4);
    CHECK(strcmp(colstore_error_column(err, NULL), "nope") == 0);
    CHECK(strstr(colstore_error_message(err, NULL), "nope") != NULL);
    CHECK(strstr(colstore_error_message(err, NULL), "'a'") != NULL);
    colstore_error_free(err);
    colstore_schema_free(schema);
}

static void rows_out_of_bounds(const colstore_table *table)
{
    static const struct {
        int64_t start, stop, row;
    } cases[] = {{-1, 2, -1}, {0, 6, 6}, {INT64_MIN, 0, INT64_MIN}, {2, 1, 1}, {6, 7, 6}, {0, INT64_MAX, INT64_MAX}};
    int32_t values[8];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        colstore_error *err = NULL;
        int64_t row = 0;
        CHECK(colstore_table_read_column(table, 0, cases[i].start, cases[i].stop, NULL, values, sizeof values, &err) ==
              COLSTORE_STATUS_OUT_OF_BOUNDS);
        CHECK(colstore_error_row(err, NULL));
        CHECK(colstore_error_row(err, &row) && row == cases[i].row);
        colstore_error_free(err);
    }
}

static void nobody_takes_it(const colstore_table *table)
{
    int32_t values[8];
    colstore_error *untouched = (colstore_error *)(void *)values;
    colstore_error *err = untouched;
    int64_t n_rows = 0;
    CHECK(colstore_table_read_column(table, 0, -1, 2, NULL, values, sizeof values, NULL) ==
          COLSTORE_STATUS_OUT_OF_BOUNDS);
    /* On success the place is not written. */
    CHECK(colstore_table_n_rows(table, &n_rows, &err) == COLSTORE_STATUS_OK);
    CHECK(err == untouched && n_rows == 5);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    colstore_table *table = open_or_exit(path_in(GOLDEN, "corrupt/_base.cstore"));
    no_error();
    a_missing_file(path_in(SCRATCH, "missing.cstore"));
    a_path_that_is_no_text(SCRATCH);
    an_unknown_column(table);
    rows_out_of_bounds(table);
    nobody_takes_it(table);
    colstore_table_free(table);
    return check_report();
}
