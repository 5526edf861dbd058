/* Cutflows: counts, weights, labels, conditions; inherited weights; what goes with a frame that has no cuts. */

#include "expressions.h"

static void cut(colstore_frame *frame, const char *text, const char *label, const char *weight)
{
    colstore_expr *condition = parsed(text), *weights = weight != NULL ? parsed(weight) : NULL;
    EXPECT(OK, colstore_frame_filter(frame, condition, label, label != NULL ? strlen(label) : 0, weights, &err));
    colstore_expr_free(condition);
    colstore_expr_free(weights);
}

static colstore_cut_record record_of(const colstore_cutflow *cutflow, size_t index)
{
    colstore_cut_record record = {.size = sizeof record, .label_len = 77, .reserved = 77};
    EXPECT(OK, colstore_cutflow_get(cutflow, index, &record, &err));
    CHECK(record.reserved == 0);
    return record;
}

static int is_text(const char *text, size_t len, const char *expected)
{
    return text != NULL && len == strlen(expected) && memcmp(text, expected, len) == 0;
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    colstore_table *table = events(path_in(SCRATCH, "events.cstore"));
    colstore_frame *frame = NULL;
    colstore_cutflow *cutflow = NULL;
    size_t n = 77;
    EXPECT(OK, colstore_frame_new(table, NULL, &frame, &err));
    colstore_table_free(table);
    EXPECT(OK, colstore_frame_cutflow(frame, NULL, &cutflow, NULL, &err));
    EXPECT(OK, colstore_cutflow_count(cutflow, &n, &err));
    CHECK(n == 0);
    colstore_cut_record none = {.size = sizeof none};
    EXPECT(OUT_OF_BOUNDS, colstore_cutflow_get(cutflow, 0, &none, &err));
    colstore_cutflow_free(cutflow);

    cut(frame, "n > 1", NULL, NULL);
    cut(frame, "x > 0", "positive", "n * 0.5");
    cut(frame, "u < 200", "", NULL);
    cut(frame, "x > 1e9", "none", "u");
    cut(frame, "x > 2e9", NULL, NULL);
    uint32_t flags = 77;
    EXPECT(OK, colstore_frame_cutflow(frame, NULL, &cutflow, &flags, &err));
    /* The cutflow keeps what it says. */
    colstore_frame_free(frame);
    EXPECT(OK, colstore_cutflow_count(cutflow, &n, &err));
    CHECK(n == 5 && flags == 0);

    colstore_cut_record record = record_of(cutflow, 0);
    CHECK(record.label == NULL && record.label_len == 0 && is_text(record.condition, record.condition_len, "n > 1"));
    CHECK(record.entering == 6 && record.passing == 5 && record.weighted == 0);
    CHECK(record.weighted_entering == 0 && record.weighted_passing == 0 && record.weighted_variance == 0);

    record = record_of(cutflow, 1);
    CHECK(is_text(record.label, record.label_len, "positive"));
    CHECK(record.entering == 5 && record.passing == 3 && record.weighted == 1);
    CHECK(record.weighted_entering == 10 && record.weighted_passing == 5.5);
    CHECK(record.weighted_variance == 1 + 4 + 6.25);

    /* The weight of the cut before; an empty name is a name. */
    record = record_of(cutflow, 2);
    CHECK(record.label != NULL && record.label_len == 0);
    CHECK(record.entering == 3 && record.passing == 2 && record.weighted == 1);
    CHECK(record.weighted_entering == 5.5 && record.weighted_passing == 3 && record.weighted_variance == 5);

    record = record_of(cutflow, 3);
    CHECK(record.entering == 2 && record.passing == 0 && record.weighted == 1);
    CHECK(record.weighted_entering == 200 && record.weighted_passing == 0 && record.weighted_variance == 0);
    record = record_of(cutflow, 4);
    CHECK(record.entering == 0 && record.passing == 0 && record.weighted == 1 && record.weighted_entering == 0);
    EXPECT(OUT_OF_BOUNDS, colstore_cutflow_get(cutflow, 5, &none, &err));
    colstore_cutflow_free(cutflow);
    colstore_cutflow_free(NULL);

    /* Weights that are none. */
    table = open_or_exit(path_in(SCRATCH, "events.cstore"));
    EXPECT(OK, colstore_frame_new(table, NULL, &frame, &err));
    colstore_expr *condition = parsed("x > 0"), *text = col("s"), *unknown = col("energy");
    EXPECT(TYPE, colstore_frame_filter(frame, condition, NULL, 0, text, &err));
    EXPECT(KEY, colstore_frame_filter(frame, condition, NULL, 0, unknown, &err));
    EXPECT(INVALID_ARGUMENT, colstore_frame_filter(frame, condition, "\xff", 1, NULL, &err));
    int32_t has = 77;
    EXPECT(OK, colstore_frame_has_selection(frame, &has, &err));
    CHECK(has == 0);
    colstore_expr_free(condition);
    colstore_expr_free(text);
    colstore_expr_free(unknown);

    /* A function that fails while it is asked for. */
    counter fails = {.fail_at = 1};
    condition = call("greater", summed(&fails, col("x"), NULL), real(0));
    EXPECT(OK, colstore_frame_filter(frame, condition, NULL, 0, NULL, &err));
    colstore_expr_free(condition);
    cutflow = NULL;
    EXPECT(CALLBACK, colstore_frame_cutflow(frame, NULL, &cutflow, NULL, &err));
    CHECK(cutflow == NULL && fails.released == 0);
    colstore_frame_free(frame);
    CHECK(fails.released == 1);
    colstore_table_free(table);
    return check_report();
}
