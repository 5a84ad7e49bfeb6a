/* races.h: detects races, two accesses, at least one of them a write, with no order between them. Internal.
 *
 * The order is never taken from the actual schedule, only from CUDA's guarantees: vector_clock.h covers the order
 * within a launch, timeline.h that between launches and copies. shadow.h has what is recorded for each word. Every
 * in-bounds access of a kernel is passed to races_see; the common case is inline. */
#ifndef SIMT_RACES_H
#define SIMT_RACES_H

#include "checks/races/shadow.h"
#include "checks/races/vector_clock.h"
#include "core/observer.h"

/* The race check's data of a resident block. */
struct race_block {
    uint64_t key;       /* time of its accesses: identity << 32 | epoch */
    struct cell *cells; /* cells of its shared memory, by offset: see shared_layout */
    size_t room;
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
};
extern struct race_now race_now;

/* State of the running launch. */
struct race_launch {
    uint32_t first, blocks; /* identities */
    uint32_t epoch;         /* all of its blocks had reached this epoch at the last grid barrier */
    bool fences;            /* its code has fences, which release and acquire */
    bool warps;             /* it uses warp operations */
    unsigned char *state;   /* [blocks] of enum race_block_state if there are fences */
};
enum race_block_state { BLOCK_RELEASED = 1, BLOCK_DONE = 2 };
extern struct race_launch race_launch;

void races_settle(void);

/* Any access to words or parts of words. `cell` is that of the first word; null for memory outside allocations. */
void races_slow(struct cell *cell, const struct access *access);

/* One whole word of a plain access. */
void races_word(struct cell *cell, char *address, const struct access *access);

/* The origin of an access: a thread of the launch, a whole copy or callback, or host code. */
struct race_actor {
    const struct thread *thread; /* null: not a thread of a kernel */
    bool host;                   /* host code: its accesses need not be recorded */
    bool shared;                 /* in shared memory: accesses of other blocks do not matter */
    uint64_t key, floor;
    uint32_t clock;
};
struct race_actor races_running(const struct access *access);

/* Checks and records any access; `cell` as in races_slow. */
void races_visit(const struct race_actor *actor, struct cell *cell, const struct access *access);

/* Between these two calls, host code runs as an operation of the stream. */
void races_begin_callback(void *stream, const void *site);
void races_end_callback(void);

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

/* The access is in bounds. `cell` is that of its first word; null for memory outside allocations. */
static inline __attribute__((always_inline)) void races_see(struct cell *cell, const struct access *access,
                                                            bool shared)
{
    if (race_now.state == RACES_UNSETTLED)
        races_settle();
    if (cell && (access->kind & ~(unsigned)ACCESS_WRITE) == 0 && access->bytes % WORD_BYTES == 0 &&
        access->bytes <= 4 * WORD_BYTES) {
        for (size_t i = 0; i < access->bytes / WORD_BYTES; i++) {
            if (!races_plain(&cell[i], access->kind & ACCESS_WRITE, shared,
                             (uint32_t)(uintptr_t)access->site))
                races_word(&cell[i], access->address + i * WORD_BYTES, access);
        }
    } else {
        races_slow(cell, access);
    }
}

#endif
