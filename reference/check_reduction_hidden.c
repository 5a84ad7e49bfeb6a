/* check_reduction_hidden.c: the suite of lab 1 that grades: lengths, values and orders that the seed chooses.
 *
 * Its replay lines work with the public suite: a case holds no more than the line says. */
#include "check_reduction.h"
#include "random.h"
#include <stdlib.h>

enum { LENGTHS = 14, LONGEST = 300000 };

static size_t choice[LENGTHS];

static bool is_reduce(const struct suite_part *part)
{
    return part->bounds == reduce_bounds;
}

static const struct suite_test hidden_tests[] = {
    {"holds_by_proof_at_further_lengths", CORRECT, test_proof, has_proof},
    {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, has_exact},
    {"further_float_sums_stay_within_the_rounding_bound", CORRECT, test_floats, has_floats},
    {"does_not_depend_on_calls_of_further_lengths", CORRECT, test_again, NULL},
    {"equals_a_plain_loop_in_a_mixture_of_calls", CORRECT, test_mixture, NULL},
    {"gives_the_same_bits_every_time_at_further_lengths", CORRECT, test_same_bits, is_reduce},
    {"does_all_its_additions_in_kernels_at_further_lengths", CORRECT, test_combines, has_least},
    {"is_clean_in_a_mixture_of_calls", CLEAN, test_clean_mixture, NULL},
    {"is_clean_in_further_random_orders", CLEAN, test_clean_random, NULL},
    {"stays_within_the_bounds_at_further_lengths", EFFICIENT, test_bounds, has_bounds},
    {NULL, CORRECT, NULL, NULL},
};

static int ascending(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* Random lengths in place of the public ones, where any length is allowed: most of them short. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    for (size_t i = 0; i < LENGTHS; i++)
        choice[i] = (size_t)random_below(&random, i < LENGTHS - 4 ? 4 * TILE : LONGEST) + 1;
    qsort(choice, LENGTHS, sizeof *choice, ascending);

    for (size_t i = 0; i < sizeof reduction_parts / sizeof *reduction_parts; i++) {
        struct suite_part *part = &reduction_parts[i];
        if (part->lengths.list != power_lengths) /* of powers of two, the public suite has them all */
            part->lengths = part->proofs = (struct suite_lengths){1, 0, LENGTHS, choice};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    static const struct suite_lab lab = {REDUCTION_LAB, .prepare = choose_lengths};
    return suite_main(&lab, count, words);
}
