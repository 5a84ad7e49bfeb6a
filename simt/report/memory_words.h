/* memory_words.h: descriptions of memory and source locations. Internal. The texts are valid as long as those of
 * text(). */
#ifndef SIMT_MEMORY_WORDS_H
#define SIMT_MEMORY_WORDS_H

#include "core/memory.h"
#include "simt.h"

/* The kind of memory that an address is in, such as "host memory", or "null". */
const char *memory_words(const void *address);

/* For example "naive_scan.cu:31", or "an unknown place". */
const char *location_words(const void *site);

/* Is the place known at which the code under test made the allocation? An array of the harness has none. */
bool memory_has_line(const struct region *region);

/* A note on the length of an allocation, about the fact ALLOCATED. */
enum simt_note memory_length_note(const struct region *region);

/* For freed memory: a note about the facts ALLOCATED and FREED, and a hint. This is `hint`, unless the memory was
 * kept from an earlier call of a harness. */
struct freed_memory {
    enum simt_note note;
    enum simt_hint hint;
};
struct freed_memory freed_memory(const struct region *region, enum simt_hint hint);
#define FREED_FACTS(region)                                                                                  \
    FACT_LOCATION(ALLOCATED, (region)->alloc_site), FACT_LOCATION(FREED, (region)->free_site)

#endif
