/* late.h: threads that come late to a line, so that a race becomes visible in the result (struct simt_late). RaceFuzzer (Sen, PLDI
 * 2008) also lets threads wait at the accesses of a race. Internal. */
#ifndef SIMT_LATE_H
#define SIMT_LATE_H

#include "core/observer.h"

/* Whether there is a late line. */
extern bool late_watches;

/* A kernel's access before it happens, or before its observers see it. Returns whether the thread is to wait. */
bool late_look(const struct access *access);

/* The same access after its observers have seen it. */
void late_note(const struct access *access);

/* The current thread's block executes a fence for all blocks: its late stores become visible. */
void late_fence(void);

/* No other thread can go on, or the launch ends: all late stores become visible. Returns whether there were any. */
bool late_arrive(void);

#endif
