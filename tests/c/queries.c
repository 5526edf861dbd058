/* The cases of tests/data/query over the C interface: conditions as selections of rows, values and calls through
 * frames, parameters, and what is refused. */

#include "suite_tables.h"

enum { MOST_ARGS = 4 };

/* A case: the statements that belong to it, and the values for its parameters. */
typedef struct {
    const char *id;
    const known_table *table;
    colstore_params *params;
    const suite_statement *question, *answer;
} known_case;

/* Tells that a case went wrong; what was expected and found is printed before. */
static int wrong(const known_case *one, const char *what)
{
    printf("%s: %s: ", one->id, what);
    for (size_t i = 0; i < one->question->n_fields; i++) {
        printf("%s%s", i == 0 ? "" : " | ", one->question->fields[i].text);
    }
    printf("\n");
    return 0;
}

static int wrong_error(const known_case *one, colstore_status status, const colstore_error *err)
{
    printf("  found %s: %s\n", colstore_status_name(status), colstore_error_message(err, NULL));
    return wrong(one, "it failed");
}

/* --- Parameters --- */

/* The constant of a `param` statement. */
static colstore_expr *constant(const suite_statement *param)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    const suite_field *dtype = suite_at(param, 2), *value = suite_at(param, 3);
    unsigned char bytes[256];
    colstore_status status;
    if (strcmp(dtype->text, "bool") == 0) {
        status = colstore_expr_bool(strcmp(value->text, "True") == 0, &expr, &err);
    } else if (strcmp(dtype->text, "int") == 0) {
        status = colstore_expr_integer(value->text, value->len, &expr, &err);
    } else if (strcmp(dtype->text, "float") == 0) {
        status = colstore_expr_float(strtod(value->text, NULL), &expr, &err);
    } else if (strcmp(dtype->text, "str") == 0) {
        status = colstore_expr_text(value->text, value->len, &expr, &err);
    } else if (strcmp(dtype->text, "bytes") == 0) {
        status = colstore_expr_bytes(bytes, suite_bytes(value, bytes, sizeof bytes), &expr, &err);
    } else {
        const colstore_dtype taken_apart = suite_dtype(dtype, param->line);
        if (taken_apart.itemsize > sizeof bytes) {
            suite_stop(param->line, "a longer value than there is room for");
        }
        suite_value(&taken_apart, value, bytes);
        status = colstore_expr_constant(dtype->text, dtype->len, bytes, taken_apart.itemsize, &expr, &err);
    }
    require(status, &err, dtype->text);
    return expr;
}

static void set_parameter(colstore_params *params, const suite_statement *param)
{
    const suite_field *name = suite_at(param, 1), *dtype = suite_at(param, 2);
    if (suite_is(param, "param")) {
        colstore_expr *literal = constant(param);
        EXPECT(OK, colstore_params_set(params, name->text, name->len, literal, &err));
        colstore_expr_free(literal);
        return;
    }
    const colstore_dtype taken_apart = suite_dtype(dtype, param->line);
    void *data = suite_values(param, 3, &taken_apart);
    colstore_values *values = NULL;
    EXPECT(OK, colstore_values_array(dtype->text, dtype->len, data, param->n_fields - 3, (int64_t)taken_apart.itemsize,
                                     &values, &err));
    EXPECT(OK, colstore_params_set_values(params, name->text, name->len, values, &err));
    colstore_values_free(values);
    free(data);
}

/* --- Conditions --- */

static void print_rows(const char *what, const int64_t *rows, size_t n)
{
    printf("  %s rows", what);
    for (size_t i = 0; i < n; i++) {
        printf(" %" PRId64, rows[i]);
    }
    printf("\n");
}

static int same_rows(const known_case *one, const colstore_rows *found)
{
    const size_t n_expected = one->answer->n_fields - 1;
    int64_t expected[MOST_ROWS], positions[MOST_ROWS], n = 0;
    for (size_t i = 0; i < n_expected && i < MOST_ROWS; i++) {
        expected[i] = strtoll(one->answer->fields[1 + i].text, NULL, 10);
    }
    EXPECT(OK, colstore_rows_count(found, &n, &err));
    if (n < 0 || n > MOST_ROWS || n_expected > MOST_ROWS) {
        return wrong(one, "more rows than the table has");
    }
    EXPECT(OK, colstore_rows_positions(found, 0, n, positions, (size_t)n, &err));
    if ((size_t)n != n_expected || memcmp(positions, expected, n_expected * sizeof *expected) != 0) {
        print_rows("expected", expected, n_expected);
        print_rows("found", positions, (size_t)n);
        return wrong(one, "other rows");
    }
    return 1;
}

static colstore_status status_of(const suite_statement *error)
{
    static const struct {
        const char *kind;
        colstore_status status;
    } kinds[] = {{"query", COLSTORE_STATUS_QUERY},
                 {"type", COLSTORE_STATUS_TYPE},
                 {"overflow", COLSTORE_STATUS_OVERFLOW},
                 {"value", COLSTORE_STATUS_VALUE}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].kind, suite_at(error, 1)->text) == 0) {
            return kinds[i].status;
        }
    }
    suite_stop(error->line, "an unknown kind of error");
    return COLSTORE_STATUS_OK;
}

/* Compares what a condition came to with what the case says; frees the error and the rows. */
static int judge_condition(const known_case *one, colstore_status status, colstore_rows *rows, colstore_error *err)
{
    int right = 0;
    if (suite_is(one->answer, "rows")) {
        right = status == COLSTORE_STATUS_OK ? same_rows(one, rows) : wrong_error(one, status, err);
    } else if (!suite_is(one->answer, "error")) {
        suite_stop(one->answer->line, "a condition has rows or an error");
    } else if (status != status_of(one->answer)) {
        printf("  expected %s\n", colstore_status_name(status_of(one->answer)));
        right = status == COLSTORE_STATUS_OK ? wrong(one, "it did not fail") : wrong_error(one, status, err);
    } else {
        const char *fragment = suite_at(one->answer, 2)->text;
        right = strstr(colstore_error_message(err, NULL), fragment) != NULL;
        if (!right) {
            printf("  expected a message with \"%s\"\n", fragment);
            wrong_error(one, status, err);
        }
    }
    colstore_rows_free(rows);
    colstore_error_free(err);
    return right;
}

static int condition(const known_case *one)
{
    const suite_field *text = suite_at(one->question, 1);
    int right = 1;
    for (int form = 0; form < N_FORMS; form++) {
        colstore_error *err = NULL;
        colstore_expr *expr = NULL;
        colstore_rows *rows = NULL;
        colstore_status status = colstore_expr_parse(text->text, text->len, one->params, &expr, &err);
        if (status == COLSTORE_STATUS_OK) {
            status = colstore_rows_filter(one->table->forms[form], NULL, expr, NULL, &rows, NULL, &err);
        }
        colstore_expr_free(expr);
        right &= judge_condition(one, status, rows, err);
    }
    return right;
}

/* --- Values and calls --- */

/* Whether bytes are a NaN of the dtype. */
static int is_nan(const colstore_dtype *dtype, const char *bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, dtype->kind == 'f' ? dtype->itemsize : 0);
    const uint64_t infinity = dtype->itemsize == 8   ? 0x7ff0000000000000
                              : dtype->itemsize == 4 ? 0x7f800000
                                                     : 0x7c00;
    const uint64_t magnitude = bits & (infinity | (infinity - 1));
    return dtype->kind == 'f' && (magnitude & ~(dtype->itemsize == 8 ? 1ull << 63 : 0)) > infinity;
}

static void print_bytes(const char *what, const char *bytes, size_t n)
{
    printf("  %s 0x", what);
    for (size_t i = n; i > 0; i--) {
        printf("%02x", (unsigned)(unsigned char)bytes[i - 1]);
    }
    printf("\n");
}

/* Compares the values of an expression, computed by a frame, with those of the case. */
static int judge_values(const known_case *one, const colstore_frame *frame, const colstore_expr *expr)
{
    if (!suite_is(one->answer, "result")) {
        suite_stop(one->answer->line, "a value has a result");
    }
    const suite_field *wanted = suite_at(one->answer, 1);
    const colstore_dtype dtype = suite_dtype(wanted, one->answer->line);
    const size_t n = one->answer->n_fields - 2, size = dtype.itemsize;
    char found_dtype[32];
    size_t len = 0;
    colstore_error *err = NULL;
    colstore_status status = colstore_frame_expr_dtype(frame, expr, found_dtype, sizeof found_dtype, &len, &err);
    int right = status == COLSTORE_STATUS_OK || wrong_error(one, status, err);
    if (right && (len != wanted->len || memcmp(found_dtype, wanted->text, len) != 0)) {
        printf("  expected %s, found %.*s\n", wanted->text, (int)len, found_dtype);
        right = wrong(one, "another dtype");
    }
    if (right && (int64_t)n != one->table->n_rows) {
        suite_stop(one->answer->line, "values for another number of rows");
    }
    if (right) {
        char *expected = suite_values(one->answer, 2, &dtype), *found = allocate(n * size);
        status = colstore_frame_evaluate(frame, expr, 0, NULL, found, n * size, NULL, &err);
        right = status == COLSTORE_STATUS_OK || wrong_error(one, status, err);
        for (size_t i = 0; right && i < n; i++) {
            const char *a = expected + i * size, *b = found + i * size;
            if (memcmp(a, b, size) != 0 && !(is_nan(&dtype, a) && is_nan(&dtype, b))) {
                print_bytes("expected", a, size);
                print_bytes("found", b, size);
                printf("  in row %zu\n", i);
                right = wrong(one, "another value");
            }
        }
        free(expected);
        free(found);
    }
    colstore_error_free(err);
    return right;
}

static colstore_expr *parse_field(const suite_field *text)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL;
    require(colstore_expr_parse(text->text, text->len, NULL, &expr, &err), &err, text->text);
    return expr;
}

/* The expression of a `value` or a `call`. */
static colstore_expr *asked_for(const suite_statement *question)
{
    if (suite_is(question, "value")) {
        return parse_field(suite_at(question, 1));
    }
    const suite_field *name = suite_at(question, 1);
    colstore_error *err = NULL;
    colstore_expr *expr = NULL, *args[MOST_ARGS];
    const size_t n_args = question->n_fields - 2;
    if (n_args > MOST_ARGS) {
        suite_stop(question->line, "more operands than there is room for");
    }
    for (size_t i = 0; i < n_args; i++) {
        args[i] = parse_field(&question->fields[2 + i]);
    }
    require(colstore_expr_call(name->text, name->len, (const colstore_expr *const *)args, n_args, &expr, &err), &err,
            name->text);
    for (size_t i = 0; i < n_args; i++) {
        colstore_expr_free(args[i]);
    }
    return expr;
}

static int values(const known_case *one)
{
    colstore_expr *expr = asked_for(one->question);
    int right = 1;
    for (int form = 0; form < N_FORMS; form++) {
        right &= judge_values(one, one->table->frames[form], expr);
    }
    colstore_expr_free(expr);
    return right;
}

/* Runs the case that begins at a statement; returns how many statements it has. */
static size_t run_case(const suite_statement *first, size_t n_left)
{
    known_case one = {.id = suite_at(first, 1)->text, .table = find_table(suite_at(first, 2), first->line)};
    size_t at = 1;
    EXPECT(OK, colstore_params_new(&one.params, &err));
    while (at < n_left && (suite_is(&first[at], "param") || suite_is(&first[at], "paramset"))) {
        set_parameter(one.params, &first[at++]);
    }
    if (at + 2 > n_left) {
        suite_stop(first->line, "a case that does not end");
    }
    one.question = &first[at];
    one.answer = &first[at + 1];
    if (suite_is(one.question, "query")) {
        CHECK(condition(&one));
    } else if (suite_is(one.question, "value") || suite_is(one.question, "call")) {
        CHECK(values(&one));
    } else {
        suite_stop(one.question->line, "an unknown statement");
    }
    colstore_params_free(one.params);
    return at + 2;
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    suite_file suite = suite_parse(path_in(GOLDEN, "../query/suite.txt"));
    long n_cases = 0, n_promised = -1;
    for (size_t at = 0; at < suite.n_statements;) {
        const suite_statement *statement = &suite.statements[at];
        const size_t n_left = suite.n_statements - at;
        if (suite_is(statement, "cases")) {
            n_promised = strtol(suite_at(statement, 1)->text, NULL, 10);
            at++;
        } else if (suite_is(statement, "table")) {
            at += add_table(statement, n_left, SCRATCH);
        } else if (suite_is(statement, "case")) {
            at += run_case(statement, n_left);
            n_cases++;
        } else {
            suite_stop(statement->line, "an unknown statement");
        }
    }
    printf("%ld cases of %ld\n", n_cases, n_promised);
    CHECK(n_cases == n_promised && n_cases >= 478);
    free_tables();
    suite_free(&suite);
    return check_report();
}
