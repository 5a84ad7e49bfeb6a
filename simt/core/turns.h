/* turns.h: how the threads of a block take turns. Which block runs, schedule.c decides. Internal to the scheduler. */
#ifndef SIMT_TURNS_H
#define SIMT_TURNS_H

#include "core/launch.h"

/* The launch that runs, as both files keep it. */
extern struct running {
    kernel_body *body;
    void *arguments;
    unsigned resident_limit;         /* blocks */
    unsigned grid_waiting;           /* threads at the grid's barrier */
    uint64_t yields;                 /* of the launch so far */
    bool watched;                    /* the checks watch what it polls for */
    struct {                         /* at the last yield */
        const struct thread *thread; /* null: it has waited since */
        uint64_t progress;
        int64_t budget; /* that was left */
    } yielded;
    int abandoned; /* the error that ended the launch */
    bool dropped;  /* the running block of a sampled run is given up */
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

/* Runs the threads of a block, `first` first, until none of them can go on or another block is to have its turn. */
void threads_run(struct thread *first);

#endif
