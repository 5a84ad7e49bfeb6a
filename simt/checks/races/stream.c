/* Arrays whose words the threads of a block access one after another: see struct line in shadow.h. */
#include "checks/races/stream.h"
#include "checks/races/races.h"

/* Was the last access to these words, by the stream, by the running thread? *same: with no synchronisation since. */
static inline bool is_own(const struct stream *stream, unsigned word, unsigned step, uint32_t clock,
                          bool *same)
{
    const uint32_t then = stream_clock(stream, word);
    *same = then == clock;
    return stream->step >= step && clock_thread(then) == clock_thread(clock);
}

bool stream_plain(struct line *line, unsigned word, unsigned step, bool write, uint32_t site)
{
    const uint32_t clock = current_thread->clock, all = UINT32_MAX;
    const uint32_t words = (((uint32_t)1 << (1 << step)) - 1) << word;
    const uint64_t key = race_now.key;
    bool mixed = (word & ((1u << step) - 1)) != 0, same = false;

    const struct stream *wrote = stream_of_all(line->wrote, words, &mixed);
    const struct stream *read = stream_of_all(line->read, words, &mixed);
    if (mixed)
        return false;
    if (wrote && wrote->key == key) {
        if (!is_own(wrote, word, step, clock, &same))
            return false;
        if (!write && same)
            return true; /* see races_plain */
    } else if (wrote && !races_past(wrote->key, false)) {
        return false;
    }
    if (read && read->key == key) {
        if (!is_own(read, word, step, clock, &same))
            return false;
        if (!write)
            return same;
    } else if (read && !races_past(read->key, false)) {
        return false;
    }

    struct stream *of = write ? line->wrote : line->read;
    struct stream now = {key, site, clock - (word >> step << CLOCK_BITS), words, step};
    if (of->key == key && of->site == site && of->clock == now.clock && of->step == step)
        now.words |= of->words;
    else if (of->words == all)
        of[1] = of[0];
    else if (of->words & ~words)
        return false;
    of[0] = now;
    if (write) {
        line->read[0].words &= ~words;
        line->read[1].words &= ~words;
    }
    return true;
}
