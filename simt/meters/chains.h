/* chains.h: the number of chain links that an access makes. Internal. */
#ifndef SIMT_CHAINS_H
#define SIMT_CHAINS_H

#include "core/observer.h"

enum { CHAIN_LINK_BYTES = 16 /* a longer access makes several links */ };

/* The number of accesses that a kernel's access counts as: 0 for local memory, else one for each 16 bytes. */
unsigned chain_links(const struct access *access);

#endif
