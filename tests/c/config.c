/* Settings of the process, what the library sees of the machine, and its measurement of threads. */

#include "check.h"

static colstore_status set(const char *name, const char *value, colstore_error **err)
{
    return colstore_config_set(name, strlen(name), value, strlen(value), err);
}

static int is_set_to(const char *name, const char *value)
{
    char out[64];
    size_t len = 0;
    EXPECT(OK, colstore_config_get(name, strlen(name), out, sizeof out, &len, &err));
    return len == strlen(value) && memcmp(out, value, len) == 0;
}

static void values(void)
{
    static const char *const settings[][4] = {
        {"max_threads", "1", "12", "auto"},
        {"read_backend", "pread", "mmap", "mmap"},
        {"huge_pages", "off", "auto", "auto"},
        {"numa_policy", "interleave", "local", "auto"},
        {"mask_density_gate", "0", "0.25", "auto"},
        {"prefetch_distance", "0", "16384", "auto"},
    };
    static const char *const wrong[][2] = {
        {"max_threads", "0"},      {"max_threads", "-1"},        {"max_threads", ""},           {"max_threads", "two"},
        {"read_backend", "auto"},  {"huge_pages", "on"},         {"numa_policy", "remote"},     {"mask_density_gate", "-1"},
        {"mask_density_gate", "x"}, {"prefetch_distance", "16385"}, {"prefetch_distance", "-1"}, {"max_thread", "1"},
        {"", "1"},                 {"MAX_THREADS", "1"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        for (int k = 1; k < 4; k++) {
            EXPECT(OK, set(settings[i][0], settings[i][k], &err));
            CHECK(is_set_to(settings[i][0], settings[i][k]));
        }
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        EXPECT(INVALID_ARGUMENT, set(wrong[i][0], wrong[i][1], &err));
    }
    CHECK(is_set_to("max_threads", "auto") && is_set_to("prefetch_distance", "auto"));
    EXPECT(INVALID_ARGUMENT, colstore_config_set("max_threads", 11, "\xff", 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_config_set("max_threads", SIZE_MAX, "1", 1, &err));

    colstore_error *err = NULL;
    CHECK(set("numa_policy", "remote", &err) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(colstore_error_message(err, NULL), "interleave") != NULL); /* it says what is allowed */
    colstore_error_free(err);
    CHECK(set("no_such", "1", &err) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(colstore_error_message(err, NULL), "max_threads") != NULL);
    colstore_error_free(err);
}

static void room_for_a_value(void)
{
    char out[8];
    size_t len = 77;
    EXPECT(INVALID_ARGUMENT, colstore_config_get("no_such", 7, out, sizeof out, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_config_get("max_threads", 11, out, 3, &len, &err));
    CHECK(len == 77);
    EXPECT(OK, colstore_config_get("max_threads", 11, NULL, 0, &len, &err));
    CHECK(len == 4);
    memset(out, 77, sizeof out);
    EXPECT(OK, colstore_config_get("max_threads", 11, out, 4, &len, &err));
    CHECK(len == 4 && memcmp(out, "auto\x4d\x4d\x4d\x4d", 8) == 0);
}

/* A setting decides how files are opened, not what is read. */
static void a_backend_for_all(const char *path)
{
    colstore_view *view = NULL;
    int32_t expected[5], found[5];
    colstore_table *mapped = open_or_exit(path);
    EXPECT(OK, set("read_backend", "pread", &err));
    colstore_table *read = open_or_exit(path);
    const colstore_open_options options = {.size = sizeof options, .backend = COLSTORE_BACKEND_MMAP};
    colstore_table *told = NULL;
    EXPECT(OK, colstore_table_open(path, strlen(path), &options, &told, &err));
    EXPECT(OK, set("read_backend", "mmap", &err));
    EXPECT(NOT_CONTIGUOUS, colstore_table_view_column(read, 0, 0, 3, &view, &err));
    EXPECT(OK, colstore_table_view_column(told, 0, 0, 3, &view, &err));
    colstore_view_free(view);
    EXPECT(OK, colstore_table_read_column(mapped, 0, 0, 5, NULL, expected, sizeof expected, &err));
    EXPECT(OK, colstore_table_read_column(read, 0, 0, 5, NULL, found, sizeof found, &err));
    CHECK(memcmp(expected, found, sizeof found) == 0);
    colstore_table_free(mapped);
    colstore_table_free(read);
    colstore_table_free(told);
}

static void calibration(void)
{
    int32_t threads = 77;
    double speed = 77;
    colstore_progress *progress = NULL;
    EXPECT(INVALID_ARGUMENT, colstore_calibrate_threads(0, NULL, &threads, &speed, &err));
    EXPECT(INVALID_ARGUMENT, colstore_calibrate_threads(-1, NULL, &threads, &speed, &err));
    EXPECT(INVALID_ARGUMENT, colstore_calibrate_threads(1, NULL, NULL, &speed, &err));
    EXPECT(INVALID_ARGUMENT, colstore_calibrate_threads(1, NULL, &threads, NULL, &err));
    EXPECT(OK, colstore_progress_new(NULL, NULL, &progress, &err));
    colstore_progress_cancel(progress);
    EXPECT(CANCELLED, colstore_calibrate_threads(1, progress, &threads, &speed, &err));
    colstore_progress_free(progress);
    CHECK(threads == 77 && speed == 77);
    EXPECT(OK, colstore_calibrate_threads(1, NULL, &threads, &speed, &err));
    CHECK(threads >= 1 && threads < 77 && speed > 0 && speed < 10000);
}

static void what_the_machine_has(void)
{
    colstore_machine_info info = {.size = sizeof info};
    EXPECT(OK, colstore_machine(&info, &err));
    CHECK(info.size == sizeof info && info.reserved == 0);
    CHECK(info.physical_cores >= 1 && info.logical_cores >= 1 && info.sockets >= 1 && info.numa_nodes >= 1);
    CHECK(info.default_threads >= 1 && info.default_threads <= info.physical_cores);
}

static void null_arguments(void)
{
    EXPECT(INVALID_ARGUMENT, colstore_machine(NULL, &err));
    CHECK(colstore_machine(NULL, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    char out[8];
    size_t len = 77;
    EXPECT(INVALID_ARGUMENT, colstore_config_set(NULL, 11, "1", 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_config_set("max_threads", 11, NULL, 1, &err));
    EXPECT(INVALID_ARGUMENT, colstore_config_get(NULL, 11, out, sizeof out, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_config_get("max_threads", 11, NULL, sizeof out, &len, &err));
    EXPECT(INVALID_ARGUMENT, colstore_config_get("max_threads", 11, out, sizeof out, NULL, &err));
    CHECK(colstore_config_get(NULL, 11, out, sizeof out, &len, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(colstore_config_set(NULL, 11, "1", 1, NULL) == COLSTORE_STATUS_INVALID_ARGUMENT);
    CHECK(len == 77);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    values();
    room_for_a_value();
    a_backend_for_all(path_in(GOLDEN, "corrupt/_base.cstore"));
    calibration();
    what_the_machine_has();
    null_arguments();
    return check_report();
}
