#include "checks/races/race_flags.h"
#include "checks/races/race_kinds.h"
#include "checks/races/vector_clock.h"

/* For messages: for each block, the last strong write that another thread has read without an order that all
 * threads can use. If the same instruction has read it, as each block does with a ticket or a counter, it is kept
 * separately, because it is a flag only for data written before it. Blocks that share a slot overwrite each other. */
enum { SEEN = 256 };
static struct {
    uint32_t identity;
    struct race_flag flag, counter;
} seen[SEEN];

void flags_note(const struct record *record, uint32_t reader_identity, uint32_t reader, enum race_fence fence)
{
    const uint32_t identity = (uint32_t)(record->key >> 32);
    const size_t slot = identity % SEEN;
    if (seen[slot].identity != identity) {
        seen[slot].identity = identity;
        seen[slot].flag = seen[slot].counter = (struct race_flag){0};
    }
    *(record->site == reader ? &seen[slot].counter : &seen[slot].flag) =
        (struct race_flag){.key = record->key,
                           .clock = record_clock(record, (unsigned)__builtin_ctz(record->lanes)),
                           .site = record->site,
                           .fence = fence,
                           .reader_identity = reader_identity,
                           .reader_site = reader};
}

/* Was the flag set before this write? If `is_now`, it was. Otherwise clocks decide; when they are equal, code order
 * does. */
static bool is_earlier(const struct race_flag *flag, const struct race_side *write, bool is_now)
{
    if (is_now)
        return true;
    if (flag->key != write->key)
        return flag->key < write->key;
    if (clock_thread(flag->clock) != clock_thread(write->clock))
        return false;
    return flag->clock != write->clock ? flag->clock < write->clock : flag->site < write->site;
}

struct race_flag flags_of(const struct race_side *write, bool is_now)
{
    const uint32_t identity = (uint32_t)(write->key >> 32);
    const size_t slot = identity % SEEN;
    if (!is_write(write->kind) || seen[slot].identity != identity)
        return (struct race_flag){0};
    struct race_flag flag = seen[slot].flag;
    if (!flag.site && seen[slot].counter.site && !is_earlier(&seen[slot].counter, write, is_now))
        return seen[slot].counter;
    if (flag.fence == FLAG_FOR_BLOCK &&
        flag.reader_identity == identity) /* a fence for the block is enough within it */
        flag.fence = FLAG_FENCED;
    if (flag.site && is_earlier(&flag, write, is_now))
        flag.fence = FLAG_TOO_EARLY;
    else if (flag.fence == FLAG_FENCED && clock_thread(flag.clock) == clock_thread(write->clock))
        flag.fence = FLAG_UNFENCED; /* that was the fence of an earlier write */
    return flag;
}
