/* Reading columns and records: exact values, all ways alike, over several records and big-endian files; wrong sizes. */

#include "check.h"

static const int32_t base_a[] = {10, -20, 30, 40, 50};
static const double base_b[] = {1, 2, 3, 4, 5};

static void exact_values(const colstore_table *table)
{
    /* Every range of the five rows, which lie in two records. */
    for (int64_t start = 0; start <= 5; start++) {
        for (int64_t stop = start; stop <= 5; stop++) {
            size_t n = (size_t)(stop - start);
            int32_t a[5] = {0};
            double b[5] = {0};
            EXPECT(OK, colstore_table_read_column(table, 0, start, stop, NULL, a, n * sizeof a[0], &err));
            EXPECT(OK, colstore_table_read_column(table, 1, start, stop, NULL, b, n * sizeof b[0], &err));
            CHECK(memcmp(a, base_a + start, n * sizeof a[0]) == 0);
            CHECK(memcmp(b, base_b + start, n * sizeof b[0]) == 0);
        }
    }
}

static void several_columns(const colstore_table *table)
{
    colstore_read_options options = {.size = sizeof options, .max_threads = 1};
    const size_t columns[] = {1, 0};
    int32_t a[3];
    double b[3];
    void *const outs[] = {b, a};
    const size_t sizes[] = {sizeof b, sizeof a};
    EXPECT(OK, colstore_table_read_columns(table, columns, 2, 1, 4, &options, outs, sizes, &err));
    CHECK(memcmp(a, base_a + 1, sizeof a) == 0 && memcmp(b, base_b + 1, sizeof b) == 0);
    /* None is fine too. */
    EXPECT(OK, colstore_table_read_columns(table, NULL, 0, 1, 4, &options, NULL, NULL, &err));
    /* No bytes need no memory. */
    void *const nothing[] = {NULL, NULL};
    const size_t zeros[] = {0, 0};
    EXPECT(OK, colstore_table_read_columns(table, columns, 2, 2, 2, NULL, nothing, zeros, &err));
    EXPECT(OK, colstore_table_read_column(table, 0, 2, 2, NULL, NULL, 0, &err));
    EXPECT(OK, colstore_table_read_records(table, columns, 2, 2, 2, NULL, NULL, 0, &err));
    EXPECT(OK, colstore_table_read_records(table, NULL, 0, 1, 3, NULL, NULL, 0, &err));
}

static void records(const colstore_table *table)
{
    const size_t columns[] = {1, 0, 1};
    char out[3 * (8 + 4 + 8)], expected[sizeof out];
    for (int row = 0; row < 3; row++) {
        memcpy(expected + row * 20, base_b + 2 + row, 8);
        memcpy(expected + row * 20 + 8, base_a + 2 + row, 4);
        memcpy(expected + row * 20 + 12, base_b + 2 + row, 8);
    }
    EXPECT(OK, colstore_table_read_records(table, columns, 3, 2, 5, NULL, out, sizeof out, &err));
    CHECK(memcmp(out, expected, sizeof out) == 0);
}

static void any_alignment(const colstore_table *table)
{
    char room[5 * 8 + 16];
    for (size_t shift = 0; shift < 16; shift++) {
        EXPECT(OK, colstore_table_read_column(table, 1, 0, 5, NULL, room + shift, sizeof base_b, &err));
        CHECK(memcmp(room + shift, base_b, sizeof base_b) == 0);
    }
}

static void wrong_arguments(const colstore_table *table)
{
    char out[64];
    const size_t columns[] = {0, 1}, unknown[] = {0, 2};
    memset(out, 77, sizeof out);
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, NULL, out, 19, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, NULL, out, 21, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, NULL, out, 0, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, NULL, out, SIZE_MAX, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, NULL, out, (size_t)INT64_MAX, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, 2, 0, 5, NULL, out, 20, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, SIZE_MAX, 0, 5, NULL, out, 20, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, 0, 0, 6, NULL, out, 24, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, 0, -1, 4, NULL, out, 20, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, 0, INT64_MIN, INT64_MAX, NULL, out, 20, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_records(table, unknown, 2, 0, 5, NULL, out, 60, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_records(table, columns, 2, 0, 6, NULL, out, 60, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records(table, columns, 2, 0, 5, NULL, out, 59, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records(table, columns, SIZE_MAX, 0, 5, NULL, out, 60, &err));

    colstore_read_options options = {.size = sizeof options, .max_threads = -1};
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, &options, out, 20, &err));
    options.max_threads = 0;
    options.reserved = 1;
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, &options, out, 20, &err));

    void *const overlapping[] = {out + 36, out};
    void *const apart[] = {out + 40, out};
    const size_t sizes[] = {20, 40}, short_size[] = {20, 39};
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, columns, 2, 0, 5, NULL, overlapping, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, columns, 2, 0, 5, NULL, apart, short_size, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_columns(table, unknown, 2, 0, 5, NULL, apart, sizes, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns(table, columns, SIZE_MAX / 4, 0, 5, NULL, apart, sizes, &err));
    for (size_t i = 0; i < sizeof out - 4; i++) {
        if (out[i] != 77) {
            CHECK(!"a refused read writes nothing");
            return;
        }
    }
    CHECK(1);
}

/* All columns of a file: one by one, at once and as records. */
static void all_ways_alike(const char *path)
{
    colstore_table *table = open_or_exit(path);
    colstore_schema *schema = NULL;
    size_t n_columns = 0, width = 0;
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    size_t *columns = allocate(n_columns * sizeof *columns), *sizes = allocate(n_columns * sizeof *sizes);
    size_t *widths = allocate(n_columns * sizeof *widths);
    char **single = allocate(n_columns * sizeof *single);
    void **outs = allocate(n_columns * sizeof *outs);
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        columns[i] = i;
        widths[i] = column.dtype.itemsize;
        sizes[i] = (size_t)n_rows * widths[i];
        width += widths[i];
        single[i] = allocate(sizes[i]);
        outs[i] = allocate(sizes[i]);
        EXPECT(OK, colstore_table_read_column(table, i, 0, n_rows, NULL, single[i], sizes[i], &err));
    }
    EXPECT(OK, colstore_table_read_columns(table, columns, n_columns, 0, n_rows, NULL, outs, sizes, &err));
    char *rows = allocate((size_t)n_rows * width);
    EXPECT(OK,
           colstore_table_read_records(table, columns, n_columns, 0, n_rows, NULL, rows, (size_t)n_rows * width, &err));
    size_t offset = 0;
    for (size_t i = 0; i < n_columns; i++) {
        int alike = memcmp(single[i], outs[i], sizes[i]) == 0;
        for (size_t row = 0; row < (size_t)n_rows; row++) {
            alike = alike && memcmp(rows + row * width + offset, single[i] + row * widths[i], widths[i]) == 0;
        }
        CHECK(alike);
        offset += widths[i];
        free(single[i]);
        free(outs[i]);
    }
    free(columns);
    free(sizes);
    free(widths);
    free(single);
    free(outs);
    free(rows);
    colstore_schema_free(schema);
    colstore_table_free(table);
}

int main(int argc, char **argv)
{
    static const char *const files[] = {
        "all_dtypes_multi.cstore", "all_dtypes_single.cstore", "many_records.cstore",          "many_columns.cstore",
        "strings_multi.cstore",    "empty_table.cstore",       "empty_records_mixed.cstore",   "crashed_create.cstore",
        "datetime_units.cstore",   "unaligned_columns.cstore", "foreign/zero_columns.cstore",  "quirk_zero_width.cstore",
        "foreign/bool_bytes.cstore", "foreign/invalid_ucs4.cstore", "foreign/big_endian_dtypes.cstore",
    };
    NEED_ARGUMENTS(2);
    colstore_table *table = open_or_exit(path_in(GOLDEN, "corrupt/_base.cstore"));
    exact_values(table);
    several_columns(table);
    records(table);
    any_alignment(table);
    wrong_arguments(table);
    colstore_table_free(table);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        all_ways_alike(path_in(GOLDEN, files[i]));
    }
    return check_report();
}
