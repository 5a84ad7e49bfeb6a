/* race_order.h: the happens-before order, from all of CUDA's guarantees: launches, barriers and vector clocks.
 * Internal. */
#ifndef SIMT_RACE_ORDER_H
#define SIMT_RACE_ORDER_H

#include "checks/races/races.h"

/* Is this the identity of a block of the running launch? */
static inline bool race_in_launch(uint32_t identity)
{
    return identity - race_launch.first < race_launch.blocks;
}

/* Does an access with this identity and epoch (`key`), at this clock of its thread (`clock`), happen before what
 * the actor does now? A quick answer that does not use vector clocks. */
bool race_is_past(const struct race_actor *actor, uint64_t key, uint32_t clock);

/* The same for all lanes of the record. */
bool race_record_is_past(const struct race_actor *actor, const struct record *record);

/* The order between the access and what the actor does now. */
enum order race_order(const struct race_actor *actor, uint64_t key, uint32_t clock);

/* The same for all lanes of the record; *lane is set to one that is not ordered before. */
enum order race_record_order(const struct race_actor *actor, const struct record *record, unsigned *lane);

#endif
