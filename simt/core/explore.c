#include "core/error.h"
#include "core/explore.h"
#include "core/explore_run.h"
#include "core/schedule.h"
#include "core/timeline.h"

#include <stdlib.h>

bool explore_watches;
struct explored_run exploring;

/* The access that is being executed. Its effect is in memory only at the next hook. */
static struct {
    bool active, probe;
    struct actor *actor;
    struct event event;
    struct access access;
    char shown[MOST_BYTES]; /* what the place held before it */
} now;

/* ---- the end of a run ------------------------------------------------------------------------------------------- */

void explore_give_up(enum simt_unexplored why)
{
    if (exploring.done.why == SIMT_UNEXPLORED_NOTHING)
        exploring.done.why = why;
    exploring.done.end = SIMT_EXPLORED_NOT;
    exploring.loose = true;
}

void explore_end_choices(enum simt_explored_end end)
{
    if (!exploring.loose)
        exploring.done.end = end;
    exploring.loose = true;
}

/* ---- the effect of an event ------------------------------------------------------------------------------------- */

/* A write that does not depend on an earlier read of the place: the read could come after it. */
static void note_witnesses(const struct event *write)
{
    for (unsigned i = 0; i < exploring.done.choices; i++) {
        const struct event *read = exploring.event_of[i];
        if (!read || read == write || read->place != write->place || !read->reads ||
            read->thread == write->thread)
            continue;
        const unsigned at = (unsigned)(read - exploring.event);
        if (!set_has(read->writes ? &write->before : &write->all, at) && !(read->first && write->first))
            exploring.done.choice[i].witness = 1;
    }
}

static void note_step(const struct event *event, const char *value)
{
    if (exploring.done.steps == SIMT_STEPS || !exploring.wanted.story)
        return;
    const struct place *place = event->place;
    struct simt_step *step = &exploring.done.step[exploring.done.steps++];
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

/* Adds the event's write to its place. */
static void finish_write(struct event *event, struct actor *actor)
{
    struct place *place = event->place;
    const unsigned rank = event->reads ? place_rank(place, event->from) + 1 : actor->rank;
    if (event->reads &&
        place->write[event->from].taken) /* no two read-modify-writes can both follow a write */
        explore_end_choices(SIMT_EXPLORED_REDUNDANT);
    const unsigned number = place_add(place, rank);
    if (number == 0) {
        explore_give_up(SIMT_UNEXPLORED_MUCH);
        return;
    }
    if (event->reads)
        place->write[event->from].taken = true;
    place->write[number].when = event->when;
    place->write[number].event = (unsigned)(event - exploring.event);
    memset(actor->last, 0, sizeof actor->last);
    actor->clean = false;
}

/* Notes what the access has done, and makes memory hold what it held before or the last write. */
void explore_settle(void)
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
    if (exploring.events == MOST_EVENTS) {
        explore_give_up(SIMT_UNEXPLORED_MUCH);
        place_restore(place);
        return;
    }
    struct event *event = &exploring.event[exploring.events];
    *event = now.event;
    if (event->reads && event->writes) {
        if (changed)
            known_of(now.access.site, now.shown)->changed = true;
        else
            known_note_keeper(now.access.site);
        event->writes = changed;
    }
    set_join(&event->all, &event->before);
    if (event->reads && event->from > 0) {
        const struct event *source = &exploring.event[place->write[event->from].event];
        set_join(&event->all, &source->all);
        set_add(&event->all, place->write[event->from].event);
    }
    exploring.events++;
    exploring.done.events = exploring.events;
    if (event->choice != NO_CHOICE && event->choice < SIMT_CHOICES)
        exploring.event_of[event->choice] = event;
    actor->events++;
    if (event->writes) {
        finish_write(event, actor);
        note_witnesses(event);
    }
    actor->before = event->all;
    set_add(&actor->before, exploring.events - 1);
    const uint64_t block = event->block->number;
    if (block < MAX_RESIDENT_BLOCKS && exploring.events_of[block]++ == 0)
        exploring.first_of[block] = event;
    note_step(event, value);
    place_restore(place);
}

/* ---- a thread arrives at its next event, or does something else ------------------------------------------------- */

/* The thread has taken the value of its last read. */
static void note_progress(struct actor *actor)
{
    actor->clean = false;
    if (actor->probes) {
        known_of(actor->last[0].site, actor->last[0].place->write[actor->last[0].number].value)->waited =
            false;
        explore_end_choices(SIMT_EXPLORED_AGAIN);
    }
    actor->probes = false;
}

void explore_pass(void)
{
    explore_settle();
    if (current_thread && exploring.actor)
        note_progress(actor_of(current_thread));
}

static bool is_event(const struct access *access)
{
    if (access->space == MEMORY_LOCAL || access->space == MEMORY_CONSTANT || access->bytes > MOST_BYTES)
        return false;
    return (access->kind & ACCESS_ATOMIC) || ((access->kind & ACCESS_VOLATILE) && access->bytes <= 8);
}

/* The thread waits for another value than that of its last read. */
static void note_failure(struct actor *actor)
{
    const struct last_read *last = &actor->last[0];
    known_of(last->site, last->place->write[last->number].value)->waited = true;
    actor->failed |= (uint64_t)1 << last->number;
    if (!actor->probes && !exploring.loose) {
        exploring.done.failed_choice = actor->choice;
        explore_end_choices(SIMT_EXPLORED_AGAIN);
    }
    actor->probes = false;
}

/* A loop that waits for several values, or with a vote of its warp, repeats its reads. Such a round has no effect either, so the run
 * is of no use: there is one in which the first round comes so late that it is the last one. */
static void note_round(struct actor *actor, const struct access *access)
{
    for (unsigned i = 0; i < LAST_READS; i++)
        if (actor->last[i].site == access->site && actor->last[i].place == actor->place) {
            actor->stopped = !exploring.loose || ++actor->rounds > MOST_ROUNDS;
            return;
        }
}

static void arrive(struct actor *actor, const struct access *access)
{
    enum simt_unexplored why;
    actor->place = place_of(access, &why);
    if (!actor->place) {
        explore_give_up(why);
        schedule_abandon(ERROR_LAUNCH_TIMEOUT);
    }
    actor->wanted = *access;
    if (actor->clean && actor->last[0].site == access->site && actor->last[0].place == actor->place) {
        note_failure(actor);
    } else {
        note_progress(actor);
        actor->failed = actor->seen = 0;
        if (explore_reads(access))
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
    const bool reads = explore_reads(access);
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
                               .first = exploring.wanted.symmetric && actor->events == 0 &&
                                        exploring.events_of[current_block->number] == 0,
                               .choice = actor->choice,
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
    explore_settle();
    if (!is_event(access)) {
        /* A loop may keep the value for which it waits in shared memory. */
        if (access->space == MEMORY_LOCAL || access->space == MEMORY_SHARED)
            return false;
        note_progress(actor);
        if (access->kind & ACCESS_WRITE) {
            memset(actor->last, 0, sizeof actor->last);
            if (places_overlap(access))
                explore_give_up(SIMT_UNEXPLORED_PLAIN);
        }
        return false;
    }
    arrive(actor, access);
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
    explore_settle();
    if (exploring.events_of[block->number] > 0)
        share(block->threads, current_launch->block_threads, UINT32_MAX);
}

void explore_meet_warp(struct thread *first, uint32_t lanes)
{
    const unsigned left = current_launch->block_threads - first->number;
    explore_settle();
    if (exploring.events_of[first->block->number] > 0)
        share(first, left < WARP_SIZE ? left : WARP_SIZE, lanes);
}

void explore_meet_grid(const struct block *blocks, unsigned used)
{
    explore_settle();
    share(blocks[0].threads, used * current_launch->block_threads, UINT32_MAX);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

void simt_set_explore(const struct simt_explore *explore)
{
    exploring.wanted = *explore;
    exploring.loose = false;
    memset(&exploring.done, 0, offsetof(struct simt_explored, choice));
    exploring.done.end = explore->on ? SIMT_EXPLORED_WHOLE : SIMT_EXPLORED_NOT;
    exploring.done.failed_choice = NO_CHOICE;
    observers_activate();
}

const struct simt_explored *simt_get_explored(void)
{
    return &exploring.done;
}

bool explore_is_wanted(void)
{
    return exploring.wanted.on;
}

static void see(const struct access *access)
{
    (void)access;
}

/* With an observer of accesses, all of them take the general path. */
const struct observer explore_observer = {.name = "explore", .wanted = explore_is_wanted, .access = see};

void explore_begin_launch(bool all_fit)
{
    const bool alone = !timeline_has_streams();
    explore_watches = exploring.wanted.on && all_fit && alone;
    if (exploring.wanted.on && !explore_watches)
        explore_give_up(alone ? SIMT_UNEXPLORED_BLOCKS : SIMT_UNEXPLORED_STREAMS);
    if (!explore_watches)
        return;
    const unsigned threads = (unsigned)current_launch->grid_blocks * current_launch->block_threads;
    places_begin_launch();
    exploring.events = 0;
    now.active = false;
    memset(exploring.first_of, 0, sizeof exploring.first_of);
    memset(exploring.events_of, 0, sizeof exploring.events_of);
    for (unsigned i = 0; i < exploring.done.choices; i++)
        exploring.event_of[i] = NULL; /* of an earlier launch */
    exploring.actor = calloc(threads, sizeof *exploring.actor);
    if (!exploring.actor)
        abort(); /* a verdict must not depend on memory */
    exploring.done.blocks = current_launch->grid_blocks > exploring.done.blocks
                                ? (uint32_t)current_launch->grid_blocks
                                : exploring.done.blocks;
    explore_close_index(exploring.wanted.symmetric && !exploring.done.index_read);
}

void explore_end_launch(void)
{
    if (!explore_watches)
        return;
    explore_watches = false;
    explore_settle();
    explore_close_index(false);
    places_end_launch();
    free(exploring.actor);
    exploring.actor = NULL;
}
