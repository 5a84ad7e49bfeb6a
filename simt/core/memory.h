/* memory.h: the device heap, and the classification of addresses. Internal. */
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
    MEMORY_PINNED,   /* cudaMallocHost, cudaHostAlloc, cudaHostRegister: host and device may access it */
    MEMORY_VARIABLE, /* __device__ */
    MEMORY_CONSTANT, /* __constant__ */
    MEMORY_SHARED,
    MEMORY_LOCAL /* a thread's stack */
};

/* One allocation. Addresses are never reused, so a stale pointer always finds its region. */
struct region {
    char *begin;  /* first byte, 256-byte aligned */
    size_t bytes; /* the size that was requested */
    size_t pages; /* number of pages reserved, including the guard page */
    enum memory_space space;
    bool freed;
    bool is_input; /* kernels and copies may only read it: see simt_mark_input */
    bool outlived; /* freed by simt_heap_release, not by the code that allocated it */
    char *array;   /* the part that kernels may access: all of it, or what the harness named */
    size_t array_bytes;
    struct {
        size_t read, written;               /* bytes from the array's begin to the farthest access's end */
        bool must_be_read, must_be_written; /* up to its end: see simt_sample_expect */
        const void *site, *page;            /* of the last access */
        int values;                         /* enum simt_sample_values: the contents of untouched pages */
    } sample;                               /* for sampled runs; managed by sample.c */
    uint64_t serial;                        /* 1 for the first allocation */
    bool is_output;                         /* the harness reads it after the call */
    const char *name;                       /* for findings; may be null */
    size_t element_size;                    /* bytes; 0 when unknown */
    const void *alloc_site;                 /* code addresses */
    const void *free_site;
    struct region *previous; /* the one allocated before this one */
    struct shadow *shadow;   /* managed by shadow.c, like lines; null: no access yet */
    struct line *lines;
    uint64_t *written; /* a bit for each byte that was written; null: all were, or it is unknown */
};

/* Allocates `bytes` >= 1 bytes of junk, not zeros. Null when the device's memory is used up (SIMT_MEMORY bytes,
 * default 8 GiB). */
struct region *memory_allocate(size_t bytes, enum memory_space space, const void *site);

/* May this byte come from unwritten memory? Several values can: a harness may fill an array with a byte of its own,
 * and a copy may carry it to another array. */
bool memory_is_junk(unsigned char byte);

/* Returns false when pointer is not the first byte of a live region. */
bool memory_free(void *pointer, const void *site);

enum {
    MEMORY_PAGE = ARCH_PAGE,
    MEMORY_JUNK = 0xB5 /* fills unwritten memory, shared memory too; see also simt_fill_allocation */
};

#define MEMORY_SLOT ((size_t)1 << 30)

/* Begins or ends a sampled run. While it lasts, new allocations contain zeros, and long ones use memory only for
 * pages that are accessed. At its end the remaining long allocations are freed. */
void memory_begin_sparse(bool on);

/* All addresses that the heap may hand out, and the region of each page. memory_find uses them. */
extern struct range memory_arena;
extern struct region **memory_page_region;

/* The same for the long allocations of sampled runs, with a region for each slot of MEMORY_SLOT bytes. */
extern struct range memory_sparse;
extern struct region *memory_slot_region[];

/* The region that contains the address, or whose guard page does; it may be freed. Null for any other address. */
static inline struct region *memory_find(const void *address)
{
    if (!range_holds(memory_arena, address))
        return range_holds(memory_sparse, address)
                   ? memory_slot_region[((uintptr_t)address - (uintptr_t)memory_sparse.begin) / MEMORY_SLOT]
                   : NULL;
    return memory_page_region[((uintptr_t)address - (uintptr_t)memory_arena.begin) / MEMORY_PAGE];
}

/* The region that contains the address, or else the nearer of its two neighbours. Used in findings. */
struct region *memory_nearest(const void *address);

/* The most recent allocation, freed or not; `previous` leads to the earlier ones. Null before the first. */
const struct region *memory_newest(void);

size_t memory_in_use(void); /* bytes */
size_t memory_total(void);  /* bytes */

/* The memory space of any address. *region is its allocation, or null when it is not in one. */
enum memory_space memory_classify(const void *address, struct region **region);

/* False for memory that certainly belongs to the program alone. A thread that has not entered the device may call
 * this for an address that it received after the device recorded it. */
bool memory_may_be_known(const void *address);

/* Whether [address, address + bytes) is in one live allocation or variable that the device may access. */
bool memory_range_is_device(const void *address, size_t bytes);

/* Whether an address is in memory of the device that is not pinned host memory: global, managed or a variable. */
bool memory_is_on_device(const void *address);

#endif
