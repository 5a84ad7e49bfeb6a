#include "core/explore.h"
#include "core/explore_run.h"

/* ---- what is allowed ---------------------------------------------------------------------------------------------------- */

static bool happened_before(const struct thread *thread, const struct access *access,
                            const struct event *event)
{
    return event->thread == thread || judge->is_before(thread, access, &event->when);
}

/* The lowest rank from which the thread may read: coherence, and what happens before it. */
static unsigned lowest_rank(const struct thread *thread, const struct place *place)
{
    unsigned lowest = 0;
    for (unsigned i = 0; i < exploring.events; i++) {
        const struct event *event = &exploring.event[i];
        if (event->place != place || !happened_before(thread, &place->access, event))
            continue;
        unsigned rank = event->reads ? place_rank(place, event->from) : 0;
        for (unsigned number = 1; event->writes && number < place->writes; number++)
            if (place->write[number].event == i)
                rank = place_rank(place, number);
        lowest = rank > lowest ? rank : lowest;
    }
    return lowest;
}

/* Blocks count as equal: their first events, all read-modify-writes of one place, are in the order of the blocks, because a
 * permutation of the blocks makes any other order the same. False if the event of the block before is still missing. */
static bool in_order_of_blocks(const struct actor *actor, const struct thread *thread, unsigned *lowest)
{
    const uint64_t block = thread->block->number;
    if (!exploring.wanted.symmetric || exploring.done.index_read || exploring.loose || block == 0 ||
        exploring.events_of[block] > 0 || !(actor->wanted.kind & ACCESS_CHAINED))
        return true;
    const struct event *before = exploring.first_of[block - 1];
    if (!before)
        return !(thread - current_launch->block_threads)->block->active;
    for (unsigned number = 1;
         before->place == actor->place && before->writes && number < actor->place->writes; number++)
        if (&exploring.event[actor->place->write[number].event] == before) {
            const unsigned rank = place_rank(actor->place, number);
            *lowest = rank > *lowest ? rank : *lowest;
        }
    return true;
}

/* The writes from which the thread may read now (bits by number). */
static uint64_t writes_to_read(const struct actor *actor, const struct thread *thread)
{
    const struct place *place = actor->place;
    const bool chained = actor->wanted.kind & ACCESS_CHAINED;
    unsigned lowest = lowest_rank(thread, place);
    uint64_t numbers = 0;
    if (!in_order_of_blocks(actor, thread, &lowest))
        return 0;
    for (unsigned rank = lowest; rank < place->writes; rank++) {
        const unsigned number = place->order[rank];
        /* A read-modify-write that would change the value must come directly after the write. */
        const bool excluded = chained && place->write[number].taken && !(actor->wanted.kind & ACCESS_SWAP) &&
                              !known_keeps(actor->wanted.site) &&
                              known_of(actor->wanted.site, place->write[number].value)->changed;
        numbers |= (uint64_t)!excluded << number;
    }
    return numbers;
}

/* The ranks that the thread's write may get, counted from the end: 0 is after all other writes. */
static uint64_t ranks_to_write(const struct thread *thread, const struct place *place)
{
    uint64_t ranks = 0;
    for (unsigned rank = lowest_rank(thread, place) + 1; rank <= place->writes; rank++)
        ranks |= (uint64_t)!place->write[place->order[rank - 1]].taken << (place->writes - rank);
    return ranks;
}

static bool is_started_for(const struct actor *actor, const struct block *block)
{
    for (unsigned i = 0; i < exploring.events; i++)
        if (exploring.event[i].block == block && set_has(&actor->before, i))
            return true;
    return false;
}

static unsigned note_choice(const struct actor *actor, const struct thread *thread, uint64_t options,
                            unsigned chosen)
{
    if (exploring.done.choices == SIMT_CHOICES) {
        explore_give_up(SIMT_UNEXPLORED_MUCH);
        return NO_CHOICE;
    }
    struct simt_choice *choice = &exploring.done.choice[exploring.done.choices];
    *choice = (struct simt_choice){.options = options, .failed = actor->failed, .chosen = (uint8_t)chosen};
    exploring.event_of[exploring.done.choices] = NULL;
    choice->reads = explore_reads(&actor->wanted);
    choice->waits = actor->failed != 0;
    if (choice->reads && chosen < MOST_WRITES && chosen > 0) {
        const struct event *source = &exploring.event[actor->place->write[chosen].event];
        choice->unstarted = source->block != thread->block && !is_started_for(actor, source->block);
        choice->block = (uint32_t)thread->block->number;
        choice->other = (uint32_t)source->block->number;
        choice->line = choice->unstarted ? judge->line_of(actor->wanted.site) : 0;
        for (unsigned number = 1; choice->unstarted && number < actor->place->writes; number++)
            if (exploring.event[actor->place->write[number].event].block == source->block)
                choice->by_other |= (uint64_t)1 << number;
    }
    return exploring.done.choices++;
}

/* The number that the request chooses. False if the run differs from the one that the request was made from. */
static bool given_choice(uint64_t options, unsigned *chosen)
{
    *chosen = exploring.wanted.choice[exploring.done.choices];
    if (*chosen == SIMT_CHOICE_WAIT || *chosen == SIMT_CHOICE_LATER ||
        (*chosen < 64 && options >> *chosen & 1))
        return true;
    explore_give_up(SIMT_UNEXPLORED_DIFFERENT);
    return false;
}

static void choose_rank(struct actor *actor, const struct thread *thread)
{
    const uint64_t options = ranks_to_write(thread, actor->place);
    unsigned chosen = 0;
    actor->choice = NO_CHOICE;
    if (!exploring.loose && (options & (options - 1)) != 0) {
        const bool given = exploring.done.choices < exploring.wanted.choices;
        if (!given || given_choice(options, &chosen))
            actor->choice = note_choice(actor, thread, options, chosen);
    }
    actor->rank = actor->place->writes - chosen;
}

/* Chooses the write from which the thread reads. False if the thread does not read now. */
static bool choose_write(struct actor *actor, const struct thread *thread)
{
    const struct place *place = actor->place;
    const uint64_t options = writes_to_read(actor, thread) & ~actor->seen;
    uint64_t left = options & ~actor->failed;
    unsigned chosen;
    actor->choice = NO_CHOICE;
    actor->probes = false;
    if (!options)
        return false;
    const bool given = !exploring.loose && exploring.done.choices < exploring.wanted.choices;
    if (given && !given_choice(options, &chosen))
        return false;
    for (unsigned number = 0; !given && number < place->writes; number++)
        if (left >> number & 1 && known_of(actor->wanted.site, place->write[number].value)->waited) {
            actor->probes = true;
            actor->number = number;
            return true;
        }
    if (!given)
        chosen = left ? place_newest(place, left) : SIMT_CHOICE_WAIT;
    if (!exploring.loose)
        actor->choice = note_choice(actor, thread, options, chosen);
    if (chosen == SIMT_CHOICE_WAIT || chosen == SIMT_CHOICE_LATER) {
        actor->failed |= chosen == SIMT_CHOICE_WAIT ? options : 0;
        actor->seen |= options;
        return false;
    }
    actor->number = chosen;
    return true;
}

static bool chooses(struct actor *actor, const struct thread *thread)
{
    if (!actor->waits || actor->stopped)
        return false;
    if (explore_reads(&actor->wanted))
        return choose_write(actor, thread);
    choose_rank(actor, thread);
    return true;
}

/* Do all threads wait for other values than the last ones? */
static bool is_stuck(unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        const struct actor *actor = &exploring.actor[i];
        if (actor->waits &&
            (actor->stopped || !(actor->failed >> actor->place->order[actor->place->writes - 1] & 1)))
            return false;
    }
    return true;
}

struct thread *explore_next(const struct block *blocks, unsigned used)
{
    const unsigned threads = used * current_launch->block_threads;
    explore_settle();
    for (;;) {
        for (unsigned b = 0; b < used; b++)
            for (unsigned t = 0; blocks[b].active && t < current_launch->block_threads; t++)
                if (chooses(actor_of(&blocks[b].threads[t]), &blocks[b].threads[t]))
                    return &blocks[b].threads[t];
        if (exploring.loose || is_stuck(threads))
            break;
        explore_end_choices(SIMT_EXPLORED_REDUNDANT);
        for (unsigned i = 0; i < threads; i++) {
            exploring.actor[i].seen = 0;
            exploring.actor[i].stopped = false;
        }
    }
    if (exploring.done.end != SIMT_EXPLORED_NOT)
        exploring.done.end = SIMT_EXPLORED_STUCK;
    return NULL;
}
