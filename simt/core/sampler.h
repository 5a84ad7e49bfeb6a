/* sampler.h: chooses the blocks that run, where a run is sampled. Internal.
 *
 * The core asks it which blocks to run, one after the other, and hands it each access to global memory; the other
 * observers do not look then. checks/sampled/ is the one there is. */
#ifndef SIMT_SAMPLER_H
#define SIMT_SAMPLER_H

#include "core/observer.h"

struct sampler {
    bool (*begin_launch)(const struct launch *launch); /* false: no launch is to run any more */
    bool (*next_block)(uint64_t *number);              /* false when there is none */
    void (*begin_block)(const struct block *block);
    void (*drop)(void); /* the running block cannot go on, or has done enough, and is given up */
    void (*end_block)(void);
    void (*end_launch)(void);
    void (*access)(const struct access *access);    /* before it is known whether the address is anybody's */
    void (*in_region)(const struct access *access); /* after it is known, of one to a live allocation */
    void (*elsewhere)(const struct access *access); /* and of one to other memory that is in bounds */
};

/* Null: runs are complete. */
extern const struct sampler *sampler;

#endif
