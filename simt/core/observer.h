/* observer.h: the events of a run, and the observers that receive them: checks and meters. Internal.
 *
 * An observer never changes a run: it only reports findings or counts. To add one, write a file that defines a
 * `const struct observer`, and add it to the table in device.c. A null hook costs nothing. */
#ifndef SIMT_OBSERVER_H
#define SIMT_OBSERVER_H

#include "core/memory.h"
#include "core/thread.h"

enum access_kind {
    ACCESS_READ = 0,
    ACCESS_WRITE = 1,
    ACCESS_VOLATILE = 2,     /* or-ed in: a volatile access */
    ACCESS_ATOMIC = 4,       /* or-ed in: part of an atomic operation */
    ACCESS_UNALIGNED = 8,    /* or-ed in: may be unaligned, such as a member of a packed struct */
    ACCESS_REPLACE = 16,     /* or-ed in: an atomic write that ignores the old value: a store, an exchange */
    ACCESS_COPY = 32,        /* or-ed in: by a memcpy, which reads first and then writes as many bytes */
    ACCESS_BLOCK_SCOPE = 64, /* or-ed in: atomic only for the threads of its block */
    ACCESS_CHAINED = 128,    /* or-ed in: a read-modify-write */
    ACCESS_SWAP = 256        /* or-ed in: a compare-and-swap, which may not write: see `swap` */
};

struct access {
    char *address;
    size_t bytes;  /* 1, 2, 4, 8 or 16; any number for a range */
    unsigned kind; /* enum access_kind */
    enum memory_space space;
    struct region *region; /* of MEMORY_GLOBAL, MANAGED and PINNED; else null */
    const void *site;      /* code address just after the access */
    size_t offset;         /* from the region's begin, in bytes; in shared memory see shared_layout; else 0 */
};

struct copy {
    void *to;
    const void *from; /* null for a fill */
    size_t bytes;
    void *stream;
    const void *site;
    bool asynchronous; /* cudaMemcpyAsync and similar */
};

struct join { /* see simt_count_join; an operand of one part is UINT64_MAX */
    uint64_t of[2], made;
};

struct observer {
    const char *name;
    const char *meter;       /* name of its meter, or null */
    uint64_t (*value)(void); /* the meter's value since begin_run */
    bool detailed;           /* a slow meter of every access: active only after simt_measure */
    bool of_sharing;         /* a detailed observer that simt_measure_sharing activates, too */
    bool check;              /* active unless simt_check switches checks off */
    bool (*wanted)(void);    /* if not null: active only when this returns true */
    void (*enable)(bool on); /* receives whether the observer is active from now on */
    void (*begin_run)(void);
    void (*begin_launch)(const struct launch *launch);
    void (*end_launch)(const struct launch *launch, bool faulted);
    void (*begin_block)(const struct block *block);
    void (*end_block)(const struct block *block);
    void (*access)(const struct access *access); /* a kernel's access, in bounds, before it happens */
    void (*swap)(
        const struct access *access); /* the last compare-and-swap, already passed to `access`, writes */
    void (*turn)(const struct block *block);    /* the block's turn begins: its shared memory is loaded */
    void (*leave)(const struct block *block);   /* the block's turn ends; its shared memory is still loaded */
    void (*barrier)(const struct block *block); /* all threads of the block have arrived, and none has left */
    void (*grid)(void);                         /* the same for the grid's barrier */
    void (*warp)(const struct thread *first, uint32_t mask, uint32_t arrived, int operation);
    void (*fence)(const struct thread *thread, int scope, int order);
    void (*combine)(const void *site);
    void (*join)(const struct join *join); /* of a kernel, or of host code: then there is no current_thread */
    void (*host)(const void *address, size_t bytes, unsigned kind,
                 const void *site); /* an access of host code while timeline_running */
    void (*allocate)(const struct region *region);
    void (*release)(const struct region *region);
    /* a cudaFreeAsync in its stream; the release follows */
    void (*release_queued)(const struct region *region, void *stream, const void *site);
    void (*copy)(const struct copy *copy); /* cudaMemcpy, cudaMemset: before it happens */
};

/* All observers, in the order in which their hooks are called and their meters are counted. Called once. */
void observers_register(const struct observer *const table[], size_t count);

/* Determines again which observers are active. In a sampled run none is. */
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
void observe_join(const struct join *join);
void observe_host(const void *address, size_t bytes, unsigned kind, const void *site);
void observe_allocate(const struct region *region);
void observe_release(const struct region *region);
void observe_release_queued(const struct region *region, void *stream, const void *site);
void observe_copy(const struct copy *copy);

/* The access hooks of active observers, ended by null. The access path loops over them itself. */
extern void (*observe_access_table[])(const struct access *);
extern size_t observe_access_count;

#endif
