/* uninitialized.h: the quick part of the check for uninitialized reads, for plain.c. Internal. */
#ifndef SIMT_UNINITIALIZED_H
#define SIMT_UNINITIALIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A plain access of 1, 2, 4, 8 or 16 bytes. `bits` has one bit for each byte, from `at` on; null: all are written.
 * Returns false if the access needs a closer check. */
static inline bool uninitialized_plain(uint64_t *bits, size_t at, size_t bytes, bool write)
{
    enum { WORD = 64 };
    if (!bits)
        return true;
    if (bytes > 8 && at % WORD > WORD - 16)
        return false;
    uint64_t *word = &bits[at / WORD];
    const uint64_t mask = (((uint64_t)1 << bytes) - 1) << at % WORD;
    if ((*word & mask) == mask)
        return true;
    if (write)
        *word |= mask;
    return write;
}

#endif
