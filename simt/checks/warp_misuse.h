/* warp_misuse.h: warp operations that cannot end, in words. Internal. */
#ifndef SIMT_WARP_MISUSE_H
#define SIMT_WARP_MISUSE_H

#include "core/thread.h"

/* No thread of these blocks can go on. When a warp operation waits for lanes that wait elsewhere, that is the
 * reason: reports it and returns true. */
bool warp_misuse_report(const struct block *blocks, unsigned used);

/* A lane that its own operation's mask does not name. */
void warp_misuse_foreign_mask(const struct thread *thread, uint32_t mask, const void *site);

/* A thread has returned: lanes that wait in an operation whose mask names it go on without it. That is how it
 * should be, but for one that came to the same operation with another mask: a warning. */
void warp_misuse_check_exit(const struct thread *thread);

#endif
