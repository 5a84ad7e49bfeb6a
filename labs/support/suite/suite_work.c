/* suite_work.c: the first right call of each part that made more combines than the bound allows, at any length of any test.
 * Code may do its extra work at lengths that are rarely drawn, and counting combines costs nothing. */
#include "suite_internal.h"
#include <string.h>

enum {
    WARP = 32,
    IDLE = 2 * WARP /* threads of the last warps that may do useless work */
};

static struct {
    const struct suite_part *part;
    struct suite_case is;
} costly;

size_t suite_judged_length(const struct suite_case *is)
{
    size_t n = is->n;
    if (!suite_lab->images && !is->part->powers_of_two)
        n = (n + IDLE - 1) / IDLE * IDLE;
    return is->part->lengths.tiles > 0 ? suite_most_of(is->part, n, 1) : n;
}

void suite_note_work(const struct suite_call *call)
{
    const struct suite_case *is = &call->is;
    const struct suite_bound *bound = is->part->bounds;
    uint64_t combines;
    /* Of other parts, the work may depend on the input. */
    if (costly.part == is->part || !suite_proves(suite_telling_monoid(is->part)) || suite_lab->images ||
        is->n < WARP || is->tile != SUITE_TILE || !suite_meter(call, "combines", &combines))
        return;
    for (; bound && bound->meter; bound++)
        if (strcmp(bound->meter, "combines") == 0 && combines > bound->most(suite_judged_length(is))) {
            costly.part = is->part;
            costly.is = *is;
        }
}

const struct suite_case *suite_noted_work(const struct suite_part *part)
{
    return costly.part == part ? &costly.is : NULL;
}
