/* suite_lengths.c: the lengths of a list and a range that a part is tested with, with and without elements. */
#include "suite_internal.h"

/* Resolves TILES(...) in an entry of a list. In a shape only the columns may contain it. */
static size_t resolve(size_t listed)
{
    const size_t mark = (size_t)1 << 31, low = ((size_t)1 << 32) - 1;
    if (!(listed & mark))
        return listed;
    size_t count = listed >> 16 & 0x7FFF, more = listed & 0xFFFF;
    return (listed & ~low) | (count * suite_tile() + more - (1 << 15));
}

/* The smallest length in a list from `least` to `most`. Returns false when there is none. */
static bool next_length(const struct suite_lengths *lengths, size_t least, size_t most, size_t *n)
{
    bool found = false;
    for (size_t i = 0; i < lengths->count; i++) {
        size_t length = resolve(lengths->list[i]);
        if (length >= least && length <= most && (!found || length < *n)) {
            *n = length;
            found = true;
        }
    }
    return found;
}

/* The i-th of a list's lengths that are empty, or are not, in the order of the list. */
static bool find_shape(const struct suite_lengths *lengths, bool empty, size_t i, size_t *n)
{
    for (size_t k = 0; k < lengths->count; k++) {
        *n = resolve(lengths->list[k]);
        if ((suite_elements(*n) == 0) == empty && i-- == 0)
            return true;
    }
    return false;
}

bool suite_empty_length(const struct suite_lengths *lengths, size_t i, size_t *n)
{
    return find_shape(lengths, true, i, n);
}

bool suite_length(const struct suite_lengths *lengths, size_t i, size_t *n)
{
    if (suite_lab->images)
        return find_shape(lengths, false, i, n);
    size_t most = lengths->tiles ? lengths->tiles * suite_tile() : SIZE_MAX;
    size_t to = lengths->to < most ? lengths->to : most;
    size_t range = to >= lengths->from ? to - lengths->from + 1 : 0, least = range > 0 ? to + 1 : 1;
    if (i < range) {
        *n = lengths->from + i;
        return true;
    }
    for (i -= range; next_length(lengths, least, most, n); i--) {
        if (i == 0)
            return true;
        least = *n + 1;
    }
    return false;
}

size_t suite_most_of(const struct suite_part *part, size_t most, size_t share)
{
    const size_t allowed =
        part->lengths.tiles > 0 ? part->lengths.tiles * suite_tile() : part->longest / share;
    return allowed > 0 && allowed < most ? allowed : most;
}
