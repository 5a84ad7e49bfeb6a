#include "core/schedule_order.h"
#include "core/thread.h"
#include "simt.h"

#include <stdlib.h>
#include <string.h>

/* In random order, one of this many yields lets another block run. */
enum { YIELDS_TO_INTERRUPT = 4 };

static struct simt_schedule schedule = {SIMT_FORWARD, 1, 16, 0};
static bool environment_read;

static unsigned clamp_resident(unsigned long blocks)
{
    return blocks < 1 ? 1 : blocks > MAX_RESIDENT_BLOCKS ? MAX_RESIDENT_BLOCKS : (unsigned)blocks;
}

static void read_environment(void)
{
    environment_read = true;
    const char *order = getenv("SIMT_ORDER"), *seed = getenv("SIMT_SEED");
    const char *resident = getenv("SIMT_RESIDENT"), *work = getenv("SIMT_WORK");
    if (order && strcmp(order, "reverse") == 0)
        schedule.order = SIMT_REVERSE;
    else if (order && strcmp(order, "random") == 0)
        schedule.order = SIMT_RANDOM;
    else if (order && strcmp(order, "lockstep") == 0)
        schedule.order = SIMT_LOCKSTEP;
    if (seed)
        schedule.seed = strtoull(seed, NULL, 0);
    if (resident)
        schedule.resident_blocks = clamp_resident(strtoul(resident, NULL, 0));
    if (work)
        schedule.work = strtoull(work, NULL, 0);
}

void simt_set_schedule(const struct simt_schedule *wanted)
{
    environment_read = true;
    schedule = *wanted;
    schedule.resident_blocks = clamp_resident(wanted->resident_blocks);
}

struct simt_schedule simt_get_schedule(void)
{
    if (!environment_read)
        read_environment();
    return schedule;
}

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a mixing function that is good enough for shuffling. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A Feistel network permutes the numbers below 4^k, the smallest such power >= `blocks`. Following the cycle until
 * the value is below `blocks` restricts the permutation to these (Black and Rogaway, CT-RSA 2002). */
static uint64_t permute(uint64_t value, uint64_t blocks)
{
    unsigned half = 1;
    while (half < 32 && ((uint64_t)1 << (2 * half)) < blocks)
        half++;
    const uint64_t low = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = value >> half, right = value & low;
        for (unsigned round = 0; round < 4; round++) {
            uint64_t next = left ^ (mix(schedule.seed * 4 + round + (right << 8)) & low);
            left = right;
            right = next;
        }
        value = left << half | right;
    } while (value >= blocks);
    return value;
}

uint64_t order_of_block(uint64_t i, uint64_t blocks)
{
    switch (simt_get_schedule().order) {
    case SIMT_REVERSE:
        return blocks - 1 - i;
    case SIMT_RANDOM:
        return permute(i, blocks);
    default:
        return i;
    }
}

bool order_interrupts(uint64_t yield)
{
    return order_in_step() ||
           (schedule.order == SIMT_RANDOM && mix(schedule.seed ^ mix(yield)) % YIELDS_TO_INTERRUPT == 0);
}

bool order_in_step(void)
{
    return schedule.order == SIMT_LOCKSTEP && current_launch->blocks_done == 0;
}

bool order_last_first(void)
{
    return schedule.order == SIMT_LOCKSTEP && current_launch->blocks_done > 0;
}

const unsigned *order_of_threads(unsigned threads, uint64_t block)
{
    static unsigned order[MAX_THREADS_PER_BLOCK], made_for; /* number of threads; 0 if `order` is shuffled */
    static enum simt_order made;
    enum simt_order kind = simt_get_schedule().order;
    if (made_for == threads && made == kind)
        return order;
    for (unsigned i = 0; i < threads; i++)
        order[i] = kind == SIMT_REVERSE ? threads - 1 - i : i;
    for (unsigned i = threads - 1; kind == SIMT_RANDOM && i > 0; i--) {
        unsigned k = (unsigned)(mix(schedule.seed ^ mix(block * 1024 + i)) % (i + 1));
        unsigned moved = order[i];
        order[i] = order[k];
        order[k] = moved;
    }
    made = kind;
    made_for = kind == SIMT_RANDOM ? 0 : threads;
    return order;
}
