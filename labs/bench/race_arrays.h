/* race_arrays.h: the arrays of a timed call. They belong to the program with the clock, and the process whose code is
 * timed gets them only when the clock runs. race_cuda.cu has them on a GPU, race_cpu.cpp in memory for the CPU device.
 *
 * The order of calls: arrays_open; then for each call arrays_fresh, arrays_show, the call, arrays_take and
 * arrays_are_right. The clock runs from before arrays_show to after arrays_take. */
#ifndef LABS_RACE_ARRAYS_H
#define LABS_RACE_ARRAYS_H

#include "kinds.h"
extern "C" {
#include "call.h"
}

/* The inputs of a task are one array, or two for pairs; so are the outputs. */
static inline size_t arrays_of(enum task task)
{
    return task == SORT_PAIRS ? 2 : 1;
}

/* The size of all outputs together. */
static inline size_t output_bytes(enum task task, size_t n)
{
    return task == REDUCE ? 4 : n * out_bytes(task);
}

/* Prepares calls of a task on n elements. Returns false if this device has no such task. */
bool arrays_open(enum task task, size_t n);

/* The size of the runner's memory file. */
size_t arrays_memory(const struct call_request &request);

/* Makes inputs of this kind that no earlier call had, in new memory, and the expected result. Outputs start as junk,
 * and the caches hold none of it. Returns an empty text, or why there is no memory. */
std::string arrays_fresh(int kind, uint64_t seed);

/* Gives the arrays to the runner, with its next request. */
void arrays_show(struct call_runner *runner, const struct call_request &request);

/* Copies the outputs to memory that only this process has. What is written later is not seen. */
void arrays_take(struct call_runner *runner, const struct call_request &request);

/* True if all elements that were taken are right. `result` is what the function returned. The first element of an
 * exclusive scan is not compared. */
bool arrays_are_right(uint64_t result, bool exclusive);

/* Between two contenders: gives up the arrays, and waits up to 5 s until the device has as much free memory as before the
 * first one. Then nothing of an ended process is left there. */
void arrays_settle();

uint64_t arrays_kept(); /* the count of a compaction */
double
arrays_copy_time(); /* of copying the first input within the device: milliseconds for a byte that is read or
                              written; 0: not known */

/* A few elements are changed in every third call, so that a look at some elements does not show what the others are.
 * Returns the number of changes, at most 3. */
struct surprise {
    size_t index; /* in words of 4 bytes */
    uint32_t word;
};
static inline size_t surprises_of(enum task task, size_t n, uint64_t seed, struct surprise surprises[3])
{
    const size_t words = n * in_bytes(task) / 4, count = seed % 3 == 0 ? 1 + seed / 3 % 3 : 0;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        surprises[i].index = (seed >> 16) % words;
        surprises[i].word = task == COMPACT && seed >> 63 ? 0 : (uint32_t)(seed >> 20) | 1;
    }
    return count;
}

#endif
