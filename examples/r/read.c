/* A column of doubles of a .cstore file as a vector of R, for `.Call`; see read.R. */

#include <string.h>

#include <R.h>
#include <Rinternals.h>

#include "colstore.h"

/* Finalizers of R may come at any time, and the functions that free may be called at any time. */
static void free_table(SEXP pointer)
{
    colstore_table_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

/* Raises the library's message as an error of R, which jumps out: everything has an owner by then. */
static void check(colstore_status status, colstore_error **err)
{
    if (status != COLSTORE_STATUS_OK) {
        char message[2048];
        strncpy(message, colstore_error_message(*err, NULL), sizeof message - 1);
        message[sizeof message - 1] = '\0';
        colstore_error_free(*err);
        Rf_error("%s: %s", colstore_status_name(status), message);
    }
}

/* Opens a table; R owns it. */
SEXP colstore_r_open(SEXP path)
{
    colstore_error *err = NULL;
    colstore_table *table = NULL;
    const char *text = CHAR(STRING_ELT(path, 0));
    if (colstore_abi_version() != COLSTORE_ABI_VERSION) {
        Rf_error("the library of colstore has another ABI");
    }
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, free_table, TRUE);
    check(colstore_table_open(text, strlen(text), NULL, &table, &err), &err);
    R_SetExternalPtrAddr(pointer, table);
    UNPROTECT(1);
    return pointer;
}

/* Reads a column into a new vector: the only copy there is. */
SEXP colstore_r_read(SEXP pointer, SEXP name)
{
    colstore_error *err = NULL;
    const colstore_table *table = R_ExternalPtrAddr(pointer);
    const char *text = CHAR(STRING_ELT(name, 0));
    colstore_schema *schema = NULL;
    colstore_column column = {.size = sizeof column};
    size_t index = 0;
    int64_t n_rows = 0;
    check(colstore_table_n_rows(table, &n_rows, &err), &err);
    check(colstore_table_schema(table, &schema, &err), &err);
    colstore_status status = colstore_schema_find(schema, text, strlen(text), &index, &err);
    if (status == COLSTORE_STATUS_OK) {
        status = colstore_schema_column(schema, index, &column, &err);
    }
    colstore_schema_free(schema);
    check(status, &err);
    if (column.dtype.kind != 'f' || column.dtype.itemsize != 8) {
        Rf_error("the column %s does not hold doubles", text);
    }
    SEXP values = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n_rows));
    check(colstore_table_read_column(table, index, 0, n_rows, NULL, REAL(values), 8 * (size_t)n_rows, &err), &err);
    UNPROTECT(1);
    return values;
}
