/* Texts of dtypes, taken apart. */

#include "check.h"

static void parses(const char *text, int32_t kind, int32_t big_endian, size_t itemsize, int32_t unit, int32_t multiplier)
{
    colstore_dtype dtype = {.size = sizeof dtype};
    EXPECT(OK, colstore_dtype_parse(text, strlen(text), &dtype, &err));
    CHECK(dtype.size == sizeof dtype);
    if (dtype.kind != kind || dtype.big_endian != big_endian || dtype.itemsize != itemsize || dtype.unit != unit ||
        dtype.unit_multiplier != multiplier) {
        printf("%s gives kind %c, big_endian %d, itemsize %zu, unit %d, multiplier %d\n", text, dtype.kind,
               dtype.big_endian, dtype.itemsize, dtype.unit, dtype.unit_multiplier);
        CHECK(!"the parts are right");
    } else {
        CHECK(1);
    }
}

int main(void)
{
    static const char *const units[] = {"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
    static const char *const refused[] = {"", "O", "<c16", "|V8", "[('a', '<i4')]", "int33", "<f3", "<M8[", "<M8[x]", "x"};
    char text[32];

    parses("|b1", 'b', 0, 1, 0, 0);
    parses("<i4", 'i', 0, 4, 0, 0);
    parses(">i4", 'i', 1, 4, 0, 0);
    parses(">i1", 'i', 0, 1, 0, 0);
    parses("<u8", 'u', 0, 8, 0, 0);
    parses("float64", 'f', 0, 8, 0, 0);
    parses("<f2", 'f', 0, 2, 0, 0);
    parses("<f16", 'f', 0, 16, 0, 0);
    parses("|S12", 'S', 0, 12, 0, 0);
    parses("|S0", 'S', 0, 0, 0, 0);
    parses("<U3", 'U', 0, 12, 0, 0);
    parses(">U3", 'U', 1, 12, 0, 0);
    parses("<M8", 'M', 0, 8, COLSTORE_UNIT_NONE, 1);
    parses("<M8[25s]", 'M', 0, 8, COLSTORE_UNIT_SECOND, 25);
    parses(">m8[7D]", 'm', 1, 8, COLSTORE_UNIT_DAY, 7);
    for (int32_t unit = 0; unit < (int32_t)(sizeof units / sizeof units[0]); unit++) {
        snprintf(text, sizeof text, "<M8[%s]", units[unit]);
        parses(text, 'M', 0, 8, unit + 1, 1);
    }

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        colstore_dtype dtype = {.size = sizeof dtype, .kind = 77};
        EXPECT(UNSUPPORTED_TYPE, colstore_dtype_parse(refused[i], strlen(refused[i]), &dtype, &err));
        CHECK(dtype.kind == 77);
    }

    /* The length counts, not a NUL. */
    colstore_dtype dtype = {.size = sizeof dtype};
    EXPECT(OK, colstore_dtype_parse("<i4xyz", 3, &dtype, &err));
    CHECK(dtype.itemsize == 4);
    EXPECT(UNSUPPORTED_TYPE, colstore_dtype_parse("<i4\0", 4, &dtype, &err));
    EXPECT(INVALID_ARGUMENT, colstore_dtype_parse("<i\xff", 3, &dtype, &err));
    EXPECT(INVALID_ARGUMENT, colstore_dtype_parse("<i4", SIZE_MAX, &dtype, &err));
    return check_report();
}
