#include "checks/races/race_order.h"
#include "core/timeline.h"

bool race_is_past(const struct race_actor *actor, uint64_t key, uint32_t clock)
{
    const uint32_t identity = (uint32_t)(key >> 32);
    if (key < actor->floor)
        return true;
    if (identity == actor->key >> 32)
        return key != actor->key || !actor->thread || clock_thread(clock) == actor->thread->number;
    if (actor->shared)
        return true;
    if (actor->host)
        return timeline_happened_before_host(identity);
    if (actor->thread && race_in_launch(identity))
        return (uint32_t)key < race_launch.epoch;
    return timeline_happened_before(identity);
}

enum order race_order(const struct race_actor *actor, uint64_t key, uint32_t clock)
{
    if (race_is_past(actor, key, clock))
        return ORDER_BEFORE;
    const uint32_t identity = (uint32_t)(key >> 32);
    if (!actor->thread || !race_launch.fences || !race_in_launch(identity)) {
        if (!actor->thread || !actor->thread->vc || identity != actor->key >> 32)
            return ORDER_NONE;
    }
    return vector_clock_order(actor->thread, identity - race_launch.first, (uint32_t)key, clock);
}

enum order race_record_order(const struct race_actor *actor, const struct record *record, unsigned *lane)
{
    enum order order = ORDER_BEFORE;
    for (uint32_t left = record->lanes; left && order != ORDER_NONE; left &= left - 1) {
        unsigned one = (unsigned)__builtin_ctz(left);
        enum order of_one = race_order(actor, record->key, record_clock(record, one));
        if (of_one < order) {
            order = of_one;
            *lane = one;
        }
    }
    return order;
}

bool race_record_is_past(const struct race_actor *actor, const struct record *record)
{
    for (uint32_t left = record->lanes; left; left &= left - 1) {
        if (!race_is_past(actor, record->key, record_clock(record, (unsigned)__builtin_ctz(left))))
            return false;
    }
    return true;
}
