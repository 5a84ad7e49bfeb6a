/* check_monoid.c: the operators, the proof by intervals, and random numbers. */
#include "check_support.h"
#include "call.h"
#include "element.h"
#include "random.h"
#include <stdlib.h>
#include <string.h>

enum { TRIES = 20000 };

/* A value that a scan or reduction may meet, which is sometimes the identity or poisoned. */
static void random_value(int monoid, struct random *random, void *value)
{
    uint64_t bits = random_bits(random);
    if (monoid == MONOID_INTERVAL) {
        interval_t x = {INTERVAL_BASE + (int)random_below(random, 6), 0};
        x.last = x.first + (int)random_below(random, 3);
        if (random_below(random, 6) == 0)
            x = INTERVAL_IDENTITY;
        if (random_below(random, 12) == 0)
            x = interval_combine((interval_t){INTERVAL_BASE, INTERVAL_BASE},
                                 (interval_t){INTERVAL_BASE + 5, INTERVAL_BASE + 5});
        memcpy(value, &x, sizeof x);
    } else if (monoid == MONOID_FLOAT_SUM) {
        float x = (float)(int)(bits % 2001) - 1000; /* whole numbers, so that sums are exact */
        memcpy(value, &x, sizeof x);
    } else {
        memcpy(value, &bits, element_size(monoids[monoid].element));
    }
}

/* Whether two values are equal. Two poisoned intervals are equal wherever they broke. */
static bool same(int monoid, const void *left, const void *right)
{
    if (monoid == MONOID_INTERVAL) {
        interval_t a, b;
        memcpy(&a, left, sizeof a);
        memcpy(&b, right, sizeof b);
        if (interval_is_poisoned(a) || interval_is_poisoned(b))
            return interval_is_poisoned(a) && interval_is_poisoned(b);
    }
    return element_equal(monoids[monoid].element, left, right, 0);
}

START_TEST(every_combine_is_associative)
{
    struct random random = {(uint64_t)_i};
    unsigned char a[8], b[8], c[8], left[8], right[8];
    for (int i = 0; i < TRIES; i++) {
        random_value(_i, &random, a);
        random_value(_i, &random, b);
        random_value(_i, &random, c);
        monoids[_i].combine(left, a, b);
        monoids[_i].combine(left, left, c);
        monoids[_i].combine(right, b, c);
        monoids[_i].combine(right, a, right);
        ck_assert_msg(same(_i, left, right), "%s", monoids[_i].name);
    }
}
END_TEST

START_TEST(the_identity_changes_nothing)
{
    struct random random = {(uint64_t)_i};
    unsigned char a[8], left[8], right[8];
    for (int i = 0; i < TRIES; i++) {
        random_value(_i, &random, a);
        monoids[_i].combine(left, monoids[_i].identity, a);
        monoids[_i].combine(right, a, monoids[_i].identity);
        ck_assert_msg(same(_i, left, a) && same(_i, right, a), "%s", monoids[_i].name);
    }
}
END_TEST

START_TEST(monoids_commute_as_their_table_says)
{
    struct random random = {(uint64_t)_i};
    unsigned char a[8], b[8], left[8], right[8];
    bool commutative = true;
    for (int i = 0; i < TRIES; i++) {
        random_value(_i, &random, a);
        random_value(_i, &random, b);
        monoids[_i].combine(left, a, b);
        monoids[_i].combine(right, b, a);
        commutative = commutative && same(_i, left, right);
    }
    ck_assert_int_eq(commutative, monoids[_i].commutative);
}
END_TEST

START_TEST(monoids_are_found_by_name)
{
    for (int i = 0; i < MONOID_COUNT; i++)
        ck_assert_int_eq(monoid_find(monoids[i].name), i);
    ck_assert_int_eq(monoid_find("sums"), MONOID_COUNT);
}
END_TEST

START_TEST(operators_are_those_of_their_names)
{
    affine_t both = affine_combine((affine_t){2, 3}, (affine_t){5, 7}); /* 5 (2 x + 3) + 7 */
    ck_assert_int_eq(sum_combine(INT_MAX, 1), INT_MIN);
    ck_assert_int_eq(max_combine(-7, -9), -7);
    ck_assert_int_eq(product_combine(1 << 20, 1 << 20), 0);
    ck_assert_int_eq(product_combine(-3, 5), -15);
    ck_assert_float_eq(float_sum_combine(0.5f, 0.25f), 0.75f);
    ck_assert_int_eq(both.a, 10);
    ck_assert_int_eq(both.b, 22);
}
END_TEST

static interval_t range(int first, int last)
{
    return (interval_t){first + INTERVAL_BASE, last + INTERVAL_BASE};
}

/* Returns the explanation of a combination of two intervals. */
static const char *explained(interval_t left, interval_t right)
{
    static char text[ELEMENT_TEXT];
    interval_t both = interval_combine(left, right);
    element_predicate(ELEMENT_INTERVAL, &both, text);
    return text;
}

START_TEST(intervals_tell_how_they_broke)
{
    ck_assert_str_eq(explained(range(0, 4), range(5, 8)), "holds [0..8]");
    ck_assert_str_eq(explained(range(0, 4), range(7, 8)),
                     "joins ranges that do not touch: one ends at 4, the next begins at 7");
    ck_assert_str_eq(explained(range(0, 4), range(4, 8)),
                     "joins ranges that do not touch: one ends at 4, the next begins at 4");
    ck_assert_str_eq(explained(range(5, 8), range(0, 4)),
                     "joins ranges in the wrong order: first [5..], then [..4]");
    ck_assert_str_eq(explained(INTERVAL_IDENTITY, INTERVAL_IDENTITY), "holds nothing");
}
END_TEST

START_TEST(poison_absorbs_and_keeps_where_it_broke)
{
    interval_t poisoned = interval_combine(range(0, 4), range(7, 8));
    ck_assert_str_eq(explained(poisoned, range(9, 9)),
                     "joins ranges that do not touch: one ends at 4, the next begins at 7");
    ck_assert_str_eq(explained(range(20, 30), poisoned),
                     "joins ranges that do not touch: one ends at 4, the next begins at 7");
}
END_TEST

/* Memory that a kernel did not write must not look like a part of the input. */
START_TEST(zeros_and_junk_prove_nothing)
{
    interval_t zeros = {0, 0}, junk;
    memset(&junk, CALL_POISON, sizeof junk);
    ck_assert(interval_is_poisoned(interval_combine(zeros, range(0, 0))));
    ck_assert(interval_is_poisoned(interval_combine(junk, range(0, 0))));
    ck_assert(interval_is_poisoned(interval_combine(range(0, 0), junk)));
    ck_assert(element_is_unwritten(ELEMENT_INTERVAL, &junk));
    ck_assert(!interval_is_empty(zeros));
}
END_TEST

/* Intervals show every way to leave out, repeat or exchange an element of a short input. */
START_TEST(intervals_catch_every_wrong_choice_of_elements)
{
    enum { N = 6 };
    for (int choice = 0; choice < 46656; choice++) { /* 6^6: the element at each place */
        interval_t sum = INTERVAL_IDENTITY;
        bool right = true;
        for (int i = 0, rest = choice; i < N; i++, rest /= N) {
            sum = interval_combine(sum, range(rest % N, rest % N));
            right = right && rest % N == i;
        }
        interval_t all = range(0, N - 1);
        ck_assert_int_eq(memcmp(&sum, &all, sizeof sum) == 0, right);
    }
}
END_TEST

START_TEST(elements_have_words)
{
    static const struct {
        enum element element;
        uint64_t bits;
        const char *text, *predicate;
    } table[] = {
        {ELEMENT_INT, 0xFFFFFFFF, "-1", "holds -1"},
        {ELEMENT_UNSIGNED, 0xFFFFFFFF, "4294967295", "holds 4294967295"},
        {ELEMENT_LONG, UINT64_MAX, "18446744073709551615", "holds 18446744073709551615"},
        {ELEMENT_BYTE, 0xA5, "165", "holds 165"},
        {ELEMENT_CHARACTER, 'a', "'a'", "holds 'a'"},
        {ELEMENT_CHARACTER, '\n', "'\\n'", "holds '\\n'"},
        {ELEMENT_CHARACTER, 0, "'\\0'", "holds '\\0'"},
        {ELEMENT_CHARACTER, 200, "'\\xc8'", "holds '\\xc8'"},
        {ELEMENT_CHARACTER, 0xA5, "unwritten", "was not written"},
        {ELEMENT_FLOAT, 0x3FC00000, "1.5", "holds 1.5"},
        {ELEMENT_FLOAT_BITS, 0x80000000, "-0", "holds -0"},
        {ELEMENT_FLOAT_BITS, 0xFFC00001, "-NaN:400001", "holds -NaN:400001"},
        {ELEMENT_AFFINE, 0xFFFFFFFF00000003, "3x-1", "holds 3x-1"},
        {ELEMENT_INT, 0xA5A5A5A5, "unwritten", "was not written"},
        {ELEMENT_INTERVAL, 0xA5A5A5A5A5A5A5A5, "unwritten", "was not written"},
        {ELEMENT_FINGERPRINT, 0x000000FF00000000 + FINGERPRINT_BASE + 2, "2:000000ff", "holds 2:000000ff"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[ELEMENT_SHORT], predicate[ELEMENT_TEXT];
        element_text(table[i].element, &table[i].bits, text);
        element_predicate(table[i].element, &table[i].bits, predicate);
        ck_assert_str_eq(text, table[i].text);
        ck_assert_str_eq(predicate, table[i].predicate);
    }
}
END_TEST

START_TEST(floats_are_equal_within_their_bound)
{
    float one = 1, near = 1.25f, nan_value = (float)strtod("nan", NULL),
          infinite = (float)strtod("inf", NULL);
    ck_assert(element_equal(ELEMENT_FLOAT, &near, &one, 0.25));
    ck_assert(!element_equal(ELEMENT_FLOAT, &near, &one, 0.2));
    ck_assert(!element_equal(ELEMENT_FLOAT, &nan_value, &one, 1e9));
    ck_assert(!element_equal(ELEMENT_FLOAT, &one, &nan_value, 1e9));
    ck_assert(!element_equal(ELEMENT_FLOAT, &infinite, &one, 1e9));
    ck_assert(element_equal(ELEMENT_FLOAT, &nan_value, &nan_value, 0));
}
END_TEST

START_TEST(random_numbers_are_those_of_splitmix64)
{
    struct random random = {1234567};
    ck_assert_uint_eq(random_bits(&random), 6457827717110365317u);
    ck_assert_uint_eq(random_bits(&random), 3203168211198807973u);
    ck_assert_uint_eq(random_bits(&random), 9817491932198370423u);
}
END_TEST

START_TEST(random_below_reaches_all_values_and_no_others)
{
    struct random random = {1};
    unsigned seen[7] = {0};
    for (int i = 0; i < 7000; i++)
        seen[random_below(&random, 7)]++;
    for (int i = 0; i < 7; i++)
        ck_assert_msg(seen[i] > 800 && seen[i] < 1200, "%d came %u times", i, seen[i]);
    for (int i = 0; i < 1000; i++) {
        double x = random_unit(&random);
        ck_assert(x >= 0 && x < 1);
    }
}
END_TEST

/* Without a second draw, values below 2^62 would be twice as likely as the others. */
START_TEST(random_below_is_fair_for_large_bounds)
{
    struct random random = {1};
    uint64_t third = (uint64_t)1 << 62;
    int low = 0;
    for (int i = 0; i < 6000; i++)
        low += random_below(&random, 3 * third) < third;
    ck_assert_msg(low > 1800 && low < 2200, "%d of 6000 in the lowest third", low);
}
END_TEST

START_TEST(streams_of_one_seed_differ)
{
    struct random a = random_stream(7, 0), b = random_stream(7, 1), c = random_stream(8, 0);
    struct random again = random_stream(7, 0);
    uint64_t first = random_bits(&a);
    ck_assert_uint_eq(first, random_bits(&again));
    ck_assert_uint_ne(first, random_bits(&b));
    ck_assert_uint_ne(first, random_bits(&c));
}
END_TEST

Suite *monoid_suite(void)
{
    Suite *suite = suite_create("monoids and random numbers");
    TCase *tcase = tcase_create("monoids");
    tcase_add_loop_test(tcase, every_combine_is_associative, 0, MONOID_COUNT);
    tcase_add_loop_test(tcase, the_identity_changes_nothing, 0, MONOID_COUNT);
    tcase_add_loop_test(tcase, monoids_commute_as_their_table_says, 0, MONOID_COUNT);
    tcase_add_test(tcase, monoids_are_found_by_name);
    tcase_add_test(tcase, operators_are_those_of_their_names);
    tcase_add_test(tcase, intervals_tell_how_they_broke);
    tcase_add_test(tcase, poison_absorbs_and_keeps_where_it_broke);
    tcase_add_test(tcase, zeros_and_junk_prove_nothing);
    tcase_add_test(tcase, intervals_catch_every_wrong_choice_of_elements);
    tcase_add_test(tcase, elements_have_words);
    tcase_add_test(tcase, floats_are_equal_within_their_bound);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("random");
    tcase_add_test(tcase, random_numbers_are_those_of_splitmix64);
    tcase_add_test(tcase, random_below_reaches_all_values_and_no_others);
    tcase_add_test(tcase, random_below_is_fair_for_large_bounds);
    tcase_add_test(tcase, streams_of_one_seed_differ);
    suite_add_tcase(suite, tcase);
    return suite;
}
