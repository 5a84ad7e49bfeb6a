/* check_summed_area_table_hidden.c: the hidden suite of lab 7. The seed chooses shapes, pixels, windows and orders. */
#include "hidden_suite.h"
#include <string.h>

enum { SHAPES = 14, SMALL_SHAPES = 6, CALLS = 30, LONGEST = 20000, SHORTEST_LONG = 1200 };

static size_t shape_choice[SHAPES], small_choice[SMALL_SHAPES];

/* Calls with random radii and lenses. */
static void test_random_choices(const struct suite_part *part)
{
    hidden_calls(part, 4, CALLS, shape_choice, SHAPES - 3, suite_correct);
}

static void test_clean_choices(const struct suite_part *part)
{
    hidden_calls(part, 5, CALLS, small_choice, SMALL_SHAPES, suite_clean);
}

static bool has_choices(const struct suite_part *part)
{
    return strcmp(part->name, "box_filter") == 0 || strcmp(part->name, "depth_of_field") == 0;
}

static bool has_long_sums(const struct suite_part *part)
{
    return strcmp(part->name, "sat") == 0;
}

/* A square of bright pixels, slightly larger than the smallest one whose sums do not fit the 53 bits of a double. */
static void test_long_sums(const struct suite_part *part)
{
    struct suite_case is = suite_case(part, MONOID_SUM, suite_shape(1733, 1723));
    is.input = INPUT_NEGATIVE; /* 2^31 and more as unsigned numbers */
    suite_correct(&is);
}

static const struct suite_test hidden_tests[] = {
    {"adds_up_exactly_past_2_to_the_53", CORRECT, test_long_sums, has_long_sums},
    {"joins_the_right_inputs_for_further_shapes", CORRECT, test_proof, has_proof},
    {"holds_for_random_windows", CORRECT, test_random_choices, has_choices},
    {"equals_a_plain_loop_on_further_shapes_and_values", CORRECT, test_random, has_exact},
    {"works_in_place_for_further_shapes", CORRECT, test_in_place, has_in_place},
    {"does_not_depend_on_calls_of_further_shapes", CORRECT, test_again, NULL},
    {"equals_a_plain_loop_in_a_mixture_of_calls", CORRECT, test_mixture, NULL},
    {"does_all_its_additions_in_kernels_for_further_shapes", CORRECT, test_combines, has_least},
    {"is_clean_in_a_mixture_of_calls", CLEAN, test_clean_mixture, NULL},
    {"is_clean_in_further_random_orders", CLEAN, test_clean_random, NULL},
    {"is_clean_for_random_windows", CLEAN, test_clean_choices, has_choices},
    {"stays_within_the_bounds_for_further_shapes", EFFICIENT, test_bounds, has_bounds},
    HIDDEN_TESTS_OF_DRAWN,
    {NULL, CORRECT, NULL, NULL},
};

static int smaller(const void *left, const void *right)
{
    size_t a = suite_elements(*(const size_t *)left), b = suite_elements(*(const size_t *)right);
    return (a > b) - (a < b);
}

/* A random shape of about `elements` elements: wide, square or tall. */
static size_t random_shape(struct random *random, size_t elements)
{
    size_t rows = 1 + (size_t)random_below(random, 40);
    if (rows > elements)
        rows = elements;
    return random_below(random, 2) ? suite_shape(rows, elements / rows) : suite_shape(elements / rows, rows);
}

/* Replaces the public shapes by random shapes. Most of them are small. */
static void choose_shapes(void)
{
    struct random random = random_stream(suite_seed(), 3);
    for (size_t i = 0; i < SHAPES; i++)
        shape_choice[i] =
            random_shape(&random, i < SHAPES - 3 ? (size_t)random_below(&random, 2 * suite_tile()) + 1
                                                 : SHORTEST_LONG + (size_t)random_below(&random, LONGEST));
    for (size_t i = 0; i < SMALL_SHAPES; i++)
        small_choice[i] = random_shape(&random, (size_t)random_below(&random, 300) + 1);
    qsort(shape_choice, SHAPES, sizeof *shape_choice, smaller);
    qsort(small_choice, SMALL_SHAPES, sizeof *small_choice, smaller);

    for (size_t i = 0; i < this_lab.count; i++) {
        struct suite_part *part = this_lab.parts[i];
        part->lengths = part->proofs = (struct suite_lengths){1, 0, SHAPES, shape_choice, 0};
        part->tests = hidden_tests;
    }
}

int main(int count, char **words)
{
    return hidden_main(choose_shapes, count, words);
}
