/* Reads a .cstore file: its columns, a summary of the first numeric ones, and a look at the first values without a copy.
 *
 * From the top of the repository:
 *
 *     cargo build --release -p colstore-ffi
 *     cc examples/c/read.c -Iinclude -Ltarget/release -lcolstore -o read
 *     LD_LIBRARY_PATH=target/release ./read FILE.cstore
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colstore.h"

enum { MAX_SUMMARIES = 4, MAX_SHOWN = 5 };

/* Ends the program with the library's message if a call failed. */
static void check(colstore_status status, colstore_error **err)
{
    if (status != COLSTORE_STATUS_OK) {
        fprintf(stderr, "read: %s: %s\n", colstore_status_name(status), colstore_error_message(*err, NULL));
        colstore_error_free(*err);
        exit(1);
    }
}

/* The value at `bytes` as a double. Values may lie at any address, so they are copied out. */
static double number(const char *bytes, const colstore_dtype *dtype)
{
    union {
        int8_t i1;
        int16_t i2;
        int32_t i4;
        int64_t i8;
        uint8_t u1;
        uint16_t u2;
        uint32_t u4;
        uint64_t u8;
        float f4;
        double f8;
    } value;
    memcpy(&value, bytes, dtype->itemsize);
    switch (dtype->kind << 8 | (int)dtype->itemsize) {
    case 'i' << 8 | 1: return value.i1;
    case 'i' << 8 | 2: return value.i2;
    case 'i' << 8 | 4: return value.i4;
    case 'i' << 8 | 8: return (double)value.i8;
    case 'u' << 8 | 1: return value.u1;
    case 'u' << 8 | 2: return value.u2;
    case 'u' << 8 | 4: return value.u4;
    case 'u' << 8 | 8: return (double)value.u8;
    case 'f' << 8 | 4: return value.f4;
    default: return value.f8;
    }
}

static int is_number(const colstore_dtype *dtype)
{
    return dtype->kind == 'i' || dtype->kind == 'u' ||
           (dtype->kind == 'f' && (dtype->itemsize == 4 || dtype->itemsize == 8));
}

/* Copies a whole column into a buffer of ours, and prints its least, mean and greatest value. */
static void summarize(const colstore_table *table, size_t index, const colstore_column *column, int64_t n_rows)
{
    colstore_error *err = NULL;
    const size_t itemsize = column->dtype.itemsize, size = (size_t)n_rows * itemsize;
    char *values = malloc(size > 0 ? size : 1);
    if (values == NULL) {
        fprintf(stderr, "read: no memory for %zu bytes\n", size);
        exit(1);
    }
    check(colstore_table_read_column(table, index, 0, n_rows, NULL, values, size, &err), &err);

    double min = 0, max = 0, sum = 0;
    int64_t count = 0;
    for (int64_t row = 0; row < n_rows; row++) {
        const double value = number(values + (size_t)row * itemsize, &column->dtype);
        if (value != value) {
            continue; /* NaN */
        }
        min = count == 0 || value < min ? value : min;
        max = count == 0 || value > max ? value : max;
        sum += value;
        count++;
    }
    printf("  %.*s: ", (int)column->name_len, column->name);
    if (count > 0) {
        printf("min %g, mean %g, max %g, ", min, sum / (double)count, max);
    }
    printf("%" PRId64 " values\n", count);
    free(values);
}

/* Prints the first values where they lie in the mapped file. */
static void look(const colstore_table *table, size_t index, const colstore_column *column, int64_t n_rows)
{
    colstore_error *err = NULL;
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    const int64_t shown = n_rows < MAX_SHOWN ? n_rows : MAX_SHOWN;
    const colstore_status status = colstore_table_view_column(table, index, 0, shown, &view, &err);
    if (status == COLSTORE_STATUS_NOT_CONTIGUOUS) {
        printf("  no view: %s\n", colstore_error_message(err, NULL));
        colstore_error_free(err);
        return;
    }
    check(status, &err);
    check(colstore_view_describe(view, &info, &err), &err);
    printf("  %.*s at %p:", (int)column->name_len, column->name, info.data);
    for (int64_t row = 0; row < info.n_rows; row++) {
        printf(" %g", number((const char *)info.data + row * info.stride, &column->dtype));
    }
    printf("\n");
    colstore_view_free(view);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.cstore\n", argv[0]);
        return 2;
    }
    if (colstore_abi_version() != COLSTORE_ABI_VERSION) {
        fprintf(stderr, "read: built for ABI %d, but the library loaded has %" PRIu32 "\n", COLSTORE_ABI_VERSION,
                colstore_abi_version());
        return 1;
    }

    colstore_error *err = NULL;
    colstore_table *table = NULL;
    colstore_schema *schema = NULL;
    size_t n_columns = 0;
    int64_t n_rows = 0;
    check(colstore_table_open(argv[1], strlen(argv[1]), NULL, &table, &err), &err);
    check(colstore_table_schema(table, &schema, &err), &err);
    check(colstore_schema_n_columns(schema, &n_columns, &err), &err);
    check(colstore_table_n_rows(table, &n_rows, &err), &err);

    printf("%s: %" PRId64 " rows, %zu columns (colstore %s)\n", argv[1], n_rows, n_columns, colstore_version());
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        check(colstore_schema_column(schema, i, &column, &err), &err);
        printf("  %.*s %.*s\n", (int)column.name_len, column.name, (int)column.dtype_text_len, column.dtype_text);
    }

    size_t summaries = 0, first = 0;
    printf("the first numeric columns:\n");
    for (size_t i = 0; i < n_columns && summaries < MAX_SUMMARIES; i++) {
        colstore_column column = {.size = sizeof column};
        check(colstore_schema_column(schema, i, &column, &err), &err);
        if (is_number(&column.dtype)) {
            first = summaries++ == 0 ? i : first;
            summarize(table, i, &column, n_rows);
        }
    }
    if (summaries > 0) {
        colstore_column column = {.size = sizeof column};
        check(colstore_schema_column(schema, first, &column, &err), &err);
        printf("without a copy:\n");
        look(table, first, &column, n_rows);
    }

    colstore_schema_free(schema);
    colstore_table_free(table);
    return 0;
}
