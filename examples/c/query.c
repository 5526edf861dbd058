/* Selects flights by cuts, reports what each cut left, and writes columns of its own for the flights that are left to a
 * new file. It reads what examples/python/flights.py stores.
 *
 * From the top of the repository:
 *
 *     cargo build --release -p colstore-ffi
 *     cc examples/c/query.c -Iinclude -Ltarget/release -lcolstore -o query
 *     LD_LIBRARY_PATH=target/release ./query flights.cstore late.cstore
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colstore.h"

/* Ends the program with the library's message if a call failed. */
static void check(colstore_status status, colstore_error **err)
{
    if (status != COLSTORE_STATUS_OK) {
        fprintf(stderr, "query: %s: %s\n", colstore_status_name(status), colstore_error_message(*err, NULL));
        colstore_error_free(*err);
        exit(1);
    }
}

/* An expression from text; `limit`, if it is not NULL, is what @limit stands for. */
static colstore_expr *parse(const char *text, const double *limit)
{
    colstore_error *err = NULL;
    colstore_expr *expr = NULL, *value = NULL;
    colstore_params *params = NULL;
    check(colstore_params_new(&params, &err), &err);
    if (limit != NULL) {
        check(colstore_expr_float(*limit, &value, &err), &err);
        check(colstore_params_set(params, "limit", strlen("limit"), value, &err), &err);
    }
    check(colstore_expr_parse(text, strlen(text), params, &expr, &err), &err);
    colstore_params_free(params);
    colstore_expr_free(value);
    return expr;
}

/* Adds a cut. Later ones have the same weight. */
static void cut(colstore_frame *frame, const char *text, const double *limit, const char *label, const char *weight)
{
    colstore_error *err = NULL;
    colstore_expr *condition = parse(text, limit), *weights = weight != NULL ? parse(weight, NULL) : NULL;
    check(colstore_frame_filter(frame, condition, label, strlen(label), weights, &err), &err);
    colstore_expr_free(condition);
    colstore_expr_free(weights);
}

/* A column of the frame's own: miles per hour, and "origin-dest" put together from calls instead of text. */
static void add_columns(colstore_frame *frame)
{
    colstore_error *err = NULL;
    colstore_expr *parts[3] = {NULL, NULL, NULL}, *first = NULL, *route = NULL;
    check(colstore_expr_column("origin", strlen("origin"), &parts[0], &err), &err);
    check(colstore_expr_bytes("-", 1, &parts[1], &err), &err);
    check(colstore_expr_column("dest", strlen("dest"), &parts[2], &err), &err);
    check(colstore_expr_call("add", 3, (const colstore_expr *const[]){parts[0], parts[1]}, 2, &first, &err), &err);
    check(colstore_expr_call("add", 3, (const colstore_expr *const[]){first, parts[2]}, 2, &route, &err), &err);

    colstore_expr *speed = parse("distance / (air_time / 60)", NULL);
    const char *const names[] = {"speed", "route"};
    const size_t lens[] = {5, 5};
    check(colstore_frame_assign(frame, names, lens, (const colstore_expr *const[]){speed, route}, 2, &err), &err);
    for (int i = 0; i < 3; i++) {
        colstore_expr_free(parts[i]);
    }
    colstore_expr_free(first);
    colstore_expr_free(route);
    colstore_expr_free(speed);
}

/* What each cut left: flights, and the miles they flew. */
static void report(const colstore_frame *frame)
{
    colstore_error *err = NULL;
    colstore_cutflow *cutflow = NULL;
    size_t n = 0;
    check(colstore_frame_cutflow(frame, NULL, &cutflow, NULL, &err), &err);
    check(colstore_cutflow_count(cutflow, &n, &err), &err);
    printf("  %-14s %10s %10s %15s\n", "cut", "flights in", "out", "miles out");
    for (size_t i = 0; i < n; i++) {
        colstore_cut_record record = {.size = sizeof record};
        check(colstore_cutflow_get(cutflow, i, &record, &err), &err);
        printf("  %-14.*s %10" PRId64 " %10" PRId64 " %15.0f   %.*s\n", (int)record.label_len, record.label,
               record.entering, record.passing, record.weighted_passing, (int)record.condition_len, record.condition);
    }
    colstore_cutflow_free(cutflow);
}

/* The mean of an expression over the flights that are left; 0 if there are none. */
static double mean(const colstore_frame *frame, const char *text)
{
    colstore_error *err = NULL;
    colstore_expr *expr = parse(text, NULL);
    colstore_scalar scalar = {.size = sizeof scalar};
    check(colstore_frame_reduce(frame, expr, COLSTORE_REDUCTION_MEAN, 0, NULL, &scalar, NULL, &err), &err);
    colstore_expr_free(expr);
    return scalar.float_value;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s FLIGHTS.cstore OUTPUT.cstore\n", argv[0]);
        return 2;
    }
    if (colstore_abi_version() != COLSTORE_ABI_VERSION) {
        fprintf(stderr, "query: built for ABI %d, but the library loaded has %" PRIu32 "\n", COLSTORE_ABI_VERSION,
                colstore_abi_version());
        return 1;
    }

    colstore_error *err = NULL;
    colstore_table *table = NULL;
    colstore_frame *frame = NULL;
    check(colstore_table_open(argv[1], strlen(argv[1]), NULL, &table, &err), &err);
    check(colstore_frame_new(table, NULL, &frame, &err), &err);
    colstore_table_free(table); /* the frame keeps what it needs */

    const double limit = 60;
    add_columns(frame);
    cut(frame, "origin in [b'JFK', b'LGA']", NULL, "from New York", "distance");
    cut(frame, "arr_delay > @limit", &limit, "late", NULL);
    cut(frame, "month >= 6 and month <= 8 and not carrier == 'UA'", NULL, "in summer", NULL);

    /* Nothing has been read so far. */
    int64_t n_rows = 0;
    check(colstore_frame_count(frame, NULL, &n_rows, NULL, &err), &err);
    printf("%s: %" PRId64 " flights are left\n", argv[1], n_rows);
    report(frame);
    printf("  mean speed %.1f mph, mean delay %.1f minutes\n", mean(frame, "speed"), mean(frame, "arr_delay"));

    const char *const kept[] = {"time_hour", "carrier", "flight", "route", "speed", "arr_delay"};
    size_t lens[6];
    for (int i = 0; i < 6; i++) {
        lens[i] = strlen(kept[i]);
    }
    const colstore_store_options options = {.size = sizeof options, .mode = COLSTORE_STORE_MODE_RECREATE};
    check(colstore_frame_select(frame, kept, lens, 6, &err), &err);
    check(colstore_frame_write(frame, argv[2], strlen(argv[2]), &options, NULL, &err), &err);
    printf("%s: written\n", argv[2]);
    colstore_frame_free(frame);
    return 0;
}
