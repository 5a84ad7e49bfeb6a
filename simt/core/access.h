/* access.h: the checks that the runtime's own operations ask for. Internal; what the compiler's hooks call
 * is in access.c. */
#ifndef SIMT_ACCESS_H
#define SIMT_ACCESS_H

#include <stddef.h>

/* The device is about to touch [address, address + bytes) for an atomic operation: checks it, lets other
 * threads run, tells the observers. kind: ACCESS_READ or ACCESS_WRITE, and what enum access_kind or-s in. Does not return on a wild access. */
void simt_access_atomic(void *address, size_t bytes, unsigned kind, const void *site);

/* The compare-and-swap that was announced last, with ACCESS_SWAP, does write. */
void simt_access_swapped(void);

/* A memcpy in kernel or host code is about to copy. */
void simt_access_copy(void *to, const void *from, size_t bytes, const void *site);

/* A memset in kernel or host code is about to touch a range of any length. */
void simt_access_range(const void *address, size_t bytes, unsigned kind, const void *site);

/* A kernel of the harness's is about to read or write one element: as a plain access of `bytes`, or as a range where
 * no plain one has that length. */
void simt_access_element(const void *address, size_t bytes, unsigned kind, const void *site);

/* A kernel is about to touch an address that is no multiple of `multiple` (a power of 2), though its type has to lie at
 * one. Reports it and ends the launch; where nothing lies there at all, that is what is reported. Host code may. */
void access_misaligned(const void *address, size_t multiple, unsigned kind, const void *site);

#endif
