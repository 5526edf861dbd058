/* Tables into files of one record: compaction, writing a table, modes, statistics, locks and cancelling. */

#include "check.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy_file(const char *from, const char *to)
{
    char buffer[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    CHECK(in != NULL && out != NULL);
    if (in != NULL && out != NULL) {
        for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) {
            CHECK(fwrite(buffer, 1, n, out) == n);
        }
    }
    if (in != NULL) {
        fclose(in);
    }
    if (out != NULL) {
        fclose(out);
    }
}

static int same_bytes(const char *one, const char *other)
{
    FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
    int same = a != NULL && b != NULL;
    for (int c = 0; same && c != EOF;) {
        c = fgetc(a);
        same = c == fgetc(b);
    }
    if (a != NULL) {
        fclose(a);
    }
    if (b != NULL) {
        fclose(b);
    }
    return same;
}

static int64_t records_of(const char *path)
{
    colstore_table *table = open_or_exit(path);
    int64_t count = -1;
    EXPECT(OK, colstore_table_n_records(table, &count, &err));
    colstore_table_free(table);
    return count;
}

static void in_place_and_elsewhere(const char *golden, const char *compacted, const char *path, const char *out)
{
    copy_file(golden, path);
    CHECK(records_of(path) > 1);
    colstore_table *before = open_or_exit(path);
    EXPECT(OK, colstore_compact(path, strlen(path), out, strlen(out), NULL, &err));
    CHECK(same_bytes(path, golden) && same_bytes(out, compacted));
    const colstore_compact_options options = {.size = sizeof options, .max_threads = 1};
    EXPECT(OK, colstore_compact(path, strlen(path), NULL, 0, &options, &err));
    CHECK(same_bytes(path, compacted));
    /* Compact already: nothing happens, and a copy is a copy. */
    struct stat first, second;
    CHECK(stat(path, &first) == 0);
    EXPECT(OK, colstore_compact(path, strlen(path), path, strlen(path), NULL, &err));
    CHECK(stat(path, &second) == 0 && first.st_ino == second.st_ino);
    EXPECT(OK, colstore_compact(path, strlen(path), out, strlen(out), NULL, &err));
    CHECK(same_bytes(out, compacted));

    /* The table of before still is the old file: written, it gives the same. */
    EXPECT(ALREADY_EXISTS, colstore_table_write(before, out, strlen(out), NULL, &err));
    const colstore_copy_options replace = {.size = sizeof replace, .mode = COLSTORE_STORE_MODE_RECREATE};
    EXPECT(OK, colstore_table_write(before, out, strlen(out), &replace, &err));
    CHECK(same_bytes(out, compacted));
    colstore_table_free(before);
    remove(out);
}

static void many_tables(const char *golden, const char *out)
{
    colstore_table *one = open_or_exit(golden), *both = NULL;
    const colstore_table *const tables[] = {one, one};
    int64_t rows = 0, twice = 0;
    EXPECT(OK, colstore_table_concat(tables, 2, 0, &both, NULL, &err));
    EXPECT(OK, colstore_table_write(both, out, strlen(out), NULL, &err));
    EXPECT(OK, colstore_table_n_rows(one, &rows, &err));
    colstore_table *written = open_or_exit(out);
    EXPECT(OK, colstore_table_n_rows(written, &twice, &err));
    CHECK(twice == 2 * rows && rows > 0 && records_of(out) == 1);
    colstore_table_free(written);
    colstore_table_free(both);
    /* A file of the table's own, and a table of nothing. */
    EXPECT(INVALID_ARGUMENT, colstore_table_write(one, golden, strlen(golden), NULL, &err));
    EXPECT(OK, colstore_table_concat(NULL, 0, 0, &both, NULL, &err));
    const colstore_copy_options replace = {.size = sizeof replace, .mode = COLSTORE_STORE_MODE_RECREATE};
    EXPECT(INVALID_ARGUMENT, colstore_table_write(both, out, strlen(out), &replace, &err));
    CHECK(records_of(out) == 1);
    colstore_table_free(both);
    colstore_table_free(one);
    remove(out);
}

static void statistics(const char *golden, const char *with, const char *without)
{
    const colstore_copy_options copy = {.size = sizeof copy, .statistics = 1};
    const colstore_compact_options compact = {.size = sizeof compact, .statistics = 1};
    colstore_table *table = open_or_exit(golden);
    remove(with);
    EXPECT(OK, colstore_table_write(table, with, strlen(with), &copy, &err));
    EXPECT(OK, colstore_table_write(table, without, strlen(without), NULL, &err));
    struct stat larger, smaller;
    CHECK(stat(with, &larger) == 0 && stat(without, &smaller) == 0 && larger.st_size > smaller.st_size);
    EXPECT(OK, colstore_compact(golden, strlen(golden), without, strlen(without), &compact, &err));
    CHECK(same_bytes(with, without));
    colstore_table_free(table);
    remove(with);
    remove(without);
}

static void refusals(const char *golden, const char *damaged, const char *path, const char *out)
{
    const colstore_compact_options options = {.size = sizeof options, .statistics = 2};
    const colstore_copy_options mode = {.size = sizeof mode, .mode = 2};
    const colstore_copy_options reserved = {.size = sizeof reserved, .reserved = 1};
    colstore_table *table = open_or_exit(golden);
    EXPECT(NOT_FOUND, colstore_compact(out, strlen(out), NULL, 0, NULL, &err));
    EXPECT(FORMAT, colstore_compact(damaged, strlen(damaged), out, strlen(out), NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_compact(golden, strlen(golden), out, strlen(out), &options, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_write(table, out, strlen(out), &mode, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_write(table, out, strlen(out), &reserved, &err));

    copy_file(golden, path);
    int descriptor = open(path, O_RDONLY);
    CHECK(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0);
    colstore_error *err = NULL;
    CHECK(colstore_compact(path, strlen(path), NULL, 0, NULL, &err) == COLSTORE_STATUS_LOCKED);
    CHECK(strstr(colstore_error_message(err, NULL), "lock") != NULL);
    CHECK(strstr(colstore_error_message(err, NULL), path) != NULL);
    colstore_error_free(err);
    CHECK(same_bytes(path, golden));
    close(descriptor);

    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    const colstore_compact_options cancelled = {.size = sizeof cancelled, .progress = progress};
    const colstore_copy_options also = {.size = sizeof also, .progress = progress};
    EXPECT(CANCELLED, colstore_compact(path, strlen(path), NULL, 0, &cancelled, &err));
    EXPECT(CANCELLED, colstore_table_write(table, out, strlen(out), &also, &err));
    colstore_progress_free(progress);
    CHECK(same_bytes(path, golden) && !file_exists(out));
    colstore_table_free(table);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const char *golden = path_in(GOLDEN, "all_dtypes_multi.cstore");
    const char *path = path_in(SCRATCH, "t.cstore"), *out = path_in(SCRATCH, "out.cstore");
    in_place_and_elsewhere(golden, path_in(GOLDEN, "compacted_all_dtypes_multi.cstore"), path, out);
    many_tables(golden, out);
    statistics(golden, path, out);
    refusals(golden, path_in(GOLDEN, "corrupt/magic_bad.cstore"), path, out);
    return check_report();
}
