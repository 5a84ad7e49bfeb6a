/* suite_proof.c: for which lengths a part is proved right, and if for none, which premise of the theorem fails.
 *
 * Chong, Donaldson and Ketema (POPL 2014): threads that synchronise by barriers alone and never race have one result,
 * whatever the schedule; a scan that is generic in its operator and right on intervals is right for every operator.
 * So a part is proved for a length when
 *     its source is generic: it compiles with an elem_t that nothing but combine() can look into (LAB.generic)
 *     the call on intervals gives the right result, and the device finds no race nor anything else wrong
 *     no atomic or volatile access, __activemask() or clock was seen
 * Fingerprints do for a commutative operator what intervals do, but for a chance of 2^-32 that two choices of elements
 * look alike. */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

enum { MOST_RANGES = 64 };

/* Lengths in ascending order, as ranges, in the builds of one tile. */
struct ranges {
    size_t count;
    struct {
        size_t first, last;
    } range[MOST_RANGES];
};

static struct {
    const struct suite_part *part;
    struct ranges lengths[SUITE_TILES]; /* right, clean, and called with all arrays apart */
    bool in_place[SUITE_TILES];         /* called in place at these lengths too */
    bool whole, dirty;
    uint32_t used; /* enum simt_used, or-ed over all calls */
} proof;

void suite_proof_begin(const struct suite_part *part)
{
    memset(&proof, 0, sizeof proof);
    proof.part = part;
}

void suite_proof_note(const struct suite_call *call, bool clean)
{
    size_t tile = 0;
    while (suite_tiles[tile] != call->is.tile)
        tile++;
    proof.used |= call->reply.used & ~(uint32_t)SIMT_USED_KERNEL;
    proof.dirty |= !clean;
    proof.in_place[tile] |= call->is.in_place > 0;
    struct ranges *ranges = &proof.lengths[tile];
    if (call->is.in_place > 0)
        return;
    if (ranges->count > 0 && ranges->range[ranges->count - 1].last + 1 == call->is.n)
        ranges->range[ranges->count - 1].last++;
    else if (ranges->count < MOST_RANGES) {
        ranges->range[ranges->count].first = ranges->range[ranges->count].last = call->is.n;
        ranges->count++;
    }
}

void suite_proof_end(void)
{
    proof.whole = true;
}

/* Where the source is not generic: the compiler's first error; "" when it is. False when the compiler was not asked. */
static bool read_generic(char *line, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.generic", suite_options.submission, suite_lab->name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t length = fread(line, 1, size - 1, file);
    line[length] = 0;
    line[strcspn(line, "\n")] = 0;
    fclose(file);
    return true;
}

/* "1 to 512, 1023", "2, 4, 8" */
static void add_ranges(struct suite_text *text, const struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++) {
        size_t first = ranges->range[i].first, last = ranges->range[i].last;
        suite_add(text, "%s%zu", i > 0 ? ", " : "", first);
        if (last > first)
            suite_add(text, "%s%zu", last == first + 1 ? ", " : " to ", last);
    }
}

static const char *used_words(uint32_t used)
{
    return used & SIMT_USED_ATOMICS    ? "atomic operations"
           : used & SIMT_USED_VOLATILE ? "volatile accesses"
           : used & SIMT_USED_ACTIVE   ? "__activemask() or coalesced_threads()"
                                       : "a clock";
}

bool suite_proof_tell(const struct suite_part *part, bool failed, struct suite_text *text)
{
    char generic[400];
    const int monoid = suite_telling_monoid(part);
    if (proof.part != part || suite_options.on_cuda ||
        (monoid != MONOID_INTERVAL && monoid != MONOID_FINGERPRINT) || !read_generic(generic, sizeof generic))
        return false;
    if (failed || !proof.whole || proof.dirty)
        suite_add(text, "not proved: a test failed");
    else if (generic[0])
        suite_add(text, "not proved: the source is not generic in elem_t and combine: %s", generic);
    else if (proof.used)
        suite_add(text, "not proved: threads use %s, so what one run does need not be what another does",
                  used_words(proof.used));
    else {
        const char *before = "proved for";
        for (size_t tile = 0; tile < SUITE_TILES; tile++) {
            if (proof.lengths[tile].count == 0)
                continue;
            suite_add(text, "%s n = ", before);
            add_ranges(text, &proof.lengths[tile]);
            if (suite_tiles[tile] != SUITE_TILE)
                suite_add(text, " with TILE = %zu", suite_tiles[tile]);
            if (proof.in_place[tile])
                suite_add(text, ", in place too");
            before = ";";
        }
        if (monoid == MONOID_FINGERPRINT)
            suite_add(text, "; but for a chance of 2^-32 at each");
    }
    return true;
}
