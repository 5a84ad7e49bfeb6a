#define _GNU_SOURCE
#include "core/explore.h"
#include "core/explore_places.h"
#include "core/schedule.h"
#include "simt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    MOST_EVENTS = 512, /* of a launch */
    SET_WORDS = MOST_EVENTS / 64,
    LAST_READS = 8,     /* that a thread remembers */
    MOST_ROUNDS = 64,   /* in which a thread repeats its reads when nothing is left to choose */
    KNOWN_VALUES = 1024, /* a power of two */
    PAGE_OF_INDEX = 1 << 16 /* bytes: at least a page on every machine */
};

/* A set of events. */
struct set {
    uint64_t word[SET_WORDS];
};

struct event {
    const struct thread *thread;
    const struct block *block;
    struct place *place;
    unsigned from;   /* the write that it has read; for a write that reads nothing 0 */
    bool reads, writes, first;
    unsigned node;   /* the choice that it belongs to; NO_NODE: none */
    struct instant when;
    struct set before; /* the events on which it depends, without the write that it reads from */
    struct set all;    /* the same with that write */
};

/* What a thread does at its next event, and what it has done. */
struct actor {
    struct access wanted; /* the event for which it waits */
    struct place *place;
    bool waits, stopped;
    bool probes;            /* its last read only tested a value */
    bool clean;             /* it has done nothing since its last read */
    uint64_t failed, seen;  /* writes that its next read does not take: it would wait, or the read is postponed */
    unsigned number, rank;  /* chosen: the write to read from, or the rank of its own write */
    unsigned node, events;
    unsigned rounds;
    struct last_read {
        const void *site;
        const struct place *place;
        unsigned number;
    } last[LAST_READS]; /* reads since its last write, the latest first */
    struct set before;
};

#define NO_NODE UINT32_MAX

bool explore_watches;
static struct simt_explore wanted;
static struct simt_explored done;
static bool loose; /* nothing is left to choose: the launch runs to its end */

static struct event events[MOST_EVENTS];
static unsigned event_count;
static struct actor *actors; /* [threads of the launch], in the order of blocks */
static const struct event *block_first[MAX_RESIDENT_BLOCKS];
static unsigned block_events[MAX_RESIDENT_BLOCKS];
static struct event *event_of[SIMT_CHOICES]; /* of each choice; null: not yet, or the read is postponed */

/* The access that is being executed. Its effect is in memory only at the next hook. */
static struct {
    bool active, probe;
    struct actor *actor;
    struct event event;
    struct access access;
    char shown[MOST_BYTES]; /* what the place held before it */
} now;

/* ---- what is known of values ------------------------------------------------------------------------------------ */

/* For an access on a line that reads a value: threads have waited for another one; or it has changed the value. It only decides
 * what is tried first, so that fewer runs are of no use. */
static struct known {
    const void *site;
    char value[MOST_BYTES];
    bool waited, changed;
} known[KNOWN_VALUES];

/* Lines whose read-modify-writes have left a value as it was. */
static const void *keepers[64];
static unsigned keeper_count;

static struct known *known_of(const void *site, const char *value)
{
    uint64_t hash = (uintptr_t)site;
    for (unsigned i = 0; i < MOST_BYTES; i++)
        hash = (hash ^ (unsigned char)value[i]) * 0x100000001b3u;
    struct known *entry = &known[(hash ^ hash >> 32) & (KNOWN_VALUES - 1)];
    if (entry->site != site || memcmp(entry->value, value, MOST_BYTES) != 0) {
        *entry = (struct known){.site = site};
        memcpy(entry->value, value, MOST_BYTES);
    }
    return entry;
}

static bool keeps_values(const void *site)
{
    for (unsigned i = 0; i < keeper_count; i++)
        if (keepers[i] == site)
            return true;
    return keeper_count == sizeof keepers / sizeof *keepers;
}

static void note_keeper(const void *site)
{
    if (!keeps_values(site))
        keepers[keeper_count++] = site;
}

/* ---- sets of events --------------------------------------------------------------------------------------------- */

static void set_add(struct set *set, unsigned event)
{
    set->word[event / 64] |= (uint64_t)1 << event % 64;
}

static bool set_has(const struct set *set, unsigned event)
{
    return set->word[event / 64] >> event % 64 & 1;
}

static void set_join(struct set *set, const struct set *more)
{
    for (unsigned i = 0; i < SET_WORDS; i++)
        set->word[i] |= more->word[i];
}

static struct actor *actor_of(const struct thread *thread)
{
    return &actors[thread->block->number * current_launch->block_threads + thread->number];
}

/* ---- the end of a run ------------------------------------------------------------------------------------------- */

static void give_up(enum simt_unexplored why)
{
    if (done.why == SIMT_UNEXPLORED_NOTHING)
        done.why = why;
    done.end = SIMT_EXPLORED_NOT;
    loose = true;
}

/* The rest of the run follows from choices that were made before, and says nothing. */
static void end_choices(enum simt_explored_end end)
{
    if (!loose)
        done.end = end;
    loose = true;
}

/* ---- the effect of an event ------------------------------------------------------------------------------------- */

/* A write that does not depend on an earlier read of the place: the read could come after it. */
static void note_witnesses(const struct event *write)
{
    for (unsigned i = 0; i < done.choices; i++) {
        const struct event *read = event_of[i];
        if (!read || read == write || read->place != write->place || !read->reads || read->thread == write->thread)
            continue;
        const unsigned at = (unsigned)(read - events);
        if (!set_has(read->writes ? &write->before : &write->all, at) && !(read->first && write->first))
            done.choice[i].witness = 1;
    }
}

static void note_step(const struct event *event, const char *value)
{
    if (done.steps == SIMT_STEPS || !wanted.story)
        return;
    const struct place *place = event->place;
    struct simt_step *step = &done.step[done.steps++];
    const struct thread *thread = event->thread;
    *step = (struct simt_step){.thread = {thread->index.x, thread->index.y, thread->index.z},
                               .block = {event->block->index.x, event->block->index.y, event->block->index.z},
                               .line = judge->line_of(now.access.site),
                               .reads = event->reads,
                               .writes = event->writes,
                               .bytes = (uint32_t)place->access.bytes,
                               .place = (uint32_t)(place->access.offset),
                               .from = -1};
    if (place->access.region)
        step->allocated = judge->line_of(place->access.region->alloc_site);
    if (place->access.region && place->access.region->name)
        memcpy(step->name, place->access.region->name,
               strnlen(place->access.region->name, sizeof step->name - 1));
    memcpy(&step->read, now.shown, place->access.bytes < 8 ? place->access.bytes : 8);
    memcpy(&step->written, value, place->access.bytes < 8 ? place->access.bytes : 8);
    if (event->reads && event->from > 0)
        step->from = (int32_t)place->write[event->from].event;
    step->stale = event->reads && place->order[place->writes - 1 - (event->writes ? 1 : 0)] != event->from;
}

static void finish_write(struct event *event, struct actor *actor, const char *value)
{
    struct place *place = event->place;
    const unsigned rank = event->reads ? place_rank(place, event->from) + 1 : actor->rank;
    if (event->reads && place->write[event->from].taken)
        end_choices(SIMT_EXPLORED_REDUNDANT); /* two read-modify-writes cannot both follow one write */
    const unsigned number = place_add(place, rank);
    if (number == 0) {
        give_up(SIMT_UNEXPLORED_MUCH);
        return;
    }
    if (event->reads)
        place->write[event->from].taken = true;
    place->write[number].when = event->when;
    place->write[number].event = (unsigned)(event - events);
    memset(actor->last, 0, sizeof actor->last);
    actor->clean = false;
    (void)value;
}

/* Notes what the access has done, and makes memory hold what it held before or the last write. */
static void settle(void)
{
    if (!now.active)
        return;
    now.active = false;
    struct place *place = now.event.place;
    struct actor *actor = now.actor;
    char value[MOST_BYTES] = {0};
    memcpy(value, place->access.address, place->access.bytes);
    const bool changed = memcmp(value, now.shown, place->access.bytes) != 0;
    if (now.probe) {
        place_restore(place);
        return;
    }
    if (event_count == MOST_EVENTS) {
        give_up(SIMT_UNEXPLORED_MUCH);
        place_restore(place);
        return;
    }
    struct event *event = &events[event_count];
    *event = now.event;
    if (event->reads && event->writes) {
        if (changed)
            known_of(now.access.site, now.shown)->changed = true;
        else
            note_keeper(now.access.site);
        event->writes = changed;
    }
    set_join(&event->all, &event->before);
    if (event->reads && event->from > 0) {
        const struct event *source = &events[place->write[event->from].event];
        set_join(&event->all, &source->all);
        set_add(&event->all, place->write[event->from].event);
    }
    event_count++;
    done.events = event_count;
    if (event->node != NO_NODE && event->node < SIMT_CHOICES)
        event_of[event->node] = event;
    actor->events++;
    if (event->writes) {
        finish_write(event, actor, value);
        note_witnesses(event);
    }
    actor->before = event->all;
    set_add(&actor->before, event_count - 1);
    const uint64_t block = event->block->number;
    if (block < MAX_RESIDENT_BLOCKS && block_events[block]++ == 0)
        block_first[block] = event;
    note_step(event, value);
    place_restore(place);
}

/* ---- a thread arrives at its next event, or does something else ------------------------------------------------- */

/* The thread has taken the value of its last read. */
static void note_progress(struct actor *actor)
{
    actor->clean = false;
    if (actor->probes) {
        known_of(actor->last[0].site, actor->last[0].place->write[actor->last[0].number].value)->waited = false;
        end_choices(SIMT_EXPLORED_AGAIN);
    }
    actor->probes = false;
}

void explore_pass(void)
{
    settle();
    if (current_thread && actors)
        note_progress(actor_of(current_thread));
}

static bool is_event(const struct access *access)
{
    if (access->space == MEMORY_LOCAL || access->space == MEMORY_CONSTANT || access->bytes > MOST_BYTES)
        return false;
    return (access->kind & ACCESS_ATOMIC) || ((access->kind & ACCESS_VOLATILE) && access->bytes <= 8);
}

static bool is_read(const struct access *access)
{
    return !(access->kind & ACCESS_WRITE) || (access->kind & ACCESS_CHAINED);
}

/* The thread waits for another value than that of its last read. */
static void note_failure(struct actor *actor)
{
    const struct last_read *last = &actor->last[0];
    known_of(last->site, last->place->write[last->number].value)->waited = true;
    actor->failed |= (uint64_t)1 << last->number;
    if (!actor->probes && !loose) {
        done.failed_choice = actor->node;
        end_choices(SIMT_EXPLORED_AGAIN);
    }
    actor->probes = false;
}

/* A loop that waits for several values, or with a vote of its warp, repeats its reads. Such a round has no effect either, so the run
 * is of no use: there is one in which the first round comes so late that it is the last one. */
static void note_round(struct actor *actor, const struct access *access)
{
    for (unsigned i = 0; i < LAST_READS; i++)
        if (actor->last[i].site == access->site && actor->last[i].place == actor->place) {
            actor->stopped = !loose || ++actor->rounds > MOST_ROUNDS;
            return;
        }
}

static void arrive(struct actor *actor, const struct access *access)
{
    enum simt_unexplored why;
    actor->place = place_of(access, &why);
    if (!actor->place) {
        give_up(why);
        return;
    }
    actor->wanted = *access;
    if (actor->clean && actor->last[0].site == access->site && actor->last[0].place == actor->place) {
        note_failure(actor);
    } else {
        note_progress(actor);
        actor->failed = actor->seen = 0;
        if (is_read(access))
            note_round(actor, access);
    }
    actor->waits = true;
    schedule_wait(THREAD_HELD, access->site);
    actor->waits = false;
}

/* Executes the event for which the thread was chosen, up to the access itself. */
static void begin(struct actor *actor, const struct access *access)
{
    struct place *place = actor->place;
    const bool reads = is_read(access);
    now.active = true;
    now.probe = actor->probes;
    now.actor = actor;
    now.access = *access;
    now.event = (struct event){.thread = current_thread,
                               .block = current_block,
                               .place = place,
                               .from = reads ? actor->number : 0,
                               .reads = reads,
                               .writes = access->kind & ACCESS_WRITE,
                               .first = wanted.symmetric && actor->events == 0 &&
                                        block_events[current_block->number] == 0,
                               .node = actor->node,
                               .before = actor->before};
    judge->moment(current_thread, access, &now.event.when);
    if (reads)
        place_show(place, actor->number);
    memset(now.shown, 0, sizeof now.shown);
    memcpy(now.shown, place->access.address, place->access.bytes);
    if (reads) {
        memmove(actor->last + 1, actor->last, sizeof actor->last - sizeof *actor->last);
        actor->last[0] = (struct last_read){access->site, place, actor->number};
    }
    actor->clean = reads;
}

bool explore_access(const struct access *access)
{
    struct actor *actor = actor_of(current_thread);
    settle();
    if (!is_event(access)) {
        /* A loop may keep the value for which it waits in shared memory. */
        if (access->space == MEMORY_LOCAL || access->space == MEMORY_SHARED)
            return false;
        note_progress(actor);
        if (access->kind & ACCESS_WRITE) {
            memset(actor->last, 0, sizeof actor->last);
            if (places_overlap(access))
                give_up(SIMT_UNEXPLORED_PLAIN);
        }
        return false;
    }
    arrive(actor, access);
    if (!actor->place)
        return false;
    begin(actor, access);
    return now.probe;
}

bool explore_hides_swap(void)
{
    return now.active && now.probe;
}

/* ---- threads that meet ------------------------------------------------------------------------------------------ */

static void share(const struct thread *first, unsigned count, uint32_t lanes)
{
    struct set all = {{0}};
    for (unsigned i = 0; i < count; i++)
        if (count > WARP_SIZE || lanes >> i & 1)
            set_join(&all, &actor_of(first + i)->before);
    for (unsigned i = 0; i < count; i++)
        if (count > WARP_SIZE || lanes >> i & 1)
            actor_of(first + i)->before = all;
}

void explore_meet_block(const struct block *block)
{
    settle();
    if (block_events[block->number] > 0)
        share(block->threads, current_launch->block_threads, UINT32_MAX);
}

void explore_meet_warp(struct thread *first, uint32_t lanes)
{
    const unsigned left = current_launch->block_threads - first->number;
    settle();
    if (block_events[first->block->number] > 0)
        share(first, left < WARP_SIZE ? left : WARP_SIZE, lanes);
}

void explore_meet_grid(const struct block *blocks, unsigned used)
{
    settle();
    share(blocks[0].threads, used * current_launch->block_threads, UINT32_MAX);
}

/* ---- choices ---------------------------------------------------------------------------------------------------- */

static bool happened_before(const struct thread *thread, const struct access *access, const struct event *event)
{
    return event->thread == thread || judge->is_before(thread, access, &event->when);
}

/* The lowest rank from which the thread may read: coherence, and what happens before it. */
static unsigned lowest_rank(const struct thread *thread, const struct place *place)
{
    unsigned lowest = 0;
    for (unsigned i = 0; i < event_count; i++) {
        const struct event *event = &events[i];
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
    if (!wanted.symmetric || done.index_read || loose || block == 0 || block_events[block] > 0 ||
        !(actor->wanted.kind & ACCESS_CHAINED))
        return true;
    const struct event *before = block_first[block - 1];
    if (!before)
        return !(thread - current_launch->block_threads)->block->active;
    for (unsigned number = 1; before->place == actor->place && before->writes && number < actor->place->writes; number++)
        if (&events[actor->place->write[number].event] == before) {
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
                              !keeps_values(actor->wanted.site) &&
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
    for (unsigned i = 0; i < event_count; i++)
        if (events[i].block == block && set_has(&actor->before, i))
            return true;
    return false;
}

static unsigned note_choice(const struct actor *actor, const struct thread *thread, uint64_t options, unsigned chosen)
{
    if (done.choices == SIMT_CHOICES) {
        give_up(SIMT_UNEXPLORED_MUCH);
        return NO_NODE;
    }
    struct simt_choice *choice = &done.choice[done.choices];
    *choice = (struct simt_choice){.options = options, .failed = actor->failed, .chosen = (uint8_t)chosen};
    event_of[done.choices] = NULL;
    choice->reads = is_read(&actor->wanted);
    choice->waits = actor->failed != 0;
    if (choice->reads && chosen < MOST_WRITES && chosen > 0) {
        const struct event *source = &events[actor->place->write[chosen].event];
        choice->unstarted = source->block != thread->block && !is_started_for(actor, source->block);
        choice->block = (uint32_t)thread->block->number;
        choice->other = (uint32_t)source->block->number;
        choice->line = choice->unstarted ? judge->line_of(actor->wanted.site) : 0;
    }
    return done.choices++;
}

/* The number that the request chooses. False if the run differs from the one that the request was made from. */
static bool given_choice(uint64_t options, unsigned *chosen)
{
    *chosen = wanted.choice[done.choices];
    if (*chosen == SIMT_CHOICE_WAIT || *chosen == SIMT_CHOICE_LATER || (*chosen < 64 && options >> *chosen & 1))
        return true;
    give_up(SIMT_UNEXPLORED_DIFFERENT);
    return false;
}

static void choose_rank(struct actor *actor, const struct thread *thread)
{
    const uint64_t options = ranks_to_write(thread, actor->place);
    unsigned chosen = 0;
    actor->node = NO_NODE;
    if (!loose && (options & (options - 1)) != 0) {
        const bool given = done.choices < wanted.choices;
        if (!given || given_choice(options, &chosen))
            actor->node = note_choice(actor, thread, options, chosen);
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
    actor->node = NO_NODE;
    actor->probes = false;
    if (!options)
        return false;
    const bool given = !loose && done.choices < wanted.choices;
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
    if (!loose)
        actor->node = note_choice(actor, thread, options, chosen);
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
    if (is_read(&actor->wanted))
        return choose_write(actor, thread);
    choose_rank(actor, thread);
    return true;
}

/* Do all threads wait for other values than the last ones? */
static bool is_stuck(unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        const struct actor *actor = &actors[i];
        if (actor->waits &&
            (actor->stopped || !(actor->failed >> actor->place->order[actor->place->writes - 1] & 1)))
            return false;
    }
    return true;
}

struct thread *explore_next(const struct block *blocks, unsigned used)
{
    const unsigned threads = used * current_launch->block_threads;
    settle();
    for (;;) {
        for (unsigned b = 0; b < used; b++)
            for (unsigned t = 0; blocks[b].active && t < current_launch->block_threads; t++)
                if (chooses(actor_of(&blocks[b].threads[t]), &blocks[b].threads[t]))
                    return &blocks[b].threads[t];
        if (loose || is_stuck(threads))
            break;
        end_choices(SIMT_EXPLORED_REDUNDANT);
        for (unsigned i = 0; i < threads; i++) {
            actors[i].seen = 0;
            actors[i].stopped = false;
        }
    }
    if (done.end != SIMT_EXPLORED_NOT)
        done.end = SIMT_EXPLORED_STUCK;
    return NULL;
}

/* ---- blockIdx --------------------------------------------------------------------------------------------------- */

/* The value of blockIdx in kernels, alone in its page. */
static struct {
    struct index3 index;
    char rest[PAGE_OF_INDEX - sizeof(struct index3)];
} page __attribute__((aligned(PAGE_OF_INDEX)));
extern struct index3 simt_block_index __attribute__((alias("page")));
static bool closed;

static void set_closed(bool close)
{
    if (close != closed && mprotect(&page, sizeof page, close ? PROT_NONE : PROT_READ | PROT_WRITE) == 0)
        closed = close;
}

void explore_set_index(const struct block *block)
{
    if (!closed)
        page.index = block->index;
}

bool explore_opens(const void *address)
{
    if (!closed || (uintptr_t)address - (uintptr_t)&page >= sizeof page.index)
        return false;
    set_closed(false);
    done.index_read = true;
    if (current_block)
        page.index = current_block->index;
    return true;
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

void simt_set_explore(const struct simt_explore *explore)
{
    wanted = *explore;
    loose = false;
    memset(&done, 0, offsetof(struct simt_explored, choice));
    done.end = explore->on ? SIMT_EXPLORED_WHOLE : SIMT_EXPLORED_NOT;
    done.failed_choice = NO_NODE;
    observers_activate();
}

const struct simt_explored *simt_get_explored(void)
{
    return &done;
}

bool explore_is_wanted(void)
{
    return wanted.on;
}

static void see(const struct access *access)
{
    (void)access;
}

/* With an observer of accesses, all of them take the general path. */
const struct observer explore_observer = {.name = "explore", .wanted = explore_is_wanted, .access = see};

void explore_begin_launch(bool all_fit)
{
    explore_watches = wanted.on && all_fit;
    if (wanted.on && !all_fit)
        give_up(SIMT_UNEXPLORED_BLOCKS);
    if (!explore_watches)
        return;
    const unsigned threads = (unsigned)current_launch->grid_blocks * current_launch->block_threads;
    places_begin_launch();
    event_count = 0;
    now.active = false;
    memset(block_first, 0, sizeof block_first);
    memset(block_events, 0, sizeof block_events);
    for (unsigned i = 0; i < done.choices; i++)
        event_of[i] = NULL; /* of an earlier launch */
    actors = calloc(threads, sizeof *actors);
    if (!actors)
        abort(); /* a verdict must not depend on memory */
    done.blocks = current_launch->grid_blocks > done.blocks ? (uint32_t)current_launch->grid_blocks : done.blocks;
    set_closed(wanted.symmetric && !done.index_read);
}

void explore_end_launch(void)
{
    if (!explore_watches)
        return;
    explore_watches = false;
    settle();
    set_closed(false);
    places_end_launch();
    free(actors);
    actors = NULL;
}
