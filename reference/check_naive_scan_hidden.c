/* check_naive_scan_hidden.c: the hidden suite of lab 2. The seed chooses lengths, values and orders. */
#include "check_naive_scan.h"
#include "hidden_suite.h"

enum { LENGTHS = 14, LONGEST = 40000 };

static size_t tile_choice[LENGTHS], any_choice[LENGTHS];

static const struct suite_test hidden_tests[] = {
    HIDDEN_TESTS,
    {NULL, CORRECT, NULL, NULL},
};

/* Replaces the public lengths by random lengths. About half of them are short. */
static void choose_lengths(void)
{
    struct random random = random_stream(suite_seed(), 3);
    hidden_lengths(&random, (struct hidden_lengths){1, suite_tile(), 0, 0}, tile_choice, LENGTHS);
    hidden_lengths(&random, (struct hidden_lengths){0, 4 * suite_tile(), 2, LONGEST}, any_choice, LENGTHS);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        const size_t *choice = part->lengths.list == tile_lengths ? tile_choice : any_choice;
        part->lengths = part->proofs = (struct suite_lengths){1, 0, LENGTHS, choice, part->lengths.tiles};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_lengths, count, words);
}
