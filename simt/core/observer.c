#include "core/observer.h"
#include "core/judge.h"
#include "core/late.h"
#include "core/sampler.h"
#include "core/settings.h"
#include "simt.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OBSERVERS = 64 };

static const struct observer *const *observers; /* [count]: all observers */
static size_t count;

/* The active observers, ended by null, and the hooks of the three most frequent events. */
static const struct observer *active[MOST_OBSERVERS + 1];
void (*observe_access_table[MOST_OBSERVERS + 1])(const struct access *);
size_t observe_access_count;
static void (*combine_table[MOST_OBSERVERS + 1])(const void *site);
static void (*join_table[MOST_OBSERVERS + 1])(const struct join *);

static bool detailed, sharing, checks = true;
const struct sampler *sampler;
const struct judge *judge;

void observers_register(const struct observer *const table[], size_t observers_count)
{
    observers = table;
    count = observers_count;
    if (count > MOST_OBSERVERS)
        abort();
}

void observers_activate(void)
{
    size_t used = 0, accesses = 0, combines = 0, joins = 0;
    for (size_t i = 0; i < count; i++) {
        const bool on = !sampler &&
                        (detailed || !observers[i]->detailed || (sharing && observers[i]->of_sharing)) &&
                        (checks || !observers[i]->check) && (!observers[i]->wanted || observers[i]->wanted());
        if (observers[i]->enable)
            observers[i]->enable(on);
        if (!on)
            continue;
        active[used++] = observers[i];
        if (observers[i]->access)
            observe_access_table[accesses++] = observers[i]->access;
        if (observers[i]->combine)
            combine_table[combines++] = observers[i]->combine;
        if (observers[i]->join)
            join_table[joins++] = observers[i]->join;
    }
    active[used] = NULL;
    observe_access_table[accesses] = NULL;
    observe_access_count =
        accesses + (late_watches ? MOST_OBSERVERS : 0); /* so checks/plain.c takes no access */
    combine_table[combines] = NULL;
    join_table[joins] = NULL;
}

static __attribute__((constructor)) void begin(void)
{
    checks = setting_is_on("SIMT_CHECKS", true);
    observers_activate();
}

void simt_measure(bool on)
{
    detailed = on;
    observers_activate();
}

void simt_measure_sharing(bool on)
{
    sharing = on;
    observers_activate();
}

void simt_check(bool on)
{
    checks = on;
    observers_activate();
}

#define TELL(hook, ...)                                                                                      \
    for (size_t i = 0; active[i]; i++) {                                                                     \
        if (active[i]->hook)                                                                                 \
            active[i]->hook(__VA_ARGS__);                                                                    \
    }

void observe_begin_run(void)
{
    TELL(begin_run)
}

void observe_begin_launch(const struct launch *launch)
{
    TELL(begin_launch, launch)
}

void observe_end_launch(const struct launch *launch, bool faulted)
{
    TELL(end_launch, launch, faulted)
}

void observe_begin_block(const struct block *block)
{
    TELL(begin_block, block)
}

void observe_end_block(const struct block *block)
{
    TELL(end_block, block)
}

void observe_swap(const struct access *access)
{
    TELL(swap, access)
}

void observe_turn(const struct block *block)
{
    TELL(turn, block)
}

void observe_leave(const struct block *block)
{
    TELL(leave, block)
}

void observe_grid(void)
{
    TELL(grid)
}

void observe_barrier(const struct block *block)
{
    TELL(barrier, block)
}

void observe_warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation)
{
    TELL(warp, first, mask, arrived, operation)
}

void observe_combine(const void *site)
{
    for (size_t i = 0; combine_table[i]; i++)
        combine_table[i](site);
}

void observe_join(const struct join *join)
{
    for (size_t i = 0; join_table[i]; i++)
        join_table[i](join);
}

void observe_host(const void *address, size_t bytes, unsigned kind, const void *site)
{
    TELL(host, address, bytes, kind, site)
}

void observe_fence(const struct thread *thread, int scope, int order)
{
    TELL(fence, thread, scope, order)
}

void observe_allocate(const struct region *region)
{
    TELL(allocate, region)
}

void observe_release(const struct region *region)
{
    TELL(release, region)
}

void observe_release_queued(const struct region *region, void *stream, const void *site)
{
    TELL(release_queued, region, stream, site)
}

void observe_copy(const struct copy *copy){TELL(copy, copy)}

size_t simt_meter_count(void)
{
    size_t count = 0;
    for (size_t i = 0; active[i]; i++)
        count += active[i]->meter != NULL;
    return count;
}

struct simt_meter simt_meter_at(size_t at)
{
    for (size_t i = 0; active[i]; i++) {
        if (active[i]->meter && at-- == 0)
            return (struct simt_meter){active[i]->meter, active[i]->value()};
    }
    return (struct simt_meter){"", 0};
}
