/* Meter `joins`: how many different results were joined from two parts in kernels. A combine of an empty operand, or
 * one that makes what was made before, proves no work; these do. */
#include "meters/address_counts.h"

static struct address_counts made_before;
static uint64_t joins;

static void begin_run(void)
{
    joins = 0;
    address_counts_clear(&made_before);
}

static void join(uint64_t made)
{
    uint64_t *times = address_counts_at(
        &made_before, &(struct access){.address = (char *)(uintptr_t)made, .space = MEMORY_GLOBAL});
    joins += *times == 0;
    *times = 1;
}

static uint64_t value(void)
{
    return joins;
}

const struct observer joins_observer = {.name = "joins",
                                        .meter = "joins",
                                        .value = value,
                                        .detailed = true,
                                        .of_sharing = true,
                                        .begin_run = begin_run,
                                        .join = join};

/* Called by combine() in the labs' monoid.h, for monoids whose values tell what they are made of. */
void simt_count_join(uint64_t made)
{
    if (current_thread)
        observe_join(made);
}
