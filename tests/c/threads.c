/* Eight threads with the same handles at once get what one thread gets. */

#include "dataset.h"

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

/* Selections in the hands of all threads at once: every one reads a data set of many files through each. */
typedef struct {
    const dataset *data;
    const selection *selections;
    size_t n_selections;
    char *const *expected; /* of each selection, column 0 */
    const colstore_scalar *sums;
    int number;
    int failures;
} reader;

static void *read_selections(void *argument)
{
    reader *self = argument;
    const size_t width = self->data->widths[0];
    for (size_t k = 0; k < self->n_selections * 3; k++) {
        const size_t i = (k + (size_t)self->number) % self->n_selections, size = self->selections[i].n * width;
        const colstore_rows *rows = self->selections[i].rows;
        const colstore_read_options options = {.size = sizeof options, .max_threads = (int32_t)(k % 4)};
        char *out = allocate(size);
        int64_t count = 0;
        colstore_scalar sum = {.size = sizeof sum};
        self->failures += colstore_rows_count(rows, &count, NULL) != COLSTORE_STATUS_OK ||
                          count != (int64_t)self->selections[i].n;
        self->failures += colstore_table_read_column_at(self->data->table, 0, rows, &options, out, size, NULL) !=
                              COLSTORE_STATUS_OK ||
                          memcmp(out, self->expected[i], size) != 0;
        self->failures += colstore_table_reduce(self->data->table, 0, rows, COLSTORE_REDUCTION_SUM, 0, &options, &sum,
                                                NULL) != COLSTORE_STATUS_OK ||
                          memcmp(&sum, &self->sums[i], sizeof sum) != 0;
        colstore_rows *made = NULL;
        self->failures += colstore_rows_select(rows, rows, &made, NULL) == COLSTORE_STATUS_OK &&
                          count != self->data->n_rows;
        colstore_rows_free(made);
        free(out);
    }
    return NULL;
}

static void selections_together(const char *directory)
{
    dataset data = open_dataset(directory, parts, N_PARTS);
    const int64_t n = data.n_rows;
    selection selections[] = {
        select_all(n),
        select_range(n, n - 1, -1, -3),
        select_indices(n, 20000, SCATTERED, COLSTORE_INDEX_TYPE_I32, 4, 1),
        select_indices(n, 20000, ASCENDING, COLSTORE_INDEX_TYPE_I64, 8, 0),
        select_mask(n, 2, 1),
        select_bits(n, 100),
    };
    const size_t n_selections = sizeof selections / sizeof selections[0], width = data.widths[0];
    char *expected[6];
    colstore_scalar sums[6];
    for (size_t i = 0; i < n_selections; i++) {
        expected[i] = allocate(selections[i].n * width);
        sums[i] = (colstore_scalar){.size = sizeof sums[i], .kind = 'i'};
        for (size_t k = 0; k < selections[i].n; k++) {
            memcpy(expected[i] + k * width, data.values[0] + (size_t)selections[i].expected[k] * width, width);
            sums[i].int_value += selections[i].expected[k]; /* column 0 is the number of the row */
        }
    }
    pthread_t threads[N_THREADS];
    reader readers[N_THREADS];
    for (int i = 0; i < N_THREADS; i++) {
        readers[i] = (reader){&data, selections, n_selections, expected, sums, i, 0};
        if (pthread_create(&threads[i], NULL, read_selections, &readers[i]) != 0) {
            printf("cannot go on: no thread\n");
            exit(2);
        }
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(readers[i].failures == 0);
    }
    for (size_t i = 0; i < n_selections; i++) {
        free(expected[i]);
        free_selection(&selections[i]);
    }
    close_dataset(&data);
}

/* Settings in all threads' hands: only values that were set come out. */
static void *set_and_get(void *failures)
{
    static const char *const values[] = {"1", "2", "auto"};
    for (int i = 0; i < 1000; i++) {
        char out[16];
        size_t len = 0;
        const char *value = values[i % 3];
        int bad = colstore_config_set("max_threads", 11, value, strlen(value), NULL) != COLSTORE_STATUS_OK ||
                  colstore_config_get("max_threads", 11, out, sizeof out, &len, NULL) != COLSTORE_STATUS_OK;
        bad = bad || (len != 1 && len != 4);
        *(int *)failures += bad;
    }
    return NULL;
}

static void settings_together(void)
{
    pthread_t threads[N_THREADS];
    int failures[N_THREADS] = {0};
    for (int i = 0; i < N_THREADS; i++) {
        if (pthread_create(&threads[i], NULL, set_and_get, &failures[i]) != 0) {
            printf("cannot go on: no thread\n");
            exit(2);
        }
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(failures[i] == 0);
    }
    EXPECT(OK, colstore_config_set("max_threads", 11, "auto", 4, &err));
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
    NEED_ARGUMENTS(4);
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
    selections_together(DATASET);
    settings_together();
    return check_report();
}
