/* turns.h: how the threads of a block take turns. schedule.c decides which block runs. Internal to the scheduler. */
#ifndef SIMT_TURNS_H
#define SIMT_TURNS_H

#include "core/launch.h"

/* The running launch, as schedule.c and turns.c see it. */
extern struct running {
    kernel_body *body;
    void *arguments;
    unsigned resident_limit; /* blocks */
    unsigned grid_waiting;   /* threads at the grid's barrier */
    uint64_t yields;         /* yields in the launch so far */
    bool watched;            /* the checks are watching what the kernel polls for */
    struct block *held;      /* block with threads that wait until no other can go on: hold.h; or null */
    bool late;               /* threads wait at a late line: late.h */
    bool has_held;           /* a block is held, or was held before */
    uint64_t held_number;    /* number of that block */
    uint64_t held_at;        /* yields before it was held */
    struct {                 /* state at the last yield */
        const struct thread *thread; /* null: a thread has waited since then */
        uint64_t progress;
        int64_t budget, of_turn; /* budget_left and budget_of_turn */
    } yielded;
    int abandoned; /* error that ended the launch, or 0 */
    bool dropped;  /* the running block of a sampled run has been given up */
} running;

/* The next thread after `from` in the ring that can run; null when none can. */
static inline struct thread *thread_next_ready(const struct thread *from)
{
    struct thread *thread = from->next;
    while (!thread_is_ready(thread)) {
        if (thread == from)
            return NULL;
        thread = thread->next;
    }
    return thread;
}

/* Runs the threads of a block, beginning with `first`, until none can continue or another block should have its
 * turn. */
void threads_run(struct thread *first);

#endif
