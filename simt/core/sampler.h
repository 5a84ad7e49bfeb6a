/* sampler.h: chooses the blocks that run in a sampled run. Internal.
 *
 * The core asks the sampler for one block after another, and reports to it each access to global memory and the
 * accesses of host code. Observers are not active in a sampled run. checks/sampled/ defines the sampler. */
#ifndef SIMT_SAMPLER_H
#define SIMT_SAMPLER_H

#include "core/observer.h"

struct sampler {
    bool (*begin_launch)(const struct launch *launch); /* false: no more launches shall run */
    bool (*next_block)(uint64_t *number);              /* false when there is no further block */
    void (*begin_block)(const struct block *block);
    void (*drop)(void); /* the running block is given up: it is stuck, or it has done enough */
    void (*end_block)(void);
    void (*end_launch)(void);
    void (*access)(const struct access *access);    /* before the address is classified */
    void (*in_region)(const struct access *access); /* after that, if the address is in a live allocation */
    void (*elsewhere)(const struct access *access); /* after that, if it is in other memory and in bounds */
    void (*host)(const void *site);                 /* host code, before it accesses memory */
};

/* Null in a complete run. */
extern const struct sampler *sampler;

#endif
