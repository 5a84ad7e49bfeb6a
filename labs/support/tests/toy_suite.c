/* toy_suite.c: a suite with one small part, for the tests of the suites. */
#include "suite_internal.h"
#include "suite_scan.h"
#include "suite_tests.h"
#include <string.h>

static uint64_t work(size_t n)
{
    return n > 0 ? n - 1 : 0;
}

static const size_t lengths[] = {0, 1, 2, 16, 33};
static const struct suite_bound bounds[] = {{"combines", "n - 1", work}, {NULL, NULL, NULL}};

/* Lengths of one tile, or of two, that a user may ask for. */
static const size_t tile_lengths[] = {1, 33, TILES(1, 0)};
static const size_t power_lengths[] = {2, 16, TILES(2, 0)};

static void test_first(const struct suite_part *part)
{
    size_t n = 0;
    suite_length(&part->lengths, 0, &n);
    const struct suite_case is = suite_case(part, MONOID_SUM, n);
    suite_correct(&is);
}

/* Calls a build that the part does not need when it is tested alone. */
static void test_stray(const struct suite_part *part)
{
    const struct suite_case is = suite_case(part, MONOID_MAX, 2);
    suite_correct(&is);
}

static bool is_alone(const struct suite_part *part)
{
    return suite_options.part && strcmp(suite_options.part, part->name) == 0;
}

static const struct suite_test stray_tests[] = {
    {"is_right_at_its_first_length", CORRECT, test_first, NULL},
    {"calls_a_build_that_is_not_there", CORRECT, test_stray, is_alone},
    {NULL, CORRECT, NULL, NULL},
};

static const struct suite_test one_test[] = {{"is_right_at_its_first_length", CORRECT, test_first, NULL},
                                             {NULL, CORRECT, NULL, NULL}};

#define ARGUMENTS "(const elem_t *in, elem_t *out, size_t n)"

static struct suite_part scan_toy = {
    .name = "scan_toy",
    .arguments = ARGUMENTS,
    .arrange = scan_arrange_inclusive,
    .explain = scan_explain,
    .tests = standard_tests,
    .lengths = {1, 0, LIST(lengths)},
    .proofs = {0, 16, 0, NULL, 0},
    .monoids = 1u << MONOID_SUM | 1u << MONOID_FLOAT_SUM | 1u << MONOID_INTERVAL,
    .depth = scan_depth_any,
    .least = work,
    .bounds = bounds,
};

static struct suite_part scan_other = {
    .name = "scan_other",
    .arguments = ARGUMENTS,
    .arrange = scan_arrange_inclusive,
    .tests = standard_tests,
    .lengths = {1, 3, 0, NULL, 0},
    .proofs = {1, 3, 0, NULL, 0},
    .monoids = 1u << MONOID_SUM,
    .tested = "it adds numbers",
};

static struct suite_part scan_tile = {
    .name = "scan_tile",
    .arguments = ARGUMENTS,
    .arrange = scan_arrange_inclusive,
    .tests = one_test,
    .lengths = {1, 0, LIST_OF_TILES(1, tile_lengths)},
    .monoids = 1u << MONOID_SUM,
    .tested = "it adds numbers",
};

static struct suite_part scan_powers = {
    .name = "scan_powers",
    .arguments = ARGUMENTS,
    .arrange = scan_arrange_inclusive,
    .tests = stray_tests,
    .powers_of_two = true,
    .lengths = {1, 0, LIST_OF_TILES(2, power_lengths)},
    .monoids = 1u << MONOID_SUM,
    .tested = "it adds numbers",
};

static struct suite_part *const parts[] = {&scan_toy, &scan_other, &scan_tile, &scan_powers};

int main(int count, char **words)
{
    static const struct suite_lab lab = {.number = 9,
                                         .name = "toy",
                                         .monoids = 1u << MONOID_SUM | 1u << MONOID_FLOAT_SUM |
                                                    1u << MONOID_INTERVAL,
                                         .parts = parts,
                                         .count = sizeof parts / sizeof *parts};
    return suite_main(&lab, count, words);
}
