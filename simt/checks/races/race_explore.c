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

/* The cells of an access; a place that is shorter than a word has one for each byte. */
static unsigned find_cells(const struct access *access, struct cell *cells[RELEASED_CELLS])
{
    if (race_now.state == RACES_OFF)
        return 0;
    const unsigned within = (uintptr_t)access->address % WORD_BYTES;
    const unsigned bytes = (unsigned)access->bytes;
    if (within > 0 || bytes < WORD_BYTES) {
        struct cell *cell = races_cell(access, access->address - within);
        if (!shadow_parts(cell))
            shadow_split(cell);
        const unsigned end = within + bytes < WORD_BYTES ? within + bytes : WORD_BYTES;
        for (unsigned i = within; i < end; i++)
            cells[i - within] = &shadow_parts(cell)[i];
        return end - within;
    }
    for (unsigned i = 0; i < bytes / WORD_BYTES; i++)
        cells[i] = races_cell(access, access->address + i * WORD_BYTES);
    return bytes / WORD_BYTES;
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
