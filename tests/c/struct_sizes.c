/* Structs that begin with their size: too small is refused, larger is read and written as far as both sides know. */

#include "check.h"

/* A struct of a later version: fields that this library does not know. */
#define LATER(type)                                                                                          \
    struct {                                                                                                 \
        type known;                                                                                          \
        uint64_t later[4];                                                                                   \
    }

#define CANARY UINT64_C(0x5aa55aa55aa55aa5)

static int intact(const uint64_t *later)
{
    return later[0] == CANARY && later[1] == CANARY && later[2] == CANARY && later[3] == CANARY;
}

static void out_structs(const char *path, const colstore_table *table)
{
    LATER(colstore_info) info = {{.size = sizeof info}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_info_read(path, strlen(path), &info.known, NULL, &err));
    CHECK(info.known.size == sizeof info && info.known.n_rows == 5 && intact(info.later));
    for (size_t size = 0; size < sizeof(colstore_info); size++) {
        colstore_info small = {.size = size, .n_rows = 77};
        EXPECT(INVALID_ARGUMENT, colstore_info_read(path, strlen(path), &small, NULL, &err));
        CHECK(small.n_rows == 77 && small.size == size);
    }

    colstore_schema *schema = NULL;
    EXPECT(OK, colstore_table_schema(table, &schema, &err));
    LATER(colstore_column) column = {{.size = sizeof column}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_schema_column(schema, 1, &column.known, &err));
    CHECK(column.known.size == sizeof column && column.known.dtype.itemsize == 8 && intact(column.later));
    for (size_t size = 0; size < sizeof(colstore_column); size++) {
        colstore_column small = {.size = size};
        EXPECT(INVALID_ARGUMENT, colstore_schema_column(schema, 1, &small, &err));
        CHECK(small.name == NULL && small.size == size);
    }
    colstore_schema_free(schema);

    LATER(colstore_dtype) dtype = {{.size = sizeof dtype}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_dtype_parse("<i4", 3, &dtype.known, &err));
    CHECK(dtype.known.size == sizeof dtype && dtype.known.itemsize == 4 && intact(dtype.later));
    for (size_t size = 0; size < sizeof(colstore_dtype); size++) {
        colstore_dtype small = {.size = size};
        EXPECT(INVALID_ARGUMENT, colstore_dtype_parse("<i4", 3, &small, &err));
        CHECK(small.kind == 0 && small.size == size);
    }

    colstore_view *view = NULL;
    EXPECT(OK, colstore_table_view_column(table, 0, 0, 3, &view, &err));
    LATER(colstore_view_info) described = {{.size = sizeof described}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_view_describe(view, &described.known, &err));
    CHECK(described.known.size == sizeof described && described.known.n_rows == 3 && intact(described.later));
    for (size_t size = 0; size < sizeof(colstore_view_info); size++) {
        colstore_view_info small = {.size = size};
        EXPECT(INVALID_ARGUMENT, colstore_view_describe(view, &small, &err));
        CHECK(small.data == NULL && small.size == size);
    }
    colstore_view_free(view);
}

static void out_structs_of_selections(const colstore_table *table)
{
    colstore_rows *rows = NULL;
    EXPECT(OK, colstore_rows_range(5, 4, -1, -2, &rows, &err));
    LATER(colstore_rows_info) info = {{.size = sizeof info}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_rows_describe(rows, &info.known, &err));
    CHECK(info.known.size == sizeof info && info.known.step == -2 && intact(info.later));
    for (size_t size = 0; size < sizeof(colstore_rows_info); size++) {
        colstore_rows_info small = {.size = size, .count = 77};
        EXPECT(INVALID_ARGUMENT, colstore_rows_describe(rows, &small, &err));
        CHECK(small.count == 77 && small.size == size);
    }
    LATER(colstore_scalar) scalar = {{.size = sizeof scalar}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_table_reduce(table, 0, rows, COLSTORE_REDUCTION_SUM, 0, NULL, &scalar.known, &err));
    CHECK(scalar.known.size == sizeof scalar && scalar.known.int_value == 50 + 30 + 10 && intact(scalar.later));
    for (size_t size = 0; size < sizeof(colstore_scalar); size++) {
        colstore_scalar small = {.size = size, .kind = 77};
        EXPECT(INVALID_ARGUMENT,
               colstore_table_reduce(table, 0, rows, COLSTORE_REDUCTION_SUM, 0, NULL, &small, &err));
        CHECK(small.kind == 77 && small.size == size);
    }
    colstore_rows_free(rows);

    LATER(colstore_machine_info) machine = {{.size = sizeof machine}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_machine(&machine.known, &err));
    CHECK(machine.known.size == sizeof machine && machine.known.sockets > 0 && intact(machine.later));
    for (size_t size = 0; size < sizeof(colstore_machine_info); size++) {
        colstore_machine_info small = {.size = size};
        EXPECT(INVALID_ARGUMENT, colstore_machine(&small, &err));
        CHECK(small.sockets == 0 && small.size == size);
    }
}

static void out_structs_of_frames(const colstore_table *table)
{
    colstore_frame *frame = NULL;
    colstore_expr *condition = NULL;
    colstore_cutflow *cutflow = NULL;
    EXPECT(OK, colstore_frame_new(table, NULL, &frame, &err));
    EXPECT(OK, colstore_expr_parse("a > 10", 6, NULL, &condition, &err));
    EXPECT(OK, colstore_frame_filter(frame, condition, "cut", 3, NULL, &err));
    EXPECT(OK, colstore_frame_cutflow(frame, NULL, &cutflow, NULL, &err));
    LATER(colstore_cut_record) record = {{.size = sizeof record}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_cutflow_get(cutflow, 0, &record.known, &err));
    CHECK(record.known.size == sizeof record && record.known.entering == 5 && intact(record.later));
    for (size_t size = 0; size < sizeof(colstore_cut_record); size++) {
        colstore_cut_record small = {.size = size, .entering = 77};
        EXPECT(INVALID_ARGUMENT, colstore_cutflow_get(cutflow, 0, &small, &err));
        CHECK(small.entering == 77 && small.size == size);
    }
    colstore_cutflow_free(cutflow);
    colstore_expr_free(condition);
    colstore_frame_free(frame);
}

static void options(const char *path, const colstore_table *table)
{
    int32_t out[5];
    LATER(colstore_open_options) open = {{.size = sizeof open}, {1, 2, 3, 4}};
    colstore_table *opened = NULL;
    EXPECT(OK, colstore_table_open(path, strlen(path), &open.known, &opened, &err));
    colstore_table_free(opened);
    opened = NULL;
    /* The first version had the size only; fields that do not count are not looked at. */
    open.known = (colstore_open_options){.size = sizeof(size_t), .advice = -1, .backend = -1, .reserved = -1};
    EXPECT(OK, colstore_table_open(path, strlen(path), &open.known, &opened, &err));
    colstore_table_free(opened);
    opened = NULL;
    for (size_t size = 0; size < sizeof(size_t); size++) {
        open.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_table_open(path, strlen(path), &open.known, &opened, &err));
        CHECK(opened == NULL);
    }

    LATER(colstore_read_options) read = {{.size = sizeof read}, {1, 2, 3, 4}};
    EXPECT(OK, colstore_table_read_column(table, 0, 0, 5, &read.known, out, sizeof out, &err));
    for (size_t size = 0; size < sizeof(colstore_read_options); size++) {
        read.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_table_read_column(table, 0, 0, 5, &read.known, out, sizeof out, &err));
    }
}

static void storing(const char *path)
{
    static const double values[] = {1, 2, 3};
    LATER(colstore_store_options) options = {
        {.size = sizeof options, .mode = COLSTORE_STORE_MODE_RECREATE}, {1, 2, 3, 4}};
    /* The elements of the array are as far apart as the caller's version of the struct is large. */
    LATER(colstore_column_data) columns[2];
    for (int i = 0; i < 2; i++) {
        columns[i].known = column_of(i == 0 ? "x" : "y", "<f8", values, 3, 8);
        columns[i].known.size = sizeof columns[0];
        columns[i].later[0] = CANARY;
    }
    EXPECT(OK, colstore_store(path, strlen(path), &columns[0].known, 2, &options.known, &err));
    colstore_table *table = open_or_exit(path);
    double found[3];
    EXPECT(OK, colstore_table_read_column(table, 1, 0, 3, NULL, found, sizeof found, &err));
    CHECK(memcmp(found, values, sizeof values) == 0);
    colstore_table_free(table);

    columns[1].known.size = sizeof columns[0] - 8;
    EXPECT(INVALID_ARGUMENT, colstore_store(path, strlen(path), &columns[0].known, 2, &options.known, &err));
    for (size_t size = 0; size < sizeof(colstore_column_data); size++) {
        columns[0].known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_store(path, strlen(path), &columns[0].known, 1, &options.known, &err));
    }
    columns[0].known.size = sizeof columns[0];
    for (size_t size = 0; size < sizeof(colstore_store_options); size++) {
        options.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_store(path, strlen(path), &columns[0].known, 1, &options.known, &err));
    }
}

static void verifying(const char *path)
{
    LATER(colstore_verify_options) verify = {{.size = sizeof verify}, {1, 2, 3, 4}};
    colstore_verify_report *report = NULL;
    for (size_t size = 0; size < sizeof(colstore_verify_options); size++) {
        verify.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_verify(path, strlen(path), &verify.known, &report, &err));
    }
    verify.known.size = sizeof verify;
    EXPECT(OK, colstore_verify(path, strlen(path), &verify.known, &report, &err));

    LATER(colstore_verify_summary) summary = {{.size = sizeof summary}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_verify_report_describe(report, &summary.known, &err));
    CHECK(summary.known.size == sizeof summary && summary.known.n_errors == 1 && intact(summary.later));
    for (size_t size = 0; size < sizeof(colstore_verify_summary); size++) {
        colstore_verify_summary small = {.size = size, .n_errors = 77};
        EXPECT(INVALID_ARGUMENT, colstore_verify_report_describe(report, &small, &err));
        CHECK(small.n_errors == 77 && small.size == size);
    }
    LATER(colstore_finding) finding = {{.size = sizeof finding}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_verify_report_finding(report, 0, &finding.known, &err));
    CHECK(finding.known.size == sizeof finding && finding.known.code_len > 0 && intact(finding.later));
    for (size_t size = 0; size < sizeof(colstore_finding); size++) {
        colstore_finding small = {.size = size};
        EXPECT(INVALID_ARGUMENT, colstore_verify_report_finding(report, 0, &small, &err));
        CHECK(small.code == NULL && small.size == size);
    }
    colstore_verify_report_free(report);
}

static void recovering(const char *path)
{
    LATER(colstore_recover_options) options = {{.size = sizeof options}, {1, 2, 3, 4}};
    LATER(colstore_recovery) recovery = {{.size = sizeof recovery}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_recover(path, strlen(path), NULL, 0, &options.known, &recovery.known, &err));
    CHECK(recovery.known.size == sizeof recovery && recovery.known.whole_rows == 5 && intact(recovery.later));
    for (size_t size = 0; size < sizeof(colstore_recovery); size++) {
        colstore_recovery small = {.size = size, .whole_rows = 77};
        EXPECT(INVALID_ARGUMENT, colstore_recover(path, strlen(path), NULL, 0, NULL, &small, &err));
        CHECK(small.whole_rows == 77 && small.size == size);
    }
    for (size_t size = 0; size < sizeof(colstore_recover_options); size++) {
        options.known.size = size;
        EXPECT(INVALID_ARGUMENT,
               colstore_recover(path, strlen(path), NULL, 0, &options.known, &recovery.known, &err));
    }
}

static void copying(const colstore_table *table, const char *source, const char *path)
{
    LATER(colstore_copy_options) copy = {
        {.size = sizeof copy, .mode = COLSTORE_STORE_MODE_RECREATE}, {1, 2, 3, 4}};
    EXPECT(OK, colstore_table_write(table, path, strlen(path), &copy.known, &err));
    for (size_t size = 0; size < sizeof(colstore_copy_options); size++) {
        copy.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_table_write(table, path, strlen(path), &copy.known, &err));
    }
    LATER(colstore_compact_options) compact = {{.size = sizeof compact}, {1, 2, 3, 4}};
    EXPECT(OK, colstore_compact(source, strlen(source), path, strlen(path), &compact.known, &err));
    for (size_t size = 0; size < sizeof(colstore_compact_options); size++) {
        compact.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_compact(source, strlen(source), path, strlen(path), &compact.known, &err));
    }
}

static void shards(const char *directory)
{
    static const double values[] = {1, 2, 3};
    const colstore_column_data column = column_of("x", "<f8", values, 3, 8);
    size_t len = strlen(directory);
    LATER(colstore_append_options) append = {{.size = sizeof append}, {1, 2, 3, 4}};
    EXPECT(OK, colstore_append(directory, len, &column, 1, &append.known, NULL, &err));
    for (size_t size = 0; size < sizeof(colstore_append_options); size++) {
        append.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_append(directory, len, &column, 1, &append.known, NULL, &err));
    }
    colstore_appender *appender = NULL;
    LATER(colstore_appender_options) options = {{.size = sizeof options}, {1, 2, 3, 4}};
    for (size_t size = 0; size < sizeof(colstore_appender_options); size++) {
        options.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_appender_open(directory, len, &options.known, &appender, &err));
    }
    options.known.size = sizeof options;
    EXPECT(OK, colstore_appender_open(directory, len, &options.known, &appender, &err));
    LATER(colstore_appender_info) info = {{.size = sizeof info}, {CANARY, CANARY, CANARY, CANARY}};
    EXPECT(OK, colstore_appender_describe(appender, &info.known, &err));
    CHECK(info.known.size == sizeof info && info.known.locked == 1 && intact(info.later));
    for (size_t size = 0; size < sizeof(colstore_appender_info); size++) {
        colstore_appender_info small = {.size = size, .n_shards = 77};
        EXPECT(INVALID_ARGUMENT, colstore_appender_describe(appender, &small, &err));
        CHECK(small.n_shards == 77 && small.size == size);
    }
    colstore_appender_free(appender);
}

static void writing(const char *path)
{
    LATER(colstore_writer_options) options = {
        {.size = sizeof options, .mode = COLSTORE_WRITER_MODE_RECREATE}, {1, 2, 3, 4}};
    LATER(colstore_writer_info) info = {.known = {.size = sizeof info}};
    info.later[0] = CANARY;
    colstore_writer *writer = NULL;
    EXPECT(OK, colstore_writer_open(path, strlen(path), &options.known, &writer, &err));
    EXPECT(OK, colstore_writer_describe(writer, &info.known, &err));
    CHECK(info.known.size == sizeof info && info.later[0] == CANARY);
    CHECK(info.known.mode == COLSTORE_WRITER_MODE_RECREATE);
    for (size_t size = 0; size < sizeof(colstore_writer_info); size++) {
        info.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_writer_describe(writer, &info.known, &err));
    }
    colstore_writer_free(writer);
    for (size_t size = 0; size < sizeof(colstore_writer_options); size++) {
        options.known.size = size;
        EXPECT(INVALID_ARGUMENT, colstore_writer_open(path, strlen(path), &options.known, &writer, &err));
    }
}

/* Sizes; they only grow. */
static void first_version(void)
{
#if UINTPTR_MAX == UINT64_MAX
    CHECK(sizeof(colstore_dtype) == 32);
    CHECK(sizeof(colstore_column) == 88);
    CHECK(sizeof(colstore_open_options) == 24);
    CHECK(sizeof(colstore_info) == 40);
    CHECK(sizeof(colstore_read_options) == 24);
    CHECK(sizeof(colstore_view_info) == 40);
    CHECK(sizeof(colstore_rows_info) == 48);
    CHECK(sizeof(colstore_scalar) == 40);
    CHECK(sizeof(colstore_machine_info) == 32);
    CHECK(sizeof(colstore_column_data) == 64);
    CHECK(sizeof(colstore_store_options) == 32);
    CHECK(sizeof(colstore_verify_options) == 24);
    CHECK(sizeof(colstore_verify_summary) == 80);
    CHECK(sizeof(colstore_finding) == 96);
    CHECK(sizeof(colstore_recover_options) == 24);
    CHECK(sizeof(colstore_recovery) == 96);
    CHECK(sizeof(colstore_copy_options) == 32);
    CHECK(sizeof(colstore_compact_options) == 24);
    CHECK(sizeof(colstore_append_options) == 40);
    CHECK(sizeof(colstore_appender_options) == 48);
    CHECK(sizeof(colstore_appender_info) == 32);
    CHECK(sizeof(colstore_writer_options) == 32);
    CHECK(sizeof(colstore_writer_info) == 40);
    CHECK(sizeof(colstore_cut_record) == 88);
#endif
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    const char *path = path_in(GOLDEN, "corrupt/_base.cstore");
    colstore_table *table = open_or_exit(path);
    first_version();
    out_structs(path, table);
    out_structs_of_selections(table);
    out_structs_of_frames(table);
    options(path, table);
    storing(path_in(SCRATCH, "sizes.cstore"));
    verifying(path_in(GOLDEN, "corrupt/record_crc.cstore"));
    recovering(path);
    copying(table, path, path_in(SCRATCH, "copied.cstore"));
    shards(path_in(SCRATCH, "sizes_shards"));
    writing(path_in(SCRATCH, "writer_sizes.cstore"));
    colstore_table_free(table);
    return check_report();
}
