/* race_order.h: what happens before what, by all that CUDA promises: launches, barriers, and vector clocks. Internal. */
#ifndef SIMT_RACE_ORDER_H
#define SIMT_RACE_ORDER_H

#include "checks/races/races.h"

/* Is it an identity of a block of the running launch? */
static inline bool race_in_launch(uint32_t identity)
{
    return identity - race_launch.first < race_launch.blocks;
}

/* Does an access of this identity and epoch (`key`), at this count of its thread (`clock`), happen before what the actor does
 * now? A quick answer that does not look into vector clocks. */
bool race_is_past(const struct race_actor *actor, uint64_t key, uint32_t clock);

/* The same of all lanes of the record. */
bool race_record_is_past(const struct race_actor *actor, const struct record *record);

/* How the access is ordered with what the actor does now. */
enum order race_order(const struct race_actor *actor, uint64_t key, uint32_t clock);

/* Of all lanes of the record; *lane is one that is not before. */
enum order race_record_order(const struct race_actor *actor, const struct record *record, unsigned *lane);

#endif
