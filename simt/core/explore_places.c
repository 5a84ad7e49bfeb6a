#include "core/explore_places.h"
#include "core/explore.h"

#include <string.h>

static struct place places[MOST_PLACES];
static unsigned used;
static uintptr_t lowest, highest; /* the range of all places */

void places_begin_launch(void)
{
    used = 0;
    lowest = UINTPTR_MAX;
    highest = 0;
}

void places_end_launch(void)
{
    used = 0;
}

static const struct block *owner_of(const struct access *access)
{
    return access->space == MEMORY_SHARED ? current_block : NULL;
}

static bool overlap(const struct place *place, const struct access *access)
{
    return place->owner == owner_of(access) &&
           access->address < place->access.address + place->access.bytes &&
           place->access.address < access->address + access->bytes;
}

struct place *place_of(const struct access *access, enum simt_unexplored *why)
{
    const uintptr_t begin = (uintptr_t)access->address, end = begin + access->bytes;
    for (unsigned i = 0; i < used; i++) {
        struct place *place = &places[i];
        if (!overlap(place, access))
            continue;
        if (place->access.address == access->address && place->access.bytes == access->bytes)
            return place;
        *why = SIMT_UNEXPLORED_OVERLAP;
        return NULL;
    }
    if (used == MOST_PLACES) {
        *why = SIMT_UNEXPLORED_MUCH;
        return NULL;
    }
    struct place *place = &places[used++];
    place->access = *access;
    place->owner = owner_of(access);
    place->writes = 1;
    place->order[0] = 0;
    place->write[0] = (struct write){.event = 0};
    memcpy(place->write[0].value, access->address, access->bytes);
    judge->keep_released(access, &place->write[0].held);
    lowest = begin < lowest ? begin : lowest;
    highest = end > highest ? end : highest;
    return place;
}

bool places_overlap(const struct access *access)
{
    const uintptr_t begin = (uintptr_t)access->address;
    if (begin >= highest || begin + access->bytes <= lowest)
        return false;
    for (unsigned i = 0; i < used; i++)
        if (overlap(&places[i], access))
            return true;
    return false;
}

unsigned place_rank(const struct place *place, unsigned number)
{
    unsigned rank = 0;
    while (place->order[rank] != number)
        rank++;
    return rank;
}

void place_show(const struct place *place, unsigned number)
{
    memcpy(place->access.address, place->write[number].value, place->access.bytes);
    judge->set_released(&place->access, &place->write[number].held);
}

void place_restore(const struct place *place)
{
    place_show(place, place->order[place->writes - 1]);
}

unsigned place_add(struct place *place, unsigned rank)
{
    if (place->writes == MOST_WRITES)
        return 0;
    const unsigned number = place->writes++;
    memmove(place->order + rank + 1, place->order + rank, number - rank);
    place->order[rank] = (unsigned char)number;
    place->write[number] = (struct write){.event = 0};
    memcpy(place->write[number].value, place->access.address, place->access.bytes);
    judge->keep_released(&place->access, &place->write[number].held);
    return number;
}

unsigned place_newest(const struct place *place, uint64_t numbers)
{
    unsigned rank = place->writes - 1;
    while (!(numbers >> place->order[rank] & 1))
        rank--;
    return place->order[rank];
}
