/* tasks.h: what bench times: tasks, who does them, their inputs, and whether a result is right. */
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

/* 2^log2 elements and `add` more: of an image, so many more columns. */
size_t length_of(enum task task, int log2, size_t add);
/* An image of n elements has rows_of(n) rows and n / rows_of(n) columns; n is a length_of(). */
size_t rows_of(size_t n);

size_t in_bytes(enum task task);                              /* of an element */
size_t out_bytes(enum task task);                             /* likewise */
size_t result_bytes(enum task task, size_t n, uint64_t kept); /* of a whole result */
double least_bytes(enum task task, double n, double kept);    /* that any way to do it must move */
void fill(enum task task, int kind, void *in, size_t n, uint64_t seed);
size_t count_unequal(const void *a, const void *b, size_t bytes); /* words of 4 bytes */

enum library { LABS, CUB, THRUST };

struct contender {
    std::string who, name; /* staged, scan_inclusive */
    enum library library;
    uint64_t (*call)(const union part_value a[]); /* of LABS */
    int third;                                    /* argument after the length; -1: none */
    bool exclusive;                               /* a scan whose results stand one place later */
    bool wrong;
    std::vector<double> times; /* milliseconds */
};

/* Does the task; returns a compaction's count. */
uint64_t call_contender(const struct contender &contender, enum task task, const void *in, void *out,
                        size_t n);

/* CUB first, and Thrust where it has the task; then the functions in each folder's shared objects that are worth timing on
 * 2^length elements; of `lab` and `part` alone where these are not null. */
std::vector<struct contender>
contenders_of(enum task task, int length, const char *lab, const char *part,
              const std::vector<std::pair<std::string, std::string>> &folders /* who, where */);

/* Is CUB's result that of a plain loop? */
bool peer_is_right(enum task task, const void *in, const void *out, size_t n, uint64_t kept);

#endif
