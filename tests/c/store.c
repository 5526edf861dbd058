/* Storing: round trips, layouts in memory, modes, and that a refusal leaves nothing behind. */

#include "check.h"

#include <dirent.h>

static int entries(const char *directory)
{
    int count = 0;
    DIR *stream = opendir(directory);
    while (stream != NULL && readdir(stream) != NULL) {
        count++;
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return count;
}

static void reads_back(const char *path, size_t column, const void *expected, size_t size, int64_t n_rows)
{
    colstore_table *table = open_or_exit(path);
    int64_t found = -1;
    char *values = allocate(size);
    EXPECT(OK, colstore_table_n_rows(table, &found, &err));
    CHECK(found == n_rows);
    EXPECT(OK, colstore_table_read_column(table, column, 0, n_rows, NULL, values, size, &err));
    CHECK(memcmp(values, expected, size) == 0);
    free(values);
    colstore_table_free(table);
}

static void layouts(const char *path)
{
    static const double packed[] = {1.5, -0.0, 3e300};
    static const double reversed[] = {3e300, -0.0, 1.5};
    static const int32_t constant[] = {7, 7, 7};
    static const unsigned char big[] = {0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6};
    static const int32_t little[] = {0x102, 0x304, 0x506};
    char strided[3 * 11 + 1];
    for (int i = 0; i < 3; i++) {
        memcpy(strided + 1 + i * 11, &packed[i], 8);
    }
    const colstore_column_data columns[] = {
        column_of("packed", "<f8", packed, 3, 8),
        column_of("strided", "float64", strided + 1, 3, 11),
        column_of("reversed", "f8", packed + 2, 3, -8),
        column_of("constant", "<i4", constant, 3, 0),
        column_of("big", ">i4", big, 3, 4),
        column_of("text", "|S3", "abcde\0\0\0x", 3, 3),
        column_of("", "|b1", "\0\1\2", 3, 1),
        column_of("\xc3\xa9t\xc3\xa9", "<M8[25s]", packed, 3, 8),
        column_of("lone \xed\xa0\x80", "|u1", "abc", 3, 1),
    };
    store_or_exit(path, columns, sizeof columns / sizeof columns[0]);
    reads_back(path, 0, packed, sizeof packed, 3);
    reads_back(path, 1, packed, sizeof packed, 3);
    reads_back(path, 2, reversed, sizeof reversed, 3);
    reads_back(path, 3, constant, sizeof constant, 3);
    reads_back(path, 4, little, sizeof little, 3);
    reads_back(path, 5, "abcde\0\0\0x", 9, 3);
    reads_back(path, 6, "\0\1\2", 3, 3);
    reads_back(path, 7, packed, sizeof packed, 3);
    reads_back(path, 8, "abc", 3, 3);

    colstore_table *table = open_or_exit(path);
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        size_t index = SIZE_MAX;
        EXPECT(OK, colstore_schema_find(schema, columns[i].name, columns[i].name_len, &index, &err));
        CHECK(index == i);
    }
    colstore_column column = {.size = sizeof column};
    EXPECT(OK, colstore_schema_column(schema, 4, &column, &err));
    CHECK(column.dtype_text_len == 3 && memcmp(column.dtype_text, "<i4", 3) == 0);
    colstore_schema_free(schema);
    colstore_table_free(table);
}

static void options(const char *path)
{
    static const double values[] = {1, 2, 3}, others[] = {4, 5};
    colstore_column_data column = column_of("x", "<f8", values, 3, 8);
    colstore_store_options options = {.size = sizeof options};
    remove(path);
    EXPECT(OK, colstore_store(path, strlen(path), &column, 1, &options, &err));
    reads_back(path, 0, values, sizeof values, 3);
    /* create does not replace; NULL means create. */
    column.data = others;
    column.n_rows = 2;
    EXPECT(ALREADY_EXISTS, colstore_store(path, strlen(path), &column, 1, &options, &err));
    EXPECT(ALREADY_EXISTS, colstore_store(path, strlen(path), &column, 1, NULL, &err));
    reads_back(path, 0, values, sizeof values, 3);

    colstore_table *before = open_or_exit(path);
    options.mode = COLSTORE_STORE_MODE_RECREATE;
    options.durability = COLSTORE_DURABILITY_DISK;
    options.max_threads = 2;
    options.statistics = 1;
    EXPECT(OK, colstore_store(path, strlen(path), &column, 1, &options, &err));
    reads_back(path, 0, others, sizeof others, 2);
    /* Who had the old file open keeps it. */
    double kept[3];
    EXPECT(OK, colstore_table_read_column(before, 0, 0, 3, NULL, kept, sizeof kept, &err));
    CHECK(memcmp(kept, values, sizeof values) == 0);
    colstore_table_free(before);

    /* No rows, and so no data. */
    column = column_of("x", "<f8", NULL, 0, 8);
    EXPECT(OK, colstore_store(path, strlen(path), &column, 1, &options, &err));
    reads_back(path, 0, "", 0, 0);
}

static void refusals(const char *directory, const char *path)
{
    static const double values[] = {1, 2, 3};
    const colstore_column_data good = column_of("x", "<f8", values, 3, 8);
    colstore_column_data columns[] = {good, good};
    int before = entries(directory);
    remove(path);
    size_t len = strlen(path);

    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, NULL, 0, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, SIZE_MAX / 32, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err)); /* twice the same name */
    columns[1] = column_of("y", "<f8", values, 2, 8);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err)); /* unequal lengths */
    columns[1] = column_of("y", "<f8", values, -1, 8);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "<c16", values, 3, 8);
    EXPECT(UNSUPPORTED_TYPE, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "O", values, 3, 8);
    EXPECT(UNSUPPORTED_TYPE, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "|S0", values, 3, 0);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "\xff", values, 3, 8);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y\xff", "<f8", values, 3, 8);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "<f8", values, INT64_MAX, 8);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "<f8", values, 3, INT64_MIN);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));
    columns[1] = column_of("y", "<f8", values, 3, INT64_MAX);
    EXPECT(INVALID_ARGUMENT, colstore_store(path, len, columns, 2, NULL, &err));

    static const struct {
        int32_t mode, statistics, durability, max_threads;
    } wrong[] = {{2, 0, 0, 0}, {-1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const colstore_store_options options = {
            sizeof options, wrong[i].mode, wrong[i].statistics, wrong[i].durability, wrong[i].max_threads, NULL,
        };
        EXPECT(INVALID_ARGUMENT, colstore_store(path, len, &good, 1, &options, &err));
    }
    EXPECT(INVALID_ARGUMENT, colstore_store("a\0b", 3, &good, 1, NULL, &err));
    const char *nowhere = path_in(directory, "no such directory/x.cstore");
    EXPECT(NOT_FOUND, colstore_store(nowhere, strlen(nowhere), &good, 1, NULL, &err));

    colstore_error *err = NULL;
    columns[1] = column_of("why", "<c16", values, 3, 8);
    CHECK(colstore_store(path, len, columns, 2, NULL, &err) == COLSTORE_STATUS_UNSUPPORTED_TYPE);
    CHECK(colstore_error_column(err, NULL) != NULL && strcmp(colstore_error_column(err, NULL), "why") == 0);
    colstore_error_free(err);

    CHECK(!file_exists(path));
    CHECK(entries(directory) == before || entries(directory) == before - 1);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    layouts(path_in(SCRATCH, "layouts.cstore"));
    options(path_in(SCRATCH, "options.cstore"));
    refusals(SCRATCH, path_in(SCRATCH, "refused.cstore"));
    return check_report();
}
