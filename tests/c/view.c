/* Views: the values where they lie, their life, and what cannot be lent. */

#include "dataset.h"

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
    colstore_error *err = NULL;
    CHECK(colstore_table_view_column(table, 0, 0, 5, &view, &err) == COLSTORE_STATUS_NOT_CONTIGUOUS);
    /* What to do instead, in words that hold for every language. */
    CHECK(err != NULL && strstr(colstore_error_message(err, NULL), "read a copy") != NULL);
    CHECK(strstr(colstore_error_message(err, NULL), "copy=") == NULL);
    colstore_error_free(err);
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

/* Evenly spaced rows within a record are lent whatever the selection was made from, backwards too. */
static void selections_are_lent(const colstore_table *table)
{
    const int64_t n = n_rows_of(table);
    selection selections[] = {
        select_all(n),
        select_range(n, 1, n, 2),
        select_range(n, n - 1, -1, -1),
        select_range(n, n - 1, -1, -3),
        select_range(n, 2, 2, 1),
        select_indices(n, (size_t)n / 2, CONTIGUOUS, COLSTORE_INDEX_TYPE_I16, 2, 1),
        select_indices(n, (size_t)n / 2, DESCENDING, COLSTORE_INDEX_TYPE_U8, 1, 1),
        select_indices(n, 1, SCATTERED, COLSTORE_INDEX_TYPE_I64, 8, 0),
        select_mask(n, 1, 1),
        select_bits(n, 0),
        select_of(select_range(n, n - 1, -1, -1), select_range(n, 1, n, 3)),
    };
    for (size_t column = 0; column < n_columns_of(table); column++) {
        const size_t width = width_of(table, column);
        char *values = allocate((size_t)n * width);
        EXPECT(OK, colstore_table_read_column(table, column, 0, n, NULL, values, (size_t)n * width, &err));
        for (size_t k = 0; k < sizeof selections / sizeof selections[0]; k++) {
            const selection *selected = &selections[k];
            colstore_view *view = NULL;
            colstore_view_info info = {.size = sizeof info};
            EXPECT(OK, colstore_table_view_column_at(table, column, selected->rows, &view, &err));
            EXPECT(OK, colstore_view_describe(view, &info, &err));
            int right = info.n_rows == (int64_t)selected->n && info.itemsize == width && info.data != NULL;
            for (size_t i = 0; right && i < selected->n; i++) {
                right = memcmp((const char *)info.data + (int64_t)i * info.stride,
                               values + (size_t)selected->expected[i] * width, width) == 0;
            }
            if (selected->n > 1) {
                right = right && info.stride == (selected->expected[1] - selected->expected[0]) * (int64_t)width;
            }
            CHECK(right);
            colstore_view_free(view);
        }
        free(values);
    }
    for (size_t k = 0; k < sizeof selections / sizeof selections[0]; k++) {
        free_selection(&selections[k]);
    }
}

static void selections_that_cannot_be_lent(const colstore_table *one, const colstore_table *many)
{
    const int64_t n = n_rows_of(one), n_many = n_rows_of(many);
    selection uneven[] = {select_indices(n, (size_t)n, SCATTERED, COLSTORE_INDEX_TYPE_I64, 8, 1),
                          select_indices(n, 3, REPEATED, COLSTORE_INDEX_TYPE_I64, 8, 1), select_mask(n, 3, 1)};
    colstore_view *view = NULL;
    for (size_t k = 0; k < sizeof uneven / sizeof uneven[0]; k++) {
        EXPECT(NOT_CONTIGUOUS, colstore_table_view_column_at(one, 0, uneven[k].rows, &view, &err));
        free_selection(&uneven[k]);
    }
    selection all = select_all(n_many), apart = select_range(n_many, 0, n_many, n_many - 1);
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column_at(many, 0, all.rows, &view, &err));
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column_at(many, 0, apart.rows, &view, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column_at(one, 0, all.rows, &view, &err));
    CHECK(view == NULL);
    free_selection(&all);
    free_selection(&apart);
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
    colstore_table *one = open_or_exit(path_in(GOLDEN, "all_dtypes_single.cstore"));
    colstore_table *many = open_or_exit(path_in(GOLDEN, "many_records.cstore"));
    selections_are_lent(one);
    selections_that_cannot_be_lent(one, many);
    colstore_table_free(one);
    colstore_table_free(many);
    colstore_view_free(NULL);
    return check_report();
}
