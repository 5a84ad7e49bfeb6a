#include "places.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 /* a power of two */ };

/* A hash table with open addressing, at most half full. */
struct places_slot {
    uint64_t address;
    uint64_t owner; /* of shared memory: launch and block; 0 for all other memory */
    uint64_t number;
    bool taken;
};

static struct places_slot *find(const struct places *places, uint64_t address, uint64_t owner)
{
    size_t at = ((address ^ owner << 20) * 0x9e3779b97f4a7c15u >> 32) & (places->size - 1);
    while (places->slots[at].taken &&
           (places->slots[at].address != address || places->slots[at].owner != owner))
        at = (at + 1) & (places->size - 1);
    return &places->slots[at];
}

static void make_room(struct places *places)
{
    struct places old = *places;
    if (2 * old.used < old.size)
        return;
    places->size = old.size ? 2 * old.size : FIRST_SLOTS;
    places->slots = calloc(places->size, sizeof *places->slots);
    if (!places->slots)
        abort(); /* a meter that loses counts would be a wrong one */
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].taken)
            *find(places, old.slots[i].address, old.slots[i].owner) = old.slots[i];
    free(old.slots);
}

uint64_t *places_at(struct places *places, const struct access *access)
{
    const uint64_t address = (uintptr_t)access->address;
    uint64_t owner = 0;
    if (access->space == MEMORY_SHARED)
        owner = current_launch->number << 40 ^ (current_block->number + 1);
    make_room(places);
    struct places_slot *slot = find(places, address, owner);
    if (!slot->taken) {
        *slot = (struct places_slot){address, owner, 0, true};
        places->used++;
    }
    return &slot->number;
}

void places_clear(struct places *places)
{
    places->used = 0;
    if (places->slots)
        memset(places->slots, 0, places->size * sizeof *places->slots);
}
