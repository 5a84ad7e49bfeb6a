/* Meters of a launch in lockstep: `blocks held` up (core/hold.h), which is one or none, and `blocks past the held one`,
 * which started after it and ended before it went on: they did not depend on the rest of its work. */
#include "core/observer.h"
#include "core/schedule.h"

#include <stdlib.h>

static uint64_t past, held;
static uint64_t *ended; /* the numbers of blocks that ended before one was held up */
static size_t count, room;

static void begin_run(void)
{
    past = held = 0;
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    count = 0;
}

static void end_block(const struct block *block)
{
    const struct held now = schedule_held();
    if (now.ever) {
        past += now.now && block->number > now.block;
        return;
    }
    if (count == room) {
        room = room ? 2 * room : 256;
        ended = realloc(ended, room * sizeof *ended);
        if (!ended)
            abort(); /* a meter must not lose counts */
    }
    ended[count++] = block->number;
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    const struct held one = schedule_held();
    held += one.ever;
    for (size_t i = 0; i < count; i++)
        past += one.ever && ended[i] > one.block;
}

static uint64_t past_value(void)
{
    return past;
}

static uint64_t held_value(void)
{
    return held;
}

const struct observer overtaking_observer = {.name = "overtaking",
                                             .meter = "blocks past the held one",
                                             .value = past_value,
                                             .detailed = true,
                                             .begin_run = begin_run,
                                             .begin_launch = begin_launch,
                                             .end_launch = end_launch,
                                             .end_block = end_block};
const struct observer held_observer = {
    .name = "held", .meter = "blocks held", .value = held_value, .detailed = true};
