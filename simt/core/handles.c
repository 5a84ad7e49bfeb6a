#include "core/handles.h"
#include "core/budget.h"

#include <stdlib.h>

static cudaStream_t streams;
static cudaEvent_t events;
static uint64_t made;

cudaStream_t handles_add_stream(const void *site)
{
    cudaStream_t added = calloc(1, sizeof *added);
    if (!added)
        return NULL;
    budget_spend(BUDGET_OF_HANDLE);
    added->serial = ++made;
    added->site = site;
    added->next = streams;
    streams = added;
    return added;
}

cudaEvent_t handles_add_event(const void *site)
{
    cudaEvent_t added = calloc(1, sizeof *added);
    if (!added)
        return NULL;
    budget_spend(BUDGET_OF_HANDLE);
    added->serial = ++made;
    added->site = site;
    added->next = events;
    events = added;
    return added;
}

cudaStream_t handles_find_stream(cudaStream_t stream)
{
    cudaStream_t at = streams;
    for (; at && at != stream; at = at->next)
        budget_spend(BUDGET_OF_RECORD);
    return at;
}

cudaEvent_t handles_find_event(cudaEvent_t event)
{
    cudaEvent_t at = events;
    for (; at && at != event; at = at->next)
        budget_spend(BUDGET_OF_RECORD);
    return at;
}

bool handles_is_default(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool handles_stream_is_good(cudaStream_t stream)
{
    if (handles_is_default(stream))
        return true;
    const struct CUstream_st *found = handles_find_stream(stream);
    return found && !found->destroyed;
}

uint64_t handles_mark(void)
{
    return made;
}

size_t handles_open(uint64_t mark, void (*stream)(const void *site), void (*event)(const void *site))
{
    size_t open = 0;
    for (const struct CUstream_st *at = streams; at && at->serial > mark; at = at->next) {
        if (!at->destroyed) {
            stream(at->site);
            open++;
        }
    }
    for (const struct CUevent_st *at = events; at && at->serial > mark; at = at->next) {
        if (!at->destroyed) {
            event(at->site);
            open++;
        }
    }
    return open;
}

void handles_destroy_all(void)
{
    for (cudaStream_t at = streams; at; at = at->next)
        at->destroyed = true;
    for (cudaEvent_t at = events; at; at = at->next)
        at->destroyed = true;
}
