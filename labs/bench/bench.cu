/* bench.cu: how fast the labs' functions are on a GPU, beside CUB's and the copy limit, in one run.
 *
 *     bench [--lab compaction] [--from 10] [--to 28] [--json FILE] staged=build/cuda/reference fast=build/cuda/fast
 *
 * Contenders are folders with the labs' shared objects; one that is not there, or lacks a function, is left out. All
 * are timed turn by turn, on inputs that rotate through more memory than the L2 holds, by events around the whole
 * call: allocating, launches, and the copy of a result that the host gets. A last call of each, into junk, is compared
 * with CUB's result, and CUB's with a plain loop up to 2^20 elements. A time below that of copying the bytes that must move is an
 * error: nothing is faster than light. */
#include "parts.h"
#include "peers.h"

#include <algorithm>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

enum {
    MOST_SETS = 16,
    LEAST_RUNS = 7,
    MOST_RUNS = 100,
    SMALL = 1 << 20 /* a plain loop checks up to here */
};
static const double SECONDS = 0.25;      /* for each contender and length */
static const double LIGHT = 0.93;        /* of the copy's time: caches and clocks make it uneven */
static const size_t ROTATE = 512u << 20; /* bytes that inputs and outputs rotate through */

/* ---- what is timed ----------------------------------------------------------------------------------------- */

enum task { REDUCE, SCAN, COMPACT, SORT };

struct row {
    enum task task;
    const char *lab, *part;
    int third;      /* argument after the length; -1: none */
    int most;       /* log2 of the longest input that it is timed on */
    bool exclusive; /* a scan whose results stand one place later */
};

/* What takes n log n, or a launch a bit, would hold the run up. CUB of CUDA 13.0 fails on a selection that keeps
 * 2^31 - 1 elements or more. */
static const struct row rows[] = {
    {REDUCE, "reduction", "reduce", -1, 31, false},
    {SCAN, "naive_scan", "scan_global", -1, 26, false},
    {SCAN, "work_efficient_scan", "scan_global_tree", -1, 28, true},
    {SCAN, "arbitrary_length_scan", "scan_inclusive", -1, 31, false},
    {SCAN, "arbitrary_length_scan", "scan_single_pass", -1, 31, false},
    {COMPACT, "compaction", "compact", -1, 30, false},
    {COMPACT, "compaction", "compact_warp", -1, 30, false},
    {SORT, "radix_sort", "radix_sort", -1, 28, false},
    {SORT, "radix_sort", "radix_sort_digits", 8, 31, false},
};

/* Inputs of compaction, in percent that are kept; of other tasks there is one kind. */
static const int densities[] = {0, 5, 50, 90, 100};

struct contender {
    std::string who, name;                        /* staged, scan_inclusive */
    uint64_t (*call)(const union part_value a[]); /* null: CUB */
    int third;
    bool exclusive;
    bool wrong;
    std::vector<float> times; /* milliseconds */
};

static uint64_t call_peer(enum task task, const int *in, int *out, size_t n)
{
    switch (task) {
    case REDUCE:
        peer_reduce(in, out, n);
        return 0;
    case SCAN:
        peer_scan(in, out, n);
        return 0;
    case COMPACT:
        return peer_compact(in, out, n);
    case SORT:
        peer_sort((const unsigned *)in, (unsigned *)out, n);
    }
    return 0;
}

static uint64_t call(const struct contender &contender, enum task task, const int *in, int *out, size_t n)
{
    if (!contender.call)
        return call_peer(task, in, out, n);
    union part_value values[4] = {};
    values[0].pointer = (void *)in;
    values[1].pointer = out;
    values[2].integer = n;
    values[3].integer = (uint64_t)contender.third;
    return contender.call(values);
}

/* Bytes that any way to do it must move. */
static double bytes_of(enum task task, double n, double kept)
{
    switch (task) {
    case REDUCE:
        return 4 * n;
    case SCAN:
        return 8 * n;
    case COMPACT:
        return 4 * n + 4 * kept;
    case SORT:
        return 8 * n;
    }
    return 0;
}

/* ---- inputs and results --------------------------------------------------------------------------------------- */

__global__ void fill_kernel(int *in, size_t n, uint64_t seed, unsigned percent)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        uint64_t x = (i + seed) * 0x9E3779B97F4A7C15u; /* splitmix64 */
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
        in[i] = percent > 100 ? (int)x : (unsigned)(x % 100) < percent ? (int)(x >> 32 | 1) : 0;
    }
}

__global__ void compare_kernel(const int *a, const int *b, size_t n, unsigned long long *unequal)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(unequal, 1ull);
}

static size_t count_unequal(const int *a, const int *b, size_t n)
{
    static unsigned long long *count;
    unsigned long long result = 0;
    if (!count)
        CHECK(cudaMalloc(&count, sizeof *count));
    CHECK(cudaMemset(count, 0, sizeof *count));
    compare_kernel<<<1024, 256>>>(a, b, n, count);
    CHECK(cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost));
    return result;
}

static size_t results_of(enum task task, size_t n, size_t kept)
{
    return task == REDUCE ? 1 : task == COMPACT ? kept : n;
}

/* Is CUB's result that of a plain loop? */
static bool peer_is_right(enum task task, const int *in, const int *out, size_t n, size_t kept)
{
    std::vector<int> input(n), want, got(results_of(task, n, kept));
    CHECK(cudaMemcpy(input.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    for (int x : input) {
        sum += (unsigned)x;
        if (task == SCAN)
            want.push_back((int)sum);
        if (task == COMPACT && x != 0)
            want.push_back(x);
    }
    if (task == REDUCE)
        want.push_back((int)sum);
    if (task == SORT) {
        want = input;
        std::sort((unsigned *)want.data(), (unsigned *)want.data() + n);
    }
    return want == got;
}

/* ---- timing ------------------------------------------------------------------------------------------------------ */

struct buffers {
    std::vector<int *> in, out;
};

static float median(std::vector<float> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* Half of the width that the middle half of the times takes, in percent of the median. */
static float spread(std::vector<float> times)
{
    std::sort(times.begin(), times.end());
    return 50 * (times[times.size() * 3 / 4] - times[times.size() / 4]) / times[times.size() / 2];
}

template <class Run> static float time_once(Run run)
{
    static cudaEvent_t begin, end;
    float milliseconds;
    if (!begin) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin));
    run();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds;
}

static float time_copy(const struct buffers &at, size_t n)
{
    std::vector<float> times;
    for (int i = 0; i < 15; i++) {
        const size_t set = (size_t)i % at.in.size();
        times.push_back(time_once([&] {
            CHECK(cudaMemcpyAsync(at.out[set], at.in[set], n * sizeof(int), cudaMemcpyDeviceToDevice));
        }));
    }
    return median(std::vector<float>(times.begin() + 3, times.end()));
}

/* Times all contenders, turn by turn, and compares what they made in the end. The first one is CUB. */
static void time_all(std::vector<struct contender> &contenders, enum task task, const struct buffers &at,
                     size_t n, int *expected)
{
    const uint64_t kept = call(contenders[0], task, at.in[0], expected, n);
    const size_t results = results_of(task, n, kept);
    CHECK(cudaDeviceSynchronize());
    if (n <= SMALL && !peer_is_right(task, at.in[0], expected, n, kept)) {
        fprintf(stderr, "bench: CUB's own result is wrong: n = %zu\n", n);
        exit(3);
    }
    std::vector<bool> done(contenders.size());
    std::vector<double> spent(contenders.size());
    for (size_t run = 0, left = contenders.size(); left > 0; run++) {
        for (size_t c = 0; c < contenders.size(); c++) {
            if (done[c])
                continue;
            const size_t set = (run + c) % at.in.size();
            const float took = time_once([&] { call(contenders[c], task, at.in[set], at.out[set], n); });
            if (run > 1) /* the first two warm up */
                contenders[c].times.push_back(took);
            spent[c] += took / 1e3;
            const size_t runs = contenders[c].times.size();
            done[c] =
                runs >= MOST_RUNS || (runs >= LEAST_RUNS && spent[c] > SECONDS) || spent[c] > 8 * SECONDS;
            if (runs == 0 && done[c])
                contenders[c].times.push_back(took);
            left -= done[c];
        }
    }
    for (struct contender &contender : contenders) {
        CHECK(cudaMemset(at.out[0], 0xA5, results * sizeof(int)));
        const uint64_t count = call(contender, task, at.in[0], at.out[0], n);
        CHECK(cudaDeviceSynchronize());
        const size_t later = contender.exclusive ? 1 : 0;
        contender.wrong = (task == COMPACT && count != kept) ||
                          count_unequal(at.out[0] + later, expected, results - later) > 0;
    }
}

/* ---- the run -------------------------------------------------------------------------------------------------------- */

struct options {
    const char *lab, *json;
    int from, to;
    std::vector<std::pair<std::string, std::string>> folders; /* who, where */
};

static const struct part *find_part(const std::string &folder, const char *lab, const char *name)
{
    void *library = dlopen((folder + "/" + lab + ".sum.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const struct part *part = library ? (const struct part *)dlsym(library, PARTS_SYMBOL) : nullptr;
    for (; part && part->name; part++)
        if (strcmp(part->name, name) == 0)
            return part->function ? part : nullptr;
    return nullptr;
}

static std::vector<struct contender> contenders_of(const struct options &options, enum task task, int length)
{
    std::vector<struct contender> all = {{"CUB", "", nullptr, -1, false, false, {}}};
    for (const struct row &row : rows) {
        if (row.task != task || length > row.most || (options.lab && strcmp(options.lab, row.lab) != 0))
            continue;
        for (const auto &[who, folder] : options.folders)
            if (const struct part *part = find_part(folder, row.lab, row.part))
                all.push_back({who, row.part, part->call, row.third, row.exclusive, false, {}});
    }
    return all;
}

static int report(const std::vector<struct contender> &contenders, enum task task, size_t n, int density,
                  float copy, double bytes, FILE *json)
{
    static const char *const names[] = {"reduce", "scan", "compact", "sort"};
    int failed = 0;
    const double per_byte = copy / (8.0 * (double)n); /* ms */
    const float peer = median(contenders[0].times);
    for (const struct contender &contender : contenders) {
        const float took = median(contender.times);
        const bool impossible = n >= (1u << 26) && took < LIGHT * bytes * per_byte;
        char task_name[32], who[64];
        snprintf(task_name, sizeof task_name, density > 100 ? "%s" : "%s %d %%", names[task], density);
        snprintf(who, sizeof who, "%s %s", contender.who.c_str(), contender.name.c_str());
        printf("%-14s %11zu  %-26s %10.4f ms %4.1f %% %7.0f GB/s %6.2f of copy %6.2f of CUB%s\n", task_name,
               n, who, took, spread(contender.times), bytes / took / 1e6, bytes * per_byte / took,
               peer / took,
               contender.wrong ? "  WRONG"
               : impossible    ? "  FASTER THAN LIGHT"
                               : "");
        fflush(stdout);
        failed += contender.wrong || impossible;
        if (json)
            fprintf(json,
                    "%s\n{\"task\": \"%s\", \"density\": %d, \"n\": %zu, \"who\": \"%s\", \"part\": \"%s\", "
                    "\"milliseconds\": %.5f, \"spread_percent\": %.2f, \"runs\": %zu, \"bytes\": %.0f, "
                    "\"copy_milliseconds\": %.5f, \"of_cub\": %.4f, \"right\": %s}",
                    ftell(json) > 1 ? "," : "", names[task], density > 100 ? -1 : density, n,
                    contender.who.c_str(), contender.name.c_str(), took, spread(contender.times),
                    contender.times.size(), bytes, copy, peer / took, contender.wrong ? "false" : "true");
    }
    return failed;
}

static int bench_length(const struct options &options, int length, FILE *json)
{
    const size_t n = (size_t)1 << length, bytes = n * sizeof(int);
    const size_t sets = std::min<size_t>(MOST_SETS, std::max<size_t>(1, ROTATE / (2 * bytes)));
    struct buffers at;
    int *expected, failed = 0;
    at.in.resize(sets);
    at.out.resize(sets);
    CHECK(cudaMalloc(&expected, bytes));
    for (size_t i = 0; i < sets; i++) {
        CHECK(cudaMalloc(&at.in[i], bytes));
        CHECK(cudaMalloc(&at.out[i], bytes));
    }
    for (enum task task : {REDUCE, SCAN, COMPACT, SORT}) {
        std::vector<struct contender> contenders = contenders_of(options, task, length);
        if (contenders.size() == 1)
            continue;
        for (int density : densities) {
            const bool random = task != COMPACT;
            for (size_t i = 0; i < sets; i++)
                fill_kernel<<<1024, 256>>>(at.in[i], n, i * 977 + (size_t)length,
                                           random ? 101 : (unsigned)density);
            const float copy = time_copy(at, n);
            for (struct contender &contender : contenders)
                contender.times.clear();
            time_all(contenders, task, at, n, expected);
            failed += report(contenders, task, n, random ? 101 : density, copy,
                             bytes_of(task, (double)n, (double)n * (random ? 0 : density) / 100), json);
            if (random)
                break;
        }
    }
    for (size_t i = 0; i < sets; i++) {
        CHECK(cudaFree(at.in[i]));
        CHECK(cudaFree(at.out[i]));
    }
    CHECK(cudaFree(expected));
    return failed;
}

int main(int count, char **words)
{
    struct options options = {nullptr, nullptr, 10, 28, {}};
    for (int i = 1; i < count; i++) {
        const char *equals = strchr(words[i], '='), *value = i + 1 < count ? words[i + 1] : "";
        if (strcmp(words[i], "--lab") == 0)
            options.lab = words[++i] ? value : nullptr;
        else if (strcmp(words[i], "--json") == 0)
            options.json = value, i++;
        else if (strcmp(words[i], "--from") == 0)
            options.from = atoi(value), i++;
        else if (strcmp(words[i], "--to") == 0)
            options.to = atoi(value), i++;
        else if (equals)
            options.folders.push_back(
                {std::string((const char *)words[i], (size_t)(equals - words[i])), equals + 1});
        else
            options.to = -1;
    }
    if (options.from < 1 || options.to < options.from || options.to > 31 || options.folders.empty()) {
        fprintf(stderr, "usage: bench [--lab NAME] [--from LOG2] [--to LOG2] [--json FILE] WHO=FOLDER ...\n");
        return 2;
    }
    struct cudaDeviceProp device;
    int driver, runtime;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    printf("%s, driver %d.%d, CUDA %d.%d; medians, and half of the middle half's width\n", device.name,
           driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    FILE *json = options.json ? fopen(options.json, "w") : nullptr;
    if (json)
        fputc('[', json);
    int failed = 0;
    for (int length = options.from; length <= options.to; length += length < 28 ? 2 : 1)
        failed += bench_length(options, length, json);
    if (json) {
        fputs("\n]\n", json);
        fclose(json);
    }
    printf("bench: %d failed\n", failed);
    return failed > 0;
}
