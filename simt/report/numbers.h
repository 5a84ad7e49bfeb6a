/* numbers.h: does an instruction read one number? Internal. */
#ifndef SIMT_NUMBERS_H
#define SIMT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* Is the aligned access of 2, 4 or 8 bytes at this code address certainly one number? It could instead be several
 * members of a struct, which g++ combines when it copies or compares them. `declared` means that the memory is a
 * variable, which g++ may align more strictly than its type needs. Returns false when the source permits such
 * members. */
bool numbers_only(const void *site, size_t bytes, bool declared);

#endif
