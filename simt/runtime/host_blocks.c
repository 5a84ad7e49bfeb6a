#include "runtime/host_blocks.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { FEWEST = 1 << 10, FEW = 1 << 16 };

/* A hash table by address, at most half full. */
static struct block {
    uintptr_t begin; /* 0: never used; REMOVED: no longer used */
    size_t bytes;
} * table;
static const uintptr_t REMOVED = 1;
static size_t places, used; /* places: a power of 2. used: includes removed entries */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void enter(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
}

static void leave(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

/* The entry for this address, or the empty one where the search for it ends. Requires places > 0. */
static struct block *place_of(uintptr_t begin)
{
    size_t i = (begin >> 4) * 0x9E3779B97F4A7C15u >> 20;
    while (table[i & (places - 1)].begin && table[i & (places - 1)].begin != begin)
        i++;
    return &table[i & (places - 1)];
}

/* Returns false when the host has no memory left. */
static bool make_room(void)
{
    struct block *const old = table;
    const size_t old_places = places;
    size_t kept = 0;
    if (2 * used < places)
        return true;
    for (size_t i = 0; i < old_places; i++)
        kept += old[i].begin > REMOVED;
    const size_t wanted = 4 * kept < FEWEST ? FEWEST : 4 * kept < places ? places : 2 * places;
    struct block *bigger = calloc(wanted, sizeof *bigger);
    if (!bigger)
        return false;
    table = bigger;
    places = wanted;
    used = kept;
    for (size_t i = 0; i < old_places; i++) {
        if (old[i].begin > REMOVED)
            *place_of(old[i].begin) = old[i];
    }
    free(old);
    return true;
}

void host_blocks_add(void *begin, size_t bytes)
{
    enter();
    if (make_room()) {
        struct block *block = place_of((uintptr_t)begin);
        used += !block->begin;
        *block = (struct block){(uintptr_t)begin, bytes};
    }
    leave();
}

void host_blocks_remove(const void *begin)
{
    enter();
    struct block *block = places ? place_of((uintptr_t)begin) : NULL;
    if (block && block->begin)
        block->begin = REMOVED;
    leave();
}

bool host_blocks_find(const void *address, size_t *bytes_left)
{
    const uintptr_t at = (uintptr_t)address;
    enter();
    const struct block *block = places ? place_of(at) : NULL;
    bool found = block && block->begin;
    for (size_t i = 0; !found && places <= FEW && i < places; i++) {
        block = &table[i];
        found = block->begin > REMOVED && at - block->begin < block->bytes;
    }
    if (found)
        *bytes_left = block->bytes - (size_t)(at - block->begin);
    leave();
    return found;
}
