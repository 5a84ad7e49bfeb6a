/* Meters of a launch in lockstep: `blocks held` up (core/hold.h), which is one or none, and `blocks past the held one`,
 * which started after it and did not need the rest of its work: while it was held up, they ended, or they read what
 * another block had published and then wrote results. A result counts only if it is final: its element is not written
 * again, and no other block writes it. So a block that stores a made-up value and replaces it later is not counted. */
#include "core/hold.h"
#include "core/observer.h"
#include "core/schedule.h"
#include "meters/address_counts.h"

#include <stdlib.h>
#include <string.h>

struct state {
    bool looked;      /* has read a published word while a block was held up */
    bool ended;       /* while a block was held up, or before */
    uint32_t results; /* words that it wrote after that look and that have not been written again */
};

/* The last write of each word of an output: the number of its block plus 1, above a bit that says whether it is one of
 * the block's results. 0 if there was none, and SEVERAL if different blocks have written the word. */
enum { RESULT = 1, SEVERAL = 2, FIRST = 4 /* the number of block 0 */, WORD = 4 /* bytes */ };
static struct address_counts writers;

static uint64_t past, held;
static struct state *states; /* of the blocks of the launch, by number */
static size_t room;

static void begin_run(void)
{
    past = held = 0;
}

static void begin_launch(const struct launch *launch)
{
    (void)launch;
    if (states)
        memset(states, 0, room * sizeof *states);
    address_counts_clear(&writers);
}

static struct state *state_of(uint64_t number)
{
    if (number >= room) {
        const size_t more = 2 * (size_t)number + 256;
        states = realloc(states, more * sizeof *states);
        if (!states)
            abort(); /* a meter must not lose counts */
        memset(states + room, 0, (more - room) * sizeof *states);
        room = more;
    }
    return &states[number];
}

static void end_block(const struct block *block)
{
    const struct held one = schedule_held();
    if (!one.ever || one.now)
        state_of(block->number)->ended = true;
}

static void write_word(const struct access *word, bool is_result)
{
    uint64_t *writer = address_counts_at(&writers, word);
    const uint64_t own = FIRST + 2 * (uint64_t)current_block->number;
    if (*writer >= FIRST && (*writer & RESULT))
        state_of((*writer - FIRST) / 2)->results--;
    if (*writer != 0 && (*writer & ~(uint64_t)RESULT) != own) {
        *writer = SEVERAL;
        return;
    }
    *writer = own | (is_result ? RESULT : 0);
    state_of(current_block->number)->results += is_result;
}

static void on_access(const struct access *access)
{
    const struct held one = schedule_held();
    const bool writes = access->kind & ACCESS_WRITE;
    if (!hold_watches || access->space == MEMORY_SHARED || access->space == MEMORY_LOCAL)
        return;
    if (access->kind & (ACCESS_VOLATILE | ACCESS_ATOMIC)) {
        if (one.now && (!writes || (access->kind & ACCESS_CHAINED)) &&
            hold_is_published(access, current_block))
            state_of(current_block->number)->looked = true;
    } else if (writes && access->region && access->region->is_output) {
        struct access word = *access;
        for (size_t at = 0; at < access->bytes; at += WORD) {
            word.address = access->address + at;
            write_word(&word, one.now && state_of(current_block->number)->looked);
        }
    }
}

static void end_launch(const struct launch *launch, bool faulted)
{
    (void)launch, (void)faulted;
    const struct held one = schedule_held();
    held += one.ever;
    for (uint64_t number = one.block + 1; one.ever && number < room; number++)
        past += states[number].ended || states[number].results > 0;
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
