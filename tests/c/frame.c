/* Frames: columns of one's own, edits, cuts, reads, ranges, records, reductions, memory of ours, files; many threads on
 * one frame; what is refused, and that a frame is as it was then. */

#include "expressions.h"

#include <math.h>
#include <pthread.h>

static colstore_frame *frame_of(const colstore_table *table)
{
    colstore_error *err = NULL;
    colstore_frame *frame = NULL;
    require(colstore_frame_new(table, NULL, &frame, &err), &err, "a frame");
    return frame;
}

/* Assigns one column; takes the value. */
static void assign(colstore_frame *frame, const char *name, colstore_expr *value)
{
    const size_t len = strlen(name);
    EXPECT(OK, colstore_frame_assign(frame, &name, &len, (const colstore_expr *const[]){value}, 1, &err));
    colstore_expr_free(value);
}

static void cut(colstore_frame *frame, const char *text)
{
    colstore_expr *condition = parsed(text);
    EXPECT(OK, colstore_frame_filter(frame, condition, NULL, 0, NULL, &err));
    colstore_expr_free(condition);
}

/* Whether the columns are these, as "name dtype name dtype ". */
static int has_columns(const colstore_frame *frame, const char *expected)
{
    char found[512] = "";
    size_t n = 0, at = 0;
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_frame_schema(frame, &schema, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n, &err));
    for (size_t i = 0; i < n; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        at += (size_t)snprintf(found + at, sizeof found - at, "%.*s %.*s ", (int)column.name_len, column.name,
                               (int)column.native_text_len, column.native_text);
    }
    colstore_schema_free(schema);
    if (strcmp(found, expected) != 0) {
        printf("the columns are: %s\n", found);
        return 0;
    }
    return 1;
}

static int64_t count_of(const colstore_frame *frame)
{
    int64_t n = -1;
    EXPECT(OK, colstore_frame_count(frame, NULL, &n, NULL, &err));
    return n;
}

/* Whether a column of float64, by position, has these values in the rows that the cuts leave. */
static int has_values(const colstore_frame *frame, size_t column, const double *expected, int64_t n)
{
    double found[2 * N_EVENTS];
    void *const outs[] = {found};
    const size_t sizes[] = {(size_t)n * sizeof(double)};
    EXPECT(OK, colstore_frame_read_columns(frame, &column, 1, 0, n, NULL, outs, sizes, NULL, &err));
    return memcmp(found, expected, sizes[0]) == 0;
}

static colstore_scalar reduced(const colstore_frame *frame, colstore_expr *value, colstore_reduction reduction)
{
    colstore_scalar scalar = {.size = sizeof scalar};
    EXPECT(OK, colstore_frame_reduce(frame, value, reduction, 0, NULL, &scalar, NULL, &err));
    colstore_expr_free(value);
    return scalar;
}

static void edits(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table), *other = NULL;
    const char *const names[] = {"x", "n", "u"};
    const size_t lens[] = {1, 1, 1};
    CHECK(has_columns(frame, "x <f8 n <i4 u |u1 s |S3 t <U2 b |b1 d <M8[s] "));
    EXPECT(OK, colstore_frame_select(frame, names, lens, 3, &err));
    CHECK(has_columns(frame, "x <f8 n <i4 u |u1 "));
    EXPECT(OK, colstore_frame_clone(frame, &other, &err));

    /* Replaced in place, of what was there; others come last; a constant is in every row. */
    colstore_expr *values[] = {parsed("x * 2"), parsed("x + n"), integer(7)};
    const char *const given[] = {"x", "sum", "seven"};
    const size_t given_lens[] = {1, 3, 5};
    EXPECT(OK, colstore_frame_assign(frame, given, given_lens, (const colstore_expr *const *)values, 3, &err));
    for (int i = 0; i < 3; i++) {
        colstore_expr_free(values[i]);
    }
    CHECK(has_columns(frame, "x <f8 n <i4 u |u1 sum <f8 seven <i8 "));
    CHECK(has_values(frame, 0, (const double[]){1, 3, -5, 7, 9, -11}, 6));
    CHECK(has_values(frame, 3, (const double[]){1.5, 3.5, 0.5, 7.5, 9.5, 0.5}, 6));
    /* A column is taken itself: what the name is given later changes nothing. */
    colstore_expr *x = NULL;
    EXPECT(OK, colstore_frame_column(frame, TEXT("x"), &x, &err));
    assign(frame, "x", parsed("x + 1"));
    assign(frame, "old", x);
    CHECK(has_values(frame, 5, (const double[]){1, 3, -5, 7, 9, -11}, 6));
    CHECK(has_values(frame, 0, (const double[]){2, 4, -4, 8, 10, -10}, 6));
    CHECK(has_columns(other, "x <f8 n <i4 u |u1 "));
    CHECK(has_values(other, 0, events_x, 6));

    const char *const olds[] = {"x", "old"}, *const news[] = {"old", "x"};
    const size_t old_lens[] = {1, 3}, new_lens[] = {3, 1};
    EXPECT(OK, colstore_frame_rename(other, olds, old_lens, (const char *const[]){"y"}, lens, 1, &err));
    CHECK(has_columns(other, "y <f8 n <i4 u |u1 "));
    EXPECT(OK, colstore_frame_drop(frame, given + 1, given_lens + 1, 2, &err));
    CHECK(has_columns(frame, "x <f8 n <i4 u |u1 old <f8 "));
    const char *const dtypes[] = {"f4", ">i8"};
    const size_t dtype_lens[] = {2, 3};
    EXPECT(OK, colstore_frame_cast(frame, names, lens, dtypes, dtype_lens, 2, &err));
    CHECK(has_columns(frame, "x <f4 n <i8 u |u1 old <f8 "));

    /* Refused; nothing changes. */
    colstore_expr *unknown = parsed("energy * 2"), *text = call("negative", col("x"), NULL), *big = parsed("u + 256");
    const colstore_expr *const wrong[] = {text, unknown};
    EXPECT(KEY, colstore_frame_assign(frame, given, given_lens, wrong, 2, &err));
    EXPECT(OVERFLOW, colstore_frame_assign(frame, given, given_lens, (const colstore_expr *const[]){big}, 1, &err));
    EXPECT(KEY, colstore_frame_drop(frame, (const char *const[]){"x", "energy"}, (const size_t[]){1, 6}, 2, &err));
    EXPECT(KEY, colstore_frame_select(frame, (const char *const[]){"energy"}, (const size_t[]){6}, 1, &err));
    EXPECT(VALUE, colstore_frame_select(frame, (const char *const[]){"x", "x"}, lens, 2, &err));
    EXPECT(KEY, colstore_frame_rename(frame, given + 1, given_lens + 1, news, new_lens, 1, &err));
    EXPECT(VALUE, colstore_frame_rename(frame, olds, old_lens, news, new_lens, 1, &err));
    EXPECT(KEY, colstore_frame_cast(frame, given + 1, given_lens + 1, dtypes, dtype_lens, 1, &err));
    EXPECT(UNSUPPORTED_TYPE,
           colstore_frame_cast(frame, names, lens, (const char *const[]){"c16"}, (const size_t[]){3}, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_drop(frame, (const char *const[]){"\xff"}, lens, 1, &err));
    colstore_expr *out = NULL;
    EXPECT(KEY, colstore_frame_column(frame, TEXT("energy"), &out, &err));
    EXPECT(KEY, colstore_frame_resolve(frame, unknown, &out, &err));
    CHECK(out == NULL && has_columns(frame, "x <f4 n <i8 u |u1 old <f8 "));
    EXPECT(OK, colstore_frame_resolve(frame, text, &out, &err));
    colstore_expr_free(out);
    colstore_expr_free(unknown);
    colstore_expr_free(text);
    colstore_expr_free(big);
    colstore_frame_free(other);
    colstore_frame_free(frame);
}

static void cuts_and_reads(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table);
    int64_t n = 0;
    int32_t has = 77;
    EXPECT(OK, colstore_frame_base_rows(frame, &n, &err));
    EXPECT(OK, colstore_frame_has_selection(frame, &has, &err));
    CHECK(n == N_EVENTS && has == 0 && count_of(frame) == N_EVENTS);
    cut(frame, "x > 0");
    CHECK(count_of(frame) == 4);
    cut(frame, "n != 2");
    EXPECT(OK, colstore_frame_has_selection(frame, &has, &err));
    CHECK(has == 1 && count_of(frame) == 3);
    CHECK(has_values(frame, 0, (const double[]){0.5, 3.5, 4.5}, 3));
    assign(frame, "y", parsed("x * n"));
    CHECK(has_values(frame, 7, (const double[]){0.5, 14, 22.5}, 3));

    colstore_rows *rows = NULL;
    int64_t numbers[3];
    EXPECT(OK, colstore_frame_rows(frame, NULL, &rows, NULL, &err));
    EXPECT(OK, colstore_rows_positions(rows, 0, 3, numbers, 3, &err));
    CHECK(numbers[0] == 0 && numbers[1] == 3 && numbers[2] == 4);
    colstore_rows_free(rows);

    /* Several columns, and a part of the rows. */
    double y[2];
    int32_t whole[2];
    void *const outs[] = {y, whole};
    const size_t columns[] = {7, 1}, sizes[] = {sizeof y, sizeof whole};
    uint32_t flags = 77;
    EXPECT(OK, colstore_frame_read_columns(frame, columns, 2, 1, 3, NULL, outs, sizes, &flags, &err));
    CHECK(y[0] == 14 && y[1] == 22.5 && whole[0] == 4 && whole[1] == 5 && flags == 0);
    EXPECT(OK, colstore_frame_read_columns(frame, columns, 2, 3, 3, NULL, outs, (const size_t[]){0, 0}, NULL, &err));
    char records[24];
    EXPECT(OK, colstore_frame_read_records(frame, columns, 2, 1, 3, NULL, records, sizeof records, NULL, &err));
    CHECK(memcmp(records, y, 8) == 0 && memcmp(records + 8, whole, 4) == 0);
    CHECK(memcmp(records + 12, y + 1, 8) == 0 && memcmp(records + 20, whole + 1, 4) == 0);

    EXPECT(OUT_OF_BOUNDS, colstore_frame_read_columns(frame, columns, 2, 1, 4, NULL, outs, sizes, NULL, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_frame_read_columns(frame, columns, 2, -1, 1, NULL, outs, sizes, NULL, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_frame_read_records(frame, columns, 2, 2, 1, NULL, records, 0, NULL, &err));
    EXPECT(OUT_OF_BOUNDS,
           colstore_frame_read_columns(frame, (const size_t[]){8}, 1, 0, 1, NULL, outs, sizes, NULL, &err));
    EXPECT(INVALID_ARGUMENT,
           colstore_frame_read_columns(frame, columns, 2, 0, 2, NULL, (void *const[]){y, y}, sizes, NULL, &err));
    colstore_error *err = NULL;
    const colstore_status status = colstore_frame_read_columns(frame, columns, 2, 0, 1, NULL, outs, sizes, NULL, &err);
    CHECK(status == COLSTORE_STATUS_INVALID_ARGUMENT || status == COLSTORE_STATUS_VALUE);
    colstore_error_free(err);
    err = NULL;
    CHECK(colstore_frame_read_records(frame, columns, 2, 0, 1, NULL, records, 13, NULL, &err) == status);
    colstore_error_free(err);

    /* Expressions that are no columns. */
    char dtype[32];
    size_t len = 0;
    colstore_expr *sum = parsed("n + u");
    EXPECT(OK, colstore_frame_expr_dtype(frame, sum, dtype, sizeof dtype, &len, &err));
    CHECK(len == 3 && memcmp(dtype, "<i4", 3) == 0);
    int32_t sums[N_EVENTS];
    EXPECT(OK, colstore_frame_evaluate(frame, sum, 0, NULL, sums, 3 * sizeof sums[0], NULL, &err));
    CHECK(sums[0] == 1 && sums[1] == 154 && sums[2] == 205);
    EXPECT(OK, colstore_frame_evaluate(frame, sum, 1, NULL, sums, sizeof sums, NULL, &err));
    CHECK(sums[1] == 52 && sums[5] == 256);
    colstore_expr_free(sum);
    colstore_expr *unknown = col("energy");
    colstore_scalar scalar = {.size = sizeof scalar};
    EXPECT(KEY, colstore_frame_expr_dtype(frame, unknown, NULL, 0, &len, &err));
    EXPECT(KEY, colstore_frame_evaluate(frame, unknown, 0, NULL, sums, sizeof sums, NULL, &err));
    EXPECT(KEY, colstore_frame_reduce(frame, unknown, COLSTORE_REDUCTION_SUM, 0, NULL, &scalar, NULL, &err));
    EXPECT(QUERY, colstore_frame_filter(frame, unknown, NULL, 0, NULL, &err));
    colstore_expr_free(unknown);

    CHECK(reduced(frame, parsed("x * n"), COLSTORE_REDUCTION_SUM).float_value == 37);
    CHECK(reduced(frame, col("y"), COLSTORE_REDUCTION_MEAN).float_value == 37.0 / 3);
    CHECK(reduced(frame, col("u"), COLSTORE_REDUCTION_MAX).uint_value == 200);
    CHECK(reduced(frame, parsed("n > 3"), COLSTORE_REDUCTION_SUM).int_value == 2);
    EXPECT(INVALID_ARGUMENT, colstore_frame_reduce(frame, unknown = col("x"), 0, 0, NULL, &scalar, NULL, &err));
    colstore_expr_free(unknown);
    EXPECT(UNSUPPORTED_TYPE,
           colstore_frame_reduce(frame, unknown = col("s"), COLSTORE_REDUCTION_SUM, 0, NULL, &scalar, NULL, &err));
    colstore_expr_free(unknown);

    /* A cut that no row passes. */
    cut(frame, "x > 1e9");
    CHECK(count_of(frame) == 0);
    CHECK(reduced(frame, col("x"), COLSTORE_REDUCTION_MEAN).kind == 0);
    EXPECT(OK, colstore_frame_read_columns(frame, columns, 2, 0, 0, NULL, outs, (const size_t[]){0, 0}, NULL, &err));
    colstore_frame_free(frame);
}

static void of_some_rows(const colstore_table *table)
{
    const int64_t numbers[] = {5, 3, 3, 0};
    colstore_rows *base = NULL;
    colstore_frame *frame = NULL;
    EXPECT(OK, colstore_rows_indices(N_EVENTS, numbers, COLSTORE_INDEX_TYPE_I64, 4, 8, 1, &base, &err));
    EXPECT(OK, colstore_frame_new(table, base, &frame, &err));
    colstore_rows_free(base);
    int64_t n = 0;
    int32_t has = 0;
    EXPECT(OK, colstore_frame_base_rows(frame, &n, &err));
    EXPECT(OK, colstore_frame_has_selection(frame, &has, &err));
    CHECK(n == 4 && has == 1);
    CHECK(has_values(frame, 0, (const double[]){-5.5, 3.5, 3.5, 0.5}, 4));
    cut(frame, "x > 0");
    CHECK(has_values(frame, 0, (const double[]){3.5, 3.5, 0.5}, 3));
    colstore_rows *rows = NULL;
    int64_t found[3];
    EXPECT(OK, colstore_frame_rows(frame, NULL, &rows, NULL, &err));
    EXPECT(OK, colstore_rows_positions(rows, 0, 3, found, 3, &err));
    CHECK(found[0] == 3 && found[1] == 3 && found[2] == 0);
    colstore_rows_free(rows);
    colstore_frame_free(frame);

    frame = NULL;
    EXPECT(OK, colstore_rows_all(N_EVENTS + 1, &base, &err));
    EXPECT(VALUE, colstore_frame_new(table, base, &frame, &err));
    CHECK(frame == NULL);
    colstore_rows_free(base);
}

static void memory(const colstore_table *table)
{
    counter contexts = {0};
    colstore_frame *frame = frame_of(table);
    colstore_expr *expr = NULL;
    double values[2 * N_EVENTS];
    uint8_t big[2 * N_EVENTS];
    for (int i = 0; i < N_EVENTS; i++) {
        values[2 * i] = i;
        values[2 * i + 1] = -1;
        big[2 * i] = 1;
        big[2 * i + 1] = (uint8_t)i;
    }
    EXPECT(OK, colstore_frame_memory(frame, TEXT("<f8"), values, N_EVENTS, 16, release, &contexts, &expr, &err));
    assign(frame, "m", expr);
    EXPECT(OK, colstore_frame_memory(frame, TEXT("<f8"), values + 10, N_EVENTS, -16, release, &contexts, &expr, &err));
    assign(frame, "back", expr);
    EXPECT(OK, colstore_frame_memory(frame, TEXT(">i2"), big, N_EVENTS, 2, release, &contexts, &expr, &err));
    assign(frame, "big", expr);
    CHECK(contexts.released == 0);
    cut(frame, "m % 2 == 1");
    CHECK(has_values(frame, 7, (const double[]){1, 3, 5}, 3));
    CHECK(has_values(frame, 8, (const double[]){4, 2, 0}, 3));
    CHECK(reduced(frame, parsed("big"), COLSTORE_REDUCTION_SUM).int_value == 3 * 256 + 9);
    const char *const names[] = {"m", "back"};
    const size_t lens[] = {1, 4};
    EXPECT(OK, colstore_frame_drop(frame, names + 1, lens + 1, 1, &err));
    CHECK(contexts.released == 1);
    /* The cut still needs it. */
    EXPECT(OK, colstore_frame_drop(frame, names, lens, 1, &err));
    CHECK(contexts.released == 1);
    colstore_frame_free(frame);
    CHECK(contexts.released == 3);

    frame = frame_of(table);
    expr = NULL;
    EXPECT(VALUE, colstore_frame_memory(frame, TEXT("<f8"), values, 5, 8, release, &contexts, &expr, &err));
    EXPECT(VALUE, colstore_frame_memory(frame, TEXT("<f8"), values, -1, 8, release, &contexts, &expr, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(frame, TEXT("<f8"), NULL, 6, 8, release, &contexts, &expr, &err));
    EXPECT(UNSUPPORTED_TYPE, colstore_frame_memory(frame, TEXT("c16"), values, 6, 8, release, &contexts, &expr, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(NULL, TEXT("<f8"), values, 6, 8, release, &contexts, &expr, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_memory(frame, TEXT("<f8"), values, 6, 8, release, &contexts, NULL, &err));
    CHECK(contexts.released == 9 && expr == NULL);
    colstore_frame_free(frame);
}

static void writing(const colstore_table *table, const char *source, const char *path)
{
    colstore_frame *frame = frame_of(table);
    assign(frame, "y", parsed("x * 2"));
    cut(frame, "x > 0");
    colstore_store_options options = {.size = sizeof options, .mode = COLSTORE_STORE_MODE_CREATE};
    uint32_t flags = 77;
    EXPECT(OK, colstore_frame_write(frame, TEXT(path), &options, &flags, &err));
    CHECK(flags == 0);
    EXPECT(ALREADY_EXISTS, colstore_frame_write(frame, TEXT(path), &options, NULL, &err));
    options.mode = COLSTORE_STORE_MODE_RECREATE;
    options.statistics = 1;
    EXPECT(OK, colstore_frame_write(frame, TEXT(path), &options, NULL, &err));
    colstore_table *written = open_or_exit(path);
    double y[4];
    EXPECT(OK, colstore_table_read_column(written, 7, 0, 4, NULL, y, sizeof y, &err));
    CHECK(y[0] == 1 && y[1] == 3 && y[2] == 7 && y[3] == 9);
    colstore_table_free(written);

    /* A function that fails leaves nothing behind. */
    counter fails = {.fail_at = 1};
    assign(frame, "bad", summed(&fails, col("x"), NULL));
    char other[4200];
    snprintf(other, sizeof other, "%s.other", path);
    EXPECT(CALLBACK, colstore_frame_write(frame, TEXT(other), &options, NULL, &err));
    CHECK(!file_exists(other));
    colstore_frame_free(frame);
    CHECK(fails.released == 1);

    /* Nothing changed: the same bytes. */
    frame = frame_of(table);
    options.statistics = 0;
    EXPECT(OK, colstore_frame_write(frame, TEXT(path), &options, NULL, &err));
    colstore_frame_free(frame);
    FILE *files[2] = {fopen(source, "rb"), fopen(path, "rb")};
    int same = files[0] != NULL && files[1] != NULL, byte = 0;
    while (same && byte != EOF) {
        byte = getc(files[0]);
        same = byte == getc(files[1]);
    }
    CHECK(same);
    for (int i = 0; i < 2; i++) {
        if (files[i] != NULL) {
            fclose(files[i]);
        }
    }
}

typedef struct {
    colstore_frame *frame;
    int number, wrong;
} worker;

/* Reads and edits one frame, over and over. */
static void *work(void *context)
{
    worker *self = context;
    for (int i = 0; i < 50; i++) {
        int64_t n = 0;
        self->wrong += colstore_frame_count(self->frame, NULL, &n, NULL, NULL) != COLSTORE_STATUS_OK || n != 4;
        double sum = 0;
        colstore_scalar scalar = {.size = sizeof scalar};
        colstore_expr *y = col("y");
        self->wrong += colstore_frame_reduce(self->frame, y, COLSTORE_REDUCTION_SUM, 0, NULL, &scalar, NULL, NULL) !=
                       COLSTORE_STATUS_OK;
        sum = scalar.float_value;
        self->wrong += sum != 20;
        char name[16];
        snprintf(name, sizeof name, "w%d", self->number);
        const char *const names[] = {name};
        const size_t lens[] = {strlen(name)};
        const colstore_expr *const values[] = {y};
        self->wrong += colstore_frame_assign(self->frame, names, lens, values, 1, NULL) != COLSTORE_STATUS_OK;
        colstore_expr_free(y);
    }
    return NULL;
}

static void many_threads(const colstore_table *table)
{
    counter context = {0};
    colstore_frame *frame = frame_of(table);
    assign(frame, "y", summed(&context, col("x"), col("x")));
    cut(frame, "y > 0");
    enum { N = 4 };
    worker workers[N];
    pthread_t ids[N];
    for (int i = 0; i < N; i++) {
        workers[i] = (worker){frame, i, 0};
        CHECK(pthread_create(&ids[i], NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(ids[i], NULL);
        CHECK(workers[i].wrong == 0);
    }
    colstore_schema *schema = NULL;
    size_t n_columns = 0;
    EXPECT(OK, colstore_frame_schema(frame, &schema, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    colstore_schema_free(schema);
    CHECK(n_columns == 8 + N && count_of(frame) == 4);
    colstore_frame_free(frame);
    CHECK(context.released == 1 && context.calls > 0);
}

/* A function of ours that uses the frame whose column it computes. */
static int32_t uses_the_frame(
    void *context, const void *const *args, size_t n_args, int64_t n_rows, void *out, int64_t *code)
{
    int64_t n = 0;
    memcpy(out, args[0], (size_t)n_rows * sizeof(double));
    *code = n_args == 1 ? 0 : 1;
    return colstore_frame_base_rows(context, &n, NULL) != COLSTORE_STATUS_OK || n != N_EVENTS;
}

static void callbacks_may_call(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table);
    colstore_expr *expr = NULL, *x = col("x");
    const colstore_expr *const args[] = {x};
    EXPECT(OK, colstore_expr_callback(uses_the_frame, frame, NULL, TEXT("<f8"), args, 1, &expr, &err));
    colstore_expr_free(x);
    assign(frame, "same", expr);
    cut(frame, "same > 0");
    CHECK(count_of(frame) == 4);
    CHECK(has_values(frame, 7, (const double[]){0.5, 1.5, 3.5, 4.5}, 4));
    colstore_frame_free(frame);
}

static void cancelled(const colstore_table *table)
{
    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    const colstore_read_options options = {.size = sizeof options, .progress = progress};
    colstore_frame *frame = frame_of(table);
    colstore_rows *rows = NULL;
    colstore_scalar scalar = {.size = sizeof scalar};
    colstore_expr *y = parsed("x + 1");
    int64_t n = 77;
    double out[N_EVENTS];
    cut(frame, "x + 1 > 0");
    EXPECT(CANCELLED, colstore_frame_count(frame, &options, &n, NULL, &err));
    EXPECT(CANCELLED, colstore_frame_rows(frame, &options, &rows, NULL, &err));
    EXPECT(CANCELLED, colstore_frame_evaluate(frame, y, 1, &options, out, sizeof out, NULL, &err));
    EXPECT(CANCELLED, colstore_frame_reduce(frame, y, COLSTORE_REDUCTION_SUM, 0, &options, &scalar, NULL, &err));
    CHECK(n == 77 && rows == NULL);
    /* It works when it is asked again. */
    CHECK(count_of(frame) == 4);
    colstore_expr_free(y);
    colstore_frame_free(frame);
    colstore_progress_free(progress);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const char *path = path_in(SCRATCH, "events.cstore");
    colstore_table *table = events(path);
    edits(table);
    cuts_and_reads(table);
    of_some_rows(table);
    memory(table);
    writing(table, path, path_in(SCRATCH, "written.cstore"));
    many_threads(table);
    callbacks_may_call(table);
    cancelled(table);

    /* A frame needs its table no more. */
    colstore_frame *frame = frame_of(table);
    colstore_table_free(table);
    cut(frame, "n > 4");
    CHECK(has_values(frame, 0, (const double[]){4.5, -5.5}, 2));
    colstore_frame_free(frame);
    colstore_frame_free(NULL);
    return check_report();
}
