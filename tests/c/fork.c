/* After fork() the child reads as the parent does, though the library's threads did not come along; and a process may
 * end while its threads are in the library. */

#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    const colstore_table *table;
    int64_t n_rows;
    const double *expected;
} large_table;

static int reads_right(const large_table *large)
{
    size_t size = (size_t)large->n_rows * sizeof(double);
    double *out = allocate(size);
    colstore_read_options options = {.size = sizeof options, .max_threads = 4};
    int right = colstore_table_read_column(large->table, 0, 0, large->n_rows, &options, out, size, NULL) ==
                    COLSTORE_STATUS_OK &&
                memcmp(out, large->expected, size) == 0;
    free(out);
    return right;
}

/* Whether a child in which `body` runs ends by itself, and with 0. */
static int child_succeeds(void (*body)(const large_table *), const large_table *large)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(120); /* a child that hangs is killed */
        body(large);
        _exit(9);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void read_and_leave(const large_table *large)
{
    _exit(reads_right(large) && reads_right(large) ? 0 : 1);
}

static void read_in_a_grandchild(const large_table *large)
{
    _exit(reads_right(large) && child_succeeds(read_and_leave, large) ? 0 : 1);
}

static void *read_for_ever(void *large)
{
    while (reads_right(large)) {
    }
    return NULL;
}

static void leave_while_reading(const large_table *large)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, read_for_ever, (void *)(uintptr_t)large) != 0) {
            _exit(1);
        }
    }
    usleep(50000);
    exit(0);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const int64_t n_rows = under_valgrind() ? 1 << 19 : 1 << 21;
    const char *path = path_in(SCRATCH, "fork.cstore");
    double *values = allocate((size_t)n_rows * sizeof *values);
    for (int64_t i = 0; i < n_rows; i++) {
        values[i] = (double)i;
    }
    const colstore_column_data column = column_of("x", "<f8", values, n_rows, 8);
    store_or_exit(path, &column, 1);
    colstore_table *table = open_or_exit(path);
    const large_table large = {table, n_rows, values};

    CHECK(child_succeeds(read_and_leave, &large)); /* before the parent has used threads, or after `store` has */
    CHECK(reads_right(&large));
    CHECK(child_succeeds(read_and_leave, &large));
    CHECK(child_succeeds(read_in_a_grandchild, &large));
    CHECK(reads_right(&large));
    if (!under_valgrind()) {
        CHECK(child_succeeds(leave_while_reading, &large));
    }

    colstore_table_free(table);
    free(values);
    remove(path);
    return check_report();
}
