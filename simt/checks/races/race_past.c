/* race_past.c: gcc's check of subscripts lets an index pass that is equal to the array's length where a struct is
 * copied, and it cannot check a pointer to the array. Such an access reaches the next array in shared memory and races
 * with the accesses to that array. The source line of the access shows which array was meant. */
#include "checks/races/race_past.h"
#include "core/memory.h"
#include "report/source.h"

#include <stdio.h>

enum { GAP = 64 /* bytes between two variables, at most, by their alignment */ };

/* The array that ends where this one begins. */
static bool array_before(const struct source_extent *array, struct source_extent *before)
{
    struct region *region;
    for (ptrdiff_t gap = 1; gap <= GAP; gap++) {
        const char *address = array->begin - gap;
        if (memory_classify(address, &region) != MEMORY_SHARED)
            return false;
        if (source_extent(address, before))
            return before->dimensions == 1 && before->begin + before->bytes <= array->begin;
    }
    return false;
}

bool race_past_array(const char *address, const void *site, unsigned thread, struct race_past *past)
{
    struct source_extent array, meant;
    struct region *region;
    if (memory_classify(address, &region) != MEMORY_SHARED || !source_extent(address, &array) ||
        array.begin + array.bytes <= address || source_mentions(site, array.name) ||
        !array_before(&array, &meant))
        return false;
    const size_t offset = (size_t)(address - meant.begin), index = offset / meant.element;
    past->is_of_thread = index == thread;
    if (!past->is_of_thread && !source_mentions(site, meant.name))
        return false;
    past->length = meant.bytes / meant.element;
    snprintf(past->array, sizeof past->array, "%s", meant.name);
    snprintf(past->element, sizeof past->element, "%.63s[%zu]", meant.name, index);
    return true;
}
