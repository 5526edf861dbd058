/* Reports, cancelling from a callback, from another thread and in advance, and freeing while a call runs. */

#include "check.h"

#include <pthread.h>

typedef struct {
    pthread_t thread;
    colstore_progress *progress;
    int calls, foreign_calls, backwards;
    int cancel_at, free_at; /* the number of a call, from 1 on; 0 for never */
    uint64_t done, total;
} watcher;

static void watch(void *context, uint64_t done, uint64_t total)
{
    watcher *self = context;
    self->calls++;
    self->foreign_calls += !pthread_equal(self->thread, pthread_self());
    self->backwards += done < self->done || done > total;
    self->done = done;
    self->total = total;
    if (self->calls == self->cancel_at) {
        colstore_progress_cancel(self->progress);
    }
    if (self->calls == self->free_at) {
        colstore_progress_free(self->progress);
        self->progress = NULL;
    }
}

static watcher watch_new(int cancel_at, int free_at)
{
    watcher self = {.thread = pthread_self(), .cancel_at = cancel_at, .free_at = free_at};
    return self;
}

static colstore_read_options start(watcher *self)
{
    colstore_error *err = NULL;
    require(colstore_progress_new(watch, self, &self->progress, &err), &err, "progress");
    colstore_read_options options = {.size = sizeof options, .progress = self->progress};
    return options;
}

static void reports(const colstore_table *table, int64_t n_rows, void *out, size_t size)
{
    watcher self = watch_new(0, 0);
    colstore_read_options options = start(&self);
    EXPECT(OK, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
    CHECK(self.calls > 0 && self.foreign_calls == 0 && self.backwards == 0);
    /* In whole pieces of work, so the total may be somewhat more. */
    CHECK(self.done == self.total && self.total >= size);
    /* It serves again. */
    self.calls = 0;
    self.done = 0;
    EXPECT(OK, colstore_table_read_records(table, (size_t[]){0}, 1, 0, n_rows, &options, out, size, &err));
    CHECK(self.calls > 0 && self.foreign_calls == 0 && self.backwards == 0);
    colstore_progress_free(self.progress);
}

static void cancels_from_the_callback(const colstore_table *table, int64_t n_rows, void *out, size_t size)
{
    watcher self = watch_new(1, 0);
    colstore_read_options options = start(&self);
    EXPECT(CANCELLED, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
    /* Once cancelled, it stays so. */
    EXPECT(CANCELLED, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
    colstore_progress_free(self.progress);
}

static void cancels_in_advance(const colstore_table *table, int64_t n_rows, void *out, size_t size)
{
    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_read_options options = {.size = sizeof options, .progress = progress};
    EXPECT(OK, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
    colstore_progress_cancel(progress);
    colstore_progress_cancel(progress);
    EXPECT(CANCELLED, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
    EXPECT(CANCELLED, colstore_table_read_columns(table, (size_t[]){0}, 1, 0, n_rows, &options, (void *[]){out},
                                                  (size_t[]){size}, &err));
    EXPECT(CANCELLED, colstore_table_read_records(table, (size_t[]){0}, 1, 0, n_rows, &options, out, size, &err));
    colstore_progress_free(progress);
}

static void freed_while_a_call_runs(const colstore_table *table, int64_t n_rows, void *out, size_t size)
{
    watcher self = watch_new(0, 1);
    colstore_read_options options = start(&self);
    EXPECT(OK, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
    CHECK(self.calls > 0 && self.progress == NULL);
    self = watch_new(1, 1);
    options = start(&self);
    EXPECT(CANCELLED, colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, &err));
}

static void *cancel_soon(void *progress)
{
    colstore_progress_cancel(progress);
    return NULL;
}

static void cancels_from_another_thread(const colstore_table *table, int64_t n_rows, void *out, size_t size)
{
    watcher self = watch_new(0, 0);
    colstore_read_options options = start(&self);
    pthread_t thread;
    colstore_status status = COLSTORE_STATUS_OK;
    if (pthread_create(&thread, NULL, cancel_soon, self.progress) != 0) {
        CHECK(!"a thread can be started");
    } else {
        while (status == COLSTORE_STATUS_OK) {
            status = colstore_table_read_column(table, 0, 0, n_rows, &options, out, size, NULL);
        }
        pthread_join(thread, NULL);
        CHECK(status == COLSTORE_STATUS_CANCELLED);
        CHECK(self.foreign_calls == 0);
    }
    colstore_progress_free(self.progress);
}

static void storing(const char *path, const void *values, int64_t n_rows)
{
    const colstore_column_data column = column_of("x", "<f8", values, n_rows, 8);
    watcher self = watch_new(0, 0);
    colstore_store_options options = {.size = sizeof options, .progress = start(&self).progress};
    remove(path);
    EXPECT(OK, colstore_store(path, strlen(path), &column, 1, &options, &err));
    CHECK(self.calls > 0 && self.foreign_calls == 0 && self.backwards == 0 && self.done == self.total);
    colstore_progress_cancel(self.progress);
    remove(path);
    EXPECT(CANCELLED, colstore_store(path, strlen(path), &column, 1, &options, &err));
    CHECK(!file_exists(path));
    colstore_progress_free(self.progress);

    self = watch_new(1, 0);
    options.progress = start(&self).progress;
    EXPECT(CANCELLED, colstore_store(path, strlen(path), &column, 1, &options, &err));
    CHECK(!file_exists(path));
    colstore_progress_free(self.progress);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    /* Enough for several threads. */
    const int64_t n_rows = under_valgrind() ? 1 << 20 : 1 << 22;
    const size_t size = (size_t)n_rows * 8;
    const char *path = path_in(SCRATCH, "progress.cstore");
    double *values = allocate(size), *out = allocate(size);
    for (int64_t i = 0; i < n_rows; i++) {
        values[i] = (double)i;
    }
    const colstore_column_data column = column_of("x", "<f8", values, n_rows, 8);
    store_or_exit(path, &column, 1);
    colstore_table *table = open_or_exit(path);
    reports(table, n_rows, out, size);
    CHECK(memcmp(out, values, size) == 0);
    cancels_from_the_callback(table, n_rows, out, size);
    cancels_in_advance(table, n_rows, out, size);
    freed_while_a_call_runs(table, n_rows, out, size);
    cancels_from_another_thread(table, n_rows, out, size);
    storing(path_in(SCRATCH, "progress stored.cstore"), values, n_rows);
    colstore_table_free(table);
    colstore_progress_free(NULL);
    colstore_progress_cancel(NULL);
    free(values);
    free(out);
    remove(path);
    return check_report();
}
