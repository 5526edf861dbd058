/* Eight threads with the same handles at once get what one thread gets. */

#include "check.h"

#include <pthread.h>

#define N_THREADS 8

typedef struct {
    const char *path;
    const colstore_table *table;
    const colstore_schema *schema;
    const colstore_view *view;
    const char *const *expected; /* of each column, read by one thread */
    const size_t *widths;
    size_t n_columns;
    int64_t n_rows;
    int repeats;
    pthread_barrier_t *barrier;
    int number;
    int failures;
} worker;

static void expect(worker *self, int holds)
{
    self->failures += !holds;
}

static void read_ranges(worker *self, size_t i, int repeat)
{
    int64_t start = (self->n_rows * ((self->number + repeat) % N_THREADS)) / N_THREADS / 2;
    int64_t stop = self->n_rows - (repeat % 3 == 0 ? 0 : self->n_rows / 5);
    if (stop < start) {
        stop = start;
    }
    size_t size = (size_t)(stop - start) * self->widths[i];
    char *out = allocate(size);
    colstore_read_options options = {.size = sizeof options, .max_threads = repeat % 4};
    expect(self, colstore_table_read_column(self->table, i, start, stop, &options, out, size, NULL) ==
                     COLSTORE_STATUS_OK);
    expect(self, memcmp(out, self->expected[i] + (size_t)start * self->widths[i], size) == 0);
    free(out);
}

static void fail_meanwhile(worker *self)
{
    colstore_error *err = NULL;
    char byte;
    size_t index;
    expect(self, colstore_table_read_column(self->table, 0, -1, self->number, NULL, &byte, 1, &err) ==
                     COLSTORE_STATUS_OUT_OF_BOUNDS);
    int64_t row = 0;
    expect(self, colstore_error_row(err, &row) && row == -1);
    colstore_error_free(err);
    expect(self, colstore_schema_find(self->schema, "no such column", 14, &index, NULL) ==
                     COLSTORE_STATUS_UNKNOWN_COLUMN);
}

static void open_anew(worker *self)
{
    colstore_table *table = NULL;
    colstore_view *view = NULL;
    colstore_view_info info = {.size = sizeof info};
    int64_t n_rows = 0;
    expect(self, colstore_table_open(self->path, strlen(self->path), NULL, &table, NULL) == COLSTORE_STATUS_OK);
    expect(self, colstore_table_n_rows(table, &n_rows, NULL) == COLSTORE_STATUS_OK && n_rows == self->n_rows);
    colstore_status status = colstore_table_view_column(table, 0, 0, self->n_rows, &view, NULL);
    colstore_table_free(table);
    expect(self, status == (self->view != NULL ? COLSTORE_STATUS_OK : COLSTORE_STATUS_NOT_CONTIGUOUS));
    if (status == COLSTORE_STATUS_OK) {
        /* A view of a table that is gone. */
        expect(self, colstore_view_describe(view, &info, NULL) == COLSTORE_STATUS_OK && info.n_rows == self->n_rows);
        expect(self, memcmp(info.data, self->expected[0], (size_t)self->n_rows * self->widths[0]) == 0);
        colstore_view_free(view);
    }
    if (self->view != NULL) {
        size_t size = (size_t)self->n_rows * self->widths[0];
        expect(self, colstore_view_describe(self->view, &info, NULL) == COLSTORE_STATUS_OK);
        expect(self, memcmp(info.data, self->expected[0], size) == 0);
    }
}

static void *work(void *argument)
{
    worker *self = argument;
    pthread_barrier_wait(self->barrier);
    for (int repeat = 0; repeat < self->repeats; repeat++) {
        for (size_t k = 0; k < self->n_columns; k++) {
            read_ranges(self, (k + (size_t)self->number) % self->n_columns, repeat);
        }
        fail_meanwhile(self);
        open_anew(self);
    }
    return NULL;
}

static void together(const char *path, int repeats)
{
    colstore_error *err = NULL;
    colstore_table *table = open_or_exit(path);
    colstore_schema *schema = NULL;
    colstore_view *view = NULL;
    size_t n_columns = 0;
    int64_t n_rows = 0;
    require(colstore_table_schema(table, &schema, &err), &err, "schema");
    require(colstore_schema_n_columns(schema, &n_columns, &err), &err, "columns");
    require(colstore_table_n_rows(table, &n_rows, &err), &err, "rows");
    if (colstore_table_view_column(table, 0, 0, n_rows, &view, NULL) != COLSTORE_STATUS_OK) {
        view = NULL; /* several records, or big-endian */
    }
    char **expected = allocate(n_columns * sizeof *expected);
    size_t *widths = allocate(n_columns * sizeof *widths);
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        colstore_read_options options = {.size = sizeof options, .max_threads = 1};
        require(colstore_schema_column(schema, i, &column, &err), &err, "column");
        widths[i] = column.dtype.itemsize;
        expected[i] = allocate((size_t)n_rows * widths[i]);
        require(colstore_table_read_column(table, i, 0, n_rows, &options, expected[i], (size_t)n_rows * widths[i], &err),
                &err, "read");
    }

    pthread_barrier_t barrier;
    pthread_t threads[N_THREADS];
    worker workers[N_THREADS];
    pthread_barrier_init(&barrier, NULL, N_THREADS);
    for (int i = 0; i < N_THREADS; i++) {
        workers[i] = (worker){path,   table,   schema, view, (const char *const *)expected, widths, n_columns,
                              n_rows, repeats, &barrier, i, 0};
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) {
            printf("cannot go on: no thread\n");
            exit(2);
        }
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(workers[i].failures == 0);
    }
    pthread_barrier_destroy(&barrier);
    for (size_t i = 0; i < n_columns; i++) {
        free(expected[i]);
    }
    free(expected);
    free(widths);
    colstore_view_free(view);
    colstore_schema_free(schema);
    colstore_table_free(table);
}

/* Large enough for the library's own threads. */
static void store_large(const char *path)
{
    const int64_t n_rows = under_valgrind() ? 200003 : 2000003;
    double *x = allocate((size_t)n_rows * sizeof *x);
    int32_t *y = allocate((size_t)n_rows * sizeof *y);
    for (int64_t i = 0; i < n_rows; i++) {
        x[i] = (double)i * 0.5;
        y[i] = (int32_t)(i * 2654435761u);
    }
    const colstore_column_data columns[] = {column_of("x", "<f8", x, n_rows, 8), column_of("y", "<i4", y, n_rows, 4)};
    store_or_exit(path, columns, 2);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const char *large = path_in(SCRATCH, "threads.cstore");
    const int repeats = under_valgrind() ? 2 : 20;
    together(path_in(GOLDEN, "corrupt/_base.cstore"), repeats * 5);
    together(path_in(GOLDEN, "all_dtypes_multi.cstore"), repeats);
    together(path_in(GOLDEN, "all_dtypes_single.cstore"), repeats);
    together(path_in(GOLDEN, "many_records.cstore"), repeats);
    together(path_in(GOLDEN, "foreign/big_endian_dtypes.cstore"), repeats);
    store_large(large);
    together(large, repeats / 2);
    remove(large);
    return check_report();
}
