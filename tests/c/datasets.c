/* Tables of many files: put together strictly or with columns left out, their paths, what a path stands for, the table
 * of no files; and the ways a file can be opened. */

#include "dataset.h"

#include <sys/stat.h>

static size_t count_of(const colstore_names *names)
{
    size_t count = 77;
    EXPECT(OK, colstore_names_count(names, &count, &err));
    return count;
}

static int name_is(const colstore_names *names, size_t index, const char *expected)
{
    const char *text = NULL;
    size_t len = 0;
    EXPECT(OK, colstore_names_get(names, index, &text, &len, &err));
    return len == strlen(expected) && memcmp(text, expected, len) == 0;
}

static colstore_names *expand(const char *path)
{
    colstore_names *names = NULL;
    EXPECT(OK, colstore_paths_expand(path, strlen(path), &names, &err));
    return names;
}

static void paths_are_expanded(const char *golden, const char *scratch)
{
    static const char *const natural[] = {"9.cstore",         "10.cstore",    "Run_3.cstore",  "run.cstore",      "run_1_3.cstore",
                                          "run_1_20.cstore", "run_2.cstore", "run_10.cstore", "run_010b.cstore"};
    const size_t n = sizeof natural / sizeof natural[0];
    char directory[4096]; /* the buffers of path_in come round again */
    snprintf(directory, sizeof directory, "%s/shards_natural", golden);
    colstore_names *names = expand(directory);
    CHECK(count_of(names) == n);
    for (size_t i = 0; i < n && i < count_of(names); i++) {
        CHECK(name_is(names, i, path_in(directory, natural[i])));
    }
    const char *text = NULL;
    size_t len = 77;
    EXPECT(OUT_OF_BOUNDS, colstore_names_get(names, n, &text, &len, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_names_get(names, SIZE_MAX, &text, &len, &err));
    CHECK(text == NULL && len == 77);
    colstore_names_free(names);

    names = expand(path_in(golden, "shards_natural/run_1*.cstore"));
    CHECK(count_of(names) == 3);
    CHECK(name_is(names, 0, path_in(directory, "run_1_3.cstore")));
    CHECK(name_is(names, 2, path_in(directory, "run_10.cstore")));
    colstore_names_free(names);
    names = expand(path_in(golden, "shards_natural/?.cstore"));
    CHECK(count_of(names) == 1 && name_is(names, 0, path_in(directory, "9.cstore")));
    colstore_names_free(names);
    names = expand(path_in(golden, "shards_natural/[rR]un_[23].cstore"));
    CHECK(count_of(names) == 2 && name_is(names, 0, path_in(directory, "Run_3.cstore")));
    colstore_names_free(names);

    /* A path is a path, whether anything is there or not. */
    names = expand(path_in(scratch, "missing.cstore"));
    CHECK(count_of(names) == 1 && name_is(names, 0, path_in(scratch, "missing.cstore")));
    colstore_names_free(names);
    const char *empty = path_in(scratch, "empty");
    CHECK(mkdir(empty, 0700) == 0);
    names = expand(empty);
    CHECK(count_of(names) == 0);
    colstore_names_free(names);

    colstore_error *err = NULL;
    const char *nothing = path_in(scratch, "*.cstore");
    names = NULL;
    CHECK(colstore_paths_expand(nothing, strlen(nothing), &names, &err) == COLSTORE_STATUS_NOT_FOUND);
    CHECK(names == NULL && strstr(colstore_error_message(err, NULL), "no files matched") != NULL);
    colstore_error_free(err);
    /* A NUL is no part of a path. */
    EXPECT(INVALID_ARGUMENT, colstore_paths_expand("a\0b", 3, &names, &err));
    CHECK(names == NULL);
    colstore_names_free(NULL);
}

/* Opens what a path stands for as one table. */
static void a_directory_is_a_table(const char *directory, int64_t n_rows)
{
    colstore_names *names = expand(directory);
    size_t n = count_of(names), n_files = 0, len = 0;
    const char *text = NULL;
    colstore_table *tables[16] = {0}, *table = NULL;
    CHECK(n > 0 && n <= 16);
    for (size_t i = 0; i < n && i < 16; i++) {
        EXPECT(OK, colstore_names_get(names, i, &text, &len, &err));
        EXPECT(OK, colstore_table_open(text, len, NULL, &tables[i], &err));
    }
    EXPECT(OK, colstore_table_concat((const colstore_table *const *)tables, n, COLSTORE_ON_MISMATCH_STRICT, &table, NULL,
                                     &err));
    for (size_t i = 0; i < n && i < 16; i++) {
        colstore_table_free(tables[i]);
    }
    EXPECT(OK, colstore_table_n_files(table, &n_files, &err));
    CHECK(n_rows_of(table) == n_rows && n_files == n);
    for (size_t i = 0; i < n; i++) {
        const char *path = NULL;
        size_t path_len = 0;
        EXPECT(OK, colstore_names_get(names, i, &text, &len, &err));
        EXPECT(OK, colstore_table_path(table, i, &path, &path_len, &err));
        CHECK(path_len == len && memcmp(path, text, len) == 0);
    }
    text = NULL;
    len = 77;
    EXPECT(OUT_OF_BOUNDS, colstore_table_path(table, n, &text, &len, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_path(table, SIZE_MAX, &text, &len, &err));
    CHECK(text == NULL && len == 77);
    colstore_names_free(names);
    colstore_table_free(table);
}

static void columns_that_differ(const char *golden)
{
    colstore_table *tables[] = {open_or_exit(path_in(golden, "shards_mismatch/p0.cstore")),
                                open_or_exit(path_in(golden, "shards_mismatch/p1.cstore")),
                                open_or_exit(path_in(golden, "shards_mismatch/p2.cstore"))};
    const colstore_table *const *all = (const colstore_table *const *)tables;
    colstore_table *table = NULL;
    colstore_names *dropped = NULL;
    colstore_error *err = NULL;
    CHECK(colstore_table_concat(all, 3, COLSTORE_ON_MISMATCH_STRICT, &table, &dropped, &err) ==
          COLSTORE_STATUS_INVALID_ARGUMENT);
    const char *message = colstore_error_message(err, NULL), *column = colstore_error_column(err, NULL);
    CHECK(strstr(message, "Schema mismatch") != NULL && strstr(message, "'a'") != NULL);
    CHECK(strstr(message, "p0.cstore") != NULL && strstr(message, "p1.cstore") != NULL);
    CHECK(strstr(message, "<i8") != NULL && strstr(message, "<i4") != NULL);
    CHECK(column != NULL && strcmp(column, "a") == 0);
    colstore_error_free(err);
    CHECK(table == NULL && dropped == NULL);
    EXPECT(INVALID_ARGUMENT, colstore_table_concat(all, 3, 2, &table, &dropped, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_concat(all, 3, -1, &table, &dropped, &err));
    CHECK(table == NULL && dropped == NULL);

    /* Without the list of what is left out, and with it. */
    EXPECT(OK, colstore_table_concat(all, 3, COLSTORE_ON_MISMATCH_DROP, &table, NULL, &err));
    colstore_table_free(table);
    EXPECT(OK, colstore_table_concat(all, 3, COLSTORE_ON_MISMATCH_DROP, &table, &dropped, &err));
    CHECK(count_of(dropped) == 2 && name_is(dropped, 0, "a") && name_is(dropped, 1, "d"));
    colstore_names_free(dropped);
    dropped = NULL;
    static const double b[] = {1, 2, 3, 4};
    static const int16_t c[] = {1, 2, 3, 4};
    double found_b[4];
    int16_t found_c[4];
    CHECK(n_columns_of(table) == 2 && n_rows_of(table) == 4);
    EXPECT(OK, colstore_table_read_column(table, 0, 0, 4, NULL, found_b, sizeof found_b, &err));
    EXPECT(OK, colstore_table_read_column(table, 1, 0, 4, NULL, found_c, sizeof found_c, &err));
    CHECK(memcmp(b, found_b, sizeof b) == 0 && memcmp(c, found_c, sizeof c) == 0);
    colstore_table_free(table);
    table = NULL;

    /* Alike: nothing is left out. */
    EXPECT(OK, colstore_table_concat(all, 1, COLSTORE_ON_MISMATCH_DROP, &table, &dropped, &err));
    CHECK(count_of(dropped) == 0);
    colstore_names_free(dropped);
    colstore_table_free(table);
    table = NULL;
    dropped = NULL;

    colstore_table *other = open_or_exit(path_in(golden, "dtype/f8.cstore"));
    const colstore_table *const strangers[] = {tables[0], other};
    EXPECT(INVALID_ARGUMENT,
           colstore_table_concat(strangers, 2, COLSTORE_ON_MISMATCH_DROP, &table, &dropped, &err));
    CHECK(table == NULL && dropped == NULL);
    colstore_table_free(other);
    for (size_t i = 0; i < 3; i++) {
        colstore_table_free(tables[i]);
    }
}

/* A table of tables of files is a table of files; it needs none of them any more. */
static void tables_of_tables(const char *golden)
{
    static const int32_t expected[] = {10, -20, 30, 40, 50, 10, -20, 30, 40, 50, 10, -20, 30, 40, 50};
    colstore_table *one = open_or_exit(path_in(golden, "corrupt/_base.cstore"));
    const colstore_table *const twice[] = {one, one};
    colstore_table *two = NULL, *three = NULL, *same = NULL;
    EXPECT(OK, colstore_table_concat(twice, 2, COLSTORE_ON_MISMATCH_STRICT, &two, NULL, &err));
    const colstore_table *const mixed[] = {two, one};
    EXPECT(OK, colstore_table_concat(mixed, 2, COLSTORE_ON_MISMATCH_STRICT, &three, NULL, &err));
    EXPECT(OK, colstore_table_concat(mixed + 1, 1, COLSTORE_ON_MISMATCH_STRICT, &same, NULL, &err));
    colstore_table_free(one);
    colstore_table_free(two);
    size_t n_files = 0;
    int64_t n_records = 0;
    int32_t found[15];
    EXPECT(OK, colstore_table_n_files(three, &n_files, &err));
    EXPECT(OK, colstore_table_n_records(three, &n_records, &err));
    CHECK(n_files == 3 && n_records == 6 && n_rows_of(three) == 15);
    int64_t record_rows[6] = {77};
    EXPECT(INVALID_ARGUMENT, colstore_table_record_rows(three, record_rows, 5, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_record_rows(three, record_rows, 7, &err));
    CHECK(record_rows[0] == 77);
    EXPECT(OK, colstore_table_record_rows(three, record_rows, 6, &err));
    CHECK(memcmp(record_rows, (int64_t[]){3, 2, 3, 2, 3, 2}, sizeof record_rows) == 0);
    EXPECT(OK, colstore_table_read_column(three, 0, 0, 15, NULL, found, sizeof found, &err));
    CHECK(memcmp(found, expected, sizeof found) == 0);
    EXPECT(OK, colstore_table_n_files(same, &n_files, &err));
    CHECK(n_files == 1 && n_rows_of(same) == 5);

    /* A view lies in one record of one file, and outlives the table. */
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(three, 0, 4, 6, &view, &err));
    EXPECT(OK, colstore_table_view_column(three, 0, 10, 13, &view, &err));
    colstore_table_free(three);
    colstore_table_free(same);
    EXPECT(OK, colstore_view_describe(view, &info, &err));
    CHECK(info.n_rows == 3 && memcmp(info.data, expected + 10, 12) == 0);
    colstore_view_free(view);
}

static void the_table_of_no_files(void)
{
    colstore_table *table = NULL, *again = NULL;
    colstore_names *dropped = NULL;
    colstore_rows *rows = NULL;
    size_t n_files = 77, len = 0;
    int64_t n_records = 77;
    const char *path = NULL;
    EXPECT(OK, colstore_table_concat(NULL, 0, COLSTORE_ON_MISMATCH_STRICT, &table, &dropped, &err));
    CHECK(count_of(dropped) == 0);
    EXPECT(OK, colstore_table_n_files(table, &n_files, &err));
    EXPECT(OK, colstore_table_n_records(table, &n_records, &err));
    CHECK(n_files == 0 && n_records == 0 && n_rows_of(table) == 0 && n_columns_of(table) == 0);
    EXPECT(OK, colstore_table_record_rows(table, NULL, 0, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_path(table, 0, &path, &len, &err));
    EXPECT(OK, colstore_rows_all(0, &rows, &err));
    EXPECT(OK, colstore_table_read_columns_at(table, NULL, 0, rows, NULL, NULL, NULL, &err));
    EXPECT(OK, colstore_table_read_records_at(table, NULL, 0, rows, NULL, NULL, 0, &err));
    EXPECT(OK, colstore_table_read_records(table, NULL, 0, 0, 0, NULL, NULL, 0, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column_at(table, 0, rows, NULL, NULL, 0, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, 0, 0, 0, NULL, NULL, 0, &err));
    const colstore_table *const twice[] = {table, table};
    EXPECT(OK, colstore_table_concat(twice, 2, COLSTORE_ON_MISMATCH_STRICT, &again, NULL, &err));
    CHECK(n_rows_of(again) == 0);
    colstore_table_free(again);
    colstore_names_free(dropped);
    colstore_rows_free(rows);
    colstore_table_free(table);
}

/* However a file is opened, what is read of it is the same. */
static void ways_of_opening(const char *path)
{
    colstore_table *table = open_or_exit(path), *opened = NULL;
    const int64_t n_rows = n_rows_of(table), n_columns = (int64_t)n_columns_of(table);
    for (int32_t advice = 0; advice <= 5; advice++) {
        for (int32_t lock = 0; lock <= 1; lock++) {
            for (int32_t backend = 0; backend <= 2; backend++) {
                const colstore_open_options options = {sizeof options, advice, lock, backend, 0};
                EXPECT(OK, colstore_table_open(path, strlen(path), &options, &opened, &err));
                int alike = n_rows_of(opened) == n_rows;
                for (size_t i = 0; i < (size_t)n_columns; i++) {
                    const size_t size = (size_t)n_rows * width_of(table, i);
                    char *expected = allocate(size), *found = allocate(size);
                    EXPECT(OK, colstore_table_read_column(table, i, 0, n_rows, NULL, expected, size, &err));
                    EXPECT(OK, colstore_table_read_column(opened, i, 0, n_rows, NULL, found, size, &err));
                    alike = alike && memcmp(expected, found, size) == 0;
                    free(expected);
                    free(found);
                }
                CHECK(alike);
                colstore_view *view = NULL;
                if (backend == COLSTORE_BACKEND_PREAD) {
                    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(opened, 0, 0, 1, &view, &err));
                    CHECK(view == NULL);
                } else {
                    EXPECT(OK, colstore_table_view_column(opened, 0, 0, 1, &view, &err));
                }
                colstore_view_free(view);
                colstore_table_free(opened);
            }
        }
    }
    opened = NULL;
    const colstore_open_options wrong[] = {
        {sizeof wrong[0], 6, 0, 0, 0},  {sizeof wrong[0], -1, 0, 0, 0}, {sizeof wrong[0], 0, 2, 0, 0},
        {sizeof wrong[0], 0, -1, 0, 0}, {sizeof wrong[0], 0, 0, 3, 0},  {sizeof wrong[0], 0, 0, -1, 0},
        {sizeof wrong[0], 0, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        EXPECT(INVALID_ARGUMENT, colstore_table_open(path, strlen(path), &wrong[i], &opened, &err));
        CHECK(opened == NULL);
    }
    colstore_table_free(table);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(4);
    paths_are_expanded(GOLDEN, SCRATCH);
    a_directory_is_a_table(path_in(GOLDEN, "shards_natural"), 9);
    a_directory_is_a_table(path_in(GOLDEN, "shards3"), 10);
    a_directory_is_a_table(DATASET, DATASET_ROWS);
    columns_that_differ(GOLDEN);
    tables_of_tables(GOLDEN);
    the_table_of_no_files();
    ways_of_opening(path_in(GOLDEN, "all_dtypes_multi.cstore"));
    ways_of_opening(path_in(GOLDEN, "many_records.cstore"));
    return check_report();
}
