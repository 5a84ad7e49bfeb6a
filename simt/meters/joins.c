/* Meter `joins`: the number of different results that kernels made by joining two parts. It proves that work was
 * done: a combine with an empty operand, or with a result that was made before, does not count. */
#include "core/observer.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 /* a power of two */ };

/* The results so far: a hash table with open addressing, at most half full. 0 has no slot. */
static uint64_t *slots;
static size_t size, used;
static bool zero_made;

static uint64_t *find(uint64_t made)
{
    size_t at = (made * 0x9e3779b97f4a7c15u >> 32) & (size - 1);
    while (slots[at] && slots[at] != made)
        at = (at + 1) & (size - 1);
    return &slots[at];
}

static void make_room(void)
{
    uint64_t *const old = slots;
    const size_t old_size = size;
    size = size ? 2 * size : FIRST_SLOTS;
    slots = calloc(size, sizeof *slots);
    if (!slots)
        abort(); /* a meter must not lose counts */
    for (size_t i = 0; i < old_size; i++)
        if (old[i])
            *find(old[i]) = old[i];
    free(old);
}

static void begin_run(void)
{
    free(slots); /* so that a short run after a long one does not handle a large table */
    slots = NULL;
    size = used = 0;
    zero_made = false;
}

static void join(uint64_t made)
{
    if (made == 0) {
        zero_made = true;
        return;
    }
    if (2 * used >= size)
        make_room();
    uint64_t *slot = find(made);
    used += *slot == 0;
    *slot = made;
}

static uint64_t value(void)
{
    return used + zero_made;
}

const struct observer joins_observer = {.name = "joins",
                                        .meter = "joins",
                                        .value = value,
                                        .detailed = true,
                                        .of_sharing = true,
                                        .begin_run = begin_run,
                                        .join = join};

/* Called by combine() in the labs' monoid.h, for monoids whose values show which elements they were made from. */
void simt_count_join(uint64_t made)
{
    if (current_thread)
        observe_join(made);
}
