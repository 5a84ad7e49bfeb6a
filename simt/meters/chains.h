/* chains.h: how many links of a chain an access makes. Internal. */
#ifndef SIMT_CHAINS_H
#define SIMT_CHAINS_H

#include "core/observer.h"

enum { CHAIN_LINK_BYTES = 16 /* a longer access makes more than one link */ };

/* How many accesses a kernel's access counts for: 0 for local memory, 1 up to 16 bytes elsewhere. */
unsigned chain_links(const struct access *access);

#endif
