#include "checks/races/arena.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 256 * 1024, SMALLEST_BITS = 4 };

struct arena_chunk {
    struct arena_chunk *next;
    char bytes[CHUNK_BYTES] __attribute__((aligned(16)));
};

static unsigned size_class(size_t bytes)
{
    unsigned bits = SMALLEST_BITS;
    while (((size_t)1 << bits) < bytes)
        bits++;
    return bits - SMALLEST_BITS;
}

void *arena_get(struct arena *arena, size_t bytes)
{
    const unsigned class = size_class(bytes);
    const size_t size = (size_t)1 << (class + SMALLEST_BITS);
    void *piece = arena->free[class];
    if (piece) {
        memcpy(&arena->free[class], piece, sizeof piece);
        return piece;
    }
    if (!arena->chunks || arena->used + size > CHUNK_BYTES) {
        struct arena_chunk *chunk = malloc(sizeof *chunk);
        if (!chunk)
            abort();
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->used = 0;
    }
    piece = arena->chunks->bytes + arena->used;
    arena->used += size;
    return piece;
}

void arena_free(struct arena *arena, void *piece, size_t bytes)
{
    const unsigned class = size_class(bytes);
    memcpy(piece, &arena->free[class], sizeof piece);
    arena->free[class] = piece;
}

void arena_forget(struct arena *arena)
{
    while (arena->chunks && arena->chunks->next) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    arena->used = 0;
    memset(arena->free, 0, sizeof arena->free);
}
