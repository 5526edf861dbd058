/* Columns: positions, names of any kind, dtypes as the file spells them and as reads return them. */

#include "check.h"

static colstore_schema *schema_of(const char *path)
{
    colstore_error *err = NULL;
    colstore_schema *schema = NULL;
    colstore_table *table = open_or_exit(path);
    require(colstore_table_schema(table, &schema, &err), &err, path);
    colstore_table_free(table); /* The schema needs it no more. */
    return schema;
}

static int is(const char *text, size_t len, const char *expected)
{
    return len == strlen(expected) && memcmp(text, expected, len) == 0;
}

/* Every column can be found by its own name. */
static void find_all(const colstore_schema *schema)
{
    size_t n_columns = 0;
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        colstore_dtype dtype = {.size = sizeof dtype};
        size_t found = SIZE_MAX;
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        EXPECT(OK, colstore_schema_find(schema, column.name, column.name_len, &found, &err));
        CHECK(found == i);
        CHECK(column.size == sizeof column && column.dtype.size == sizeof(colstore_dtype));
        /* The text that reads return means the same but for the order. */
        EXPECT(OK, colstore_dtype_parse(column.native_text, column.native_text_len, &dtype, &err));
        CHECK(dtype.kind == column.dtype.kind && dtype.itemsize == column.dtype.itemsize && dtype.big_endian == 0);
        CHECK(dtype.unit == column.dtype.unit && dtype.unit_multiplier == column.dtype.unit_multiplier);
    }
    colstore_column column = {.size = sizeof column, .name_len = 77};
    EXPECT(OUT_OF_BOUNDS, colstore_schema_column(schema, n_columns, &column, &err));
    EXPECT(OUT_OF_BOUNDS, colstore_schema_column(schema, SIZE_MAX, &column, &err));
    CHECK(column.name_len == 77 && column.name == NULL);
}

static void two_columns(const char *golden)
{
    colstore_schema *schema = schema_of(path_in(golden, "corrupt/_base.cstore"));
    colstore_column column = {.size = sizeof column};
    size_t index = 77;
    EXPECT(OK, colstore_schema_n_columns(schema, &index, &err));
    CHECK(index == 2);
    EXPECT(OK, colstore_schema_column(schema, 1, &column, &err));
    CHECK(is(column.name, column.name_len, "b"));
    CHECK(is(column.dtype_text, column.dtype_text_len, "<f8"));
    CHECK(is(column.native_text, column.native_text_len, "<f8"));
    CHECK(column.dtype.kind == 'f' && column.dtype.itemsize == 8 && column.dtype.big_endian == 0);
    EXPECT(OK, colstore_schema_find(schema, "b", 1, &index, &err));
    CHECK(index == 1);
    /* An empty name is a name, even as NULL; here is no such column. */
    EXPECT(UNKNOWN_COLUMN, colstore_schema_find(schema, "", 0, &index, &err));
    EXPECT(UNKNOWN_COLUMN, colstore_schema_find(schema, NULL, 0, &index, &err));
    EXPECT(UNKNOWN_COLUMN, colstore_schema_find(schema, "\xff\xff", 2, &index, &err));
    EXPECT(UNKNOWN_COLUMN, colstore_schema_find(schema, "b\0", 2, &index, &err));
    CHECK(index == 1);
    colstore_schema_free(schema);
}

static void spellings(const char *golden)
{
    colstore_schema *schema = schema_of(path_in(golden, "foreign/big_endian_dtypes.cstore"));
    size_t n_columns = 0, n_big = 0;
    EXPECT(OK, colstore_schema_n_columns(schema, &n_columns, &err));
    for (size_t i = 0; i < n_columns; i++) {
        colstore_column column = {.size = sizeof column};
        EXPECT(OK, colstore_schema_column(schema, i, &column, &err));
        CHECK(column.native_text[0] == '<' || column.native_text[0] == '|');
        CHECK((column.dtype_text[0] == '>' && column.native_text[0] == '<') == (column.dtype.big_endian == 1));
        n_big += column.dtype.big_endian == 1;
    }
    CHECK(n_columns > 0 && n_big > 0);
    colstore_schema_free(schema);
}

int main(int argc, char **argv)
{
    static const char *const files[] = {
        "corrupt/_base.cstore", "all_dtypes_multi.cstore",  "names_unicode.cstore",         "quirk_surrogate_name.cstore",
        "many_columns.cstore",  "foreign/dtype_aliases.cstore", "foreign/zero_columns.cstore", "quirk_zero_width.cstore",
    };
    NEED_ARGUMENTS(2);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        colstore_schema *schema = schema_of(path_in(GOLDEN, files[i]));
        find_all(schema);
        colstore_schema_free(schema);
    }
    two_columns(GOLDEN);
    spellings(GOLDEN);
    colstore_schema_free(NULL);
    return check_report();
}
