/* bench.cu: times the labs' functions on a GPU, together with CUB's, Thrust's and the copy limit, in one run.
 *
 *     bench [--lab compaction] [--part compact] [--task compact] [--shape all] [--from 10] [--to 28] [--add 0]
 *           [--runs 7] [--seconds 0.25] [--json FILE] staged=build/cuda/reference fast=build/cuda/fast
 *
 * Contenders are folders with the labs' shared objects. A folder or function that does not exist is left out. All
 * contenders are timed in turns, in a random order, on inputs that rotate through more memory than the L2 cache
 * holds, by events around the whole call: allocations, launches, and the copy of a result to the host. "Of CUB" is
 * the median of CUB's time divided by the contender's time in the same turn; the interval in brackets contains it
 * with a probability of 95 %. After the timing, one more call of each writes into junk and is compared with CUB's
 * result, and CUB's result with that of a plain loop, up to 2^20 elements. A time below that of copying the bytes
 * that must move is an error: nothing is faster than light. Up to 2^12 elements, calls without work are timed, too. With --shape, sorts get keys of that shape, or of all
 * shapes one after another. With --json - the output is the JSON, without a table. */
#include "options.h"
#include "peers.h"
#include "tasks.h"

#include <algorithm>
#include <limits.h>
#include <math.h>
#include <random>
#include <string.h>

enum {
    MOST_SETS = 16,
    MOST_RUNS = 100,
    SMALL = 1 << 20 /* a plain loop checks up to this length */
};
/* Minimum of a time, relative to that of a copy. Caches and clocks make the copy's time vary, and memory that is
 * only read is faster than memory that is copied, by 8 % on an H200. */
static const double LIGHT = 0.93, LIGHT_OF_READING = 0.85;
static const size_t ROTATE = 512u << 20; /* bytes of memory through which inputs and outputs rotate */

struct buffers {
    std::vector<void *> in, out;
};

static double quantile(std::vector<double> values, size_t quarters)
{
    std::sort(values.begin(), values.end());
    return values[values.size() * quarters / 4];
}

static double median(const std::vector<double> &values)
{
    return quantile(values, 2);
}

/* Half of the interquartile range of the times, in percent of the median. */
static double spread(const std::vector<double> &times)
{
    return 50 * (quantile(times, 3) - quantile(times, 1)) / median(times);
}

/* The median of CUB's time divided by the contender's, turn by turn, and an interval that contains the true value
 * with a probability of 95 %. The interval is computed from order statistics, so it holds for any distribution. */
struct ratio {
    double low, median, high;
};

static struct ratio ratio_of(const struct contender &peer, const struct contender &contender)
{
    std::vector<double> ratios;
    for (size_t i = 0; i < contender.times.size() && i < peer.times.size(); i++)
        ratios.push_back(peer.times[i] / contender.times[i]);
    std::sort(ratios.begin(), ratios.end());
    const size_t n = ratios.size();
    const double below = floor(0.5 * (double)n - 0.98 * sqrt((double)n));
    const size_t low = below > 0 ? (size_t)below : 0;
    return {ratios[low], ratios[n / 2], ratios[n - 1 - low]};
}

template <class Run> static double time_once(Run run)
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

static double time_copy(const struct buffers &at, size_t bytes)
{
    std::vector<double> times;
    for (int i = 0; i < 15; i++) {
        const size_t set = (size_t)i % at.in.size();
        times.push_back(time_once(
            [&] { CHECK(cudaMemcpyAsync(at.out[set], at.in[set], bytes, cudaMemcpyDeviceToDevice)); }));
    }
    return median(std::vector<double>(times.begin() + 3, times.end()));
}

/* Times all contenders in turns, and compares their last results. The first contender is CUB. A call is slower
 * after a long call than after a short one, so the order within a turn is random, and the next turn reverses it. */
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
    enum { WARM_UP = 2 /* turns */ };
    size_t calls = 0;
    std::vector<size_t> order;
    std::vector<double> spent(contenders.size());
    std::mt19937 random((unsigned)n);
    for (size_t c = 0; c < contenders.size(); c++)
        order.push_back(c);
    for (int turn = 0; order.size() > 1; turn++) {
        if (turn % 2 == 0)
            std::shuffle(order.begin(), order.end(), random);
        else
            std::reverse(order.begin(), order.end());
        for (size_t c : order) {
            const size_t set = calls++ % at.in.size();
            const double took =
                time_once([&] { call_contender(contenders[c], task, at.in[set], at.out[set], n); });
            if (turn >= WARM_UP)
                contenders[c].times.push_back(took);
            spent[c] += took / 1e3;
        }
        /* CUB is timed until the last of the others is done. */
        const auto has_done = [&](size_t c) {
            const size_t runs = contenders[c].times.size();
            const double most = std::max(spent[0], spent[c]);
            return c != 0 && runs > 0 &&
                   (runs >= MOST_RUNS || (runs >= (size_t)options.runs && most > options.seconds) ||
                    spent[c] > 8 * options.seconds);
        };
        order.erase(std::remove_if(order.begin(), order.end(), has_done), order.end());
    }
    for (struct contender &contender : contenders) {
        CHECK(cudaMemset(at.out[0], 0xA5, bytes));
        const uint64_t count = call_contender(contender, task, at.in[0], at.out[0], n);
        CHECK(cudaDeviceSynchronize());
        const size_t later = contender.exclusive ? 4 : 0;
        contender.wrong = contender.library != NO_WORK &&
                          ((task == COMPACT && count != kept) ||
                           count_unequal((char *)at.out[0] + later, expected, bytes - later) > 0);
    }
}

static int report(const std::vector<struct contender> &contenders, enum task task, size_t n, int kind,
                  double per_byte /* milliseconds of a copy */, double bytes, FILE *json)
{
    int failed = 0;
    for (const struct contender &contender : contenders) {
        const double took = median(contender.times);
        const struct ratio of_cub = ratio_of(contenders[0], contender);
        const double light = task == REDUCE ? LIGHT_OF_READING : LIGHT;
        const bool impossible = bytes >= (double)(512u << 20) && took < light * bytes * per_byte;
        const std::string what = task_names[task] + (" " + kind_name(task, kind)),
                          who = contender.who + " " + contender.name;
        if (json != stdout)
            printf("%-24s %11zu  %-26s %10.4f ms %4.1f %% %7.0f GB/s %6.2f of copy %6.2f of CUB (%.2f to "
                   "%.2f)%s\n",
                   what.c_str(), n, who.c_str(), took, spread(contender.times), bytes / took / 1e6,
                   bytes * per_byte / took, of_cub.median, of_cub.low, of_cub.high,
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
                "\"copy_milliseconds\": %.5f, \"of_cub\": %.4f, \"of_cub_low\": %.4f, \"of_cub_high\": %.4f, "
                "\"right\": %s, \"possible\": %s, \"times\": "
                "[",
                more ? "," : "", task_names[task], kind_name(task, kind).c_str(), n, contender.who.c_str(),
                contender.name.c_str(), took, spread(contender.times), contender.times.size(), bytes,
                bytes * per_byte, of_cub.median, of_cub.low, of_cub.high, contender.wrong ? "false" : "true",
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
        const double kept = task != COMPACT ? 0 : kind > ALL ? (double)n / 2 : (double)n * kind / 100;
        if (kept >= INT_MAX)
            continue; /* CUB of CUDA 13.0 fails when so many elements are kept */
        for (size_t i = 0; i < sets; i++)
            fill(task, kind, at.in[i], n, i * 977 + (size_t)length);
        double copy = time_copy(at, in);
        for (struct contender &contender : contenders)
            contender.times.clear();
        time_all(contenders, task, at, n, expected, options);
        copy = std::min(copy, time_copy(at, in)); /* memory may be slow at first */
        failed += report(contenders, task, n, kind, copy / (2.0 * (double)in),
                         least_bytes(task, (double)n, kept), json);
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
    struct options options;
    if (!read_options(count, words, &options)) {
        fputs(usage, stderr);
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
