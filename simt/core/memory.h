/* memory.h: the device heap, and which memory an address belongs to. Internal. */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "core/arch.h"
#include "core/module.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_space {
    MEMORY_HOST,     /* all other memory */
    MEMORY_GLOBAL,   /* cudaMalloc */
    MEMORY_MANAGED,  /* cudaMallocManaged, __managed__ */
    MEMORY_PINNED,   /* cudaMallocHost, cudaHostAlloc, cudaHostRegister: host and device may touch it */
    MEMORY_VARIABLE, /* __device__ */
    MEMORY_CONSTANT, /* __constant__ */
    MEMORY_SHARED,
    MEMORY_LOCAL /* a thread's stack */
};

/* One allocation. Addresses are never given out twice, so a stale pointer always finds its region. */
struct region {
    char *begin;  /* first byte, 256-byte aligned */
    size_t bytes; /* as asked for */
    size_t pages; /* reserved, guard page included */
    enum memory_space space;
    bool freed;
    bool is_input; /* kernels and copies may read it only: see simt_mark_input */
    bool outlived; /* freed by simt_heap_release, not by the code that allocated it */
    char *array;   /* what kernels may touch: all of it, or the part that the harness named */
    size_t array_bytes;
    struct {
        size_t read, written;               /* bytes from the array's begin to the farthest access */
        bool must_be_read, must_be_written; /* up to its end: see simt_sample_expect */
        const void *site, *page;            /* of the last access */
        int values;                         /* enum simt_sample_values: what an untouched page is to hold */
    } sample;                               /* of sampled runs: sample.c */
    uint64_t serial;                        /* 1 for the first allocation */
    bool is_output;                         /* a harness reads it after the call */
    const char *name;                       /* for findings; may be null */
    size_t element_size;                    /* bytes; 0 when not known */
    const void *alloc_site;                 /* code addresses */
    const void *free_site;
    struct region *previous; /* the one allocated before this one */
    struct shadow *shadow;   /* these two are kept by shadow.c; null: no access yet */
    struct cell *cells;
    uint64_t *written; /* a bit for each byte: it was written; null: all were, or it is not known */
};

/* bytes >= 1; null when the device's memory (SIMT_MEMORY bytes, default 8 GiB) is used up. Contents are
 * junk, not zeros. */
struct region *memory_allocate(size_t bytes, enum memory_space space, const void *site);

/* Is this a byte that fills unwritten memory? There are several: a harness may fill an array with a byte of its own, and a
 * copy carries it on to another array. */
bool memory_is_junk(unsigned char byte);

/* False when pointer is not the first byte of a live region. */
bool memory_free(void *pointer, const void *site);

enum {
    MEMORY_PAGE = ARCH_PAGE,
    MEMORY_JUNK = 0xB5 /* the byte that fills unwritten memory, shared memory too. A harness may fill an
                          array with another byte: see simt_fill_allocation */
};

#define MEMORY_SLOT ((size_t)1 << 30)

/* Begins or ends a sampled run. While it lasts, allocations begin as zeros, and long ones take pages only where they are
 * touched; at its end the long ones that are left are freed. */
void memory_begin_sparse(bool on);

/* All addresses that the heap may give out, and the region of each page: for memory_find. */
extern struct range memory_arena;
extern struct region **memory_page_region;

/* The same for the long allocations of sampled runs: a region for each slot of MEMORY_SLOT bytes. */
extern struct range memory_sparse;
extern struct region *memory_slot_region[];

/* The region that holds address, or whose guard it hits; freed ones included. Null for any other address. */
static inline struct region *memory_find(const void *address)
{
    if (!range_holds(memory_arena, address))
        return range_holds(memory_sparse, address)
                   ? memory_slot_region[((uintptr_t)address - (uintptr_t)memory_sparse.begin) / MEMORY_SLOT]
                   : NULL;
    return memory_page_region[((uintptr_t)address - (uintptr_t)memory_arena.begin) / MEMORY_PAGE];
}

/* For findings: the region that holds the address, or else the nearer of its two neighbours. */
struct region *memory_nearest(const void *address);

/* The last allocation, freed or not; `previous` leads to the others. Null before the first. */
const struct region *memory_newest(void);

size_t memory_in_use(void); /* bytes */
size_t memory_total(void);  /* bytes */

/* The space of any address. *region is its allocation, or null when it is in none. */
enum memory_space memory_classify(const void *address, struct region **region);

/* False for memory that is certainly the program's own. A thread that is not on the device may ask this, of an address that
 * it got after the device learned of it. */
bool memory_may_be_known(const void *address);

/* Is [address, address + bytes) in one live allocation or variable that the device, or the host, may touch? For cudaMemcpy
 * and its like. */
bool memory_range_is_device(const void *address, size_t bytes);
bool memory_range_is_host(const void *address, size_t bytes);

#endif
