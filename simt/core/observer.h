/* observer.h: the events of a run, and the observers that see them: checks and meters. Internal.
 *
 * The core executes, and observers look. An observer never changes a run: it reports findings or counts, and nothing else.
 * To add one, write a file that defines a `const struct observer`, and name it in the table of device.c. A null hook costs
 * nothing. */
#ifndef SIMT_OBSERVER_H
#define SIMT_OBSERVER_H

#include "core/memory.h"
#include "core/thread.h"

enum access_kind {
    ACCESS_READ = 0,
    ACCESS_WRITE = 1,
    ACCESS_VOLATILE = 2,  /* or-ed in: a volatile access */
    ACCESS_ATOMIC = 4,    /* or-ed in: part of an atomic operation */
    ACCESS_UNALIGNED = 8, /* or-ed in: a packed member, which need not be aligned */
    ACCESS_REPLACE =
        16, /* or-ed in: an atomic write that does not depend on the old value: a store, an exchange */
    ACCESS_COPY = 32,        /* or-ed in: of a memcpy: first its read, then its write of as many bytes */
    ACCESS_BLOCK_SCOPE = 64, /* or-ed in: atomic for the threads of its block only */
    ACCESS_CHAINED = 128,    /* or-ed in: a read-modify-write */
    ACCESS_SWAP = 256        /* or-ed in: a compare-and-swap, which may write or not: see `swap` */
};

struct access {
    char *address;
    size_t bytes;  /* 1, 2, 4, 8, 16, or any for a range */
    unsigned kind; /* enum access_kind */
    enum memory_space space;
    struct region *region; /* of MEMORY_GLOBAL, MANAGED and PINNED; else null */
    const void *site;      /* code address just after the access */
    size_t offset;         /* from the region's begin, in bytes; in shared memory see shared_layout; else 0 */
};

struct copy {
    void *to;
    const void *from; /* null: a fill */
    size_t bytes;
    void *stream;
    const void *site;
    bool asynchronous; /* cudaMemcpyAsync and such */
};

struct observer {
    const char *name;
    const char *meter;       /* name of its meter, or null */
    uint64_t (*value)(void); /* the meter's value since begin_run */
    bool detailed;        /* a meter of every access, which is slow: it looks only when simt_measure asks */
    bool of_sharing;      /* of those: it looks when simt_measure_sharing asks, too */
    bool check;           /* it looks unless simt_check switches it off */
    bool (*wanted)(void); /* it looks only when this returns true; null: always */
    void (*enable)(bool on); /* it is told whether it looks from now on */
    void (*begin_run)(void);
    void (*begin_launch)(const struct launch *launch);
    void (*end_launch)(const struct launch *launch, bool faulted);
    void (*begin_block)(const struct block *block);
    void (*end_block)(const struct block *block);
    void (*access)(const struct access *access); /* a kernel's, in bounds, before it happens */
    void (*swap)(
        const struct access *access); /* the last compare-and-swap, already seen by `access`, does write */
    void (*turn)(const struct block *block);    /* its turn begins: its shared memory is loaded */
    void (*leave)(const struct block *block);   /* its turn ends; its shared memory is still loaded */
    void (*barrier)(const struct block *block); /* all its threads have arrived, and none has left */
    void (*grid)(void);                         /* the same for the grid's barrier */
    void (*warp)(const struct thread *first, uint32_t mask, uint32_t arrived, int operation);
    void (*fence)(const struct thread *thread, int scope, int order);
    void (*combine)(const void *site);
    void (*join)(uint64_t made);
    void (*host)(const void *address, size_t bytes, unsigned kind,
                 const void *site); /* what host code accesses while timeline_running */
    void (*allocate)(const struct region *region);
    void (*release)(const struct region *region);
    /* cudaFreeAsync, as an operation of its stream; the release follows. */
    void (*release_queued)(const struct region *region, void *stream, const void *site);
    void (*copy)(const struct copy *copy); /* cudaMemcpy, cudaMemset: before it happens */
};

/* All observers, in the order in which their hooks are called and their meters counted. Called once. */
void observers_register(const struct observer *const table[], size_t count);

/* Decides again which observers are active: in a sampled run, none. */
void observers_activate(void);

void observe_begin_run(void);
void observe_begin_launch(const struct launch *launch);
void observe_end_launch(const struct launch *launch, bool faulted);
void observe_begin_block(const struct block *block);
void observe_end_block(const struct block *block);
void observe_swap(const struct access *access);
void observe_turn(const struct block *block);
void observe_leave(const struct block *block);
void observe_barrier(const struct block *block);
void observe_grid(void);
void observe_warp(const struct thread *first, uint32_t mask, uint32_t arrived, int operation);
void observe_fence(const struct thread *thread, int scope, int order);
void observe_combine(const void *site);
void observe_join(uint64_t made);
void observe_host(const void *address, size_t bytes, unsigned kind, const void *site);
void observe_allocate(const struct region *region);
void observe_release(const struct region *region);
void observe_release_queued(const struct region *region, void *stream, const void *site);
void observe_copy(const struct copy *copy);

/* The observers of accesses, ended by null: the access path loops over them itself. */
extern void (*observe_access_table[])(const struct access *);
extern size_t observe_access_count;

#endif
