/* Meters of atomic operations: `atomics`, the number of read-modify-write operations, one for each lane; and
 * `atomics on one address`, the maximum number for one address, which a GPU performs one after another. Both count
 * from the begin of the run, so the operations of different launches on one address add up. */
#include "meters/address_counts.h"

static struct address_counts counts;
static uint64_t atomics, most;

static void begin_run(void)
{
    atomics = most = 0;
    address_counts_clear(&counts);
}

static void look(const struct access *access)
{
    if (!(access->kind & ACCESS_CHAINED))
        return;
    atomics++;
    const uint64_t count = ++*address_counts_at(&counts, access);
    if (count > most)
        most = count;
}

static uint64_t atomics_value(void)
{
    return atomics;
}

static uint64_t most_value(void)
{
    return most;
}

const struct observer atomics_observer = {.name = "atomics",
                                          .meter = "atomics",
                                          .value = atomics_value,
                                          .detailed = true,
                                          .begin_run = begin_run,
                                          .access = look};
const struct observer contention_observer = {
    .name = "contention", .meter = "atomics on one address", .value = most_value, .detailed = true};
