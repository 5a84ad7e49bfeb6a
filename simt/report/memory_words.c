#include "report/memory_words.h"
#include "core/registered.h"
#include "report/finding.h"
#include "report/source.h"

const char *location_words(const void *site)
{
    struct simt_location location = {0};
    if (site)
        source_location(site, &location);
    return location.line ? text("%s:%d", location.file, location.line) : "an unknown place";
}

static bool has_line(const void *site)
{
    struct simt_location location = {0};
    if (site)
        source_location(site, &location);
    return location.line > 0;
}

bool memory_has_line(const struct region *region)
{
    return has_line(region->alloc_site);
}

enum simt_note memory_length_note(const struct region *region)
{
    return memory_has_line(region) ? SIMT_NOTE_ARRAY_LENGTH_ALLOCATED : SIMT_NOTE_ARRAY_LENGTH;
}

struct freed_memory freed_memory(const struct region *region, enum simt_hint hint)
{
    const bool made = memory_has_line(region);
    if (has_line(region->free_site))
        return (struct freed_memory){SIMT_NOTE_FREED, hint};
    if (region->outlived && made)
        return (struct freed_memory){SIMT_NOTE_FREED_AFTER_CALL, SIMT_HINT_FREE_IN_CALL};
    if (!made)
        return (struct freed_memory){SIMT_NOTE_FREED_SINCE_CALL, SIMT_HINT_POINTERS_OF_CALL};
    return (struct freed_memory){SIMT_NOTE_FREED_BY_RESET, hint};
}

const char *memory_words(const void *address)
{
    struct region *region = NULL;
    size_t bytes_left;
    if (!address)
        return "null";
    if (registered_holds(address, &bytes_left))
        return "registered host memory";
    enum memory_space space = memory_classify(address, &region);
    if (region && region->freed)
        return region->free_site
                   ? text("device memory that was freed at %s", location_words(region->free_site))
                   : "device memory that is freed";
    switch (space) {
    case MEMORY_GLOBAL:
        return "device memory";
    case MEMORY_MANAGED:
        return "managed memory";
    case MEMORY_PINNED:
        return "pinned host memory";
    case MEMORY_VARIABLE:
        return "a __device__ variable";
    case MEMORY_CONSTANT:
        return "a __constant__ variable";
    case MEMORY_SHARED:
        return "shared memory";
    case MEMORY_LOCAL:
        return "a kernel's local memory";
    case MEMORY_HOST:
        break;
    }
    return "host memory";
}
