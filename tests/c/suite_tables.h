/* The tables of the query suite as files of two records: once without statistics, once with, by which records may be
 * left out. */

#ifndef SUITE_TABLES_H
#define SUITE_TABLES_H

#include "suite.h"

enum { MOST_TABLES = 64, MOST_COLUMNS = 32, MOST_ROWS = 64, N_FORMS = 2 };

/* A table of the suite. */
typedef struct {
    const char *name;
    colstore_table *forms[N_FORMS];
    colstore_frame *frames[N_FORMS];
    int64_t n_rows;
} known_table;

static known_table tables[MOST_TABLES];
static size_t n_tables;

static void write_table(
    const char *path, const suite_statement *statements, size_t n_columns, int32_t statistics, int64_t n_rows)
{
    colstore_error *err = NULL;
    colstore_writer *writer = NULL;
    const colstore_writer_options options = {
        .size = sizeof options, .mode = COLSTORE_WRITER_MODE_CREATE, .statistics = statistics};
    require(colstore_writer_open(path, strlen(path), &options, &writer, &err), &err, path);
    colstore_column_data columns[MOST_COLUMNS];
    char *values[MOST_COLUMNS];
    size_t sizes[MOST_COLUMNS];
    for (size_t i = 0; i < n_columns; i++) {
        const colstore_dtype dtype = suite_dtype(suite_at(&statements[i], 2), statements[i].line);
        values[i] = suite_values(&statements[i], 3, &dtype);
        sizes[i] = dtype.itemsize;
    }
    const int64_t starts[] = {0, n_rows / 2, n_rows};
    for (int record = 0; record < 2; record++) {
        for (size_t i = 0; i < n_columns; i++) {
            const suite_statement *column = &statements[i];
            columns[i] = column_of(
                column->fields[1].text, column->fields[2].text, values[i] + (size_t)starts[record] * sizes[i],
                starts[record + 1] - starts[record], (int64_t)sizes[i]);
        }
        require(colstore_writer_write(writer, columns, n_columns, &err), &err, path);
    }
    require(colstore_writer_close(writer, &err), &err, path);
    colstore_writer_free(writer);
    for (size_t i = 0; i < n_columns; i++) {
        free(values[i]);
    }
}

/* The table that begins at a statement; returns how many statements it has. */
static size_t add_table(const suite_statement *first, size_t n_left, const char *scratch)
{
    size_t n_columns = 0;
    while (1 + n_columns < n_left && suite_is(&first[1 + n_columns], "column")) {
        n_columns++;
    }
    if (n_tables == MOST_TABLES || n_columns == 0 || n_columns > MOST_COLUMNS) {
        suite_stop(first->line, "more tables or columns than there is room for");
    }
    known_table *table = &tables[n_tables];
    table->name = suite_at(first, 1)->text;
    table->n_rows = (int64_t)first[1].n_fields - 3;
    if (table->n_rows < 2 || table->n_rows > MOST_ROWS) {
        suite_stop(first->line, "a table of a size that is not provided for");
    }
    for (int form = 0; form < N_FORMS; form++) {
        char name[32];
        snprintf(name, sizeof name, "%zu_%d.cstore", n_tables, form);
        const char *path = path_in(scratch, name);
        write_table(path, first + 1, n_columns, form, table->n_rows);
        table->forms[form] = open_or_exit(path);
        int64_t n_records = 0;
        EXPECT(OK, colstore_table_n_records(table->forms[form], &n_records, &err));
        CHECK(n_records == 2);
        EXPECT(OK, colstore_frame_new(table->forms[form], NULL, &table->frames[form], &err));
    }
    n_tables++;
    return 1 + n_columns;
}

static const known_table *find_table(const suite_field *name, int line)
{
    for (size_t i = 0; i < n_tables; i++) {
        if (strcmp(tables[i].name, name->text) == 0) {
            return &tables[i];
        }
    }
    suite_stop(line, "a table that is not there");
    return NULL;
}

static void free_tables(void)
{
    for (size_t i = 0; i < n_tables; i++) {
        for (int form = 0; form < N_FORMS; form++) {
            colstore_frame_free(tables[i].frames[form]);
            colstore_table_free(tables[i].forms[form]);
        }
    }
    n_tables = 0;
}

#endif
