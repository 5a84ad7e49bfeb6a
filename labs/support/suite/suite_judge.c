/* suite_judge.c: compares the results of a call with the expected ones. */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

static const unsigned char *element_at(const struct suite_argument *argument, const void *array, size_t i)
{
    return (const unsigned char *)array + i * element_size(argument->element);
}

/* The contents that the array must have after the call. */
static const void *wanted(const struct suite_argument *argument)
{
    return argument->expected ? argument->expected : argument->input;
}

bool suite_slot_is_right(const struct suite_argument *argument, size_t i)
{
    return element_equal(argument->element, element_at(argument, argument->got, i),
                         element_at(argument, wanted(argument), i),
                         argument->tolerance ? argument->tolerance[i] : 0);
}

/* The number of output arrays. If there is one, a slot is described without the array's name. */
static unsigned count_outputs(const struct suite_call *call)
{
    unsigned count = 0;
    for (unsigned i = 0; i < call->arguments; i++)
        count += call->argument[i].kind == CALL_OUT || call->argument[i].kind == CALL_IN_OUT;
    return count;
}

/* Adds "slot 13", "out[13]", or "the result" for a single value. */
static void add_subject(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t i)
{
    if (count_outputs(call) > 1)
        suite_add(text, "%s[%zu]", argument->name, i);
    else if (argument->count == 1 && suite_elements(call->is.n) != 1)
        suite_add(text, "the result");
    else
        suite_add_position(text, call, argument, i);
}

/* Adds "rows 3 to 5" or "row 3". */
static void add_range(struct suite_text *text, const char *what, size_t first, size_t last)
{
    suite_add(text, "%s%s %zu", what, first < last ? "s" : "", first);
    if (first < last)
        suite_add(text, " to %zu", last);
}

/* Adds the range of rows and columns of the wrong elements in an image. */
static void add_area(struct suite_text *text, const struct suite_call *call,
                     const struct suite_argument *argument)
{
    size_t columns = suite_columns(call->is.n), wrong = 0, top = 0, bottom = 0, left = columns, right = 0;
    for (size_t i = 0; i < argument->count; i++) {
        if (suite_slot_is_right(argument, i))
            continue;
        size_t row = i / columns, column = i % columns;
        top = wrong++ == 0 ? row : top;
        bottom = row;
        left = column < left ? column : left;
        right = column > right ? column : right;
    }
    suite_add(text, "%zu of %zu elements %s wrong", wrong, argument->count, wrong == 1 ? "is" : "are");
    if (wrong > 1) {
        suite_add(text, ": ");
        add_range(text, "row", top, bottom);
        suite_add(text, ", ");
        add_range(text, "column", left, right);
    }
    suite_add(text, "\n");
}

/* The line after those about the first wrong slot and about all wrong slots. */
static const char *explanation(const char *statement)
{
    for (int line = 0; line < 2; line++) {
        statement += strcspn(statement, "\n");
        statement += *statement == '\n';
    }
    return statement;
}

bool suite_same_explanation(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    a = explanation(a);
    b = explanation(b);
    while (*a && *a != '\n' && *a == *b) {
        a += 1 + strspn(a + 1, digits);
        b += 1 + strspn(b + 1, digits);
    }
    return (!*a || *a == '\n') && (!*b || *b == '\n');
}

/* Describes which slots are wrong, with their pattern if there is one. */
static void add_pattern(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t first)
{
    if (suite_is_image(call, argument)) {
        add_area(text, call, argument);
        return;
    }
    size_t wrong = 0, last = first, step = 0;
    bool even = true;
    for (size_t i = first; i < argument->count; i++) {
        if (suite_slot_is_right(argument, i))
            continue;
        if (wrong == 1)
            step = i - last;
        else if (wrong > 1 && i - last != step)
            even = false;
        last = i;
        wrong++;
    }
    if (wrong == 1)
        suite_add(text, "1 of %zu slots is wrong", argument->count);
    else if (wrong == argument->count)
        suite_add(text, "all %zu slots are wrong", wrong);
    else if (even && step == 1)
        suite_add(text, "%zu of %zu slots are wrong: %zu to %zu", wrong, argument->count, first, last);
    else if (even && wrong > 2)
        suite_add(text, "%zu of %zu slots are wrong: %zu to %zu in steps of %zu", wrong, argument->count,
                  first, last, step);
    else
        suite_add(text, "%zu of %zu slots are wrong, the last is %zu", wrong, argument->count, last);
    suite_add(text, "\n");
}

/* Does the number of bytes that were written equal the number of elements, which have several bytes each? Then a count
 * of elements was passed where a count of bytes was meant. */
static bool is_filled_by_count(const struct suite_argument *argument)
{
    const unsigned char *got = argument->got;
    const size_t size = element_size(argument->element);
    size_t written = argument->count * size;
    while (written > 0 && got[written - 1] == CALL_POISON)
        written--;
    return argument->kind == CALL_OUT && written == argument->count && written % size != 0;
}

/* Writes the statement about the first wrong slot. */
static void blame_slot(struct suite_call *call, struct suite_argument *argument, size_t slot)
{
    struct suite_text text = suite_text(call->statement, sizeof call->statement);
    char predicate[ELEMENT_TEXT], expected[ELEMENT_SHORT];

    element_predicate(argument->element, element_at(argument, argument->got, slot), predicate);
    if (call->unwritten && argument->kind == CALL_OUT)
        snprintf(predicate, sizeof predicate, "was not written");
    element_text(argument->element, element_at(argument, wanted(argument), slot), expected);
    add_subject(&text, call, argument, slot);
    suite_add(&text, " %s%s expected %s", predicate, strchr(predicate, ':') ? ";" : ",", expected);
    if (argument->element == ELEMENT_INTERVAL && strcmp(expected, "nothing") == 0)
        suite_add(&text, " (IDENTITY)");
    if (argument->tolerance && argument->tolerance[slot] > 0)
        suite_add(&text, " to within %.3g", argument->tolerance[slot]);
    suite_add(&text, "\n");
    if (argument->count > 1)
        add_pattern(&text, call, argument, slot);
    if (is_filled_by_count(argument))
        suite_add(&text,
                  "bytes written: %zu of %zu, as many as the array has elements\n"
                  "try: the count of cudaMemcpy is in bytes: elements times sizeof(element)\n",
                  argument->count, argument->count * element_size(argument->element));
    else if (call->is.part->explain)
        call->is.part->explain(&text, call, argument, slot);
}

static void blame_input(struct suite_call *call, const struct suite_argument *argument, size_t slot)
{
    struct suite_text text = suite_text(call->statement, sizeof call->statement);
    char got[ELEMENT_SHORT], before[ELEMENT_SHORT];
    call->statement_kind = SUITE_INPUT_CHANGED;
    element_text(argument->element, element_at(argument, argument->got, slot), got);
    element_text(argument->element, element_at(argument, argument->input, slot), before);
    if (suite_is_image(call, argument)) {
        suite_add(&text, "%s: ", argument->name);
        suite_add_position(&text, call, argument, slot);
    } else {
        suite_add(&text, "%s[%zu]", argument->name, slot);
    }
    suite_add(&text, " was changed from %s to %s: an input must stay as it is\n", before, got);
    add_pattern(&text, call, argument, slot);
}

static void blame_guard(struct suite_call *call, const struct suite_argument *argument)
{
    struct suite_text text = suite_text(call->statement, sizeof call->statement);
    ptrdiff_t size = (ptrdiff_t)element_size(argument->element), offset = argument->guard_offset;
    ptrdiff_t slot = offset < 0 ? (offset + 1) / size - 1 : (ptrdiff_t)argument->count + offset / size;
    suite_add(&text, "something was written to %s[%td], which is outside the array of %zu element%s\n",
              argument->name, slot, argument->count, argument->count == 1 ? "" : "s");
}

static bool result_is_right(struct suite_call *call)
{
    if (!call->result_name || call->reply.result == call->expected_result)
        return true;
    struct suite_text text = suite_text(call->statement, sizeof call->statement);
    suite_add(&text, "%s is %llu, expected %llu\n", call->result_name, (unsigned long long)call->reply.result,
              (unsigned long long)call->expected_result);
    if (call->is.part->explain_result)
        call->is.part->explain_result(&text, call);
    return false;
}

/* Compares bytes, which is fast: a slot that equals the expected one bit for bit is right. */
static bool all_are_right(const struct suite_argument *argument)
{
    const size_t bytes = argument->count * element_size(argument->element);
    return bytes == 0 || memcmp(argument->got, wanted(argument), bytes) == 0;
}

static bool is_right(struct suite_call *call)
{
    if (!call->arrays_first && !result_is_right(call))
        return false;
    /* Outputs first: a changed input or guard zone is reported only if the outputs are right. */
    for (int inputs = 0; inputs < 2; inputs++)
        for (unsigned i = 0; i < call->arguments; i++) {
            struct suite_argument *argument = &call->argument[i];
            if (argument->kind > CALL_IN_OUT || (argument->kind == CALL_IN) != (inputs == 1) ||
                all_are_right(argument))
                continue;
            for (size_t slot = 0; slot < argument->count; slot++) {
                if (suite_slot_is_right(argument, slot))
                    continue;
                if (inputs)
                    blame_input(call, argument, slot);
                else
                    blame_slot(call, argument, slot);
                return false;
            }
        }
    if (!result_is_right(call))
        return false;
    for (unsigned i = 0; i < call->arguments; i++)
        if (call->argument[i].guard_hit) {
            blame_guard(call, &call->argument[i]);
            return false;
        }
    return true;
}

bool suite_judge(struct suite_call *call)
{
    call->statement[0] = 0;
    call->statement_kind = SUITE_MISMATCH;
    return is_right(call);
}
