/* race_cuda.cu: see race_arrays.h. On a GPU. The memory of a call is new in each call, and another process can reach
 * it only through the descriptors that it gets with the request (shared_cuda.h). */
#include "race_arrays.h"
#include "tasks.h"
extern "C" {
#include "shared_cuda.h"
}

#include <algorithm>
#include <string.h>
#include <unistd.h>

static enum task task;
static size_t n, in, out, kept;                /* `in` and `out` are bytes of all inputs and of all outputs */
static struct shared_memory shown[4];          /* the arrays in the order of the function's arguments */
static void *input, *expected, *taken, *flush; /* private */
static size_t flushed;                         /* bytes of `flush` */
static const struct contender cub = {"CUB", "", CUB, nullptr, -1, false, false, {}};

bool arrays_open(enum task of, size_t length)
{
    int cache;
    task = of;
    n = length;
    in = n * in_bytes(task);
    out = output_bytes(task, n);
    CHECK(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
    flushed = 4 * (size_t)std::max(cache, 16 << 20);
    CHECK(cudaMalloc(&input, in));
    CHECK(cudaMalloc(&expected, n * out_bytes(task)));
    CHECK(cudaMalloc(&taken, out));
    CHECK(cudaMalloc(&flush, flushed));
    return true;
}

size_t arrays_memory(const struct call_request &request)
{
    (void)request;
    return 4096; /* arrays do not pass through the file */
}

std::string arrays_fresh(int kind, uint64_t seed)
{
    const size_t arrays = arrays_of(task);
    struct surprise surprises[3];
    for (size_t i = 0; i < 2 * arrays; i++) {
        shared_drop(&shown[i]);
        if (const char *why = shared_make(i < arrays ? in / arrays : out / arrays, &shown[i]))
            return why;
    }
    fill(task, kind, input, n, seed);
    for (size_t i = 0, count = surprises_of(task, n, seed, surprises); i < count; i++)
        CHECK(cudaMemcpy((uint32_t *)input + surprises[i].index, &surprises[i].word, 4,
                         cudaMemcpyHostToDevice));
    kept = call_contender(cub, task, input, expected, n);
    for (size_t i = 0; i < arrays; i++) {
        CHECK(cudaMemcpy(shown[i].pointer, (char *)input + i * (in / arrays), in / arrays,
                         cudaMemcpyDeviceToDevice));
        CHECK(cudaMemset(shown[arrays + i].pointer, CALL_POISON, out / arrays));
    }
    CHECK(cudaMemset(taken, 0, out));
    CHECK(cudaMemset(flush, (int)seed, flushed));
    CHECK(cudaDeviceSynchronize());
    return "";
}

void arrays_show(struct call_runner *runner, const struct call_request &request)
{
    (void)request;
    int descriptors[4];
    for (size_t i = 0; i < 2 * arrays_of(task); i++)
        descriptors[i] = shown[i].descriptor;
    call_share(runner, descriptors, 2 * arrays_of(task));
}

void arrays_take(struct call_runner *runner, const struct call_request &request)
{
    (void)runner;
    (void)request;
    const size_t arrays = arrays_of(task), bytes = out / arrays;
    for (size_t i = 0; i < arrays; i++)
        CHECK(cudaMemcpyAsync((char *)taken + i * bytes, shown[arrays + i].pointer, bytes,
                              cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize());
}

bool arrays_are_right(uint64_t result, bool exclusive)
{
    const size_t bytes = result_bytes(task, n, kept), later = exclusive ? 4 : 0;
    return (task != COMPACT || result == kept) &&
           count_unequal((char *)taken + later, expected, bytes - later) == 0;
}

void arrays_settle()
{
    enum { WAITS = 5000, MICROSECONDS = 1000, SLACK = 64 << 20 /* bytes */ };
    static size_t before;
    size_t free = 0, all;
    for (struct shared_memory &memory : shown)
        shared_drop(&memory);
    for (int i = 0; i < WAITS; i++) {
        CHECK(cudaMemGetInfo(&free, &all));
        if (before == 0)
            before = free;
        if (free + SLACK >= before)
            return;
        usleep(MICROSECONDS);
    }
}

uint64_t arrays_kept()
{
    return kept;
}

double arrays_copy_time()
{
    static cudaEvent_t begin, end;
    std::vector<float> times(15);
    const size_t bytes = in / arrays_of(task);
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (float &time : times) {
        CHECK(cudaMemset(flush, 0, flushed));
        CHECK(cudaEventRecord(begin));
        CHECK(cudaMemcpyAsync(shown[0].pointer, input, bytes, cudaMemcpyDeviceToDevice));
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&time, begin, end));
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2] / (2.0 * (double)bytes);
}
