/* check_radix_sort_hidden.c: the hidden suite of lab 5. The seed chooses lengths, keys and orders. */
#include "check_radix_sort.h"
#include "hidden_suite.h"

enum { LENGTHS = 12, LONGEST = 3000, CALLS = 24 };

static size_t tile_choice[LENGTHS], pair_choice[LENGTHS], any_choice[LENGTHS], short_choice[LENGTHS];

/* Calls with random choices of kinds of keys, bits, widths and sharings. */
static void test_random_choices(const struct suite_part *part)
{
    hidden_calls(part, 4, CALLS, short_choice, LENGTHS, suite_correct);
}

static const struct suite_test hidden_tests[] = {
    {"holds_for_random_choices_of_keys", CORRECT, test_random_choices, NULL},
    {"sorts_wide_and_narrow_keys_at_further_lengths", CORRECT, test_kinds_of_keys, NULL},
    {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, NULL},
    HIDDEN_TESTS_OF_ALL,
    {NULL, CORRECT, NULL, NULL},
};

/* Replaces the public lengths by random lengths. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    hidden_lengths(&random, (struct hidden_lengths){1, suite_tile(), 0, 0}, tile_choice, LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){1, 2 * suite_tile(), 0, 0}, pair_choice, LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){0, 2 * suite_tile(), 1, LONGEST}, any_choice, LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){1, 40, LENGTHS / 2, suite_tile()}, short_choice, LENGTHS);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        const size_t *list = part->lengths.list;
        const size_t *choice = list == tile_lengths   ? tile_choice
                               : list == pair_lengths ? pair_choice
                                                      : any_choice;
        part->lengths = (struct suite_lengths){1, 0, LENGTHS, choice, part->lengths.tiles};
        part->proofs = (struct suite_lengths){1, 0, LENGTHS, short_choice, part->lengths.tiles};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_lengths, count, words);
}
