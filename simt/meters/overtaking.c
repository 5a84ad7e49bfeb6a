/* Meters of a launch in lockstep: `blocks held` up (core/hold.h), which is one or none, and `blocks past the held one`,
 * which started after it and did not need the rest of its work: while it was held up, they ended, or they read what
 * another block had published and then wrote results. */
#include "core/hold.h"
#include "core/observer.h"
#include "core/schedule.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOKED = 1, /* read a published word while a block was held up */
    PAST = 2
};

static uint64_t past, held;
static unsigned char *states; /* of the blocks of the launch, by number */
static size_t room;

static void begin_run(void)
{
    past = held = 0;
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    if (states)
        memset(states, 0, room);
}

static unsigned char *state_of(const struct block *block)
{
    if (block->number >= room) {
        const size_t more = 2 * (size_t)block->number + 256;
        states = realloc(states, more);
        if (!states)
            abort(); /* a meter must not lose counts */
        memset(states + room, 0, more - room);
        room = more;
    }
    return &states[block->number];
}

static void end_block(const struct block *block)
{
    const struct held one = schedule_held();
    if (!one.ever || one.now)
        *state_of(block) |= PAST;
}

static void on_access(const struct access *access)
{
    const struct held one = schedule_held();
    if (!one.now || access->space == MEMORY_SHARED || access->space == MEMORY_LOCAL)
        return;
    unsigned char *state = state_of(current_block);
    if (!(access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)))
        *state |= (access->kind & ACCESS_WRITE) && (*state & LOOKED) ? PAST : 0;
    else if (!(access->kind & ACCESS_WRITE) || (access->kind & ACCESS_CHAINED))
        *state |= hold_is_published(access, current_block) ? LOOKED : 0;
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    const struct held one = schedule_held();
    held += one.ever;
    for (uint64_t number = one.block + 1; one.ever && number < room; number++)
        past += (states[number] & PAST) != 0;
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
                                             .end_block = end_block,
                                             .access = on_access};
const struct observer held_observer = {
    .name = "held", .meter = "blocks held", .value = held_value, .detailed = true};
