/* warp_misuse.h: reports of warp operations that cannot complete. Internal. */
#ifndef SIMT_WARP_MISUSE_H
#define SIMT_WARP_MISUSE_H

#include "core/thread.h"

/* Called when no thread of these blocks can continue. If a warp operation waits for lanes that wait elsewhere, that
 * is the reason: reports it and returns true. */
bool warp_misuse_report(const struct block *blocks, unsigned used);

/* Reports a lane that is not in its own operation's mask. */
void warp_misuse_foreign_mask(const struct thread *thread, uint32_t mask, const void *site);

/* A thread has returned, so lanes that wait for it in an operation continue without it. That is right unless the
 * thread came to the same operation with a different mask; then a warning is reported. */
void warp_misuse_check_exit(const struct thread *thread);

#endif
