#include "checks/races/race_explore.h"
#include "checks/races/race_order.h"
#include "checks/races/races.h"

static struct race_actor actor_of(const struct thread *thread, const struct access *access)
{
    return (struct race_actor){.thread = thread,
                               .shared = access->space == MEMORY_SHARED,
                               .key = thread->block->races ? thread->block->races->key : 0,
                               .floor = race_now.floor,
                               .clock = thread->clock};
}

void race_moment(const struct thread *thread, const struct access *access, struct instant *instant)
{
    const struct race_actor actor = actor_of(thread, access);
    *instant = (struct instant){actor.key, actor.clock};
}

bool race_is_before(const struct thread *thread, const struct access *access, const struct instant *then)
{
    const struct race_actor actor = actor_of(thread, access);
    return race_now.state != RACES_OFF && race_order(&actor, then->key, then->clock) == ORDER_BEFORE;
}

/* The cell of the word that contains this address of an access; null if memory runs out. */
static struct cell *cell_at(const struct access *access, const char *address)
{
    const char *word = address - (uintptr_t)address % WORD_BYTES;
    struct region *region = access->region;
    if (access->space == MEMORY_SHARED)
        return race_now.cells + (access->offset + (size_t)(address - access->address)) / WORD_BYTES;
    if (!region)
        return shadow_of_word(word);
    return shadow_of_region(region) ? shadow_cell(region, (size_t)(word - region->begin)) : NULL;
}

/* The cells of an access; a place that is shorter than a word has one for each byte. */
static unsigned find_cells(const struct access *access, struct cell *cells[RELEASED_CELLS])
{
    const unsigned within = (uintptr_t)access->address % WORD_BYTES;
    const bool parts = within > 0 || access->bytes < WORD_BYTES;
    const size_t step = parts ? 1 : WORD_BYTES;
    unsigned count = 0;
    if (race_now.state == RACES_OFF)
        return 0;
    for (size_t at = 0; at < access->bytes && count < RELEASED_CELLS; at += step) {
        struct cell *cell = cell_at(access, access->address + at);
        if (!cell)
            return 0;
        if (parts && !shadow_parts(cell))
            shadow_split(cell);
        cells[count++] = parts ? &shadow_parts(cell)[(within + at) % WORD_BYTES] : cell;
    }
    return count;
}

void race_keep_released(const struct access *access, struct released *held)
{
    struct cell *cells[RELEASED_CELLS];
    const unsigned count = find_cells(access, cells);
    *held = (struct released){{0}};
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *link = races_message(cells[i]);
        if (link)
            held->word[i] = vector_clock_copy((struct message *)(uintptr_t)shadow_record(*link)->key);
    }
}

static void set_message(struct cell *cell, struct message *message)
{
    uint32_t *link = races_message(cell);
    if (link)
        shadow_unlink(link);
    if (!message)
        return;
    const uint32_t index = shadow_new_record();
    *shadow_record(index) = (struct record){.key = (uintptr_t)vector_clock_copy(message),
                                            .site = (uint32_t)current_launch->number,
                                            .who = (uint32_t)RECORD_MESSAGE << KIND_SHIFT,
                                            .next = cell->record.next};
    cell->record.next = index;
}

void race_set_released(const struct access *access, const struct released *held)
{
    struct cell *cells[RELEASED_CELLS];
    const unsigned count = find_cells(access, cells);
    for (unsigned i = 0; i < count; i++)
        set_message(cells[i], held->word[i]);
}
