/* Versions and the names of statuses. */

#include "check.h"

int main(void)
{
    static const char *const names[] = {
        "OK",     "INVALID_ARGUMENT", "UNSUPPORTED_TYPE", "NOT_FOUND",      "ALREADY_EXISTS",
        "PERMISSION_DENIED", "IO",    "NO_SPACE",         "FORMAT",         "UNKNOWN_COLUMN",
        "OUT_OF_BOUNDS",     "NOT_CONTIGUOUS", "CANCELLED", "OUT_OF_MEMORY", "INTERNAL",
        "LOCKED", "QUERY", "TYPE", "KEY", "VALUE", "OVERFLOW", "CALLBACK",
    };
    int major = -1, minor = -1, patch = -1;

    CHECK(colstore_abi_version() == COLSTORE_ABI_VERSION);
    CHECK(sscanf(colstore_version(), "%d.%d.%d", &major, &minor, &patch) == 3);
    CHECK(major >= 0 && minor >= 0 && patch >= 0);

    for (int32_t status = 0; status < (int32_t)(sizeof names / sizeof names[0]); status++) {
        CHECK(strcmp(colstore_status_name(status), names[status]) == 0);
    }
    CHECK(COLSTORE_STATUS_OK == 0 && COLSTORE_STATUS_INTERNAL == 14 && COLSTORE_STATUS_CALLBACK == 21);
    CHECK(COLSTORE_STATUS_LOCKED == 15);
    CHECK(strcmp(colstore_status_name(22), "UNKNOWN") == 0);
    CHECK(strcmp(colstore_status_name(-1), "UNKNOWN") == 0);
    CHECK(strcmp(colstore_status_name(INT32_MAX), "UNKNOWN") == 0);
    return check_report();
}
