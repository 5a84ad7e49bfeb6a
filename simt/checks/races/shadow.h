/* shadow.h: the accesses that the race check records for each word of memory. Internal.
 *
 * A cell of 40 bytes represents 4 bytes of memory: the last plain write, and one record of the accesses since then.
 * A record represents lanes of one warp that did the same on one line in one epoch. Further records of 24 bytes are
 * linked in a pool: reads by other warps or blocks, strong accesses, and the message that a strong write left.
 * Words that are accessed in parts are split into one cell for each byte. */
#ifndef SIMT_SHADOW_H
#define SIMT_SHADOW_H

#include "core/memory.h"

enum record_kind {
    RECORD_READ, /* plain */
    RECORD_STRONG_READ,
    RECORD_STRONG_WRITE,  /* including read-modify-writes */
    RECORD_VOLATILE_READ, /* also strong */
    RECORD_VOLATILE_WRITE,
    RECORD_BLOCK_READ, /* strong, but only for the threads of one block */
    RECORD_BLOCK_WRITE,
    RECORD_MESSAGE, /* key: the message; site: its launch */
    RECORD_UPDATE,  /* the last read-modify-write; no lanes if a strong write has broken the chain */
    RECORD_SPLIT    /* key: four cells, one for each byte */
};

/* A time consists of an identity (see timeline.h) and an epoch, the number of barriers that the block has passed. 0
 * means never. A site is the low half of a code address. */
struct record {
    uint64_t key;   /* identity << 32 | epoch */
    uint32_t site;  /* code address */
    uint32_t lanes; /* of the warp */
    uint32_t who;   /* wide << 31 | kind << 27 | warp << 22 | count of synchronisations: see vector_clock.h */
    uint32_t next;  /* index in the pool; 0: none */
};

struct cell {
    uint64_t key; /* time of the last plain write */
    uint32_t site;
    uint32_t clock;       /* thread and clock count of that write */
    struct record record; /* of kind RECORD_READ; none if its key is 0. record.next has others of any kind */
};

enum { WORD_BYTES = 4, KIND_SHIFT = 27, KIND_MASK = 15 };

/* A bit of `who`: an atomic access of more than a word. */
#define RECORD_IS_WIDE ((uint32_t)1 << 31)

static inline enum record_kind record_kind(const struct record *record)
{
    return (enum record_kind)(record->who >> KIND_SHIFT & KIND_MASK);
}

/* The warp and count of a thread's clock in the layout of `who`. */
static inline uint32_t record_who(uint32_t clock, enum record_kind kind)
{
    return (uint32_t)kind << KIND_SHIFT | clock >> 27 << 22 | (clock & 0x3fffff);
}

/* The clock of one of the record's lanes. */
static inline uint32_t record_clock(const struct record *record, unsigned lane)
{
    return (record->who >> 22 & 31) << 27 | lane << 22 | (record->who & 0x3fffff);
}

/* ---- the pool ----------------------------------------------------------------------------------------------- */

enum { CHUNK_BITS = 12, CHUNK_RECORDS = 1 << CHUNK_BITS, CHUNKS = 1 << (32 - CHUNK_BITS) };
extern struct record *shadow_chunks[CHUNKS];

/* A record of the pool; index > 0. It does not move until it is freed. */
static inline struct record *shadow_record(uint32_t index)
{
    return &shadow_chunks[index >> CHUNK_BITS][index & (CHUNK_RECORDS - 1)];
}
uint32_t shadow_new_record(void);

/* Frees the record to which *link leads, and makes *link lead to the next one. */
void shadow_unlink(uint32_t *link);

/* The four cells of a split word; null if it is whole. */
struct cell *shadow_parts(const struct cell *cell);
void shadow_split(struct cell *cell);

/* Frees everything that is linked to the cell, and makes it whole. */
void shadow_clear(struct cell *cell);

/* ---- allocations ---------------------------------------------------------------------------------------------- */

enum { LINE_WORDS = 32, LINE_BYTES = LINE_WORDS * WORD_BYTES };

/* Words of a line that the threads of one block accessed one after another, each its own, at one time and site. */
struct stream {
    uint64_t key;
    uint32_t site;
    uint32_t clock; /* as if word 0 were among them; a thread later for each 1 << step words */
    uint32_t words; /* a bit for each; 0: there is no stream */
    uint32_t step;  /* each thread accessed 1 << step words */
};

/* Most arrays are accessed in this manner only. So a line has cells only when its words need them: a tenth of the
 * memory, and of the time to clear it. */
struct line {
    struct cell *cells;              /* [LINE_WORDS]; null: the streams say it all */
    struct stream wrote[2], read[2]; /* the later one first; it counts where both have a word */
};

/* The lines of an allocation, in order. The first call makes them; shadow_drop frees them. Null when memory runs
 * out. */
struct line *shadow_of_region(struct region *region);
void shadow_drop(struct region *region);

/* Gives the line cells. */
void shadow_open(struct line *line);

/* The cell of the word at this offset of an allocation. */
struct cell *shadow_cell(struct region *region, size_t offset);

/* ---- cells ---------------------------------------------------------------------------------------------------- */

/* The cell of a word outside allocations: __device__ and __managed__ variables, registered host memory. */
struct cell *shadow_of_word(const void *address);

/* Cells for a resident block's shared memory, at least `words` of them. *room is their current number. */
struct cell *shadow_of_shared(struct cell *cells, size_t *room, size_t words);

/* Clears all cells of allocations and variables. */
void shadow_forget(void);

#endif
