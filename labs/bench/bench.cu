/* bench.cu: how fast the labs' functions are on a GPU, beside CUB's, Thrust's and the copy limit, in one run.
 *
 *     bench [--lab compaction] [--part compact] [--task compact] [--shape all] [--from 10] [--to 28] [--add 0]
 *           [--runs 7] [--seconds 0.25] [--json FILE] staged=build/cuda/reference fast=build/cuda/fast
 *
 * Contenders are folders with the labs' shared objects; one that is not there, or lacks a function, is left out. All
 * are timed turn by turn, on inputs that rotate through more memory than the L2 holds, by events around the whole
 * call: allocating, launches, and the copy of a result that the host gets. A last call of each, into junk, is compared
 * with CUB's result, and CUB's with a plain loop up to 2^20 elements. A time below that of copying the bytes that must
 * move is an error: nothing is faster than light. With --shape sorts of u32, pairs and u64 get that
 * shape of keys, or all. With --json - the output is the JSON, and there is no table. */
#include "peers.h"
#include "tasks.h"

#include <algorithm>
#include <limits.h>
#include <string.h>

enum {
    MOST_SETS = 16,
    MOST_RUNS = 100,
    SMALL = 1 << 20 /* a plain loop checks up to here */
};
/* Of a copy's time: caches and clocks make it uneven, and what is only read comes faster than what is copied, by 8 % on an
 * H200. */
static const double LIGHT = 0.93, LIGHT_OF_READING = 0.85;
static const size_t ROTATE = 512u << 20; /* bytes that inputs and outputs rotate through */

struct options {
    const char *lab, *part, *task, *json, *shape;
    int from, to, add;                                        /* 2^from to 2^to elements, and some more */
    int runs;                                                 /* of each contender and length, at least */
    double seconds;                                           /* for each contender and length */
    std::vector<std::pair<std::string, std::string>> folders; /* who, where */
};

struct buffers {
    std::vector<void *> in, out;
};

static float quantile(std::vector<float> times, size_t quarters)
{
    std::sort(times.begin(), times.end());
    return times[times.size() * quarters / 4];
}

static float median(const std::vector<float> &times)
{
    return quantile(times, 2);
}

/* Half of the width that the middle half of the times takes, in percent of the median. */
static float spread(const std::vector<float> &times)
{
    return 50 * (quantile(times, 3) - quantile(times, 1)) / median(times);
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

static float time_copy(const struct buffers &at, size_t bytes)
{
    std::vector<float> times;
    for (int i = 0; i < 15; i++) {
        const size_t set = (size_t)i % at.in.size();
        times.push_back(time_once(
            [&] { CHECK(cudaMemcpyAsync(at.out[set], at.in[set], bytes, cudaMemcpyDeviceToDevice)); }));
    }
    return median(std::vector<float>(times.begin() + 3, times.end()));
}

/* Times all contenders, turn by turn, and compares what they made in the end. The first one is CUB. */
static void time_all(std::vector<struct contender> &contenders, enum task task, const struct buffers &at,
                     size_t n, void *expected, const struct options &options)
{
    const uint64_t kept = call_contender(contenders[0], task, at.in[0], expected, n);
    const size_t bytes = result_bytes(task, n, kept);
    CHECK(cudaDeviceSynchronize());
    if (n <= SMALL && !peer_is_right(task, at.in[0], expected, n, kept)) {
        fprintf(stderr, "bench: CUB's own result is wrong: %s, n = %zu\n", task_names[task], n);
        exit(3);
    }
    std::vector<bool> done(contenders.size());
    std::vector<double> spent(contenders.size());
    for (size_t run = 0, left = contenders.size(); left > 0; run++) {
        for (size_t c = 0; c < contenders.size(); c++) {
            if (done[c])
                continue;
            const size_t set = (run + c) % at.in.size();
            const float took =
                time_once([&] { call_contender(contenders[c], task, at.in[set], at.out[set], n); });
            if (run > 1) /* the first two warm up */
                contenders[c].times.push_back(took);
            spent[c] += took / 1e3;
            const size_t runs = contenders[c].times.size();
            done[c] = runs >= MOST_RUNS || (runs >= (size_t)options.runs && spent[c] > options.seconds) ||
                      spent[c] > 8 * options.seconds;
            if (runs == 0 && done[c])
                contenders[c].times.push_back(took);
            left -= done[c];
        }
    }
    for (struct contender &contender : contenders) {
        CHECK(cudaMemset(at.out[0], 0xA5, bytes));
        const uint64_t count = call_contender(contender, task, at.in[0], at.out[0], n);
        CHECK(cudaDeviceSynchronize());
        const size_t later = contender.exclusive ? 4 : 0;
        contender.wrong = (task == COMPACT && count != kept) ||
                          count_unequal((char *)at.out[0] + later, expected, bytes - later) > 0;
    }
}

static int report(const std::vector<struct contender> &contenders, enum task task, size_t n, int kind,
                  double per_byte /* milliseconds of a copy */, double bytes, FILE *json)
{
    int failed = 0;
    const float peer = median(contenders[0].times);
    for (const struct contender &contender : contenders) {
        const float took = median(contender.times);
        const double light = task == REDUCE ? LIGHT_OF_READING : LIGHT;
        const bool impossible = bytes >= (double)(512u << 20) && took < light * bytes * per_byte;
        const std::string what = task_names[task] + (" " + kind_name(task, kind)),
                          who = contender.who + " " + contender.name;
        if (json != stdout)
            printf("%-16s %11zu  %-26s %10.4f ms %4.1f %% %7.0f GB/s %6.2f of copy %6.2f of CUB%s\n",
                   what.c_str(), n, who.c_str(), took, spread(contender.times), bytes / took / 1e6,
                   bytes * per_byte / took, peer / took,
                   contender.wrong ? "  WRONG"
                   : impossible    ? "  FASTER THAN LIGHT"
                                   : "");
        fflush(stdout);
        failed += contender.wrong || impossible;
        if (json) {
            static bool more;
            fprintf(
                json,
                "%s\n{\"task\": \"%s\", \"input\": \"%s\", \"n\": %zu, \"who\": \"%s\", \"part\": \"%s\", "
                "\"milliseconds\": %.5f, \"spread_percent\": %.2f, \"runs\": %zu, \"bytes\": %.0f, "
                "\"copy_milliseconds\": %.5f, \"of_cub\": %.4f, \"right\": %s, \"possible\": %s, \"times\": "
                "[",
                more ? "," : "", task_names[task], kind_name(task, kind).c_str(), n, contender.who.c_str(),
                contender.name.c_str(), took, spread(contender.times), contender.times.size(), bytes,
                bytes * per_byte, peer / took, contender.wrong ? "false" : "true",
                impossible ? "false" : "true");
            for (size_t i = 0; i < contender.times.size(); i++)
                fprintf(json, "%s%.5f", i > 0 ? ", " : "", contender.times[i]);
            fputs("]}", json);
            more = true;
        }
    }
    return failed;
}

static int bench_task(const struct options &options, enum task task, int length, FILE *json)
{
    std::vector<struct contender> contenders =
        contenders_of(task, length, options.lab, options.part, options.folders);
    if (contenders.empty())
        return 0;
    const size_t n = length_of(task, length, (size_t)options.add), in = n * in_bytes(task),
                 out = n * out_bytes(task);
    const size_t sets = std::min<size_t>(MOST_SETS, std::max<size_t>(1, ROTATE / (in + out)));
    struct buffers at;
    void *expected;
    int failed = 0;
    at.in.resize(sets);
    at.out.resize(sets);
    CHECK(cudaMalloc(&expected, out));
    for (size_t i = 0; i < sets; i++) {
        CHECK(cudaMalloc(&at.in[i], in));
        CHECK(cudaMalloc(&at.out[i], out));
    }
    for (int kind : kinds_of(task, options.shape)) {
        if (options.shape && strcmp(options.shape, "all") != 0 && kind_name(task, kind) != options.shape)
            continue;
        if (task == COMPACT && n * (size_t)kind / 100 >= INT_MAX)
            continue; /* CUB of CUDA 13.0 fails where so many elements are kept */
        for (size_t i = 0; i < sets; i++)
            fill(task, kind, at.in[i], n, i * 977 + (size_t)length);
        float copy = time_copy(at, in);
        for (struct contender &contender : contenders)
            contender.times.clear();
        time_all(contenders, task, at, n, expected, options);
        copy = std::min(copy, time_copy(at, in)); /* the first one may find the memory half asleep */
        failed += report(contenders, task, n, kind, copy / (2.0 * (double)in),
                         least_bytes(task, (double)n, (double)n * (task == COMPACT ? kind : 0) / 100), json);
    }
    for (size_t i = 0; i < sets; i++) {
        CHECK(cudaFree(at.in[i]));
        CHECK(cudaFree(at.out[i]));
    }
    CHECK(cudaFree(expected));
    return failed;
}

/* False: the words are no call of it. */
static bool read_options(int count, char **words, struct options *options)
{
    for (int i = 1; i < count; i++) {
        const char *equals = strchr(words[i], '=');
        if (strncmp(words[i], "--", 2) == 0) {
            const char *value = i + 1 < count ? words[i + 1] : nullptr;
            if (!value)
                return false;
            if (strcmp(words[i], "--lab") == 0)
                options->lab = value;
            else if (strcmp(words[i], "--part") == 0)
                options->part = value;
            else if (strcmp(words[i], "--runs") == 0)
                options->runs = atoi(value);
            else if (strcmp(words[i], "--task") == 0)
                options->task = value;
            else if (strcmp(words[i], "--shape") == 0)
                options->shape = value;
            else if (strcmp(words[i], "--json") == 0)
                options->json = value;
            else if (strcmp(words[i], "--from") == 0)
                options->from = atoi(value);
            else if (strcmp(words[i], "--to") == 0)
                options->to = atoi(value);
            else if (strcmp(words[i], "--add") == 0)
                options->add = atoi(value);
            else if (strcmp(words[i], "--seconds") == 0)
                options->seconds = atof(value);
            else
                return false;
            i++;
        } else if (equals) {
            options->folders.push_back(
                {std::string((const char *)words[i], (size_t)(equals - words[i])), equals + 1});
        } else {
            return false;
        }
    }
    return options->from >= 1 && options->to >= options->from && options->to <= 31 && options->add >= 0 &&
           !options->folders.empty();
}

int main(int count, char **words)
{
    struct options options = {nullptr, nullptr, nullptr, nullptr, nullptr, 10, 28, 0, 7, 0.25, {}};
    if (!read_options(count, words, &options)) {
        fprintf(stderr, "usage: bench [--lab NAME] [--part NAME] [--task NAME] [--shape NAME] [--from LOG2] "
                        "[--to LOG2] [--add N] "
                        "[--runs N] [--seconds S] [--json FILE] WHO=FOLDER ...\n");
        return 2;
    }
    struct cudaDeviceProp device;
    int driver, runtime;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    const bool only_json = options.json && strcmp(options.json, "-") == 0;
    FILE *json = only_json ? stdout : options.json ? fopen(options.json, "w") : nullptr;
    if (!only_json)
        printf("%s, driver %d.%d, CUDA %d.%d, CUB %d.%d.%d; medians, and half of the middle half's width\n",
               device.name, driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10,
               peer_version() / 100000, peer_version() / 100 % 1000, peer_version() % 100);
    if (options.json && !json) {
        perror(options.json);
        return 2;
    }
    if (json)
        fputc('[', json);
    int failed = 0;
    for (int length = options.from; length <= options.to; length += length < 28 ? 2 : 1)
        for (int task = 0; task < TASKS; task++)
            if (!options.task || strcmp(options.task, task_names[task]) == 0)
                failed += bench_task(options, (enum task)task, length, json);
    if (json) {
        fputs("\n]\n", json);
        fclose(json);
    }
    if (!only_json)
        printf("bench: %d failed\n", failed);
    return failed > 0;
}
