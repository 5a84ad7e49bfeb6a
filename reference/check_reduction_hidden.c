/* check_reduction_hidden.c: the hidden suite of lab 1. The seed chooses lengths, values and orders. */
#include "check_reduction.h"
#include "hidden_suite.h"
#include <string.h>

enum { LENGTHS = 14, LONGEST = 300000 };

static size_t choice[LENGTHS];

static bool is_reduce(const struct suite_part *part)
{
    return strcmp(part->name, "reduce") == 0;
}

static bool is_mean(const struct suite_part *part)
{
    return strcmp(part->name, "mean") == 0;
}

/* A float that is counted up by 1 stays at 2^24. The elements are equal, so that their mean shows a wrong divisor: it is
 * four times as far from the right one as the contract allows. */
static void test_count(const struct suite_part *part)
{
    struct suite_case is = suite_case(part, MONOID_FLOAT_SUM, ((size_t)1 << 24) + 16387);
    is.input = INPUT_EQUAL;
    suite_correct(&is);
}

static const struct suite_test hidden_tests[] = {
    {"is_right_where_a_float_counts_no_further", CORRECT, test_count, is_mean},
    {"gives_the_same_bits_every_time_at_further_lengths", CORRECT, test_same_bits, is_reduce},
    HIDDEN_TESTS,
    {NULL, CORRECT, NULL, NULL},
};

/* If any length is allowed, replaces the public lengths by random ones, most of which are short. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    hidden_lengths(&random, (struct hidden_lengths){1, 4 * suite_tile(), 4, LONGEST}, choice, LENGTHS);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        if (part->lengths.list != power_lengths) /* the public suite has all powers of two */
            part->lengths = part->proofs = (struct suite_lengths){1, 0, LENGTHS, choice, part->lengths.tiles};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_lengths, count, words);
}
