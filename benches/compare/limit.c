/* What memory of this machine can do: the figures that no reader of mapped files can beat.
 *
 *     cc -O3 -march=native -pthread limit.c -o limit && ./limit [ROWS] [THREADS]
 *
 * One line of JSON: milliseconds, best of several runs, on THREADS threads, for
 *     copy         ROWS doubles into memory that is there
 *     copy_fresh   the same into memory fresh from the system, as that of a large new NumPy array is: the kernel
 *                  clears every page when it is first touched; huge pages are asked for, as NumPy does
 *     gather       ROWS / 4 doubles, picked at random from ROWS, into memory that is there
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MAX_THREADS = 256, RUNS = 7 };

static double *source, *target;
static int64_t *picks;

/* One thread's share of the work. */
struct share {
    pthread_t thread;
    size_t first, last;
};

static void *copy(void *argument) {
    const struct share *share = argument;
    memcpy(target + share->first, source + share->first, (share->last - share->first) * sizeof *target);
    return NULL;
}

static void *gather(void *argument) {
    const struct share *share = argument;
    for (size_t i = share->first; i < share->last; i++)
        target[i] = source[picks[i]];
    return NULL;
}

static void *memory(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        perror("limit: mmap");
        exit(1);
    }
    return p;
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double once(void *(*work)(void *), size_t items, int threads) {
    static struct share shares[MAX_THREADS];
    double start = milliseconds();
    for (int i = 0; i < threads; i++) {
        shares[i].first = items * (size_t)i / (size_t)threads;
        shares[i].last = items * (size_t)(i + 1) / (size_t)threads;
        /* This thread takes the last share. */
        if (i == threads - 1)
            work(&shares[i]);
        else if (pthread_create(&shares[i].thread, NULL, work, &shares[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < threads - 1; i++)
        pthread_join(shares[i].thread, NULL);
    return milliseconds() - start;
}

static double best(void *(*work)(void *), size_t items, int threads) {
    double least = 1e300;
    for (int run = 0; run < RUNS; run++) {
        double took = once(work, items, threads);
        if (took < least)
            least = took;
    }
    return least;
}

static double best_fresh(size_t rows, int threads) {
    double least = 1e300;
    double *kept = target;
    for (int run = 0; run < RUNS; run++) {
        target = memory(rows * sizeof *target);
#ifdef MADV_HUGEPAGE
        madvise(target, rows * sizeof *target, MADV_HUGEPAGE);
#endif
        double took = once(copy, rows, threads);
        if (took < least)
            least = took;
        munmap(target, rows * sizeof *target);
    }
    target = kept;
    return least;
}

int main(int argc, char **argv) {
    size_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000000;
    int threads = argc > 2 ? atoi(argv[2]) : 1;
    if (rows < 4 || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: limit [ROWS >= 4] [THREADS 1..%d]\n", MAX_THREADS);
        return 2;
    }
    size_t n_picks = rows / 4;
    source = memory(rows * sizeof *source);
    target = memory(rows * sizeof *target);
    picks = memory(n_picks * sizeof *picks);
    memset(source, 1, rows * sizeof *source);
    memset(target, 1, rows * sizeof *target);
    uint64_t state = 1; /* splitmix64 */
    for (size_t i = 0; i < n_picks; i++) {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        picks[i] = (int64_t)((z ^ (z >> 31)) % rows);
    }
    printf("{\"rows\": %zu, \"threads\": %d, \"copy\": %.3f, \"copy_fresh\": %.3f, \"gather\": %.3f}\n", rows, threads,
           best(copy, rows, threads), best_fresh(rows, threads), best(gather, n_picks, threads));
    return 0;
}
