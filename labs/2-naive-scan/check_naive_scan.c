/* check_naive_scan.c: the parts of lab 2 and their tests, for both suites: the public one, whose main function is
 * in suite_public.c, and the grading one. */
#include "check_naive_scan.h"
#include "suite.h"
#include "suite_bounds.h"
#include "suite_parts.h"
#include "suite_scan.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include <string.h>

/* ---- meters -------------------------------------------------------------------------------------------- */

static uint64_t quadratic_work(size_t n)
{
    return (uint64_t)n * (n - 1) / 2;
}

static uint64_t double_buffered_barriers(size_t n)
{
    return scan_depth_log(n - 1) + 1;
}

static uint64_t in_place_barriers(size_t n)
{
    return 2 * scan_depth_log(n - 1) + 1;
}

/* A short input does not fill blocks of full warps, which may still combine what they have. */
static uint64_t global_work(size_t n)
{
    return scan_log_step_work(n) + 16384;
}

/* Each output but the first needs a combine of its own. */
static uint64_t least_work(size_t n)
{
    return n > 0 ? n - 1 : 0;
}

/* The logarithmic steps, and a section of up to 32 elements per thread. */
static uint64_t log_steps(size_t n)
{
    return 2 * (uint64_t)scan_depth_log(n - 1) + 96;
}

/* Each thread reads and combines its whole prefix. */
static uint64_t quadratic_span(size_t n)
{
    return 64 * (uint64_t)n + 64;
}

#define LOG_STEPS                                                                                            \
    {                                                                                                        \
        "steps", "2 ceil(log2 n) + 96: log steps, with several elements a thread", log_steps                 \
    }

static uint64_t quadratic_executed(size_t n)
{
    return 192 * (uint64_t)n;
}

static const struct suite_bound quadratic_shared[] = {
    {"span", "64n + 64: a load and a combine for each element of a prefix, and 32 prefixes a thread",
     quadratic_span},
    {EXECUTED, "192n: each thread combines whole prefixes", quadratic_executed},
    {NULL, NULL, NULL}};
static const struct suite_bound tile_shared[] = {SHARED_TILE, {NULL, NULL, NULL}};
static const struct suite_bound scan_shared[] = {SHARED_SCAN, {NULL, NULL, NULL}};
static const struct suite_bound map_shared[] = {SHARED_MAP, {NULL, NULL, NULL}};

static const struct suite_bound quadratic_bounds[] = {
    {"combines", "n(n - 1) / 2", quadratic_work}, IN_ONE_BLOCK, {NULL, NULL, NULL}};
static const struct suite_bound double_buffered_bounds[] = {
    {"combines", "W(n), which is n log2 n - (n - 1) for powers of two", scan_log_step_work},
    {"barriers", "ceil(log2 n) + 1", double_buffered_barriers},
    LOG_STEPS,
    IN_ONE_BLOCK,
    SCANS_IN_SHARED,
    {NULL, NULL, NULL}};
static const struct suite_bound in_place_bounds[] = {
    {"combines", "W(n), which is n log2 n - (n - 1) for powers of two", scan_log_step_work},
    {"barriers", "2 ceil(log2 n) + 1", in_place_barriers},
    LOG_STEPS,
    IN_ONE_BLOCK,
    SCANS_IN_SHARED,
    IN_ONE_BUFFER,
    {NULL, NULL, NULL}};
static const struct suite_bound global_bounds[] = {
    {"combines", "W(n) + 16384, where W(n) is n log2 n - (n - 1) for powers of two", global_work},
    {NULL, NULL, NULL}};

/* ---- arguments ----------------------------------------------------------------------------------------- */

static void arrange_inclusive_to_exclusive(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const struct monoid *monoid = &monoids[is->monoid];
    size_t size = element_size(monoid->element);
    const unsigned char *in = scan_expected(is->monoid, suite_values(is, is->n, 0), is->n, false);
    unsigned char *expected = suite_memory(is->n * size);
    if (is->n > 0) { /* values are only moved, so floats are exact too */
        memcpy(expected, monoid->identity, size);
        memcpy(expected + size, in, (is->n - 1) * size);
    }
    suite_in(call, monoid->element, is->n, in);
    suite_out(call, monoid->element, is->n, expected, NULL);
    suite_scalar(call, is->n);
}

/* In place 1: out is scanned; in place 2: out is in. */
static void arrange_exclusive_to_inclusive(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const struct monoid *monoid = &monoids[is->monoid];
    size_t size = element_size(monoid->element);
    const unsigned char *in = suite_values(is, is->n, 0);
    const unsigned char *scanned = scan_expected(is->monoid, in, is->n, true);
    unsigned char *expected = suite_memory(is->n * size);
    for (size_t i = 0; i < is->n; i++) /* one addition, rounded once, so floats are exact too */
        monoid->combine(expected + i * size, scanned + i * size, in + i * size);
    suite_in(call, monoid->element, is->n, scanned);
    suite_in(call, monoid->element, is->n, in);
    if (is->in_place > 0)
        suite_same(call, is->in_place - 1, expected, NULL);
    else
        suite_out(call, monoid->element, is->n, expected, NULL);
    suite_scalar(call, is->n);
}

/* Explains a wrong slot of the two conversions. */
static void explain_conversion(struct suite_text *text, const struct suite_call *call,
                               const struct suite_argument *argument, size_t slot)
{
    size_t size = element_size(argument->element);
    if (argument->count > 1 && memcmp(argument->got, call->argument[0].input, argument->count * size) == 0)
        suite_add(text, "this is %s as it came in\n", call->argument[0].name);
    else if (argument->element == ELEMENT_INTERVAL) {
        const interval_t *got = argument->got, *expected = argument->expected;
        if (!element_is_unwritten(ELEMENT_INTERVAL, &got[slot]))
            scan_explain_interval(text, got[slot], expected[slot]);
    }
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

const size_t tile_lengths[] = {1,   2,   3,   31,  32,  33,           64,         100,
                               127, 255, 256, 257, 509, TILES(1, -1), TILES(1, 0)};
static const size_t any_lengths[] = {
    0, 1, 2, 3, 31, 32, 33, TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, 1), 4099, 10007, 65537};

static const size_t proof_lengths[] = {127,         TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, -1),
                                       TILES(2, 0), TILES(2, 1),  4099,        10007};

#define ONE_TILE .lengths = {1, 0, LIST_OF_TILES(1, tile_lengths)}, .proofs = {1, SIZE_MAX, 0, NULL, 1}
#define ANY_LENGTH                                                                                           \
    .unlimited = true, .reaches_all = true, .lengths = {1, 0, LIST(any_lengths)},                            \
    .proofs = {1, 66, LIST(proof_lengths)}

#define SCAN(part, ...)                                                                                      \
    SUITE_PART(part, .arrange = scan_arrange_inclusive, .explain = scan_explain, .tests = standard_tests,    \
               .monoids = LAB_MONOIDS, .least = least_work, __VA_ARGS__)
#define CONVERSION(part, ...)                                                                                \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explain_conversion, .tests = standard_tests,      \
               .monoids = LAB_MONOIDS, __VA_ARGS__)

SCAN(scan_quadratic, ONE_TILE, .quadratic = true, .work = 2 /* n * n */, .depth = scan_depth_any,
     .bounds = quadratic_bounds, .shared = quadratic_shared);
SCAN(scan_double_buffered, ONE_TILE, .ways_in_place = 1, .depth = scan_depth_any,
     .bounds = double_buffered_bounds, .shared = tile_shared);
SCAN(scan_in_place, ONE_TILE, .ways_in_place = 1, .depth = scan_depth_any, .bounds = in_place_bounds,
     .shared = tile_shared);
SCAN(scan_global, ANY_LENGTH, .longest = (1 << 18) + 3, .depth = scan_depth_any, .bounds = global_bounds,
     .shared = scan_shared);
CONVERSION(inclusive_to_exclusive, ANY_LENGTH, .shared = map_shared);
CONVERSION(exclusive_to_inclusive, ANY_LENGTH, .ways_in_place = 2, .shared = map_shared);

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 2,
                                   .name = "naive_scan",
                                   .data_set = "sunspots.npy",
                                   .data_phrase = "the monthly sunspot numbers since 1749",
                                   SUITE_TABLE};
