/* suite_shape.c: sizes of cases and positions in arrays, for labs of images and for others; and the threads that come late. */
#include "suite_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_BITS = 32 /* the lower bits of a size_t are the columns */ };

size_t suite_shape(size_t rows, size_t columns)
{
    return rows << SHAPE_BITS | columns;
}

size_t suite_rows(size_t n)
{
    return suite_lab->images ? n >> SHAPE_BITS : 1;
}

size_t suite_columns(size_t n)
{
    return suite_lab->images ? n & (((size_t)1 << SHAPE_BITS) - 1) : n;
}

size_t suite_elements(size_t n)
{
    return suite_rows(n) * suite_columns(n);
}

bool suite_is_sampled(const struct suite_case *is)
{
    const size_t longest_real = (size_t)1 << 30;
    return !suite_options.on_cuda &&
           (suite_elements(is->n) > longest_real || (is->n > 0 && is->n == is->part->most));
}

bool suite_parse_shape(const char *text, size_t *n)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long long rows = strtoull(text, &end, 10);
    if (*end != 'x' || end[1] < '0' || end[1] > '9')
        return false;
    unsigned long long columns = strtoull(end + 1, &end, 10);
    if (*end || rows >> SHAPE_BITS || columns >> SHAPE_BITS)
        return false;
    *n = suite_shape((size_t)rows, (size_t)columns);
    return true;
}

void suite_add_size(struct suite_text *text, size_t n)
{
    if (suite_lab->images)
        suite_add(text, "%zux%zu", suite_rows(n), suite_columns(n));
    else
        suite_add(text, "%zu", n);
}

bool suite_is_image(const struct suite_call *call, const struct suite_argument *argument)
{
    return suite_lab->images && argument->count == suite_elements(call->is.n);
}

void suite_add_position(struct suite_text *text, const struct suite_call *call,
                        const struct suite_argument *argument, size_t slot)
{
    size_t columns = suite_columns(call->is.n);
    if (suite_is_image(call, argument))
        suite_add(text, "row %zu, column %zu", slot / columns, slot % columns);
    else
        suite_add(text, "slot %zu", slot);
}

/* ---- threads that come late ---------------------------------------------------------------------------- */

enum { AXES = 3 };

static void add_index(struct suite_text *text, const uint32_t index[AXES])
{
    const unsigned axes = index[2] > 0 ? 3 : index[1] > 0 ? 2 : 1;
    for (unsigned i = 0; i < axes; i++)
        suite_add(text, i == 0 ? ":%u" : ",%u", (unsigned)index[i]);
}

void suite_add_late(struct suite_text *text, const struct simt_late *late)
{
    suite_add(text, "%d", late->line);
    if (late->one_thread)
        add_index(text, late->thread);
    if (late->one_block && (late->block[0] || late->block[1] || late->block[2]))
        add_index(text, late->block);
    if (late->stores)
        suite_add(text, ":stores");
}

static bool read_number(const char **word, uint32_t *number)
{
    char *end;
    if (!strchr("0123456789", **word) || !**word)
        return false;
    *number = (uint32_t)strtoul(*word, &end, 10);
    *word = end;
    return true;
}

/* Reads an index written as ":x", ":x,y" or ":x,y,z". Returns false if the text is none of these. */
static bool read_index(const char **word, uint32_t index[AXES])
{
    const char *begin = *word;
    if (*begin++ != ':' || !read_number(&begin, &index[0]))
        return false;
    for (unsigned i = 1; i < AXES && *begin == ','; i++) {
        begin++;
        if (!read_number(&begin, &index[i]))
            return false;
    }
    *word = begin;
    return true;
}

bool suite_parse_late(const char *word, struct simt_late *late)
{
    uint32_t line;
    *late = (struct simt_late){0};
    if (!read_number(&word, &line) || line == 0 || line > INT32_MAX)
        return false;
    late->line = (int)line;
    late->one_thread = late->one_block = read_index(&word, late->thread);
    if (late->one_thread)
        read_index(&word, late->block);
    late->stores = strcmp(word, ":stores") == 0;
    return late->stores || !*word;
}
