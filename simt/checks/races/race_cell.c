#include "checks/races/race_cell.h"
#include "checks/races/race_kinds.h"
#include "checks/races/race_order.h"

/* If the record has the same lanes, time and kind, adds the lane to it and returns true. Of a lane's strong writes
 * the last one is kept, because it is the flag that others read. */
static inline bool merge(struct record *record, const struct record *added)
{
    if (record->key != added->key || record->who != added->who)
        return false;
    if (record->lanes & added->lanes) {
        if (record->lanes == added->lanes && is_strong(side_of[record_kind(record)]))
            record->site = added->site;
        return true;
    }
    if (record->site != added->site)
        return false;
    record->lanes |= added->lanes;
    return true;
}

enum { WARP_OF_WHO = 31 << CLOCK_BITS };

static inline bool warps_differ(const struct record *a, const struct record *b)
{
    return ((a->who ^ b->who) & WARP_OF_WHO) != 0;
}

/* Without fences nothing orders two blocks of a launch, or two warps between two barriers. So two accesses of one
 * kind, by different blocks or warps, represent any number of them: no later access is ordered after both. Returns
 * true if `added` needs no record of its own; it may replace b. */
static bool two_suffice(const struct record *a, struct record *b, const struct record *added)
{
    if (a->key >> 32 != b->key >> 32)
        return true;
    const bool other_block = added->key >> 32 != a->key >> 32;
    if (!other_block && warps_differ(a, b))
        return true;
    if (other_block || warps_differ(added, a)) {
        const uint32_t next = b->next;
        *b = *added;
        b->next = next;
        return true;
    }
    return false;
}

/* Drops records that another record makes redundant: earlier accesses of the same kind, and all but one of those by
 * blocks that are done and have released nothing. */
static void tidy(const struct race_actor *actor, struct cell *cell, enum record_kind kind)
{
    bool silent = false;
    unsigned lane;
    for (uint32_t *link = &cell->record.next; *link;) {
        struct record *record = shadow_record(*link);
        const uint32_t identity = (uint32_t)(record->key >> 32);
        bool drop = false;
        if (record_kind(record) == kind) {
            drop = race_record_order(actor, record, &lane) == ORDER_BEFORE;
            if (!drop && race_launch.state && race_in_launch(identity) &&
                race_launch.state[identity - race_launch.first] == BLOCK_DONE) {
                drop = silent;
                silent = true;
            }
        }
        if (drop)
            shadow_unlink(link);
        else
            link = &record->next;
    }
}

enum {
    TIDY_AT = 16,   /* number of records, and then at each doubling */
    MOST_READS = 64 /* records of reads; each access goes through all of them */
};

void race_cell_remember(const struct race_actor *actor, enum race_side_kind side, const struct access *access,
                        struct cell *cell)
{
    const enum record_kind kind = record_of[side];
    const struct record added = {.key = actor->key,
                                 .site = (uint32_t)(uintptr_t)access->site,
                                 .lanes = (uint32_t)1 << (actor->clock >> CLOCK_BITS & 31),
                                 .who = record_who(actor->clock, kind) | race_width(side, access)};
    struct record *one = NULL, *two = NULL, *past = NULL;
    uint32_t *oldest = NULL; /* the link to it: the latest record is the first one */
    unsigned count = 0;

    if (kind == RECORD_READ) {
        struct record *first = &cell->record;
        if (merge(first, &added))
            return;
        if (first->key == 0 || race_record_is_past(actor, first))
            past = first;
        else if (race_in_launch((uint32_t)(first->key >> 32)))
            one = first;
    }
    for (uint32_t *link = &cell->record.next; *link; link = &shadow_record(*link)->next) {
        struct record *record = shadow_record(*link);
        if (record_kind(record) != kind)
            continue;
        if (merge(record, &added))
            return;
        count++;
        oldest = link;
        if (!past && race_record_is_past(actor, record))
            past = record;
        if (race_in_launch((uint32_t)(record->key >> 32)) && record != past) {
            two = one && !two ? record : two;
            one = one ? one : record;
        }
    }
    if (past) {
        const uint32_t next = past->next;
        *past = added;
        past->next = next;
        return;
    }
    if (!race_launch.fences && actor->thread && two && two_suffice(one, two, &added))
        return;
    /* Without a limit, many blocks that read one word take quadratic time. A write that is ordered after the latest reads,
     * but not after an earlier one, is rare. */
    if (count >= MOST_READS && !is_write(side))
        shadow_unlink(oldest);
    else if (count >= TIDY_AT && (count & (count - 1)) == 0)
        tidy(actor, cell, kind);
    uint32_t index = shadow_new_record();
    struct record *record = shadow_record(index);
    *record = added;
    record->next = cell->record.next;
    cell->record.next = index;
}

/* What a record of a plain read means to a plain access by the running thread. */
enum rank {
    RANK_PAST,  /* ordered before it, or by the same thread */
    RANK_NOW,   /* by other threads of its block, since the last barrier */
    RANK_OTHER, /* by a block that runs at the same time */
    RANK_UNSURE /* the general path decides */
};

static inline enum rank rank_of(const struct record *record, bool shared)
{
    if (record->key == race_now.key) {
        const uint32_t clock = current_thread->clock;
        const bool own = ((record->who ^ record_who(clock, RECORD_READ)) & WARP_OF_WHO) == 0 &&
                         record->lanes == (uint32_t)1 << (clock >> CLOCK_BITS & 31);
        return own ? RANK_PAST : RANK_NOW;
    }
    if (races_past(record->key, shared))
        return RANK_PAST;
    return race_in_launch((uint32_t)(record->key >> 32)) && (uint32_t)record->key >= race_launch.epoch
               ? RANK_OTHER
               : RANK_UNSURE;
}

/* The cell has two records, both of plain reads, in a launch without fences. */
static __attribute__((noinline)) bool plain_with_two(struct cell *cell, bool write, bool shared,
                                                     uint32_t site)
{
    struct record *first = &cell->record, *second = shadow_record(first->next);
    const uint64_t key = race_now.key;
    const uint32_t clock = current_thread->clock;
    if (cell->key == key ? (cell->clock ^ clock) >> CLOCK_BITS != 0 : !races_past(cell->key, shared))
        return false;
    if (write) {
        if (rank_of(first, shared) != RANK_PAST || rank_of(second, shared) != RANK_PAST)
            return false;
        shadow_unlink(&first->next);
        first->key = 0;
        cell->key = key;
        cell->site = site;
        cell->clock = clock;
        return true;
    }
    const struct record added = {.key = key,
                                 .site = site,
                                 .lanes = (uint32_t)1 << (clock >> CLOCK_BITS & 31),
                                 .who = record_who(clock, RECORD_READ)};
    if (merge(first, &added) || merge(second, &added))
        return true;
    const enum rank of_first = rank_of(first, shared), of_second = rank_of(second, shared);
    if (of_first == RANK_UNSURE || of_second == RANK_UNSURE)
        return false;
    if (of_first != RANK_PAST && of_second != RANK_PAST)
        return two_suffice(first, second, &added);
    struct record *past = of_first == RANK_PAST ? first : second;
    const uint32_t next = past->next;
    *past = added;
    past->next = next;
    return true;
}

bool race_cell_second(struct cell *cell, bool write, bool shared, uint32_t site)
{
    const struct record *first = &cell->record, *second = shadow_record(first->next);
    const uint64_t key = race_now.key;
    const uint32_t who = record_who(current_thread->clock, RECORD_READ);
    if (second->next || record_kind(second) != RECORD_READ || race_launch.fences)
        return false;
    /* The most common case apart, so that it saves no registers: two other warps of the block have read the word since
     * the last barrier, so this read needs no record: see two_suffice. */
    if (!write && first->key == key && second->key == key && cell->key != key &&
        races_past(cell->key, shared) && ((first->who ^ second->who) & WARP_OF_WHO) &&
        ((first->who ^ who) & WARP_OF_WHO) && ((second->who ^ who) & WARP_OF_WHO))
        return true;
    return plain_with_two(cell, write, shared, site);
}
