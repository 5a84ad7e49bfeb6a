/* warps.h: warp operations that cannot end, in words. Internal. */
#ifndef SIMT_WARPS_H
#define SIMT_WARPS_H

#include "core.h"

/* No thread of these blocks can go on. When a warp operation waits for lanes that wait elsewhere, that is the
 * reason: reports it and returns true. */
bool warps_report_stuck(const struct block *blocks, unsigned used);

/* A thread has returned: lanes that wait in an operation whose mask names it go on without it. That is how it
 * should be, but for one that came to the same operation with another mask: a warning. */
void warps_check_exit(const struct thread *thread);

#endif
