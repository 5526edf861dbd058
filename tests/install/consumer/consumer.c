/* A program of somebody who has installed the library: stores a file, reads it, says which library it runs with. */

#include <colstore.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const double values[] = {1.5, 2.5, 4.0};
    double read[3] = {0, 0, 0};
    colstore_column_data column = {sizeof column, "x", 1, "<f8", 3, values, 3, sizeof values[0]};
    colstore_error *err = NULL;
    colstore_table *table = NULL;
    if (argc != 2 || colstore_abi_version() != COLSTORE_ABI_VERSION) {
        fprintf(stderr, "usage: %s FILE, with a library of ABI %d\n", argv[0], COLSTORE_ABI_VERSION);
        return 2;
    }
    if (colstore_store(argv[1], strlen(argv[1]), &column, 1, NULL, &err) != COLSTORE_STATUS_OK ||
        colstore_table_open(argv[1], strlen(argv[1]), NULL, &table, &err) != COLSTORE_STATUS_OK ||
        colstore_table_read_column(table, 0, 0, 3, NULL, read, sizeof read, &err) != COLSTORE_STATUS_OK) {
        fprintf(stderr, "%s\n", colstore_error_message(err, NULL));
        return 1;
    }
    printf("%s %g %g %g\n", colstore_version(), read[0], read[1], read[2]);
    colstore_table_free(table);
    return 0;
}
