/* Memory for results: aligned, whole, reused, and forgiving of NULL. */

#include "check.h"

static const size_t sizes[] = {0, 1, 100, 5 << 20, 33 << 20};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

int main(void)
{
    unsigned char *blocks[N_SIZES];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N_SIZES; i++) {
            blocks[i] = colstore_allocator_malloc(NULL, sizes[i]);
            CHECK(blocks[i] != NULL && (uintptr_t)blocks[i] % 64 == 0);
            memset(blocks[i], i + 1, sizes[i]);
        }
        for (int i = 0; i < N_SIZES; i++) {
            size_t wrong = 0;
            for (size_t at = 0; at < sizes[i]; at++) wrong += blocks[i][at] != i + 1;
            CHECK(wrong == 0);
            colstore_allocator_free(NULL, blocks[i], sizes[i]);
        }
    }

    unsigned char *zeros = colstore_allocator_calloc(NULL, 1 << 20, 5);
    size_t set = 0;
    for (size_t at = 0; at < (size_t)5 << 20; at++) set += zeros[at] != 0;
    CHECK(set == 0);
    memset(zeros, 7, 100);
    unsigned char *moved = colstore_allocator_realloc(NULL, zeros, 64);
    CHECK(moved != NULL && moved[0] == 7 && moved[63] == 7);
    moved = colstore_allocator_realloc(NULL, moved, 20 << 20);
    CHECK(moved != NULL && moved[0] == 7 && moved[63] == 7);
    colstore_allocator_free(NULL, moved, 0);

    CHECK(colstore_allocator_malloc(NULL, SIZE_MAX) == NULL);
    CHECK(colstore_allocator_calloc(NULL, SIZE_MAX / 2, 3) == NULL);
    unsigned char *fresh = colstore_allocator_realloc(NULL, NULL, 10);
    CHECK(fresh != NULL);
    CHECK(colstore_allocator_realloc(NULL, fresh, SIZE_MAX) == NULL);
    colstore_allocator_free(NULL, fresh, 10);
    colstore_allocator_free(NULL, NULL, 0);
    return check_report();
}
