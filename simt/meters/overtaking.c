/* Meter `blocks overtaken`: the maximum number of blocks that started before another block and were still running
 * when it ended. Blocks that each wait for the result of the block before them end in order and overtake almost
 * none. */
#include "core/observer.h"

/* The running blocks, in the order in which they started. */
static const struct block *at_work[MAX_RESIDENT_BLOCKS];
static unsigned count;
static uint64_t most;

static void begin_run(void)
{
    most = 0;
}

/* A fault leaves blocks unfinished. */
static void begin_launch(const struct launch *launch)
{
    (void)launch;
    count = 0;
}

static void begin_block(const struct block *block)
{
    at_work[count++] = block;
}

static void end_block(const struct block *block)
{
    unsigned before = 0;
    while (at_work[before] != block)
        before++;
    most = before > most ? before : most;
    count--;
    for (unsigned i = before; i < count; i++)
        at_work[i] = at_work[i + 1];
}

static uint64_t value(void)
{
    return most;
}

const struct observer overtaking_observer = {.name = "overtaking",
                                             .meter = "blocks overtaken",
                                             .value = value,
                                             .detailed = true,
                                             .begin_run = begin_run,
                                             .begin_launch = begin_launch,
                                             .begin_block = begin_block,
                                             .end_block = end_block};
