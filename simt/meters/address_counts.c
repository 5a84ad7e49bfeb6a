#include "meters/address_counts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 /* a power of two */ };

/* A hash table with open addressing, at most half full. */
struct address_slot {
    uint64_t address;
    uint64_t owner; /* for shared memory: launch and block; otherwise 0 */
    uint64_t number;
    bool taken;
};

static struct address_slot *find(const struct address_counts *counts, uint64_t address, uint64_t owner)
{
    size_t at = ((address ^ owner << 20) * 0x9e3779b97f4a7c15u >> 32) & (counts->size - 1);
    while (counts->slots[at].taken &&
           (counts->slots[at].address != address || counts->slots[at].owner != owner))
        at = (at + 1) & (counts->size - 1);
    return &counts->slots[at];
}

static void make_room(struct address_counts *counts)
{
    struct address_counts old = *counts;
    if (2 * old.used < old.size)
        return;
    counts->size = old.size ? 2 * old.size : FIRST_SLOTS;
    counts->slots = calloc(counts->size, sizeof *counts->slots);
    if (!counts->slots)
        abort(); /* a meter must not lose counts */
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].taken)
            *find(counts, old.slots[i].address, old.slots[i].owner) = old.slots[i];
    free(old.slots);
}

uint64_t *address_counts_at(struct address_counts *counts, const struct access *access)
{
    const uint64_t address = (uintptr_t)access->address;
    uint64_t owner = 0;
    if (access->space == MEMORY_SHARED)
        owner = current_launch->number << 40 ^ (current_block->number + 1);
    make_room(counts);
    struct address_slot *slot = find(counts, address, owner);
    if (!slot->taken) {
        *slot = (struct address_slot){address, owner, 0, true};
        counts->used++;
    }
    return &slot->number;
}

void address_counts_clear(struct address_counts *counts)
{
    counts->used = 0;
    if (counts->slots)
        memset(counts->slots, 0, counts->size * sizeof *counts->slots);
}
