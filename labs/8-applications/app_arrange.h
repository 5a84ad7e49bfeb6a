/* app_arrange.h: the arguments of the parts of lab 8 and their expected outputs, for calls of the suites. */
#ifndef APP_ARRANGE_H
#define APP_ARRANGE_H

#include "app_explain.h"

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
    call->result_name = "the index of the first difference";
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

/* Makes the handout's example, again and again: segments of six and of two keys. Both lengths are even, so the pivot is
 * right of the middle, and each group of the first one has two keys. */
static void make_example_segments(unsigned *keys, unsigned *heads, size_t n)
{
    static const unsigned example[] = {8, 5, 2, 5, 1, 9, 7, 6};
    for (size_t i = 0; i < n; i++) {
        keys[i] = example[i % 8];
        heads[i] = i % 8 == 0 || i % 8 == 6;
    }
}

static void arrange_split_segments(struct suite_call *call)
{
    size_t n = call->is.n, place = 0;
    unsigned *in = make_keys(&call->is, &sunspots), *heads = make_heads(&call->is);
    if (call->is.input == INPUT_EXAMPLE)
        make_example_segments(in, heads, n);
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

#endif
