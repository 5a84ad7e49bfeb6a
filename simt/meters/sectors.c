/* Sectors of global memory: see requests.h. */
#include "core/observer.h"
#include "meters/requests.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, FIRST_SLOTS = 256 /* a power of two */ };

/* ---- the cache of a block: a hash table, at most half full ----------------------------------------------------- */

enum { HELD_READ = 1, HELD_WRITTEN = 2 };

struct cache_slot {
    uint64_t sector;
    uint32_t generation; /* if different from the cache's, the slot is empty */
    uint32_t held;
};

void cache_empty(struct cache *cache)
{
    cache->used = 0;
    if (++cache->generation == 0) {
        memset(cache->slots, 0, cache->size * sizeof *cache->slots);
        cache->generation = 1;
    }
}

void cache_free(struct cache *cache)
{
    free(cache->slots);
    *cache = (struct cache){0};
}

static struct cache_slot *find(const struct cache *cache, uint64_t sector)
{
    size_t at = (sector * 0x9e3779b97f4a7c15u >> 32) & (cache->size - 1);
    while (cache->slots[at].generation == cache->generation && cache->slots[at].sector != sector)
        at = (at + 1) & (cache->size - 1);
    return &cache->slots[at];
}

static void make_room(struct cache *cache)
{
    struct cache old = *cache;
    if (2 * old.used < old.size)
        return;
    cache->size = old.size ? 2 * old.size : FIRST_SLOTS;
    cache->slots = calloc(cache->size, sizeof *cache->slots);
    if (!cache->slots)
        abort(); /* a meter must not lose counts */
    cache->generation = 1;
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].generation == old.generation) {
            struct cache_slot *slot = find(cache, old.slots[i].sector);
            *slot = old.slots[i];
            slot->generation = 1;
        }
    free(old.slots);
}

/* Adds the sector to the cache, as read or written according to `held`. Returns true if that is new. */
static bool add(struct cache *cache, uint64_t sector, uint32_t held)
{
    make_room(cache);
    struct cache_slot *slot = find(cache, sector);
    if (slot->generation != cache->generation) {
        *slot = (struct cache_slot){sector, cache->generation, held};
        cache->used++;
        return true;
    }
    if (slot->held & held)
        return false;
    slot->held |= held;
    return true;
}

/* ---- requests ------------------------------------------------------------------------------------------------ */

struct sectors sectors_count(const struct request *request, unsigned kind, struct cache *cache)
{
    uintptr_t seen[2 * WARP_SIZE]; /* an access of up to 16 bytes is in at most two sectors */
    unsigned count = 0, fresh = 0;
    for (uint32_t lanes = request->lanes; lanes; lanes &= lanes - 1) {
        const uintptr_t begin = request->address[__builtin_ctz(lanes)];
        const uintptr_t last = (begin + request->bytes - 1) / SECTOR;
        for (uintptr_t sector = begin / SECTOR; sector <= last; sector++) {
            unsigned i = count; /* newest first, because neighbouring lanes share sectors */
            while (i > 0 && seen[i - 1] != sector)
                i--;
            if (i == 0)
                seen[count++] = sector;
        }
    }
    for (unsigned i = 0; i < count; i++)
        fresh += kind & (ACCESS_VOLATILE | ACCESS_ATOMIC) ||
                 add(cache, seen[i], kind & ACCESS_WRITE ? HELD_WRITTEN : HELD_READ);
    const unsigned wanted = (unsigned)__builtin_popcount(request->lanes) * request->bytes;
    const unsigned least = (wanted + SECTOR - 1) / SECTOR;
    return (struct sectors){count, least < count ? least : count, fresh};
}
