/* check_arbitrary_length_scan_hidden.c: the hidden suite of lab 6. The seed chooses lengths, values and orders. */
#include "hidden_suite.h"

enum { LENGTHS = 14, LONGEST = 60000, MORE_ORDERS = 6 };

static size_t choice[LENGTHS];

/* Further calls in the manner of for_block_orders, with numbers of tiles and of resident blocks that the seed chooses.
 */
static void further_block_orders(const struct suite_part *part, uint64_t stream,
                                 void (*check)(const struct suite_case *))
{
    struct random random = random_stream(suite_seed(), stream);
    for (int i = 0; i < MORE_ORDERS; i++) {
        struct suite_case is = suite_case(
            part, MONOID_INTERVAL, (size_t)random_below(&random, 30 * suite_tile()) + 5 * suite_tile());
        is.order = i % 3 ? CALL_RANDOM : CALL_REVERSE;
        is.resident = (uint32_t)random_below(&random, 12) + 1;
        is.seed = random_bits(&random) >> 32;
        check(&is);
    }
}

static void test_further_orders(const struct suite_part *part)
{
    further_block_orders(part, 4, suite_correct);
}

static void test_clean_further_orders(const struct suite_part *part)
{
    further_block_orders(part, 5, suite_clean);
}

static const struct suite_test hidden_tests[] = {
    {"does_not_depend_on_further_orders_of_blocks", CORRECT, test_further_orders, has_orders},
    {"is_clean_with_many_tiles_in_further_orders", CLEAN, test_clean_further_orders, NULL},
    HIDDEN_TESTS,
    {NULL, CORRECT, NULL, NULL},
};

/* Replaces the public lengths by random lengths. Most of them are short. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    hidden_lengths(&random, (struct hidden_lengths){0, 6 * suite_tile(), 3, LONGEST}, choice, LENGTHS);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        part->lengths = part->proofs = (struct suite_lengths){1, 0, LENGTHS, choice, part->lengths.tiles};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_lengths, count, words);
}
