/* suite_tests.h: the tests that parts with an ordinary contract share. A test adapts to its part: to its monoids
 * and lengths, whether it may be called in place, and its bounds. */
#ifndef LABS_SUITE_TESTS_H
#define LABS_SUITE_TESTS_H

#include "suite.h"

/* The bodies, for tables with their own names. */
void test_proof(const struct suite_part *part);
void test_every_length(const struct suite_part *part); /* in builds of every tile: see suite_sweep.c */
void test_clean_every_length(const struct suite_part *part);
void test_many_tiles(const struct suite_part *part);
void test_random(const struct suite_part *part);
void test_adversarial(const struct suite_part *part);
void test_marks(const struct suite_part *part); /* see suite_marks.c */
void test_floats(const struct suite_part *part);
void test_in_place(const struct suite_part *part);
void test_unaligned(const struct suite_part *part);
void test_again(const struct suite_part *part);
void test_orders(const struct suite_part *part);
void test_huge(const struct suite_part *part);
void test_sampled(const struct suite_part *part);
void test_series(const struct suite_part *part);
void test_combines(const struct suite_part *part);
void test_clean_forward(const struct suite_part *part);
void test_clean_reverse(const struct suite_part *part);
void test_clean_random(const struct suite_part *part);
void test_empty(const struct suite_part *part);
void test_bounds(const struct suite_part *part);
void test_shared(const struct suite_part *part);
void test_shared_short(const struct suite_part *part); /* at lengths of one block */

/* Many calls, each with a random monoid, length, kind of input, alignment and order, some of them in place. */
void test_mixture(const struct suite_part *part);
void test_clean_mixture(const struct suite_part *part);

/* At lengths drawn from the seed: see suite_drawn.c. */
void test_drawn(const struct suite_part *part);
void test_clean_drawn(const struct suite_part *part);
void test_shared_drawn(const struct suite_part *part);
void test_bounds_drawn(const struct suite_part *part);

/* The conditions under which tests apply; null in a table means always. */
bool has_proof(const struct suite_part *part);
bool has_no_proof(const struct suite_part *part);
bool has_many_tiles(const struct suite_part *part);
bool has_exact(const struct suite_part *part);
bool has_floats(const struct suite_part *part);
bool has_in_place(const struct suite_part *part);
bool has_orders(const struct suite_part *part);
bool has_huge(const struct suite_part *part);
bool has_sampled(const struct suite_part *part);
bool has_series(const struct suite_part *part);
bool has_empty(const struct suite_part *part);
bool has_least(const struct suite_part *part);
bool has_bounds(const struct suite_part *part);
bool has_shared(const struct suite_part *part);

/* Some of a part's lengths, spread over all of them and including the longest. Returns their number. */
enum { SOME_LENGTHS = 6 };
size_t some_lengths(const struct suite_part *part, size_t lengths[SOME_LENGTHS]);

/* The rows of an ordinary part, for a table with further ones; and a table without further ones. A 32-bit index, and
 * an input without elements, matter to few callers, so a fault there loses only the points for cleanness. */
#define STANDARD_TESTS                                                                                       \
    {"joins_the_right_inputs_at_every_length", CORRECT, test_every_length, has_proof},                       \
        {"is_right_at_every_length_up_to_two_small_tiles", CORRECT, test_every_length, has_no_proof},        \
        {"is_right_with_thousands_of_tiles", CORRECT, test_many_tiles, has_many_tiles},                      \
        {"equals_a_plain_loop_on_random_values", CORRECT, test_random, has_exact},                           \
        {"equals_a_plain_loop_on_sorted_equal_and_extreme_values", CORRECT, test_adversarial, has_exact},    \
        {"holds_for_marks_and_extremes_at_every_telling_place", CORRECT, test_marks, NULL},                  \
        {"float_sums_stay_within_the_rounding_bound", CORRECT, test_floats, has_floats},                     \
        {"works_in_place", CORRECT, test_in_place, has_in_place},                                            \
        {"needs_no_more_alignment_than_an_element", CORRECT, test_unaligned, NULL},                          \
        {"does_not_depend_on_earlier_calls", CORRECT, test_again, NULL},                                     \
        {"does_not_depend_on_the_order_of_threads", CORRECT, test_orders, has_orders},                       \
        {"works_past_2_to_the_31_elements", CORRECT, test_huge, has_huge},                                   \
        {"equals_a_plain_loop_on_real_data", CORRECT, test_series, has_series},                              \
        {"does_all_its_additions_in_kernels", CORRECT, test_combines, has_least},                            \
        {"is_right_and_shared_by_many_threads", CORRECT, test_shared, has_shared},                           \
        {"is_clean_at_every_length", CLEAN, test_clean_every_length, NULL},                                  \
        {"is_clean_in_thread_order", CLEAN, test_clean_forward, NULL},                                       \
        {"is_clean_in_reverse_order", CLEAN, test_clean_reverse, NULL},                                      \
        {"is_clean_in_random_orders", CLEAN, test_clean_random, NULL},                                       \
        {"takes_an_input_without_elements", CLEAN, test_empty, has_empty},                                   \
        {"computes_indices_and_lengths_in_64_bits", CLEAN, test_sampled, has_sampled},                       \
    {                                                                                                        \
        "stays_within_the_bounds_of_the_contract", EFFICIENT, test_bounds, has_bounds                        \
    }

extern const struct suite_test standard_tests[];

#endif
