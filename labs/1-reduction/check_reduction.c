/* check_reduction.c: the parts of lab 1 and their tests, for both suites: the public one, whose main function is in
 * suite_public.c, and the grading one. */
#include "check_reduction.h"
#include "suite.h"
#include "suite_bounds.h"
#include "suite_parts.h"
#include "suite_reduce.h"
#include "suite_scan.h"
#include "suite_sharing.h"
#include "suite_tests.h"
#include <math.h>
#include <string.h>

#define UNIT_ROUNDOFF 0x1p-24

/* ---- meters -------------------------------------------------------------------------------------------- */

static uint64_t tree_work(size_t n)
{
    return n > 0 ? n - 1 : 0;
}

/* A thread may have a single element, and all lanes of a warp may combine in each of the five steps of its shuffles. */
static uint64_t reduce_work(size_t n)
{
    return 7 * (uint64_t)n + 16384;
}

static uint64_t eight(size_t n)
{
    (void)n;
    return 8;
}

/* The steps of a tree, and those of 32 elements per thread before and after it. */
static uint64_t tree_steps(size_t n)
{
    return 2 * (uint64_t)scan_depth_log(n - 1) + 64;
}

#define TREE_STEPS                                                                                           \
    {                                                                                                        \
        "steps", "2 log2 n + 64: the depth of a tree, with several elements a thread", tree_steps            \
    }

static const struct suite_bound tree_bounds[] = {
    {"combines", "n - 1", tree_work}, TREE_STEPS, IN_ONE_BLOCK, REDUCES_IN_SHARED, {NULL, NULL, NULL}};
static const struct suite_bound packed_bounds[] = {
    {"combines", "n - 1", tree_work},
    TREE_STEPS,
    {"divergent branches", "8: of the tree's steps only those with fewer than 32 additions split a warp",
     eight},
    IN_ONE_BLOCK,
    REDUCES_IN_SHARED,
    {NULL, NULL, NULL}};
static const struct suite_bound reduce_bounds[] = {{"combines", "7n + 16384", reduce_work},
                                                   {NULL, NULL, NULL}};

static const struct suite_bound tile_shared[] = {SHARED_TILE, {NULL, NULL, NULL}};
static const struct suite_bound reduce_shared[] = {SHARED_MAP, HOST_SUMS, {NULL, NULL, NULL}};

/* ---- arguments ----------------------------------------------------------------------------------------- */

/* How far a sum of floats may be from the exact one, by the contract of reduce. Each of 4096 threads, a small grid that
 * strides over the input, adds n / 4096 elements in a row. */
static double reduce_error(const float *in, size_t n)
{
    return ((double)n / 4096 + 128) * UNIT_ROUNDOFF * reduce_magnitude(in, n);
}

static void arrange_reduce(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    enum element element = monoids[is->monoid].element;
    const void *in = suite_values(is, is->n, 0);
    double *tolerance = NULL;
    if (is->monoid == MONOID_FLOAT_SUM) {
        tolerance = suite_memory(sizeof *tolerance);
        *tolerance = reduce_error(in, is->n);
    }
    suite_in(call, element, is->n, in);
    suite_out(call, element, 1, reduce_expected(is->monoid, in, is->n), tolerance);
    suite_scalar(call, is->n);
}

static void arrange_mean(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const float *in = suite_values(is, is->n, 0);
    float *expected = suite_memory(sizeof *expected);
    double *tolerance = suite_memory(sizeof *tolerance), sum = 0;
    for (size_t i = 0; i < is->n; i++)
        sum += in[i];
    double mean = sum / (double)is->n, error = reduce_error(in, is->n) / (double)is->n;
    /* n as a float, the quotient and `expected` itself are rounded. */
    *tolerance =
        error + 3 * UNIT_ROUNDOFF * (fabs(mean) + error) + 0x1p-149; /* the smallest step of a quotient */
    *expected = (float)mean;
    suite_in(call, ELEMENT_FLOAT, is->n, in);
    suite_out(call, ELEMENT_FLOAT, 1, expected, tolerance);
    suite_scalar(call, is->n);
}

/* ---- a test of this lab's own -------------------------------------------------------------------------- */

/* Checks that the same input gives the same bits in whatever order blocks and threads run. */
void test_same_bits(const struct suite_part *part)
{
    size_t lengths[SOME_LENGTHS], count = some_lengths(part, lengths);
    for (size_t i = 0; i < count; i++) {
        struct suite_case is = suite_case(part, MONOID_FLOAT_SUM, lengths[i]);
        float first = 0, again = 0;
        for (int call = 0; call < 4; call++) {
            size_t bytes;
            is.order = call == 0 ? CALL_FORWARD : call == 1 ? CALL_REVERSE : CALL_RANDOM;
            is.resident = call == 3 ? 2 : 16;
            suite_correct(&is);
            memcpy(call == 0 ? &first : &again, suite_got(1, &bytes), sizeof first);
            if (call > 0 && memcmp(&first, &again, sizeof first) != 0)
                suite_fail(SUITE_DIFFERENT_BITS,
                           "the sum is %.9g, and was %.9g in an earlier call with the same input\n"
                           "try: let each sum come from a fixed tree; atomics add in the order in which they"
                           " happen to come",
                           (double)again, (double)first);
        }
    }
}

/* Sums values of one sign: their rounding errors add up, so a chain that is too long exceeds the bound. */
static void test_one_sign(const struct suite_part *part)
{
    static const enum suite_input kinds[] = {INPUT_EQUAL, INPUT_NEGATIVE};
    static const size_t lengths[] = {65537, 1048576};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            struct suite_case is = suite_case(part, MONOID_FLOAT_SUM, lengths[i]);
            is.input = kinds[kind];
            suite_correct(&is);
        }
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

const size_t power_lengths[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
#define ANY_LENGTHS                                                                                          \
    1, 2, 3, 31, 32, 33, TILES(1, -1), TILES(1, 0), TILES(1, 1), TILES(2, 1), 4095, 4096, 4097, 8193, 10007, \
        65536, 65537, 262144
static const size_t any_lengths[] = {0, ANY_LENGTHS}, mean_lengths[] = {ANY_LENGTHS};

static const struct suite_test reduce_tests[] = {
    STANDARD_TESTS,
    {"gives_the_same_bits_every_time", CORRECT, test_same_bits, NULL},
    {"long_float_sums_of_one_sign_stay_within_the_bound", CORRECT, test_one_sign, NULL},
    {NULL, CORRECT, NULL, NULL},
};

static const struct suite_test mean_tests[] = {
    STANDARD_TESTS,
    {"long_float_sums_of_one_sign_stay_within_the_bound", CORRECT, test_one_sign, NULL},
    {NULL, CORRECT, NULL, NULL},
};

#define REDUCTION(part, ...)                                                                                 \
    SUITE_PART(part, .arrange = arrange_reduce, .explain = reduce_explain, .monoids = LAB_MONOIDS,           \
               .least = tree_work, __VA_ARGS__)

REDUCTION(reduce_tile, .tests = standard_tests, .powers_of_two = true,
          .lengths = {1, 0, LIST_OF_TILES(1, power_lengths)},
          .proofs = {1, 0, LIST_OF_TILES(1, power_lengths)}, .bounds = tree_bounds, .shared = tile_shared);
REDUCTION(reduce_tile_packed, .tests = standard_tests, .powers_of_two = true,
          .lengths = {1, 0, LIST_OF_TILES(1, power_lengths)},
          .proofs = {1, 0, LIST_OF_TILES(1, power_lengths)}, .bounds = packed_bounds, .shared = tile_shared);
REDUCTION(reduce, .unlimited = true, .tests = reduce_tests, .lengths = {1, 0, LIST(any_lengths)},
          .proofs = {1, 1030, LIST(any_lengths)}, .bounds = reduce_bounds, .shared = reduce_shared);
SUITE_PART(mean, .arrange = arrange_mean, .unlimited = true, .most = INT32_MAX, .tests = mean_tests,
           .lengths = {1, 0, LIST(mean_lengths)}, .monoids = MONOIDS_OF_mean, .shared = reduce_shared,
           .tested = "it divides and rounds floats, and another order of additions rounds to another float, "
                     "which is right as well; the part for every operator is reduce");

#include "suite_table.h"

const struct suite_lab this_lab = {.number = 1,
                                   .name = "reduction",
                                   .data_set = "sunspots.npy",
                                   .data_phrase = "the monthly sunspot numbers since 1749",
                                   SUITE_TABLE};
