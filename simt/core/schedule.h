/* schedule.h: the scheduler, which starts blocks and switches between threads. Internal. */
#ifndef SIMT_CORE_SCHEDULE_H
#define SIMT_CORE_SCHEDULE_H

#include "core/launch.h"

/* Runs all blocks of a launch. Returns 0, or the error of the fault that ended it. */
int schedule_run(struct launch *launch, kernel_body *body, void *arguments);

/* Threads that have returned since the process began. */
extern uint64_t schedule_returned;

/* If every block that can run polls in vain (judge->polls_in_vain), reports a deadlock and returns true. */
bool schedule_judge_polling(void);

/* Lets other threads run: called before every volatile or atomic access. */
void schedule_yield(const void *site);

/* Makes the current thread, and so its block, wait until no other thread can go on. Does nothing if the launch has held up
 * another block, or this one before. */
void schedule_hold(const void *site);

/* Makes the current thread wait until no other thread can go on. */
void schedule_come_late(const void *site);

/* Whether the launch has held up a block, the number of that block, and whether it is held now. */
struct held {
    bool ever, now;
    uint64_t block;
};
struct held schedule_held(void);

/* Counts the changes that another thread may wait for. Code that makes such a change adds 1. */
extern uint64_t schedule_progress;

/* Waits for all unfinished threads of the block. */
struct barrier_result {
    unsigned true_count; /* threads whose predicate was not 0 */
    unsigned arrived;    /* threads that arrived at the barrier */
};
struct barrier_result schedule_barrier(const void *site, int predicate);

/* The same without a result: the most frequent call of all. */
void schedule_block_barrier(const void *site);

/* The same as this many barriers between which no thread does anything. All threads must pass the same number. */
void schedule_barriers(const void *site, unsigned times);

/* Waits for all threads of the grid. Only in cooperative launches. */
void schedule_grid_barrier(const void *site);

/* Blocks the current thread in `state` until schedule_wake. */
void schedule_wait(enum thread_state state, const void *site);
void schedule_wake(struct thread *thread);

/* Ends the current block; called by one of its threads. Only in sampled runs, which do not check results. */
_Noreturn void schedule_drop(void);

/* Ends the current launch with this error; called by one of its threads. */
_Noreturn void schedule_abandon(int error);

#endif
