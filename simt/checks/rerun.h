/* rerun.h: runs a launch again with other junk in shared memory, to find out whether the junk makes a difference. Internal.
 *
 * A copy of the process (fork) waits at the beginning of a launch. If the launch has read shared memory that nothing had written,
 * the copy forks a process for each byte of junk, the program's own first, and each runs the launch. A digest of each run is
 * compared: it contains all accesses with their addresses, the executed basic blocks, the values that reached memory other than
 * shared and local memory, and what was printed. A run that executes more instructions than the first one ends there. */
#ifndef SIMT_RERUN_H
#define SIMT_RERUN_H

#include "core/launch.h"
#include <stdbool.h>

/* Call it when a launch is about to begin. */
void rerun_prepare(const struct launch_request *request, size_t static_shared_bytes);

/* Can the current launch be run again? */
bool rerun_is_possible(void);

/* True when the launch does the same with all of the junk. Call it at most once for a launch, at its end. */
bool rerun_does_the_same(void);

/* Ends the copy. Call it when the launch has ended. */
void rerun_dismiss(void);

#endif
