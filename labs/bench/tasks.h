/* tasks.h: the work that bench times: tasks, contenders, inputs, and the check of results. */
#ifndef LABS_TASKS_H
#define LABS_TASKS_H

#include "kinds.h"
#include "parts.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status = (call);                                                                         \
        if (status != cudaSuccess) {                                                                         \
            fprintf(stderr, "bench: %s: %s\n", #call, cudaGetErrorString(status));                           \
            exit(3);                                                                                         \
        }                                                                                                    \
    } while (0)

void fill(enum task task, int kind, void *in, size_t n, uint64_t seed);
size_t count_unequal(const void *a, const void *b, size_t bytes); /* in words of 4 bytes */

enum library { LABS, CUB, THRUST, NO_WORK };

/* Calls that do nothing; `third` of a contender of NO_WORK. */
enum floor {
    LAUNCH,   /* one empty kernel */
    LAUNCHES, /* five */
    GRAPH,    /* the same five in a graph, with new arguments in each call */
    POOL,     /* scratch memory from the device's pool (cudaMallocAsync), and one */
    HEAP,     /* the same from cudaMalloc */
    FLOORS
};
void call_floor(enum floor floor, const void *in, void *out);

struct contender {
    std::string who, name; /* for example staged, scan_inclusive */
    enum library library;
    uint64_t (*call)(const union part_value a[]); /* for LABS */
    int third;                                    /* argument after the length, or enum floor; -1: none */
    bool exclusive;                               /* a scan whose results are shifted by one element */
    bool wrong;
    std::vector<double> times; /* milliseconds */
};

/* Runs the task. Returns the count of a compaction. */
uint64_t call_contender(const struct contender &contender, enum task task, const void *in, void *out,
                        size_t n);

/* All contenders for 2^length elements: CUB first, Thrust if it has the task, then the functions in each folder's
 * shared objects that are worth timing at this length. If `lab` or `part` is not null, only functions of these. */
std::vector<struct contender>
contenders_of(enum task task, int length, const char *lab, const char *part,
              const std::vector<std::pair<std::string, std::string>> &folders /* name and path */);

/* Is CUB's result equal to that of a plain loop? */
bool peer_is_right(enum task task, const void *in, const void *out, size_t n, uint64_t kept);

#endif
