/* Meters of an algorithm's cost: `combines`, its work, and `barriers`, the block barriers passed, summed
 * over blocks. */
#include "core/observer.h"

static uint64_t combines, barriers;

static void begin_run(void)
{
    combines = barriers = 0;
}

static void count_combine(const void *site)
{
    (void)site;
    combines++;
}

static void count_barrier(const struct block *block)
{
    (void)block;
    barriers++;
}

static uint64_t combines_value(void)
{
    return combines;
}

static uint64_t barriers_value(void)
{
    return barriers;
}

const struct observer work_observer = {.name = "work",
                                       .meter = "combines",
                                       .value = combines_value,
                                       .begin_run = begin_run,
                                       .combine = count_combine};

const struct observer barrier_meter_observer = {
    .name = "barriers", .meter = "barriers", .value = barriers_value, .barrier = count_barrier};

/* Called by combine() in the labs' monoid.h; only a kernel's calls are an algorithm's work. */
void simt_count_combine(void)
{
    if (current_thread)
        observe_combine(__builtin_return_address(0));
}
