/* numbers.h: is what an instruction reads one number? Internal. */
#ifndef SIMT_NUMBERS_H
#define SIMT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* Is the aligned access of 2, 4 or 8 bytes at this code address one of a number for certain, and not one of several
 * members of a struct, which g++ takes together where it copies or compares them? `declared`: the memory is a variable's, to
 * which g++ gives more alignment than its type needs. False where the source could have it otherwise. */
bool numbers_only(const void *site, size_t bytes, bool declared);

#endif
