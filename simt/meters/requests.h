/* requests.h: what a warp requests of memory at once: the lanes' accesses of one instruction. Internal.
 *
 * Lanes run one after another here, so their accesses are put together afterwards. The rule: within a warp, and
 * between two barriers of its block or two operations of the warp, the k-th access that each lane makes at one
 * code address belongs to one request. That is what a warp does whose lanes all go round the same loops,
 * each as often as it likes. A lane may skip the access in some rounds, with nothing between the rounds that the
 * lanes wait at: then its k-th access still goes with the other lanes' k-th, which are of an earlier round.
 *
 * An access of 1, 2, 4, 8 or 16 bytes is one instruction. A copy of anything else, or of a type that need not be
 * aligned to its size, is one instruction a word. Local and constant memory are left out. */
#ifndef SIMT_REQUESTS_H
#define SIMT_REQUESTS_H

#include "core/thread.h"

struct request {
    uint32_t lanes;               /* a mask of those that take part; never 0 */
    unsigned bytes;               /* of each lane: 1, 2, 4, 8 or 16 */
    bool atomic;                  /* operations on one word of shared memory go one after the other */
    uintptr_t address[WARP_SIZE]; /* of the lanes that take part */
};

/* A request that was counted. `warp` is its number in the block; `site` a code address; `needed` and `least` are
 * wavefronts of shared memory or sectors of global memory, 0 for a combine. */
struct counted_request {
    const struct block *block;
    unsigned warp;
    const void *site;
    enum request_kind { REQUEST_SHARED, REQUEST_GLOBAL, REQUEST_COMBINE } kind;
    const struct request *request;
    unsigned needed, least;
};

/* Called for each counted request. Set by a recorder; else null. */
extern void (*request_counted)(const struct counted_request *request);

/* ---- shared memory (banks.c) ------------------------------------------------------------------------------
 * 32 banks of words of 4 bytes: word w lies in bank w mod 32. A wavefront serves each bank with one word, and all
 * lanes that want that word. It serves 128 bytes at most, so accesses of 8 bytes go half a warp after the other,
 * and those of 16 bytes a quarter after the other. (A GPU serves two halves at once in some cases when their
 * words are the same; that is not modelled.) */
struct wavefronts {
    unsigned needed; /* wavefronts that the request takes */
    unsigned least;  /* the fewest for as many bytes of as many lanes, at any addresses */
};
struct wavefronts banks_count(const struct request *request);

/* ---- global memory (sectors.c) ----------------------------------------------------------------------------
 * A request moves whole sectors of 32 bytes: those that hold a byte that some lane wants, each once. No cache
 * is modelled, but in `fresh`: that leaves out sectors that the block has read or written before, as if it had a cache of
 * its own, empty at first and without a limit. Volatile and
 * atomic accesses are never cached. */
struct sectors {
    unsigned moved;
    unsigned least; /* the fewest that hold as many bytes as the lanes want */
    unsigned fresh; /* of those moved, the ones that are new to the cache */
};

/* The sectors that a block has in its cache. Starts as {0}. */
struct cache {
    struct cache_slot *slots;
    size_t size, used;
    uint32_t generation;
};
void cache_empty(struct cache *cache);
void cache_free(struct cache *cache);

/* `kind` is of enum access_kind. */
struct sectors sectors_count(const struct request *request, unsigned kind, struct cache *cache);

#endif
