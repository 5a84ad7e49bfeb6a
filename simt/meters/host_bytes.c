/* Meters of data that moves between device and host: `host bytes` went from the device to the host, by a copy or
 * through memory that both can access; `output bytes from the host` were copied by the host into arrays that a
 * harness marked as outputs.
 *
 * A copy from device memory to host memory counts as a whole. Data that a kernel or a copy writes into memory that
 * both sides can access (managed, pinned, registered) counts when it is written, because the host can read it in
 * many ways afterwards.
 *
 * `bytes copied to the host` counts only copies between plain device and host memory. `host bytes` includes them. */
#include "core/memory.h"
#include "core/observer.h"
#include "core/registered.h"

static uint64_t to_host, to_outputs;

static void begin_run(void)
{
    to_host = to_outputs = 0;
}

/* The side that can access an address by plain reads and writes. */
enum reach { HOST_ONLY, DEVICE_ONLY, BOTH };

static enum reach reach_of(const void *address)
{
    struct region *region;
    size_t left;
    switch (memory_classify(address, &region)) {
    case MEMORY_MANAGED:
    case MEMORY_PINNED:
        return BOTH;
    case MEMORY_HOST:
        return registered_holds(address, &left) ? BOTH : HOST_ONLY;
    default:
        return DEVICE_ONLY;
    }
}

static void count(const struct access *access)
{
    if (access->space == MEMORY_MANAGED || access->space == MEMORY_PINNED)
        to_host += access->bytes;
}

static void look(const struct access *access)
{
    if (access->kind & ACCESS_WRITE && !(access->kind & ACCESS_SWAP)) /* `swap` reports those that write */
        count(access);
}

static void copy(const struct copy *copy)
{
    if (!copy->from)
        return;
    const enum reach from = reach_of(copy->from), to = reach_of(copy->to);
    if (from == DEVICE_ONLY && to != DEVICE_ONLY)
        to_host += copy->bytes;
    const struct region *region = memory_find(copy->to);
    if (region && region->is_output && from != DEVICE_ONLY)
        to_outputs += copy->bytes;
}

static uint64_t host_value(void)
{
    return to_host;
}

static uint64_t outputs_value(void)
{
    return to_outputs;
}

const struct observer host_bytes_observer = {.name = "host bytes",
                                             .meter = "host bytes",
                                             .value = host_value,
                                             .detailed = true,
                                             .of_sharing = true,
                                             .begin_run = begin_run,
                                             .access = look,
                                             .swap = count,
                                             .copy = copy};
/* Only copies between plain memories. Counting them costs nothing, so they are counted in every call. */
static uint64_t copied;

static void begin_copies(void)
{
    copied = 0;
}

static void count_copy(const struct copy *copy)
{
    if (copy->from && reach_of(copy->from) == DEVICE_ONLY && reach_of(copy->to) == HOST_ONLY)
        copied += copy->bytes;
}

static uint64_t copied_value(void)
{
    return copied;
}

const struct observer copied_bytes_observer = {.name = "copied bytes",
                                               .meter = "bytes copied to the host",
                                               .value = copied_value,
                                               .begin_run = begin_copies,
                                               .copy = count_copy};
const struct observer output_bytes_observer = {.name = "output bytes",
                                               .meter = "output bytes from the host",
                                               .value = outputs_value,
                                               .detailed = true,
                                               .of_sharing = true};
