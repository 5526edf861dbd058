/* Rows by number without a selection in between: columns and records are those of a selection of the same numbers,
 * values those of plain loops; what is refused. */

#include "dataset.h"

/* Where row numbers are, as the functions take them. */
typedef struct {
    const void *data;
    int32_t type;
    size_t n;
    int64_t stride;
} numbers;

/* Reads by number all columns one by one, at once and as records, and compares with `rows`, the same as a selection. */
static int same_as_selection(const dataset *data, numbers of, const colstore_rows *rows, int32_t max_threads)
{
    const colstore_read_options options = {.size = sizeof options, .max_threads = max_threads};
    const size_t n_columns = data->n_columns;
    size_t *order = allocate(n_columns * sizeof *order), *sizes = allocate(n_columns * sizeof *sizes);
    void **outs = allocate(n_columns * sizeof *outs);
    char **expected = allocate(n_columns * sizeof *expected);
    size_t records_size = 0;
    int right = 1;
    for (size_t k = 0; k < n_columns; k++) {
        const size_t i = order[k] = n_columns - 1 - k, size = sizes[k] = of.n * data->widths[i];
        records_size += size;
        expected[k] = allocate(size);
        outs[k] = allocate(size);
        memset(outs[k], 0x55, size);
        right = right &&
                colstore_table_read_column_at(data->table, i, rows, NULL, expected[k], size, NULL) ==
                    COLSTORE_STATUS_OK &&
                colstore_table_gather_column(data->table, i, of.data, of.type, of.n, of.stride, &options, outs[k], size,
                                             NULL) == COLSTORE_STATUS_OK &&
                memcmp(outs[k], expected[k], size) == 0;
        memset(outs[k], 0x55, size);
    }
    right = right && colstore_table_gather_columns(data->table, order, n_columns, of.data, of.type, of.n, of.stride,
                                                   &options, outs, sizes, NULL) == COLSTORE_STATUS_OK;
    char *records = allocate(records_size), *expected_records = allocate(records_size);
    memset(records, 0x55, records_size);
    right = right &&
            colstore_table_read_records_at(data->table, order, n_columns, rows, NULL, expected_records, records_size,
                                           NULL) == COLSTORE_STATUS_OK &&
            colstore_table_gather_records(data->table, order, n_columns, of.data, of.type, of.n, of.stride, &options,
                                          records, records_size, NULL) == COLSTORE_STATUS_OK &&
            memcmp(records, expected_records, records_size) == 0;
    for (size_t k = 0; k < n_columns; k++) {
        right = right && memcmp(outs[k], expected[k], sizes[k]) == 0;
        free(expected[k]);
        free(outs[k]);
    }
    free(expected_records);
    free(records);
    free(expected);
    free(outs);
    free(sizes);
    free(order);
    return right;
}

/* Whether the first column has the values of the rows that were meant. */
static int values_are_right(const dataset *data, numbers of, const int64_t *expected)
{
    const size_t width = data->widths[0], size = of.n * width;
    char *out = allocate(size);
    int right = colstore_table_gather_column(data->table, 0, of.data, of.type, of.n, of.stride, NULL, out, size, NULL) ==
                COLSTORE_STATUS_OK;
    for (size_t i = 0; right && i < of.n; i++) {
        right = memcmp(out + i * width, data->values[0] + (size_t)expected[i] * width, width) == 0;
    }
    free(out);
    return right;
}

static void check_numbers(const dataset *data, size_t n, pattern kind, int32_t type, int64_t stride)
{
    selection selected = select_indices(data->n_rows, n, kind, type, stride, 1);
    const size_t back = stride < 0 && n > 0 ? (n - 1) * (size_t)-stride : 0;
    const numbers of = {(const char *)selected.memory + back, type, n, stride};
    int right = values_are_right(data, of, selected.expected) &&
                same_as_selection(data, of, selected.rows, 1) && same_as_selection(data, of, selected.rows, 0);
    if (!right) {
        printf("%zu numbers of type %d, %" PRId64 " bytes apart, pattern %d:\n", n, (int)type, stride, (int)kind);
    }
    CHECK(right);
    free_selection(&selected);
}

static void numbers_of_every_type(const dataset *data, size_t n)
{
    static const int64_t widths[] = {0, 1, 2, 4, 8, 1, 2, 4, 8};
    for (int32_t type = COLSTORE_INDEX_TYPE_I8; type <= COLSTORE_INDEX_TYPE_U64; type++) {
        const int64_t width = widths[type], strides[] = {width, 2 * width + 1, -width, -width - 3, 0};
        for (int kind = 0; kind < N_PATTERNS; kind++) {
            check_numbers(data, n, (pattern)kind, type, strides[(kind + type) % 5]);
        }
        check_numbers(data, n, SCATTERED, type, width);
        check_numbers(data, 1, SCATTERED, type, width);
        check_numbers(data, 0, SCATTERED, type, width);
    }
}

static void bad_numbers(const dataset *data)
{
    const int64_t n_rows = data->n_rows, bad[] = {n_rows, -n_rows - 1, INT64_MAX, INT64_MIN};
    int64_t rows[] = {5, 1, -1};
    const int32_t type = COLSTORE_INDEX_TYPE_I64;
    const size_t columns[] = {0}, size = 3 * data->widths[0], short_size = size - 1;
    colstore_table *table = data->table;
    char *out = allocate(size);
    void *const outs[] = {out};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        int64_t row = 0;
        colstore_error *failure = NULL;
        rows[1] = bad[k];
        CHECK(colstore_table_gather_column(table, 0, rows, type, 3, 8, NULL, out, size, &failure) ==
              COLSTORE_STATUS_OUT_OF_BOUNDS);
        CHECK(colstore_error_row(failure, &row) && row == bad[k]);
        CHECK(strstr(colstore_error_message(failure, NULL), "position 1") != NULL);
        colstore_error_free(failure);
        EXPECT(OUT_OF_BOUNDS,
               colstore_table_gather_columns(table, columns, 1, rows, type, 3, 8, NULL, outs, &size, &err));
        EXPECT(OUT_OF_BOUNDS,
               colstore_table_gather_records(table, columns, 1, rows, type, 3, 8, NULL, out, size, &err));
        EXPECT(OUT_OF_BOUNDS, colstore_table_gather_columns(table, NULL, 0, rows, type, 3, 8, NULL, NULL, NULL, &err));
    }
    rows[1] = 1;
    EXPECT(OUT_OF_BOUNDS, colstore_table_gather_column(table, SIZE_MAX, rows, type, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, 0, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, 9, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, type, 3, INT64_MAX, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, type, SIZE_MAX, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, type, 3, 8, NULL, out, size + 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, type, 3, 8, NULL, out, size - 1, &err));
    EXPECT(INVALID_ARGUMENT,
           colstore_table_gather_columns(table, columns, 1, rows, type, 3, 8, NULL, outs, &short_size, &err));
    EXPECT(INVALID_ARGUMENT,
           colstore_table_gather_records(table, columns, 1, rows, type, 3, 8, NULL, out, size - 1, &err));

    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    const colstore_read_options options = {.size = sizeof options, .progress = progress};
    EXPECT(CANCELLED, colstore_table_gather_column(table, 0, rows, type, 3, 8, &options, out, size, &err));
    colstore_progress_free(progress);
    EXPECT(OK, colstore_table_gather_column(table, 0, rows, type, 3, 8, NULL, out, size, &err));
    free(out);
}

/* Of many numbers, the first that is no row is named, wherever it is. */
static void bad_among_many(const dataset *data)
{
    enum { N = 100000 };
    const size_t size = N * data->widths[0], places[] = {0, 4095, 4096, N / 2, N - 1};
    int64_t *rows = allocate(N * sizeof *rows);
    char *out = allocate(size);
    for (int ascending = 0; ascending < 2; ascending++) {
        for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
            for (size_t i = 0; i < N; i++) {
                rows[i] = (int64_t)(ascending ? i * (uint64_t)data->n_rows / N
                                              : scrambled(i, 3, (uint64_t)data->n_rows));
                if (i > places[k] && i % 1000 == 999) {
                    rows[i] = INT64_MAX;
                }
            }
            rows[places[k]] = data->n_rows + 5;
            int64_t row = 0;
            colstore_error *failure = NULL;
            CHECK(colstore_table_gather_column(data->table, 0, rows, COLSTORE_INDEX_TYPE_I64, N, 8, NULL, out, size,
                                               &failure) == COLSTORE_STATUS_OUT_OF_BOUNDS);
            CHECK(colstore_error_row(failure, &row) && row == data->n_rows + 5);
            colstore_error_free(failure);
        }
    }
    free(out);
    free(rows);
}

static void null_arguments(const dataset *data)
{
    const int64_t rows[] = {5, 1, -1};
    const int32_t type = COLSTORE_INDEX_TYPE_I64;
    const size_t columns[] = {0}, size = 3 * data->widths[0];
    colstore_table *table = data->table;
    char *out = allocate(size);
    void *const outs[] = {out}, *const null[] = {NULL};
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(NULL, 0, rows, type, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, NULL, type, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_column(table, 0, rows, type, 3, 8, NULL, NULL, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_columns(NULL, columns, 1, rows, type, 3, 8, NULL, outs, &size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_columns(table, NULL, 1, rows, type, 3, 8, NULL, outs, &size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_columns(table, columns, 1, NULL, type, 3, 8, NULL, outs, &size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_columns(table, columns, 1, rows, type, 3, 8, NULL, NULL, &size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_columns(table, columns, 1, rows, type, 3, 8, NULL, null, &size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_columns(table, columns, 1, rows, type, 3, 8, NULL, outs, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_records(NULL, columns, 1, rows, type, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_records(table, NULL, 1, rows, type, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_records(table, columns, 1, NULL, type, 3, 8, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_gather_records(table, columns, 1, rows, type, 3, 8, NULL, NULL, size, &err));
    /* Nobody wants to know why. */
    CHECK(colstore_table_gather_column(table, 0, NULL, type, 3, 8, NULL, out, size, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_gather_columns(table, columns, 1, NULL, type, 3, 8, NULL, outs, &size, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_table_gather_records(table, columns, 1, NULL, type, 3, 8, NULL, out, size, NULL) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    /* No numbers need no memory. */
    EXPECT(OK, colstore_table_gather_column(table, 0, NULL, type, 0, 8, NULL, NULL, 0, &err));
    free(out);
}

int main(int argc, char **argv)
{
    static const char *const golden[] = {"all_dtypes_multi.cstore", "all_dtypes_single.cstore"};
    NEED_ARGUMENTS(4);
    dataset data = open_dataset(GOLDEN, golden, 2);
    numbers_of_every_type(&data, 40);
    bad_numbers(&data);
    null_arguments(&data);
    close_dataset(&data);

    data = open_dataset(DATASET, parts, N_PARTS);
    numbers_of_every_type(&data, under_valgrind() ? 1500 : 50000);
    bad_among_many(&data);
    close_dataset(&data);

    data = open_dataset(path_in(DATASET, "swapped"), parts, N_PARTS);
    numbers_of_every_type(&data, under_valgrind() ? 150 : 5000);
    close_dataset(&data);
    return check_report();
}
