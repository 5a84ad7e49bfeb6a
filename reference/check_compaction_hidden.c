/* check_compaction_hidden.c: the suite of lab 4 that grades: lengths, values, choices and orders that the seed
 * chooses.
 *
 * Its replay lines work with the public suite: a case holds no more than the line says. */
#include "check_compaction.h"

enum { LENGTHS = 14, LONGEST = 40000, CHOICES = 100 };

static size_t any_choice[LENGTHS], short_choice[LENGTHS];

/* Random choices among 7 to 32 elements. */
static void test_random_choices(const struct suite_part *part)
{
    struct random random = random_stream(suite_seed(), 4);
    for (int i = 0; i < CHOICES; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, (size_t)random_below(&random, 26) + 7);
        is.seed = seed_of_mask((uint32_t)random_bits(&random));
        suite_correct(&is);
    }
}

static const struct suite_test hidden_tests[] = {
    {"holds_for_random_choices_of_up_to_32_elements", CORRECT, test_random_choices, NULL},
    {"holds_from_none_kept_to_all_kept_at_further_lengths", CORRECT, test_shares, NULL},
    {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, NULL},
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
        short_choice[i] = (size_t)random_below(&random, i < LENGTHS - 4 ? 128 : 8 * TILE);
    }
    qsort(any_choice, LENGTHS, sizeof *any_choice, ascending);
    qsort(short_choice, LENGTHS, sizeof *short_choice, ascending);

    for (size_t i = 0; i < sizeof compaction_parts / sizeof *compaction_parts; i++) {
        struct suite_part *part = &compaction_parts[i];
        part->lengths = (struct suite_lengths){1, 0, LENGTHS, any_choice};
        part->proofs = (struct suite_lengths){1, 0, LENGTHS, short_choice};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    static const struct suite_lab lab = {COMPACTION_LAB, .prepare = choose_lengths};
    return suite_main(&lab, count, words);
}
