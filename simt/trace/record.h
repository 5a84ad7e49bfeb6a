/* record.h: what the recorder is told beside the observers' events. Internal; what it writes is in RECORD.md. */
#ifndef SIMT_RECORD_H
#define SIMT_RECORD_H

#include "core/observer.h"
#include "meters/requests.h"
#include "simt.h"

/* A request of a warp that was counted. Null unless somebody records. `warp` is its number in the block; `site` a code
 * address; `needed` and `least` are wavefronts of shared memory or sectors of global memory, 0 for a combine. */
struct record_request {
    const struct block *block;
    unsigned warp;
    const void *site;
    enum record_request_kind { RECORD_SHARED, RECORD_GLOBAL, RECORD_COMBINE } kind;
    const struct request *request;
    unsigned needed, least;
};
extern void (*record_request)(const struct record_request *request);

/* A finding was made, or was seen once more. Null unless somebody records. `number` is its number in the run. */
extern void (*record_finding)(int number, const struct simt_finding *finding);

#endif
