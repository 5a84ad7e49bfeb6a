#include "report/memory_words.h"
#include "core/registered.h"
#include "report/finding.h"
#include "report/source.h"

#include <string.h>

const char *place_words(const void *site)
{
    struct simt_place place = {0};
    if (site)
        source_place(site, &place);
    return place.line ? text("%s:%d", place.file, place.line) : "an unknown place";
}

const char *place_beside(const void *site, const void *finding)
{
    struct simt_place place = {0}, first = {0};
    source_place(site, &place);
    source_place(finding, &first);
    return strcmp(place.file, first.file) == 0 ? text("line %d", place.line) : place_words(site);
}

struct freed_words freed_words(const struct region *region, const char *hint)
{
    struct simt_place made = {0}, freed = {0};
    if (region->alloc_site)
        source_place(region->alloc_site, &made);
    if (region->free_site)
        source_place(region->free_site, &freed);
    if (freed.line)
        return (struct freed_words){text("it was allocated at %s and freed at %s:%d",
                                         place_words(region->alloc_site), freed.file, freed.line),
                                    hint};
    if (region->outlived && made.line)
        return (struct freed_words){
            text("it was allocated at %s:%d in an earlier call, and what a call leaves is freed after it",
                 made.file, made.line),
            "allocate in each call what it needs, and free it there: keep no pointer in a static or global "
            "variable"};
    if (!made.line)
        return (struct freed_words){
            "it was handed to an earlier call, and is freed since",
            "use the pointers of this call: keep none in a static or global variable"};
    return (struct freed_words){
        text("it was allocated at %s:%d and freed by cudaDeviceReset", made.file, made.line), hint};
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
        return region->free_site ? text("device memory that was freed at %s", place_words(region->free_site))
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
