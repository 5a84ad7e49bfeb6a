/* toy_suite.c: a suite with one small part, for the tests of the suites. */
#include "suite.h"
#include "suite_scan.h"
#include "suite_tests.h"

static uint64_t work(size_t n)
{
    return n > 0 ? n - 1 : 0;
}

static const size_t lengths[] = {0, 1, 2, 16, 33};
static const struct suite_bound bounds[] = {{"combines", "n - 1", work}, {NULL, NULL, NULL}};

static const struct suite_part parts[] = {
    {
        .name = "scan_toy",
        .arrange = scan_arrange_inclusive,
        .explain = scan_explain,
        .tests = standard_tests,
        .lengths = {1, 0, sizeof lengths / sizeof *lengths, lengths},
        .proofs = {0, 16, 0, NULL},
        .monoids = 1u << MONOID_SUM | 1u << MONOID_FLOAT_SUM | 1u << MONOID_INTERVAL,
        .depth = scan_depth_any,
        .least = work,
        .bounds = bounds,
    },
    {
        .name = "scan_other",
        .arrange = scan_arrange_inclusive,
        .tests = standard_tests,
        .lengths = {1, 3, 0, NULL},
        .proofs = {1, 3, 0, NULL},
        .monoids = 1u << MONOID_SUM,
    },
};

int main(int count, char **words)
{
    static const struct suite_lab lab = {
        .number = 9, .name = "toy", .parts = parts, .count = sizeof parts / sizeof *parts};
    return suite_main(&lab, count, words);
}
