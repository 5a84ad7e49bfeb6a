/* suite_proof.c: records at which lengths the premises of a theorem about a part were checked, and if there are
 * none, which premise fails.
 *
 * Chong, Donaldson and Ketema (POPL 2014): threads that synchronise only by barriers and never race have one
 * result, whatever the schedule; a scan that is generic in its operator and right on intervals is right for every
 * operator. The premises at a length, and what is checked:
 *     it is parametric                the compiler's output for several types (LAB.generic for each tile, written by
 *                                     simt/spaces/parametric.py)
 *     it is closed                    the same; also, after a call the variables of the file have the values that they
 *                                     had when it was loaded, and kernels make no atomic or volatile access and do not
 *                                     use __activemask(), a clock or malloc
 *     its threads do not race         the device reports neither errors nor warnings in the call
 *     it is right on intervals        the call on intervals, or on fingerprints if the operator is commutative
 * A part that gets no elements can be proved if it only adds up its inputs (simt/spaces/sums.py): then each output is a sum of them
 * with coefficients modulo 2^64 that no input decides. If one of them is wrong, an output is wrong for at least every second image:
 * two choices of one pixel give different results. So 32 random images are all right with a probability of at most 2^-32.
 * A part whose threads talk by atomic and volatile accesses is not closed. If that is the only premise that fails, its schedules are
 * explored instead (suite_explore.c).
 * grader/TRUST.md describes what the first two checks cannot notice; so the text says "checked at", not "proved". */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_RANGES = 64 };

/* Lengths in ascending order, as ranges, in the builds with one tile. */
struct ranges {
    size_t count;
    struct {
        size_t first, last;
    } range[MOST_RANGES];
};

static struct {
    const struct suite_part *part;
    struct ranges lengths[SUITE_TILES]; /* right, clean, and called with separate arrays */
    bool in_place[SUITE_TILES];         /* also called in place at these lengths */
    size_t shapes[SUITE_TILES];         /* of images: the number of shapes, in the place of lengths */
    size_t rows, columns;               /* of images: the maximum */
    size_t calls;
    time_t began, ended;
    bool whole;
    struct suite_case at; /* the next call, or the last one */
    char unclean[1024];   /* the device's report on the first unclean call; or "" */
    uint32_t used;        /* enum simt_used, or-ed over all calls */
} proof;

void suite_proof_begin(const struct suite_part *part)
{
    memset(&proof, 0, sizeof proof);
    proof.part = part;
    proof.began = time(NULL);
}

void suite_proof_try(const struct suite_case *is)
{
    proof.at = *is;
}

/* Adds "n = 33" or "n = 33 and TILE = 64". */
static void add_call(struct suite_text *text, const struct suite_case *is)
{
    suite_add(text, "n = ");
    suite_add_size(text, is->n);
    if (is->tile != SUITE_TILE)
        suite_add(text, " and TILE = %zu", is->tile);
}

static void note_unclean(const struct suite_call *call)
{
    struct suite_text text = suite_text(proof.unclean, sizeof proof.unclean);
    if (call->reply.findings > 0) {
        const struct simt_finding *finding = &call->reply.finding[0];
        suite_add(&text, "%s", finding->warning ? "warning: " : "");
        suite_add_title(&text, finding);
    } else
        suite_add(&text, "memory of the device is not freed");
    suite_add(&text, ", in the call with ");
    add_call(&text, &call->is);
}

void suite_proof_note_again(const struct suite_call *call)
{
    proof.used |= call->reply.used & ~(uint32_t)SIMT_USED_KERNEL;
    if (!proof.unclean[0] && (call->reply.findings > 0 || call->reply.leaks > 0))
        note_unclean(call);
    proof.calls++;
}

void suite_proof_note(const struct suite_call *call)
{
    size_t tile = 0;
    while (suite_tiles[tile] != call->is.tile)
        tile++;
    suite_proof_note_again(call);
    proof.in_place[tile] |= call->is.in_place > 0;
    struct ranges *ranges = &proof.lengths[tile];
    if (call->is.in_place > 0)
        return;
    if (suite_lab->images) {
        const size_t rows = suite_rows(call->is.n), columns = suite_columns(call->is.n);
        proof.shapes[tile]++;
        proof.rows = rows > proof.rows ? rows : proof.rows;
        proof.columns = columns > proof.columns ? columns : proof.columns;
        return;
    }
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
    proof.ended = time(NULL);
}

/* What simt/spaces/parametric.py has found in the compiler's output. */
struct generic {
    bool is_sized;      /* the part depends on the size of an element */
    char reason[400];   /* where it depends on its elements or their type, and why; or "" */
    char gives_up[400]; /* where a loop that waits for other threads may give up; or "" */
    char no_sum[400];   /* where a part without elements does more than to add up its inputs; or "" */
};

/* Adds what was found with this tile. Returns false if this was not checked at compile time. */
static bool read_generic(const char *part, size_t tile, struct generic *found)
{
    char path[4096], line[1024], words[24] = "";
    if (tile != SUITE_TILE)
        snprintf(words, sizeof words, ".%zu", tile);
    snprintf(path, sizeof path, "%s/%s%s.generic", suite_options.submission, suite_lab->name, words);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (!found->reason[0] && fgets(line, sizeof line, file)) {
        const size_t name = strcspn(line, "\t");
        if (!line[name] ||
            !((name == 1 && line[0] == '*') || (strlen(part) == name && memcmp(part, line, name) == 0)))
            continue;
        const char *said = line + name + 1;
        const int length = (int)strcspn(said, "\n");
        if (*said == '=')
            found->is_sized = true;
        else if (*said == '~')
            snprintf(found->gives_up, sizeof found->gives_up, "%.*s", length - 1, said + 1);
        else if (*said == '+')
            snprintf(found->no_sum, sizeof found->no_sum, "%.*s", length - 1, said + 1);
        else
            snprintf(found->reason, sizeof found->reason, "%.*s", length, said);
    }
    fclose(file);
    return true;
}

/* The same for all tiles that the sweep has reached. */
static bool find_generic(const struct suite_part *part, struct generic *found)
{
    bool asked = false;
    memset(found, 0, sizeof *found);
    for (size_t tile = 0; tile < SUITE_TILES && !found->reason[0]; tile++)
        if (suite_has_tile(suite_tiles[tile])) {
            if (!read_generic(part->name, suite_tiles[tile], found))
                return false;
            asked = true;
        }
    return asked;
}

bool suite_proof_needs_images(const struct suite_part *part)
{
    static struct generic generic;
    static const struct suite_part *of;
    static bool found;
    if (part != of)
        found = find_generic(part, &generic);
    of = part;
    return part->sums && suite_options.prove &&
           (suite_options.on_cuda || (found && !generic.reason[0] && !generic.no_sum[0]));
}

/* Adds "1 to 512, 1023" or "2, 4, 8". */
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
           : used & SIMT_USED_STATE    ? "variables or settings that keep a value from one call to the next"
           : used & SIMT_USED_HEAP     ? "malloc() or new, whose addresses depend on the order of threads"
                                       : "a clock";
}

/* Are these all lengths between the first and the last, or all powers of two if the part allows only these? */
static bool is_every(const struct ranges *ranges)
{
    size_t expected = ranges->range[0].first;
    for (size_t i = 0; proof.part->powers_of_two && i < ranges->count; i++)
        for (size_t n = ranges->range[i].first; n <= ranges->range[i].last; n++, expected *= 2)
            if (n != expected)
                return false;
    return proof.part->powers_of_two || ranges->count == 1;
}

/* Adds "every n from 1 to 512", "every power of two from 2 to 512", or "every n from 1 to 66 and some up to 1537". */
static void add_lengths(struct suite_text *text, const struct ranges *ranges)
{
    const size_t first = ranges->range[0].first, last = ranges->range[ranges->count - 1].last;
    const size_t up_to = ranges->range[0].last;
    if (first == last)
        suite_add(text, "n = %zu", first);
    else if (is_every(ranges))
        suite_add(text, "every %s from %zu to %zu", proof.part->powers_of_two ? "power of two" : "n", first,
                  last);
    else if (up_to > first)
        suite_add(text, "every n from %zu to %zu and some up to %zu", first, up_to, last);
    else
        suite_add(text, "some n from %zu to %zu", first, last);
}

/* Adds the list "64 and 1024": the tiles other than `main` at which all lengths were checked (`every`), or some.
 * Returns their number. */
static size_t add_other_tiles(struct suite_text *text, size_t main, bool every, const char *before)
{
    size_t count = 0;
    for (size_t tile = 0; tile < SUITE_TILES; tile++)
        if (tile != main && proof.lengths[tile].count > 0 && is_every(&proof.lengths[tile]) == every)
            suite_add(text, "%s%zu", count++ > 0 ? " and " : before, suite_tiles[tile]);
    return count;
}

/* Adds "32 shapes of up to 4099 rows or 4099 columns (288 with TILE 64)": each build has shapes of its own. */
static void add_shapes(struct suite_text *text)
{
    size_t main = 0;
    while (main + 1 < SUITE_TILES && proof.shapes[main] == 0)
        main++;
    suite_add(text, "%zu shapes of up to %zu rows or %zu columns", proof.shapes[main], proof.rows,
              proof.columns);
    if (suite_tiles[main] != SUITE_TILE)
        suite_add(text, ", with TILE %zu", suite_tiles[main]);
    const char *before = " (";
    for (size_t tile = main + 1; tile < SUITE_TILES; tile++)
        if (proof.shapes[tile] > 0) {
            suite_add(text, "%s%zu with TILE %zu", before, proof.shapes[tile], suite_tiles[tile]);
            before = ", ";
        }
    suite_add(text, "%s", before[0] == ',' ? ")" : "");
}

/* Adds "every n from 1 to 512 (and with TILE 64 and 1024)": the lengths of the usual tile, or of the only build. */
static void add_all_lengths(struct suite_text *text)
{
    size_t main = 0;
    while (main + 1 < SUITE_TILES && proof.lengths[main].count == 0)
        main++;
    add_lengths(text, &proof.lengths[main]);
    if (suite_tiles[main] != SUITE_TILE)
        suite_add(text, " with TILE %zu", suite_tiles[main]);
    size_t others = add_other_tiles(text, main, true, " (and with TILE ");
    others += add_other_tiles(text, main, false,
                              others > 0 ? "; at some n with TILE " : " (and at some n with TILE ");
    if (others > 0)
        suite_add(text, ")");
}

/* Adds "n = 1 to 512, in place too; n = 1, 2, 33 with TILE = 64": all lengths of all builds. */
static void add_details(struct suite_text *text)
{
    const char *before = "";
    for (size_t tile = 0; tile < SUITE_TILES; tile++) {
        if (proof.lengths[tile].count == 0)
            continue;
        suite_add(text, "%sn = ", before);
        add_ranges(text, &proof.lengths[tile]);
        if (suite_tiles[tile] != SUITE_TILE)
            suite_add(text, " with TILE = %zu", suite_tiles[tile]);
        if (proof.in_place[tile])
            suite_add(text, ", in place too");
        before = "; ";
    }
}

/* Adds the lengths or shapes of all calls, and to `details` each length. */
static void add_calls(struct suite_text *text, struct suite_text *details)
{
    if (suite_lab->images)
        add_shapes(text);
    else
        add_all_lengths(text);
    add_details(details);
}

static void add_cost(struct suite_text *text)
{
    if (suite_options.prove)
        suite_add(text, "\n%zu calls in %d s", proof.calls, (int)(proof.ended - proof.began));
}

/* On a GPU: where the fourth premise was checked for nvcc's program. The other premises are the CPU device's to check. */
static enum suite_proof tell_of_gpu(const struct suite_part *part, bool failed, struct suite_text *text,
                                    struct suite_text *details)
{
    if (!suite_options.prove || proof.part != part || suite_proving_monoid(part) < 0)
        return SUITE_PROOF_NONE;
    if (failed || !proof.whole) {
        suite_add(text, "not proved for the GPU: the call with ");
        add_call(text, &proof.at);
        suite_add(text, " fails");
        return SUITE_PROOF_FAILS;
    }
    suite_add(text, "right on %ss on the GPU at ",
              part->sums ? "random image" : monoids[suite_telling_monoid(part)].name);
    add_calls(text, details);
    add_cost(text);
    return SUITE_PROOF_HOLDS;
}

/* Adds that signed overflow is not checked, if a build that finds it is missing. `make test` makes no such builds. */
static void add_unchecked(struct suite_text *text, const struct suite_part *part)
{
    for (size_t tile = 0; tile < SUITE_TILES; tile++)
        if (suite_has_tile(suite_tiles[tile]) &&
            !suite_has_proof_build(suite_proving_monoid(part), suite_tiles[tile])) {
            suite_add(text, ", except for signed overflow");
            return;
        }
}

/* Does the part talk by volatile and atomic accesses and in no other way, and can it be called with a few blocks? */
static bool may_be_explored(void)
{
    static const uint32_t talks = SIMT_USED_ATOMICS | SIMT_USED_VOLATILE;
    return (proof.used & talks) && !(proof.used & ~talks) && suite_has_tile(SMALL_TILE) &&
           proof.part->lengths.tiles == 0 && !proof.part->powers_of_two && !suite_lab->images;
}

enum suite_proof suite_proof_tell(const struct suite_part *part, bool failed, struct suite_text *text,
                                  struct suite_text *details)
{
    struct generic generic;
    if (suite_options.on_cuda)
        return tell_of_gpu(part, failed, text, details);
    if (suite_proving_monoid(part) < 0)
        suite_add(text, "only tested: %s", part->tested);
    if (proof.part != part || suite_proving_monoid(part) < 0 || !find_generic(part, &generic))
        return SUITE_PROOF_NONE;
    const bool good = proof.whole && !failed && !proof.unclean[0];
    if (!generic.reason[0] && !generic.gives_up[0] && may_be_explored() && (good || suite_options.prove)) {
        struct suite_text explored = *text;
        const bool right = suite_explore(part, &explored, &proof.calls);
        if (good || !right) {
            *text = explored;
            if (right) {
                add_unchecked(text, part);
                proof.ended = time(NULL);
                add_cost(text);
            }
            return right ? SUITE_PROOF_HOLDS : SUITE_PROOF_FAILS;
        }
    }
    if (proof.unclean[0])
        suite_add(text, "not proved: %s", proof.unclean);
    else if (!proof.whole) {
        suite_add(text, "not proved: the call with ");
        add_call(text, &proof.at);
        suite_add(text, " fails");
    } else if (failed)
        suite_add(text, "not proved: a test failed");
    else if (generic.reason[0])
        suite_add(text, "not proved: %s", generic.reason);
    else if (part->sums && generic.no_sum[0])
        suite_add(text, "not proved: it does more than add up its inputs: %s", generic.no_sum);
    else if (generic.gives_up[0] && may_be_explored())
        suite_add(text, "not proved: %s", generic.gives_up);
    else if (proof.used)
        suite_add(text, "not proved: it uses %s, so what one run does need not be what another does",
                  used_words(proof.used));
    else {
        suite_add(text, "checked at ");
        add_calls(text, details);
        if (part->sums)
            suite_add(text, ", for all inputs");
        if (generic.is_sized)
            suite_add(text, ", for elements of %zu bytes", sizeof(interval_t));
        add_unchecked(text, part);
        add_cost(text);
        return SUITE_PROOF_HOLDS;
    }
    return SUITE_PROOF_FAILS;
}
