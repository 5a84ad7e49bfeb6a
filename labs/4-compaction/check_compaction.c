/* check_compaction.c: the parts of lab 4 and their tests, for both suites: the public one, whose main function is
 * in suite_public.c, and the grading one. */
#include "compaction.h"
#include "check_compaction.h"
#include "random.h"
#include "suite.h"
#include "suite_parts.h"
#include "suite_marks.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- meters -------------------------------------------------------------------------------------------- */

/* The array that is scanned may be as long as the elements of whole blocks, and longer by one for the total. */
static uint64_t one_scan(size_t n)
{
    return 2 * (uint64_t)n + 2048;
}

static uint64_t one_scan_of_warps(size_t n)
{
    return 2 * (((uint64_t)n + 31) / 32) + 64;
}

/* Flags, slots and elements are each written once and read once or twice, as numbers of 4 or 8 bytes. A hand-written scan
 * in log steps accesses 3n log2 n elements. */
static uint64_t flags_and_slots(size_t n)
{
    return 12 * (uint64_t)n + 16384;
}

/* The input is read twice. A slot for each element would be written and read, too. */
static uint64_t no_slots(size_t n)
{
    return 6 * (uint64_t)n + 16384;
}

static uint64_t none(size_t n)
{
    (void)n;
    return 0;
}

static const struct suite_bound map_shared[] = {SHARED_MAP, {NULL, NULL, NULL}};
static const struct suite_bound scan_shared[] = {SHARED_SCAN, HOST_NUMBERS, {NULL, NULL, NULL}};

static const struct suite_bound compact_bounds[] = {
    {"combines", "2n + 2048 additions: one stock scan of the flags", one_scan},
    {"global elements", "12n + 16384: flags, slots and elements", flags_and_slots},
    {NULL, NULL, NULL}};
static const struct suite_bound compact_warp_bounds[] = {
    {"combines", "2 ceil(n / 32) + 64 additions: one stock scan of a count for each warp", one_scan_of_warps},
    {"barriers", "0: the lanes of a warp vote without one", none},
    {"global elements", "6n + 16384: the elements, and a few numbers for each warp", no_slots},
    {NULL, NULL, NULL}};

/* ---- inputs -------------------------------------------------------------------------------------------- */

enum { READABLE = 64 /* elements, in inputs that a person may read */ };

/* How many elements of a random input are kept. The seed chooses it, because a replay line has only the seed. */
enum share { BY_BITS, HALF, NONE, ALL, FEW, MOST, IN_RUNS, AT_THE_ENDS, ALL_BUT_THE_LAST, SHARES };

static enum share share_of(const struct suite_case *is)
{
    return (enum share)(suite_style_seed(is) % SHARES);
}

/* Returns a seed near `seed` that chooses the share. */
static uint64_t seed_of_share(uint64_t seed, enum share share)
{
    return seed / SHARES * SHARES + (uint64_t)share;
}

/* Returns the seed that keeps the elements whose bits are set in `mask`, which is repeated every 32 elements. */
uint64_t seed_of_mask(uint32_t mask)
{
    return (uint64_t)mask * SHARES + BY_BITS;
}

/* Returns flags: flags[i] is 1 if element i of a random input is kept. */
static unsigned *random_flags(const struct suite_case *is)
{
    struct random random = random_stream(is->seed, is->n * 64 + 7);
    unsigned *flags = suite_memory(is->n * sizeof *flags);
    uint64_t left = 0; /* left in a run */
    bool kept = false;
    for (size_t i = 0; i < is->n; i++) {
        switch (share_of(is)) {
        case BY_BITS:
            flags[i] = is->seed / SHARES >> i % 32 & 1;
            break;
        case NONE:
            flags[i] = 0;
            break;
        case ALL:
            flags[i] = 1;
            break;
        case FEW:
            flags[i] = random_below(&random, 64) == 0;
            break;
        case MOST:
            flags[i] = random_below(&random, 64) != 0;
            break;
        case IN_RUNS: /* some runs are longer than a tile */
            if (left == 0) {
                left = random_below(&random, (uint64_t)2 << random_below(&random, 11)) + 1;
                kept = !kept;
            }
            left--;
            flags[i] = kept;
            break;
        case ALL_BUT_THE_LAST:
            flags[i] = i + 1 < is->n;
            break;
        case AT_THE_ENDS:
            flags[i] = i == 0 || i + 1 == is->n;
            break;
        default:
            flags[i] = random_bits(&random) & 1;
            break;
        }
    }
    return flags;
}

/* Values of the case's kind. Short random inputs get values that a person can read. A quarter of the random values
 * are ones that a kernel could confuse with a mark, or that are lost in a smaller type, a product or an absolute
 * value. */
static int *telling_values(const struct suite_case *is)
{
    static const int marks[] = {0,           -1,     1,       INT_MIN,    INT_MAX,
                                INT_MIN + 1, 1 << 8, 1 << 16, -(1 << 16), 1 << 24};
    int *in = suite_values(is, is->n, 0);
    if (is->input != INPUT_RANDOM)
        return in;
    struct random random = random_stream(is->seed, is->n * 64 + 8);
    for (size_t i = 0; i < is->n; i++)
        if (random_below(&random, 4) == 0)
            in[i] = marks[random_below(&random, sizeof marks / sizeof *marks)];
        else if (is->n <= READABLE)
            in[i] %= 1000;
    return in;
}

/* The elements of a case: 0 if they are not kept, else not 0. */
static const int *elements(const struct suite_case *is)
{
    int *in = telling_values(is);
    if (is->input != INPUT_RANDOM)
        return in;
    unsigned *flags = random_flags(is);
    for (size_t i = 0; i < is->n; i++)
        in[i] = !flags[i] ? 0 : in[i] != 0 ? in[i] : 1;
    return in;
}

static const unsigned *flags_of(const int *in, size_t n)
{
    unsigned *flags = suite_memory(n * sizeof *flags);
    for (size_t i = 0; i < n; i++)
        flags[i] = keep(in[i]);
    return flags;
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

/* Returns the expected `out`, computed by a plain loop, and the number of kept elements. */
static int *compact_expected(const int *in, const unsigned *flags, size_t n, size_t *count)
{
    int *out = suite_memory(n * sizeof *out);
    memset(out, CALL_POISON, n * sizeof *out); /* nothing is written after the last kept element */
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (flags[i])
            out[(*count)++] = in[i];
    return out;
}

static void arrange_map_to_boolean(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const int *in = elements(is);
    suite_in(call, ELEMENT_INT, is->n, in);
    suite_out(call, ELEMENT_UNSIGNED, is->n, flags_of(in, is->n), NULL);
    suite_scalar(call, is->n);
}

/* Flags that are independent of the values: all marks are moved, or some of them, or none. */
static unsigned *marked_flags(const struct suite_case *is)
{
    unsigned *flags = suite_memory(is->n * sizeof *flags);
    for (size_t i = 0; i < is->n; i++)
        switch (suite_marked(is->seed)) {
        case MARKED_SCATTERED:
            flags[i] = suite_mark_at(is, i, is->n) < SUITE_MARKS;
            break;
        case MARKED_EQUAL:
            flags[i] = i % 3 != 1;
            break;
        default:
            flags[i] = 0;
            break;
        }
    return flags;
}

/* Flags of the traced example, which are also independent of the values: keep() would choose other elements. */
static unsigned *example_flags(size_t n)
{
    unsigned *flags = suite_memory(n * sizeof *flags);
    for (size_t i = 0; i < n; i++)
        flags[i] = i % 4 == 0 || i % 4 == 3;
    return flags;
}

/* The flags of a random input are independent of its values. */
static void arrange_scatter(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const int *in = telling_values(is);
    const unsigned *flags = is->input == INPUT_RANDOM    ? random_flags(is)
                            : is->input == INPUT_MARKED  ? marked_flags(is)
                            : is->input == INPUT_EXAMPLE ? example_flags(is->n)
                                                         : flags_of(in, is->n);
    unsigned *slots = suite_memory(is->n * sizeof *slots), before = 0;
    for (size_t i = 0; i < is->n; i++) {
        slots[i] = before;
        before += flags[i];
    }
    size_t count;
    const int *expected = compact_expected(in, flags, is->n, &count);
    suite_in(call, ELEMENT_INT, is->n, in);
    call->argument[suite_in(call, ELEMENT_UNSIGNED, is->n, flags)].sampled_values = CALL_ONES;
    call->argument[suite_in(call, ELEMENT_UNSIGNED, is->n, slots)].sampled_values = CALL_INDICES;
    suite_out(call, ELEMENT_INT, is->n, expected, NULL);
    suite_scalar(call, is->n);
}

static void arrange_compact(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const int *in = elements(is);
    size_t count;
    const int *expected = compact_expected(in, flags_of(in, is->n), is->n, &count);
    suite_in(call, ELEMENT_INT, is->n, in);
    suite_out(call, ELEMENT_INT, is->n, expected, NULL);
    suite_scalar(call, is->n);
    call->result_name = "the count";
    call->expected_result = count;
}

/* ---- explanation --------------------------------------------------------------------------------------- */

static bool is_untouched(const int *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!element_is_unwritten(ELEMENT_INT, &out[i]))
            return false;
    return true;
}

static int ascending_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static bool same_elements(const int *got, const int *expected, size_t count)
{
    int *a = suite_memory(count * sizeof *a), *b = suite_memory(count * sizeof *b);
    memcpy(a, got, count * sizeof *a);
    memcpy(b, expected, count * sizeof *b);
    qsort(a, count, sizeof *a, ascending_ints);
    qsort(b, count, sizeof *b, ascending_ints);
    return memcmp(a, b, count * sizeof *a) == 0;
}

static void explain_flags(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    const int *in = call->argument[0].input;
    unsigned got = ((const unsigned *)argument->got)[slot];
    suite_add(text, "in[%zu] is %d, for which keep() is %s\n", slot, in[slot],
              keep(in[slot]) ? "true" : "false");
    if (got > 1 && got == (unsigned)in[slot])
        suite_add(text, "try: a flag is 1 or 0, and not the element itself: the scan adds the flags up\n");
}

/* Explains where the element in a wrong slot comes from. */
static void explain_source(struct suite_text *text, const int *in, const unsigned *flags, size_t n, int got)
{
    size_t from = n, slot = 0;
    for (size_t i = 0; i < n; i++)
        if (in[i] == got) {
            if (from < n)
                return; /* several elements have this value */
            from = i;
        }
    if (from == n) {
        suite_add(text, "no element of the input has this value\n");
        return;
    }
    for (size_t i = 0; i < from; i++)
        slot += flags[i];
    if (flags[from])
        suite_add(text, "that is in[%zu], which belongs in slot %zu: %zu kept element%s before it\n", from,
                  slot, slot, slot == 1 ? " is" : "s are");
    else
        suite_add(text, "that is in[%zu], which is to be dropped\n", from);
}

/* Whether `out` is what keep() would give with the given slots, instead of the flags. */
static bool moved_by_keep(const struct suite_call *call, const struct suite_argument *argument)
{
    const int *in = call->argument[0].input;
    const unsigned *slots = call->argument[2].input;
    int *out = suite_memory(argument->count * sizeof *out);
    memset(out, CALL_POISON, argument->count * sizeof *out);
    for (size_t i = 0; i < argument->count; i++)
        if (keep(in[i]) && slots[i] < argument->count)
            out[slots[i]] = in[i];
    return memcmp(argument->got, out, argument->count * sizeof *out) == 0;
}

/* Whether slots were used as indices of `in`: out[i] = in[slots[i]] where an element is flagged, or everywhere. */
static bool is_gathered(const struct suite_call *call, const struct suite_argument *argument, size_t count)
{
    const int *in = call->argument[0].input, *got = argument->got;
    const unsigned *flags = call->argument[1].input, *slots = call->argument[2].input;
    for (size_t i = 0; i < argument->count; i++)
        if (flags[i] && got[i] != in[slots[i]])
            return false;
    return count > 0;
}

/* Explains a count that is wrong by one. */
static void explain_count(struct suite_text *text, const struct suite_call *call)
{
    const int *in = call->argument[0].input;
    const size_t n = call->is.n;
    if (n > 0 && keep(in[n - 1]) && call->reply.result + 1 == call->expected_result)
        suite_add(
            text,
            "the last element is kept, and is not counted\n"
            "try: add flags[n - 1]: the last slot of an exclusive scan counts the elements before it\n");
    else if (n > 0 && !keep(in[n - 1]) && call->reply.result == call->expected_result + 1)
        suite_add(text, "the last element is not kept, but it is counted\n"
                        "try: add flags[n - 1] to the last slot: it is 0 if that element is dropped\n");
}

/* Explains the first wrong slot of `out`. */
static void explain_out(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot)
{
    const int *in = call->argument[0].input, *got = argument->got, *expected = argument->expected;
    size_t n = argument->count, count = 0;
    const unsigned *flags =
        call->argument[1].kind == CALL_IN ? call->argument[1].input : flags_of(in, call->is.n);
    for (size_t i = 0; i < n; i++)
        count += flags[i];

    if (call->argument[1].kind == CALL_IN && !is_untouched(got, n) && moved_by_keep(call, argument)) {
        size_t i = 0;
        while (keep(in[i]) == (flags[i] != 0))
            i++;
        suite_add(text,
                  "flags[%zu] is %u, but in[%zu] %s\n"
                  "try: the flags alone decide which elements move: a thread whose flag is 0 writes nothing, "
                  "and keep() is not asked again\n",
                  i, flags[i], i, keep(in[i]) ? "was moved" : "was not moved");
    } else if (call->argument[1].kind == CALL_IN && is_gathered(call, argument, count)) {
        suite_add(
            text,
            "out[i] holds in[slots[i]]: each thread has read from its slot, and stored to its own index\n"
            "try: a slot says where an element goes, so it is the index of out\n");
    } else if (slot >= count) {
        suite_add(text, "%zu of %zu elements are kept; what follows them must not change\n", count, n);
    } else if (is_untouched(got, n)) {
        suite_add(text, "nothing was written to out at all\n");
    } else if (slot == 0 && count > 1 && n > count && memcmp(got + 1, expected, count * sizeof *got) == 0) {
        suite_add(text, "all kept elements are one slot too far to the right\n"
                        "try: an element's slot is the number of kept elements before it, itself not counted:"
                        " the exclusive scan\n");
    } else if (element_is_unwritten(ELEMENT_INT, &got[slot])) {
        suite_add(text, "%zu of %zu elements are kept\n", count, n);
    } else if (same_elements(got, expected, count)) {
        suite_add(text, "all kept elements are there, but not in the order of the input\n");
        explain_source(text, in, flags, n, got[slot]);
    } else {
        explain_source(text, in, flags, n, got[slot]);
    }
}

/* ---- tests of this lab's own --------------------------------------------------------------------------- */

enum {
    MOST_EXHAUSTIVE = 6, /* elements */
    MANY_KEPT = 70001    /* elements: more than 16 bits can count */
};

/* Tries every choice of kept elements. */
static void test_every_choice(const struct suite_part *part)
{
    for (size_t n = 1; n <= MOST_EXHAUSTIVE; n++)
        for (uint32_t mask = 0; mask < 1u << n; mask++) {
            struct suite_case is = suite_case(part, MONOID_SUM, n);
            is.seed = seed_of_mask(mask);
            suite_correct(&is);
        }
}

void test_shares(const struct suite_part *part)
{
    for (enum share share = BY_BITS; share < SHARES; share++) {
        struct suite_case is = suite_case(part, MONOID_SUM, 0);
        is.seed = seed_of_share(is.seed, share);
        suite_all_lengths(is, &part->proofs, SIZE_MAX);
    }
    struct suite_case is = suite_case(part, MONOID_SUM, MANY_KEPT);
    is.seed = suite_chosen_seed(seed_of_share(is.seed, ALL));
    suite_correct(&is);
}

static void test_clean_shares(const struct suite_part *part)
{
    static const size_t lengths[] = {33, 513, 1000};
    for (enum share share = BY_BITS; share < SHARES; share++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            struct suite_case is = suite_case(part, MONOID_SUM, lengths[i]);
            is.seed = seed_of_share(is.seed, share);
            suite_clean(&is);
        }
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

static const struct suite_test compaction_tests[] = {
    {"holds_for_every_choice_of_up_to_6_elements", CORRECT, test_every_choice, NULL},
    {"holds_from_none_kept_to_all_kept", CORRECT, test_shares, NULL},
    STANDARD_TESTS,
    {"is_clean_from_none_kept_to_all_kept", CLEAN, test_clean_shares, NULL},
    {NULL, CORRECT, NULL, NULL},
};

static const size_t any_lengths[] = {
    0, 1, 2, 3, 31, 32, 33, TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, 1), 4099, 10007, 65537};
static const size_t share_lengths[] = {1,  2,   31,  32,  33,          63,          64,
                                       65, 255, 256, 257, TILES(1, 1), TILES(2, 1), 4099};

/* Why a part is not proved. Elements are ints, so a part could treat one value in its own way. */
#define ASKS_ONE                                                                                             \
    "each flag follows from one int, which has 2^32 values, and nothing checks that a thread only asks "     \
    "keep() for it"
#define MOVES                                                                                                \
    "nothing checks that a thread looks only at the flag and the slot of an element, and not at the element" \
    " itself; every choice of up to 6 flags is tested"
#define ASKS                                                                                                 \
    "nothing checks that a thread only asks keep() for an element, and there are 2^n choices of kept "       \
    "elements: all are tested for n up to 6"
#define VOTES                                                                                                \
    "the lanes of a warp vote, so that a thread depends on 32 flags at once, which have 2^32 values; every " \
    "choice of up to 6 kept elements is tested"

#define COMPACTION(part, explanation, ...)                                                                   \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explanation, .tests = compaction_tests,           \
               .monoids = LAB_MONOIDS, .unlimited = true, .below_wrap = true, .longest = (1 << 18) + 300,    \
               .lengths = {1, 0, LIST(any_lengths)}, .proofs = {1, 0, LIST(share_lengths)}, __VA_ARGS__)
#define arrange_compact_warp arrange_compact

COMPACTION(map_to_boolean, explain_flags, .tested = ASKS_ONE, .shared = map_shared);
COMPACTION(scatter, explain_out, .tested = MOVES, .shared = map_shared);
COMPACTION(compact, explain_out, .tested = ASKS, .explain_result = explain_count, .bounds = compact_bounds,
           .shared = scan_shared);
COMPACTION(compact_warp, explain_out, .tested = VOTES, .explain_result = explain_count,
           .bounds = compact_warp_bounds, .shared = scan_shared);

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 4,
                                   .name = "compaction",
                                   .data_set = "rain.npy",
                                   .data_phrase = "the daily rain in Seattle 2012 to 2015",
                                   SUITE_TABLE};
