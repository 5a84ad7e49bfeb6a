/* hidden_suite.h: shared by the hidden suites. They call the tests of the public suites with lengths, values and orders
 * that the seed chooses.
 *
 * Their replay lines work with the public suite, because a case has only settings that are in its line. */
#ifndef REFERENCE_HIDDEN_SUITE_H
#define REFERENCE_HIDDEN_SUITE_H

#include "random.h"
#include "suite_tests.h"
#include <stdlib.h>

/* The tests of an ordinary scan or reduction. */
#define HIDDEN_TESTS                                                                                         \
    {"joins_the_right_inputs_at_further_lengths", CORRECT, test_proof, has_proof},                           \
        {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, has_exact},              \
        {"further_float_sums_stay_within_the_rounding_bound", CORRECT, test_floats, has_floats},             \
        {"works_in_place_at_further_lengths", CORRECT, test_in_place, has_in_place},                         \
        {"does_all_its_additions_in_kernels_at_further_lengths", CORRECT, test_combines, has_least},         \
        HIDDEN_TESTS_OF_ALL

/* Tests at lengths that the seed chooses. */
#define HIDDEN_TESTS_OF_DRAWN                                                                                \
    {"is_right_at_lengths_that_the_seed_draws", CORRECT, test_drawn, NULL},                                  \
        {"is_right_and_shared_by_many_threads_at_lengths_that_the_seed_draws", CORRECT, test_shared_drawn,   \
         has_shared},                                                                                        \
        {"is_clean_at_lengths_that_the_seed_draws", CLEAN, test_clean_drawn, NULL},                          \
    {                                                                                                        \
        "stays_within_the_bounds_at_lengths_that_the_seed_draws", EFFICIENT, test_bounds_drawn, has_bounds   \
    }

/* The tests of every part. */
#define HIDDEN_TESTS_OF_ALL                                                                                  \
    {"does_not_depend_on_calls_of_further_lengths", CORRECT, test_again, NULL},                              \
        {"equals_a_plain_loop_in_a_mixture_of_calls", CORRECT, test_mixture, NULL},                          \
        {"is_right_and_shared_by_many_threads_at_further_lengths", CORRECT, test_shared_short, has_shared},  \
        {"is_clean_in_a_mixture_of_calls", CLEAN, test_clean_mixture, NULL},                                 \
        {"is_clean_in_further_random_orders", CLEAN, test_clean_random, NULL},                               \
        {"stays_within_the_bounds_at_further_lengths", EFFICIENT, test_bounds, has_bounds},                  \
        HIDDEN_TESTS_OF_DRAWN

/* The main function of a hidden suite: the parts of the public suite, to which `prepare` gives other lengths and tests. */
static inline int hidden_main(void (*prepare)(void), int count, char **words)
{
    static struct suite_lab lab;
    lab = this_lab;
    lab.prepare = prepare;
    return suite_main(&lab, count, words);
}

/* Most lengths are in [least, least + usual), the last `longer` of them in [least, least + longest). */
struct hidden_lengths {
    size_t least, usual;
    size_t longer, longest;
};

static inline int hidden_ascending(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Fills `lengths` with `count` random ones, in ascending order. */
static inline void hidden_lengths(struct random *random, struct hidden_lengths are, size_t *lengths,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        lengths[i] =
            are.least + (size_t)random_below(random, i + are.longer < count ? are.usual : are.longest);
    qsort(lengths, count, sizeof *lengths, hidden_ascending);
}

/* Makes `calls` calls, each with a random one of the lengths and with a seed of its own. That seed chooses everything that a
 * lab's inputs leave open: windows, keys, styles. */
static inline void hidden_calls(const struct suite_part *part, uint64_t stream, int calls,
                                const size_t *lengths, size_t count, void (*check)(const struct suite_case *))
{
    struct random random = random_stream(suite_seed(), stream);
    for (int i = 0; i < calls; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, lengths[random_below(&random, count)]);
        is.seed = random_bits(&random) >> 32;
        check(&is);
    }
}

#endif
