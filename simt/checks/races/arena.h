/* arena.h: many small pieces of memory that are freed together. Internal. */
#ifndef SIMT_ARENA_H
#define SIMT_ARENA_H

#include <stddef.h>

enum { ARENA_SIZES = 16 };

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t used;                /* bytes used in the newest chunk */
    void *free[ARENA_SIZES];    /* freed pieces, by power of two */
};

/* bytes <= 32 KiB. The contents are junk. Never null, because the process ends when memory runs out. */
void *arena_get(struct arena *arena, size_t bytes);
void arena_free(struct arena *arena, void *piece, size_t bytes);

/* Frees everything except one chunk. */
void arena_forget(struct arena *arena);

#endif
