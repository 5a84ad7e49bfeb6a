/* budget.h: the work that a call or a launch executes, and how much it may. Internal.
 *
 * Executed work decides whether code ends: it is the same on every machine, however busy that is. The unit is the instruction:
 * each basic block of translated code counts those that it has (core/blocks.h), and what the device does for the code counts as
 * many as stated here. */
#ifndef SIMT_BUDGET_H
#define SIMT_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BUDGET_BYTES = 16,  /* bytes that are copied, filled, read or written by one call, for each instruction */
    BUDGET_OF_LOOK = 8, /* instructions that an access counts which the device has to look at more closely, */
    BUDGET_OF_YIELD = 16,    /* a volatile or atomic one, */
    BUDGET_OF_CALL = 64,     /* a function of the runtime, */
    BUDGET_OF_LAUNCH = 2048, /* a launch, */
    BUDGET_OF_BLOCK = 64,    /* each of its blocks, */
    BUDGET_OF_THREAD = 8,    /* and each of their threads */
    BUDGET_OF_POLL = 256,  /* instructions of one turn of a loop that waits, at most: such a turn is free, */
    BUDGET_POLLS = 1 << 27 /* unless there were as many before it */
};

/* What is left. Below 0, the next basic block calls budget_spent. */
extern int64_t budget_left;

/* So many turns of loops that wait are still free. */
extern uint64_t budget_free_polls;

/* True under simt_call: host code spends, too. */
extern bool host_in_call;

/* Is called with the instructions of each basic block; null: no meter asks for them. */
extern void (*budget_meter)(unsigned instructions);

/* Ends the code at this site, or gives it more and returns. */
void budget_spent(const void *site);

static inline void budget_spend(uint64_t instructions)
{
    budget_left -= (int64_t)(instructions < INT64_MAX / 2 ? instructions : INT64_MAX / 2);
}

static inline void budget_spend_bytes(size_t bytes)
{
    budget_spend(bytes / BUDGET_BYTES);
}

#endif
