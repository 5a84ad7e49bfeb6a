/* races.h: detects races, two accesses, at least one of them a write, with no order between them. Internal.
 *
 * The order is never taken from the actual schedule, only from CUDA's guarantees: vector_clock.h covers the order
 * within a launch, timeline.h that between launches and copies. shadow.h has what is recorded for each word. Every
 * in-bounds access of a kernel is passed to races_see; the common case is inline. */
#ifndef SIMT_RACES_H
#define SIMT_RACES_H

#include "checks/races/shadow.h"
#include "checks/races/stream.h"
#include "checks/races/vector_clock.h"
#include "core/observer.h"

/* The race check's data of a resident block. */
struct race_block {
    uint64_t key;       /* time of its accesses: identity << 32 | epoch */
    struct cell *cells; /* cells of its shared memory, by offset: see shared_layout */
    size_t room;
    bool skips;     /* its plain accesses are left out: see races_sample */
    bool must_join; /* a thread's vector clock has grown, so the next barrier must join them */
    struct race_block *next;
};

/* State of the running thread. */
struct race_now {
    enum {
        RACES_OFF,
        RACES_ON,
        RACES_UNSETTLED
    } state; /* unsettled: the last write must still be compared */
    uint64_t key;
    uint64_t floor;     /* all times below this are ordered before */
    struct cell *cells; /* cells of its block's shared memory */
    bool skips;         /* as in race_block */
};
extern struct race_now race_now;

/* State of the running launch. */
struct race_launch {
    uint32_t first, blocks; /* identities */
    uint32_t epoch;         /* all of its blocks had reached this epoch at the last grid barrier */
    bool fences;            /* its code has fences, which release and acquire */
    bool warps;             /* it uses warp operations */
    bool sampled;           /* some of its blocks are left out */
    unsigned char *state;   /* [blocks] of enum race_block_state if there are fences */
};
enum race_block_state { BLOCK_RELEASED = 1, BLOCK_DONE = 2 };
extern struct race_launch race_launch;

void races_settle(void);

/* Any access to words or parts of words. */
void races_slow(const struct access *access);

/* One whole word of a plain access. */
void races_word(struct cell *cell, char *address, const struct access *access);

/* The link to the cell's message; null if it has none from this launch. */
uint32_t *races_message(struct cell *cell);

/* The cell of a word of an access. */
struct cell *races_cell(const struct access *access, const char *word);

/* The origin of an access: a thread of the launch, a whole copy or callback, or host code. */
struct race_actor {
    const struct thread *thread; /* null: not a thread of a kernel */
    bool host;                   /* host code: its accesses need not be recorded */
    bool shared;                 /* in shared memory: accesses of other blocks do not matter */
    uint64_t key, floor;
    uint32_t clock;
};
struct race_actor races_running(const struct access *access);

/* Checks and records any access. */
void races_visit(const struct race_actor *actor, const struct access *access);

/* Between these two calls, host code runs as an operation of the stream. */
void races_begin_callback(void *stream, const void *site);
void races_end_callback(void);

/* From now on, in a launch of more than SAMPLE_OF blocks the check looks at the plain accesses of some blocks only. It
 * sees all strong accesses, fences and barriers, because the order depends on them: so a race that it reports is one. */
enum { SAMPLE_OF = 64 };
void races_sample(void);

/* The blocks of all launches since then, and those that were looked at. */
struct races_sampled {
    uint64_t blocks, looked_at;
};
struct races_sampled races_sampled(void);

/* Is the time `key`, which is not the current one, ordered before now by a barrier or an earlier launch? In shared
 * memory it always is, because accesses of other blocks to the same cells do not matter. */
static inline bool races_past(uint64_t key, bool shared)
{
    return shared || key < race_now.floor || key >> 32 == race_now.key >> 32;
}

/* The same as races_plain for a cell with more than one record. */
bool race_cell_second(struct cell *cell, bool write, bool shared, uint32_t site);

/* The quick check for common reads and writes that are right. Returns false if the access needs a closer check. */
static inline __attribute__((always_inline)) bool races_plain(struct cell *cell, bool write, bool shared,
                                                              uint32_t site)
{
    struct record *record = &cell->record;
    const uint64_t key = race_now.key;
    const uint32_t clock = current_thread->clock;
    const uint32_t who = record_who(clock, RECORD_READ), lane = (uint32_t)1 << (clock >> CLOCK_BITS & 31);

    if (!write && record->key == key && record->who == who && (record->lanes & lane))
        return true;
    if (record->next)
        return race_cell_second(cell, write, shared, site);
    if (cell->key == key) {
        if ((cell->clock ^ clock) >> CLOCK_BITS)
            return false;
        if (!write && cell->clock == clock)
            return true; /* an access that races with the read also races with the write */
    } else if (!races_past(cell->key, shared)) {
        return false;
    }
    if (record->key == key) {
        if (write) {
            if ((record->who ^ who) >> CLOCK_BITS || record->lanes != lane)
                return false;
        } else {
            if (record->who != who || record->site != site)
                return false;
            record->lanes |= lane;
            return true;
        }
    } else if (!races_past(record->key, shared)) {
        return false;
    }
    if (write) {
        cell->key = key;
        cell->site = site;
        cell->clock = clock;
        record->key = 0;
    } else {
        record->key = key;
        record->site = site;
        record->lanes = lane;
        record->who = who;
    }
    return true;
}

/* The same for 1, 2 or 4 words from this offset of an allocation on, which has these lines. If it returns false, some of
 * the words may have been recorded; to do that again has no effect. */
static inline bool races_array(struct line *lines, size_t offset, unsigned words, bool write, uint32_t site)
{
    struct line *line = &lines[offset / LINE_BYTES];
    const unsigned word = offset % LINE_BYTES / WORD_BYTES;
    if (!line->cells) {
        if (stream_plain(line, word, words / 2, write, site))
            return true;
        shadow_open(line);
    }
    if (word + words > LINE_WORDS)
        return false;
    for (unsigned i = 0; i < words; i++)
        if (!races_plain(&line->cells[word + i], write, false, site))
            return false;
    return true;
}

#endif
