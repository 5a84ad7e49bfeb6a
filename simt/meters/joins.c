/* Meters of what combine() made, by values that show their parts.
 *     joins                     the number of different results that kernels made by joining two parts. It proves that
 *                               work was done: a combine with an empty operand, or with a result that was made before,
 *                               does not count
 *     operands made elsewhere   the number of different operands that have several parts although no call of combine()
 *                               made them: inputs that were combined before the run, or the work of another operator,
 *                               which no meter counts */
#include "core/observer.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024 /* a power of two */ };

/* A hash table with open addressing, at most half full. 0 has no slot. */
struct set {
    uint64_t *slots;
    size_t size, used;
    bool has_zero;
};

static struct set made_by_kernels, known;
static uint64_t made_elsewhere;

static uint64_t *find(const struct set *set, uint64_t value)
{
    size_t at = (value * 0x9e3779b97f4a7c15u >> 32) & (set->size - 1);
    while (set->slots[at] && set->slots[at] != value)
        at = (at + 1) & (set->size - 1);
    return &set->slots[at];
}

static void make_room(struct set *set)
{
    const struct set old = *set;
    set->size = old.size ? 2 * old.size : FIRST_SLOTS;
    set->slots = calloc(set->size, sizeof *set->slots);
    if (!set->slots)
        abort(); /* a meter must not lose counts */
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i])
            *find(set, old.slots[i]) = old.slots[i];
    free(old.slots);
}

/* Returns true if the set did not have the value. */
static bool add(struct set *set, uint64_t value)
{
    if (value == 0) {
        const bool is_new = !set->has_zero;
        set->has_zero = true;
        return is_new;
    }
    if (2 * set->used >= set->size)
        make_room(set);
    uint64_t *slot = find(set, value);
    const bool is_new = *slot == 0;
    set->used += is_new;
    *slot = value;
    return is_new;
}

/* Frees the tables, so that a short run after a long one does not handle large ones. */
static void begin_run(void)
{
    free(made_by_kernels.slots);
    free(known.slots);
    made_by_kernels = known = (struct set){0};
    made_elsewhere = 0;
}

static void join(const struct join *join)
{
    for (size_t i = 0; i < 2; i++)
        if (join->of[i] != UINT64_MAX)
            made_elsewhere += add(&known, join->of[i]);
    add(&known, join->made);
    if (current_thread)
        add(&made_by_kernels, join->made);
}

static uint64_t joins(void)
{
    return made_by_kernels.used + made_by_kernels.has_zero;
}

static uint64_t elsewhere(void)
{
    return made_elsewhere;
}

const struct observer joins_observer = {.name = "joins",
                                        .meter = "joins",
                                        .value = joins,
                                        .detailed = true,
                                        .of_sharing = true,
                                        .begin_run = begin_run,
                                        .join = join};
const struct observer elsewhere_observer = {.name = "elsewhere",
                                            .meter = "operands made elsewhere",
                                            .value = elsewhere,
                                            .detailed = true,
                                            .of_sharing = true};

/* Called by combine() in the labs' monoid.h, for monoids whose values show which elements they were made from. */
void simt_count_join(uint64_t left, uint64_t right, uint64_t made)
{
    observe_join(&(struct join){{left, right}, made});
}
