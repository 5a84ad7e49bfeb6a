/* race_cpu.cpp: see race_arrays.h. For the CPU device, whose times say nothing about a GPU: it is for tests of the
 * clock where there is no GPU. It has the tasks of labs 1, 4, 5 and 6 on words of 4 bytes. */
#include "race_arrays.h"

#include <algorithm>
#include <string.h>

static enum task task;
static size_t n, kept;
static std::vector<uint32_t> input, expected, taken;

bool arrays_open(enum task of, size_t length)
{
    task = of;
    n = length;
    return task == REDUCE || task == SCAN || task == COMPACT || task == SORT;
}

size_t arrays_memory(const struct call_request &request)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < request.arguments; i++)
        if (request.argument[i].kind <= CALL_IN_OUT)
            bytes = request.argument[i].offset + request.argument[i].bytes;
    return bytes;
}

static uint64_t random_of(uint64_t i)
{
    uint64_t x = i * 0x9E3779B97F4A7C15u; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static uint32_t element(int kind, size_t i, uint64_t seed)
{
    const uint64_t x = random_of(i + seed);
    if (task == COMPACT)
        return (int)(x % 100) < kind ? (uint32_t)(x >> 32) | 1 : 0;
    if (task == SORT && kind == KEYS_ASCEND)
        return (uint32_t)(i * (UINT32_MAX / n) + random_of(seed) % (UINT32_MAX / n));
    if (task == SORT && kind < 32)
        return (uint32_t)(kind == 0 ? random_of(seed) : x & ((1u << kind) - 1));
    return (uint32_t)x;
}

std::string arrays_fresh(int kind, uint64_t seed)
{
    struct surprise surprises[3];
    input.resize(n);
    for (size_t i = 0; i < n; i++)
        input[i] = element(kind, i, seed);
    for (size_t i = 0, count = surprises_of(task, n, seed, surprises); i < count; i++)
        input[surprises[i].index] = surprises[i].word;
    expected.clear();
    if (task == SORT) {
        expected = input;
        std::sort(expected.begin(), expected.end());
    } else {
        uint32_t sum = 0;
        for (uint32_t x : input) {
            sum += x;
            if (task == SCAN || (task == COMPACT && x != 0))
                expected.push_back(task == SCAN ? sum : x);
        }
        if (task == REDUCE)
            expected.push_back(sum);
    }
    kept = expected.size();
    taken.assign(output_bytes(task, n) / 4, 0);
    return "";
}

void arrays_show(struct call_runner *runner, const struct call_request &request)
{
    unsigned char *memory = call_memory(runner);
    memcpy(memory + request.argument[0].offset, input.data(), request.argument[0].bytes);
    memset(memory + request.argument[1].offset, CALL_POISON, request.argument[1].bytes);
}

void arrays_take(struct call_runner *runner, const struct call_request &request)
{
    memcpy(taken.data(), call_memory(runner) + request.argument[1].offset, request.argument[1].bytes);
}

bool arrays_are_right(uint64_t result, bool exclusive)
{
    const size_t later = exclusive ? 1 : 0; /* elements by which the result is shifted */
    return (task != COMPACT || result == kept) &&
           std::equal(expected.begin(), expected.end() - (ptrdiff_t)later, taken.begin() + (ptrdiff_t)later);
}

void arrays_settle()
{
}

uint64_t arrays_kept()
{
    return kept;
}

double arrays_copy_time()
{
    return 0;
}
