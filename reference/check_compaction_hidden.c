/* check_compaction_hidden.c: the hidden suite of lab 4. The seed chooses lengths, values, choices and orders. */
#include "check_compaction.h"
#include "hidden_suite.h"

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
    HIDDEN_TESTS_OF_ALL,
    {NULL, CORRECT, NULL, NULL},
};

/* Replaces the public lengths by random lengths. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    hidden_lengths(&random, (struct hidden_lengths){0, 4 * suite_tile(), 2, LONGEST}, any_choice, LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){0, 128, 4, 8 * suite_tile()}, short_choice, LENGTHS);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        part->lengths = (struct suite_lengths){1, 0, LENGTHS, any_choice, 0};
        part->proofs = (struct suite_lengths){1, 0, LENGTHS, short_choice, 0};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_lengths, count, words);
}
