/* Opening files, and what headers say. */

#include "check.h"

static void opens(const char *path, int64_t rows, int64_t records)
{
    colstore_open_options options = {.size = sizeof options};
    colstore_table *table = NULL;
    colstore_schema *schema = NULL;
    int64_t n_rows = -1, n_records = -1;
    EXPECT(OK, colstore_table_open(path, strlen(path), &options, &table, &err));
    EXPECT(OK, colstore_table_n_rows(table, &n_rows, &err));
    EXPECT(OK, colstore_table_n_records(table, &n_records, &err));
    CHECK(n_rows == rows && n_records == records);

    colstore_info info = {.size = sizeof info};
    EXPECT(OK, colstore_info_read(path, strlen(path), &info, &schema, &err));
    CHECK(info.size == sizeof info && info.format_version == 1 && info.reserved == 0);
    CHECK(info.n_rows == rows && info.n_records == records);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0 && ftell(file) == info.file_size);
    if (file != NULL) {
        fclose(file);
    }

    /* Both ways lead to the same columns. */
    colstore_schema *other = NULL;
    size_t n_columns = 0, n_others = 1;
    EXPECT(OK, colstore_table_schema(table, &other, &err));
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    EXPECT(OK, colstore_schema_n_columns(other, &n_others, &err));
    CHECK(n_columns == n_others);
    colstore_schema_free(other);
    colstore_schema_free(schema);
    colstore_table_free(table);

    /* The schema is not wanted. */
    colstore_info again = {.size = sizeof again};
    EXPECT(OK, colstore_info_read(path, strlen(path), &again, NULL, &err));
    CHECK(memcmp(&again, &info, sizeof info) == 0);
}

static void a_length_counts(const char *path)
{
    char longer[4200];
    colstore_table *table = NULL;
    snprintf(longer, sizeof longer, "%s.and more", path);
    EXPECT(OK, colstore_table_open(longer, strlen(path), NULL, &table, &err));
    colstore_table_free(table);
    table = NULL;
    /* A NUL is no part of a path. */
    EXPECT(INVALID_ARGUMENT, colstore_table_open(path, strlen(path) + 1, NULL, &table, &err));
    EXPECT(INVALID_ARGUMENT, colstore_table_open(path, SIZE_MAX, NULL, &table, &err));
    EXPECT(NOT_FOUND, colstore_table_open(path, 0, NULL, &table, &err));
    CHECK(table == NULL);
}

int main(int argc, char **argv)
{
    NEED_ARGUMENTS(2);
    opens(path_in(GOLDEN, "corrupt/_base.cstore"), 5, 2);
    opens(path_in(GOLDEN, "appended.cstore"), 4, 3);
    opens(path_in(GOLDEN, "dtype/i4.cstore"), 5, 1);
    opens(path_in(GOLDEN, "empty_table.cstore"), 0, 1);
    opens(path_in(GOLDEN, "crashed_create.cstore"), 0, 0);
    a_length_counts(path_in(GOLDEN, "dtype/i4.cstore"));
    colstore_table_free(NULL);
    return check_report();
}
