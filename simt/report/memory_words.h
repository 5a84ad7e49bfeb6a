/* memory_words.h: memory and places in words. Internal. The texts live as text() does. */
#ifndef SIMT_MEMORY_WORDS_H
#define SIMT_MEMORY_WORDS_H

#include "core/memory.h"

/* What kind of memory an address is in: "host memory", "null". */
const char *memory_words(const void *address);

/* "naive_scan.cu:31", or "an unknown place". */
const char *place_words(const void *site);

/* A second place in the text of a finding: "line 31" where it is in the file that the finding stands in, else as above. */
const char *place_beside(const void *site, const void *finding);

/* Of memory that is freed: where it came from and went, and what to try: `hint`, unless it was kept from an earlier
 * call of a harness. */
struct freed_words {
    const char *why, *hint;
};
struct freed_words freed_words(const struct region *region, const char *hint);

#endif
