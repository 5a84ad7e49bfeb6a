/* The race check: applies each access to the cells of its words. */
#include "checks/races/races.h"
#include "checks/races/race_cell.h"
#include "checks/races/race_flags.h"
#include "checks/races/race_kinds.h"
#include "checks/races/race_order.h"
#include "checks/races/race_report.h"
#include "checks/races/race_suspects.h"
#include "core/budget.h"
#include "core/timeline.h"
#include "include/simt_device_api.h"

#include <string.h>

struct race_now race_now;

struct race_launch race_launch;

/* A second write with no order between the two: a race, unless both values are equal. The hooks are called before
 * the store, so it is compared at the next event. */
enum { COMPARED = 16 /* maximum number of bytes */ };
static struct {
    struct race race;
    const char *address;
    size_t bytes;
    unsigned char before[COMPARED];
} unsettled;

void races_settle(void)
{
    if (race_now.state != RACES_UNSETTLED)
        return;
    race_now.state = RACES_ON;
    if (memcmp(unsettled.address, unsettled.before, unsettled.bytes) == 0)
        unsettled.race.verdict = RACE_SAME_VALUE;
    race_report(&unsettled.race);
}

/* One access to one cell. */
struct visit {
    const struct race_actor *actor;
    enum race_side_kind kind;
    const struct access *access;
    const char *address; /* address of the word or byte */
    bool chained;        /* a read-modify-write */
};

/* ---- one cell ---------------------------------------------------------------------------------------------------- */

static enum race_verdict order_verdict(enum order order)
{
    return order == ORDER_DRAWN ? RACE_TICKET_ONLY : order == ORDER_OFFERED ? RACE_NO_ACQUIRE : RACE_REAL;
}

static struct race_side side_of_visit(const struct visit *visit)
{
    return (struct race_side){.key = visit->actor->key,
                              .clock = visit->actor->clock,
                              .site = (uint32_t)(uintptr_t)visit->access->site,
                              .kind = visit->kind};
}

/* A plain read and the write of a compare-and-swap: the read may be the first guess of another compare-and-swap. */
static bool may_be_guess(const struct race_side *now, const struct race_side *then)
{
    const struct race_side *read = is_write(now->kind) ? then : now, *write = read == now ? then : now;
    return read->kind == SIDE_READ && write->kind == SIDE_STRONG_WRITE && suspects_is_swap(write->site);
}

static void found(const struct visit *visit, const struct race_side *then, enum race_verdict verdict)
{
    const struct access *access = visit->access;
    struct race race = {.now = side_of_visit(visit),
                        .then = *then,
                        .verdict = verdict,
                        .address = visit->address,
                        .flag = flags_of(then, false)};
    if (!race.flag.site)
        race.flag = flags_of(&race.now, true);
    if (verdict == RACE_REAL && visit->kind == SIDE_WRITE && then->kind == SIDE_WRITE &&
        visit->actor->thread && access->bytes <= COMPARED) {
        if (race_now.state == RACES_UNSETTLED)
            return; /* another word of the same access */
        unsettled.race = race;
        unsettled.address = access->address;
        unsettled.bytes = access->bytes;
        memcpy(unsettled.before, access->address, access->bytes);
        race_now.state = RACES_UNSETTLED;
        return;
    }
    if (verdict == RACE_REAL && visit->actor->thread && may_be_guess(&race.now, then)) {
        race.verdict = RACE_GUESS;
        suspects_add(&race);
    } else if (verdict == RACE_LOCKSTEP && !visit->actor->shared) {
        suspects_add(&race); /* in global memory it may be a flag that a lane polls */
    } else {
        race_report(&race);
    }
}

static void check_write(const struct visit *visit, const struct cell *cell)
{
    if (cell->key == 0)
        return;
    enum order order = race_order(visit->actor, cell->key, cell->clock);
    if (order != ORDER_BEFORE)
        found(visit, &(struct race_side){cell->key, cell->clock, cell->site, SIDE_WRITE},
              order_verdict(order));
}

/* Two volatile accesses by lanes of one warp with nothing in between that makes them wait for each other. Such code
 * was right as long as lanes ran in lockstep. */
static bool in_lockstep(const struct visit *visit, const struct record *record, enum race_side_kind kind)
{
    const struct race_actor *actor = visit->actor;
    return actor->thread && is_volatile(kind) && is_volatile(visit->kind) &&
           (is_write(kind) || is_write(visit->kind)) && record->key == actor->key &&
           ((record->who ^ record_who(actor->clock, RECORD_READ)) >> CLOCK_BITS & 31) == 0;
}

static struct record *find_update(const struct cell *cell)
{
    for (uint32_t at = cell->record.next; at; at = shadow_record(at)->next) {
        if (record_kind(shadow_record(at)) == RECORD_UPDATE)
            return shadow_record(at);
    }
    return NULL;
}

/* Read-modify-writes form a chain in which each observes the one before it. */
static void note_update(const struct visit *visit, struct cell *cell)
{
    struct record *update = find_update(cell);
    const bool chained = visit->chained && !is_for_block(visit->kind);
    if (!update && !chained)
        return;
    if (!update) {
        uint32_t index = shadow_new_record();
        update = shadow_record(index);
        *update = (struct record){.next = cell->record.next, .lanes = 1};
        cell->record.next = index;
    }
    const bool whole =
        update->lanes || update->key < visit->actor->floor; /* earlier launches do not break it */
    update->key = visit->actor->key;
    update->who = record_who(visit->actor->clock, RECORD_UPDATE);
    const uint32_t lane = (uint32_t)1 << (visit->actor->clock >> CLOCK_BITS & 31);
    update->lanes = chained && whole ? lane : 0;
}

/* Does the last read-modify-write of the cell happen before the visit? Then so do all earlier ones in its chain.
 * For example, the last block may reset the counter from which it drew its number. */
static bool updates_are_past(const struct visit *visit, const struct cell *cell)
{
    const struct record *update = find_update(cell);
    unsigned lane;
    return update && update->lanes && race_record_order(visit->actor, update, &lane) == ORDER_BEFORE;
}

/* Strong accesses do not race with each other. But data that threads exchange by strong accesses needs the same
 * order as plain data. Three signs that an address contains data and is not a flag:
 *     the reader has already read, on another line, a flag that the writer set later;
 *     a volatile read that is not repeated returned the value from before the kernel's write;
 *     it is in shared memory, and the code has no fence that could belong to a flag. */
enum strong_pair { PAIR_FINE, PAIR_SUSPECT, PAIR_BEHIND_FLAG };

static bool written_in_launch(const struct cell *cell)
{
    for (uint32_t at = cell->record.next; at; at = shadow_record(at)->next) {
        const struct record *record = shadow_record(at);
        const enum record_kind kind = record_kind(record);
        if (kind < RECORD_MESSAGE && is_write(side_of[kind]) && race_in_launch((uint32_t)(record->key >> 32)))
            return true;
    }
    return cell->key && race_in_launch((uint32_t)(cell->key >> 32));
}

static bool sees_flag_first(const struct visit *visit, const struct race_side *then)
{
    const struct race_flag flag = flags_of(then, false);
    const uint32_t site = (uint32_t)(uintptr_t)visit->access->site;
    /* Words that one statement writes, or reads, one after another are of one kind: each is its own flag. */
    return flag.site && flag.fence != FLAG_TOO_EARLY && flag.reader_identity == visit->actor->key >> 32 &&
           flag.reader_site != site && !suspects_is_polled(site) &&
           !race_in_one_statement(flag.reader_site, site) && !race_in_one_statement(flag.site, then->site);
}

static enum strong_pair strong_pair_of(const struct visit *visit, const struct cell *cell,
                                       const struct record *record, unsigned lane)
{
    const enum race_side_kind then = side_of[record_kind(record)];
    if (!visit->actor->thread || !race_in_launch((uint32_t)(record->key >> 32)))
        return PAIR_FINE;
    if (visit->kind == SIDE_VOLATILE_WRITE && then == SIDE_VOLATILE_READ)
        return written_in_launch(cell) ? PAIR_FINE : PAIR_SUSPECT;
    if (visit->kind == SIDE_VOLATILE_READ && then == SIDE_VOLATILE_WRITE && visit->actor->shared &&
        !race_launch.fences)
        return PAIR_SUSPECT;
    if (is_write(visit->kind) || !is_write(then) || visit->chained)
        return PAIR_FINE;
    const struct race_side write = {record->key, record_clock(record, lane), record->site, then};
    return sees_flag_first(visit, &write) ? PAIR_BEHIND_FLAG : PAIR_FINE;
}

static void check_strong_pair(const struct visit *visit, const struct cell *cell, const struct record *record)
{
    unsigned lane = 0;
    const enum order order = race_record_order(visit->actor, record, &lane);
    if (order == ORDER_BEFORE)
        return;
    const enum strong_pair pair = strong_pair_of(visit, cell, record, lane);
    const struct race_side then = {record->key, record_clock(record, lane), record->site,
                                   side_of[record_kind(record)]};
    if (pair == PAIR_BEHIND_FLAG)
        found(visit, &then, order == ORDER_NONE ? RACE_NO_FENCE : order_verdict(order));
    else if (pair == PAIR_SUSPECT)
        suspects_add(&(struct race){
            .now = side_of_visit(visit), .then = then, .verdict = RACE_VOLATILE, .address = visit->address});
}

static bool differ_in_width(const struct visit *visit, const struct record *record, enum race_side_kind kind)
{
    return is_atomic_for_all(kind) && is_atomic_for_all(visit->kind) &&
           (is_write(kind) || is_write(visit->kind)) &&
           ((record->who ^ race_width(visit->kind, visit->access)) & RECORD_IS_WIDE);
}

/* Two threads that add to a volatile variable, as in `v = v + 1`: each reads and then writes, so one update may be
 * lost. */
static void check_lost_update(const struct visit *visit, const struct record *record)
{
    unsigned lane = 0;
    if (!visit->actor->thread || !race_in_launch((uint32_t)(record->key >> 32)) ||
        record->site != (uint32_t)(uintptr_t)visit->access->site ||
        race_record_order(visit->actor, record, &lane) == ORDER_BEFORE)
        return;
    struct race_side read = side_of_visit(visit);
    read.kind = SIDE_VOLATILE_READ;
    read.site = suspects_site_of_read(visit->actor->thread, visit->access);
    if (read.site && race_on_one_line(read.site, record->site))
        suspects_add(&(struct race){
            .now = read,
            .then = {record->key, record_clock(record, lane), record->site, SIDE_VOLATILE_WRITE},
            .verdict = RACE_VOLATILE,
            .address = visit->address});
}

static void check_record(const struct visit *visit, const struct cell *cell, const struct record *record)
{
    const enum race_side_kind kind = side_of[record_kind(record)];
    if (record->key == 0)
        return;
    const bool race = conflict(visit->kind, kind, record->key >> 32 == visit->actor->key >> 32) ||
                      differ_in_width(visit, record, kind);
    if (!race && !in_lockstep(visit, record, kind)) {
        if (is_strong(kind) && is_strong(visit->kind) && is_write(kind) != is_write(visit->kind))
            check_strong_pair(visit, cell, record);
        else if (kind == SIDE_VOLATILE_WRITE && visit->kind == SIDE_VOLATILE_WRITE)
            check_lost_update(visit, record);
        return;
    }
    unsigned lane = 0;
    enum order order = race_record_order(visit->actor, record, &lane);
    if (order == ORDER_BEFORE)
        return;
    if (kind == SIDE_STRONG_WRITE && updates_are_past(visit, cell))
        return;
    const struct race_side then = {record->key, record_clock(record, lane), record->site, kind};
    found(visit, &then, race ? order_verdict(order) : RACE_LOCKSTEP);
}

uint32_t *races_message(struct cell *cell)
{
    for (uint32_t *link = &cell->record.next; *link;) {
        struct record *record = shadow_record(*link);
        if (record_kind(record) == RECORD_MESSAGE) {
            if (record->site == (uint32_t)current_launch->number)
                return link;
            shadow_unlink(link);
        } else {
            link = &record->next;
        }
    }
    return NULL;
}

static struct message *message_at(uint32_t *link)
{
    return link ? (struct message *)(uintptr_t)shadow_record(*link)->key : NULL;
}

/* The flag's writer may have had no fence, or one whose scope does not include this thread. */
static void note_flags(const struct visit *visit, const struct cell *cell, const struct message *message)
{
    for (uint32_t at = cell->record.next; at; at = shadow_record(at)->next) {
        const struct record *record = shadow_record(at);
        const enum record_kind kind = record_kind(record);
        if (kind < RECORD_MESSAGE && is_write(side_of[kind]) && !race_record_is_past(visit->actor, record)) {
            flags_note(record, (uint32_t)(visit->actor->key >> 32), (uint32_t)(uintptr_t)visit->access->site,
                       !message                            ? FLAG_UNFENCED
                       : vector_clock_reaches_all(message) ? FLAG_FENCED
                                                           : FLAG_FOR_BLOCK);
            return;
        }
    }
}

static void pass_messages(const struct visit *visit, struct cell *cell)
{
    struct thread *thread = current_thread;
    uint32_t *link = races_message(cell);
    const bool for_block = is_for_block(visit->kind);
    if (!is_write(visit->kind) || visit->chained) {
        vector_clock_acquire(thread, message_at(link), visit->chained, for_block);
        note_flags(visit, cell, message_at(link));
    }
    if (!is_write(visit->kind))
        return;
    struct message *before = message_at(link);
    struct message *message = vector_clock_release(thread, before, visit->chained, for_block);
    if (message && race_launch.state)
        race_launch.state[(uint32_t)(race_now.key >> 32) - race_launch.first] |= BLOCK_RELEASED;
    if (link && message) {
        shadow_record(*link)->key = (uintptr_t)message;
    } else if (link) {
        shadow_record(*link)->site = 0; /* the message no longer exists */
        shadow_unlink(link);
    } else if (message) {
        uint32_t index = shadow_new_record();
        *shadow_record(index) = (struct record){.key = (uintptr_t)message,
                                                .site = (uint32_t)current_launch->number,
                                                .who = (uint32_t)RECORD_MESSAGE << KIND_SHIFT,
                                                .next = cell->record.next};
        cell->record.next = index;
    }
}

/* The thread may have plainly read the value that its compare-and-swap now reads. */
static void note_swap(const struct visit *visit, const struct cell *cell)
{
    const struct race_actor *actor = visit->actor;
    const uint32_t who = record_who(actor->clock, RECORD_READ);
    const uint32_t lane = (uint32_t)1 << (actor->clock >> CLOCK_BITS & 31);
    uint32_t read = 0;
    for (const struct record *record = &cell->record; record && !read;
         record = record->next ? shadow_record(record->next) : NULL)
        if (record->key == actor->key && record->who == who && (record->lanes & lane))
            read = record->site;
    suspects_swap((uint32_t)(uintptr_t)visit->access->site, read);
}

static void look(const struct visit *visit, struct cell *cell)
{
    if ((visit->access->kind & ACCESS_SWAP) && !is_write(visit->kind) && visit->actor->thread)
        note_swap(visit, cell);
    check_write(visit, cell);
    check_record(visit, cell, &cell->record);
    for (uint32_t at = cell->record.next; at; at = shadow_record(at)->next) {
        budget_spend(BUDGET_OF_RECORD);
        if (record_kind(shadow_record(at)) < RECORD_MESSAGE)
            check_record(visit, cell, shadow_record(at));
    }
    if (visit->actor->host)
        return;
    if (visit->kind == SIDE_WRITE) {
        shadow_clear(cell);
        cell->key = visit->actor->key;
        cell->site = (uint32_t)(uintptr_t)visit->access->site;
        cell->clock = visit->actor->clock;
        return;
    }
    if (is_strong(visit->kind) && race_launch.fences && visit->actor->thread)
        pass_messages(visit, cell);
    else if (is_strong(visit->kind) && visit->actor->thread && (!is_write(visit->kind) || visit->chained))
        note_flags(visit, cell, NULL);
    race_cell_remember(visit->actor, visit->kind, visit->access, cell);
    if (is_strong(visit->kind) && is_write(visit->kind) && visit->actor->thread)
        note_update(visit, cell);
}

/* ---- accesses ------------------------------------------------------------------------------------------------------ */

/* Visits the bytes `first` to `last` - 1 of a word. */
static void visit_word(struct visit *visit, struct cell *cell, const char *word, unsigned first,
                       unsigned last)
{
    struct cell *parts = shadow_parts(cell);
    const bool whole = last - first == WORD_BYTES;
    if (!parts && whole) {
        visit->address = word;
        look(visit, cell);
        return;
    }
    if (!parts && visit->actor->host) {
        visit->address = word + first;
        look(visit, cell);
        return;
    }
    if (!parts) {
        shadow_split(cell);
        parts = shadow_parts(cell);
    }
    for (unsigned i = first; i < last; i++) {
        visit->address = word + i;
        look(visit, &parts[i]);
    }
    if (whole && visit->kind == SIDE_WRITE && !visit->actor->host) {
        struct cell written = parts[0];
        written.record = (struct record){0};
        shadow_clear(cell);
        *cell = written;
    }
}

struct cell *races_cell(const struct access *access, const char *word)
{
    if (access->space == MEMORY_SHARED)
        return race_now.cells + (access->offset - (size_t)(access->address - word)) / WORD_BYTES;
    return access->region ? shadow_cell(access->region, (size_t)(word - access->region->begin))
                          : shadow_of_word(word);
}

void races_visit(const struct race_actor *actor, const struct access *access)
{
    struct visit visit = {
        .actor = actor, .kind = kind_of(access), .access = access, .chained = access->kind & ACCESS_CHAINED};
    if (actor->thread && is_strong(visit.kind) && !is_write(visit.kind))
        suspects_volatile_read(current_thread, access);
    const uintptr_t begin = (uintptr_t)access->address, end = begin + access->bytes;
    for (uintptr_t word = begin & ~(uintptr_t)(WORD_BYTES - 1); word < end; word += WORD_BYTES) {
        unsigned first = word < begin ? (unsigned)(begin - word) : 0;
        unsigned last = end - word < WORD_BYTES ? (unsigned)(end - word) : WORD_BYTES;
        visit_word(&visit, races_cell(access, (char *)word), (char *)word, first, last);
    }
}

struct race_actor races_running(const struct access *access)
{
    return (struct race_actor){.thread = current_thread,
                               .shared = access->space == MEMORY_SHARED,
                               .key = race_now.key,
                               .floor = race_now.floor,
                               .clock = current_thread->clock};
}

void races_slow(const struct access *access)
{
    const struct race_actor actor = races_running(access);
    if (access->kind & ACCESS_SWAP) {
        struct access read = *access;
        read.kind &= ~(unsigned)ACCESS_WRITE;
        races_visit(&actor, &read);
        return;
    }
    races_visit(&actor, access);
}

void races_word(struct cell *cell, char *address, const struct access *access)
{
    const struct race_actor actor = races_running(access);
    struct visit visit = {.actor = &actor, .kind = kind_of(access), .access = access};
    visit_word(&visit, cell, address, 0, WORD_BYTES);
}

bool races_has_read(struct region *region, const char *word)
{
    if (race_now.state == RACES_OFF || !region->shadow)
        return false;
    if (race_now.state == RACES_UNSETTLED)
        races_settle();
    const struct record *record = &shadow_cell(region, (size_t)(word - region->begin))->record;
    const uint32_t clock = current_thread->clock, warp = record_who(clock, RECORD_READ) >> CLOCK_BITS;
    return record->key >> 32 == race_now.key >> 32 && record->who >> CLOCK_BITS == warp &&
           (record->lanes >> (clock >> CLOCK_BITS & 31) & 1);
}
