/* Checking files, and recovering what a writer that died has left. */

#include "check.h"

static unsigned char *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        printf("cannot go on: %s cannot be read\n", path);
        exit(2);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = allocate(*size);
    if (fread(bytes, 1, *size, file) != *size) {
        printf("cannot go on: %s cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    return bytes;
}

static void save(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        printf("cannot go on: %s cannot be written\n", path);
        exit(2);
    }
}

static colstore_verify_summary verify(const char *path, int deep, colstore_verify_report **report)
{
    const colstore_verify_options options = {.size = sizeof options, .deep = deep};
    colstore_verify_summary summary = {.size = sizeof summary};
    *report = NULL;
    EXPECT(OK, colstore_verify(path, strlen(path), &options, report, &err));
    EXPECT(OK, colstore_verify_report_describe(*report, &summary, &err));
    return summary;
}

static int is(const char *text, size_t len, const char *expected)
{
    return text != NULL && len == strlen(expected) && memcmp(text, expected, len) == 0;
}

static void of_sound_files(const char *path)
{
    for (int deep = 0; deep <= 1; deep++) {
        colstore_verify_report *report = NULL;
        const colstore_verify_summary summary = verify(path, deep, &report);
        CHECK(summary.n_errors == 0 && summary.n_findings == 0 && summary.n_files == 1);
        CHECK(summary.n_records == 2 && summary.n_rows == 5 && summary.n_value_bytes == (deep ? 60 : 0));
        colstore_finding finding = {.size = sizeof finding, .offset = 77};
        EXPECT(OUT_OF_BOUNDS, colstore_verify_report_finding(report, 0, &finding, &err));
        CHECK(finding.offset == 77);
        colstore_verify_report_free(report);
    }
}

static void of_damaged_files(const char *path)
{
    colstore_verify_report *report = NULL;
    const colstore_verify_summary summary = verify(path, 0, &report);
    CHECK(summary.n_errors == 1 && summary.n_findings == 1);
    colstore_finding finding = {.size = sizeof finding};
    EXPECT(OK, colstore_verify_report_finding(report, 0, &finding, &err));
    CHECK(finding.severity == COLSTORE_SEVERITY_ERROR && is(finding.code, finding.code_len, "record"));
    CHECK(is(finding.path, finding.path_len, path) && finding.message_len > 0);
    CHECK(finding.record == 1 && finding.offset > 0 && finding.column == NULL && finding.column_len == 0);
    colstore_verify_report_free(report);
    EXPECT(NOT_FOUND, colstore_verify("missing.cstore", 14, NULL, &report, &err));
}

/* A file with two committed records, a whole one behind them, and the beginning of another. */
static void of_recovery(const char *golden, const char *path, const char *copy)
{
    size_t size = 0;
    unsigned char *bytes = load(golden, &size);
    save(path, bytes, size);

    colstore_recovery found = {.size = sizeof found};
    EXPECT(OK, colstore_recover(path, strlen(path), NULL, 0, NULL, &found, &err));
    CHECK(found.action == COLSTORE_RECOVERY_ACTION_LISTED && found.counters == COLSTORE_COUNTERS_STATE_INTACT);
    CHECK(found.committed_records == 2 && found.committed_rows == 11 && found.committed_end == 368);
    CHECK(found.whole_records == 3 && found.whole_rows == 20 && found.whole_end == 440);
    CHECK(found.tail_bytes == 27 && (size_t)found.file_size == size && found.may_lose_committed == 0);

    EXPECT(OK, colstore_recover(path, strlen(path), copy, strlen(copy), NULL, &found, &err));
    CHECK(found.action == COLSTORE_RECOVERY_ACTION_COPIED);
    EXPECT(ALREADY_EXISTS, colstore_recover(path, strlen(path), copy, strlen(copy), NULL, &found, &err));
    colstore_recover_options options = {.size = sizeof options, .commit = 1};
    EXPECT(INVALID_ARGUMENT, colstore_recover(path, strlen(path), copy, strlen(copy), &options, &found, &err));
    EXPECT(OK, colstore_recover(path, strlen(path), NULL, 0, &options, &found, &err));
    CHECK(found.action == COLSTORE_RECOVERY_ACTION_COMMITTED && found.committed_records == 2);
    EXPECT(OK, colstore_recover(path, strlen(path), NULL, 0, &options, &found, &err));
    CHECK(found.action == COLSTORE_RECOVERY_ACTION_UNCHANGED && found.committed_records == 3);
    for (int i = 0; i < 2; i++) {
        colstore_table *table = open_or_exit(i == 0 ? path : copy);
        int64_t n_rows = 0;
        EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
        CHECK(n_rows == 20);
        colstore_table_free(table);
    }

    /* Torn counters. */
    bytes[9] ^= 1;
    save(path, bytes, size - 27);
    EXPECT(OK, colstore_recover(path, strlen(path), NULL, 0, NULL, &found, &err));
    CHECK(found.counters == COLSTORE_COUNTERS_STATE_DAMAGED && found.committed_records == -1);
    CHECK(found.committed_rows == -1 && found.committed_end == -1 && found.whole_records == 3);
    EXPECT(OK, colstore_recover(path, strlen(path), NULL, 0, &options, &found, &err));
    CHECK(found.action == COLSTORE_RECOVERY_ACTION_COMMITTED);
    options.commit = 2;
    EXPECT(INVALID_ARGUMENT, colstore_recover(path, strlen(path), NULL, 0, &options, &found, &err));
    free(bytes);
}

static void of_cancelling(const char *golden, const char *target)
{
    colstore_error *err = NULL;
    colstore_progress *progress = NULL;
    require(colstore_progress_new(NULL, NULL, &progress, &err), &err, "progress");
    colstore_progress_cancel(progress);
    const colstore_verify_options options = {.size = sizeof options, .deep = 1, .progress = progress};
    colstore_verify_report *report = NULL;
    EXPECT(CANCELLED, colstore_verify(golden, strlen(golden), &options, &report, &err));
    CHECK(report == NULL);
    const colstore_recover_options recovering = {.size = sizeof recovering, .progress = progress};
    colstore_recovery found = {.size = sizeof found};
    EXPECT(CANCELLED, colstore_recover(golden, strlen(golden), target, strlen(target), &recovering, &found, &err));
    CHECK(!file_exists(target));
    colstore_progress_free(progress);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    of_sound_files(path_in(GOLDEN, "corrupt/_base.cstore"));
    of_damaged_files(path_in(GOLDEN, "corrupt/record_crc.cstore"));
    of_recovery(path_in(GOLDEN, "crashed_update_torn.cstore"), path_in(SCRATCH, "torn.cstore"),
                path_in(SCRATCH, "copy.cstore"));
    of_cancelling(path_in(GOLDEN, "stats_multi.cstore"), path_in(SCRATCH, "cancelled.cstore"));
    return check_report();
}
