/* suite_rows.c: shows the arrays of a small call that failed as rows of a message:
 *
 *     in        3 1  7  0
 *     expected  3 4 11 11
 *     out       3 4 7* 7*    (* is wrong) */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

enum {
    MOST_SHOWN = 16, /* elements of an array; longer ones are shown only by make run */
    ROW_WIDTH = 68   /* in characters */
};

struct row {
    const char *label;
    const struct suite_argument *argument;
    const void *values;
    bool judged; /* it is compared with the expected values */
};

static size_t collect(const struct suite_call *call, struct row rows[3 * CALL_ARGUMENTS])
{
    size_t count = 0;
    for (unsigned a = 0; a < call->arguments; a++) {
        const struct suite_argument *argument = &call->argument[a];
        if (argument->kind > CALL_IN_OUT)
            continue;
        if (argument->count > MOST_SHOWN)
            return 0;
        if (argument->input)
            rows[count++] = (struct row){argument->name, argument, argument->input, false};
        if (argument->kind == CALL_IN)
            continue;
        if (argument->expected)
            rows[count++] = (struct row){"expected", argument, argument->expected, false};
        rows[count++] =
            (struct row){argument->input ? "after" : argument->name, argument, argument->got, true};
    }
    return count;
}

static void cell(const struct row *row, size_t i, char text[ELEMENT_SHORT + 2])
{
    const struct suite_argument *argument = row->argument;
    const size_t size = element_size(argument->element);
    text[0] = 0;
    element_text(argument->element, (const char *)row->values + i * size, text);
    strcat(text, row->judged && !suite_slot_is_right(argument, i) ? "*" : "");
}

/* The width of column i, including its blank. */
static size_t width_of(const struct row *rows, size_t count, size_t i)
{
    char text[ELEMENT_SHORT + 2];
    size_t width = 0;
    for (size_t r = 0; r < count; r++) {
        cell(&rows[r], i, text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return width + 1;
}

/* In an image a slash ends each row except the last. */
static const char *end_of(const struct suite_call *call, const struct row *row, size_t i)
{
    const size_t columns = suite_columns(call->is.n);
    if (!suite_is_image(call, row->argument) || suite_rows(call->is.n) < 2)
        return "";
    return (i + 1) % columns == 0 && i + 1 < row->argument->count ? " /" : "  ";
}

/* Is there an input or a wrong slot from column i on? */
static bool has_more(const struct row *rows, size_t count, size_t i)
{
    for (size_t r = 0; r < count; r++) {
        const struct suite_argument *argument = rows[r].argument;
        if (argument->input && i < argument->count)
            return true;
        for (size_t slot = i; rows[r].judged && slot < argument->count; slot++)
            if (!suite_slot_is_right(argument, slot))
                return true;
    }
    return false;
}

static bool has_wrong(const struct row *row)
{
    for (size_t i = 0; row->judged && i < row->argument->count; i++)
        if (!suite_slot_is_right(row->argument, i))
            return true;
    return false;
}

/* Adds rows whose arrays have the same length, in parts that are no wider than a line. */
static void add_rows(struct suite_text *text, const struct suite_call *call, const struct row *rows,
                     size_t count, size_t label)
{
    char element[ELEMENT_SHORT + 2];
    const size_t longest = rows->argument->count;
    for (size_t from = 0, to; from < longest && has_more(rows, count, from); from = to) {
        size_t used = label + 1;
        for (to = from; to < longest && (to == from || used + width_of(rows, count, to) <= ROW_WIDTH); to++)
            used += width_of(rows, count, to) + 2 * (suite_rows(call->is.n) > 1);
        for (size_t r = 0; r < count; r++) {
            suite_add(text, "%-*s ", (int)label, rows[r].label);
            for (size_t i = from; i < to; i++) {
                cell(&rows[r], i, element);
                suite_add(text, "%*s%s", (int)width_of(rows, count, i), element, end_of(call, &rows[r], i));
            }
            suite_add(text, "%s\n", from == 0 && has_wrong(&rows[r]) ? "   (* is wrong)" : "");
        }
    }
}

void suite_add_rows(struct suite_text *text, const struct suite_call *call)
{
    struct row rows[3 * CALL_ARGUMENTS];
    const size_t count = collect(call, rows);
    size_t label = 0;
    for (size_t r = 0; r < count; r++)
        label = strlen(rows[r].label) > label ? strlen(rows[r].label) : label;
    for (size_t r = 0, of_group; r < count; r += of_group) {
        for (of_group = 1; r + of_group < count; of_group++)
            if (rows[r + of_group].argument->count != rows[r].argument->count)
                break;
        add_rows(text, call, &rows[r], of_group, label);
    }
}
