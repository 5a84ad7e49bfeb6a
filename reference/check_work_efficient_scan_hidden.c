/* check_work_efficient_scan_hidden.c: the suite of lab 3 that grades: lengths, values and orders that the
 * seed chooses.
 *
 * Its replay lines work with the public suite: a case holds no more than the line says. */
#include "check_work_efficient_scan.h"
#include "random.h"
#include <stdlib.h>

enum { LENGTHS = 14, LONGEST = 40000 };

static size_t coarse_choice[LENGTHS], any_choice[LENGTHS];

static const struct suite_test hidden_tests[] = {
    {"holds_by_proof_at_further_lengths", CORRECT, test_proof, has_proof},
    {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, has_exact},
    {"further_float_sums_stay_within_the_rounding_bound", CORRECT, test_floats, has_floats},
    {"works_in_place_at_further_lengths", CORRECT, test_in_place, has_in_place},
    {"does_not_depend_on_calls_of_further_lengths", CORRECT, test_again, NULL},
    {"equals_a_plain_loop_in_a_mixture_of_calls", CORRECT, test_mixture, NULL},
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
    for (size_t i = 0; i < LENGTHS; i++) {
        coarse_choice[i] = (size_t)random_below(&random, COARSE_TILE) + 1;
        any_choice[i] = (size_t)random_below(&random, i < LENGTHS - 2 ? 4 * TILE : LONGEST);
    }
    qsort(coarse_choice, LENGTHS, sizeof *coarse_choice, ascending);
    qsort(any_choice, LENGTHS, sizeof *any_choice, ascending);

    for (size_t i = 0; i < sizeof work_efficient_scan_parts / sizeof *work_efficient_scan_parts; i++) {
        struct suite_part *part = &work_efficient_scan_parts[i];
        if (part->lengths.list != power_lengths) { /* of powers of two, the public suite has them all */
            const size_t *choice = part->lengths.list == coarse_lengths ? coarse_choice : any_choice;
            part->lengths = part->proofs = (struct suite_lengths){1, 0, LENGTHS, choice};
        }
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    static const struct suite_lab lab = {WORK_EFFICIENT_SCAN_LAB, .prepare = choose_lengths};
    return suite_main(&lab, count, words);
}
