/* The part of replay.c about expressions, queries and frames: what it says at its head holds here.
 *
 * A frame borrows the memory of vectors and does not say when it needs them no more: the package keeps them until the
 * last handle that may need them is freed. Here they are freed right after it. */

#define TEXT(text) text, strlen(text)

/* --- expressions ---------------------------------------------------------------------------------------- */

/* replays: expression_text */
static int prints(const colstore_expr *value, const char *expected)
{
    size_t len = 0;
    EXPECT(OK, colstore_expr_print(value, NULL, 0, &len, &err));
    char *out = allocate(len);
    EXPECT(OK, colstore_expr_print(value, out, len, &len, &err));
    const int same = len == strlen(expected) && memcmp(out, expected, len) == 0;
    free(out);
    return same;
}

/* replays: operand[colstore_expr_none] operand[colstore_expr_bool] operand[colstore_expr_int]
 *   operand[colstore_expr_integer] operand[colstore_expr_float] operand[colstore_expr_text]
 *   operand[colstore_expr_bytes] constant */
static void operands(void)
{
    static const char *const texts[] = {
        "None", "True", "-7", "100000000000000000000", "2.5", "'it'", "b'a\\x00'", "float32(1.5)"};
    enum { N = sizeof texts / sizeof texts[0] };
    /* Bytes, texts and values are the caller's and go after the call. */
    char *text = strdup("it"), *bytes = allocate(2);
    float *value = allocate(sizeof *value);
    memcpy(bytes, "a", 2);
    *value = 1.5f;
    colstore_expr *made[N] = {NULL};
    EXPECT(OK, colstore_expr_none(&made[0], &err));
    EXPECT(OK, colstore_expr_bool(1, &made[1], &err));
    EXPECT(OK, colstore_expr_int(-7, &made[2], &err));
    EXPECT(OK, colstore_expr_integer(TEXT("100000000000000000000"), &made[3], &err));
    EXPECT(OK, colstore_expr_float(2.5, &made[4], &err));
    EXPECT(OK, colstore_expr_text(text, 2, &made[5], &err));
    EXPECT(OK, colstore_expr_bytes(bytes, 2, &made[6], &err));
    EXPECT(OK, colstore_expr_constant(TEXT("<f4"), value, sizeof *value, &made[7], &err));
    free(text);
    free(bytes);
    free(value);
    for (int i = 0; i < N; i++) {
        CHECK(prints(made[i], texts[i]));
        colstore_expr_free(made[i]);
    }
}

/* A third of x rounded and cast, and what may be asked of an expression. Operands go before what was made of them.
 *
 * replays: col[colstore_expr_column] operand[colstore_expr_int] call Base.round cast column_names texts
 *   dtype[colstore_expr_check] is_exact */
static void calls(const colstore_table *table)
{
    colstore_expr *x = NULL, *three = NULL, *third = NULL, *rounded = NULL, *single = NULL;
    EXPECT(OK, colstore_expr_column(TEXT("x"), &x, &err));
    EXPECT(OK, colstore_expr_int(3, &three, &err));
    const colstore_expr *pointers[] = {x, three};
    EXPECT(OK, colstore_expr_call(TEXT("true_divide"), pointers, 2, &third, &err));
    colstore_expr_free(x);
    colstore_expr_free(three);
    EXPECT(OK, colstore_expr_round(third, 2, &rounded, &err));
    colstore_expr_free(third);
    EXPECT(OK, colstore_expr_cast(rounded, TEXT("<f4"), &single, &err));
    colstore_expr_free(rounded);
    CHECK(prints(single, "astype(round(x / 3, 2), '<f4')"));
    colstore_names *names = NULL;
    EXPECT(OK, colstore_expr_columns(single, &names, &err));
    size_t count = 0, len = 0;
    const char *start = NULL;
    EXPECT(OK, colstore_names_count(names, &count, &err));
    CHECK(count == 1);
    EXPECT(OK, colstore_names_get(names, 0, &start, &len, &err));
    CHECK(len == 1 && *start == 'x');
    colstore_names_free(names);
    char out[64];
    EXPECT(OK, colstore_expr_check(single, table, 0, out, sizeof out, &len, &err));
    CHECK(len == 3 && memcmp(out, "<f4", 3) == 0);
    colstore_expr_free(single);
    CHECK(colstore_function_exact(TEXT("sqrt"), TEXT("<f4")) == 1);
}

/* replays: col[colstore_expr_column] value_set[colstore_values_array] isin operand[colstore_expr_float]
 *   literal_set isin */
static void sets(void)
{
    double *values = allocate(2 * sizeof *values);
    values[0] = 0.5, values[1] = 9;
    colstore_values *set = NULL;
    colstore_expr *x = NULL, *half = NULL, *in = NULL;
    EXPECT(OK, colstore_expr_column(TEXT("x"), &x, &err));
    EXPECT(OK, colstore_values_array(TEXT("<f8"), values, 2, sizeof *values, &set, &err));
    free(values);
    EXPECT(OK, colstore_expr_isin(x, set, 0, &in, &err));
    colstore_values_free(set);
    CHECK(prints(in, "x in array(2 of float64)"));
    colstore_expr_free(in);
    EXPECT(OK, colstore_expr_float(0.5, &half, &err));
    const colstore_expr *pointers[] = {half};
    EXPECT(OK, colstore_values_list(pointers, 1, &set, &err));
    colstore_expr_free(half);
    EXPECT(OK, colstore_expr_isin(x, set, 1, &in, &err));
    colstore_values_free(set);
    CHECK(prints(in, "x not in [0.5]"));
    colstore_expr_free(in);
    colstore_expr_free(x);
}

/* --- queries -------------------------------------------------------------------------------------------- */

static colstore_expr *parsed(const char *text)
{
    colstore_error *err = NULL;
    colstore_expr *made = NULL;
    require(colstore_expr_parse(text, strlen(text), NULL, &made, &err), &err, text);
    return made;
}

/* query(table, "x > @cut and b in @kinds"; cut = 2, kinds = [true]).
 *
 * replays: parameters operand[colstore_expr_int] set_parameter![colstore_params_set] value_set[colstore_values_array]
 *   set_parameter![colstore_params_set_values] parse_expression query[colstore_rows_filter] Rows Base.collect */
static void querying(const colstore_table *table)
{
    static const uint8_t kinds[] = {1};
    colstore_params *params = NULL;
    colstore_expr *cut = NULL, *condition = NULL;
    colstore_values *set = NULL;
    EXPECT(OK, colstore_params_new(&params, &err));
    EXPECT(OK, colstore_expr_int(2, &cut, &err));
    EXPECT(OK, colstore_params_set(params, TEXT("cut"), cut, &err));
    colstore_expr_free(cut);
    EXPECT(OK, colstore_values_array(TEXT("|b1"), kinds, 1, 1, &set, &err));
    EXPECT(OK, colstore_params_set_values(params, TEXT("kinds"), set, &err));
    colstore_values_free(set);
    EXPECT(OK, colstore_expr_parse(TEXT("x > @cut and b in @kinds"), params, &condition, &err));
    colstore_params_free(params);
    colstore_read_options options = {.size = sizeof options};
    colstore_rows *rows = NULL;
    int64_t count = 0, numbers[2] = {7, 7};
    EXPECT(OK, colstore_rows_filter(table, NULL, condition, &options, &rows, NULL, &err));
    colstore_expr_free(condition);
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == 2);
    EXPECT(OK, colstore_rows_positions(rows, 0, count, numbers, 2, &err));
    CHECK(numbers[0] == 2 && numbers[1] == 5);
    colstore_rows_free(rows);
}

/* replays: parameters parse_expression taken_error */
static void failing_to_parse(void)
{
    colstore_params *params = NULL;
    colstore_expr *made = NULL;
    colstore_error *error = NULL;
    size_t len = 0, first = 0, end = 0;
    int64_t row = 0;
    EXPECT(OK, colstore_params_new(&params, &err));
    CHECK(colstore_expr_parse(TEXT("x > > 3"), params, &made, &error) == COLSTORE_STATUS_QUERY);
    colstore_params_free(params);
    CHECK(strstr(colstore_error_message(error, &len), "^") != NULL);
    CHECK(colstore_error_path(error, &len) == NULL);
    CHECK(colstore_error_column(error, &len) == NULL);
    CHECK(!colstore_error_row(error, &row));
    CHECK(colstore_error_os_code(error) == 0);
    CHECK(colstore_error_span(error, &first, &end) && first == 4 && end == 5);
    CHECK(strcmp(colstore_status_name(COLSTORE_STATUS_QUERY), "QUERY") == 0);
    colstore_error_free(error);
}

/* --- frames --------------------------------------------------------------------------------------------- */

/* edit(table), a vector as a column, a cut by it, a clone. The frame goes first, then its clone, then what they borrow.
 *
 * replays: edit Frame memory_column assign! schema_of[colstore_frame_schema] Schema cut! Base.count
 *   rows[colstore_frame_rows] Rows has_selection Base.copy Frame col[colstore_frame_column] resolve
 *   read_frame! */
static void borrowing(const colstore_table *table)
{
    double *weights = allocate(N_ROWS * sizeof *weights);
    for (int i = 0; i < N_ROWS; i++) {
        weights[i] = i;
    }
    colstore_frame *frame = NULL, *clone = NULL;
    colstore_expr *memory = NULL;
    int64_t n_base_rows = 0, n_rows = 0, count = 0;
    EXPECT(OK, colstore_frame_new(table, NULL, &frame, &err));
    EXPECT(OK, colstore_frame_base_rows(frame, &n_base_rows, &err));
    CHECK(n_base_rows == N_ROWS);
    EXPECT(OK, colstore_frame_memory(frame, TEXT("<f8"), weights, N_ROWS, 8, NULL, NULL, &memory, &err));
    char *name = strdup("w");
    const char *const starts[] = {name};
    const size_t lens[] = {1};
    const colstore_expr *const values[] = {memory};
    EXPECT(OK, colstore_frame_assign(frame, starts, lens, values, 1, &err));
    free(name);
    colstore_expr_free(memory);
    colstore_schema *schema = NULL;
    size_t n_columns = 0;
    EXPECT(OK, colstore_frame_schema(frame, &schema, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    CHECK(n_columns == 4);
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        CHECK(column.name_len == 1);
    }
    colstore_schema_free(schema);
    colstore_expr *condition = parsed("w > 2"), *weight = parsed("w");
    EXPECT(OK, colstore_frame_filter(frame, condition, TEXT("late"), weight, &err));
    colstore_expr_free(condition);
    colstore_expr_free(weight);
    colstore_read_options options = {.size = sizeof options};
    EXPECT(OK, colstore_frame_count(frame, &options, &n_rows, NULL, &err));
    CHECK(n_rows == 3);
    colstore_rows *rows = NULL;
    EXPECT(OK, colstore_frame_rows(frame, &options, &rows, NULL, &err));
    EXPECT(OK, colstore_rows_count(rows, &count, &err));
    CHECK(count == n_rows);
    colstore_rows_free(rows);
    int32_t has_selection = 7;
    EXPECT(OK, colstore_frame_has_selection(frame, &has_selection, &err));
    CHECK(has_selection == 1);
    EXPECT(OK, colstore_frame_clone(frame, &clone, &err));
    EXPECT(OK, colstore_frame_base_rows(clone, &n_base_rows, &err));
    colstore_expr *column = NULL, *twice = parsed("w * 2"), *resolved = NULL;
    EXPECT(OK, colstore_frame_column(frame, TEXT("w"), &column, &err));
    EXPECT(OK, colstore_frame_resolve(frame, twice, &resolved, &err));
    colstore_expr_free(twice);
    colstore_frame_free(frame);
    const size_t columns[] = {3}, sizes[] = {3 * sizeof(double)};
    double out[3];
    void *const outs[] = {out};
    EXPECT(OK, colstore_frame_read_columns(clone, columns, 1, 0, 3, &options, outs, sizes, NULL, &err));
    CHECK(out[0] == 3 && out[1] == 4 && out[2] == 5);
    colstore_frame_free(clone);
    colstore_expr_free(resolved);
    colstore_expr_free(column);
    free(weights);
}

static colstore_frame *frame_of(const colstore_table *table, const char *cut)
{
    colstore_error *err = NULL;
    colstore_frame *frame = NULL;
    colstore_expr *condition = parsed(cut);
    require(colstore_frame_new(table, NULL, &frame, &err), &err, "a frame");
    require(colstore_frame_filter(frame, condition, NULL, 0, NULL, &err), &err, cut);
    colstore_expr_free(condition);
    return frame;
}

/* replays: drop! rename! cast! select! drop! */
static void editing(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table, "b");
    /* Names are the caller's and go after the call. */
    char *name = strdup("long name");
    const char *const t[] = {"t"}, *const x[] = {"x"}, *const renamed[] = {name}, *const dtypes[] = {"<f4"};
    const size_t one[] = {1}, nine[] = {9}, three[] = {3};
    EXPECT(OK, colstore_frame_drop(frame, t, one, 1, &err));
    EXPECT(OK, colstore_frame_rename(frame, x, one, renamed, nine, 1, &err));
    EXPECT(OK, colstore_frame_cast(frame, renamed, nine, dtypes, three, 1, &err));
    EXPECT(OK, colstore_frame_select(frame, renamed, nine, 1, &err));
    free(name);
    EXPECT(KEY, colstore_frame_drop(frame, x, one, 1, &err));
    colstore_frame_free(frame);
}

/* replays: records dtype[colstore_frame_expr_dtype] evaluate dtype[colstore_frame_expr_dtype]
 *   reduced[colstore_frame_reduce] */
static void computing(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table, "b");
    colstore_read_options options = {.size = sizeof options};
    colstore_expr *twice = parsed("x * 2");
    const size_t indices[] = {1, 0};
    uint8_t *bytes = allocate(2 * 9);
    double *values = allocate(N_ROWS * sizeof *values), second = 0;
    char out[64];
    size_t len = 0;
    EXPECT(OK, colstore_frame_read_records(frame, indices, 2, 1, 3, &options, bytes, 2 * 9, NULL, &err));
    memcpy(&second, bytes + 10, sizeof second);
    CHECK(bytes[0] == 1 && bytes[9] == 1 && second == X[5]);
    EXPECT(OK, colstore_frame_expr_dtype(frame, twice, out, sizeof out, &len, &err));
    CHECK(len == 3 && memcmp(out, "<f8", 3) == 0);
    EXPECT(OK, colstore_frame_evaluate(frame, twice, 1, &options, values, N_ROWS * sizeof *values, NULL, &err));
    CHECK(values[0] == 1 && values[5] == 11);
    EXPECT(OK, colstore_frame_expr_dtype(frame, twice, out, sizeof out, &len, &err));
    colstore_scalar scalar = {.size = sizeof scalar};
    EXPECT(OK, colstore_frame_reduce(frame, twice, COLSTORE_REDUCTION_SUM, 0, &options, &scalar, NULL, &err));
    CHECK(scalar.kind == 'f' && scalar.float_value == 2 * (X[1] + X[2] + X[5]));
    colstore_expr_free(twice);
    colstore_frame_free(frame);
    free(bytes);
    free(values);
}

/* The texts of a cutflow are copied before it goes.
 *
 * replays: cutflow cut_at */
static void reporting(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table, "x > 1");
    colstore_read_options options = {.size = sizeof options};
    colstore_cutflow *cutflow = NULL;
    EXPECT(OK, colstore_frame_cutflow(frame, &options, &cutflow, NULL, &err));
    colstore_frame_free(frame);
    size_t n_cuts = 0;
    EXPECT(OK, colstore_cutflow_count(cutflow, &n_cuts, &err));
    CHECK(n_cuts == 1);
    for (size_t i = 0; i < n_cuts; i++) {
        colstore_cut_record record = {.size = sizeof record};
        EXPECT(OK, colstore_cutflow_get(cutflow, i, &record, &err));
        CHECK(record.label == NULL && record.condition_len == 5 && memcmp(record.condition, "x > 1", 5) == 0);
        CHECK(record.entering == N_ROWS && record.passing == 5 && !record.weighted);
    }
    colstore_cutflow_free(cutflow);
}

/* batches(frame; rows = 2) with one buffer, of which the last piece fills a part; cancelled before anything is found.
 *
 * replays: Progress cancel! Base.count Base.copy Frame Base.count read_frame! */
static void in_batches(const colstore_table *table)
{
    colstore_frame *frame = frame_of(table, "b"), *own = NULL;
    colstore_progress *progress = NULL;
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    colstore_read_options cancelled = {.size = sizeof cancelled, .progress = progress};
    colstore_read_options options = {.size = sizeof options};
    int64_t n_rows = 0, n_base_rows = 0;
    EXPECT(CANCELLED, colstore_frame_count(frame, &cancelled, &n_rows, NULL, &err));
    colstore_progress_free(progress);
    EXPECT(OK, colstore_frame_clone(frame, &own, &err));
    colstore_frame_free(frame);
    EXPECT(OK, colstore_frame_base_rows(own, &n_base_rows, &err));
    EXPECT(OK, colstore_frame_count(own, &options, &n_rows, NULL, &err));
    CHECK(n_rows == 3);
    double *buffer = allocate(2 * sizeof *buffer), sum = 0;
    const size_t columns[] = {0};
    void *const outs[] = {buffer};
    for (int64_t start = 0; start < n_rows; start += 2) {
        const int64_t stop = start + 2 < n_rows ? start + 2 : n_rows;
        const size_t sizes[] = {(size_t)(stop - start) * sizeof *buffer};
        EXPECT(OK, colstore_frame_read_columns(own, columns, 1, start, stop, &options, outs, sizes, NULL, &err));
        for (int64_t i = 0; i < stop - start; i++) {
            sum += buffer[i];
        }
    }
    CHECK(sum == X[1] + X[2] + X[5]);
    colstore_frame_free(own);
    free(buffer);
}

/* replays: store[colstore_frame_write] open_file Table */
static void writing_a_frame(const colstore_table *table, const char *path)
{
    colstore_frame *frame = frame_of(table, "b");
    colstore_store_options options = {.size = sizeof options};
    EXPECT(OK, colstore_frame_write(frame, path, strlen(path), &options, NULL, &err));
    colstore_frame_free(frame);
    colstore_open_options opening = {.size = sizeof opening};
    colstore_table *written = NULL;
    EXPECT(OK, colstore_table_open(path, strlen(path), &opening, &written, &err));
    int64_t n_rows = 0;
    EXPECT(OK, colstore_table_n_rows(written, &n_rows, &err));
    CHECK(n_rows == 3);
    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(written, &schema, &err));
    colstore_schema_free(schema);
    colstore_table_free(written);
    remove(path);
}

static void with_expressions_and_frames(const colstore_table *table, const char *path)
{
    operands();
    calls(table);
    sets();
    querying(table);
    failing_to_parse();
    borrowing(table);
    editing(table);
    computing(table);
    reporting(table);
    in_batches(table);
    writing_a_frame(table, path);
}
