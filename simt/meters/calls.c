/* Meters of what a part asks of the runtime and of the stock functions:
 *
 *     allocations        allocations of device memory
 *     allocated bytes    the sum of their sizes
 *     host copies        copies between device and host memory, for which the host waits
 *     device copies      copies and fills within device memory
 *     stock calls        calls of the harness's stock functions, which do not count as launches
 *     stock bytes        bytes of device memory that stock functions read and write
 *
 * Only host code that runs by simt_call counts, so a harness can allocate and copy its own arrays. */
#include "core/budget.h"
#include "core/observer.h"

static uint64_t allocations, allocated_bytes, host_copies, device_copies, stock_calls, stock_bytes;

static void begin_run(void)
{
    allocations = allocated_bytes = host_copies = device_copies = stock_calls = stock_bytes = 0;
}

static void allocate(const struct region *region)
{
    allocations += host_in_call;
    allocated_bytes += host_in_call ? region->bytes : 0;
}

static void copy(const struct copy *copy)
{
    const bool within = memory_is_on_device(copy->to) && (!copy->from || memory_is_on_device(copy->from));
    host_copies += host_in_call && !within;
    device_copies += host_in_call && within;
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

static uint64_t allocated_bytes_value(void)
{
    return allocated_bytes;
}

static uint64_t host_copies_value(void)
{
    return host_copies;
}

static uint64_t device_copies_value(void)
{
    return device_copies;
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
const struct observer allocated_bytes_observer = {
    .name = "allocated bytes", .meter = "allocated bytes", .value = allocated_bytes_value};
const struct observer host_copies_observer = {
    .name = "host copies", .meter = "host copies", .value = host_copies_value, .copy = copy};
const struct observer device_copies_observer = {
    .name = "device copies", .meter = "device copies", .value = device_copies_value};
const struct observer stock_calls_observer = {
    .name = "stock calls", .meter = "stock calls", .value = stock_calls_value, .begin_launch = begin_launch};
const struct observer stock_bytes_observer = {.name = "stock bytes",
                                              .meter = "stock bytes",
                                              .value = stock_bytes_value,
                                              .detailed = true,
                                              .access = look};
