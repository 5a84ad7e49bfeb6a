/* schedule.h: the scheduler: starts blocks, and switches between threads. Internal. */
#ifndef SIMT_CORE_SCHEDULE_H
#define SIMT_CORE_SCHEDULE_H

#include "core/launch.h"

/* Runs all blocks of a launch. Returns 0, or the error of the fault that ended it. */
int schedule_run(struct launch *launch, kernel_body *body, void *arguments);

/* Threads that have returned since the process began. */
extern uint64_t schedule_returned;

/* When every block that can run polls in vain (judge->polls_in_vain): reports a deadlock and returns true. */
bool schedule_judge_polling(void);

/* Lets other threads run: called before every volatile or atomic access. */
void schedule_yield(const void *site);

/* Counts changes that another thread may wait for: whoever makes one adds 1. */
extern uint64_t schedule_progress;

/* Waits for all unfinished threads of the block. */
struct barrier_result {
    unsigned true_count; /* threads whose predicate was not 0 */
    unsigned arrived;    /* threads that came to it */
};
struct barrier_result schedule_barrier(const void *site, int predicate);

/* So many barriers, between which no thread does anything. All threads that come to them give the same number. */
void schedule_barriers(const void *site, unsigned times);

/* Waits for all threads of the grid; only in cooperative launches. */
void schedule_grid_barrier(const void *site);

/* Blocks the current thread in `state` until schedule_wake. */
void schedule_wait(enum thread_state state, const void *site);
void schedule_wake(struct thread *thread);

/* Ends the current block, called by one of its threads. Only in sampled runs, which do not judge results. */
_Noreturn void schedule_drop(void);

/* Ends the current launch with this error, called by one of its threads. */
_Noreturn void schedule_abandon(int error);

#endif
