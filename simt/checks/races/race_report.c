#include "checks/races/race_kinds.h"
#include "checks/races/race_past.h"
#include "checks/races/races.h"
#include "checks/races/vector_clock.h"
#include "core/module.h"
#include "core/timeline.h"
#include "report/finding.h"
#include "report/source.h"

#include <stdio.h>
#include <string.h>

/* ---- earlier reports ------------------------------------------------------------------------------------------- */

/* A racy kernel may race a million times at the same two locations. Only the first report is expensive. */
enum { KNOWN = 256 };
static struct {
    uint32_t now, then;
    enum race_verdict verdict;
    int finding;
    bool used;
} known[KNOWN];

void race_reports_forget(void)
{
    memset(known, 0, sizeof known);
}

/* ---- locations ----------------------------------------------------------------------------------------------------- */

/* The code address with this low half. */
static const void *whole_site(uint32_t low)
{
    for (size_t i = 0; i < module_count(); i++) {
        const struct module *module = module_at(i);
        const uintptr_t begin = (uintptr_t)module->code.begin;
        uintptr_t site = (begin & ~(uintptr_t)UINT32_MAX) | low;
        if (site < begin)
            site += (uintptr_t)UINT32_MAX + 1;
        if (range_holds(module->code, (void *)site))
            return (void *)site;
    }
    return NULL;
}

bool race_on_one_line(uint32_t a, uint32_t b)
{
    const void *one = whole_site(a), *two = whole_site(b);
    return a == b || (one && two && source_same_line(one, two));
}

bool race_in_one_statement(uint32_t a, uint32_t b)
{
    const void *one = whole_site(a), *two = whole_site(b);
    return a == b || (one && two && source_same_statement(one, two));
}

/* A side with its location. */
struct party {
    struct race_side side;
    const void *site;
    struct simt_location location;
    const struct operation *operation; /* null for host code */
};

static bool in_kernel(const struct party *party)
{
    return party->operation && party->operation->kind == OPERATION_LAUNCH;
}

static struct party party_of(const struct race_side *side)
{
    struct party party = {.side = *side, .site = whole_site(side->site)};
    if (side->key)
        party.operation = timeline_operation((uint32_t)(side->key >> 32));
    if (party.site && in_kernel(&party))
        finding_locate(party.site, party.operation->site, party.operation->kernel, &party.location);
    else if (party.site)
        source_location(party.site, &party.location);
    return party;
}

static bool writes(const struct party *party)
{
    return is_write(party->side.kind);
}

static unsigned thread_of(const struct party *party)
{
    return clock_thread(party->side.clock);
}

static uint32_t identity_of(const struct party *party)
{
    return (uint32_t)(party->side.key >> 32);
}

/* The order in which the two are named, so that a race has the same text in all schedules: by line; on one line,
 * the read first, then by block and thread. */
static bool goes_first(const struct party *a, const struct party *b)
{
    if (!a->location.line != !b->location.line)
        return a->location.line == 0; /* the second one gives the location of the finding */
    if (strcmp(a->location.file, b->location.file) == 0 && a->location.line != b->location.line)
        return a->location.line < b->location.line;
    if (writes(a) != writes(b))
        return writes(b);
    if (identity_of(a) != identity_of(b))
        return identity_of(a) < identity_of(b);
    return thread_of(a) < thread_of(b);
}

/* ---- actors
 * ------------------------------------------------------------------------------------------------------- */

static struct index3 index_of(struct index3 extent, uint64_t number)
{
    return (struct index3){(uint32_t)(number % extent.x), (uint32_t)(number / extent.x % extent.y),
                           (uint32_t)(number / extent.x / extent.y)};
}

/* The thread of a party in a kernel. */
static struct simt_thread thread_at(const struct party *party)
{
    const struct index3 dim = party->operation->dim, grid = party->operation->grid;
    return finding_position(dim, index_of(dim, thread_of(party)), grid,
                            index_of(grid, identity_of(party) - party->operation->first));
}

/* The actor to be named. `thread` is the actor for a thread of a kernel; it depends on how far apart the two are. */
static enum simt_actor actor_of(const struct party *party, enum simt_actor thread)
{
    if (!party->operation)
        return SIMT_ACTOR_HOST;
    switch (party->operation->kind) {
    case OPERATION_CALLBACK:
        return SIMT_ACTOR_CALLBACK;
    case OPERATION_ARRIVAL:
        return SIMT_ACTOR_CALLER;
    case OPERATION_FREE:
        return SIMT_ACTOR_FREE;
    case OPERATION_LAUNCH:
        return thread;
    case OPERATION_COPY:
        return SIMT_ACTOR_COPY;
    default:
        return SIMT_ACTOR_FILL;
    }
}

static enum simt_act act_of(const struct party *party)
{
    static const enum simt_act acts[] = {
        [SIDE_READ] = SIMT_ACT_READS,
        [SIDE_WRITE] = SIMT_ACT_WRITES,
        [SIDE_STRONG_READ] = SIMT_ACT_READS_ATOMICALLY,
        [SIDE_STRONG_WRITE] = SIMT_ACT_WRITES_ATOMICALLY,
        [SIDE_VOLATILE_READ] = SIMT_ACT_READS_VOLATILE,
        [SIDE_VOLATILE_WRITE] = SIMT_ACT_WRITES_VOLATILE,
        [SIDE_BLOCK_READ] = SIMT_ACT_READS_FOR_BLOCK,
        [SIDE_BLOCK_WRITE] = SIMT_ACT_WRITES_FOR_BLOCK,
    };
    if (party->operation && party->operation->kind == OPERATION_FREE)
        return SIMT_ACT_FREES;
    if (party->operation && party->operation->kind == OPERATION_ARRIVAL)
        return SIMT_ACT_WRITES_BEFORE_CALL;
    return acts[party->side.kind];
}

static struct simt_side side_named(const struct party *party, enum simt_actor thread)
{
    struct simt_side side = {.actor = actor_of(party, thread), .act = act_of(party)};
    if (party->operation)
        side.stream = timeline_stream_number(party->operation->stream);
    if (in_kernel(party))
        side.thread = thread_at(party);
    if (side.actor == SIMT_ACTOR_THREAD_OF_LAUNCH) {
        struct simt_location launch;
        source_location(party->operation->site, &launch);
        snprintf(side.kernel, sizeof side.kernel, "%s", party->operation->kernel);
        side.launch = launch.line;
    }
    if (side.actor != SIMT_ACTOR_CALLER)
        finding_stands_at(&side, &party->location);
    return side;
}

/* ---- the missing order ----------------------------------------------------------------------------------------- */

struct missing {
    enum simt_missing missing;
    enum simt_hint hint;
};
#define MISSING(order, try) ((struct missing){SIMT_MISSING_##order, SIMT_HINT_##try})

static bool is_atomic(const struct party *party)
{
    return is_strong(party->side.kind);
}

/* Of a party in a kernel. */
static uint64_t threads_of_block(const struct party *party)
{
    const struct index3 dim = party->operation->dim;
    return (uint64_t)dim.x * dim.y * dim.z;
}

/* Had the party's block passed a barrier? A launch begins with epoch 1. */
static bool has_passed_barrier(const struct party *party)
{
    return (uint32_t)party->side.key > 1;
}

/* Two atomics for the whole device race with each other for no other reason. */
static bool are_of_two_widths(const struct party *one, const struct party *two)
{
    return is_atomic_for_all(one->side.kind) && is_atomic_for_all(two->side.kind);
}

static struct missing missing_between_launches(const struct party *one, const struct party *two)
{
    return one->operation && two->operation ? MISSING(ORDER_OF_STREAMS, ONE_STREAM)
                                            : MISSING(HOST_WAIT, SYNC_DEVICE);
}

static struct missing missing_before_flag(const struct race *race)
{
    switch (race->flag.fence) {
    case FLAG_TOO_EARLY:
        return MISSING(RELEASE_BEFORE_FLAG, DATA_THEN_FLAG);
    case FLAG_FENCED:
        return MISSING(RELEASE_OF_ALL, BARRIER_THEN_FLAG);
    case FLAG_FOR_BLOCK:
        return MISSING(RELEASE_TO_DEVICE, DEVICE_FENCE);
    default:
        return MISSING(RELEASE, BOTH_FENCES);
    }
}

static struct missing missing_between_blocks(const struct race *race, const struct party *one,
                                             const struct party *two)
{
    if (race->verdict != RACE_NO_FENCE && are_of_two_widths(one, two))
        return MISSING(ONE_WIDTH, SAME_BYTES);
    if (race->verdict != RACE_NO_FENCE && is_atomic(one) && is_atomic(two))
        return MISSING(DEVICE_SCOPE, NO_BLOCK_SCOPE);
    /* What only the writer's own block has read, such as a step of its reduction, was no flag for another block. */
    const bool between_blocks = race->flag.reader_identity != race->flag.key >> 32;
    if (race->flag.site && (between_blocks || race->verdict == RACE_NO_FENCE))
        return missing_before_flag(race);
    if (is_atomic(one) != is_atomic(two))
        return MISSING(ORDER_OF_BLOCKS, ATOMIC_OR_LAUNCH);
    if (writes(one) && writes(two))
        return threads_of_block(one) == 1 ? MISSING(ORDER_OF_BLOCKS, BLOCKS_FIRST)
                                          : MISSING(ORDER_OF_BLOCKS, OWN_ELEMENTS_OF_BLOCK);
    return MISSING(ORDER_OF_BLOCKS, SECOND_LAUNCH);
}

static struct missing missing_in_block(const char *address, const struct party *one, const struct party *two)
{
    const bool one_warp = thread_of(one) / WARP_SIZE == thread_of(two) / WARP_SIZE;
    const bool small = threads_of_block(one) <= WARP_SIZE;
    if (are_of_two_widths(one, two))
        return MISSING(ONE_WIDTH, SAME_BYTES);
    if (is_atomic(one) != is_atomic(two))
        return MISSING(BARRIER, BARRIER_OR_ATOMIC);
    if (writes(one) && writes(two))
        return one->location.line != two->location.line ? MISSING(BARRIER, BARRIER_OR_ONE_THREAD)
                                                        : MISSING(BARRIER, OWN_ELEMENT);
    if (one_warp && race_launch.warps)
        return MISSING(SYNCWARP, SYNCWARP);
    if (writes(two) && source_variable(address).memory == SIMT_IN_ALLOCATION)
        return has_passed_barrier(one) || has_passed_barrier(two) ? MISSING(BARRIER, BARRIER_OF_TURN)
                                                                  : MISSING(BARRIER, OTHER_ARRAY);
    if (writes(two) && one->location.line == two->location.line)
        return MISSING(BARRIER, STEP);
    if (writes(two))
        return small ? MISSING(BARRIER, SECOND_BARRIER_IN_WARP) : MISSING(BARRIER, SECOND_BARRIER);
    return small ? MISSING(BARRIER, BARRIER_IN_WARP) : MISSING(BARRIER, BARRIER);
}

/* Do both execute one line that changes the variable: count[key]++? Then each thread reads it and writes it. */
static bool both_change(const struct race *race, const struct party *one, const struct party *two)
{
    return !is_atomic(one) && !is_atomic(two) && race_on_one_line(one->side.site, two->side.site) &&
           source_changes(two->site, source_variable(race->address).name);
}

static struct missing missing(const struct race *race, const struct party *one, const struct party *two)
{
    if (race->verdict == RACE_NO_ACQUIRE)
        return MISSING(ACQUIRE, ACQUIRE);
    if (race->verdict == RACE_TICKET_ONLY)
        return MISSING(ACQUIRE_OF_TICKET, ACQUIRE_OF_TICKET);
    if (race->verdict == RACE_LOCKSTEP)
        return MISSING(SYNCWARP_FOR_LOCKSTEP, SYNCWARP_EACH_STEP);
    if (race->verdict == RACE_VOLATILE)
        return MISSING(WAIT, VOLATILE);
    if (race->verdict == RACE_GUESS)
        return MISSING(ATOMIC_GUESS, ATOMIC_GUESS);
    const bool launches = !in_kernel(one) || !in_kernel(two) || one->operation != two->operation;
    if (race->verdict == RACE_SAME_VALUE)
        return !launches && threads_of_block(one) == 1 ? MISSING(ORDER_OF_EQUAL_WRITES, BLOCKS_FIRST)
                                                       : MISSING(ORDER_OF_EQUAL_WRITES, ONE_WRITER);
    if (launches)
        return missing_between_launches(one, two);
    if (race->verdict == RACE_NO_FENCE)
        return missing_between_blocks(race, one, two);
    const bool blocks = identity_of(one) != identity_of(two);
    struct missing lacks =
        blocks ? missing_between_blocks(race, one, two) : missing_in_block(race->address, one, two);
    if (both_change(race, one, two))
        lacks.hint = SIMT_HINT_ATOMIC_CHANGE;
    return lacks;
}

/* ---- the report ---------------------------------------------------------------------------------------------------- */

static enum simt_rule rule_of(enum race_verdict verdict)
{
    switch (verdict) {
    case RACE_SAME_VALUE:
        return SIMT_RULE_RACE_SAME_VALUE;
    case RACE_NO_ACQUIRE:
        return SIMT_RULE_RACE_NO_ACQUIRE;
    case RACE_TICKET_ONLY:
        return SIMT_RULE_RACE_TICKET_ONLY;
    case RACE_NO_FENCE:
        return SIMT_RULE_RACE_NO_RELEASE;
    case RACE_VOLATILE:
        return SIMT_RULE_RACE_VOLATILE;
    case RACE_LOCKSTEP:
        return SIMT_RULE_RACE_LOCKSTEP;
    case RACE_GUESS:
        return SIMT_RULE_RACE_GUESS;
    default:
        return SIMT_RULE_RACE;
    }
}

/* The operation of the second access, which gives the location of the finding. */
static enum simt_operation operation_of(const struct party *party)
{
    if (is_strong(party->side.kind))
        return writes(party) ? SIMT_ATOMIC : SIMT_ATOMIC_READ;
    return writes(party) ? SIMT_WRITE : SIMT_READ;
}

static bool is_warning(enum race_verdict verdict)
{
    return verdict == RACE_SAME_VALUE || verdict == RACE_TICKET_ONLY || verdict == RACE_LOCKSTEP ||
           verdict == RACE_VOLATILE || verdict == RACE_GUESS;
}

/* Says which array was meant if one of the two was not meant for the array on which they race. */
static void explain_past(const char *address, const struct party *one, const struct party *two,
                         struct finding_facts *facts)
{
    static struct race_past past; /* threads of a kernel have small stacks */
    if (!in_kernel(one) || !in_kernel(two) ||
        (!race_past_array(address, two->site, thread_of(two), &past) &&
         !race_past_array(address, one->site, thread_of(one), &past)))
        return;
    facts->note[facts->note[0] == SIMT_NOTE_NONE ? 0 : 1] = SIMT_NOTE_PAST_SHARED_ARRAY;
    facts->hint = past.is_of_thread ? SIMT_HINT_FEWER_THREADS_OR_LENGTH : SIMT_HINT_ARRAY_LENGTH;
    struct finding_fact *fact = &facts->fact[facts->fact[0].name == SIMT_FACT_NONE ? 0 : 1];
    fact[0] = (struct finding_fact)FACT_TEXT(EXPRESSION, past.element);
    fact[1] = (struct finding_fact)FACT_TEXT(HOLDER, past.array);
    fact[2] = (struct finding_fact)FACT_NUMBER(ELEMENTS, past.length);
}

static int report(const struct race *race)
{
    struct party one = party_of(&race->now), two = party_of(&race->then);
    if (goes_first(&two, &one)) {
        struct party swapped = one;
        one = two;
        two = swapped;
    }
    const bool launches = one.operation != two.operation;
    const bool blocks = !launches && identity_of(&one) != identity_of(&two);
    const struct missing lacks = missing(race, &one, &two);
    const enum simt_actor thread = launches ? SIMT_ACTOR_THREAD_OF_LAUNCH
                                   : blocks ? SIMT_ACTOR_THREAD_OF_BLOCK
                                            : SIMT_ACTOR_THREAD;
    const struct simt_side sides[] = {side_named(&one, thread), side_named(&two, thread)};
    const bool several = !launches && !blocks && in_kernel(&one) && one.operation->count > 1;
    struct finding_facts facts = {.rule = rule_of(race->verdict),
                                  .warning = is_warning(race->verdict),
                                  .site = two.site,
                                  .other = one.site,
                                  .variable = source_variable(race->address),
                                  .operation = operation_of(&two),
                                  .side = sides,
                                  .sides = 2,
                                  .missing = lacks.missing,
                                  .note = {several ? SIMT_NOTE_IN_BLOCK : SIMT_NOTE_NONE},
                                  .hint = lacks.hint};
    if (race->flag.site)
        facts.fact[0] = (struct finding_fact)FACT_LOCATION(FLAG, whole_site(race->flag.site));
    if (in_kernel(&two))
        facts.thread = thread_at(&two);
    if (facts.variable.memory == SIMT_IN_SHARED)
        explain_past(race->address, &one, &two, &facts);
    return finding_report(&facts);
}

void race_report(const struct race *race)
{
    size_t slot = (race->now.site * 31u + race->then.site * 17u + race->verdict) % KNOWN;
    if (!known[slot].used || known[slot].now != race->now.site || known[slot].then != race->then.site ||
        known[slot].verdict != race->verdict) {
        known[slot].now = race->now.site;
        known[slot].then = race->then.site;
        known[slot].verdict = race->verdict;
        known[slot].used = true;
        known[slot].finding = report(race);
    } else {
        finding_again(known[slot].finding);
    }
}
