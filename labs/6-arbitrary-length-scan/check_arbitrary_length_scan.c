/* check_arbitrary_length_scan.c: the parts of lab 6 and their tests, for both suites: the public one, whose main
 * function is in suite_public.c, and the grading one. */
#include "suite.h"
#include "suite_bounds.h"
#include "suite_parts.h"
#include "suite_scan.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include <string.h>

/* A number of elements with more tiles than run at once. */
static size_t many_tiles(void)
{
    return 40 * suite_tile() + 3;
}

static size_t tiles_of(size_t n)
{
    return (n + suite_tile() - 1) / suite_tile();
}

/* ---- meters -------------------------------------------------------------------------------------------- */

static uint64_t tiles_work(size_t n)
{
    return (uint64_t)16 * suite_tile() * tiles_of(n);
}

static uint64_t add_work(size_t n)
{
    return n > suite_tile() ? n - suite_tile() : 0;
}

static uint64_t scan_work(size_t n)
{
    return 18 * (uint64_t)n + (uint64_t)32 * suite_tile();
}

/* Each output but the first of a tile needs a combine of its own. */
static uint64_t least_tiles(size_t n)
{
    return n - tiles_of(n);
}

static uint64_t least_inclusive(size_t n)
{
    return n > 0 ? n - 1 : 0;
}

/* The exclusive scan does not use the last input. */
static uint64_t least_exclusive(size_t n)
{
    return n > 1 ? n - 2 : 0;
}

static uint64_t written_once(size_t n)
{
    return (uint64_t)n + n / 4 + suite_tile();
}

/* The input is read once and the output written once, and the look-back needs some words more. */
static uint64_t passes_once(size_t n)
{
    return 2 * (uint64_t)n + 3 * (uint64_t)n / 4 + (uint64_t)2 * suite_tile();
}

static const struct suite_bound tiles_bounds[] = {
    {"combines", "16 * TILE for each tile", tiles_work},
    {"written elements", "n + n / 4 + TILE: each output once, and the sums", written_once},
    {NULL, NULL, NULL}};
static const struct suite_bound add_bounds[] = {
    {"combines", "n - TILE: there is nothing before tile 0", add_work}, {NULL, NULL, NULL}};
static const struct suite_bound map_shared[] = {SHARED_MAP, {NULL, NULL, NULL}};
static const struct suite_bound tiles_shared[] = {SHARED_SCAN, {NULL, NULL, NULL}};
static const struct suite_bound scan_shared[] = {SHARED_SCAN, HOST_SUMS, {NULL, NULL, NULL}};

static const struct suite_bound scan_bound[] = {{"combines", "18n + 32 * TILE", scan_work},
                                                {NULL, NULL, NULL}};
static const struct suite_bound single_pass_bounds[] = {
    {"combines", "18n + 32 * TILE", scan_work},
    {"elements moved",
     "2n + 3n / 4 + 2 * TILE: each read once and written once, and the words of the look-back", passes_once},
    IN_ONE_LAUNCH,
    {NULL, NULL, NULL}};

/* ---- arguments ----------------------------------------------------------------------------------------- */

/* Returns the inclusive scan of each tile by itself. */
static void *scan_each_tile(int monoid, const unsigned char *in, size_t n)
{
    size_t size = element_size(monoids[monoid].element);
    unsigned char *out = suite_memory(n * size);
    for (size_t first = 0; first < n; first += suite_tile()) {
        size_t count = n - first < suite_tile() ? n - first : suite_tile();
        memcpy(out + first * size, scan_expected(monoid, in + first * size, count, false), count * size);
    }
    return out;
}

/* Returns how far float sums of each tile may be off. */
static double *tolerances_of_tiles(int monoid, const unsigned char *in, size_t n)
{
    size_t size = element_size(monoids[monoid].element);
    double *out = suite_memory(n * sizeof *out);
    if (monoid != MONOID_FLOAT_SUM)
        return NULL;
    for (size_t first = 0; first < n; first += suite_tile()) {
        size_t count = n - first < suite_tile() ? n - first : suite_tile();
        const double *tolerances = scan_tolerances(monoid, in + first * size, count, false, scan_depth_any);
        memcpy(out + first, tolerances, count * sizeof *out);
    }
    return out;
}

/* Returns the last element of each tile. */
static void *tile_ends(const void *array, size_t size, size_t n)
{
    unsigned char *ends = suite_memory(tiles_of(n) * size);
    for (size_t b = 0; b < tiles_of(n); b++) {
        size_t last = (b + 1) * suite_tile() < n ? (b + 1) * suite_tile() - 1 : n - 1;
        memcpy(ends + b * size, (const unsigned char *)array + last * size, size);
    }
    return ends;
}

/* In place: out is in. */
static void arrange_scan_tiles(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    enum element element = monoids[is->monoid].element;
    const void *in = suite_values(is, is->n, 0);
    const void *expected = scan_each_tile(is->monoid, in, is->n);
    const double *tolerances = tolerances_of_tiles(is->monoid, in, is->n);
    unsigned input = suite_in(call, element, is->n, in);
    if (is->in_place)
        suite_same(call, input, expected, tolerances);
    else
        suite_out(call, element, is->n, expected, tolerances);
    suite_out(call, element, tiles_of(is->n), tile_ends(expected, element_size(element), is->n),
              tolerances ? tile_ends(tolerances, sizeof *tolerances, is->n) : NULL);
    suite_scalar(call, is->n);
}

/* In place: out is in. */
static void arrange_add_block_sums(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const struct monoid *monoid = &monoids[is->monoid];
    size_t size = element_size(monoid->element);
    const void *values = suite_values(is, is->n, 0);
    const unsigned char *in = scan_each_tile(is->monoid, values, is->n);
    const unsigned char *sums = tile_ends(scan_expected(is->monoid, values, is->n, false), size, is->n);
    unsigned char *expected = suite_memory(is->n * size);
    for (size_t i = 0; i < is->n; i++) /* one addition, rounded once, so floats are exact too */
        if (i < suite_tile())
            memcpy(expected + i * size, in + i * size, size);
        else
            monoid->combine(expected + i * size, sums + (i / suite_tile() - 1) * size, in + i * size);
    suite_in(call, monoid->element, tiles_of(is->n), sums);
    unsigned input = suite_in(call, monoid->element, is->n, in);
    if (is->in_place)
        suite_same(call, input, expected, NULL);
    else
        suite_out(call, monoid->element, is->n, expected, NULL);
    suite_scalar(call, is->n);
}

/* ---- explanation --------------------------------------------------------------------------------------- */

/* Explains a wrong slot of the first two parts. */
static void explain_tiles(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    (void)call;
    if (argument->element == ELEMENT_INTERVAL) {
        const interval_t *got = argument->got, *expected = argument->expected;
        if (!element_is_unwritten(ELEMENT_INTERVAL, &got[slot]))
            scan_explain_interval(text, got[slot], expected[slot]);
    }
}

/* A scan that is right up to the end of a tile has lost the sum before the next tile. */
static void explain_scan(struct suite_text *text, const struct suite_call *call,
                         const struct suite_argument *argument, size_t slot)
{
    scan_explain(text, call, argument, slot);
    if (slot >= suite_tile() && slot % suite_tile() <= 1)
        suite_add(text, "slot %zu is the %s of tile %zu\n", slot, slot % suite_tile() ? "second" : "first",
                  slot / suite_tile());
}

/* ---- tests of this lab's own --------------------------------------------------------------------------- */

/* Tests many tiles in every order in which blocks may start, with few running at once: a block that waits for one
 * that has not started waits for ever. In lockstep, the last tile finds the sum of each tile before it, but no
 * prefix other than the first. */
enum { MOST_IN_STEP = 256, OTHER_TILE = 64, LONG_TILES = 8 * OTHER_TILE };

static void for_block_orders(const struct suite_part *part, void (*check)(const struct suite_case *))
{
    static const uint32_t residents[] = {1, 2, 16};
    for (uint32_t order = CALL_FORWARD; order <= CALL_RANDOM; order++)
        for (size_t i = 0; i < sizeof residents / sizeof *residents; i++) {
            struct suite_case is = suite_case(part, MONOID_INTERVAL, many_tiles());
            is.order = order;
            is.resident = residents[i];
            check(&is);
        }
    struct suite_case is = suite_case(part, MONOID_INTERVAL, MOST_IN_STEP * OTHER_TILE + 1);
    is.tile = OTHER_TILE;
    is.order = CALL_LOCKSTEP;
    is.resident = MOST_IN_STEP;
    check(&is);
}

static void test_block_orders(const struct suite_part *part)
{
    for_block_orders(part, suite_correct);
    /* Also tests as many blocks if a block takes several tiles. */
    struct suite_case is = suite_case(part, MONOID_INTERVAL, MOST_IN_STEP * LONG_TILES + 1);
    is.tile = OTHER_TILE;
    is.order = CALL_LOCKSTEP;
    is.resident = MOST_IN_STEP;
    suite_correct(&is);
}

static void test_clean_block_orders(const struct suite_part *part)
{
    for_block_orders(part, suite_clean);
    /* More tiles than a warp looks at together, even if a block takes eight tiles. */
    struct suite_case is = suite_case(part, MONOID_INTERVAL, 80 * LONG_TILES + 1);
    is.tile = OTHER_TILE;
    is.order = CALL_LOCKSTEP;
    is.resident = MOST_IN_STEP;
    suite_clean(&is);
}

static void test_bounds_of_many_tiles(const struct suite_part *part)
{
    struct suite_case is = suite_case(part, MONOID_INTERVAL, many_tiles());
    for (is.order = CALL_FORWARD; is.order <= CALL_RANDOM; is.order++)
        suite_efficient(&is);
}

/* In lockstep, one block is held up when it reads what another one has published. In a look-back, it publishes the sum
 * of its tile all the same, and the other blocks can do the rest. In a chain, all later tiles wait for its prefix, also
 * when a few blocks take turns with them. The seed chooses the read: the first, or a later one that a submission cannot
 * predict. */
static void hold_at(const struct suite_part *part, uint64_t read)
{
    struct suite_case is = suite_case(part, MONOID_INTERVAL, MOST_IN_STEP * OTHER_TILE + 1);
    is.tile = OTHER_TILE;
    is.order = CALL_LOCKSTEP;
    is.resident = MOST_IN_STEP;
    is.seed = read;
    suite_metered(&is);
    if (suite_counted("blocks") < 3) { /* of two blocks, only one that takes several tiles can be held up */
        is.n = MOST_IN_STEP * LONG_TILES + 1;
        suite_metered(&is);
    }
    const uint64_t blocks = suite_counted("blocks"), past = suite_counted("blocks past the held one");
    const uint64_t least = ((blocks < MOST_IN_STEP ? blocks : MOST_IN_STEP) + 3) / 4;
    const bool any = suite_counted("blocks held") > 0; /* a later read need not exist */
    if (suite_counted("launches") == 1 && (any || read == 1) &&
        past < least) /* of more launches a bound complains */
        suite_past_bound("blocks past the held one",
                         "%s: blocks past the held one: %llu counted, at least %llu are needed\n"
                         "the bound is a quarter of the blocks at work\n"
                         "%s\n"
                         "try: publish the sum of a tile before you read anything of another tile, and look "
                         "back over such sums until you find a prefix",
                         any ? "each block waits for the one before it" : "no block looks back",
                         (unsigned long long)past, (unsigned long long)least,
                         any ? "one block was held up when it read what another one had published"
                             : "no block could be held up: none reads what another one publishes by volatile "
                               "or atomic accesses");
}

static void test_looks_back(const struct suite_part *part)
{
    enum { LATEST_READ = 16 };
    hold_at(part, 1);
    hold_at(part, 2 + suite_seed() % (LATEST_READ - 1));
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

#define TILES_TESTS                                                                                          \
    STANDARD_TESTS, {"does_not_depend_on_the_order_of_blocks", CORRECT, test_block_orders, has_orders},      \
        {"is_clean_with_many_tiles_in_any_order", CLEAN, test_clean_block_orders, NULL},                     \
    {                                                                                                        \
        "stays_within_the_bounds_with_many_tiles", EFFICIENT, test_bounds_of_many_tiles, NULL                \
    }
static const struct suite_test tiles_tests[] = {
    TILES_TESTS,
    {NULL, CORRECT, NULL, NULL},
};

static const struct suite_test single_pass_tests[] = {
    TILES_TESTS,
    {"looks_back_at_sums_and_does_not_wait_for_each_prefix", EFFICIENT, test_looks_back, NULL},
    {NULL, CORRECT, NULL, NULL},
};

static const size_t any_lengths[] = {
    0,           1,           2,           3,           31,   32,    33,   TILES(1, -1),
    TILES(1, 0), TILES(1, 1), TILES(2, 0), TILES(2, 1), 4099, 10007, 65537};

static const size_t proof_lengths[] = {127,         TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, -1),
                                       TILES(2, 0), TILES(2, 1),  TILES(3, 0), 4099,        10007};

/* The longest call has 2^15 tiles, each with shuffles of two words by classes of CUB's kind: a right solution takes
 * 3,500 instructions for an element, and blocks in lockstep that wait for each other take more. So the budget is four
 * times that of other labs. */
#define ANY_LENGTH(all_up_to, list)                                                                          \
    .work = 4, .unlimited = true, .reaches_all = true, .ways_in_place = 1, .tests = list,                    \
    .monoids = LAB_MONOIDS, .lengths = {1, 0, LIST(any_lengths)},                                            \
    .proofs = {1, all_up_to, LIST(proof_lengths)}
#define STEP(part, ...) SUITE_PART(part, .arrange = arrange_##part, .explain = explain_tiles, __VA_ARGS__)
#define SCAN(part, form, ...)                                                                                \
    SUITE_PART(part, .arrange = scan_arrange_##form, .least = least_##form, .explain = explain_scan,         \
               .depth = scan_depth_any, __VA_ARGS__)

STEP(scan_tiles, ANY_LENGTH(SUITE_TILE + 1, tiles_tests), .least = least_tiles, .bounds = tiles_bounds,
     .shared = tiles_shared);
STEP(add_block_sums, ANY_LENGTH(66, tiles_tests), .least = add_work, .bounds = add_bounds,
     .shared = map_shared);
SCAN(scan_inclusive, inclusive, ANY_LENGTH(66, tiles_tests), .bounds = scan_bound, .shared = scan_shared);
SCAN(scan_exclusive, exclusive, ANY_LENGTH(66, tiles_tests), .bounds = scan_bound, .shared = scan_shared);
SCAN(scan_single_pass, inclusive, ANY_LENGTH(66, single_pass_tests), .bounds = single_pass_bounds,
     .shared = scan_shared);

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 6,
                                   .name = "arbitrary_length_scan",
                                   .data_set = "sunspots.npy",
                                   .data_phrase = "the monthly sunspot numbers since 1749",
                                   SUITE_TABLE};
