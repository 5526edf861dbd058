/* Every kind of selection over data sets of several files with several records: its rows, columns and records compared
 * with plain loops; selections of selections; what is refused; borrowed memory that changes. */

#include "dataset.h"

#include <pthread.h>

static int64_t sorted_rows(const int64_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (rows[i] < rows[i - 1]) {
            return 0;
        }
    }
    return 1;
}

/* What the selection says of itself. */
static int describes_itself(const dataset *data, const selection *selected)
{
    colstore_rows_info info = {.size = sizeof info};
    int64_t count = -1;
    const size_t n = selected->n;
    if (colstore_rows_count(selected->rows, &count, NULL) != COLSTORE_STATUS_OK || count != (int64_t)n ||
        colstore_rows_describe(selected->rows, &info, NULL) != COLSTORE_STATUS_OK) {
        return 0;
    }
    int right = info.n_rows == data->n_rows && info.count == count;
    right = right && info.sorted == sorted_rows(selected->expected, n);
    if (info.form == COLSTORE_ROWS_FORM_RANGE) {
        right = right && info.step != 0 && info.first == (n > 0 ? selected->expected[0] : 0);
        return right && (n < 2 ? info.step == 1 : info.first + info.step == selected->expected[1]);
    }
    return right && (info.form == COLSTORE_ROWS_FORM_INDICES || info.form == COLSTORE_ROWS_FORM_MASK) &&
           info.first == 0 && info.step == 0;
}

static int positions_are_right(const selection *selected)
{
    const size_t n = selected->n, from = n / 3, to = n - n / 4;
    int64_t *rows = allocate(n * sizeof *rows);
    int right = colstore_rows_positions(selected->rows, 0, (int64_t)n, rows, n, NULL) == COLSTORE_STATUS_OK &&
                memcmp(rows, selected->expected, n * sizeof *rows) == 0;
    right = right &&
            colstore_rows_positions(selected->rows, (int64_t)from, (int64_t)to, rows, to - from, NULL) ==
                COLSTORE_STATUS_OK &&
            memcmp(rows, selected->expected + from, (to - from) * sizeof *rows) == 0;
    free(rows);
    return right;
}

/* Reads all columns one by one, at once and as records, the last two with the columns in another order. */
static int reads_are_right(const dataset *data, const selection *selected, int32_t max_threads)
{
    const colstore_read_options options = {.size = sizeof options, .max_threads = max_threads};
    const size_t n = selected->n, n_columns = data->n_columns;
    size_t *order = allocate(n_columns * sizeof *order), *sizes = allocate(n_columns * sizeof *sizes);
    char **expected = allocate(n_columns * sizeof *expected);
    void **outs = allocate(n_columns * sizeof *outs);
    size_t record_size = 0;
    int right = 1;
    for (size_t k = 0; k < n_columns; k++) {
        const size_t i = order[k] = n_columns - 1 - k, width = data->widths[i];
        sizes[k] = n * width;
        expected[k] = allocate(sizes[k]);
        outs[k] = allocate(sizes[k]);
        record_size += width;
        for (size_t row = 0; row < n; row++) {
            memcpy(expected[k] + row * width, data->values[i] + (size_t)selected->expected[row] * width, width);
        }
        right = right &&
                colstore_table_read_column_at(data->table, i, selected->rows, &options, outs[k], sizes[k], NULL) ==
                    COLSTORE_STATUS_OK &&
                memcmp(outs[k], expected[k], sizes[k]) == 0;
        memset(outs[k], 0x55, sizes[k]);
    }
    right = right && colstore_table_read_columns_at(data->table, order, n_columns, selected->rows, &options, outs,
                                                    sizes, NULL) == COLSTORE_STATUS_OK;
    char *records = allocate(n * record_size);
    memset(records, 0x55, n * record_size);
    right = right && colstore_table_read_records_at(data->table, order, n_columns, selected->rows, &options, records,
                                                    n * record_size, NULL) == COLSTORE_STATUS_OK;
    size_t offset = 0;
    for (size_t k = 0; k < n_columns; k++) {
        const size_t width = data->widths[order[k]];
        right = right && memcmp(outs[k], expected[k], sizes[k]) == 0;
        for (size_t row = 0; row < n; row++) {
            right = right && memcmp(records + row * record_size + offset, expected[k] + row * width, width) == 0;
        }
        offset += width;
        free(expected[k]);
        free(outs[k]);
    }
    free(records);
    free(outs);
    free(expected);
    free(sizes);
    free(order);
    return right;
}

/* Takes the selection. */
static void check_selection(const dataset *data, selection selected, const char *what)
{
    int right = selected.rows != NULL && describes_itself(data, &selected) && positions_are_right(&selected) &&
                reads_are_right(data, &selected, 1) && reads_are_right(data, &selected, 0);
    if (!right) {
        printf("%s of %" PRId64 " rows, %zu selected:\n", what, data->n_rows, selected.n);
    }
    CHECK(right);
    free_selection(&selected);
}

static void ranges(const dataset *data)
{
    const int64_t n = data->n_rows;
    check_selection(data, select_all(n), "all");
    check_selection(data, select_range(n, 0, n, 1), "a range of all");
    check_selection(data, select_range(n, n - 1, -1, -1), "all, backwards");
    check_selection(data, select_range(n, n - 1, -1, -7), "every seventh, backwards");
    check_selection(data, select_range(n, 0, n, 3), "every third");
    check_selection(data, select_range(n, n / 3, n - n / 4, 1), "a range");
    check_selection(data, select_range(n, n - 2, n / 3, -2), "a range backwards");
    check_selection(data, select_range(n, n / 2, n / 2 + 1, 1), "one row");
    check_selection(data, select_range(n, n - 1, n, 1000000), "the last row");
    check_selection(data, select_range(n, 0, n, n - 1), "the first and the last row");
    check_selection(data, select_range(n, 3, 3, -1), "no row");
    check_selection(data, select_range(n, n + 5, 7, 1), "no row beyond the last");
}

static void index_arrays(const dataset *data, size_t n)
{
    static const int64_t widths[] = {0, 1, 2, 4, 8, 1, 2, 4, 8};
    for (int32_t type = COLSTORE_INDEX_TYPE_I8; type <= COLSTORE_INDEX_TYPE_U64; type++) {
        const int64_t width = widths[type], strides[] = {width, 2 * width + 1, -width, -width - 3, 0};
        for (int kind = 0; kind < N_PATTERNS; kind++) {
            /* Every pattern, stride and kind of memory, though not all together if there is much to do. */
            for (int k = 0; k < 5; k++) {
                for (int borrow = 0; borrow < 2; borrow++) {
                    if (n < 1000 || (kind + k + type) % 5 == (borrow ? 1 : 3)) {
                        check_selection(data, select_indices(data->n_rows, n, (pattern)kind, type, strides[k], borrow),
                                        "indices");
                    }
                }
            }
        }
        check_selection(data, select_indices(data->n_rows, 1, SCATTERED, type, width, 1), "one index");
        check_selection(data, select_indices(data->n_rows, 0, SCATTERED, type, width, 1), "no index");
    }
}

static void masks(const dataset *data)
{
    static const uint64_t among[] = {0, 1, 2, 3, 17, 1000};
    static const int64_t strides[] = {1, 3, -1, -2};
    for (size_t k = 0; k < sizeof among / sizeof among[0]; k++) {
        check_selection(data, select_bits(data->n_rows, among[k]), "bits");
        for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
            check_selection(data, select_mask(data->n_rows, among[k], strides[s]), "a mask");
        }
    }
}

#define N_KINDS 10

/* A selection of each kind among `n` rows. */
static selection of_kind(int kind, int64_t n)
{
    switch (kind) {
    case 0:
        return select_all(n);
    case 1:
        return select_range(n, 1, n, 2);
    case 2:
        return select_range(n, n - 1, -1, -1);
    case 3:
        return select_indices(n, (size_t)n / 2 + 1, SCATTERED, COLSTORE_INDEX_TYPE_I32, 4, 0);
    case 4:
        return select_indices(n, (size_t)n / 2 + 1, SCATTERED, COLSTORE_INDEX_TYPE_U64, -8, 1);
    case 5:
        return select_indices(n, (size_t)n / 3 + 1, ASCENDING, COLSTORE_INDEX_TYPE_I64, 11, 1);
    case 6:
        return select_mask(n, 2, 1);
    case 7:
        return select_bits(n, 3);
    case 8:
        return select_mask(n, 1, 1);
    default:
        return select_range(n, n / 2, n / 2, 1);
    }
}

static void selections_of_selections(const dataset *data, int deeper)
{
    for (int outer = 0; outer < N_KINDS; outer++) {
        for (int inner = 0; inner < N_KINDS; inner++) {
            selection first = of_kind(outer, data->n_rows);
            if (first.n == 0 && inner >= 3 && inner <= 5) {
                free_selection(&first); /* there is no index among no rows */
                continue;
            }
            const int64_t among = (int64_t)first.n;
            selection second = select_of(first, of_kind(inner, among));
            if (deeper && second.n > 2) {
                const int64_t of_these = (int64_t)second.n;
                second = select_of(second, of_kind((outer + inner) % 9, of_these));
            }
            check_selection(data, second, "a selection of a selection");
        }
    }
}

/* The files hold what the driver of the tests has put there. */
static void values_are_as_written(const dataset *data)
{
    CHECK(data->n_rows == DATASET_ROWS && data->n_columns == 6);
    int right = 1;
    for (int64_t row = 0; row < data->n_rows; row++) {
        const double half = (double)row * 0.5;
        const uint32_t c = (uint32_t)row * 2654435761u;
        right = right && memcmp(data->values[0] + row * 8, &row, 8) == 0 &&
                memcmp(data->values[1] + row * 8, &half, 8) == 0 && memcmp(data->values[2] + row * 4, &c, 4) == 0;
    }
    CHECK(right);
}

/* Expects that indices fail, with the row and the position in the message. */
static void expect_bad_index(int32_t type, const void *data, int64_t stride, const char *value, int64_t row)
{
    colstore_error *err = NULL;
    colstore_rows *rows = NULL;
    int64_t found = 0;
    for (int borrow = 0; borrow < 2; borrow++) {
        CHECK(colstore_rows_indices(100, data, type, 3, stride, borrow, &rows, &err) ==
              COLSTORE_STATUS_OUT_OF_BOUNDS);
        const char *message = colstore_error_message(err, NULL);
        CHECK(rows == NULL && strstr(message, value) != NULL && strstr(message, "position 2") != NULL);
        CHECK(strstr(message, "100 rows") != NULL);
        CHECK(colstore_error_row(err, &found) && found == row);
        colstore_error_free(err);
    }
}

static void bad_indices(void)
{
    static const int8_t i8[] = {99, -100, -101}, i8_above[] = {1, 2, 100};
    static const int16_t i16[] = {1, 2, INT16_MIN};
    static const int32_t i32[] = {1, 2, INT32_MAX};
    static const int64_t i64[] = {1, 2, INT64_MIN}, i64_above[] = {99, -100, INT64_MAX};
    static const uint8_t u8[] = {1, 2, 255};
    static const uint16_t u16[] = {1, 2, 100};
    static const uint32_t u32[] = {99, 0, UINT32_MAX};
    static const uint64_t u64[] = {1, 2, UINT64_MAX};
    expect_bad_index(COLSTORE_INDEX_TYPE_I8, i8, 1, "-101", -101);
    expect_bad_index(COLSTORE_INDEX_TYPE_I8, i8_above, 1, "100", 100);
    expect_bad_index(COLSTORE_INDEX_TYPE_I16, i16, 2, "-32768", INT16_MIN);
    expect_bad_index(COLSTORE_INDEX_TYPE_I32, i32, 4, "2147483647", INT32_MAX);
    expect_bad_index(COLSTORE_INDEX_TYPE_I64, i64, 8, "-9223372036854775808", INT64_MIN);
    expect_bad_index(COLSTORE_INDEX_TYPE_I64, i64_above, 8, "9223372036854775807", INT64_MAX);
    expect_bad_index(COLSTORE_INDEX_TYPE_U8, u8, 1, "255", 255);
    expect_bad_index(COLSTORE_INDEX_TYPE_U16, u16, 2, "100", 100);
    expect_bad_index(COLSTORE_INDEX_TYPE_U32, u32, 4, "4294967295", UINT32_MAX);
    expect_bad_index(COLSTORE_INDEX_TYPE_U64, u64, 8, "18446744073709551615", INT64_MAX);

    colstore_rows *rows = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(100, u8, 0, 3, 1, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(100, u8, 9, 3, 1, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(100, u8, -1, 3, 1, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(-1, u8, COLSTORE_INDEX_TYPE_U8, 3, 1, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(100, u8, COLSTORE_INDEX_TYPE_U8, SIZE_MAX, 1, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(100, u8, COLSTORE_INDEX_TYPE_U8, 3, INT64_MAX, 0, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_indices(100, u8, COLSTORE_INDEX_TYPE_U8, 3, INT64_MIN, 0, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_indices(0, u8, COLSTORE_INDEX_TYPE_U8, 3, 1, 0, &rows, &err));
    CHECK(rows == NULL);
}

static void bad_ranges_and_masks(void)
{
    static const uint8_t bytes[16] = {1, 0, 1};
    colstore_rows *rows = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_rows_all(-1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_all(INT64_MIN, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_range(-1, 0, 0, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_range(10, 0, 10, 0, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, 0, 11, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, -1, 5, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, 10, 5, -1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, 5, -2, -1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, INT64_MIN, INT64_MAX, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, INT64_MAX, INT64_MIN, -1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_range(10, 9, INT64_MIN, INT64_MIN + 1, &rows, &err));

    EXPECT(INVALID_ARGUMENT, colstore_rows_mask(-3, bytes, 3, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_mask(3, bytes, 2, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_mask(3, bytes, 4, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_mask(3, NULL, 0, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask(3, bytes, 3, INT64_MAX, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask(INT64_MAX, bytes, SIZE_MAX, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask_bits(-3, bytes, 1, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_mask_bits(3, bytes, 0, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_mask_bits(3, bytes, 2, &rows, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_mask_bits(9, bytes, 1, &rows, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_mask_bits(3, bytes, SIZE_MAX, &rows, &err));
    CHECK(rows == NULL);
    colstore_error *err = NULL;
    CHECK(colstore_rows_mask(3, bytes, 2, 1, &rows, &err) == COLSTORE_STATUS_OUT_OF_BOUNDS);
    CHECK(strstr(colstore_error_message(err, NULL), "mask length") != NULL);
    colstore_error_free(err);

    /* No rows are fine. */
    int64_t count = -1;
    EXPECT(OK, colstore_rows_mask(0, NULL, 0, 1, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == 0);
    colstore_rows_free(rows);
    EXPECT(OK, colstore_rows_mask_bits(0, NULL, 0, &rows, &err));
    colstore_rows_free(rows);
    EXPECT(OK, colstore_rows_indices(0, NULL, COLSTORE_INDEX_TYPE_I64, 0, 8, 1, &rows, &err));
    colstore_rows_free(rows);
    /* A selection of more rows than memory has needs no memory. */
    EXPECT(OK, colstore_rows_range(INT64_MAX, INT64_MAX - 1, -1, -1, &rows, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == INT64_MAX);
    int64_t found[2];
    EXPECT(OK, colstore_rows_positions(rows, INT64_MAX - 2, INT64_MAX, found, 2, &err));
    CHECK(found[0] == 1 && found[1] == 0);
    colstore_rows_free(rows);
    /* As many numbers as nobody has room for, all of them the same one. */
    rows = NULL;
    static const uint8_t zero[1];
    EXPECT(OUT_OF_MEMORY, colstore_rows_mask(INT64_MAX, zero, (size_t)INT64_MAX, 0, &rows, &err));
    CHECK(rows == NULL);
}

static void bad_uses(const dataset *data)
{
    const int64_t n = data->n_rows;
    const size_t columns[] = {0}, width = data->widths[0];
    colstore_rows *rows = NULL, *others = NULL, *made = NULL;
    colstore_view *view = NULL;
    int64_t found[4] = {7, 7, 7, 7};
    char out[64];
    void *const outs[] = {out};
    const size_t size = 3 * width, short_size = size - 1;
    EXPECT(OK, colstore_rows_range(n, 1, 4, 1, &rows, &err));
    EXPECT(OK, colstore_rows_range(n - 1, 1, 4, 1, &others, &err));
    memset(out, 77, sizeof out);
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column_at(data->table, 0, others, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_columns_at(data->table, columns, 1, others, NULL, outs, &size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records_at(data->table, columns, 1, others, NULL, out, size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_view_column_at(data->table, 0, others, &view, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column_at(data->table, 0, rows, NULL, out, size - 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column_at(data->table, 0, rows, NULL, out, size + 1, &err));
    EXPECT(INVALID_ARGUMENT,
           colstore_table_read_columns_at(data->table, columns, 1, rows, NULL, outs, &short_size, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_read_records_at(data->table, columns, 1, rows, NULL, out, size - 1, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column_at(data->table, SIZE_MAX, rows, NULL, out, size, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_view_column_at(data->table, SIZE_MAX, rows, &view, &err));
    CHECK(view == NULL);
    int untouched = 1;
    for (size_t i = 0; i < sizeof out; i++) {
        untouched = untouched && out[i] == 77;
    }
    CHECK(untouched);

    EXPECT(INVALID_ARGUMENT, colstore_rows_select(rows, rows, &made, &err));
    CHECK(made == NULL);
    EXPECT(OUT_OF_BOUNDS, colstore_rows_positions(rows, -1, 2, found, 3, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_positions(rows, 2, 1, found, 1, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_positions(rows, 0, 4, found, 4, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_rows_positions(rows, 0, INT64_MAX, found, 4, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_positions(rows, 0, 3, found, 4, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_positions(rows, 0, 3, found, 2, &err));
    EXPECT(INVALID_ARGUMENT, colstore_rows_positions(rows, 0, 3, found, SIZE_MAX, &err));
    EXPECT(OK, colstore_rows_positions(rows, 3, 3, NULL, 0, &err));
    CHECK(found[0] == 7 && found[3] == 7);

    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    const colstore_read_options options = {.size = sizeof options, .progress = progress};
    EXPECT(CANCELLED, colstore_table_read_column_at(data->table, 0, rows, &options, out, size, &err));
    colstore_progress_free(progress);
    colstore_rows_free(rows);
    colstore_rows_free(others);
}

/* What was borrowed may change: other rows are selected, or it is an error. */
static void borrowed_memory_changes(const dataset *data)
{
    const int64_t n = data->n_rows;
    int64_t indices[] = {5, 1, 5, n - 1}, found[4];
    const int64_t bad[] = {n, -n - 1, INT64_MAX, INT64_MIN};
    const size_t columns[] = {0}, width = data->widths[0], size = 4 * width;
    char *out = allocate(size);
    void *const outs[] = {out};
    colstore_rows *rows = NULL, *copied = NULL, *reversed = NULL, *made = NULL, *again = NULL;
    EXPECT(OK, colstore_rows_indices(n, indices, COLSTORE_INDEX_TYPE_I64, 4, 8, 1, &rows, &err));
    EXPECT(OK, colstore_rows_indices(n, indices, COLSTORE_INDEX_TYPE_I64, 4, 8, 0, &copied, &err));
    EXPECT(OK, colstore_rows_range(4, 3, -1, -1, &reversed, &err));
    EXPECT(OK, colstore_rows_select(rows, reversed, &again, &err));

    indices[1] = -2;
    EXPECT(OK, colstore_table_read_column_at(data->table, 0, rows, NULL, out, size, &err));
    CHECK(memcmp(out + width, data->values[0] + (size_t)(n - 2) * width, width) == 0);
    EXPECT(OK, colstore_rows_positions(rows, 0, 4, found, 4, &err));
    CHECK(found[0] == 5 && found[1] == n - 2);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        int64_t row = 0;
        colstore_error *failure = NULL;
        indices[2] = bad[k];
        CHECK(colstore_table_read_column_at(data->table, 0, rows, NULL, out, size, &failure) ==
              COLSTORE_STATUS_OUT_OF_BOUNDS);
        CHECK(colstore_error_row(failure, &row) && row == bad[k]);
        colstore_error_free(failure);
        EXPECT(OUT_OF_BOUNDS, colstore_table_read_columns_at(data->table, columns, 1, rows, NULL, outs, &size, &err));
        EXPECT(OUT_OF_BOUNDS, colstore_table_read_records_at(data->table, columns, 1, rows, NULL, out, size, &err));
        EXPECT(OUT_OF_BOUNDS, colstore_rows_positions(rows, 0, 4, found, 4, &err));
        made = NULL;
        EXPECT(OUT_OF_BOUNDS, colstore_rows_select(rows, reversed, &made, &err));
        CHECK(made == NULL);
    }
    /* Copies have nothing to do with it. */
    for (int k = 0; k < 2; k++) {
        colstore_rows *kept = k == 0 ? copied : again;
        const int64_t expected[2][4] = {{5, 1, 5, n - 1}, {n - 1, 5, 1, 5}};
        EXPECT(OK, colstore_rows_positions(kept, 0, 4, found, 4, &err));
        CHECK(memcmp(found, expected[k], sizeof found) == 0);
        EXPECT(OK, colstore_table_read_column_at(data->table, 0, kept, NULL, out, size, &err));
    }
    colstore_rows_free(rows);
    colstore_rows_free(copied);
    colstore_rows_free(reversed);
    colstore_rows_free(again);
    free(out);
}

typedef struct {
    volatile int64_t *indices;
    size_t n;
    int64_t n_rows;
    volatile int *stop;
} changer;

static void *change(void *argument)
{
    const changer *self = argument;
    for (uint64_t i = 0; !*self->stop; i++) {
        /* Now a row, now none. */
        self->indices[scrambled(i, 1, self->n)] = (int64_t)scrambled(i, 2, (uint64_t)self->n_rows) - (i % 5 == 0) * self->n_rows * 3;
        if (i % 3 == 0) {
            self->indices[scrambled(i, 1, self->n)] = 0;
        }
    }
    return NULL;
}

/* Another thread changes what was borrowed while it is read: that is against nobody's rules but good sense. */
static void borrowed_memory_changes_meanwhile(const dataset *data)
{
    const size_t n = under_valgrind() ? 5000 : 100000, width = data->widths[0], size = n * width;
    const int repeats = under_valgrind() ? 5 : 100;
    selection selected = select_indices(data->n_rows, n, SCATTERED, COLSTORE_INDEX_TYPE_I64, 8, 1);
    volatile int stop = 0;
    changer other = {selected.memory, n, data->n_rows, &stop};
    pthread_t thread;
    char *out = allocate(size);
    int read = 0, refused = 0;
    CHECK(pthread_create(&thread, NULL, change, &other) == 0);
    for (int i = 0; i < repeats; i++) {
        colstore_status status = colstore_table_read_column_at(data->table, 0, selected.rows, NULL, out, size, NULL);
        read += status == COLSTORE_STATUS_OK;
        refused += status == COLSTORE_STATUS_OUT_OF_BOUNDS;
    }
    stop = 1;
    pthread_join(thread, NULL);
    CHECK(read + refused == repeats);
    free(out);
    free_selection(&selected);
}

int main(int argc, char **argv)
{
    static const char *const golden[] = {"all_dtypes_multi.cstore", "all_dtypes_single.cstore",
                                         "all_dtypes_multi.cstore"};
    static const char *const ragged[] = {"many_records.cstore", "many_records.cstore"};
    NEED_ARGUMENTS(4);
    dataset data = open_dataset(GOLDEN, golden, 3);
    ranges(&data);
    index_arrays(&data, 40);
    masks(&data);
    selections_of_selections(&data, 0);
    selections_of_selections(&data, 1);
    bad_uses(&data);
    borrowed_memory_changes(&data);
    close_dataset(&data);

    data = open_dataset(GOLDEN, ragged, 2);
    ranges(&data);
    masks(&data);
    selections_of_selections(&data, 1);
    close_dataset(&data);

    data = open_dataset(DATASET, parts, N_PARTS);
    values_are_as_written(&data);
    ranges(&data);
    index_arrays(&data, under_valgrind() ? 1500 : 100000);
    masks(&data);
    if (!under_valgrind()) {
        selections_of_selections(&data, 1);
    }
    borrowed_memory_changes(&data);
    borrowed_memory_changes_meanwhile(&data);
    close_dataset(&data);

    data = open_dataset(path_in(DATASET, "swapped"), parts, N_PARTS);
    values_are_as_written(&data);
    ranges(&data);
    index_arrays(&data, under_valgrind() ? 1500 : 100000);
    masks(&data);
    close_dataset(&data);

    bad_indices();
    bad_ranges_and_masks();
    colstore_rows_free(NULL);
    return check_report();
}
