/* Meters of what a part asks of the runtime and of the stock functions:
 *
 *     allocations    allocations of device memory. On a GPU each of them, with its cudaFree, makes the host wait
 *     copies         calls of cudaMemcpy, cudaMemset and the like
 *     stock calls    calls of the harness's stock functions, which do not count as launches
 *     stock bytes    bytes of device memory that stock functions read and write
 *
 * Only host code that runs by simt_call counts, so a harness can allocate and copy its own arrays. */
#include "core/budget.h"
#include "core/observer.h"

static uint64_t allocations, copies, stock_calls, stock_bytes;

static void begin_run(void)
{
    allocations = copies = stock_calls = stock_bytes = 0;
}

static void allocate(const struct region *region)
{
    allocations += host_in_call && region->space != MEMORY_HOST;
}

static void copy(const struct copy *copy)
{
    (void)copy;
    copies += host_in_call;
}

static void begin_launch(const struct launch *launch)
{
    stock_calls += launch->harness;
}

static void look(const struct access *access)
{
    if (harness_works && access->space == MEMORY_GLOBAL)
        stock_bytes += access->bytes;
}

static uint64_t allocations_value(void)
{
    return allocations;
}

static uint64_t copies_value(void)
{
    return copies;
}

static uint64_t stock_calls_value(void)
{
    return stock_calls;
}

static uint64_t stock_bytes_value(void)
{
    return stock_bytes;
}

const struct observer allocations_observer = {.name = "allocations",
                                              .meter = "allocations",
                                              .value = allocations_value,
                                              .begin_run = begin_run,
                                              .allocate = allocate};
const struct observer copies_observer = {
    .name = "copies", .meter = "copies", .value = copies_value, .copy = copy};
const struct observer stock_calls_observer = {
    .name = "stock calls", .meter = "stock calls", .value = stock_calls_value, .begin_launch = begin_launch};
const struct observer stock_bytes_observer = {.name = "stock bytes",
                                              .meter = "stock bytes",
                                              .value = stock_bytes_value,
                                              .detailed = true,
                                              .access = look};
