/* Reductions of every type of column, compared with plain loops: all rows and selections, one file and many, any number
 * of threads; what has no value, and what is refused. */

#include "dataset.h"

#include <math.h>

static colstore_scalar reduce(
    const colstore_table *table, size_t column, const colstore_rows *rows, int32_t reduction, double ddof, int32_t threads)
{
    const colstore_read_options options = {.size = sizeof options, .max_threads = threads};
    colstore_scalar scalar = {.size = sizeof scalar};
    EXPECT(OK, colstore_table_reduce(table, column, rows, reduction, ddof, &options, &scalar, &err));
    CHECK(scalar.size == sizeof scalar && scalar.reserved == 0);
    return scalar;
}

/* The value of an integer, a time or a boolean; a float of 4 or 8 bytes goes to *real. */
static int64_t value_of(const colstore_dtype *dtype, const char *at, double *real)
{
    uint64_t bits = 0;
    float single = 0;
    memcpy(&bits, at, dtype->itemsize <= 8 ? dtype->itemsize : 8);
    if (dtype->kind == 'f') {
        if (dtype->itemsize == 4) {
            memcpy(&single, at, 4);
            *real = (double)single;
        } else {
            memcpy(real, at, 8);
        }
        return 0;
    }
    if (dtype->kind == 'b') {
        return bits != 0;
    }
    if (dtype->kind != 'u' && dtype->itemsize < 8) {
        const unsigned shift = 64 - 8 * (unsigned)dtype->itemsize;
        return (int64_t)(bits << shift) >> shift;
    }
    return (int64_t)bits;
}

/* `scale` is the size of what was added up, some of which may have cancelled out. */
static int close_to(double found, double expected, double scale)
{
    return isnan(expected) ? isnan(found) : found == expected || fabs(found - expected) <= 1e-12 * scale;
}

/* One column and one selection (all rows for NULL), with sums, extremes and moments. */
static void check_column(const dataset *data, size_t column, const colstore_dtype *dtype, const selection *selected)
{
    const colstore_rows *rows = selected != NULL ? selected->rows : NULL;
    const size_t n = selected != NULL ? selected->n : (size_t)data->n_rows;
    const int is_time = dtype->kind == 'M' || dtype->kind == 'm';
    uint64_t sum = 0;
    int64_t least = 0, greatest = 0;
    double real = 0, real_sum = 0, scale = 0, real_least = 0, real_greatest = 0, squares = 0;
    int not_a_time = 0, not_a_number = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t row = selected != NULL ? (size_t)selected->expected[i] : i;
        const int64_t value = value_of(dtype, data->values[column] + row * dtype->itemsize, &real);
        const int less = dtype->kind == 'u' ? (uint64_t)value < (uint64_t)least : value < least;
        const int more = dtype->kind == 'u' ? (uint64_t)value > (uint64_t)greatest : value > greatest;
        sum += (uint64_t)value;
        least = i == 0 || less ? value : least;
        greatest = i == 0 || more ? value : greatest;
        not_a_time = not_a_time || value == INT64_MIN;
        if (dtype->kind != 'f') {
            real = dtype->kind == 'u' ? (double)(uint64_t)value : (double)value;
        }
        not_a_number = not_a_number || isnan(real);
        real_sum += real;
        scale += fabs(real);
        real_least = i == 0 || real < real_least ? real : real_least;
        real_greatest = i == 0 || real > real_greatest ? real : real_greatest;
    }
    const double mean = real_sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t row = selected != NULL ? (size_t)selected->expected[i] : i;
        const int64_t value = value_of(dtype, data->values[column] + row * dtype->itemsize, &real);
        if (dtype->kind != 'f') {
            real = dtype->kind == 'u' ? (double)(uint64_t)value : (double)value;
        }
        squares += (real - mean) * (real - mean);
    }

    const colstore_scalar found_least = reduce(data->table, column, rows, COLSTORE_REDUCTION_MIN, 0, 0);
    const colstore_scalar found_greatest = reduce(data->table, column, rows, COLSTORE_REDUCTION_MAX, 0, 0);
    if (n == 0) {
        CHECK(found_least.kind == 0 && found_greatest.kind == 0);
    } else {
        CHECK(found_least.kind == dtype->kind && found_greatest.kind == dtype->kind);
    }
    if (n > 0 && is_time && not_a_time) {
        CHECK(found_least.int_value == INT64_MIN && found_greatest.int_value == INT64_MIN);
    } else if (n > 0 && dtype->kind == 'f') {
        CHECK(not_a_number ? isnan(found_least.float_value) : found_least.float_value == real_least);
        CHECK(not_a_number ? isnan(found_greatest.float_value) : found_greatest.float_value == real_greatest);
    } else if (n > 0 && (dtype->kind == 'u' || dtype->kind == 'b')) {
        CHECK(found_least.uint_value == (uint64_t)least && found_greatest.uint_value == (uint64_t)greatest);
    } else if (n > 0) {
        CHECK(found_least.int_value == least && found_greatest.int_value == greatest);
    }
    if (is_time) {
        colstore_scalar none = {.size = sizeof none, .kind = 77};
        for (int32_t reduction = 1; reduction <= 6; reduction++) {
            if (reduction != COLSTORE_REDUCTION_MIN && reduction != COLSTORE_REDUCTION_MAX) {
                EXPECT(UNSUPPORTED_TYPE,
                       colstore_table_reduce(data->table, column, rows, reduction, 0, NULL, &none, &err));
            }
        }
        CHECK(none.kind == 77);
        return;
    }

    const colstore_scalar found_sum = reduce(data->table, column, rows, COLSTORE_REDUCTION_SUM, 0, 0);
    CHECK(found_sum.kind == (dtype->kind == 'b' ? 'i' : dtype->kind));
    CHECK(dtype->kind == 'f'   ? close_to(found_sum.float_value, real_sum, scale)
          : dtype->kind == 'u' ? found_sum.uint_value == sum
                               : found_sum.int_value == (int64_t)sum);
    const colstore_scalar found_mean = reduce(data->table, column, rows, COLSTORE_REDUCTION_MEAN, 0, 0);
    CHECK(n == 0 ? found_mean.kind == 0 : found_mean.kind == 'f' && close_to(found_mean.float_value, mean, scale));
    for (int ddof = 0; ddof < 2; ddof++) {
        const double expected = (double)n > ddof ? squares / ((double)n - ddof) : NAN;
        const colstore_scalar var = reduce(data->table, column, rows, COLSTORE_REDUCTION_VAR, ddof, 0);
        const colstore_scalar std = reduce(data->table, column, rows, COLSTORE_REDUCTION_STD, ddof, 0);
        CHECK(var.kind == 'f' && close_to(var.float_value, expected, expected));
        CHECK(std.kind == 'f' && close_to(std.float_value, sqrt(expected), sqrt(expected)));
    }

    /* The number of threads changes no bit. */
    for (int32_t reduction = 1; reduction <= 6; reduction++) {
        const colstore_scalar expected = reduce(data->table, column, rows, reduction, 1, 1);
        for (int32_t threads = 0; threads <= 4; threads += 2) {
            const colstore_scalar found = reduce(data->table, column, rows, reduction, 1, threads);
            CHECK(memcmp(&found, &expected, sizeof found) == 0);
        }
    }
}

/* Every column with every kind of selection. */
static void check_dataset(const dataset *data)
{
    colstore_schema *schema = NULL;
    const int64_t n = data->n_rows;
    EXPECT(OK, colstore_table_schema(data->table, &schema, &err));
    for (size_t i = 0; i < data->n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        colstore_scalar scalar = {.size = sizeof scalar, .kind = 77};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        const int32_t kind = column.dtype.kind;
        if (kind == 'S' || kind == 'U' || (kind == 'f' && column.dtype.itemsize == 16)) {
            for (int32_t reduction = 1; reduction <= 6; reduction++) {
                EXPECT(UNSUPPORTED_TYPE,
                       colstore_table_reduce(data->table, i, NULL, reduction, 0, NULL, &scalar, &err));
            }
            CHECK(scalar.kind == 77);
            continue;
        }
        if (kind == 'f' && column.dtype.itemsize == 2) {
            CHECK(reduce(data->table, i, NULL, COLSTORE_REDUCTION_SUM, 0, 0).kind == 'f');
            CHECK(reduce(data->table, i, NULL, COLSTORE_REDUCTION_MAX, 0, 0).kind == 'f');
            continue; /* C has no type for it */
        }
        selection selections[] = {
            select_all(n),
            select_range(n, n - 1, -1, -3),
            select_range(n, 2, 2, 1),
            select_range(n, 2, 3, 1),
            select_indices(n, (size_t)n / 2 + 1, SCATTERED, COLSTORE_INDEX_TYPE_I64, 8, 1),
            select_indices(n, (size_t)n / 3 + 1, ASCENDING, COLSTORE_INDEX_TYPE_U32, 4, 0),
            select_mask(n, 3, 1),
            select_bits(n, 20),
        };
        check_column(data, i, &column.dtype, NULL);
        for (size_t k = 0; k < sizeof selections / sizeof selections[0]; k++) {
            check_column(data, i, &column.dtype, &selections[k]);
            free_selection(&selections[k]);
        }
    }
    colstore_schema_free(schema);
}

/* Neither files nor records nor the order of bytes change a bit of a result. */
static void layouts_are_alike(const dataset *data, const dataset *swapped, const char *path)
{
    const colstore_column_data columns[] = {column_of("id", "<i8", data->values[0], data->n_rows, 8),
                                            column_of("x", "<f8", data->values[1], data->n_rows, 8),
                                            column_of("c", "<i4", data->values[2], data->n_rows, 4)};
    store_or_exit(path, columns, 3);
    colstore_table *one = open_or_exit(path);
    selection selected = select_indices(data->n_rows, 50000, SCATTERED, COLSTORE_INDEX_TYPE_I64, 8, 1);
    for (size_t i = 0; i < 3; i++) {
        for (int32_t reduction = 1; reduction <= 6; reduction++) {
            for (int all = 0; all < 2; all++) {
                const colstore_rows *rows = all ? NULL : selected.rows;
                const colstore_scalar expected = reduce(data->table, i, rows, reduction, 1, 0);
                const colstore_scalar other = reduce(swapped->table, i, rows, reduction, 1, 0);
                const colstore_scalar another = reduce(one, i, rows, reduction, 1, 0);
                CHECK(memcmp(&expected, &other, sizeof other) == 0);
                CHECK(memcmp(&expected, &another, sizeof another) == 0);
            }
        }
    }
    free_selection(&selected);
    colstore_table_free(one);
}

static void refusals(const colstore_table *table)
{
    colstore_scalar scalar = {.size = sizeof scalar, .kind = 77};
    colstore_rows *others = NULL;
    colstore_progress *progress = NULL;
    const int32_t sum = COLSTORE_REDUCTION_SUM;
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(NULL, 0, NULL, sum, 0, NULL, &scalar, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(table, 0, NULL, sum, 0, NULL, NULL, &err));
    CHECK(colstore_table_reduce(table, 0, NULL, sum, 0, NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(table, 0, NULL, 0, 0, NULL, &scalar, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(table, 0, NULL, 7, 0, NULL, &scalar, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(table, 0, NULL, -1, 0, NULL, &scalar, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_reduce(table, 2, NULL, sum, 0, NULL, &scalar, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_reduce(table, SIZE_MAX, NULL, sum, 0, NULL, &scalar, &err));
    EXPECT(OK, colstore_rows_all(4, &others, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(table, 0, others, sum, 0, NULL, &scalar, &err));
    colstore_rows_free(others);
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    const colstore_read_options options = {.size = sizeof options, .progress = progress};
    EXPECT(CANCELLED, colstore_table_reduce(table, 0, NULL, sum, 0, &options, &scalar, &err));
    colstore_progress_free(progress);
    const colstore_read_options negative = {.size = sizeof negative, .max_threads = -1};
    EXPECT(INVALID_ARGUMENT, colstore_table_reduce(table, 0, NULL, sum, 0, &negative, &scalar, &err));

    /* Borrowed rows that are rows no more. */
    int64_t indices[] = {4, 0, 1, 1};
    EXPECT(OK, colstore_rows_indices(5, indices, COLSTORE_INDEX_TYPE_I64, 4, 8, 1, &others, &err));
    indices[2] = 5;
    EXPECT(OUT_OF_BOUNDS, colstore_table_reduce(table, 0, others, sum, 0, NULL, &scalar, &err));
    CHECK(scalar.kind == 77);
    indices[2] = -5;
    EXPECT(OK, colstore_table_reduce(table, 0, others, sum, 0, NULL, &scalar, &err));
    CHECK(scalar.kind == 'i' && scalar.int_value == 50 + 10 + 10 - 20);
    colstore_rows_free(others);
}

int main(int argc, char **argv)
{
    static const char *const golden[] = {"all_dtypes_multi.cstore", "all_dtypes_single.cstore"};
    static const char *const times[] = {"datetime_units.cstore"}, *const spans[] = {"timedelta_units.cstore"};
    static const char *const floats[] = {"floats_special.cstore"}, *const ragged[] = {"many_records.cstore"};
    NEED_ARGUMENTS(4);
    const struct {
        const char *const *names;
        size_t n;
    } sets[] = {{golden, 2}, {times, 1}, {spans, 1}, {floats, 1}, {ragged, 1}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        dataset data = open_dataset(GOLDEN, sets[i].names, sets[i].n);
        check_dataset(&data);
        close_dataset(&data);
    }
    dataset data = open_dataset(DATASET, parts, N_PARTS);
    dataset swapped = open_dataset(path_in(DATASET, "swapped"), parts, N_PARTS);
    if (!under_valgrind()) {
        check_dataset(&data);
    }
    layouts_are_alike(&data, &swapped, path_in(SCRATCH, "one.cstore"));
    close_dataset(&data);
    close_dataset(&swapped);

    colstore_table *table = open_or_exit(path_in(GOLDEN, "corrupt/_base.cstore"));
    refusals(table);
    colstore_table_free(table);
    return check_report();
}
