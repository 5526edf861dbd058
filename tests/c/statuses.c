/* Every status that a program can be brought to, each by the failure it stands for. INTERNAL is not among them: it
 * takes a defect of the library, and is tested inside it. */

#include "check.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const double values[] = {1, 2, 3};

static colstore_status open_status(const char *path, colstore_error **err)
{
    colstore_table *table = NULL;
    colstore_status status = colstore_table_open(path, strlen(path), NULL, &table, err);
    colstore_table_free(table);
    return status;
}

static void opening(const char *golden, const char *scratch)
{
    EXPECT(OK, open_status(path_in(golden, "dtype/f8.cstore"), &err));
    EXPECT(NOT_FOUND, open_status(path_in(scratch, "missing.cstore"), &err));
    EXPECT(FORMAT, open_status(path_in(golden, "corrupt/corrupt.json"), &err));
    /* A file in the place of a directory. */
    EXPECT(IO, open_status(path_in(golden, "dtype/f8.cstore/x"), &err));
    colstore_info info = {.size = sizeof info};
    const char *path = path_in(golden, "corrupt/corrupt.json");
    EXPECT(FORMAT, colstore_info_read(path, strlen(path), &info, NULL, &err));
}

static void arguments(const char *golden)
{
    colstore_table *table = open_or_exit(path_in(golden, "corrupt/_base.cstore"));
    colstore_schema *schema = NULL;
    colstore_view *view = NULL;
    colstore_dtype dtype = {.size = sizeof dtype};
    int32_t out[5];
    size_t index;
    EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, NULL, out, 1, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_table_read_column(table, 0, 0, 6, NULL, out, 24, &err));
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(table, 0, 0, 5, &view, &err));
    EXPECT(UNSUPPORTED_TYPE, colstore_dtype_parse("<c16", 4, &dtype, &err));
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    EXPECT(UNKNOWN_COLUMN, colstore_schema_find(schema, "c", 1, &index, &err));
    colstore_schema_free(schema);

    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    colstore_read_options options = {.size = sizeof options, .progress = progress};
    EXPECT(CANCELLED, colstore_table_read_column(table, 0, 0, 5, &options, out, sizeof out, &err));
    colstore_progress_free(progress);
    colstore_table_free(table);
}

static void existing(const char *scratch)
{
    const char *path = path_in(scratch, "exists.cstore");
    const colstore_column_data column = column_of("x", "<f8", values, 3, 8);
    store_or_exit(path, &column, 1);
    EXPECT(ALREADY_EXISTS, colstore_store(path, strlen(path), &column, 1, NULL, &err));
    EXPECT(OK, open_status(path, &err));
}

static void locked(const char *scratch)
{
    const char *path = path_in(scratch, "written.cstore");
    const colstore_writer_options options = {.size = sizeof options, .mode = COLSTORE_WRITER_MODE_UPDATE};
    const colstore_column_data column = column_of("x", "<f8", values, 3, 8);
    colstore_writer *first = NULL, *second = NULL;
    store_or_exit(path, &column, 1);
    EXPECT(OK, colstore_writer_open(path, strlen(path), &options, &first, &err));
    EXPECT(LOCKED, colstore_writer_open(path, strlen(path), &options, &second, &err));
    colstore_writer_free(first);
}

/* Root is allowed everything, so it becomes somebody else for a moment. */
static void permission(const char *scratch)
{
    const char *path = path_in(scratch, "secret.cstore"), *directory = path_in(scratch, "locked");
    const char *inside = path_in(scratch, "locked/x.cstore");
    const colstore_column_data column = column_of("x", "<f8", values, 3, 8);
    store_or_exit(path, &column, 1);
    CHECK(chmod(path, 0) == 0);
    CHECK(mkdir(directory, 0) == 0);
    const uid_t user = geteuid();
    CHECK(user != 0 || seteuid(65534) == 0);
    EXPECT(PERMISSION_DENIED, open_status(path, &err));
    EXPECT(PERMISSION_DENIED, colstore_store(inside, strlen(inside), &column, 1, NULL, &err));
    CHECK(geteuid() == user || seteuid(user) == 0);
    CHECK(chmod(path, 0600) == 0 && rmdir(directory) == 0);
}

static int count_entries(const char *directory)
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

/* A limit on the size of files stands for a full disk. */
static void no_space(const char *scratch)
{
    const char *path = path_in(scratch, "large.cstore");
    const colstore_column_data small = column_of("x", "<f8", values, 3, 8);
    const colstore_column_data large = column_of("x", "<f8", values, 1 << 18, 0);
    colstore_store_options options = {.size = sizeof options, .mode = COLSTORE_STORE_MODE_RECREATE};
    struct rlimit before, limit;
    store_or_exit(path, &small, 1);
    int entries = count_entries(scratch);
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = before;
    limit.rlim_cur = 1 << 20;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    EXPECT(NO_SPACE, colstore_store(path, strlen(path), &large, 1, &options, &err));
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    /* The old file is as it was, and there is no other. */
    CHECK(count_entries(scratch) == entries);
    colstore_table *table = open_or_exit(path);
    double found[3];
    EXPECT(OK, colstore_table_read_column(table, 0, 0, 3, NULL, found, sizeof found, &err));
    CHECK(memcmp(found, values, sizeof values) == 0);
    colstore_table_free(table);
}

static void out_of_memory(const char *scratch)
{
    const char *path = path_in(scratch, "many.cstore");
    const int64_t n_rows = 64 << 20;
    const colstore_column_data column = column_of("x", "|u1", values, n_rows, 0);
    struct rlimit before, limit;
    unsigned long pages = 0;
    store_or_exit(path, &column, 1);
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1);
    if (file != NULL) {
        fclose(file);
    }
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    limit = before;
    limit.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (16 << 20);
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    EXPECT(OUT_OF_MEMORY, open_status(path, &err));
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    EXPECT(OK, open_status(path, &err));
    remove(path);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    opening(GOLDEN, SCRATCH);
    arguments(GOLDEN);
    existing(SCRATCH);
    locked(SCRATCH);
    permission(SCRATCH);
    no_space(SCRATCH);
    if (!under_valgrind()) {
        out_of_memory(SCRATCH);
    }
    return check_report();
}
