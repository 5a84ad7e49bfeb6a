/* check_radix_sort_hidden.c: the suite of lab 5 that grades: lengths, keys and orders that the seed chooses.
 *
 * Its replay lines work with the public suite: a case holds no more than the line says. */
#include "check_radix_sort.h"

enum { LENGTHS = 12, LONGEST = 5000, CALLS = 24 };

static size_t tile_choice[LENGTHS], pair_choice[LENGTHS], any_choice[LENGTHS], short_choice[LENGTHS];

/* Calls with random choices of kinds of keys, bits, widths and sharings. */
static void test_random_choices(const struct suite_part *part)
{
    struct random random = random_stream(suite_seed(), 4);
    for (int i = 0; i < CALLS; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, short_choice[random_below(&random, LENGTHS)]);
        is.seed = random_bits(&random) >> 32;
        suite_correct(&is);
    }
}

static const struct suite_test hidden_tests[] = {
    {"holds_for_random_choices_of_keys", CORRECT, test_random_choices, NULL},
    {"sorts_wide_and_narrow_keys_at_further_lengths", CORRECT, test_kinds_of_keys, NULL},
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
        tile_choice[i] = (size_t)random_below(&random, TILE) + 1;
        pair_choice[i] = (size_t)random_below(&random, 2 * TILE) + 1;
        any_choice[i] = (size_t)random_below(&random, i < LENGTHS - 1 ? 2 * TILE : LONGEST);
        short_choice[i] = (size_t)random_below(&random, i < LENGTHS / 2 ? 40 : TILE) + 1;
    }
    qsort(tile_choice, LENGTHS, sizeof *tile_choice, ascending);
    qsort(pair_choice, LENGTHS, sizeof *pair_choice, ascending);
    qsort(any_choice, LENGTHS, sizeof *any_choice, ascending);
    qsort(short_choice, LENGTHS, sizeof *short_choice, ascending);

    for (size_t i = 0; i < sizeof radix_sort_parts / sizeof *radix_sort_parts; i++) {
        struct suite_part *part = &radix_sort_parts[i];
        const size_t *list = part->lengths.list;
        const size_t *choice = list == tile_lengths   ? tile_choice
                               : list == pair_lengths ? pair_choice
                                                      : any_choice;
        part->lengths = (struct suite_lengths){1, 0, LENGTHS, choice};
        part->proofs = (struct suite_lengths){1, 0, LENGTHS, short_choice};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    static const struct suite_lab lab = {RADIX_SORT_LAB, .prepare = choose_lengths};
    return suite_main(&lab, count, words);
}
