/* Tables of many files with their values beside them, and selections with the rows that they must select: both made by
 * plain loops, for the library to be compared with. */

#ifndef DATASET_H
#define DATASET_H

#include "check.h"

/* The files that the driver of the tests has written (argv[4], and `swapped` in it for big-endian ones): 80,000 rows in
 * records of many sizes, with columns id (the number of the row), x (half of it), c (it times 2654435761), s, b, u. */
#define DATASET (argv[4])
#define N_PARTS 5
#define DATASET_ROWS 80000

static const char *const parts[N_PARTS] = {
    "part_1.cstore", "part_2.cstore", "part_3.cstore", "part_10.cstore", "part_11.cstore"};

typedef struct {
    colstore_table *table;
    int64_t n_rows;
    size_t n_columns;
    size_t *widths;
    char **values; /* of each column, file after file */
} dataset;

UNUSED_FUNCTION int64_t n_rows_of(const colstore_table *table)
{
    colstore_error *err = NULL;
    int64_t n_rows = 0;
    require(colstore_table_n_rows(table, &n_rows, &err), &err, "the number of rows");
    return n_rows;
}

UNUSED_FUNCTION size_t n_columns_of(const colstore_table *table)
{
    colstore_error *err = NULL;
    colstore_schema *schema = NULL;
    size_t n_columns = 0;
    require(colstore_table_schema(table, &schema, &err), &err, "the schema");
    require(colstore_schema_n_columns(schema, &n_columns, &err), &err, "the number of columns");
    colstore_schema_free(schema);
    return n_columns;
}

UNUSED_FUNCTION size_t width_of(const colstore_table *table, size_t index)
{
    colstore_error *err = NULL;
    colstore_schema *schema = NULL;
    colstore_column column = {.size = sizeof column};
    require(colstore_table_schema(table, &schema, &err), &err, "the schema");
    require(colstore_schema_column(schema, index, &column, &err), &err, "a column");
    colstore_schema_free(schema);
    return column.dtype.itemsize;
}

/* Opens the files and puts them end to end. The files on their own are gone afterwards. */
UNUSED_FUNCTION dataset open_dataset(const char *directory, const char *const *names, size_t n_files)
{
    colstore_error *err = NULL;
    colstore_table *tables[16];
    dataset data = {0};
    for (size_t file = 0; file < n_files; file++) {
        tables[file] = open_or_exit(path_in(directory, names[file]));
        data.n_rows += n_rows_of(tables[file]);
    }
    data.n_columns = n_columns_of(tables[0]);
    data.widths = allocate(data.n_columns * sizeof *data.widths);
    data.values = allocate(data.n_columns * sizeof *data.values);
    for (size_t i = 0; i < data.n_columns; i++) {
        size_t width = data.widths[i] = width_of(tables[0], i), offset = 0;
        data.values[i] = allocate((size_t)data.n_rows * width);
        for (size_t file = 0; file < n_files; file++) {
            int64_t n_rows = n_rows_of(tables[file]);
            size_t size = (size_t)n_rows * width;
            require(colstore_table_read_column(tables[file], i, 0, n_rows, NULL, data.values[i] + offset, size, &err),
                    &err, "a column of a file");
            offset += size;
        }
    }
    require(colstore_table_concat((const colstore_table *const *)tables, n_files, COLSTORE_ON_MISMATCH_STRICT,
                                  &data.table, NULL, &err),
            &err, "concat");
    for (size_t file = 0; file < n_files; file++) {
        colstore_table_free(tables[file]);
    }
    return data;
}

UNUSED_FUNCTION void close_dataset(dataset *data)
{
    for (size_t i = 0; i < data->n_columns; i++) {
        free(data->values[i]);
    }
    free(data->values);
    free(data->widths);
    colstore_table_free(data->table);
}

/* A selection, and the rows it must select. */
typedef struct {
    colstore_rows *rows;
    int64_t *expected;
    size_t n;
    void *memory; /* what the selection may have borrowed, or NULL */
} selection;

UNUSED_FUNCTION void free_selection(selection *selected)
{
    colstore_rows_free(selected->rows);
    free(selected->expected);
    free(selected->memory);
}

/* A number below `limit` that only `i` and `seed` decide. */
UNUSED_FUNCTION uint64_t scrambled(uint64_t i, uint64_t seed, uint64_t limit)
{
    uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15) + seed * UINT64_C(0xD1B54A32D192ED03);
    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 32;
    return x % limit;
}

UNUSED_FUNCTION selection select_all(int64_t n_rows)
{
    selection made = {.n = (size_t)n_rows};
    made.expected = allocate(made.n * sizeof *made.expected);
    for (int64_t row = 0; row < n_rows; row++) {
        made.expected[row] = row;
    }
    EXPECT(OK, colstore_rows_all(n_rows, &made.rows, &err));
    return made;
}

UNUSED_FUNCTION selection select_range(int64_t n_rows, int64_t start, int64_t stop, int64_t step)
{
    selection made = {0};
    made.expected = allocate((size_t)n_rows * sizeof *made.expected);
    for (int64_t row = start; step > 0 ? row < stop : row > stop; row += step) {
        made.expected[made.n++] = row;
    }
    EXPECT(OK, colstore_rows_range(n_rows, start, stop, step, &made.rows, &err));
    return made;
}

typedef enum { SCATTERED, ASCENDING, CONTIGUOUS, DESCENDING, REPEATED, N_PATTERNS } pattern;

/* Index values of a pattern, as many as `n`, of `index_type`, `stride` bytes apart; negative ones too where the type has
 * them. What lies between them is no row. */
UNUSED_FUNCTION selection select_indices(
    int64_t n_rows, size_t n, pattern kind, int32_t index_type, int64_t stride, int borrow)
{
    static const size_t widths[] = {0, 1, 2, 4, 8, 1, 2, 4, 8};
    static const int64_t greatest[] = {0,       INT8_MAX,  INT16_MAX,  INT32_MAX, INT64_MAX,
                                       UINT8_MAX, UINT16_MAX, UINT32_MAX, INT64_MAX};
    const size_t width = widths[index_type];
    const int64_t above = greatest[index_type] < n_rows ? greatest[index_type] + 1 : n_rows;
    const size_t apart = (size_t)(stride < 0 ? -stride : stride), size = n * apart + width;
    selection made = {.n = n, .expected = allocate(n * sizeof *made.expected), .memory = allocate(size)};
    memset(made.memory, 0x7f, size);
    char *first = (char *)made.memory + (stride < 0 && n > 0 ? (n - 1) * apart : 0);
    for (size_t i = 0; i < n; i++) {
        int64_t row = 0;
        switch (kind) {
        case SCATTERED:
            row = (int64_t)scrambled(i, (uint64_t)n, (uint64_t)above);
            break;
        case ASCENDING:
            row = (int64_t)(i * (size_t)above / n);
            break;
        case CONTIGUOUS:
            row = ((int64_t)i + above / 3) % above;
            break;
        case DESCENDING:
            row = above - 1 - 2 * (int64_t)i % above;
            break;
        default:
            row = above / 2;
        }
        row = stride == 0 ? above / 2 : row;
        int64_t value = row;
        if (index_type <= COLSTORE_INDEX_TYPE_I64 && i % 3 == 1 && row - n_rows >= -greatest[index_type] - 1) {
            value = row - n_rows; /* counted from the end */
        }
        if (stride == 0) {
            value = row;
        }
        made.expected[i] = row;
        /* The machine is little-endian. */
        memcpy(first + (int64_t)i * stride, &value, width);
    }
    EXPECT(OK, colstore_rows_indices(n_rows, first, index_type, n, stride, borrow, &made.rows, &err));
    if (!borrow) {
        memset(made.memory, 0x7f, size);
        free(made.memory);
        made.memory = NULL;
    }
    return made;
}

/* About one row in `among`; all rows for 1, none for 0. */
UNUSED_FUNCTION int is_masked(int64_t row, uint64_t among)
{
    return among == 1 || (among > 1 && scrambled((uint64_t)row, among, among) == 0);
}

UNUSED_FUNCTION selection select_mask(int64_t n_rows, uint64_t among, int64_t stride)
{
    const size_t apart = (size_t)(stride < 0 ? -stride : stride), size = (size_t)n_rows * apart + 1;
    selection made = {.expected = allocate((size_t)n_rows * sizeof *made.expected)};
    uint8_t *bytes = allocate(size), *first = bytes + (stride < 0 && n_rows > 0 ? ((size_t)n_rows - 1) * apart : 0);
    memset(bytes, 1, size);
    for (int64_t row = 0; row < n_rows; row++) {
        int set = is_masked(row, among);
        first[row * stride] = (uint8_t)(set ? 1 + row % 255 : 0);
        if (set) {
            made.expected[made.n++] = row;
        }
    }
    EXPECT(OK, colstore_rows_mask(n_rows, first, (size_t)n_rows, stride, &made.rows, &err));
    free(bytes);
    return made;
}

UNUSED_FUNCTION selection select_bits(int64_t n_rows, uint64_t among)
{
    const size_t size = ((size_t)n_rows + 7) / 8;
    selection made = {.expected = allocate((size_t)n_rows * sizeof *made.expected)};
    uint8_t *bits = allocate(size);
    memset(bits, 0, size);
    for (int64_t row = 0; row < n_rows; row++) {
        if (is_masked(row, among)) {
            bits[row / 8] |= (uint8_t)(1u << (row % 8));
            made.expected[made.n++] = row;
        }
    }
    if (n_rows % 8 != 0) {
        bits[size - 1] |= (uint8_t)(0xffu << (n_rows % 8)); /* beyond the last row */
    }
    EXPECT(OK, colstore_rows_mask_bits(n_rows, bits, size, &made.rows, &err));
    free(bits);
    return made;
}

/* A selection of a selection, neither of which is left. */
UNUSED_FUNCTION selection select_of(selection outer, selection inner)
{
    selection made = {.n = inner.n, .expected = allocate(inner.n * sizeof *made.expected)};
    for (size_t i = 0; i < inner.n; i++) {
        made.expected[i] = outer.expected[inner.expected[i]];
    }
    EXPECT(OK, colstore_rows_select(outer.rows, inner.rows, &made.rows, &err));
    free_selection(&outer);
    free_selection(&inner);
    return made;
}

#endif
