#include "checks/races/race_kinds.h"
#include "checks/races/races.h"
#include "checks/races/vector_clock.h"
#include "core/module.h"
#include "core/timeline.h"
#include "report/finding.h"
#include "report/memory_words.h"
#include "report/source.h"

#include <stdio.h>
#include <string.h>

/* ---- reported before ------------------------------------------------------------------------------------------ */

/* A racy kernel races a million times at the same two places: only the first time costs. */
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

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* The code address with that low half. */
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

/* A side with its place. */
struct party {
    struct race_side side;
    const void *site;
    struct simt_place place;
    const struct operation *operation; /* null for host code */
};

static struct party party_of(const struct race_side *side)
{
    struct party party = {.side = *side, .site = whole_site(side->site)};
    if (party.site)
        source_place(party.site, &party.place);
    if (side->key)
        party.operation = timeline_operation((uint32_t)(side->key >> 32));
    return party;
}

static bool writes(const struct party *party)
{
    return is_write(party->side.kind);
}

static bool in_kernel(const struct party *party)
{
    return party->operation && party->operation->kind == OPERATION_LAUNCH;
}

static unsigned thread_of(const struct party *party)
{
    return clock_thread(party->side.clock);
}

static uint32_t identity_of(const struct party *party)
{
    return (uint32_t)(party->side.key >> 32);
}

/* The order in which the two are named, so that a race reads the same in all schedules: by line; on one line, the
 * read first, then by block and thread. */
static bool goes_first(const struct party *a, const struct party *b)
{
    if (!a->place.line != !b->place.line)
        return a->place.line == 0; /* the second one is where the finding stands */
    if (strcmp(a->place.file, b->place.file) == 0 && a->place.line != b->place.line)
        return a->place.line < b->place.line;
    if (writes(a) != writes(b))
        return writes(b);
    if (identity_of(a) != identity_of(b))
        return identity_of(a) < identity_of(b);
    return thread_of(a) < thread_of(b);
}

/* ---- who ---------------------------------------------------------------------------------------------------------- */

static const char *index_words(struct index3 extent, uint64_t number)
{
    const unsigned x = (unsigned)(number % extent.x), y = (unsigned)(number / extent.x % extent.y),
                   z = (unsigned)(number / extent.x / extent.y);
    if (extent.z > 1)
        return text("(%u, %u, %u)", x, y, z);
    if (extent.y > 1)
        return text("(%u, %u)", x, y);
    return text("%u", x);
}

static const char *block_words(const struct party *party)
{
    return index_words(party->operation->grid, identity_of(party) - party->operation->first);
}

static const char *stream_words(const void *stream)
{
    const unsigned number = timeline_stream_number(stream);
    return number ? text("stream %u", number) : "the default stream";
}

static const char *who_words(const struct party *party, bool with_block, bool with_launch)
{
    if (!party->operation)
        return "host code";
    if (party->operation->kind == OPERATION_CALLBACK)
        return "the host function that a stream calls";
    if (party->operation->kind == OPERATION_ARRIVAL)
        return "the caller's copy in the default stream";
    if (party->operation->kind == OPERATION_FREE)
        return text("cudaFreeAsync() in %s", stream_words(party->operation->stream));
    if (party->operation->kind != OPERATION_LAUNCH)
        return text("a %s in %s", party->operation->kind == OPERATION_COPY ? "copy" : "fill",
                    stream_words(party->operation->stream));
    const char *thread = index_words(party->operation->dim, thread_of(party));
    if (!with_block && !with_launch)
        return text("thread %s", thread);
    const char *one = text("thread %s of block %s", thread, block_words(party));
    if (!with_launch)
        return one;
    struct simt_place launch;
    source_place(party->operation->site, &launch);
    return text("%s of %s, launched at line %d into %s,", one, party->operation->kernel, launch.line,
                stream_words(party->operation->stream));
}

static const char *verb(const struct party *party)
{
    if (party->operation && party->operation->kind == OPERATION_FREE)
        return "frees it";
    switch (party->side.kind) {
    case SIDE_READ:
        return "reads it";
    case SIDE_WRITE:
        return "writes it";
    case SIDE_STRONG_READ:
        return "reads it atomically";
    case SIDE_STRONG_WRITE:
        return "writes it atomically";
    case SIDE_VOLATILE_READ:
        return "reads it (volatile)";
    case SIDE_VOLATILE_WRITE:
        return "writes it (volatile)";
    case SIDE_BLOCK_READ:
        return "reads it (atomic for its block)";
    case SIDE_BLOCK_WRITE:
        break;
    }
    return "writes it (atomic for its block)";
}

static void fill_side(struct simt_side *side, const struct party *party, bool with_block, bool with_launch)
{
    const bool arrival = party->operation && party->operation->kind == OPERATION_ARRIVAL;
    const char *where = arrival ? " before the call" : party->place.line == 0 ? " at an unknown place" : "";
    snprintf(side->who, sizeof side->who, "%s", who_words(party, with_block, with_launch));
    snprintf(side->does, sizeof side->does, "%s%s", verb(party), where);
    snprintf(side->file, sizeof side->file, "%.63s", party->place.file);
    side->line = arrival ? 0 : party->place.line;
}

/* ---- what is missing ------------------------------------------------------------------------------------------- */

struct words {
    const char *missing, *hint;
};

static bool is_atomic(const struct party *party)
{
    return is_strong(party->side.kind);
}

/* Atomics for the whole device race with each other for no other reason. */
static bool are_of_two_widths(const struct party *one, const struct party *two)
{
    return is_atomic_for_all(one->side.kind) && is_atomic_for_all(two->side.kind);
}

static const struct words two_widths = {"and atomic operations of two widths are not atomic to each other",
                                        "let all of them act on the same bytes"};

static struct words missing_between_launches(const struct party *one, const struct party *two)
{
    if (!one->operation || !two->operation)
        return (struct words){
            "and host code does not wait for it",
            "cudaDeviceSynchronize() or cudaStreamSynchronize() before host code touches it"};
    return (struct words){"and nothing orders the two streams",
                          "put both into one stream, or cudaEventRecord() after the first and "
                          "cudaStreamWaitEvent() before the second"};
}

static struct words missing_between_blocks(const struct race *race, const struct party *one,
                                           const struct party *two)
{
    if (race->verdict != RACE_NO_FENCE && are_of_two_widths(one, two))
        return two_widths;
    if (race->verdict != RACE_NO_FENCE && is_atomic(one) && is_atomic(two))
        return (struct words){"and an atomic operation of block scope is none to other blocks",
                              "leave out the _block: atomicAdd(), or cuda::thread_scope_device"};
    if (race->flag.site) {
        const char *flag = place_beside(whole_site(race->flag.site), two->site);
        if (race->flag.fence == FLAG_TOO_EARLY)
            return (struct words){text("and the flag that %s sets is set before it", flag),
                                  "write the data, __threadfence(), then set the flag"};
        if (race->flag.fence == FLAG_FENCED)
            return (struct words){
                text("and the fence before the flag that %s sets does not cover it", flag),
                "let all threads that write come to a __syncthreads(); then one of them fences and sets the "
                "flag"};
        if (race->flag.fence == FLAG_FOR_BLOCK)
            return (struct words){
                text("and the fence before the flag that %s sets orders for its own block only", flag),
                "__threadfence(), not __threadfence_block(): the reader is in another block"};
        return (struct words){
            text("and no __threadfence() stands before the flag that %s sets", flag),
            "write the data, __threadfence(), then set the flag; read the flag, __threadfence(), then the "
            "data"};
    }
    if (is_atomic(one) != is_atomic(two))
        return (struct words){"and nothing orders blocks of one launch",
                              "make both accesses atomic, or put the second into a launch of its own"};
    if (writes(one) && writes(two))
        return (struct words){"and nothing orders blocks of one launch",
                              "let each block write elements of its own; to add up, use atomicAdd()"};
    return (struct words){
        "and nothing orders blocks of one launch",
        "end the kernel between the two: a second launch sees all that the first one wrote"};
}

static struct words missing_in_block(const struct party *one, const struct party *two)
{
    const bool one_warp = thread_of(one) / WARP_SIZE == thread_of(two) / WARP_SIZE;
    const struct index3 dim = one->operation->dim;
    const bool small = (uint64_t)dim.x * dim.y * dim.z <= WARP_SIZE; /* the block is one warp */
    if (are_of_two_widths(one, two))
        return two_widths;
    if (is_atomic(one) != is_atomic(two))
        return (struct words){"and no barrier stands between",
                              "__syncthreads() between the two, or make both accesses atomic"};
    if (writes(one) && writes(two))
        return (struct words){"and no barrier stands between",
                              one->place.line != two->place.line
                                  ? "__syncthreads() between the two, if both are meant; or else let one "
                                    "thread write it"
                                  : "let one thread write it, or give each thread an element of its own"};
    if (one_warp && race_launch.warps)
        return (struct words){"and no __syncwarp() or barrier stands between",
                              "__syncwarp() between the two: lanes of a warp need not run in lockstep, and a "
                              "shuffle orders no memory"};
    if (writes(two))
        return (struct words){"and no barrier stands between",
                              small
                                  ? "a second __syncthreads() after every thread has read its operand; lanes "
                                    "of one warp need not run in lockstep"
                                  : "a second __syncthreads() after every thread has read its operand"};
    return (struct words){"and no barrier stands between",
                          small
                              ? "__syncthreads() between the write and the read; lanes of one warp need not "
                                "run in lockstep"
                              : "__syncthreads() between the write and the read"};
}

static struct words missing(const struct race *race, const struct party *one, const struct party *two)
{
    if (race->verdict == RACE_NO_ACQUIRE)
        return (struct words){
            "and the reader has no fence between the flag and this",
            "__threadfence() after the loop that waits for the flag, in the thread that waits"};
    if (race->verdict == RACE_LOCKSTEP)
        return (struct words){
            "and no __syncwarp() makes one wait for the other",
            "__syncwarp() after each step: lanes of a warp need not run in lockstep, whatever is volatile"};
    if (race->verdict == RACE_VOLATILE)
        return (struct words){"and nothing makes one wait for the other",
                              "volatile keeps accesses and orders none: __syncthreads() between the two, or "
                              "a flag with fences"};
    if (race->verdict == RACE_SAME_VALUE)
        return (struct words){"the same value, and nothing orders them",
                              "let one thread write it: then nobody need ask whether it is always the same"};
    if (!in_kernel(one) || !in_kernel(two) || one->operation != two->operation)
        return missing_between_launches(one, two);
    if (identity_of(one) != identity_of(two) || race->verdict == RACE_NO_FENCE)
        return missing_between_blocks(race, one, two);
    return missing_in_block(one, two);
}

/* ---- the report ---------------------------------------------------------------------------------------------------- */

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
    const struct words words = missing(race, &one, &two);
    struct simt_side sides[2];
    char variable[128], title[256], lacks[256];
    snprintf(lacks, sizeof lacks, "%s", words.missing); /* text() is good for a few more texts only */
    source_variable(race->address, variable, sizeof variable);
    const char *name = variable[0] ? variable : text("the memory at %p", (const void *)race->address);
    const char *what = race->verdict == RACE_SAME_VALUE   ? "the same value is written several times to"
                       : race->verdict == RACE_NO_ACQUIRE ? "no fence between the flag and"
                       : race->verdict == RACE_NO_FENCE   ? "no fence between the flag and"
                       : race->verdict == RACE_VOLATILE   ? "the order of threads decides what is read of"
                       : race->verdict == RACE_LOCKSTEP   ? "lanes of a warp rely on lockstep for"
                                                          : "race on";
    snprintf(title, sizeof title, "%s %s", what, name);
    fill_side(&sides[0], &one, blocks, launches);
    fill_side(&sides[1], &two, blocks, launches);
    const bool several = !launches && !blocks && in_kernel(&one) && one.operation->count > 1;
    return finding_report(
        &(struct finding_text){.kind = SIMT_RACE,
                               .warning = race->verdict == RACE_SAME_VALUE ||
                                          race->verdict == RACE_LOCKSTEP || race->verdict == RACE_VOLATILE,
                               .site = two.site,
                               .other = one.site,
                               .variable = variable,
                               .title = title,
                               .side = sides,
                               .sides = 2,
                               .missing = lacks,
                               .detail = several ? text("in block %s", block_words(&one)) : NULL,
                               .hint = words.hint});
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
