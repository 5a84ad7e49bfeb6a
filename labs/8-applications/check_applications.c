/* check_applications.c: the parts of lab 8 and their tests, for both suites: the public one, whose main function is
 * in suite_public.c, and the grading one. */
#include "app_explain.h"
#include "check_applications.h"
#include "suite_parts.h"
#include "suite_sharing.h"
#include "suite_tests.h"

/* ---- meters -------------------------------------------------------------------------------------------- */

static uint64_t one_scan(size_t n)
{
    return 2 * (uint64_t)n;
}

static uint64_t two_scans(size_t n)
{
    return 4 * (uint64_t)n;
}

static uint64_t scan_and_reduction(size_t n)
{
    return 3 * (uint64_t)n;
}

static uint64_t scan_of_shorter(size_t n)
{
    (void)n;
    return 2 * ((uint64_t)shorter_string + 1);
}

static uint64_t quicksort_rounds(size_t n)
{
    uint64_t log2 = 0;
    while ((size_t)1 << log2 < n)
        log2++;
    return 20 * (uint64_t)n * (log2 + 1);
}

#define BOUND(name, formula, most)                                                                           \
    static const struct suite_bound name[] = {{"combines", formula, most}, {NULL, NULL, NULL}}
BOUND(line_bounds, "2n combines: one scan of the lengths", one_scan);
BOUND(depth_bounds, "4n combines: one scan of the 2n moves", two_scans);
BOUND(histogram_bounds, "2n combines: one scan of the heads", one_scan);
BOUND(order_bounds, "2(m + 1) combines, m the length of the shorter string", scan_of_shorter);
BOUND(recurrence_bounds, "2n combines: one scan of the steps", one_scan);
BOUND(polynomial_bounds, "3n combines: a scan and a reduction", scan_and_reduction);
BOUND(lex_bounds, "4n combines: a scan of the maps and one of the flags", two_scans);
BOUND(segment_bounds, "4n combines: a scan of the heads and one of the sides", two_scans);
BOUND(quicksort_bounds, "20n (ceil(log2 n) + 1) combines: two scans and a reduction a round",
      quicksort_rounds);

static uint64_t application_span(size_t n)
{
    return n / 2 + 2048;
}

/* Each round has two scans and a reduction. */
static uint64_t quicksort_span(size_t n)
{
    return quicksort_rounds(n) / (n > 0 ? 5 * n : 1) * application_span(n);
}

static uint64_t application_executed(size_t n)
{
    return 4 * (uint64_t)n;
}

/* For operators that are long themselves, on pairs, matrices and tables of states. */
static uint64_t polynomial_executed(size_t n)
{
    return n;
}

static uint64_t long_executed(size_t n)
{
    return 32 * (uint64_t)n;
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
static const struct suite_bound long_shared[] = {{"span", "n / 2 + 2048", application_span},
                                                 {EXECUTED, "32n: the operator is long", long_executed},
                                                 HOST_NUMBERS,
                                                 {NULL, NULL, NULL}};
static const struct suite_bound quicksort_shared[] = {
    {"span", "n / 2 + 2048 in each of 4 (ceil(log2 n) + 1) rounds", quicksort_span},
    EXECUTED_OF_SORT,
    HOST_SUMS,
    {NULL, NULL, NULL}};

/* ---- arguments ----------------------------------------------------------------------------------------- */

static void *poison(size_t bytes)
{
    return memset(suite_memory(bytes), CALL_POISON, bytes);
}

static void arrange_write_lines(struct suite_call *call)
{
    size_t n = call->is.n, length = 0;
    const unsigned *numbers = line_numbers(&call->is);
    unsigned char *out = poison(LINE_MOST * n);
    for (size_t i = 0; i < n; i++) {
        char line[LINE_MOST + 1];
        int bytes = snprintf(line, sizeof line, "%u\n", numbers[i]);
        memcpy(out + length, line, (size_t)bytes);
        length += (size_t)bytes;
    }
    suite_in(call, ELEMENT_UNSIGNED, n, numbers);
    suite_out(call, ELEMENT_CHARACTER, LINE_MOST * n, out, NULL);
    suite_scalar(call, n);
    call->result_name = "the length of the text";
    call->expected_result = length;
    call->arrays_first = true;
}

static void arrange_tree_depths(struct suite_call *call)
{
    size_t n = call->is.n;
    const int *tour = make_tour(&call->is);
    unsigned *depths = suite_memory(n * sizeof *depths), above = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        if (tour[i] >= 0)
            depths[tour[i]] = above++;
        else
            above--;
    }
    suite_in(call, ELEMENT_INT, 2 * n, tour);
    suite_out(call, ELEMENT_UNSIGNED, n, depths, NULL);
    suite_scalar(call, n);
}

static void arrange_histogram(struct suite_call *call)
{
    size_t n = call->is.n, different = 0;
    const unsigned *keys = make_keys(&call->is, &rain);
    unsigned *values = poison(n * sizeof *values), *counts = poison(n * sizeof *counts);
    unsigned *sorted = suite_memory(n * sizeof *sorted);
    memcpy(sorted, keys, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending_numbers);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            values[different] = sorted[i];
            counts[different++] = 0;
        }
        counts[different - 1]++;
    }
    suite_in(call, ELEMENT_UNSIGNED, n, keys);
    suite_out(call, ELEMENT_UNSIGNED, n, values, NULL);
    suite_out(call, ELEMENT_UNSIGNED, n, counts, NULL);
    suite_scalar(call, n);
    call->result_name = "the number of different keys";
    call->expected_result = different;
    call->arrays_first = true;
}

/* How two strings differ. The seed chooses it independently of the style of their text. */
enum differ {
    ONCE,
    NOWHERE,
    LEFT_IS_LONGER,
    RIGHT_IS_LONGER,
    OFTEN,
    EMPTY,
    NOT_ALIKE,
    RIGHT_IS_MUCH_LONGER,
    DIFFERS
};

enum { MUCH = 1 << 16 /* bytes; two lengths that differ by this have the same low 16 bits */ };

/* Makes a right string for a left one of n bytes, with room for n + 40 bytes, or for MUCH more. */
static unsigned char *make_right(const struct suite_case *is, const unsigned char *left, size_t *length)
{
    size_t n = is->n;
    struct random random = stream_of(is, 30);
    struct suite_case other = *is;
    enum differ differ =
        is->input == INPUT_SERIES ? ONCE : (enum differ)(suite_style_seed(is) / STYLES % DIFFERS);
    other.seed++;
    unsigned char *right = suite_memory(n + (differ == RIGHT_IS_MUCH_LONGER ? MUCH : 40));
    memcpy(right, differ == NOT_ALIKE ? make_text(&other, 1) : left, n);
    *length = n;
    if (is->input == INPUT_MARKED)
        differ = NOWHERE;
    if (differ == LEFT_IS_LONGER)
        *length = n - (size_t)random_below(&random, n + 1);
    else if (differ == EMPTY)
        *length = 0;
    if (is->input == INPUT_MARKED && n > 0) {
        size_t position = suite_telling_position(is->seed % SUITE_POSITIONS, n, is->tile);
        position = position < n ? position : 0;
        right[position] = (unsigned char)text_byte((size_t)(is->seed / SUITE_POSITIONS % 6),
                                                   0); /* the ends of both ranges of bytes */
        return right;
    }
    size_t longer = differ == RIGHT_IS_LONGER        ? 1 + (size_t)random_below(&random, 39)
                    : differ == RIGHT_IS_MUCH_LONGER ? MUCH
                                                     : 0;
    for (; longer > 0; longer--)
        right[(*length)++] = (unsigned char)('a' + random_below(&random, 26));
    for (size_t changes = differ == OFTEN ? 1 + n / 8 : differ == ONCE; n > 0 && changes > 0; changes--) {
        unsigned char *changed = &right[random_below(&random, n)];
        do
            *changed ^= (unsigned char)(1 + random_below(&random, 255));
        while (*changed == CALL_POISON);
    }
    return right;
}

static void arrange_compare_strings(struct suite_call *call)
{
    size_t left_n = call->is.n, right_n, i = 0;
    const unsigned char *left = make_text(&call->is, 0), *right = make_right(&call->is, left, &right_n);
    int *order = suite_memory(sizeof *order);
    shorter_string = left_n < right_n ? left_n : right_n;
    while (i < shorter_string && left[i] == right[i])
        i++;
    if (i < shorter_string)
        *order = left[i] < right[i] ? -1 : 1;
    else
        *order = (left_n > right_n) - (left_n < right_n);
    suite_in(call, ELEMENT_CHARACTER, left_n, left);
    suite_scalar(call, left_n);
    suite_in(call, ELEMENT_CHARACTER, right_n, right);
    suite_scalar(call, right_n);
    suite_out(call, ELEMENT_INT, 1, order, NULL);
    call->result_name = "the place of the first difference";
    call->expected_result = i;
    call->arrays_first = true;
}

/* Real data for recurrences: the hashes of all prefixes of a text. */
enum { HASH_FACTOR = 31 };

static void arrange_linear_recurrence(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    unsigned *a = coefficients(is, 0, true), *x = suite_memory(is->n * sizeof *x);
    const unsigned *b = coefficients(is, 1, false);
    unsigned start = chosen_number(is, 4), now;
    if (is->input == INPUT_SERIES) {
        b = real_numbers(&program_text, is->n);
        start = 0;
        for (size_t i = 0; i < is->n; i++)
            a[i] = HASH_FACTOR;
    }
    now = start;
    for (size_t i = 0; i < is->n; i++)
        x[i] = now = a[i] * now + b[i];
    suite_in(call, ELEMENT_UNSIGNED, is->n, a);
    suite_in(call, ELEMENT_UNSIGNED, is->n, b);
    suite_shown_scalar(call, start);
    suite_out(call, ELEMENT_UNSIGNED, is->n, x, NULL);
    suite_scalar(call, is->n);
}

static void arrange_polynomial_value(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const unsigned *c = coefficients(is, 2, false);
    unsigned x = chosen_number(is, 5), value = 0;
    if (is->input == INPUT_SERIES) {
        c = real_numbers(&program_text, is->n);
        x = HASH_FACTOR;
    }
    for (size_t i = is->n; i-- > 0;)
        value = value * x + c[i];
    suite_in(call, ELEMENT_UNSIGNED, is->n, c);
    suite_scalar(call, is->n);
    suite_shown_scalar(call, x);
    call->result_name = "the value";
    call->expected_result = value;
}

static void arrange_second_order(struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    unsigned *a = coefficients(is, 3, false), *b = coefficients(is, 4, true);
    unsigned *x = suite_memory(is->n * sizeof *x), last = chosen_number(is, 6), before = chosen_number(is, 7);
    if (is->input == INPUT_SERIES) {
        snprintf(data_phrase, sizeof data_phrase, "the Fibonacci numbers");
        for (size_t i = 0; i < is->n; i++)
            a[i] = b[i] = 1;
        last = 1;
        before = 0;
    }
    for (size_t i = 0; i < is->n; i++)
        x[i] = a[i] * (i > 0 ? x[i - 1] : last) + b[i] * (i > 1 ? x[i - 2] : i == 1 ? last : before);
    suite_in(call, ELEMENT_UNSIGNED, is->n, a);
    suite_in(call, ELEMENT_UNSIGNED, is->n, b);
    suite_shown_scalar(call, last);
    suite_shown_scalar(call, before);
    suite_out(call, ELEMENT_UNSIGNED, is->n, x, NULL);
    suite_scalar(call, is->n);
}

static void arrange_lex(struct suite_call *call)
{
    size_t n = call->is.n, tokens = 0;
    const unsigned char *text = make_text(&call->is, 0);
    unsigned char *states = suite_memory(n);
    unsigned *begins = poison(n * sizeof *begins), state = LEX_START;
    for (size_t i = 0; i < n; i++) {
        unsigned before = state;
        state = lex_next(state, text[i]);
        states[i] = (unsigned char)state;
        if (lex_begins(before, state))
            begins[tokens++] = (unsigned)i;
    }
    suite_in(call, ELEMENT_CHARACTER, n, text);
    suite_out(call, ELEMENT_BYTE, n, states, NULL);
    suite_out(call, ELEMENT_UNSIGNED, n, begins, NULL);
    suite_scalar(call, n);
    call->result_name = "the number of tokens";
    call->expected_result = tokens;
    call->arrays_first = true;
}

static void arrange_split_segments(struct suite_call *call)
{
    size_t n = call->is.n, place = 0;
    const unsigned *in = make_keys(&call->is, &sunspots), *heads = make_heads(&call->is);
    unsigned *out = suite_memory(n * sizeof *out), *out_heads = suite_memory(n * sizeof *out_heads);
    memset(out_heads, 0, n * sizeof *out_heads);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && !heads[end];)
            end++;
        unsigned pivot = in[first + (end - first) / 2];
        for (int side = -1; side <= 1; side++) {
            size_t group = place;
            for (size_t i = first; i < end; i++)
                if ((in[i] > pivot) - (in[i] < pivot) == side)
                    out[place++] = in[i];
            if (place > group)
                out_heads[group] = 1;
        }
    }
    suite_in(call, ELEMENT_UNSIGNED, n, in);
    suite_in(call, ELEMENT_UNSIGNED, n, heads);
    suite_out(call, ELEMENT_UNSIGNED, n, out, NULL);
    suite_out(call, ELEMENT_UNSIGNED, n, out_heads, NULL);
    suite_scalar(call, n);
}

/* Returns keys whose middle one is always the least, so that each round removes one key. A correct quicksort then
 * needs more rounds than the bounds allow. */
static unsigned *make_bad_middles(size_t n)
{
    size_t *left = suite_memory(n * sizeof *left);
    unsigned *keys = suite_memory(n * sizeof *keys);
    for (size_t i = 0; i < n; i++)
        left[i] = i;
    for (size_t count = n; count > 0; count--) {
        const size_t middle = count / 2;
        keys[left[middle]] = (unsigned)(n - count);
        memmove(left + middle, left + middle + 1, (count - middle - 1) * sizeof *left);
    }
    return keys;
}

static void arrange_quicksort(struct suite_call *call)
{
    size_t n = call->is.n;
    const unsigned *in =
        call->is.input == INPUT_BAD_MIDDLES ? make_bad_middles(n) : make_keys(&call->is, &sunspots);
    unsigned *sorted = suite_memory(n * sizeof *sorted);
    memcpy(sorted, in, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending_numbers);
    suite_in(call, ELEMENT_UNSIGNED, n, in);
    suite_out(call, ELEMENT_UNSIGNED, n, sorted, NULL);
    suite_scalar(call, n);
}

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

#define APPLICATION(part, explanation, list, styles, ...)                                                    \
    SUITE_PART(part, .arrange = arrange_##part, .explain = explanation, .monoids = LAB_MONOIDS,              \
               .longest = 20011, .lengths = {1, 0, LIST(list)}, .proofs = {1, 0, LIST(styles)}, __VA_ARGS__)

APPLICATION(write_lines, explain_lines, any_lengths, style_lengths, .tests = application_tests,
            .bounds = line_bounds, .shared = application_shared, .many = 40009);
APPLICATION(tree_depths, explain_depths, any_lengths, style_lengths, .tests = application_tests,
            .bounds = depth_bounds, .shared = application_shared, .many = 40009, .most = MOST);
APPLICATION(histogram, explain_histogram, sort_lengths, style_lengths, .tests = application_tests,
            .bounds = histogram_bounds, .shared = application_shared, .many = 40009);
APPLICATION(compare_strings, explain_order, any_lengths, style_lengths, .tests = application_tests,
            .bounds = order_bounds, .shared = application_shared, .many = 40009,
            .explain_result = explain_place);
APPLICATION(linear_recurrence, explain_linear, any_lengths, style_lengths, .tests = application_tests,
            .bounds = recurrence_bounds, .shared = application_shared, .many = 40009, .most = MOST);
APPLICATION(polynomial_value, NULL, any_lengths, style_lengths, .tests = application_tests,
            .bounds = polynomial_bounds, .shared = polynomial_shared, .many = 40009,
            .explain_result = explain_value, .most = MOST);
APPLICATION(second_order, explain_second, any_lengths, style_lengths, .tests = application_tests,
            .bounds = recurrence_bounds, .shared = long_shared, .many = 40009, .most = MOST);
APPLICATION(lex, explain_lex, any_lengths, style_lengths, .tests = application_tests, .bounds = lex_bounds,
            .shared = long_shared, .many = 40009);
APPLICATION(split_segments, explain_segments, sort_lengths, style_lengths, .tests = segment_tests,
            .bounds = segment_bounds, .shared = long_shared, .many = 40009);
APPLICATION(quicksort, explain_quicksort, quicksort_lengths, style_lengths, .tests = quicksort_tests,
            .bounds = quicksort_bounds, .shared = quicksort_shared,
            .work = 8 /* a round of many launches for each level */);

#include "suite_table.h"

const struct suite_lab this_lab = {
    .number = 8, .name = "applications", .data_phrase = data_phrase, SUITE_TABLE};
