/* Queries over many files: compared with plain loops, for all rows and selections, with any number of threads and from
 * many threads at once; flags, functions of ours on the threads of the library, cancelling, and what is refused. */

#include "dataset.h"
#include "expressions.h"

#include <pthread.h>

static int64_t count_of(const colstore_rows *rows)
{
    int64_t n = -1;
    EXPECT(OK, colstore_rows_count(rows, &n, &err));
    return n;
}

/* Whether row `row` of the data set is one of `x >= 100 and id % 7 == 3 and c < 0`. */
static int holds(int64_t row)
{
    return (double)row * 0.5 >= 100 && row % 7 == 3 && (int32_t)((uint32_t)row * 2654435761u) < 0;
}

static const char CONDITION[] = "x >= 100 and id % 7 == 3 and c < 0";

static void check_rows(const colstore_rows *rows, const int64_t *base, int64_t n_base)
{
    int64_t n = count_of(rows), at = 0;
    int64_t *found = allocate((size_t)n * sizeof *found);
    EXPECT(OK, colstore_rows_positions(rows, 0, n, found, (size_t)n, &err));
    int same = 1;
    for (int64_t i = 0; i < n_base; i++) {
        const int64_t row = base != NULL ? base[i] : i;
        if (holds(row)) {
            same &= at < n && found[at] == row;
            at++;
        }
    }
    CHECK(same && at == n && n > 0);
    free(found);
}

static void selections(const colstore_table *table)
{
    colstore_expr *condition = parsed(CONDITION);
    colstore_rows *rows = NULL, *base = NULL;
    for (int32_t threads = 0; threads <= 3; threads++) {
        const colstore_read_options options = {.size = sizeof options, .max_threads = threads};
        uint32_t flags = 77;
        EXPECT(OK, colstore_rows_filter(table, NULL, condition, &options, &rows, &flags, &err));
        CHECK(flags == 0);
        check_rows(rows, NULL, DATASET_ROWS);
        colstore_rows_free(rows);
    }
    /* Rows backwards, and rows that come twice, in the caller's memory. */
    EXPECT(OK, colstore_rows_range(DATASET_ROWS, DATASET_ROWS - 1, -1, -1, &base, &err));
    EXPECT(OK, colstore_rows_filter(table, base, condition, NULL, &rows, NULL, &err));
    int64_t *numbers = allocate(DATASET_ROWS * sizeof *numbers);
    for (int64_t i = 0; i < DATASET_ROWS; i++) {
        numbers[i] = DATASET_ROWS - 1 - i;
    }
    check_rows(rows, numbers, DATASET_ROWS);
    colstore_rows_free(rows);
    colstore_rows_free(base);
    for (int64_t i = 0; i < DATASET_ROWS; i++) {
        numbers[i] = i * 7919 % DATASET_ROWS / 2;
    }
    EXPECT(OK, colstore_rows_indices(DATASET_ROWS, numbers, COLSTORE_INDEX_TYPE_I64, DATASET_ROWS, 8, 1, &base, &err));
    EXPECT(OK, colstore_rows_filter(table, base, condition, NULL, &rows, NULL, &err));
    colstore_rows_free(base);
    check_rows(rows, numbers, DATASET_ROWS);
    colstore_rows_free(rows);
    free(numbers);

    rows = NULL;
    EXPECT(OK, colstore_rows_all(DATASET_ROWS - 1, &base, &err));
    EXPECT(VALUE, colstore_rows_filter(table, base, condition, NULL, &rows, NULL, &err));
    CHECK(rows == NULL);
    colstore_rows_free(base);
    colstore_expr_free(condition);
}

static void flags(const colstore_table *table)
{
    const struct {
        const char *text;
        uint32_t flags;
    } cases[] = {
        {"1 / id > 2", COLSTORE_FLAG_DIVIDE},
        {"id // (id - id) == 1", COLSTORE_FLAG_DIVIDE},
        {"x * 1e308 * 10 > 1", COLSTORE_FLAG_OVERFLOW},
        {"0 * (x * 1e308 * 1e308) == 1", COLSTORE_FLAG_OVERFLOW | COLSTORE_FLAG_INVALID},
        {"x + 1 > 2", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        colstore_expr *condition = parsed(cases[i].text);
        colstore_rows *rows = NULL;
        uint32_t found = 77;
        EXPECT(OK, colstore_rows_filter(table, NULL, condition, NULL, &rows, &found, &err));
        /* Valgrind does not keep the flags of the processor. */
        if (!under_valgrind()) {
            CHECK(found == cases[i].flags);
        }
        colstore_rows_free(rows);
        colstore_expr_free(condition);
    }
}

static void refused(const colstore_table *table)
{
    colstore_rows *rows = NULL;
    uint32_t found = 77;
    const struct {
        const char *text;
        colstore_status status;
    } cases[] = {
        {"x", COLSTORE_STATUS_QUERY},       {"y > 1", COLSTORE_STATUS_QUERY}, {"-s == 'a'", COLSTORE_STATUS_TYPE},
        {"b + 300 > 1", COLSTORE_STATUS_OVERFLOW}, {"id ** -1 == 1", COLSTORE_STATUS_VALUE},
        {"id ** (0 - id) == 1", COLSTORE_STATUS_VALUE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        colstore_error *err = NULL;
        colstore_expr *condition = parsed(cases[i].text);
        const colstore_status status = colstore_rows_filter(table, NULL, condition, NULL, &rows, &found, &err);
        check_status(cases[i].status, status, err, cases[i].text, __FILE__, __LINE__);
        colstore_expr_free(condition);
    }
    CHECK(rows == NULL && found == 77);
}

typedef struct {
    const colstore_table *table;
    const colstore_expr *condition;
    int64_t count;
    colstore_status status;
} job;

static void *run(void *context)
{
    job *self = context;
    colstore_rows *rows = NULL;
    self->status = colstore_rows_filter(self->table, NULL, self->condition, NULL, &rows, NULL, NULL);
    self->count = -1;
    if (self->status == COLSTORE_STATUS_OK) {
        colstore_rows_count(rows, &self->count, NULL);
    }
    colstore_rows_free(rows);
    return NULL;
}

enum { N_THREADS = 4 };

/* One condition, with a function of ours in it, from many threads at once. */
static void threads(const colstore_table *table)
{
    counter works = {0}, fails = {.fail_at = 3};
    for (int failing = 0; failing < 2; failing++) {
        colstore_expr *c = NULL, *narrow = col("c");
        EXPECT(OK, colstore_expr_cast(narrow, TEXT("<f8"), &c, &err));
        counter *context = failing ? &fails : &works;
        colstore_expr *condition = call("greater", summed(context, col("x"), c), real(0));
        colstore_expr_free(narrow);
        int64_t expected = 0;
        for (int64_t row = 0; row < DATASET_ROWS; row++) {
            expected += (double)row * 0.5 + (double)(int32_t)((uint32_t)row * 2654435761u) > 0;
        }
        job jobs[N_THREADS];
        pthread_t ids[N_THREADS];
        for (int i = 0; i < N_THREADS; i++) {
            jobs[i] = (job){.table = table, .condition = condition};
            CHECK(pthread_create(&ids[i], NULL, run, &jobs[i]) == 0);
        }
        for (int i = 0; i < N_THREADS; i++) {
            pthread_join(ids[i], NULL);
            if (failing) {
                CHECK(jobs[i].status == COLSTORE_STATUS_CALLBACK);
            } else {
                CHECK(jobs[i].status == COLSTORE_STATUS_OK && jobs[i].count == expected);
            }
        }
        CHECK(context->calls >= N_THREADS && context->released == 0);
        colstore_expr_free(condition);
        CHECK(context->released == 1);
    }
}

/* A function of ours that queries the table itself, on whichever thread it is called. */
static int32_t asks(void *context, const void *const *args, size_t n_args, int64_t n_rows, void *out, int64_t *code)
{
    job inner = *(const job *)context;
    run(&inner);
    memcpy(out, args[0], (size_t)n_rows * sizeof(double));
    *code = inner.count;
    return n_args != 1 || inner.status != COLSTORE_STATUS_OK || inner.count != ((const job *)context)->count;
}

static void queries_within_queries(const colstore_table *table)
{
    colstore_expr *other = parsed("x + 1 >= 1 and id % 7 == 3");
    job inner = {.table = table, .condition = other};
    run(&inner);
    CHECK(inner.status == COLSTORE_STATUS_OK && inner.count > 0);
    colstore_expr *same = NULL, *x = col("x");
    const colstore_expr *const args[] = {x};
    EXPECT(OK, colstore_expr_callback(asks, &inner, NULL, TEXT("<f8"), args, 1, &same, &err));
    colstore_expr_free(x);
    colstore_expr *condition = call("less", same, real(100));
    for (int32_t threads = 0; threads <= 4; threads += 2) {
        const colstore_read_options options = {.size = sizeof options, .max_threads = threads};
        colstore_rows *rows = NULL;
        EXPECT(OK, colstore_rows_filter(table, NULL, condition, &options, &rows, NULL, &err));
        CHECK(count_of(rows) == 200);
        colstore_rows_free(rows);
    }
    colstore_expr_free(condition);
    colstore_expr_free(other);
}

static void cancelled(const colstore_table *table)
{
    colstore_progress *progress = NULL;
    colstore_rows *rows = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    const colstore_read_options options = {.size = sizeof options, .progress = progress};
    colstore_expr *condition = parsed(CONDITION);
    EXPECT(CANCELLED, colstore_rows_filter(table, NULL, condition, &options, &rows, NULL, &err));
    CHECK(rows == NULL);
    colstore_expr_free(condition);
    colstore_progress_free(progress);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(4);
    dataset data = open_dataset(DATASET, parts, N_PARTS);
    selections(data.table);
    flags(data.table);
    refused(data.table);
    threads(data.table);
    queries_within_queries(data.table);
    cancelled(data.table);
    close_dataset(&data);

    dataset swapped = open_dataset(path_in(DATASET, "swapped"), parts, N_PARTS);
    selections(swapped.table);
    close_dataset(&swapped);
    return check_report();
}
