/* app_explain.h: explains the first wrong slot of a result of lab 8 in the words of its problem. */
#ifndef APP_EXPLAIN_H
#define APP_EXPLAIN_H

#include "app_inputs.h"

/* Whether nothing was written to an array. */
static bool is_untouched(const struct suite_argument *argument)
{
    size_t size = element_size(argument->element);
    for (size_t i = 0; i < argument->count * size; i++)
        if (((const unsigned char *)argument->got)[i] != CALL_POISON)
            return false;
    return true;
}

static bool explain_untouched(struct suite_text *text, const struct suite_argument *argument)
{
    if (!is_untouched(argument))
        return false;
    suite_add(text, "nothing was written to %s at all\n", argument->name);
    return true;
}

static bool all_equal(const struct suite_argument *argument, const unsigned *numbers)
{
    return memcmp(argument->got, numbers, argument->count * sizeof *numbers) == 0;
}

/* The length of the shorter string of the most recently arranged call, in bytes. */
static size_t shorter_string;

/* ---- write_lines --------------------------------------------------------------------------------------- */

static unsigned digits_of(unsigned number)
{
    unsigned digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

static void explain_lines(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    const unsigned *numbers = call->argument[0].input;
    const unsigned char *got = argument->got, *expected = argument->expected;
    size_t begin = 0, line = 0, n = call->is.n;
    while (line < n && begin + digits_of(numbers[line]) + 1 <= slot)
        begin += digits_of(numbers[line++]) + 1;
    if (line == n) {
        suite_add(text, "the text of %zu line%s ends before byte %zu; what follows it must not change\n", n,
                  n == 1 ? "" : "s", begin);
        return;
    }
    if (explain_untouched(text, argument))
        return;
    unsigned digits = digits_of(numbers[line]), turned = 0;
    suite_add(text, "line %zu is %u; it begins at byte %zu and has %u bytes\n", line, numbers[line], begin,
              digits + 1);
    while (turned < digits && got[begin + turned] == expected[begin + digits - 1 - turned])
        turned++;
    if (turned == digits)
        suite_add(text, "its digits are in reverse order, the lowest first\n");
    else if (numbers[line] == 0 || (line + 1 < n && numbers[line + 1] == 0))
        suite_add(text, "try: the number 0 has a digit\n");
}

/* ---- tree_depths --------------------------------------------------------------------------------------- */

static void explain_depths(struct suite_text *text, const struct suite_call *call,
                           const struct suite_argument *argument, size_t slot)
{
    const int *tour = call->argument[0].input;
    const unsigned *got = argument->got, *expected = argument->expected;
    size_t moves = 2 * call->is.n, down = 0, above = 0, more = 0;
    int parent = -1;
    if (explain_untouched(text, argument))
        return;
    while (down < moves && tour[down] != (int)slot)
        down++;
    for (size_t i = 0; i < down; i++) /* the last node that is still open is the parent */
        above += tour[i] >= 0 ? 1 : (size_t)-1;
    for (size_t i = down, closed = 0; i-- > 0 && parent < 0;) {
        closed += tour[i] < 0;
        if (tour[i] >= 0 && closed-- == 0)
            parent = tour[i];
    }
    for (size_t v = 0; v < call->is.n; v++)
        more += got[v] == expected[v] + 1;
    suite_add(text, "the walk goes down into node %zu with move %zu, from ", slot, down);
    if (above == 0)
        suite_add(text, "outside: it is a root\n");
    else
        suite_add(text, "node %d, which has depth %zu\n", parent, above - 1);
    if (more == call->is.n)
        suite_add(text, "every depth is one too large: a node is not above itself\n"
                        "try: the exclusive scan, of which the moves down take their depths\n");
}

/* ---- histogram ----------------------------------------------------------------------------------------- */

static void explain_histogram(struct suite_text *text, const struct suite_call *call,
                              const struct suite_argument *argument, size_t slot)
{
    const unsigned *keys = call->argument[0].input, *values = call->argument[1].expected;
    const unsigned *counts = call->argument[2].expected;
    size_t before = 0;
    if (slot >= call->expected_result) {
        suite_add(text, "there are %llu different keys; what follows them must not change\n",
                  (unsigned long long)call->expected_result);
        return;
    }
    if (explain_untouched(text, argument))
        return;
    for (size_t k = 0; k < slot; k++)
        before += counts[k];
    suite_add(text, "in the sorted keys, %u is in slots %zu to %zu\n", values[slot], before,
              before + counts[slot] - 1);
    if (slot + 1 == call->expected_result && argument == &call->argument[2])
        suite_add(text, "try: the last group ends where the keys end, at %zu\n", call->is.n);
    (void)keys;
}

/* ---- compare_strings ----------------------------------------------------------------------------------- */

static void explain_order(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    static const char *const words[] = {"left comes first", "they are equal", "right comes first"};
    const unsigned char *left = call->argument[0].input, *right = call->argument[2].input;
    size_t left_n = call->argument[0].count, right_n = call->argument[2].count, i = 0;
    int got = *(const int *)argument->got, expected = *(const int *)argument->expected;
    char a[ELEMENT_SHORT], b[ELEMENT_SHORT];
    (void)slot;
    while (i < left_n && i < right_n && left[i] == right[i])
        i++;
    if (i < left_n && i < right_n) {
        element_text(ELEMENT_CHARACTER, &left[i], a);
        element_text(ELEMENT_CHARACTER, &right[i], b);
        suite_add(text, "the first difference is left[%zu] = %s = %u, right[%zu] = %s = %u: %s\n", i, a,
                  (unsigned)left[i], i, b, (unsigned)right[i], words[expected + 1]);
        if (got == -expected && ((left[i] | right[i]) & 128))
            suite_add(text, "try: unsigned char: bytes from 128 on are not negative\n");
    } else {
        suite_add(text, "left has length %zu and right %zu, and the first %zu bytes are the same: %s\n",
                  left_n, right_n, i, words[expected + 1]);
    }
}

static void explain_place(struct suite_text *text, const struct suite_call *call)
{
    const unsigned char *left = call->argument[0].input, *right = call->argument[2].input;
    size_t place = (size_t)call->expected_result, got = (size_t)call->reply.result;
    char a[ELEMENT_SHORT], b[ELEMENT_SHORT];
    if (place == shorter_string) {
        suite_add(text, "the first %zu bytes are the same, and there the shorter string ends\n", place);
        return;
    }
    element_text(ELEMENT_CHARACTER, &left[place], a);
    element_text(ELEMENT_CHARACTER, &right[place], b);
    suite_add(text, "left[%zu] is %s and right[%zu] is %s%s\n", place, a, place, b,
              got > place && got <= shorter_string ? "; what comes later does not count" : "");
}

/* ---- recurrences --------------------------------------------------------------------------------------- */

/* Returns x if the steps up to each place are composed in the wrong order. */
static const unsigned *exchanged_steps(const unsigned *a, const unsigned *b, unsigned start, size_t n)
{
    unsigned *x = suite_memory(n * sizeof *x), factor = 1, sum = 0;
    for (size_t i = 0; i < n; i++) { /* step i before all others */
        sum += factor * b[i];
        factor *= a[i];
        x[i] = factor * start + sum;
    }
    return x;
}

/* Returns x if only one step is made from the start, because the scan is missing. */
static const unsigned *single_steps(const unsigned *a, const unsigned *b, unsigned start, size_t n)
{
    unsigned *x = suite_memory(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = a[i] * start + b[i];
    return x;
}

/* The same for second order: returns x if the matrices are multiplied in the wrong order. */
static const unsigned *exchanged_products(const unsigned *a, const unsigned *b, unsigned last,
                                          unsigned before, size_t n)
{
    unsigned *x = suite_memory(n * sizeof *x), left = 1, right = 0; /* the first row of the product */
    for (size_t i = 0; i < n; i++) {
        unsigned next = left * a[i] + right;
        right = left * b[i];
        left = next;
        x[i] = left * last + right * before;
    }
    return x;
}

static const unsigned *shifted(const unsigned *right, unsigned first, size_t n)
{
    unsigned *x = suite_memory(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = i == 0 ? first : right[i - 1];
    return x;
}

static void explain_linear(struct suite_text *text, const struct suite_call *call,
                           const struct suite_argument *argument, size_t slot)
{
    const unsigned *a = call->argument[0].input, *b = call->argument[1].input, *x = argument->expected;
    unsigned start = (unsigned)call->argument[2].scalar;
    size_t n = call->is.n;
    if (explain_untouched(text, argument))
        return;
    suite_add(text, "x[%zu] = a[%zu] * x[%zd] + b[%zu] = %u * %u + %u = %u\n", slot, slot,
              (ptrdiff_t)slot - 1, slot, a[slot], slot > 0 ? x[slot - 1] : start, b[slot], x[slot]);
    if (n > 1 && all_equal(argument, exchanged_steps(a, b, start, n)))
        suite_add(text, "these are the steps in the wrong order\n"
                        "try: combine(left, right) is left first, then right\n");
    else if (n > 1 && all_equal(argument, single_steps(a, b, start, n)))
        suite_add(text, "every place has made its own step from the start, and none of those before\n");
    else if (n > 1 && all_equal(argument, shifted(x, start, n)))
        suite_add(text, "every place lacks its own step\ntry: the inclusive scan\n");
}

static void explain_second(struct suite_text *text, const struct suite_call *call,
                           const struct suite_argument *argument, size_t slot)
{
    const unsigned *a = call->argument[0].input, *b = call->argument[1].input, *x = argument->expected;
    unsigned last = (unsigned)call->argument[2].scalar, before = (unsigned)call->argument[3].scalar;
    size_t n = call->is.n;
    if (explain_untouched(text, argument))
        return;
    suite_add(text, "x[%zu] = a[%zu] * x[%zd] + b[%zu] * x[%zd] = %u * %u + %u * %u = %u\n", slot, slot,
              (ptrdiff_t)slot - 1, slot, (ptrdiff_t)slot - 2, a[slot], slot > 0 ? x[slot - 1] : last, b[slot],
              slot > 1    ? x[slot - 2]
              : slot == 1 ? last
                          : before,
              x[slot]);
    if (n > 1 && all_equal(argument, shifted(x, last, n)))
        suite_add(text, "every place lacks its own step\ntry: the inclusive scan\n");
    else if (n > 1 && all_equal(argument, exchanged_products(a, b, last, before, n)))
        suite_add(text, "these are the steps in the wrong order\n"
                        "try: the product right * left makes the step of left first\n");
}

static void explain_value(struct suite_text *text, const struct suite_call *call)
{
    const unsigned *c = call->argument[0].input;
    unsigned x = (unsigned)call->argument[2].scalar, turned = 0;
    size_t n = call->is.n;
    for (size_t i = 0; i < n; i++)
        turned = turned * x + c[i];
    suite_add(text, "x is %u, and c[0] is %u", x, n > 0 ? c[0] : 0);
    for (size_t i = 1; i < n && i < 4; i++)
        suite_add(text, ", c[%zu] is %u", i, c[i]);
    suite_add(text, "%s\n", n > 4 ? ", ..." : "");
    if (call->reply.result == turned)
        suite_add(text, "this is the value with the coefficients in reverse order\n"
                        "try: the first step of Horner's rule takes the last coefficient\n");
}

/* ---- lex ----------------------------------------------------------------------------------------------- */

static const char *state_name(unsigned state)
{
    static const char *const names[LEX_STATES] = {
        "LEX_SPACE", "LEX_WORD",        "LEX_NUMBER", "LEX_MARK",   "LEX_SLASH",
        "LEX_LINE",  "LEX_COMMENT",     "LEX_STAR",   "LEX_STRING", "LEX_STRING_ESCAPE",
        "LEX_CHAR",  "LEX_CHAR_ESCAPE", "LEX_CLOSE"};
    return state < LEX_STATES ? names[state] : "no state";
}

/* "token 17 begins at byte 93: sqlite3_open" */
static void add_token(struct suite_text *text, const struct suite_call *call, size_t token)
{
    const unsigned char *bytes = call->argument[0].input;
    const unsigned *begins = call->argument[2].expected;
    size_t tokens = (size_t)call->expected_result, n = call->is.n, shown = 0;
    size_t begin = begins[token], end = token + 1 < tokens ? begins[token + 1] : n;
    suite_add(text, "token %zu begins at byte %zu: ", token, begin);
    while (end > begin + 1 && bytes[end - 1] <= ' ')
        end--;
    for (size_t i = begin; i < end && shown < 24; i++, shown++)
        suite_add(text, "%c", bytes[i] >= ' ' && bytes[i] < 127 ? bytes[i] : '.');
    suite_add(text, "%s\n", end - begin > shown ? "..." : "");
}

static void explain_states(struct suite_text *text, const struct suite_call *call,
                           const struct suite_argument *argument, size_t slot)
{
    const unsigned char *bytes = call->argument[0].input, *got = argument->got, *states = argument->expected;
    const unsigned *begins = call->argument[2].expected;
    char byte[ELEMENT_SHORT];
    size_t token = 0;
    unsigned before = slot > 0 ? states[slot - 1] : LEX_START;
    if (explain_untouched(text, argument))
        return;
    element_text(ELEMENT_CHARACTER, &bytes[slot], byte);
    suite_add(text, "byte %zu is %s; %s leads from %s to %s, and not to %s\n", slot, byte, byte,
              state_name(before), state_name(states[slot]), state_name(got[slot]));
    while (token < call->expected_result && begins[token] <= slot)
        token++;
    if (token > 0)
        add_token(text, call, token - 1);
    if (got[slot] == lex_next(LEX_START, bytes[slot]))
        suite_add(text, "it leads there from the start: the bytes before it are not taken into account\n");
}

static void explain_lex(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot)
{
    const unsigned *got = argument->got;
    if (argument == &call->argument[1]) {
        explain_states(text, call, argument, slot);
        return;
    }
    if (slot >= call->expected_result) {
        suite_add(text, "there are %llu tokens; what follows their begins must not change\n",
                  (unsigned long long)call->expected_result);
        return;
    }
    if (explain_untouched(text, argument))
        return;
    add_token(text, call, slot);
    if (slot == 0 && call->expected_result > 1 && element_is_unwritten(ELEMENT_UNSIGNED, got))
        suite_add(text, "try: the slot of the first token is 0: how many tokens begin before it\n");
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

static int ascending_numbers(const void *left, const void *right)
{
    unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return (a > b) - (a < b);
}

/* Whether these are the keys of another array in any order. If not, explains which key appeared or got lost. */
static bool same_keys(struct suite_text *text, const unsigned *got, const unsigned *keys, size_t n)
{
    unsigned *a = suite_memory(n * sizeof *a), *b = suite_memory(n * sizeof *b);
    memcpy(a, got, n * sizeof *a);
    memcpy(b, keys, n * sizeof *b);
    qsort(a, n, sizeof *a, ascending_numbers);
    qsort(b, n, sizeof *b, ascending_numbers);
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    if (i == n)
        return true;
    if (a[i] > b[i])
        suite_add(text, "a key %u of the input is lost: did two keys go to the same slot?\n", b[i]);
    else
        suite_add(text, "a key %u is there that the input does not have, or more often\n", a[i]);
    return false;
}

static void explain_segments(struct suite_text *text, const struct suite_call *call,
                             const struct suite_argument *argument, size_t slot)
{
    const unsigned *in = call->argument[0].input, *heads = call->argument[1].input;
    const unsigned *keys = call->argument[2].got;
    size_t n = call->is.n, first = slot, end = slot + 1, less = 0, equal = 0;
    if (explain_untouched(text, argument))
        return;
    while (!heads[first])
        first--;
    while (end < n && !heads[end])
        end++;
    unsigned pivot = in[first + (end - first) / 2];
    for (size_t i = first; i < end; i++) {
        less += in[i] < pivot;
        equal += in[i] == pivot;
    }
    suite_add(text, "the segment is %zu to %zu, its pivot in[%zu] = %u: %zu less, %zu equal, %zu greater\n",
              first, end - 1, first + (end - first) / 2, pivot, less, equal, end - first - less - equal);
    if (argument == &call->argument[3])
        suite_add(text, "the first key of every group that has any is a head\n");
    else if (same_keys(text, keys + first, in + first, end - first)) {
        size_t right = first;
        while (right < end && (keys[right] < pivot) - (keys[right] > pivot) ==
                                  (right < first + less) - (right >= first + less + equal))
            right++;
        suite_add(text,
                  right == end ? "the groups are right, but not the order in them: that of the input\n"
                               : "key %u at slot %zu is in the wrong group\n",
                  keys[right < end ? right : first], right);
    }
}

static void explain_quicksort(struct suite_text *text, const struct suite_call *call,
                              const struct suite_argument *argument, size_t slot)
{
    const unsigned *got = argument->got, *in = call->argument[0].input;
    size_t n = call->is.n, i = 1;
    if (explain_untouched(text, argument) || !same_keys(text, got, in, n))
        return;
    if (n > 1 && all_equal(argument, in)) {
        suite_add(text, "these are the keys in the order of the input\n");
        return;
    }
    while (i < n && got[i - 1] <= got[i])
        i++;
    if (i < n)
        suite_add(text, "slot %zu holds %u, and slot %zu behind it %u: another round is needed\n", i - 1,
                  got[i - 1], i, got[i]);
    (void)slot;
}

#endif
