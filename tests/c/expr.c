/* Expressions: every way to make one, what it prints as, its dtype and its columns; text with parameters; sets; what is
 * refused, and where in the text; very deep ones. */

#include "expressions.h"

static void constants(const colstore_table *table)
{
    colstore_expr *expr = NULL;
    EXPECT(OK, colstore_expr_none(&expr, &err));
    CHECK(prints(expr, "None"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_bool(-1, &expr, &err));
    CHECK(prints(expr, "True") && has_dtype(expr, table, "|b1"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_bool(0, &expr, &err));
    CHECK(prints(expr, "False"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_int(INT64_MIN, &expr, &err));
    CHECK(prints(expr, "-9223372036854775808"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_uint(UINT64_MAX, &expr, &err));
    CHECK(prints(expr, "18446744073709551615"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_float(0.1, &expr, &err));
    CHECK(prints(expr, "0.1") && has_dtype(expr, table, "<f8"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_text(TEXT("it's"), &expr, &err));
    CHECK(prints(expr, "'it\\'s'"));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_text("\xed\xa0\x80", 3, &expr, &err));
    colstore_expr_free(expr);
    EXPECT(OK, colstore_expr_bytes("a\0b", 3, &expr, &err));
    CHECK(prints(expr, "b'a\\x00b'"));
    colstore_expr_free(expr);
    expr = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_expr_text("a\xff", 2, &expr, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_column("\xff", 1, &expr, &err));

    const float single = 1.5f;
    EXPECT(OK, colstore_expr_constant(TEXT("<f4"), &single, sizeof single, &expr, &err));
    CHECK(has_dtype(expr, table, "<f4"));
    colstore_expr_free(expr);
    expr = NULL;
    EXPECT(VALUE, colstore_expr_constant(TEXT("<f8"), &single, sizeof single, &expr, &err));
    EXPECT(VALUE, colstore_expr_constant(TEXT(">f4"), &single, sizeof single, &expr, &err));
    EXPECT(UNSUPPORTED_TYPE, colstore_expr_constant(TEXT("c16"), &single, sizeof single, &expr, &err));
    CHECK(expr == NULL);
}

static void integers(const colstore_table *table)
{
    colstore_expr *expr = NULL;
    EXPECT(OK, colstore_expr_integer(TEXT("-123456789012345678901234567890"), &expr, &err));
    CHECK(prints(expr, "-123456789012345678901234567890"));
    colstore_expr *all = call("greater", col("n"), expr);
    CHECK(matches(table, all) == 0x3f);
    EXPECT(OK, colstore_expr_integer(TEXT("0xff"), &expr, &err));
    CHECK(prints(expr, "255"));
    colstore_expr_free(expr);
    expr = NULL;
    const char *const wrong[] = {"", "-", "1.5", "1_0", " 1", "0x", "ten"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        EXPECT(VALUE, colstore_expr_integer(TEXT(wrong[i]), &expr, &err));
    }
    CHECK(expr == NULL);
}

static void functions(const colstore_table *table)
{
    CHECK(matches(table, call("greater", col("x"), real(1))) == 0x1a);
    CHECK(matches(table, call("less_equal", call("absolute", col("x"), NULL), real(2.5))) == 0x07);
    CHECK(matches(table, call("logical_and", call("less", col("x"), integer(0)), col("b"))) == 0x04);
    CHECK(matches(table, call("invert", col("b"), NULL)) == 0x2a);
    /* float32 beside a weak float stays float32. */
    colstore_expr *cast = NULL, *x = col("x");
    EXPECT(OK, colstore_expr_cast(x, TEXT("f4"), &cast, &err));
    colstore_expr *sum = call("add", cast, real(0.5));
    CHECK(has_dtype(sum, table, "<f4"));
    colstore_expr_free(sum);
    cast = NULL;
    EXPECT(UNSUPPORTED_TYPE, colstore_expr_cast(x, TEXT("object"), &cast, &err));
    colstore_expr *rounded = NULL;
    EXPECT(OK, colstore_expr_round(x, 0, &rounded, &err));
    CHECK(matches(table, call("equal", rounded, integer(2))) == 0x02);

    colstore_expr *clipped = NULL, *low = NULL, *high = integer(3);
    EXPECT(OK, colstore_expr_none(&low, &err));
    const colstore_expr *three[] = {x, low, high};
    EXPECT(OK, colstore_expr_call(TEXT("clip"), three, 3, &clipped, &err));
    CHECK(matches(table, call("equal", clipped, integer(3))) == 0x18);
    clipped = NULL;
    EXPECT(VALUE, colstore_expr_call(TEXT("clip"), three, 2, &clipped, &err));
    EXPECT(VALUE, colstore_expr_call(TEXT("eval"), three, 1, &clipped, &err));
    EXPECT(VALUE, colstore_expr_call(TEXT("add"), three, 0, &clipped, &err));
    CHECK(clipped == NULL && cast == NULL);
    colstore_expr_free(low);
    colstore_expr_free(high);
    colstore_expr_free(x);

    CHECK(colstore_function_exact(TEXT("add"), TEXT("<f8")) == 1);
    CHECK(colstore_function_exact(TEXT("sqrt"), TEXT("f4")) == 1);
    CHECK(colstore_function_exact(TEXT("exp"), TEXT("<f8")) == 0);
    CHECK(colstore_function_exact(TEXT("power"), TEXT("<i8")) == 1);
    CHECK(colstore_function_exact(TEXT("eval"), TEXT("<i8")) == 0);
    CHECK(colstore_function_exact(TEXT("add"), TEXT("object")) == 0);
}

/* A set as an expression on a column; takes the set. */
static int found_in(const colstore_table *table, const char *name, colstore_values *values, int32_t negated)
{
    colstore_expr *value = col(name), *found = NULL;
    EXPECT(OK, colstore_expr_isin(value, values, negated, &found, &err));
    colstore_expr_free(value);
    colstore_values_free(values);
    return matches(table, found);
}

static void sets(const colstore_table *table)
{
    colstore_values *values = NULL;
    const int64_t numbers[] = {2, 77, 4, 77, 6, 77};
    EXPECT(OK, colstore_values_array(TEXT("<i8"), numbers, 3, 16, &values, &err));
    CHECK(found_in(table, "n", values, 0) == 0x2a);
    EXPECT(OK, colstore_values_array(TEXT("<i8"), numbers + 4, 3, -16, &values, &err));
    CHECK(found_in(table, "n", values, 1) == 0x15);
    const uint8_t big[] = {0, 3, 0, 5};
    EXPECT(OK, colstore_values_array(TEXT(">i2"), big, 2, 2, &values, &err));
    CHECK(found_in(table, "n", values, 0) == 0x14);
    EXPECT(OK, colstore_values_array(TEXT("|S2"), "a\0bb", 2, 2, &values, &err));
    CHECK(found_in(table, "s", values, 0) == 0x1b);
    EXPECT(OK, colstore_values_array(TEXT("<f8"), NULL, 0, 8, &values, &err));
    CHECK(found_in(table, "x", values, 0) == 0);
    /* What is copied may change afterwards. */
    int32_t changed[] = {1};
    EXPECT(OK, colstore_values_array(TEXT("<i4"), changed, 1, 4, &values, &err));
    changed[0] = 2;
    CHECK(found_in(table, "n", values, 0) == 0x01);
    values = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_values_array(TEXT("<i8"), numbers, SIZE_MAX / 2, 8, &values, &err));
    EXPECT(UNSUPPORTED_TYPE, colstore_values_array(TEXT("c16"), numbers, 1, 16, &values, &err));

    colstore_expr *three = integer(3), *half = real(4.5), *x = col("x");
    const colstore_expr *literals[] = {three, half, x};
    EXPECT(INVALID_ARGUMENT, colstore_values_list(literals, 3, &values, &err));
    CHECK(values == NULL);
    EXPECT(OK, colstore_values_list(literals, 2, &values, &err));
    CHECK(found_in(table, "n", values, 0) == 0x04);
    EXPECT(OK, colstore_values_list(literals, 2, &values, &err));
    CHECK(found_in(table, "x", values, 0) == 0x10);
    EXPECT(OK, colstore_values_list(NULL, 0, &values, &err));
    CHECK(found_in(table, "x", values, 1) == 0x3f);
    colstore_expr_free(three);
    colstore_expr_free(half);
    colstore_expr_free(x);
}

static void texts(const colstore_table *table)
{
    CHECK(matches(table, parsed("x > 1 and n in [2, 3, 5]")) == 0x12);
    CHECK(matches(table, parsed("1 < x <= 3.5 or not b")) == 0x2a);
    CHECK(matches(table, parsed("s == 'a'")) == 0x09);
    CHECK(matches(table, parsed("t == 'bb'")) == 0x02);
    colstore_expr *expr = parsed("(x+1)*n - x > u");
    CHECK(prints(expr, "(x + 1) * n - x > u"));
    colstore_names *names = NULL;
    size_t n = 0, len = 0;
    const char *text = NULL;
    EXPECT(OK, colstore_expr_columns(expr, &names, &err));
    EXPECT(OK, colstore_names_count(names, &n, &err));
    CHECK(n == 3);
    EXPECT(OK, colstore_names_get(names, 1, &text, &len, &err));
    CHECK(len == 1 && text[0] == 'n');
    colstore_names_free(names);
    char small[4];
    EXPECT(INVALID_ARGUMENT, colstore_expr_print(expr, small, sizeof small, &len, &err));
    colstore_expr_free(expr);

    colstore_params *params = NULL;
    colstore_expr *limit = real(1.5), *x = col("x");
    colstore_values *runs = NULL;
    const int32_t of_runs[] = {2, 6};
    EXPECT(OK, colstore_values_array(TEXT("<i4"), of_runs, 2, 4, &runs, &err));
    EXPECT(OK, colstore_params_new(&params, &err));
    EXPECT(OK, colstore_params_set(params, TEXT("limit"), limit, &err));
    EXPECT(INVALID_ARGUMENT, colstore_params_set(params, TEXT("limit"), x, &err));
    EXPECT(OK, colstore_params_set_values(params, TEXT("runs"), runs, &err));
    colstore_values_free(runs);
    EXPECT(OK, colstore_expr_parse(TEXT("x >= @limit or n in @runs"), params, &expr, &err));
    EXPECT(OK, colstore_params_set(params, TEXT("limit"), limit, &err));
    colstore_expr *none = NULL;
    EXPECT(QUERY, colstore_expr_parse(TEXT("x > @other"), params, &none, &err));
    EXPECT(QUERY, colstore_expr_parse(TEXT("x > @limit"), NULL, &none, &err));
    EXPECT(TYPE, colstore_expr_parse(TEXT("x > @runs"), params, &none, &err));
    colstore_params_free(params);
    CHECK(none == NULL && matches(table, expr) == 0x3a);
    colstore_expr_free(limit);
    colstore_expr_free(x);
}

/* The status of a text used as a condition, and the place that the error shows. */
static colstore_status refused(const colstore_table *table, const char *text, size_t *start, size_t *end)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    size_t len = 0;
    *start = *end = SIZE_MAX;
    colstore_status status = colstore_expr_parse(TEXT(text), NULL, &expr, &err);
    if (status == COLSTORE_STATUS_OK) {
        status = colstore_expr_check(expr, table, 1, NULL, 0, &len, &err);
    }
    if (colstore_error_span(err, start, end)) {
        CHECK(strchr(colstore_error_message(err, NULL), '^') != NULL);
    }
    CHECK(colstore_error_callback_code(err) == 0);
    colstore_error_free(err);
    colstore_expr_free(expr);
    return status;
}

static void failures(const colstore_table *table)
{
    size_t start, end;
    CHECK(refused(table, "x > and n", &start, &end) == COLSTORE_STATUS_QUERY && start == 4 && end == 7);
    CHECK(refused(table, "x > 1 and y < 2", &start, &end) == COLSTORE_STATUS_QUERY && start == 10 && end == 11);
    CHECK(refused(table, "x + 1", &start, &end) == COLSTORE_STATUS_QUERY);
    CHECK(refused(table, "1 < 2", &start, &end) == COLSTORE_STATUS_QUERY);
    CHECK(refused(table, "", &start, &end) == COLSTORE_STATUS_QUERY);
    CHECK(refused(table, "x.real > 1", &start, &end) == COLSTORE_STATUS_QUERY);
    CHECK(refused(table, "-s == 'a'", &start, &end) == COLSTORE_STATUS_TYPE && start < end);
    CHECK(refused(table, "u + 300 > 1", &start, &end) == COLSTORE_STATUS_OVERFLOW && start < end);
    CHECK(refused(table, "n ** -1 > 1", &start, &end) == COLSTORE_STATUS_VALUE);
    CHECK(refused(table, "x > 1", &start, &end) == COLSTORE_STATUS_OK);
    CHECK(!colstore_error_span(NULL, &start, &end));

    colstore_error *err = NULL;
    colstore_expr *expr = call("greater", col("energy"), integer(1));
    size_t len = 0;
    CHECK(colstore_expr_check(expr, table, 0, NULL, 0, &len, &err) == COLSTORE_STATUS_QUERY);
    /* There is no text to show a place in. */
    CHECK(!colstore_error_span(err, NULL, NULL));
    CHECK(strcmp(colstore_error_column(err, NULL), "energy") == 0);
    colstore_error_free(err);
    colstore_expr_free(expr);
}

/* Functions of ours: whose failures are told, and whose contexts are released once. */
static void callbacks(const colstore_table *table)
{
    counter works = {0}, fails = {.fail_at = 1}, never = {0};
    colstore_expr *sum = NULL, *x = col("x");
    const colstore_expr *args[] = {x, x};
    EXPECT(OK, colstore_expr_callback(add_up, &works, release, TEXT("<f8"), args, 2, &sum, &err));
    CHECK(has_dtype(sum, table, "<f8"));
    CHECK(matches(table, call("greater", sum, real(7))) == 0x10);
    CHECK(works.calls > 0 && works.released == 1);

    EXPECT(OK, colstore_expr_callback(add_up, &fails, release, TEXT("<f8"), args, 1, &sum, &err));
    colstore_expr *condition = call("greater", sum, real(0));
    colstore_error *err = NULL;
    colstore_rows *rows = NULL;
    CHECK(colstore_rows_filter(table, NULL, condition, NULL, &rows, NULL, &err) == COLSTORE_STATUS_CALLBACK);
    CHECK(colstore_error_callback_code(err) == 4711 && rows == NULL && fails.released == 0);
    colstore_error_free(err);
    colstore_expr_free(condition);
    CHECK(fails.released == 1);

    sum = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_expr_callback(NULL, &never, release, TEXT("<f8"), args, 1, &sum, &err));
    CHECK(never.released == 1);
    EXPECT(UNSUPPORTED_TYPE, colstore_expr_callback(add_up, &never, release, TEXT("c16"), args, 1, &sum, &err));
    EXPECT(VALUE, colstore_expr_callback(add_up, &never, release, TEXT(">f8"), args, 1, &sum, &err));
    EXPECT(VALUE, colstore_expr_callback(add_up, &never, release, TEXT("<f8"), args, 0, &sum, &err));
    EXPECT(INVALID_ARGUMENT, colstore_expr_callback(add_up, &never, release, TEXT("<f8"), args, 1, NULL, &err));
    CHECK(never.released == 5 && never.calls == 0 && sum == NULL);
    EXPECT(OK, colstore_expr_callback(add_up, &never, NULL, TEXT("<f8"), args, 1, &sum, &err));
    colstore_expr_free(sum);
    CHECK(never.released == 5);
    colstore_expr_free(x);
}

/* Building, printing, checking, computing and freeing do not use the stack for every level. */
static void deep(const colstore_table *table)
{
    const int levels = under_valgrind() ? 20000 : 200000;
    colstore_expr *sum = col("n");
    for (int i = 0; i < levels; i++) {
        sum = call("add", sum, integer(1));
    }
    size_t len = 0;
    EXPECT(OK, colstore_expr_print(sum, NULL, 0, &len, &err));
    CHECK(len > (size_t)levels);
    colstore_names *names = NULL;
    EXPECT(OK, colstore_expr_columns(sum, &names, &err));
    colstore_names_free(names);
    CHECK(has_dtype(sum, table, "<i4"));
    CHECK(matches(table, call("equal", sum, integer(levels + 3))) == 0x04);

    char *text = allocate(400001);
    memset(text, '(', 400000);
    text[400000] = 'x';
    colstore_expr *none = NULL;
    EXPECT(QUERY, colstore_expr_parse(text, 400001, NULL, &none, &err));
    memset(text, '-', 400000);
    EXPECT(QUERY, colstore_expr_parse(text, 400001, NULL, &none, &err));
    free(text);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    colstore_table *table = events(path_in(SCRATCH, "events.cstore"));
    constants(table);
    integers(table);
    functions(table);
    sets(table);
    texts(table);
    failures(table);
    callbacks(table);
    deep(table);
    colstore_expr_free(NULL);
    colstore_values_free(NULL);
    colstore_params_free(NULL);
    colstore_table_free(table);
    return check_report();
}
