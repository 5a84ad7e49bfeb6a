/* sampler.h: chooses the blocks that run in a sampled run. Internal.
 *
 * The core asks it which blocks to run, one after the other, and hands it each access to global memory, and tells it those of
 * host code; observers do not look then. checks/sampled/ defines it. */
#ifndef SIMT_SAMPLER_H
#define SIMT_SAMPLER_H

#include "core/observer.h"

struct sampler {
    bool (*begin_launch)(const struct launch *launch); /* false: no more launches are to run */
    bool (*next_block)(uint64_t *number);              /* false when there is none */
    void (*begin_block)(const struct block *block);
    void (*drop)(void); /* the running block cannot go on, or has done enough, and is given up */
    void (*end_block)(void);
    void (*end_launch)(void);
    void (*access)(const struct access *access);    /* before the address has been classified */
    void (*in_region)(const struct access *access); /* after that: the address is in a live allocation */
    void (*elsewhere)(const struct access *access); /* or in other memory, and in bounds */
    void (*host)(const void *site);                 /* host code, before it touches memory */
};

/* Null while runs are complete. */
extern const struct sampler *sampler;

#endif
