/* explore.h: executes one of the executions that the memory model allows, and reports the choices that lead to the others. Internal.
 *
 * This is stateless model checking with reads-from as the unit (Kokologiannakis and Vafeiadis, TruSt, POPL 2022): two executions are
 * the same if each strong access reads from the same write and the writes of each place are in the same coherence order. The event
 * of such an execution is a strong access, that is a volatile or an atomic one, of a thread of a kernel. All other code of a thread
 * belongs to its last event, because the race check finds whether it is ordered.
 *
 * All blocks of the launch start, and each thread runs to its next event. Then one thread is chosen by a fixed rule. What is explored
 * is not the order of threads, but from which write a read reads:
 *     any write to the place that has happened so far and that coherence and happens-before allow, also an old one;
 *     or one that has not happened yet: the read is postponed until another write has happened.
 * Each execution belongs to one sequence of such choices. A read is to be postponed only if some execution without that has a later
 * write that does not depend on the read: its witness. A read whose thread then reads the same place again on the same line, and
 * has done nothing else in between, waits: such a value is not taken, and the read is repeated when there is another write (an
 * await, as in Kokologiannakis, Marmanis and Vafeiadis, CAV 2023). A program repeats launches with other choices until none is
 * left: struct simt_explore in simt.h. */
#ifndef SIMT_EXPLORE_H
#define SIMT_EXPLORE_H

#include "core/observer.h"

/* Whether launches are explored. */
extern bool explore_watches;

bool explore_is_wanted(void);

/* Sets explore_watches for the launch, unless not all blocks fit. */
void explore_begin_launch(bool all_fit);
void explore_end_launch(void);

/* A kernel's access before it happens. A strong one waits here until it is chosen. Returns true if no observer is to have the
 * access, because it only tests whether the thread waits for another value. */
bool explore_access(const struct access *access);

/* The same for the write of a compare-and-swap that does write. */
bool explore_hides_swap(void);

/* The current thread arrives at a barrier or a warp operation, or returns. */
void explore_pass(void);

/* Threads of a block, or lanes of a warp, have met. */
void explore_meet_block(const struct block *block);
void explore_meet_warp(struct thread *first, uint32_t lanes);
void explore_meet_grid(const struct block *blocks, unsigned used);

/* Chooses the thread that executes its event next, when none of the blocks can go on otherwise. Null if no thread ever can. */
struct thread *explore_next(const struct block *blocks, unsigned used);

/* While blocks count as equal, kernels must not read blockIdx: the page with the variable is closed. The value that it will have
 * when a kernel opens it is the current block's. explore_opens returns true if that was the reason of a crash at `address`. */
void explore_close_index(bool close);
void explore_set_index(const struct block *block);
bool explore_opens(const void *address);

#endif
