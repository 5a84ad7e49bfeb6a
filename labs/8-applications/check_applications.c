/* check_applications.c: the parts of lab 8 and their tests, for both suites: the public one, whose main function is
 * in suite_public.c, and the grading one. */
#include "app_arrange.h"
#include "check_applications.h"
#include "suite_parts.h"
#include "suite_sharing.h"
#include "suite_tests.h"

/* ---- meters -------------------------------------------------------------------------------------------- */

/* An array that is scanned may be as long as the elements of whole blocks, and longer by one for the total. */
static uint64_t one_scan(size_t n)
{
    return 2 * (uint64_t)n + 2048;
}

static uint64_t two_scans(size_t n)
{
    return 2 * one_scan(n);
}

static uint64_t scan_and_reduction(size_t n)
{
    return 3 * (uint64_t)n + 4096;
}

static uint64_t scan_of_shorter(size_t n)
{
    (void)n;
    return one_scan(shorter_string);
}

static uint64_t quicksort_rounds(size_t n)
{
    uint64_t log2 = 0;
    while ((size_t)1 << log2 < n)
        log2++;
    return 4 * (log2 + 1);
}

static uint64_t quicksort_combines(size_t n)
{
    return 5 * ((uint64_t)n + 1024) * quicksort_rounds(n);
}

#define BOUND(name, formula, most)                                                                           \
    static const struct suite_bound name[] = {{"combines", formula, most}, {NULL, NULL, NULL}}
BOUND(line_bounds, "2n + 2048 combines: one scan of the lengths", one_scan);
BOUND(depth_bounds, "4n + 4096 combines: one scan of the 2n moves", two_scans);
BOUND(histogram_bounds, "2n + 2048 combines: one scan of the heads", one_scan);
BOUND(order_bounds, "2m + 2048 combines, m the length of the shorter string", scan_of_shorter);
BOUND(recurrence_bounds, "2n + 2048 combines: one scan of the steps", one_scan);
BOUND(polynomial_bounds, "3n + 4096 combines: a scan and a reduction", scan_and_reduction);
BOUND(lex_bounds, "4n + 4096 combines: a scan of the maps and one of the flags", two_scans);
BOUND(segment_bounds, "4n + 4096 combines: a scan of the heads and one of the sides", two_scans);
BOUND(quicksort_bounds, "20 (n + 1024) (ceil(log2 n) + 1) combines: two scans and a reduction a round",
      quicksort_combines);

static uint64_t application_span(size_t n)
{
    return n / 2 + 2048;
}

/* Each round has two scans and a reduction. */
static uint64_t quicksort_span(size_t n)
{
    return quicksort_rounds(n) * application_span(n);
}

static uint64_t application_executed(size_t n)
{
    return 4 * (uint64_t)n;
}

static uint64_t polynomial_executed(size_t n)
{
    return n;
}

/* The operator goes over a table of states, so that a step of a thread's own chunk costs a hundred times what it costs in a
 * plain loop, and few sums of chunks cost as much as many bytes. Between the two the bound has room only in long texts. */
static uint64_t lex_executed(size_t n)
{
    return 8 * (uint64_t)n + 200000;
}

static const struct suite_bound application_shared[] = {{"span", "n / 2 + 2048", application_span},
                                                        {EXECUTED, "4n", application_executed},
                                                        HOST_NUMBERS,
                                                        {NULL, NULL, NULL}};
/* Less than a loop over all factors of a power takes. */
static const struct suite_bound polynomial_shared[] = {{"span", "n / 2 + 2048", application_span},
                                                       {EXECUTED, "n", polynomial_executed},
                                                       HOST_NUMBERS,
                                                       {NULL, NULL, NULL}};
static const struct suite_bound lex_shared[] = {{"span", "n / 2 + 2048", application_span},
                                                {EXECUTED, "8n + 200000: the operator is long", lex_executed},
                                                HOST_NUMBERS,
                                                {NULL, NULL, NULL}};
/* Rounds of many passes, in which a thread may have a stripe of the keys. */
static uint64_t quicksort_executed(size_t n)
{
    return 60 * (uint64_t)n + 65536;
}

/* A round may copy a few numbers to the host. Bad pivots of a short input take a round for each element. */
static uint64_t quicksort_bytes(size_t n)
{
    return n <= 512 ? 32768 : 4096;
}

static const struct suite_bound quicksort_shared[] = {
    {"span", "n / 2 + 2048 in each of 4 (ceil(log2 n) + 1) rounds", quicksort_span},
    {EXECUTED, "60n + 65536", quicksort_executed},
    {"host bytes", "4096, and 32768 up to 512 elements: a few numbers in each round", quicksort_bytes},
    {NULL, NULL, NULL}};

/* ---- tests of this lab's own --------------------------------------------------------------------------- */

/* Tests every style of random input, beginning with the plain one. */
void test_styles(const struct suite_part *part)
{
    for (unsigned i = 1; i <= STYLES; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, 0);
        is.seed = seed_of_style(is.seed, i % STYLES);
        suite_all_lengths(is, &part->proofs, SIZE_MAX);
    }
}

/* Seeds also choose other things than the style, such as how two strings differ. */
static void test_seeds(const struct suite_part *part)
{
    static const size_t lengths[] = {1, 2, 5, 40, 300};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint64_t seed = 0; seed < DIFFERS; seed++) {
            struct suite_case is = suite_case(part, MONOID_SUM, lengths[i]);
            is.seed = seed * STYLES + 1;
            suite_correct(&is);
        }
}

enum { ONE_SEGMENT = 3 * STYLES /* a seed of keys that are all in one segment */ };

/* Tests more elements than 16 bits can count: with one segment, and with the equal keys of every style. */
static void test_long(const struct suite_part *part)
{
    enum { LONG = 65536 + 4099 };
    struct suite_case is = suite_case(part, MONOID_SUM, LONG);
    is.seed = suite_chosen_seed(ONE_SEGMENT + 1);
    suite_correct(&is);
    is.seed = suite_chosen_seed(ONE_SEGMENT + 2);
    suite_correct(&is);
    is.seed = suite_chosen_seed(ONE_SEGMENT + 5); /* all keys but one are equal */
    suite_correct(&is);
    if (part->arrange == arrange_quicksort) { /* many rounds would take minutes: one, of 65536 descents */
        is.n = IN_TURN;
        is.seed = suite_chosen_seed(ONE_SEGMENT + 2);
        suite_correct(&is);
        is.n = LONG;
    } else {
        is.seed = suite_chosen_seed(ONE_SEGMENT + STYLES); /* as many segments as keys, all different */
        suite_correct(&is);
    }
    is.input = INPUT_EQUAL;
    suite_correct(&is);
    if (part->arrange == arrange_split_segments) { /* all keys but one are less than the pivot */
        is.input = INPUT_RANDOM;
        is.n++; /* not a multiple of 5 */
        is.seed = seed_of_largest_middle(is.n);
        suite_correct(&is);
    }
}

/* One thread per segment shares the work only if segments are short, so this has one long segment. */
static void test_shared_segment(const struct suite_part *part)
{
    struct suite_case is = suite_case(part, MONOID_SUM, 20011);
    is.seed = suite_chosen_seed(ONE_SEGMENT + 1);
    suite_shared(&is);
}

static void test_clean_styles(const struct suite_part *part)
{
    static const size_t lengths[] = {3, 33, 300};
    for (unsigned style = 0; style < STYLES; style++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            struct suite_case is = suite_case(part, MONOID_SUM, lengths[i]);
            is.seed = seed_of_style(is.seed, style) + STYLES * i;
            suite_clean(&is);
        }
}

enum { FIBONACCI = 46 /* as many Fibonacci numbers fit into 32 bits */ };

static size_t length_of_data(const struct suite_part *part)
{
    if (part->arrange == arrange_tree_depths)
        return count_brackets();
    if (part->arrange == arrange_histogram)
        return real_length(&rain);
    if (part->arrange == arrange_second_order)
        return FIBONACCI;
    if (part->arrange == arrange_write_lines || part->arrange == arrange_split_segments ||
        part->arrange == arrange_quicksort)
        return real_length(&sunspots);
    return real_length(&program_text);
}

void test_real_data(const struct suite_part *part)
{
    struct suite_case is = suite_case(part, MONOID_SUM, length_of_data(part));
    is.input = INPUT_SERIES;
    suite_correct(&is);
}

/* Tests keys that are bad for a quicksort that takes its pivots from the end, or that leaves equal keys on one side. */
static void test_bounds_of_keys(const struct suite_part *part)
{
    static const enum suite_input inputs[] = {INPUT_SORTED, INPUT_REVERSED, INPUT_EQUAL};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, 700);
        is.input = inputs[i];
        suite_efficient(&is);
    }
}

static void test_bad_middles(const struct suite_part *part)
{
    static const size_t lengths[] = {50, 77, 300};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, lengths[i]);
        is.input = INPUT_BAD_MIDDLES;
        suite_correct(&is);
    }
}

static void test_runs(const struct suite_part *part)
{
    for (unsigned i = 0; i < RUN_LENGTHS; i++) {
        struct suite_case is = suite_case(part, MONOID_SUM, 0);
        is.seed = i * STYLES + IN_RUNS;
        is.n = 2 * run_of(is.seed) + 1;
        suite_correct(&is);
    }
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

#define APPLICATION_TESTS                                                                                    \
    {"holds_for_every_style_of_input", CORRECT, test_styles, NULL},                                          \
        {"holds_for_every_choice_of_seeds", CORRECT, test_seeds, NULL},                                      \
        {"equals_a_plain_loop_on_the_data_sets", CORRECT, test_real_data, NULL},                             \
        {"holds_for_more_than_65536_elements", CORRECT, test_long, NULL}, STANDARD_TESTS,                    \
    {                                                                                                        \
        "is_clean_for_every_style_of_input", CLEAN, test_clean_styles, NULL                                  \
    }

static const struct suite_test application_tests[] = {
    APPLICATION_TESTS,
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test segment_tests[] = {
    APPLICATION_TESTS,
    {"threads_share_the_work_of_one_long_segment", CORRECT, test_shared_segment, has_shared},
    {NULL, CORRECT, NULL, NULL},
};
static const struct suite_test quicksort_tests[] = {
    APPLICATION_TESTS,
    {"holds_for_keys_that_need_many_rounds", CORRECT, test_bad_middles, NULL},
    {"sorts_keys_whose_only_descents_stand_between_two_runs", CORRECT, test_runs, NULL},
    {"stays_within_the_bound_on_sorted_and_equal_keys", EFFICIENT, test_bounds_of_keys, NULL},
    {NULL, CORRECT, NULL, NULL},
};

static const size_t any_lengths[] = {0, 1, 2, 3, 31, 32, 33, 127, 255, 256, 257, 511, 1025, 4099, 20011};
const size_t sort_lengths[] = {0, 1, 2, 3, 31, 32, 33, 127, 255, 256, 257, 511, 1025, 2053};
static const size_t style_lengths[] = {1, 2, 3, 4, 5, 31, 33, 100, 257, 600};
static const size_t quicksort_lengths[] = {0, 1, 2, 3, 31, 32, 33, 127, 255, 256, 257, 511, 1025};

/* Lengths for parts in which the values of the stock functions decide no address, because their calls are not made
 * in a sampled run. */
#define MOST ((size_t)1 << 28)

/* Why a part is not proved: the scan inside is, but not what is around it. */
#define CHECKED " (the scan in between is the harness's, which is checked for every operator)"
#define OWN_OPERATOR                                                                                         \
    "nothing checks that its own operator is associative, which the harness's scan and reduction need, nor "

#define APPLICATION(part, explanation, list, styles, ...)                                                    \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explanation, .monoids = LAB_MONOIDS,              \
               .longest = 20011, .lengths = {1, 0, LIST(list)}, .proofs = {1, 0, LIST(styles)}, __VA_ARGS__)

APPLICATION(write_lines, explain_lines, any_lengths, style_lengths,
            .tested = "the length and the digits of a line depend on one of 2^32 numbers, and the tests try "
                      "only some" CHECKED,
            .tests = application_tests, .bounds = line_bounds, .shared = application_shared, .many = 40009);
APPLICATION(
    tree_depths, explain_depths, any_lengths, style_lengths,
    .tested = "where a depth goes follows from the numbers of the nodes, which have n! orders" CHECKED,
    .tests = application_tests, .bounds = depth_bounds, .shared = application_shared, .many = 40009,
    .most = MOST);
APPLICATION(histogram, explain_histogram, sort_lengths, style_lengths,
            .tested = "which keys are equal follows from all of their 32n bits" CHECKED,
            .tests = application_tests, .bounds = histogram_bounds, .shared = application_shared,
            .many = 40009);
APPLICATION(compare_strings, explain_order, any_lengths, style_lengths,
            .tested = "the result depends on all bytes of both strings, and the tests try only some" CHECKED,
            .tests = application_tests, .bounds = order_bounds, .shared = application_shared, .many = 40009,
            .explain_result = explain_place);
APPLICATION(linear_recurrence, explain_linear, any_lengths, style_lengths,
            .tested = OWN_OPERATOR "which maps it makes of a and b", .tests = application_tests,
            .bounds = recurrence_bounds, .shared = application_shared, .many = 40009, .most = MOST);
APPLICATION(polynomial_value, NULL, any_lengths, style_lengths,
            .tested = OWN_OPERATOR "which powers of x it takes", .tests = application_tests,
            .bounds = polynomial_bounds, .shared = polynomial_shared, .many = 40009,
            .explain_result = explain_value, .most = MOST);
APPLICATION(second_order, explain_second, any_lengths, style_lengths,
            .tested = OWN_OPERATOR "which matrices it makes of a and b", .tests = application_tests,
            .bounds = recurrence_bounds, .shared = application_shared, .many = 40009, .most = MOST);
APPLICATION(lex, explain_lex, any_lengths, style_lengths,
            .tested = OWN_OPERATOR "which map of states it makes of each of 256 bytes",
            .tests = application_tests, .bounds = lex_bounds, .shared = lex_shared, .many = 160009);
APPLICATION(
    split_segments, explain_segments, sort_lengths, style_lengths,
    .tested = "where a key goes follows from its comparison with a pivot, which has 3^n outcomes" CHECKED,
    .tests = segment_tests, .bounds = segment_bounds, .shared = application_shared, .many = 40009);
APPLICATION(quicksort, explain_quicksort, quicksort_lengths, style_lengths,
            .tested = "the keys decide how many rounds there are, and where a key goes in each" CHECKED,
            .tests = quicksort_tests, .bounds = quicksort_bounds, .shared = quicksort_shared, .many = 20000,
            .work = 8 /* a round of many launches for each level */);

#include "suite_table.h"

const struct suite_lab this_lab = {
    .number = 8, .name = "applications", .data_phrase = data_phrase, SUITE_TABLE};
