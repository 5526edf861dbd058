/* Shards of a directory: added one by one and by an appender, from columns and from tables. */

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static colstore_column_data rows(int64_t n)
{
    return column_of("x", "<i4", numbers, n, 4);
}

/* Frees the list and tells whether it is of the path of this shard. */
static int is_path_of(colstore_names *names, const char *directory, const char *name)
{
    size_t count = 0, len = 0;
    const char *text = NULL, *expected = path_in(directory, name);
    EXPECT(OK, colstore_names_count(names, &count, &err));
    EXPECT(OK, colstore_names_get(names, 0, &text, &len, &err));
    int same = count == 1 && len == strlen(expected) && memcmp(text, expected, len) == 0;
    colstore_names_free(names);
    return same;
}

static int64_t rows_of(const char *directory, const char *name)
{
    colstore_table *table = open_or_exit(path_in(directory, name));
    int64_t n_rows = -1;
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    colstore_table_free(table);
    return n_rows;
}

static void append(const char *scratch)
{
    const char *directory = path_in(scratch, "a/b");
    size_t len = strlen(directory);
    colstore_column_data column = rows(10), other = column_of("y", "<i4", numbers, 10, 4);
    colstore_names *path = NULL;
    EXPECT(OK, colstore_append(directory, len, &column, 1, NULL, &path, &err));
    CHECK(is_path_of(path, directory, "shard_00000.cstore"));
    EXPECT(OK, colstore_append(directory, len, &column, 1, NULL, NULL, &err));
    CHECK(rows_of(directory, "shard_00001.cstore") == 10);

    colstore_append_options options = {.size = sizeof options, .name = "last.cstore", .name_len = 11, .statistics = 1};
    EXPECT(OK, colstore_append(directory, len, &column, 1, &options, NULL, &err));
    path = NULL;
    EXPECT(ALREADY_EXISTS, colstore_append(directory, len, &column, 1, &options, &path, &err));
    options.name_len = 4;
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &column, 1, &options, &path, &err));
    options.name_len = 0;
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &column, 1, &options, &path, &err));
    options = (colstore_append_options){.size = sizeof options, .statistics = 2};
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &column, 1, &options, &path, &err));
    options = (colstore_append_options){.size = sizeof options, .max_threads = -1};
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &column, 1, &options, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &other, 1, NULL, &path, &err));
    EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &column, 0, NULL, &path, &err));
    CHECK(path == NULL && !file_exists(path_in(directory, "shard_00002.cstore")));

    /* The directory's own rows are refused, others copied. */
    colstore_table *table = open_or_exit(path_in(directory, "last.cstore"));
    EXPECT(INVALID_ARGUMENT, colstore_append_table(directory, len, table, NULL, &path, &err));
    const char *copies = path_in(scratch, "copies");
    EXPECT(OK, colstore_append_table(copies, strlen(copies), table, NULL, &path, &err));
    CHECK(is_path_of(path, copies, "shard_00000.cstore"));
    EXPECT(OK, colstore_append_table(copies, strlen(copies), table, NULL, NULL, &err));
    CHECK(rows_of(copies, "shard_00001.cstore") == 10);
    colstore_table_free(table);
}

static void cancelled(const char *directory)
{
    size_t len = strlen(directory);
    colstore_column_data column = rows(10);
    colstore_progress *progress = NULL;
    colstore_names *path = NULL;
    colstore_appender *appender = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    colstore_append_options options = {.size = sizeof options, .progress = progress};
    EXPECT(CANCELLED, colstore_append(directory, len, &column, 1, &options, &path, &err));
    EXPECT(OK, colstore_appender_open(directory, len, NULL, &appender, &err));
    EXPECT(CANCELLED, colstore_appender_write(appender, &column, 1, progress, &err));
    EXPECT(OK, colstore_appender_write(appender, &column, 1, NULL, &err));
    EXPECT(CANCELLED, colstore_appender_flush(appender, progress, &path, &err));
    CHECK(path == NULL && !file_exists(path_in(directory, "shard_00000.cstore")));
    colstore_appender_info info = {.size = sizeof info};
    EXPECT(OK, colstore_appender_describe(appender, &info, &err));
    CHECK(info.pending_rows == 10 && info.closed == 0);
    EXPECT(OK, colstore_appender_close(appender, NULL, &path, &err));
    CHECK(is_path_of(path, directory, "shard_00000.cstore"));
    colstore_appender_free(appender);
    colstore_progress_free(progress);
}

static void appender(const char *scratch)
{
    const char *directory = path_in(scratch, "batches");
    size_t len = strlen(directory), count = 77;
    colstore_column_data batch = rows(10), other = column_of("y", "<i4", numbers, 10, 4);
    colstore_appender *appender = NULL, *second = NULL;
    colstore_appender_info info = {.size = sizeof info};
    colstore_names *path = NULL;
    colstore_appender_options options = {.size = sizeof options, .shard_rows = 25};

    options.shard_bytes = 100;
    EXPECT(INVALID_ARGUMENT, colstore_appender_open(directory, len, &options, &appender, &err));
    options.shard_bytes = 0;
    options.shard_rows = -1;
    EXPECT(INVALID_ARGUMENT, colstore_appender_open(directory, len, &options, &appender, &err));
    options.shard_rows = 25;
    options.name = "one.cstore";
    options.name_len = 10;
    EXPECT(INVALID_ARGUMENT, colstore_appender_open(directory, len, &options, &appender, &err));
    options.name = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_appender_open(directory, len, &options, &appender, &err));
    options.name_len = 0;
    CHECK(appender == NULL && access(directory, F_OK) != 0);

    EXPECT(OK, colstore_appender_open(directory, len, &options, &appender, &err));
    EXPECT(OK, colstore_appender_flush(appender, NULL, &path, &err));
    EXPECT(OK, colstore_names_count(path, &count, &err));
    CHECK(count == 0);
    colstore_names_free(path);
    for (int i = 0; i < 4; i++) {
        EXPECT(OK, colstore_appender_write(appender, &batch, 1, NULL, &err));
        EXPECT(OK, colstore_appender_describe(appender, &info, &err));
        CHECK(info.pending_rows == (i == 2 ? 0 : i % 3 * 10 + 10) && info.n_shards == (i >= 2));
    }
    CHECK(info.closed == 0 && info.locked == 1);
    EXPECT(INVALID_ARGUMENT, colstore_appender_write(appender, &other, 1, NULL, &err));
    EXPECT(LOCKED, colstore_appender_open(directory, len, NULL, &second, &err));
    EXPECT(LOCKED, colstore_append(directory, len, &batch, 1, NULL, NULL, &err));
    CHECK(second == NULL);

    /* A child has a copy of the handle, but neither rows nor lock are its own. */
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int refused = colstore_appender_flush(appender, NULL, NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT;
        colstore_appender_free(appender);
        _exit(refused ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    EXPECT(LOCKED, colstore_append(directory, len, &batch, 1, NULL, NULL, &err));

    const char *source = path_in(scratch, "source.cstore");
    store_or_exit(source, &batch, 1);
    colstore_table *table = open_or_exit(source);
    EXPECT(OK, colstore_appender_write_table(appender, table, NULL, &err));
    colstore_table_free(table);
    table = open_or_exit(path_in(directory, "shard_00000.cstore"));
    EXPECT(INVALID_ARGUMENT, colstore_appender_write_table(appender, table, NULL, &err));
    colstore_table_free(table);
    EXPECT(OK, colstore_appender_close(appender, NULL, &path, &err));
    CHECK(is_path_of(path, directory, "shard_00001.cstore"));
    EXPECT(OK, colstore_appender_close(appender, NULL, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_write(appender, &batch, 1, NULL, &err));
    EXPECT(INVALID_ARGUMENT, colstore_appender_flush(appender, NULL, NULL, &err));
    EXPECT(OK, colstore_appender_describe(appender, &info, &err));
    CHECK(info.closed == 1 && info.locked == 0 && info.n_shards == 2 && info.pending_rows == 0);
    colstore_appender_free(appender);
    CHECK(rows_of(directory, "shard_00000.cstore") == 30 && rows_of(directory, "shard_00001.cstore") == 20);

    /* Freed without being closed: no shard, and no lock. */
    options = (colstore_appender_options){.size = sizeof options, .shard_bytes = 48};
    EXPECT(OK, colstore_appender_open(directory, len, &options, &appender, &err));
    EXPECT(OK, colstore_appender_write(appender, &batch, 1, NULL, &err));
    colstore_appender_free(appender);
    EXPECT(OK, colstore_appender_open(directory, len, &options, &appender, &err));
    EXPECT(OK, colstore_appender_write(appender, &batch, 1, NULL, &err));
    EXPECT(OK, colstore_appender_abandon(appender, &err));
    EXPECT(OK, colstore_append(directory, len, &batch, 1, NULL, &path, &err));
    CHECK(is_path_of(path, directory, "shard_00002.cstore"));
    EXPECT(OK, colstore_appender_abandon(appender, &err));
    EXPECT(OK, colstore_appender_describe(appender, &info, &err));
    CHECK(info.closed == 1 && info.locked == 0 && info.pending_rows == 0);
    colstore_appender_free(appender);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    append(SCRATCH);
    cancelled(path_in(SCRATCH, "cancelled"));
    appender(SCRATCH);
    return check_report();
}
