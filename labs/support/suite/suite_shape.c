/* suite_shape.c: sizes of cases and positions in arrays, for labs of images and for others. */
#include "suite_internal.h"
#include <stdio.h>
#include <stdlib.h>

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
