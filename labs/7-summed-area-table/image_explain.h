/* image_explain.h: explains a wrong slot of a result of lab 7: which sum it has, or which mistake gives its value. */
#ifndef IMAGE_EXPLAIN_H
#define IMAGE_EXPLAIN_H

#include "images.h"
#include "suite_scan.h"

static bool is_unwritten(const struct suite_argument *argument)
{
    for (size_t i = 0; i < argument->count; i++)
        if (!element_is_unwritten(argument->element,
                                  (const char *)argument->got + i * element_size(argument->element)))
            return false;
    return true;
}

/* Explains what is common to all parts. Returns true if there is nothing more to explain. */
static bool explain_nothing(struct suite_text *text, const struct suite_argument *argument, size_t slot)
{
    bool all = is_unwritten(argument);
    if (all && argument->count > 1)
        suite_add(text, "nothing was written to %s at all\n", argument->name);
    return all || element_is_unwritten(argument->element,
                                       (const char *)argument->got + slot * element_size(argument->element));
}

/* Explains what is read with a wrong index: ranges whose ends are neighbours in the other direction, or a range of
 * another row or column. `length` is that of a scanned row or column. */
static bool explain_index(struct suite_text *text, interval_t got, interval_t expected, bool down,
                          size_t length)
{
    const char *const index = "the index of an element is row * columns + column";
    if (interval_is_poisoned(got)) {
        const int end = got.first & INT_MAX, begin = got.last & INT_MAX;
        if (got.last < 0 || end == 0 || length < 2 || (size_t)begin != (size_t)end + length)
            return false;
        suite_add(text, "the second is %s the first: %s\n", down ? "to the right of" : "below", index);
        return true;
    }
    if (interval_is_empty(got) || got.first < INTERVAL_BASE ||
        (got.last >= expected.first && got.first <= expected.last))
        return false;
    const size_t line = (size_t)(got.first - INTERVAL_BASE) / length;
    if (line == (size_t)(expected.first - INTERVAL_BASE) / length)
        return false;
    suite_add(text, "this begins in %s %zu: %s\n", down ? "column" : "row", line, index);
    return true;
}

static void explain_scan(struct suite_text *text, const struct suite_call *call,
                         const struct suite_argument *argument, size_t slot, bool down)
{
    size_t rows = suite_rows(call->is.n), columns = suite_columns(call->is.n);
    size_t size = element_size(argument->element), bytes = argument->count * size;
    if (explain_nothing(text, argument, slot))
        return;
    if (memcmp(argument->got, call->argument[0].input, bytes) == 0) {
        suite_add(text, "this is the input, not its scan\n");
        return;
    }
    if (argument->element == ELEMENT_INTERVAL) {
        size_t line = down ? slot % columns : slot / columns, length = down ? rows : columns;
        const interval_t *got = argument->got, *expected = argument->expected;
        suite_add(text, "elements are numbered %s; those of %s %zu are %zu to %zu\n",
                  down ? "down the columns" : "along the rows", down ? "column" : "row", line, line * length,
                  (line + 1) * length - 1);
        if (!explain_index(text, got[slot], expected[slot], down, length))
            scan_explain_interval(text, got[slot], expected[slot]);
        return;
    }
    size_t across = down ? slot / columns : slot % columns;
    if (across == 0 && (down ? slot % columns : slot / columns) > 0)
        suite_add(text, "a %s begins here, and nothing of the %s before belongs to it\n",
                  down ? "column" : "row", down ? "columns" : "rows");
}

static void explain_rows(struct suite_text *text, const struct suite_call *call,
                         const struct suite_argument *argument, size_t slot)
{
    explain_scan(text, call, argument, slot, false);
}

static void explain_columns(struct suite_text *text, const struct suite_call *call,
                            const struct suite_argument *argument, size_t slot)
{
    explain_scan(text, call, argument, slot, true);
}

/* Whether every element equals the sum of the window that `window` gives it. */
static bool is_sum_of(const uint64_t *got, struct window (*window)(size_t slot))
{
    for (size_t i = 0; i < image.rows * image.columns; i++)
        if (got[i] != window_sum(window(i)))
            return false;
    return true;
}

static struct window row_window(size_t slot)
{
    size_t row = slot / image.columns;
    return (struct window){row, row, 0, slot % image.columns};
}

static struct window column_window(size_t slot)
{
    size_t column = slot % image.columns;
    return (struct window){0, slot / image.columns, column, column};
}

static void explain_sat(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot)
{
    const uint64_t *got = argument->got;
    struct window window;
    (void)call;
    if (explain_nothing(text, argument, slot))
        return;
    if (got[slot] == (unsigned)image.table[slot])
        suite_add(text, "these are the lower 32 bits of the sum: add up in 64 bits\n");
    else if (got[slot] == (uint64_t)(int)image.table[slot])
        suite_add(text,
                  "this is the sum as an int has it, whose sign fills the upper 32 bits: let no int hold a "
                  "sum, nor a pixel on its way into one\n");
    else if (is_sum_of(got, row_window))
        suite_add(text, "this is the scan of the rows; the columns of it are still to be scanned\n");
    else if (is_sum_of(got, column_window))
        suite_add(text, "this is the scan of the columns; the rows of it are still to be scanned\n");
    else if (find_window(got[slot], window_sum, &window)) {
        suite_add(text, "this is the sum of ");
        add_window(text, window);
        suite_add(text, "\n");
    }
}

static void explain_box(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot)
{
    uint64_t radius = call->argument[4].scalar;
    if (explain_nothing(text, argument, slot))
        return;
    suite_add(text, "the radius is %llu\n", (unsigned long long)radius);
    explain_mean(text, slot, ((const unsigned *)argument->got)[slot], radius);
}

/* Returns the mistake that gives a pixel at a depth this value; null if it is not one of these. */
static const char *radius_mistake(size_t slot, unsigned got, struct lens lens, unsigned depth)
{
    uint64_t off = depth > lens.focus ? depth - lens.focus : lens.focus - depth;
    uint64_t right = radius_at(lens, depth);
    const struct {
        uint64_t radius;
        const char *words;
    } mistakes[] = {
        {lens.strength * off / depth, "this is the window without a limit: `most` is the largest radius"},
        {(unsigned)(lens.strength * off) / depth,
         "strength times the distance from the focus has lost its upper 32 bits"},
        {lens.strength * (uint64_t)(depth - lens.focus) / depth,
         "depth - focus of unsigned numbers is huge when depth is the smaller one"},
        {lens.strength * (off / depth), "multiply by strength before you divide by the depth"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        uint64_t radius = i > 0 && mistakes[i].radius > lens.most ? lens.most : mistakes[i].radius;
        if (radius != right && window_mean(window_of(slot, radius)) == got)
            return mistakes[i].words;
    }
    return NULL;
}

static void explain_depth(struct suite_text *text, const struct suite_call *call,
                          const struct suite_argument *argument, size_t slot)
{
    const unsigned *depths = call->argument[1].input;
    struct lens lens = {(unsigned)call->argument[5].scalar, (unsigned)call->argument[6].scalar,
                        (unsigned)call->argument[7].scalar};
    uint64_t radius = radius_at(lens, depths[slot]);
    unsigned got = ((const unsigned *)argument->got)[slot];
    if (explain_nothing(text, argument, slot))
        return;
    suite_add(text, "depth %u, focus %u, strength %u, most %u: the radius is %llu\n", depths[slot],
              lens.focus, lens.strength, lens.most, (unsigned long long)radius);
    const char *mistake = radius_mistake(slot, got, lens, depths[slot]);
    if (mistake)
        suite_add(text, "%s\n", mistake);
    else if (!explain_radius(text, slot, got))
        explain_mean(text, slot, got, radius);
}

#endif
