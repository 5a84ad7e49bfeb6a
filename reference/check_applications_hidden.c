/* check_applications_hidden.c: the hidden suite of lab 8. The seed chooses lengths, styles, choices and orders. */
#include "check_applications.h"
#include "hidden_suite.h"

enum { LENGTHS = 12, LONGEST = 30000, LONGEST_SORTED = 1500, CALLS = 60 };

static size_t any_choice[LENGTHS], sort_choice[LENGTHS], short_choice[LENGTHS];

/* Calls with random styles and choices. */
static void test_random_seeds(const struct suite_part *part)
{
    hidden_calls(part, 4, CALLS, short_choice, LENGTHS, suite_correct);
}

static const struct suite_test hidden_tests[] = {
    {"holds_for_random_choices_of_seeds", CORRECT, test_random_seeds, NULL},
    {"holds_for_every_style_at_further_lengths", CORRECT, test_styles, NULL},
    {"equals_a_plain_loop_on_further_lengths_and_values", CORRECT, test_random, NULL},
    {"equals_a_plain_loop_on_the_data_sets", CORRECT, test_real_data, NULL},
    HIDDEN_TESTS_OF_ALL,
    {NULL, CORRECT, NULL, NULL},
};

/* Replaces the public lengths by random lengths. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    hidden_lengths(&random, (struct hidden_lengths){0, 4 * suite_tile(), 2, LONGEST}, any_choice, LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){0, 2 * suite_tile(), 1, LONGEST_SORTED}, sort_choice,
                   LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){1, 50, LENGTHS / 2, suite_tile()}, short_choice, LENGTHS);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        bool sorts = part->lengths.list == sort_lengths;
        part->lengths = (struct suite_lengths){1, 0, LENGTHS, sorts ? sort_choice : any_choice, 0};
        part->proofs = (struct suite_lengths){1, 0, LENGTHS, short_choice, 0};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_lengths, count, words);
}
