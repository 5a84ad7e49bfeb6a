/* rerun.h: a launch that is run again with other junk in shared memory, to find whether the junk makes a difference. Internal.
 *
 * A copy of the process (fork) waits at the begin of a launch. When the launch has read shared memory that nothing had written,
 * copies of that copy run it again, each with another byte of junk. They are compared by a digest of all accesses with their
 * addresses, of the basic blocks executed, of the values that reached memory other than shared and local memory, and of what
 * was printed. */
#ifndef SIMT_RERUN_H
#define SIMT_RERUN_H

#include "core/launch.h"
#include <stdbool.h>

/* Called when a launch is about to begin. */
void rerun_prepare(const struct launch_request *request, size_t static_shared_bytes);

/* Can the present launch be run again? */
bool rerun_is_possible(void);

/* True when the launch does the same whatever junk it finds. At most once a launch, at its end. */
bool rerun_does_the_same(void);

/* The launch has ended, and is not run again any more. */
void rerun_dismiss(void);

#endif
