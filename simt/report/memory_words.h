/* memory_words.h: memory and source locations in words. Internal. The texts live as text() does. */
#ifndef SIMT_MEMORY_WORDS_H
#define SIMT_MEMORY_WORDS_H

#include "core/memory.h"
#include "simt.h"

/* What kind of memory an address is in: "host memory", "null". */
const char *memory_words(const void *address);

/* "naive_scan.cu:31", or "an unknown place". */
const char *location_words(const void *site);

/* Of memory that is freed: where it came from and went, about the facts ALLOCATED and FREED, and what to try: `hint`, unless
 * it was kept from an earlier call of a harness. */
struct freed_memory {
    enum simt_note note;
    enum simt_hint hint;
};
struct freed_memory freed_memory(const struct region *region, enum simt_hint hint);
#define FREED_FACTS(region)                                                                                  \
    FACT_LOCATION(ALLOCATED, (region)->alloc_site), FACT_LOCATION(FREED, (region)->free_site)

#endif
