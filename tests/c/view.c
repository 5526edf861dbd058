/* Views: the values where they lie, their life, and what cannot be lent. */

#include "check.h"

static void lends_what_reads_return(const char *path)
{
    colstore_table *table = open_or_exit(path);
    colstore_schema *schema = NULL;
    size_t n_columns = 0;
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        colstore_view *view = NULL;
        colstore_view_info info = {.size = sizeof info};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        EXPECT(OK, colstore_table_view_column(table, i, 0, n_rows, &view, &err));
        EXPECT(OK, colstore_view_describe(view, &info, &err));
        size_t size = (size_t)n_rows * column.dtype.itemsize;
        char *values = allocate(size);
        EXPECT(OK, colstore_table_read_column(table, i, 0, n_rows, NULL, values, size, &err));
        CHECK(info.size == sizeof info && info.n_rows == n_rows && info.itemsize == column.dtype.itemsize);
        CHECK(info.stride == (int64_t)info.itemsize && info.data != NULL);
        CHECK(memcmp(info.data, values, size) == 0);
        free(values);
        colstore_view_free(view);
    }
    colstore_schema_free(schema);
    colstore_table_free(table);
}

static void outlives_its_table(const char *path)
{
    static const int32_t expected[] = {3, 6, 9};
    colstore_table *table = open_or_exit(path);
    colstore_view *view = NULL, *other = NULL;
    colstore_view_info info = {.size = sizeof info}, again = {.size = sizeof again};
    EXPECT(OK, colstore_table_view_column(table, 0, 1, 4, &view, &err));
    EXPECT(OK, colstore_table_view_column(table, 0, 2, 4, &other, &err));
    colstore_table_free(table);
    EXPECT(OK, colstore_view_describe(view, &info, &err));
    CHECK(info.n_rows == 3 && memcmp(info.data, expected, sizeof expected) == 0);
    EXPECT(OK, colstore_view_describe(other, &again, &err));
    CHECK((const char *)again.data == (const char *)info.data + 4);
    colstore_view_free(view);
    CHECK(memcmp(again.data, expected + 1, 8) == 0);
    colstore_view_free(other);
}

static void what_cannot_be_lent(const char *golden)
{
    colstore_table *table = open_or_exit(path_in(golden, "corrupt/_base.cstore"));
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    /* Rows 0 to 2 are one record, 3 and 4 the next. */
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(table, 0, 0, 5, &view, &err));
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(table, 0, 2, 4, &view, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column(table, 2, 0, 5, &view, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column(table, SIZE_MAX, 0, 5, &view, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column(table, 0, 0, 6, &view, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column(table, 0, 2, 1, &view, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column(table, 0, -1, 1, &view, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column(table, 0, INT64_MAX, INT64_MAX, &view, &err));
    CHECK(view == NULL);
    EXPECT(OK, colstore_table_view_column(table, 0, 3, 5, &view, &err));
    EXPECT(OK, colstore_view_describe(view, &info, &err));
    CHECK(info.n_rows == 2 && memcmp(info.data, (int32_t[]){40, 50}, 8) == 0);
    colstore_view_free(view);
    view = NULL;
    EXPECT(OK, colstore_table_view_column(table, 0, 5, 5, &view, &err));
    EXPECT(OK, colstore_view_describe(view, &info, &err));
    CHECK(info.n_rows == 0);
    colstore_view_free(view);
    colstore_table_free(table);

    table = open_or_exit(path_in(golden, "foreign/big_endian_dtypes.cstore"));
    colstore_schema *schema = NULL;
    size_t n_columns = 0;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        view = NULL;
        if (column.dtype.big_endian) {
            EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(table, i, 0, 1, &view, &err));
            CHECK(view == NULL);
        } else {
            EXPECT(OK, colstore_table_view_column(table, i, 0, 1, &view, &err));
        }
        colstore_view_free(view);
    }
    colstore_schema_free(schema);
    colstore_table_free(table);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    lends_what_reads_return(path_in(GOLDEN, "all_dtypes_single.cstore"));
    lends_what_reads_return(path_in(GOLDEN, "strings.cstore"));
    lends_what_reads_return(path_in(GOLDEN, "quirk_zero_width.cstore"));
    lends_what_reads_return(path_in(GOLDEN, "empty_table.cstore"));
    outlives_its_table(path_in(GOLDEN, "dtype/i4.cstore"));
    what_cannot_be_lent(GOLDEN);
    colstore_view_free(NULL);
    return check_report();
}
