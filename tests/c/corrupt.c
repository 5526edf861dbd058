/* Every damaged file gives its outcome: FORMAT, or the values of the original (SAME), or others (OTHER). Names and
 * outcomes come from a list of lines "NAME OUTCOME". Memory is limited, so that a number in a file that leads to a large
 * allocation is found. */

#include "check.h"

#include <sys/resource.h>
#include <unistd.h>

static const int32_t base_a[] = {10, -20, 30, 40, 50};
static const double base_b[] = {1, 2, 3, 4, 5};

static void limit_memory(void)
{
    unsigned long pages = 0;
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || under_valgrind()) {
        if (file != NULL) {
            fclose(file);
        }
        return;
    }
    CHECK(fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (64 << 20);
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

/* Reads all that there is. */
static colstore_status outcome(const char *path, int *same, colstore_error **err)
{
    colstore_table *table = NULL;
    int32_t a[5] = {0};
    double b[5] = {0};
    char rows[5 * 12];
    colstore_status status = colstore_table_open(path, strlen(path), NULL, &table, err);
    if (status == COLSTORE_STATUS_OK) {
        status = colstore_table_read_column(table, 0, 0, 5, NULL, a, sizeof a, err);
    }
    if (status == COLSTORE_STATUS_OK) {
        status = colstore_table_read_column(table, 1, 0, 5, NULL, b, sizeof b, err);
    }
    if (status == COLSTORE_STATUS_OK) {
        status = colstore_table_read_records(table, (size_t[]){0, 1}, 2, 0, 5, NULL, rows, sizeof rows, err);
    }
    colstore_table_free(table);
    *same = memcmp(a, base_a, sizeof a) == 0 && memcmp(b, base_b, sizeof b) == 0;
    return status;
}

int main(int argc, char **argv)
{
    char name[256], expected[16];
    int n_files = 0;
    NEED_ARGUMENTS(3);
    FILE *list = fopen(argv[3], "r");
    if (list == NULL) {
        printf("%s cannot be read\n", argv[3]);
        return 2;
    }
    limit_memory();
    while (fscanf(list, "%255s %15s", name, expected) == 2) {
        char in_folder[300];
        snprintf(in_folder, sizeof in_folder, "corrupt/%s", name);
        const char *path = path_in(GOLDEN, in_folder);
        colstore_error *err = NULL;
        colstore_info info = {.size = sizeof info};
        int same = 0, before = check_failed;
        colstore_status status = outcome(path, &same, &err);
        n_files++;
        if (strcmp(expected, "FORMAT") == 0) {
            CHECK(status == COLSTORE_STATUS_FORMAT);
            CHECK(colstore_error_path(err, NULL) != NULL && strcmp(colstore_error_path(err, NULL), path) == 0);
        } else {
            CHECK(status == COLSTORE_STATUS_OK);
            CHECK(same == (strcmp(expected, "SAME") == 0));
        }
        if (check_failed > before) {
            printf("%s: %s, expected %s: %s\n", name, colstore_status_name(status), expected,
                   colstore_error_message(err, NULL));
        }
        colstore_error_free(err);
        /* The header alone is good or bad, without a crash. */
        status = colstore_info_read(path, strlen(path), &info, NULL, NULL);
        CHECK(status == COLSTORE_STATUS_OK || status == COLSTORE_STATUS_FORMAT);
        CHECK(status == COLSTORE_STATUS_OK || strcmp(expected, "FORMAT") == 0);
    }
    fclose(list);
    printf("%d files\n", n_files);
    CHECK(n_files > 0);
    return check_report();
}
