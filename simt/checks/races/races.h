/* races.h: two accesses, at least one of them a write, with no order between them. Internal.
 *
 * Order never comes from the schedule that happened, only from what CUDA promises: vector_clock.h has it within a
 * launch, timeline.h between launches and copies. What each word remembers is in shadow.h. Every access of a kernel that
 * is in bounds comes to races_see; the common case is inline. */
#ifndef SIMT_RACES_H
#define SIMT_RACES_H

#include "checks/races/shadow.h"
#include "checks/races/vector_clock.h"
#include "core/observer.h"

/* What the check keeps of a resident block. */
struct race_block {
    uint64_t key;       /* the time of its accesses: identity << 32 | epoch */
    struct cell *cells; /* of its shared memory, by offset: see shared_layout */
    size_t room;
    bool must_join; /* some thread's vector clock has grown: the next barrier joins them */
    struct race_block *next;
};

/* Of the thread that runs now. */
struct race_now {
    enum {
        RACES_OFF,
        RACES_ON,
        RACES_UNSETTLED
    } state; /* unsettled: the last write is still to be compared */
    uint64_t key;
    uint64_t floor;     /* all times below are ordered before */
    struct cell *cells; /* of its block's shared memory */
};
extern struct race_now race_now;

/* Of the running launch. */
struct race_launch {
    uint32_t first, blocks; /* identities */
    uint32_t epoch;         /* its blocks were at least here at its last grid barrier */
    bool fences;            /* its code has fences: they release and acquire */
    bool warps;             /* it uses warp operations */
    unsigned char *state;   /* [blocks], with fences: enum race_block_state */
};
enum race_block_state { BLOCK_RELEASED = 1, BLOCK_DONE = 2 };
extern struct race_launch race_launch;

void races_settle(void);

/* Any access to whole or part words; cell: of the first word, null for memory outside of allocations. */
void races_slow(struct cell *cell, const struct access *access);

/* One whole word of a plain access. */
void races_word(struct cell *cell, char *address, const struct access *access);

/* Who accesses: a thread of the launch, a whole copy or callback, or host code. */
struct race_actor {
    const struct thread *thread; /* null: no thread of a kernel */
    bool host;                   /* host code: its accesses need not be remembered */
    bool shared;                 /* its block's shared memory: what others did to the same cells is gone */
    uint64_t key, floor;
    uint32_t clock;
};
struct race_actor races_running(const struct access *access);

/* Checks and remembers any access; cell as in races_slow. */
void races_visit(const struct race_actor *actor, struct cell *cell, const struct access *access);

/* Between the two, host code runs as an operation of the stream. */
void races_begin_callback(void *stream, const void *site);
void races_end_callback(void);

/* Is a time of another key before that of now, by a barrier or an earlier launch? In shared memory it always is:
 * what other blocks did to the same cells is gone with them. */
static inline bool races_past(uint64_t key, bool shared)
{
    return shared || key < race_now.floor || key >> 32 == race_now.key >> 32;
}

/* Reads and writes that nothing speaks against, most of all; false: look closer. */
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
        return false;
    if (cell->key == key) {
        if ((cell->clock ^ clock) >> CLOCK_BITS)
            return false;
        if (!write && cell->clock == clock)
            return true; /* who races with the read races with the write */
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

/* The access is in bounds; cell: of its first word, null for memory outside of allocations. */
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
