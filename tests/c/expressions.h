/* Short ways to make expressions, and a table to use them on. */

#ifndef EXPRESSIONS_H
#define EXPRESSIONS_H

#include "check.h"

#define TEXT(text) (text), strlen(text)

UNUSED_FUNCTION colstore_expr *col(const char *name)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    require(colstore_expr_column(TEXT(name), &expr, &err), &err, name);
    return expr;
}

UNUSED_FUNCTION colstore_expr *integer(int64_t value)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    require(colstore_expr_int(value, &expr, &err), &err, "an integer");
    return expr;
}

UNUSED_FUNCTION colstore_expr *real(double value)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    require(colstore_expr_float(value, &expr, &err), &err, "a float");
    return expr;
}

/* Takes its operands; `second` may be NULL. */
UNUSED_FUNCTION colstore_expr *call(const char *name, colstore_expr *first, colstore_expr *second)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    const colstore_expr *args[] = {first, second};
    require(colstore_expr_call(TEXT(name), args, second == NULL ? 1 : 2, &expr, &err), &err, name);
    colstore_expr_free(first);
    colstore_expr_free(second);
    return expr;
}

UNUSED_FUNCTION colstore_expr *parsed(const char *text)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    require(colstore_expr_parse(TEXT(text), NULL, &expr, &err), &err, text);
    return expr;
}

/* Whether the expression prints as the text. */
UNUSED_FUNCTION int prints(const colstore_expr *expr, const char *text)
{
    char buffer[512];
    size_t len = 0, again = 0;
    EXPECT(OK, colstore_expr_print(expr, NULL, 0, &len, &err));
    if (len > sizeof buffer) {
        return 0;
    }
    EXPECT(OK, colstore_expr_print(expr, buffer, sizeof buffer, &again, &err));
    if (len != again || len != strlen(text) || memcmp(buffer, text, len) != 0) {
        printf("it prints as: %.*s\n", (int)len, buffer);
        return 0;
    }
    return 1;
}

/* Whether the expression over the table has the dtype. */
UNUSED_FUNCTION int has_dtype(const colstore_expr *expr, const colstore_table *table, const char *dtype)
{
    char buffer[32];
    size_t len = 0;
    EXPECT(OK, colstore_expr_check(expr, table, 0, buffer, sizeof buffer, &len, &err));
    return len == strlen(dtype) && memcmp(buffer, dtype, len) == 0;
}

enum { N_EVENTS = 6 };

static const double events_x[N_EVENTS] = {0.5, 1.5, -2.5, 3.5, 4.5, -5.5};
static const int32_t events_n[N_EVENTS] = {1, 2, 3, 4, 5, 6};
static const uint8_t events_u[N_EVENTS] = {0, 50, 100, 150, 200, 250};
static const char events_s[N_EVENTS][3] = {"a", "bb", "ccc", "a", "bb", "\xe9"};
static const uint32_t events_t[N_EVENTS][2] = {{'a'}, {'b', 'b'}, {0xe9}, {0xd800}, {'a', 'b'}, {0}};
static const uint8_t events_b[N_EVENTS] = {1, 0, 1, 0, 1, 0};
static const int64_t events_d[N_EVENTS] = {0, 86400, 86401, INT64_MIN, -1, 1000000};

/* x f8, n i4, u u1, s S3, t U2, b bool, d M8[s], 6 rows. */
UNUSED_FUNCTION colstore_table *events(const char *path)
{
    const colstore_column_data columns[] = {
        column_of("x", "<f8", events_x, N_EVENTS, 8),   column_of("n", "<i4", events_n, N_EVENTS, 4),
        column_of("u", "|u1", events_u, N_EVENTS, 1),   column_of("s", "|S3", events_s, N_EVENTS, 3),
        column_of("t", "<U2", events_t, N_EVENTS, 8),   column_of("b", "|b1", events_b, N_EVENTS, 1),
        column_of("d", "<M8[s]", events_d, N_EVENTS, 8),
    };
    store_or_exit(path, columns, sizeof columns / sizeof columns[0]);
    return open_or_exit(path);
}

/* The rows for which the condition holds as bits, row 0 the lowest; -1 if the call fails. Takes the condition. */
UNUSED_FUNCTION int matches(const colstore_table *table, colstore_expr *condition)
{
    colstore_rows *rows = NULL;
    int64_t n = 0, found[N_EVENTS];
    int bits = 0;
    EXPECT(OK, colstore_rows_filter(table, NULL, condition, NULL, &rows, NULL, &err));
    colstore_expr_free(condition);
    if (rows == NULL) {
        return -1;
    }
    EXPECT(OK, colstore_rows_count(rows, &n, &err));
    EXPECT(OK, colstore_rows_positions(rows, 0, n, found, (size_t)n, &err));
    for (int64_t i = 0; i < n; i++) {
        bits |= 1 << found[i];
    }
    colstore_rows_free(rows);
    return bits;
}

/* A context that counts what is done with it. */
typedef struct {
    int calls, released;
    int fail_at; /* the number of a call, from 1 on; 0 for never */
} counter;

UNUSED_FUNCTION void release(void *context)
{
    __atomic_add_fetch(&((counter *)context)->released, 1, __ATOMIC_SEQ_CST);
}

/* The sum of float64 operands. */
UNUSED_FUNCTION int32_t add_up(
    void *context, const void *const *args, size_t n_args, int64_t n_rows, void *out, int64_t *code)
{
    counter *self = context;
    double *sums = out;
    const int call_number = __atomic_add_fetch(&self->calls, 1, __ATOMIC_SEQ_CST);
    if (self->fail_at > 0 && call_number >= self->fail_at) {
        *code = 4711;
        return 1;
    }
    for (int64_t i = 0; i < n_rows; i++) {
        sums[i] = 0;
        for (size_t arg = 0; arg < n_args; arg++) {
            sums[i] += ((const double *)args[arg])[i];
        }
    }
    return 0;
}

/* The sum of one or two operands of float64, by a function of ours that counts in the context. Takes the operands. */
UNUSED_FUNCTION colstore_expr *summed(counter *context, colstore_expr *first, colstore_expr *second)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    const colstore_expr *args[] = {first, second};
    const size_t n_args = second == NULL ? 1 : 2;
    require(colstore_expr_callback(add_up, context, release, TEXT("<f8"), args, n_args, &expr, &err), &err, "a function");
    colstore_expr_free(first);
    colstore_expr_free(second);
    return expr;
}

#endif
