/* Meters of an algorithm's cost: `combines`, its work; `barriers`, the number of block barriers passed, summed over
 * the blocks; `launches`, the number of kernels launched; and `blocks`, the number of blocks in all launches. */
#include "core/observer.h"

static uint64_t combines, barriers, launches, blocks;

static void begin_run(void)
{
    combines = barriers = launches = blocks = 0;
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

/* A stock function of the harness runs as kernels that do not count as the student's. */
static void count_launch(const struct launch *launch)
{
    launches += !launch->harness;
    blocks += launch->harness ? 0 : launch->grid_blocks;
}

static uint64_t combines_value(void)
{
    return combines;
}

static uint64_t barriers_value(void)
{
    return barriers;
}

static uint64_t launches_value(void)
{
    return launches;
}

static uint64_t blocks_value(void)
{
    return blocks;
}

const struct observer work_observer = {.name = "work",
                                       .meter = "combines",
                                       .value = combines_value,
                                       .begin_run = begin_run,
                                       .combine = count_combine};

const struct observer barrier_meter_observer = {
    .name = "barriers", .meter = "barriers", .value = barriers_value, .barrier = count_barrier};

const struct observer launches_meter_observer = {
    .name = "launches", .meter = "launches", .value = launches_value, .begin_launch = count_launch};

const struct observer blocks_meter_observer = {.name = "blocks", .meter = "blocks", .value = blocks_value};

/* Called by combine() in the labs' monoid.h. Only calls in kernels are the algorithm's work. */
void simt_count_combine(void)
{
    if (current_thread)
        observe_combine(__builtin_return_address(0));
}
