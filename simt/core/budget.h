/* budget.h: counts the work that a call or a launch executes, and limits it. Internal.
 *
 * The amount of executed work decides whether code is endless: unlike time, it is the same on every machine,
 * however busy. The unit is the instruction. Each basic block of translated code counts its instructions
 * (core/blocks.h), and the constants below say how many the device's own work counts as. */
#ifndef SIMT_BUDGET_H
#define SIMT_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BUDGET_BYTES = 16, /* bytes copied, filled, read or written by one call that count as one instruction */
    BUDGET_OF_OUTPUT = 256,  /* instructions for a printed byte: a pipe and its reader have work with each, */
    BUDGET_OF_LOOK = 8,      /* for an access that the device has to check more closely, */
    BUDGET_OF_YIELD = 128,   /* for a volatile or atomic access, */
    BUDGET_OF_RECORD = 8,    /* for an earlier access with which the race check compares one, */
    BUDGET_OF_CALL = 64,     /* for a call of a runtime function, */
    BUDGET_OF_LIBRARY = 128, /* for one of C's library that the device does not provide, */
    BUDGET_OF_THROW = 4096,  /* for an exception, */
    BUDGET_OF_HANDLE = 4096, /* for a stream or an event that is created, */
    BUDGET_OF_LAUNCH = 2048, /* for a launch, */
    BUDGET_OF_BLOCK = 64,    /* for each block of the launch, */
    BUDGET_OF_THREAD = 8,    /* and for each thread of a block */
    BUDGET_OF_POLL = 1024,   /* A turn of a waiting loop with at most this many instructions is free, */
    BUDGET_POLLS = 1 << 22   /* up to this number of free turns. */
};

/* The instructions that are left. When it is below 0, the next basic block calls budget_spent. */
extern int64_t budget_left;

/* The part of budget_left that the running thread had when its turn began, less what the device itself has spent since
 * then. The difference from budget_left is what the thread has executed in this turn. */
extern int64_t budget_of_turn;

/* What the threads of kernels that returned have executed since the counting began. Kernels of the harness are not
 * counted. */
extern struct thread_work {
    uint64_t all;
    uint64_t busiest; /* the maximum of any thread in a launch, summed over the launches that ended */
    uint32_t busiest_of_launch; /* in the running launch */
} thread_work;

/* The number of turns of waiting loops that are still free. */
extern uint64_t budget_free_polls;

/* True inside simt_call: then host code spends the budget, too. */
extern bool host_in_call;

/* From now on, `meter` is called with the number of instructions of each basic block that is executed; null for none. */
void budget_set_meter(void (*meter)(unsigned instructions));

/* To be called when this host thread runs no kernel any more, or host_in_call becomes false. */
void budget_stop_counting(void);

/* Ends the code at this site, or grants more instructions and returns. */
void budget_spent(const void *site);

/* Ends the code at this site if the budget is spent. To be called before work that would take long. */
void budget_check(const void *site);

static inline void budget_spend(uint64_t instructions)
{
    const int64_t spent = (int64_t)(instructions < INT64_MAX / 2 ? instructions : INT64_MAX / 2);
    budget_left -= spent;
    budget_of_turn -= spent;
}

/* What the device does for its callers, as far as its cost grows with a number of bytes. */
enum budget_work { BUDGET_ALLOCATES, BUDGET_PRINTS, BUDGET_COPIES /* or fills */, BUDGET_WORKS };

/* What it has done so far in this call, or launch. */
extern struct budget_worked {
    uint64_t instructions, bytes, times;
} budget_worked[BUDGET_WORKS];

static inline void budget_spend_for(enum budget_work work, size_t bytes, uint64_t instructions)
{
    struct budget_worked *worked = &budget_worked[work];
    worked->instructions += instructions;
    worked->bytes += bytes;
    worked->times++;
    budget_spend(instructions);
}

/* An allocated byte counts more than a copied one, because its page is made, filled and later freed. */
static inline void budget_spend_allocated(size_t bytes)
{
    budget_spend_for(BUDGET_ALLOCATES, bytes, bytes);
}

static inline void budget_spend_printed(size_t bytes)
{
    budget_spend_for(BUDGET_PRINTS, bytes, (uint64_t)bytes * BUDGET_OF_OUTPUT);
}

static inline void budget_spend_copied(size_t bytes)
{
    budget_spend_for(BUDGET_COPIES, bytes, bytes / BUDGET_BYTES);
}

#endif
