/* check_work_efficient_scan.c: the parts of lab 3 and their tests, for both suites: the public one, whose main
 * function is in suite_public.c, and the grading one. */
#include "check_work_efficient_scan.h"
#include "suite.h"
#include "suite_bounds.h"
#include "suite_parts.h"
#include "suite_scan.h"
#include "suite_sharing.h"
#include "suite_tests.h"

/* ---- meters -------------------------------------------------------------------------------------------- */

static uint64_t blelloch_work(size_t n)
{
    return 2 * ((uint64_t)n - 1);
}

static uint64_t brent_kung_work(size_t n)
{
    return 2 * (uint64_t)n - 2 - scan_depth_log(n - 1);
}

static uint64_t conflict_free_excess(size_t n)
{
    return n / 32;
}

/* TILE threads of four elements may all work, whatever n is: 4 combines for each element, and 5 by shuffles for each
 * thread. Log steps over 4 * TILE elements take twice as many. */
static uint64_t coarsened_work(size_t n)
{
    return 2 * (uint64_t)n + 14 * suite_tile();
}

static uint64_t coarsened_barriers(size_t n)
{
    (void)n;
    return 2 * scan_depth_log(suite_tile() / 4 - 1) + 6;
}

static uint64_t global_tree_work(size_t n)
{
    return (n > 0 ? blelloch_work((size_t)1 << scan_depth_log(n - 1)) : 0) + 4096;
}

/* Each output but the first needs a combine of its own. */
static uint64_t least_inclusive(size_t n)
{
    return n > 0 ? n - 1 : 0;
}

/* The exclusive scan does not use the last input. */
static uint64_t least_exclusive(size_t n)
{
    return n > 1 ? n - 2 : 0;
}

/* A tree up and down, and a section of up to 32 elements per thread. */
static uint64_t tree_steps(size_t n)
{
    return 2 * (uint64_t)scan_depth_log(n - 1) + 96;
}

#define TREE_STEPS                                                                                           \
    {                                                                                                        \
        "steps", "2 log2 n + 96: a tree up and down, with several elements a thread", tree_steps             \
    }

/* For the shortest inputs, a section of 16 elements and two barriers per step exceed a constant of 64. */
static uint64_t coarsened_span(size_t n)
{
    return (uint64_t)n + 128;
}

static const struct suite_bound coarsened_shared[] = {
    {"span", "n + 128: one thread alone needs 2n", coarsened_span}, {NULL, NULL, NULL}};
static const struct suite_bound tile_shared[] = {SHARED_TILE, {NULL, NULL, NULL}};
static const struct suite_bound scan_shared[] = {SHARED_SCAN, {NULL, NULL, NULL}};

static const struct suite_bound blelloch_bounds[] = {
    {"combines", "2(n - 1)", blelloch_work}, TREE_STEPS, IN_ONE_BLOCK, SCANS_IN_SHARED, {NULL, NULL, NULL}};
static const struct suite_bound brent_kung_bounds[] = {{"combines", "2n - 2 - log2 n", brent_kung_work},
                                                       TREE_STEPS,
                                                       IN_ONE_BLOCK,
                                                       SCANS_IN_SHARED,
                                                       {NULL, NULL, NULL}};
static const struct suite_bound conflict_free_bounds[] = {
    {"combines", "2(n - 1)", blelloch_work},
    TREE_STEPS,
    IN_ONE_BLOCK,
    SCANS_IN_SHARED,
    {"excess wavefronts", "n / 32: bank conflicts cost next to nothing", conflict_free_excess},
    {NULL, NULL, NULL}};
static const struct suite_bound coarsened_bounds[] = {
    {"combines", "2n + 14 * TILE", coarsened_work},
    {"barriers", "2 log2(TILE / 4) + 6: two a step to scan TILE / 4 sums, and 6", coarsened_barriers},
    IN_ONE_BLOCK,
    {NULL, NULL, NULL}};
static const struct suite_bound global_tree_bounds[] = {
    {"combines", "2(P - 1) + 4096, where P is the smallest power of two that is not below n",
     global_tree_work},
    {NULL, NULL, NULL}};

/* ---- explanation --------------------------------------------------------------------------------------- */

static void explain_inclusive(struct suite_text *text, const struct suite_call *call,
                              const struct suite_argument *argument, size_t slot)
{
    scan_explain(text, call, argument, slot);
}

/* Recognises at slot 0 that the root was not cleared. */
static void explain_exclusive(struct suite_text *text, const struct suite_call *call,
                              const struct suite_argument *argument, size_t slot)
{
    const char *before = text->at;
    scan_explain(text, call, argument, slot);
    if (slot == 0 && text->at == before && !element_is_unwritten(argument->element, argument->got))
        suite_add(text, "try: IDENTITY in the root before the way down: there is nothing before slot 0\n");
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

const size_t power_lengths[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
const size_t coarse_lengths[] = {
    1,   2,   3,   15,           16,          17,          31,           32,         33,
    127, 128, 257, TILES(1, -1), TILES(2, 0), TILES(2, 1), TILES(4, -1), TILES(4, 0)};
static const size_t any_lengths[] = {
    0, 1, 2, 3, 31, 32, 33, TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, 1), 4099, 10007, 65537};

static const size_t coarse_proof_lengths[] = {TILES(2, -1), TILES(2, 0),  TILES(2, 1), TILES(3, 1),
                                              TILES(4, -2), TILES(4, -1), TILES(4, 0)};
static const size_t proof_lengths[] = {127,         TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, -1),
                                       TILES(2, 0), TILES(2, 1),  4099,        10007};

#define POWER_OF_TWO                                                                                         \
    .powers_of_two = true, .ways_in_place = 1, .lengths = {1, 0, LIST_OF_TILES(1, power_lengths)},           \
    .proofs = {1, 0, LIST_OF_TILES(1, power_lengths)}

#define SCAN(part, form, ...)                                                                                \
    SUITE_PART(part, .arrange = scan_arrange_##form, .least = least_##form, .explain = explain_##form,       \
               .tests = standard_tests, .monoids = LAB_MONOIDS, .depth = scan_depth_any, __VA_ARGS__)

SCAN(scan_blelloch, exclusive, POWER_OF_TWO, .shared = tile_shared, .bounds = blelloch_bounds);
SCAN(scan_brent_kung, inclusive, POWER_OF_TWO, .shared = tile_shared, .bounds = brent_kung_bounds);
SCAN(scan_conflict_free, exclusive, POWER_OF_TWO, .shared = tile_shared, .bounds = conflict_free_bounds);
SCAN(scan_coarsened, inclusive, .ways_in_place = 1,
     .lengths = {1, 0, LIST_OF_TILES(COARSE_TILES, coarse_lengths)},
     .proofs = {1, 520, LIST_OF_TILES(COARSE_TILES, coarse_proof_lengths)}, .shared = coarsened_shared,
     .bounds = coarsened_bounds);
SCAN(scan_global_tree, exclusive, .ways_in_place = 1, .longest = (1 << 19) + 3, .unlimited = true,
     .reaches_all = true, .lengths = {1, 0, LIST(any_lengths)}, .proofs = {1, 66, LIST(proof_lengths)},
     .shared = scan_shared, .bounds = global_tree_bounds);

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 3,
                                   .name = "work_efficient_scan",
                                   .data_set = "sunspots.npy",
                                   .data_phrase = "the monthly sunspot numbers since 1749",
                                   SUITE_TABLE};
