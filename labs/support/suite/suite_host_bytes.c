/* suite_host_bytes.c: limits the bytes that the host may get from the device. */
#include "suite_internal.h"
#include <stdio.h>
#include <string.h>

/* Is this number of bytes that went to the host too large? If so, fills in `why`. */
bool suite_host_has_too_much(const struct suite_case *is, uint64_t bytes, char *why, size_t size)
{
    const struct suite_bound *bound = is->part->shared;
    while (bound && bound->meter && strcmp(bound->meter, "host bytes") != 0)
        bound++;
    const bool named = bound && bound->meter;
    const uint64_t most = named ? bound->most(is->n) : 0;
    if (bytes > most)
        snprintf(why, size,
                 "the host gets the data: %llu bytes went from the device to it, at most %llu allowed\n"
                 "the bound is %s\n"
                 "try: do the work in kernels; copies to the host count, and what kernels write to managed, "
                 "pinned or mapped memory",
                 (unsigned long long)bytes, (unsigned long long)most,
                 named ? bound->formula : "0: the contract names nothing that the host needs");
    return bytes > most;
}

bool suite_judge_copies(struct suite_call *call)
{
    uint64_t bytes = 0;
    call->trouble_kind = SUITE_OF_HOST;
    return call->sampled || !suite_meter(call, "bytes copied to the host", &bytes) ||
           !suite_host_has_too_much(&call->is, bytes, call->trouble, sizeof call->trouble);
}
