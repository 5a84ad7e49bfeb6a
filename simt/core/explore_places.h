/* explore_places.h: the places in memory that threads use to communicate, with all writes to each of them. Internal to explore.c. */
#ifndef SIMT_EXPLORE_PLACES_H
#define SIMT_EXPLORE_PLACES_H

#include "core/judge.h"

enum {
    MOST_PLACES = 128,
    MOST_WRITES = 60, /* to a place, with its contents before the kernel */
    MOST_BYTES = 16   /* of a place */
};

/* A write to a place, by its number: 0 stands for the contents before the kernel. */
struct write {
    char value[MOST_BYTES];
    struct instant when;  /* unused for 0 */
    unsigned event;       /* the same */
    bool taken;           /* a read-modify-write has read it, so its own write follows at once */
    struct released held; /* what a read of it acquires */
};

struct place {
    struct access access;      /* the first one: address, bytes and memory */
    const struct block *owner; /* of shared memory; else null */
    unsigned writes;
    struct write write[MOST_WRITES];
    unsigned char order[MOST_WRITES]; /* their numbers, in coherence order */
};

void places_begin_launch(void);
void places_end_launch(void);

/* The place of an access. Null if it overlaps another place, or there are too many; then *why says which. */
struct place *place_of(const struct access *access, enum simt_unexplored *why);

/* Does an access touch a place that has been written? */
bool places_overlap(const struct access *access);

/* The index of a write in the coherence order. */
unsigned place_rank(const struct place *place, unsigned number);

/* Makes memory hold this write, for one access. */
void place_show(const struct place *place, unsigned number);

/* Makes memory hold the last write again. */
void place_restore(const struct place *place);

/* Adds the write that memory holds now at this rank. Returns its number; 0 if there are too many. */
unsigned place_add(struct place *place, unsigned rank);

/* The newest in coherence order of these writes (bits by number); at least one. */
unsigned place_newest(const struct place *place, uint64_t numbers);

#endif
