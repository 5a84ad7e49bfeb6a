/* explore_run.h: the state of an explored launch: its events, its threads, and the choices so far. Internal to the files explore*.c. */
#ifndef SIMT_EXPLORE_RUN_H
#define SIMT_EXPLORE_RUN_H

#include "core/explore_places.h"
#include "simt.h"

#include <string.h>

enum {
    MOST_EVENTS = 512, /* of a launch */
    SET_WORDS = MOST_EVENTS / 64,
    LAST_READS = 8,  /* that a thread remembers */
    MOST_ROUNDS = 64 /* in which a thread repeats its reads when nothing is left to choose */
};

/* A set of events. */
struct set {
    uint64_t word[SET_WORDS];
};

/* A strong access that has been executed. */
struct event {
    const struct thread *thread;
    const struct block *block;
    struct place *place;
    unsigned from;      /* number of the write that it has read */
    bool reads, writes; /* a read-modify-write that has changed nothing only reads */
    bool first;         /* the first event of a block, while blocks count as equal */
    unsigned choice;    /* the choice that it belongs to; NO_CHOICE: none */
    struct instant when;
    struct set before; /* the events on which it depends, without the write that it reads from */
    struct set all;    /* the same with that write */
};

/* What a thread does at its next event, and what it has done. */
struct actor {
    struct access wanted; /* the event for which it waits */
    struct place *place;
    bool waits;
    bool stopped;    /* it repeats its reads, and waits for the end of the choices */
    bool probes;     /* its last read only tests whether it waits for another value */
    bool clean;      /* it has done nothing since its last read */
    uint64_t failed; /* writes that its next read does not take, because its thread would read again */
    uint64_t seen;   /* writes that it does not take, because it comes later than others */
    unsigned number; /* chosen: the write to read from */
    unsigned rank;   /* chosen: the rank of its own write */
    unsigned choice;
    unsigned events, rounds;
    struct last_read {
        const void *site;
        const struct place *place;
        unsigned number;
    } last[LAST_READS]; /* reads since its last write, the latest first */
    struct set before;
};

#define NO_CHOICE UINT32_MAX

extern struct explored_run {
    struct simt_explore wanted;
    struct simt_explored done;
    bool loose; /* nothing is left to choose: the launch runs to its end */
    struct event event[MOST_EVENTS];
    unsigned events;
    struct actor *actor; /* [threads of the launch], in the order of blocks */
    const struct event *first_of[MAX_RESIDENT_BLOCKS];
    unsigned events_of[MAX_RESIDENT_BLOCKS]; /* blocks */
    struct event *event_of[SIMT_CHOICES];    /* of each choice; null: not yet, or the read is postponed */
} exploring;

static inline void set_add(struct set *set, unsigned event)
{
    set->word[event / 64] |= (uint64_t)1 << event % 64;
}

static inline bool set_has(const struct set *set, unsigned event)
{
    return set->word[event / 64] >> event % 64 & 1;
}

static inline void set_join(struct set *set, const struct set *more)
{
    for (unsigned i = 0; i < SET_WORDS; i++)
        set->word[i] |= more->word[i];
}

static inline struct actor *actor_of(const struct thread *thread)
{
    return &exploring.actor[thread->block->number * current_launch->block_threads + thread->number];
}

static inline bool explore_reads(const struct access *access)
{
    return !(access->kind & ACCESS_WRITE) || (access->kind & ACCESS_CHAINED);
}

/* The run is not explored. */
void explore_give_up(enum simt_unexplored why);

/* The rest of the run follows from choices that were made before, and says nothing. */
void explore_end_choices(enum simt_explored_end end);

/* Finishes the access that is being executed. */
void explore_settle(void);

/* ---- what earlier runs have shown (explore_known.c) --------------------------------------------------------------- */

/* For an access on a line that reads a value: threads have waited there for another one; or it has changed the value. This decides
 * what is tried first, so that fewer runs are of no use. */
struct known {
    const void *site;
    char value[MOST_BYTES];
    bool waited, changed;
};
struct known *known_of(const void *site, const char *value);

/* Lines whose read-modify-writes have left a value as it was. */
bool known_keeps(const void *site);
void known_note_keeper(const void *site);

#endif
