/* Reads tests/data/query/suite.txt: its statements, their fields, and the values in them as bytes of a dtype. The
 * README.md beside that file describes it. */

#ifndef SUITE_H
#define SUITE_H

#include "check.h"

#include <math.h>

/* A field without its escapes: `len` bytes, which may have NULs among them, and a NUL after them. */
typedef struct {
    char *text;
    size_t len;
} suite_field;

/* One line; the first field is the keyword. */
typedef struct {
    suite_field *fields;
    size_t n_fields;
    int line;
} suite_statement;

/* The whole file. */
typedef struct {
    char *text;
    suite_field *fields;
    suite_statement *statements;
    size_t n_statements;
} suite_file;

static void suite_stop(int line, const char *why)
{
    printf("cannot go on: suite.txt:%d: %s\n", line, why);
    exit(2);
}

static char *suite_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        printf("cannot go on: %s cannot be opened\n", path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = allocate((size_t)size + 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) {
        printf("cannot go on: %s cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    text[size] = '\0';
    return text;
}

/* The character of a number as UTF-8; returns the bytes. */
static size_t suite_encode(unsigned long code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(leads[n] | code);
    return n;
}

/* Takes the escapes out of a field in place: it only becomes shorter. */
static void suite_unescape(suite_field *field, int line)
{
    const char *in = field->text;
    char *out = field->text;
    while (*in != '\0') {
        if (*in != '\\') {
            *out++ = *in++;
            continue;
        }
        const char *simple = "\\\\t\tn\nr\r";
        while (*simple != '\0' && *simple != in[1]) {
            simple += 2;
        }
        if (*simple != '\0') {
            *out++ = simple[1];
            in += 2;
        } else if (in[1] == 'u' && strspn(in + 2, "0123456789abcdef") >= 6) {
            const char digits[] = {in[2], in[3], in[4], in[5], in[6], in[7], '\0'};
            out += suite_encode(strtoul(digits, NULL, 16), out);
            in += 8;
        } else {
            suite_stop(line, "an unknown escape");
        }
    }
    *out = '\0';
    field->len = (size_t)(out - field->text);
}

static suite_file suite_parse(const char *path)
{
    suite_file suite = {.text = suite_read(path)};
    size_t n_lines = 1, n_fields = 1;
    for (const char *at = suite.text; *at != '\0'; at++) {
        n_lines += *at == '\n';
        n_fields += *at == '\n' || *at == '\t';
    }
    suite.fields = allocate(n_fields * sizeof *suite.fields);
    suite.statements = allocate(n_lines * sizeof *suite.statements);
    suite_field *next = suite.fields;
    char *at = suite.text;
    for (int line = 1; *at != '\0'; line++) {
        char *end = at + strcspn(at, "\n");
        const int more = *end != '\0';
        *end = '\0';
        if (*at != '\0' && *at != '#') {
            suite_statement *statement = &suite.statements[suite.n_statements++];
            *statement = (suite_statement){next, 0, line};
            for (char *field = at; field != NULL; statement->n_fields++) {
                char *tab = strchr(field, '\t');
                if (tab != NULL) {
                    *tab = '\0';
                }
                next->text = field;
                suite_unescape(next++, line);
                field = tab == NULL ? NULL : tab + 1;
            }
        }
        at = end + more;
    }
    return suite;
}

static void suite_free(suite_file *suite)
{
    free(suite->statements);
    free(suite->fields);
    free(suite->text);
}

static int suite_is(const suite_statement *statement, const char *keyword)
{
    return strcmp(statement->fields[0].text, keyword) == 0;
}

/* The field of a number; there must be one. */
static const suite_field *suite_at(const suite_statement *statement, size_t at)
{
    if (at >= statement->n_fields) {
        suite_stop(statement->line, "a field is missing");
    }
    return &statement->fields[at];
}

static colstore_dtype suite_dtype(const suite_field *spelled, int line)
{
    colstore_dtype dtype = {.size = sizeof dtype};
    if (colstore_dtype_parse(spelled->text, spelled->len, &dtype, NULL) != COLSTORE_STATUS_OK) {
        suite_stop(line, "no dtype");
    }
    return dtype;
}

/* The character at the start of UTF-8; `*n` are its bytes. */
static uint32_t suite_decode(const char *text, size_t *n)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const unsigned char lead = bytes[0];
    *n = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t code = *n == 1 ? lead : lead & (0x7fu >> *n);
    for (size_t i = 1; i < *n; i++) {
        code = code << 6 | (bytes[i] & 0x3f);
    }
    return code;
}

/* A field of characters up to U+00FF as the bytes that these stand for: as many as `out` has room for. */
static size_t suite_bytes(const suite_field *spelled, unsigned char *out, size_t capacity)
{
    size_t n_bytes = 0, step = 0;
    for (size_t at = 0; at < spelled->len && n_bytes < capacity; at += step) {
        out[n_bytes++] = (unsigned char)suite_decode(spelled->text + at, &step);
    }
    return n_bytes;
}

/* A number that float16 has, as its bits. */
static uint16_t suite_half(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    value = fabs(value);
    if (isnan(value)) {
        return sign | 0x7e00;
    }
    if (isinf(value)) {
        return sign | 0x7c00;
    }
    if (value < 0x1p-14) {
        return sign | (uint16_t)(value * 0x1p24);
    }
    int exponent = 0;
    const double mantissa = frexp(value, &exponent);
    return sign | (uint16_t)((exponent + 14) << 10 | (int)((mantissa * 2 - 1) * 1024));
}

/* A number as a float of so many bytes. */
static void suite_float(double value, size_t size, void *out)
{
    const float single = (float)value;
    const uint16_t half = suite_half(value);
    memcpy(out, size == 8 ? (const void *)&value : size == 4 ? (const void *)&single : (const void *)&half, size);
}

/* A value as the file spells it, as bytes of the dtype at `out`. */
static void suite_value(const colstore_dtype *dtype, const suite_field *spelled, void *out)
{
    const size_t size = dtype->itemsize;
    const char *text = spelled->text;
    int64_t number;
    memset(out, 0, size);
    switch (dtype->kind) {
    case 'b':
        *(unsigned char *)out = strcmp(text, "True") == 0;
        break;
    case 'f':
        suite_float(strtod(text, NULL), size, out);
        break;
    case 'S':
        suite_bytes(spelled, out, size);
        break;
    case 'U':
        for (size_t at = 0, step = 0, place = 0; at < spelled->len && place < size; at += step, place += 4) {
            const uint32_t code = suite_decode(text + at, &step);
            memcpy((char *)out + place, &code, sizeof code);
        }
        break;
    default:
        /* Of two's complement, the low bytes are those of the narrower integer. */
        number = strcmp(text, "NaT") == 0 ? INT64_MIN
                 : text[0] == '-'         ? (int64_t)strtoll(text, NULL, 10)
                                          : (int64_t)strtoull(text, NULL, 10);
        memcpy(out, &number, size);
    }
}

/* The values of a statement from one field on, one after the other; to be freed. */
static void *suite_values(const suite_statement *statement, size_t first, const colstore_dtype *dtype)
{
    const size_t n = statement->n_fields - first, size = dtype->itemsize;
    char *out = allocate(n * size);
    for (size_t i = 0; i < n; i++) {
        suite_value(dtype, &statement->fields[first + i], out + i * size);
    }
    return out;
}

#endif
