/* check_values.c: inputs, expected values, tolerances, and what wrong reductions show. */
#include "check_support.h"
#include "random.h"
#include "suite_internal.h"
#include "suite_marks.h"
#include "suite_reduce.h"
#include "suite_scan.h"
#include <math.h>
#include <string.h>

enum { N = 1000 };

static struct suite_part part = {.name = "part", .arguments = "(const elem_t *in, elem_t *out)"};
static struct suite_part *const parts[] = {&part};
static const struct suite_lab lab = {.number = 9, .name = "toy", .parts = parts, .count = 1};

static void open_lab(void)
{
    suite_lab = &lab;
    suite_options.seed = 7;
}

static struct suite_case plain(int monoid, enum suite_input input)
{
    struct suite_case is = suite_case(&part, monoid, N);
    is.input = input;
    return is;
}

static size_t bytes_of(int monoid)
{
    return N * element_size(monoids[monoid].element);
}

START_TEST(equal_cases_get_equal_inputs_and_others_do_not)
{
    for (int input = 0; input < INPUT_SERIES; input++) {
        struct suite_case is = plain(_i, (enum suite_input)input);
        const void *first = suite_values(&is, N, 0);
        ck_assert_mem_eq(first, suite_values(&is, N, 0), bytes_of(_i));
        if (_i == MONOID_INTERVAL && input != INPUT_SPARSE)
            continue; /* the range of a place is the same in every input */
        ck_assert_mem_ne(first, suite_values(&is, N, 1), bytes_of(_i));
        is.seed++;
        ck_assert_mem_ne(first, suite_values(&is, N, 0), bytes_of(_i));
    }
}
END_TEST

START_TEST(inputs_are_what_their_names_say)
{
    struct suite_case is = plain(MONOID_SUM, INPUT_SORTED);
    const int *sorted = suite_values(&is, N, 0);
    is.input = INPUT_REVERSED;
    const int *reversed = suite_values(&is, N, 0);
    is.input = INPUT_EQUAL;
    const int *equal = suite_values(&is, N, 0);
    is.input = INPUT_NEGATIVE;
    const int *negative = suite_values(&is, N, 0);
    is.input = INPUT_SPARSE;
    const int *sparse = suite_values(&is, N, 0);
    ck_assert_int_lt(sorted[0], -2000000000);
    ck_assert_int_gt(sorted[N - 1], 2000000000);
    ck_assert_int_eq(sparse[0], 0);
    ck_assert_int_eq(sparse[N - 1], 0);
    ck_assert_int_gt(equal[0], 1);
    int filled = 0;
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(equal[i], equal[0]);
        ck_assert_int_lt(negative[i], 0);
        filled += sparse[i] != 0;
        if (i > 0) {
            ck_assert_int_ge(sorted[i], sorted[i - 1]);
            ck_assert_int_le(reversed[i], reversed[i - 1]);
        }
    }
    ck_assert_msg(filled > N / 6 && filled < N / 3, "%d", filled);
}
END_TEST

/* Each mark comes to each telling position, whatever the seed of the run. */
START_TEST(every_mark_stands_at_every_telling_position)
{
    struct suite_case is = plain(MONOID_SUM, INPUT_MARKED);
    for (size_t position = 0; position < SUITE_POSITIONS; position++) {
        const size_t at = suite_telling_position(position, N, is.tile),
                     last = suite_telling_position(1, N, is.tile);
        if (at == SIZE_MAX)
            continue;
        for (size_t number = 0; number < SUITE_MARKS; number++) {
            size_t found = 0, sums = 0;
            for (size_t turn = 0; turn < SUITE_MARKS; turn++) {
                is.seed = suite_marked_seed(MARKED_SCATTERED, turn);
                found += ((const int *)suite_values(&is, N, 0))[at] == suite_mark(number);
                is.seed = suite_marked_seed(MARKED_SUMS, turn);
                sums += ((const int *)scan_expected(MONOID_SUM, suite_values(&is, N, 0), N, false))[at] ==
                        suite_mark(number);
            }
            ck_assert_uint_ge(found, 1);
            ck_assert_uint_ge(sums, 1);
        }
        ck_assert_uint_eq(last, N - 1);
    }
    is.seed = suite_marked_seed(MARKED_EQUAL, 1);
    const int *equal = suite_values(&is, N, 0);
    for (size_t i = 0; i < N; i++)
        ck_assert_int_eq(equal[i], -1);
}
END_TEST

/* No sum of marked floats overflows in any order. */
START_TEST(marked_floats_add_up_to_a_finite_sum)
{
    struct suite_case is = plain(MONOID_FLOAT_SUM, INPUT_MARKED);
    bool denormal = false, largest = false;
    for (int kind = 0; kind < SUITE_MARKED_KINDS; kind++)
        for (size_t turn = 0; turn < SUITE_MARKS; turn++) {
            is.seed = suite_marked_seed((enum suite_marked)kind, turn);
            const float *in = suite_values(&is, N, 0);
            float sum = 0;
            for (int i = 0; i < N; i++) {
                sum += fabsf(in[i]);
                denormal |= fpclassify(in[i]) == FP_SUBNORMAL;
                largest |= in[i] == 0x1.fffffep127f;
            }
            ck_assert(isfinite(sum));
        }
    ck_assert(denormal && largest);
}
END_TEST

/* With even factors the first elements would soon be multiplied away, and a scan that forgets them would be right. */
START_TEST(factors_are_odd)
{
    struct suite_case is = plain(MONOID_PRODUCT, INPUT_RANDOM);
    const int *product = suite_values(&is, N, 0);
    is.monoid = MONOID_AFFINE;
    const affine_t *affine = suite_values(&is, N, 0);
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(product[i] & affine[i].a & 1, 1);
}
END_TEST

START_TEST(sparse_intervals_still_touch)
{
    struct suite_case is = plain(MONOID_INTERVAL, INPUT_SPARSE);
    const interval_t *in = suite_values(&is, N, 0);
    const interval_t *out = scan_expected(MONOID_INTERVAL, in, N, false);
    for (int i = 0; i < N; i++)
        ck_assert(!interval_is_poisoned(out[i]));
    ck_assert(interval_is_empty(out[0]));
}
END_TEST

START_TEST(expected_scans_are_the_definition)
{
    struct suite_case is = plain(MONOID_AFFINE, INPUT_RANDOM);
    const affine_t *in = suite_values(&is, N, 0);
    const affine_t *inclusive = scan_expected(MONOID_AFFINE, in, N, false);
    const affine_t *exclusive = scan_expected(MONOID_AFFINE, in, N, true);
    const affine_t *whole = reduce_expected(MONOID_AFFINE, in, N);
    affine_t sum = AFFINE_IDENTITY;
    for (int i = 0; i < N; i++) {
        ck_assert_mem_eq(&exclusive[i], &sum, sizeof sum);
        sum = affine_combine(sum, in[i]);
        ck_assert_mem_eq(&inclusive[i], &sum, sizeof sum);
    }
    ck_assert_mem_eq(whole, &sum, sizeof sum);
}
END_TEST

/* Float sums in the worst order stay within their tolerance, and a sum without one element does not. */
START_TEST(float_tolerances_hold_and_are_no_wider_than_they_must)
{
    for (int input = 0; input < INPUT_SERIES; input++) {
        struct suite_case is = plain(MONOID_FLOAT_SUM, (enum suite_input)input);
        const float *in = suite_values(&is, N, 0);
        const float *expected = scan_expected(MONOID_FLOAT_SUM, in, N, false);
        const double *tolerances = scan_tolerances(MONOID_FLOAT_SUM, in, N, false, scan_depth_any);
        float sum = 0;
        for (int i = 0; i < N; i++) {
            sum += in[i];
            ck_assert_msg(element_equal(ELEMENT_FLOAT, &sum, &expected[i], tolerances[i]),
                          "input %d, slot %d", input, i);
        }
    }
    struct suite_case is = plain(MONOID_FLOAT_SUM, INPUT_EQUAL);
    const float *in = suite_values(&is, N, 0);
    const float *expected = scan_expected(MONOID_FLOAT_SUM, in, N, false);
    const double *tolerances = scan_tolerances(MONOID_FLOAT_SUM, in, N, false, scan_depth_any);
    for (int i = 1; i < N; i++)
        ck_assert(!element_equal(ELEMENT_FLOAT, &expected[i - 1], &expected[i], tolerances[i]));
    ck_assert_double_eq(tolerances[0], 0);
    ck_assert_ptr_null(scan_tolerances(MONOID_SUM, in, N, false, scan_depth_any));
}
END_TEST

START_TEST(exclusive_tolerances_are_those_of_the_slot_before)
{
    struct suite_case is = plain(MONOID_FLOAT_SUM, INPUT_RANDOM);
    const float *in = suite_values(&is, N, 0);
    const double *inclusive = scan_tolerances(MONOID_FLOAT_SUM, in, N, false, scan_depth_log);
    const double *exclusive = scan_tolerances(MONOID_FLOAT_SUM, in, N, true, scan_depth_log);
    ck_assert_double_eq(exclusive[0], 0);
    for (int i = 1; i < N; i++)
        ck_assert_double_eq(exclusive[i], inclusive[i - 1]);
}
END_TEST

START_TEST(work_and_depth_are_those_of_the_contract)
{
    ck_assert_uint_eq(scan_log_step_work(1), 0);
    ck_assert_uint_eq(scan_log_step_work(2), 1);
    ck_assert_uint_eq(scan_log_step_work(512), 512 * 9 - 511);
    ck_assert_uint_eq(scan_log_step_work(5), 4 + 3 + 1);
    ck_assert_uint_eq(scan_depth_log(0), 0);
    ck_assert_uint_eq(scan_depth_log(1), 1);
    ck_assert_uint_eq(scan_depth_log(511), 9);
    ck_assert_uint_eq(scan_depth_log(512), 10);
}
END_TEST

/* ---- explanations of fingerprints ------------------------------------------------------------------------ */

/* Combines `count` elements at a distance of `step`, beginning with `first`, each `times` times. */
static fingerprint_t sum_of(const fingerprint_t *in, size_t first, size_t count, size_t step, unsigned times)
{
    fingerprint_t sum = FINGERPRINT_IDENTITY;
    while (times-- > 0)
        for (size_t i = 0; i < count; i++)
            sum = fingerprint_combine(sum, in[first + i * step]);
    return sum;
}

static const char *explained(const fingerprint_t *in, fingerprint_t got)
{
    static char text[512];
    static struct suite_call call;
    struct suite_text to = suite_text(text, sizeof text);
    memset(&call, 0, sizeof call);
    call.is = plain(MONOID_FINGERPRINT, INPUT_RANDOM);
    suite_in(&call, ELEMENT_FINGERPRINT, N, in);
    suite_out(&call, ELEMENT_FINGERPRINT, 1, reduce_expected(MONOID_FINGERPRINT, in, N), NULL);
    call.argument[1].got = &got;
    reduce_explain(&to, &call, &call.argument[1], 0);
    return text;
}

START_TEST(a_wrong_reduction_names_its_elements)
{
    struct suite_case is = plain(MONOID_FINGERPRINT, INPUT_RANDOM);
    const fingerprint_t *in = suite_values(&is, N, 0);
    fingerprint_t all = sum_of(in, 0, N, 1, 1), some;
#define PREFIX "a fingerprint counts elements: this one has "

    ck_assert_str_eq(explained(in, sum_of(in, 0, N - 1, 1, 1)),
                     PREFIX "999 of 1000\nelement 999 is missing\n");
    ck_assert_str_eq(explained(in, sum_of(in, 10, N - 10, 1, 1)),
                     PREFIX "990 of 1000\nelements 0 to 9 are missing\n");
    ck_assert_str_eq(explained(in, sum_of(in, 0, N / 2, 2, 1)),
                     PREFIX "500 of 1000\nelements 1, 3, ... 999, in steps of 2, are missing\n");
    ck_assert_str_eq(explained(in, fingerprint_combine(all, in[42])),
                     PREFIX "1001 of 1000\nelement 42 comes in twice\n");
    ck_assert_str_eq(explained(in, fingerprint_combine(all, sum_of(in, 512, 32, 1, 1))),
                     PREFIX "1032 of 1000\nelements 512 to 543 come in twice\n");
    some = fingerprint_combine(all, in[42]);
    some.count--;
    some.mark = (unsigned)(((uint64_t)some.mark + FINGERPRINT_PRIME - in[77].mark) % FINGERPRINT_PRIME);
    ck_assert_str_eq(explained(in, some),
                     PREFIX "1000 of 1000\nelement 42 comes in twice, and element 77 not at all\n");
    ck_assert_str_eq(explained(in, (fingerprint_t)FINGERPRINT_IDENTITY), PREFIX "0 of 1000\n");
    ck_assert_str_eq(explained(in, (fingerprint_t){0x5A5A5A5A, 3}), PREFIX
                     "1515869810 of 1000\nthere are not that many elements: was memory combined that nobody"
                     " had written?\n");
    ck_assert_str_eq(explained(in, (fingerprint_t){0xA5A5A5A5, 0xA5A5A5A5}), "");
}
END_TEST

static void explain_by_hint(struct suite_text *text, const struct suite_call *call)
{
    suite_add(text, "%llu too many\n", (unsigned long long)(call->reply.result - call->expected_result));
}

/* Returns the message about a call that returns `result` and leaves `got` in an array; 7 is right in both. */
static const char *judged(uint64_t result, int got, bool arrays_first)
{
    static const struct suite_part explained = {
        .name = "part", .arguments = "(int *out)", .explain_result = explain_by_hint};
    static const int seven = 7;
    static struct suite_call call;
    static int array;
    memset(&call, 0, sizeof call);
    call.is = suite_case(&explained, MONOID_SUM, 1);
    array = got;
    suite_out(&call, ELEMENT_INT, 1, &seven, NULL);
    call.argument[0].got = &array;
    call.result_name = "the count";
    call.expected_result = 7;
    call.arrays_first = arrays_first;
    call.reply.result = result;
    bool right = suite_judge(&call);
    ck_assert_int_eq(right, call.statement[0] == 0);
    return call.statement;
}

START_TEST(a_wrong_result_is_told_before_the_arrays_or_after_them)
{
    ck_assert_str_eq(judged(7, 7, false), "");
    ck_assert_str_eq(judged(7, 7, true), "");
    ck_assert_str_eq(judged(9, 8, false), "the count is 9, expected 7\n2 too many\n");
    ck_assert_str_eq(judged(9, 8, true), "slot 0 holds 8, expected 7\n");
    ck_assert_str_eq(judged(9, 7, true), "the count is 9, expected 7\n2 too many\n");
    ck_assert_str_eq(judged(7, 8, false), "slot 0 holds 8, expected 7\n");
}
END_TEST

/* Among very many random choices of elements, only the right one has the right fingerprint. */
START_TEST(fingerprints_catch_random_wrong_choices)
{
    struct suite_case is = plain(MONOID_FINGERPRINT, INPUT_RANDOM);
    const fingerprint_t *in = suite_values(&is, N, 0);
    fingerprint_t all = sum_of(in, 0, N, 1, 1);
    struct random random = {1};
    for (int i = 0; i < 200000; i++) {
        size_t a = (size_t)random_below(&random, N), b = (size_t)random_below(&random, N);
        fingerprint_t wrong = all;
        wrong.mark = (unsigned)(((uint64_t)wrong.mark + in[a].mark + FINGERPRINT_PRIME - in[b].mark) %
                                FINGERPRINT_PRIME);
        ck_assert(a == b || wrong.mark != all.mark);
    }
}
END_TEST

/* Sums that are doubled often become zero modulo 2^32, but never modulo a prime, and the count does not wrap around. */
START_TEST(fingerprints_see_what_is_doubled_many_times)
{
    struct suite_case is = plain(MONOID_FINGERPRINT, INPUT_RANDOM);
    const fingerprint_t *in = suite_values(&is, N, 0);
    const fingerprint_t right = fingerprint_combine(in[0], in[1]);
    fingerprint_t junk = in[2];
    for (int times = 0; times < 100; times++) {
        const fingerprint_t wrong = fingerprint_combine(right, junk);
        ck_assert(junk.mark != 0 && wrong.mark != right.mark && wrong.count > right.count);
        junk = fingerprint_combine(junk, junk);
    }
    ck_assert_uint_eq(junk.count, UINT_MAX);
}
END_TEST

START_TEST(zeros_are_no_fingerprint)
{
    const fingerprint_t zeros = {0, 0}, one = {FINGERPRINT_BASE + 1, 7};
    ck_assert_uint_ne(fingerprint_combine(zeros, one).count, one.count);
    ck_assert_uint_eq(fingerprint_combine(zeros, zeros).count, UINT_MAX);
}
END_TEST

/* A smaller call must not be explained in other words, which few elements can match by chance. */
START_TEST(explanations_are_alike_but_for_numbers)
{
    const char *const first =
        "slot 2 holds 1, expected 0\n47 of 49 slots are wrong\nsorted by the lowest 16 bits only\n";
    ck_assert(suite_same_explanation(first, "slot 0 holds 7, expected 6\nall 5 slots are wrong\n"
                                            "sorted by the lowest 28 bits only\ntry: a pass more\n"));
    ck_assert(!suite_same_explanation(first, "slot 0 holds 7, expected 6\nall 5 slots are wrong\n"
                                             "these are the keys in the order of the input\n"));
    ck_assert(!suite_same_explanation(first, "slot 0 holds 7, expected 6\nall 5 slots are wrong\n"));
    ck_assert(suite_same_explanation("slot 0 holds 7\n", "slot 1 holds 9\nall 5 slots are wrong\n"));
}
END_TEST

START_TEST(text_is_cut_off_and_not_overrun)
{
    char buffer[16];
    struct suite_text text = suite_text(buffer, sizeof buffer);
    suite_add(&text, "%s", "0123456789");
    suite_add(&text, "%s", "abcdefghij");
    suite_add(&text, "%s", "more");
    ck_assert_str_eq(buffer, "0123456789abcde");
}
END_TEST

Suite *value_suite(void)
{
    Suite *suite = suite_create("values");
    TCase *tcase = tcase_create("values");
    tcase_add_checked_fixture(tcase, open_lab, suite_end);
    tcase_add_loop_test(tcase, equal_cases_get_equal_inputs_and_others_do_not, 0, MONOID_COUNT);
    tcase_add_test(tcase, inputs_are_what_their_names_say);
    tcase_add_test(tcase, every_mark_stands_at_every_telling_position);
    tcase_add_test(tcase, marked_floats_add_up_to_a_finite_sum);
    tcase_add_test(tcase, factors_are_odd);
    tcase_add_test(tcase, sparse_intervals_still_touch);
    tcase_add_test(tcase, expected_scans_are_the_definition);
    tcase_add_test(tcase, float_tolerances_hold_and_are_no_wider_than_they_must);
    tcase_add_test(tcase, exclusive_tolerances_are_those_of_the_slot_before);
    tcase_add_test(tcase, work_and_depth_are_those_of_the_contract);
    tcase_add_test(tcase, a_wrong_reduction_names_its_elements);
    tcase_add_test(tcase, a_wrong_result_is_told_before_the_arrays_or_after_them);
    tcase_add_test(tcase, fingerprints_catch_random_wrong_choices);
    tcase_add_test(tcase, fingerprints_see_what_is_doubled_many_times);
    tcase_add_test(tcase, zeros_are_no_fingerprint);
    tcase_add_test(tcase, explanations_are_alike_but_for_numbers);
    tcase_add_test(tcase, text_is_cut_off_and_not_overrun);
    suite_add_tcase(suite, tcase);
    return suite;
}
