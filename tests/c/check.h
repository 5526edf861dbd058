/* What the test programs share: checks that are counted, and short ways to make arguments.
 *
 * Every program is started as PROGRAM GOLDEN_DIRECTORY SCRATCH_DIRECTORY [MORE], prints "N passed, M failed" at the
 * end, and exits with 1 if anything failed. */

#ifndef CHECK_H
#define CHECK_H

/* For what the programs use of POSIX. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colstore.h"

static int check_passed;
static int check_failed;

#define UNUSED_FUNCTION __attribute__((unused)) static

#define CHECK(condition) check_that((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

/* Checks that a call, which uses `&err`, gives a status; and the error that goes with it. */
#define EXPECT(status, call)                                                                                 \
    do {                                                                                                     \
        colstore_error *err = NULL;                                                                          \
        colstore_status came_to = (call);                                                                    \
        check_status(COLSTORE_STATUS_##status, came_to, err, #call, __FILE__, __LINE__);                     \
    } while (0)

UNUSED_FUNCTION void check_that(int holds, const char *what, const char *file, int line)
{
    if (holds) {
        check_passed++;
    } else {
        check_failed++;
        printf("%s:%d: failed: %s\n", file, line, what);
    }
}

/* Takes the error. */
UNUSED_FUNCTION void check_status(
    colstore_status expected, colstore_status found, colstore_error *err, const char *what, const char *file, int line)
{
    size_t len = 0;
    const char *message = colstore_error_message(err, &len);
    if (found != expected) {
        check_failed++;
        printf("%s:%d: failed: %s is %s, not %s: %s\n", file, line, what, colstore_status_name(found),
               colstore_status_name(expected), message);
    } else if (found == COLSTORE_STATUS_OK) {
        check_that(err == NULL, "an error without a failure", file, line);
    } else {
        check_that(err != NULL && colstore_error_status(err) == found, "the error has the status", file, line);
        check_that(len > 0 && strlen(message) <= len, "the error has a message", file, line);
        check_that(message[len] == '\0', "the message ends with a NUL", file, line);
    }
    colstore_error_free(err);
}

/* Stops the program where going on makes no sense. */
UNUSED_FUNCTION void require(colstore_status status, colstore_error *const *err, const char *what)
{
    if (status != COLSTORE_STATUS_OK) {
        printf("cannot go on: %s: %s\n", what, colstore_error_message(*err, NULL));
        exit(2);
    }
}

UNUSED_FUNCTION int check_report(void)
{
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed == 0 && check_passed > 0 ? 0 : 1;
}

/* DIRECTORY/NAME in a static buffer, one of eight that are used in turn. */
UNUSED_FUNCTION const char *path_in(const char *directory, const char *name)
{
    static char buffers[8][4096];
    static int next;
    char *buffer = buffers[next++ % 8];
    snprintf(buffer, sizeof buffers[0], "%s/%s", directory, name);
    return buffer;
}

UNUSED_FUNCTION colstore_table *open_or_exit(const char *path)
{
    colstore_error *err = NULL;
    colstore_table *table = NULL;
    require(colstore_table_open(path, strlen(path), NULL, &table, &err), &err, path);
    return table;
}

UNUSED_FUNCTION colstore_column_data column_of(
    const char *name, const char *dtype, const void *data, int64_t n_rows, int64_t stride)
{
    colstore_column_data column = {sizeof column, name, strlen(name), dtype, strlen(dtype), data, n_rows, stride};
    return column;
}

UNUSED_FUNCTION void store_or_exit(const char *path, const colstore_column_data *columns, size_t n_columns)
{
    colstore_error *err = NULL;
    colstore_store_options options = {.size = sizeof options, .mode = COLSTORE_STORE_MODE_RECREATE};
    require(colstore_store(path, strlen(path), columns, n_columns, &options, &err), &err, path);
}

UNUSED_FUNCTION void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL) {
        printf("cannot go on: no memory\n");
        exit(2);
    }
    return memory;
}

UNUSED_FUNCTION int file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* Whether the program runs under valgrind, where limits on memory are impossible and much data is slow. */
UNUSED_FUNCTION int under_valgrind(void)
{
    return getenv("COLSTORE_TEST_VALGRIND") != NULL;
}

#define GOLDEN (argv[1])
#define SCRATCH (argv[2])
#define NEED_ARGUMENTS(count)                                                                                \
    do {                                                                                                     \
        if (argc < (count) + 1) {                                                                            \
            printf("usage: %s GOLDEN_DIRECTORY SCRATCH_DIRECTORY ...\n", argv[0]);                           \
            return 2;                                                                                        \
        }                                                                                                    \
    } while (0)

#endif
