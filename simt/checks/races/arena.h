/* arena.h: many small pieces of memory that are forgotten together. Internal. */
#ifndef SIMT_ARENA_H
#define SIMT_ARENA_H

#include <stddef.h>

enum { ARENA_SIZES = 16 };

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t used;                /* bytes of the newest */
    void *free[ARENA_SIZES];    /* pieces given back, by power of two */
};

/* bytes <= 32 KiB. Contents are junk. Never null: without memory the process ends. */
void *arena_get(struct arena *arena, size_t bytes);
void arena_free(struct arena *arena, void *piece, size_t bytes);

/* Gives back everything but one chunk. */
void arena_forget(struct arena *arena);

#endif
