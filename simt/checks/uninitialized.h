/* uninitialized.h: the quick half of the check of uninitialized reads, for plain.c. Internal. */
#ifndef SIMT_UNINITIALIZED_H
#define SIMT_UNINITIALIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A plain access of 1, 2, 4, 8 or 16 bytes, from bit `at` on, one a byte; null: all are written. False: look closer. */
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
