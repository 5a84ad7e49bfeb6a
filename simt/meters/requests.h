/* requests.h: combines the accesses that the lanes of a warp make in one instruction into a request. Internal.
 *
 * On this device lanes run one after another, so their accesses are combined afterwards. The rule: within a warp,
 * and between two barriers of its block or two operations of the warp, the k-th access of each lane at one code
 * address belongs to one request. This is exact for a warp whose lanes all run the same loops, each with its own
 * number of rounds. If a lane skips the access in some rounds and the lanes do not wait for each other between
 * rounds, its k-th access is still combined with the k-th accesses of the other lanes, which come from an earlier
 * round.
 *
 * An access of 1, 2, 4, 8 or 16 bytes is one instruction. A copy of any other size, or of a type that need not be
 * aligned to its size, is one instruction for each word. Local and constant memory are left out. */
#ifndef SIMT_REQUESTS_H
#define SIMT_REQUESTS_H

#include "core/thread.h"

struct request {
    uint32_t lanes;               /* mask of the lanes that take part; never 0 */
    unsigned bytes;               /* per lane: 1, 2, 4, 8 or 16 */
    bool atomic;                  /* atomic operations on one word of shared memory are serialised */
    uintptr_t address[WARP_SIZE]; /* [lane], for the lanes that take part */
};

/* A request that was counted. `warp` is the number of the warp in the block and `site` a code address. `needed` and
 * `least` are wavefronts of shared memory or sectors of global memory, and 0 for a combine. */
struct counted_request {
    const struct block *block;
    unsigned warp;
    const void *site;
    enum request_kind { REQUEST_SHARED, REQUEST_GLOBAL, REQUEST_COMBINE } kind;
    const struct request *request;
    unsigned needed, least;
};

/* Called for each counted request if not null. A recorder sets it. */
extern void (*request_counted)(const struct counted_request *request);

/* ---- shared memory (banks.c) ------------------------------------------------------------------------------
 * There are 32 banks of 4-byte words: word w is in bank w mod 32. A wavefront serves each bank with one word, for
 * all lanes that access that word. It serves at most 128 bytes, so accesses of 8 bytes are served by half-warps,
 * and those of 16 bytes by quarter-warps. (A GPU sometimes serves two halves at once when their words are the same;
 * this is not modelled.) */
struct wavefronts {
    unsigned needed; /* wavefronts that the request needs */
    unsigned least;  /* minimum for as many bytes of as many lanes at the best addresses */
};
struct wavefronts banks_count(const struct request *request);

/* ---- global memory (sectors.c) ----------------------------------------------------------------------------
 * A request moves whole sectors of 32 bytes: each sector that contains a requested byte, once. Only `fresh` models
 * a cache: it leaves out sectors that the block has read or written before, as if the block had a private unlimited
 * cache that is empty at first. Volatile and atomic accesses are never cached. */
struct sectors {
    unsigned moved;
    unsigned least; /* minimum for as many bytes */
    unsigned fresh; /* moved sectors that are new to the cache */
};

/* The sectors that are in a block's cache. Starts as {0}. */
struct cache {
    struct cache_slot *slots;
    size_t size, used;
    uint32_t generation;
};
void cache_empty(struct cache *cache);
void cache_free(struct cache *cache);

/* `kind` has flags of enum access_kind. */
struct sectors sectors_count(const struct request *request, unsigned kind, struct cache *cache);

#endif
