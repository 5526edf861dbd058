/* Writing record by record: modes, commits, locks, what is refused, and what a fork or a missing close leaves. */

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static colstore_writer *open_writer(const char *path, enum colstore_writer_mode mode)
{
    colstore_error *err = NULL;
    colstore_writer *writer = NULL;
    colstore_writer_options options = {.size = sizeof options, .mode = mode};
    require(colstore_writer_open(path, strlen(path), &options, &writer, &err), &err, path);
    return writer;
}

static void write_numbers(colstore_writer *writer, int32_t first, int64_t n)
{
    int32_t *values = allocate((size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++) {
        values[i] = first + (int32_t)i;
    }
    const colstore_column_data column = column_of("x", "<i4", values, n, sizeof *values);
    EXPECT(OK, colstore_writer_write(writer, &column, 1, &err));
    free(values);
}

/* The file holds the numbers from 0 up to n. */
static void holds(const char *path, int64_t n, int64_t n_records)
{
    colstore_table *table = open_or_exit(path);
    int64_t found = -1, records = -1;
    int32_t *values = allocate((size_t)n * sizeof *values);
    EXPECT(OK, colstore_table_n_rows(table, &found, &err));
    EXPECT(OK, colstore_table_n_records(table, &records, &err));
    CHECK(found == n && records == n_records);
    EXPECT(OK, colstore_table_read_column(table, 0, 0, n, NULL, values, (size_t)n * sizeof *values, &err));
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        wrong += values[i] != (int32_t)i;
    }
    CHECK(wrong == 0);
    free(values);
    colstore_table_free(table);
}

static colstore_writer_info info_of(const colstore_writer *writer)
{
    colstore_writer_info info = {.size = sizeof info};
    EXPECT(OK, colstore_writer_describe(writer, &info, &err));
    return info;
}

static void a_session(const char *path)
{
    remove(path);
    colstore_writer *writer = open_writer(path, COLSTORE_WRITER_MODE_CREATE);
    write_numbers(writer, 0, 1000);
    write_numbers(writer, 1000, 0);
    write_numbers(writer, 1000, 50000);
    colstore_writer_info info = info_of(writer);
    CHECK(info.n_records == 3 && info.n_rows == 51000 && info.is_locked == 1 && info.is_closed == 0);
    EXPECT(OK, colstore_writer_commit(writer, &err));
    holds(path, 51000, 3);
    static const int32_t more[] = {51000, 51001};
    EXPECT(OK, colstore_writer_write_packed(writer, 2, more, sizeof more, &err));
    holds(path, 51000, 3);
    EXPECT(OK, colstore_writer_close(writer, &err));
    EXPECT(OK, colstore_writer_close(writer, &err));
    holds(path, 51002, 4);
    CHECK(info_of(writer).is_closed == 1);
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(writer, 2, more, sizeof more, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_commit(writer, &err));
    colstore_writer_free(writer);

    writer = open_writer(path, COLSTORE_WRITER_MODE_UPDATE);
    colstore_schema *schema = NULL;
    size_t index = SIZE_MAX;
    EXPECT(OK, colstore_writer_schema(writer, &schema, &err));
    EXPECT(OK, colstore_schema_find(schema, "x", 1, &index, &err));
    colstore_schema_free(schema);
    write_numbers(writer, 51002, 10);
    EXPECT(OK, colstore_writer_close(writer, &err));
    colstore_writer_free(writer);
    holds(path, 51012, 5);

    writer = open_writer(path, COLSTORE_WRITER_MODE_RECREATE);
    write_numbers(writer, 0, 5);
    holds(path, 51012, 5);
    EXPECT(OK, colstore_writer_close(writer, &err));
    colstore_writer_free(writer);
    holds(path, 5, 1);
}

static void without_a_close(const char *path)
{
    remove(path);
    colstore_writer *writer = open_writer(path, COLSTORE_WRITER_MODE_CREATE);
    write_numbers(writer, 0, 5);
    colstore_writer_free(writer);
    CHECK(!file_exists(path));
    writer = open_writer(path, COLSTORE_WRITER_MODE_CREATE);
    write_numbers(writer, 0, 5);
    EXPECT(OK, colstore_writer_commit(writer, &err));
    write_numbers(writer, 5, 5);
    colstore_writer_free(writer);
    holds(path, 5, 1);
    writer = open_writer(path, COLSTORE_WRITER_MODE_RECREATE);
    write_numbers(writer, 0, 9);
    EXPECT(OK, colstore_writer_abandon(writer, &err));
    EXPECT(OK, colstore_writer_abandon(writer, &err));
    CHECK(info_of(writer).is_closed == 1);
    EXPECT(OK, colstore_writer_close(writer, &err));
    colstore_writer_free(writer);
    holds(path, 5, 1);
}

static void locks(const char *path)
{
    colstore_writer *second = NULL;
    colstore_writer_options options = {.size = sizeof options, .mode = COLSTORE_WRITER_MODE_UPDATE};
    size_t len = strlen(path);
    colstore_writer *first = open_writer(path, COLSTORE_WRITER_MODE_RECREATE);
    write_numbers(first, 0, 7);
    for (int round = 0; round < 2; round++) {
        for (int32_t mode = COLSTORE_WRITER_MODE_RECREATE; mode <= COLSTORE_WRITER_MODE_UPDATE; mode++) {
            options.mode = mode;
            EXPECT(LOCKED, colstore_writer_open(path, len, &options, &second, &err));
        }
        EXPECT(ALREADY_EXISTS, colstore_writer_open(path, len, NULL, &second, &err));
        EXPECT(OK, colstore_writer_commit(first, &err));
    }
    CHECK(second == NULL);
    options.lock = COLSTORE_LOCK_POLICY_OFF;
    EXPECT(OK, colstore_writer_open(path, len, &options, &second, &err));
    CHECK(info_of(second).is_locked == 0);
    colstore_writer_free(second);
    EXPECT(OK, colstore_writer_close(first, &err));
    colstore_writer_free(first);
    holds(path, 7, 1);
}

static void refusals(const char *path)
{
    static const int32_t values[] = {1, 2, 3};
    colstore_writer *writer = NULL;
    size_t len = strlen(path);
    static const struct {
        int32_t mode, statistics, lock, max_threads;
    } wrong[] = {{3, 0, 0, 0}, {-1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 4, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
    remove(path);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const colstore_writer_options options = {
            sizeof options, wrong[i].mode, wrong[i].statistics, wrong[i].lock, wrong[i].max_threads, NULL,
        };
        EXPECT(INVALID_ARGUMENT, colstore_writer_open(path, len, &options, &writer, &err));
    }
    const colstore_writer_options update = {.size = sizeof update, .mode = COLSTORE_WRITER_MODE_UPDATE};
    EXPECT(NOT_FOUND, colstore_writer_open(path, len, &update, &writer, &err));
    CHECK(writer == NULL && !file_exists(path));

    writer = open_writer(path, COLSTORE_WRITER_MODE_CREATE);
    EXPECT(INVALID_ARGUMENT, colstore_writer_write(writer, NULL, 0, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(writer, 3, values, sizeof values, &err));
    colstore_column_data column = column_of("x", "<i4", values, 3, 4);
    EXPECT(OK, colstore_writer_write(writer, &column, 1, &err));
    column.name = "y";
    EXPECT(INVALID_ARGUMENT, colstore_writer_write(writer, &column, 1, &err));
    column = column_of("x", "<u4", values, 3, 4);
    EXPECT(INVALID_ARGUMENT, colstore_writer_write(writer, &column, 1, &err));
    column = column_of("x", "O", values, 3, 4);
    EXPECT(UNSUPPORTED_TYPE, colstore_writer_write(writer, &column, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(writer, 2, values, sizeof values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(writer, -3, values, sizeof values, &err));
    EXPECT(INVALID_ARGUMENT, colstore_writer_write_packed(writer, INT64_MAX, values, sizeof values, &err));
    CHECK(info_of(writer).n_records == 1);
    EXPECT(OK, colstore_writer_close(writer, &err));
    colstore_writer_free(writer);
}

/* A child has the writer's memory, but neither its lock nor its file to clean up. */
static void forks(const char *path)
{
    remove(path);
    colstore_writer *writer = open_writer(path, COLSTORE_WRITER_MODE_CREATE);
    write_numbers(writer, 0, 5);
    pid_t child = fork();
    if (child == 0) {
        int refused = colstore_writer_commit(writer, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT;
        colstore_writer_free(writer);
        _exit(refused ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    colstore_writer *second = NULL;
    const colstore_writer_options update = {.size = sizeof update, .mode = COLSTORE_WRITER_MODE_UPDATE};
    EXPECT(LOCKED, colstore_writer_open(path, strlen(path), &update, &second, &err));
    write_numbers(writer, 5, 5);
    EXPECT(OK, colstore_writer_close(writer, &err));
    colstore_writer_free(writer);
    holds(path, 10, 2);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const char *path = path_in(SCRATCH, "writer.cstore");
    a_session(path);
    without_a_close(path);
    locks(path);
    refusals(path);
    forks(path);
    return check_report();
}
