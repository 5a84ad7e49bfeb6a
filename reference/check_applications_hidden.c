/* check_applications_hidden.c: the suite of lab 8 that grades: lengths, styles, choices and orders that the seed
 * chooses.
 *
 * Its replay lines work with the public suite: a case holds no more than the line says. */
#include "check_applications.h"

enum { LENGTHS = 12, LONGEST = 30000, LONGEST_SORTED = 1500, CALLS = 60 };

static size_t any_choice[LENGTHS], sort_choice[LENGTHS], short_choice[LENGTHS];

/* Calls with random styles and choices. */
static void test_random_seeds(const struct suite_part *part)
{
    struct random random = random_stream(suite_seed(), 4);
    for (int i = 0; i < CALLS; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, short_choice[random_below(&random, LENGTHS)]);
        is.seed = random_bits(&random) >> 32;
        suite_correct(&is);
    }
}

static const struct suite_test hidden_tests[] = {
    {"holds_for_random_choices_of_seeds", CORRECT, test_random_seeds, NULL},
    {"holds_for_every_style_at_further_lengths", CORRECT, test_styles, NULL},
    {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, NULL},
    {"equals_a_plain_loop_on_the_data_sets", CORRECT, test_real_data, NULL},
    {"does_not_depend_on_calls_of_further_lengths", CORRECT, test_again, NULL},
    {"equals_a_plain_loop_in_a_mixture_of_calls", CORRECT, test_mixture, NULL},
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

/* Random lengths in place of the public ones. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    for (size_t i = 0; i < LENGTHS; i++) {
        any_choice[i] = (size_t)random_below(&random, i < LENGTHS - 2 ? 4 * TILE : LONGEST);
        sort_choice[i] = (size_t)random_below(&random, i < LENGTHS - 1 ? 2 * TILE : LONGEST_SORTED);
        short_choice[i] = (size_t)random_below(&random, i < LENGTHS / 2 ? 50 : TILE) + 1;
    }
    qsort(any_choice, LENGTHS, sizeof *any_choice, ascending);
    qsort(sort_choice, LENGTHS, sizeof *sort_choice, ascending);
    qsort(short_choice, LENGTHS, sizeof *short_choice, ascending);

    for (size_t i = 0; i < sizeof application_parts / sizeof *application_parts; i++) {
        struct suite_part *part = &application_parts[i];
        bool sorts = part->lengths.list == sort_lengths;
        part->lengths = (struct suite_lengths){1, 0, LENGTHS, sorts ? sort_choice : any_choice};
        part->proofs = (struct suite_lengths){1, 0, LENGTHS, short_choice};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    static const struct suite_lab lab = {APPLICATIONS_LAB, .prepare = choose_lengths};
    return suite_main(&lab, count, words);
}
