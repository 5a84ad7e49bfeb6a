/* thread.h: the threads, blocks and launch that run, and the limits of the device. Internal. */
#ifndef SIMT_CORE_THREAD_H
#define SIMT_CORE_THREAD_H

#include "core/host.h"
#include "core/returns.h"
#include "simt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- limits, those of compute capability 9.0 ------------------------------------------------------ */

enum {
    WARP_SIZE = 32,
    MAX_THREADS_PER_BLOCK = SIMT_BLOCK_THREADS,
    MAX_BLOCK_X = 1024,
    MAX_BLOCK_Y = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_Y = 65535,
    MAX_GRID_Z = 65535,         /* grid x: MAX_GRID_X */
    SHARED_DEFAULT = 48 * 1024, /* bytes a block gets without asking */
    SHARED_OPT_IN = 227 * 1024, /* bytes a block gets after cudaFuncSetAttribute */
    MAX_RESIDENT_BLOCKS = 256,
    STACK_BYTES = 64 * 1024 /* of one thread: its local memory */
};
#define MAX_GRID_X 2147483647u

struct index3 {
    unsigned x, y, z;
};

/* ---- threads, blocks, launches -------------------------------------------------------------------- */

enum thread_state { THREAD_READY, THREAD_AT_BARRIER, THREAD_AT_WARP, THREAD_AT_GRID, THREAD_EXITED };

enum chain { CHAIN_STEPS, CHAIN_SPAN, CHAIN_INSTRUCTIONS, CHAINS };
enum share { SHARE_WORK, SHARE_JOINS, SHARE_OUTPUTS, SHARE_LOCAL, SHARE_INSTRUCTIONS, SHARES };
enum { CHAIN_POLLED = 4 /* flags that a thread may poll at once */ };
enum { READS_KEPT = 4 /* volatile reads that the race check remembers */ };

struct warp_request;
struct simt_local_memory;

/* What every switch touches comes first and fills one cache line. */
struct thread {
    void *context;       /* the fiber while it does not run */
    struct thread *next; /* ring of the block's unfinished threads, in schedule order */
    struct block *block;
    const void *wait_site; /* code address where it waits, or last yielded; null before that */
    enum thread_state state;
    bool begun;              /* it has run, so its stack holds frames */
    uint32_t barrier_epoch;  /* the block's epoch when it arrived at the barrier: see thread_is_ready */
    struct index3 index;     /* threadIdx */
    unsigned number;         /* x + y * Dx + z * Dx * Dy */
    uint32_t clock;          /* its logical time, kept by races.c: see vector_clock.h */
    struct vector_clock *vc; /* kept by races.c, too */

    struct thread *previous;
    struct warp_request *request;     /* its warp operation; valid while THREAD_AT_WARP */
    struct simt_local_memory *locals; /* its local arrays in scope, the innermost first */
    const void *warp_site;            /* of its last warp operation; null before the first */
    uint32_t warp_mask;               /* of that operation */
    uint32_t warp_active;             /* what __activemask() returned last; 0: it was never called */
    char *stack_low, *stack_high;     /* its local memory */
    char *local_high;                 /* the end of what it may write there: see returns.h */
    struct returns returns;
    const void *barrier_site; /* of the last barrier that it arrived at; null before the first */
    const void *left_site;    /* of the `return` that ended it; null when it came to its end */
    uint64_t path;            /* kept by divergence.c */
    uint32_t chain[CHAINS];   /* the longest chains that end in it; kept by chains.c */
    struct polled {
        const void *address;
        uint64_t value; /* that it had; hashed when it is longer */
    } polled
        [CHAIN_POLLED]; /* flags that it has read, doing nothing else since; up to a null; kept by chains.c */
    uint32_t polled_at; /* its instructions at the last of those reads */
    uint32_t share[SHARES]; /* kept by shares.c */
    struct volatile_read {
        const char *address;
        uint32_t site;
    } volatile_read[READS_KEPT]; /* the last few; kept by race_suspects.c */
    unsigned volatile_reads;     /* how many there were */
} __attribute__((aligned(64)));

struct block {
    struct thread *threads;   /* [block_threads] */
    struct thread *ring;      /* first unfinished thread in schedule order; null when all finished */
    struct thread *resume;    /* where its next turn begins; null: at the ring's first */
    struct index3 index;      /* blockIdx */
    uint64_t number;          /* x + y * Gx + z * Gx * Gy */
    unsigned unfinished;      /* threads that have not returned */
    unsigned at_barrier;      /* threads that wait at the block's barrier */
    unsigned at_grid;         /* threads that wait at the grid's barrier */
    unsigned true_count;      /* threads at the barrier whose predicate is true */
    unsigned released_count;  /* threads that passed the last barrier */
    unsigned released_true;   /* how many of them had a true predicate */
    const void *barrier_site; /* where the first thread waits */
    bool barrier_mixed;       /* other threads wait at another barrier in the code */
    unsigned at_warp;         /* threads that wait for their warp */
    uint32_t epoch;           /* block barriers passed */
    uint64_t idle_yields;     /* yields since something changed: see schedule_progress */
    uint64_t turn_yields;     /* yields since its turn began */
    uint64_t seen_progress;   /* schedule_progress at the last yield */
    char *static_image;       /* shared memory while another block's is loaded; null for one resident block */
    char *dynamic_image;
    uintptr_t image_begin, image_bytes; /* what of static shared memory is in its image */
    struct race_block *races;           /* kept by races.c */
    uint64_t *written; /* a bit for each byte of its shared memory, by offset: see shared_layout */
    bool active;       /* started and not finished */
};

struct launch {
    const char *kernel;      /* its name, demangled, without parameters */
    const void *site;        /* code address of the launch */
    struct index3 grid, dim; /* gridDim, blockDim */
    unsigned block_threads;
    uint64_t grid_blocks;
    uint64_t blocks_done;
    size_t static_bytes; /* static shared memory of the kernel's module */
    char *static_base;
    size_t dynamic_bytes; /* dynamic shared memory */
    bool cooperative;
    bool harness;    /* a kernel of the harness's: `kernel` names the function that was called */
    uint64_t number; /* 1 for the first launch of the process */
    void *stream;
};

/* Null in host code, also in that of other host threads while a kernel runs. */
#define current_thread (host_thread.current)

/* Null while no kernel runs. */
extern struct block *current_block;
extern struct launch *current_launch;

/* A stock function of the harness runs as a kernel: its accesses and combines do not count as the student's. Never set
 * while code of the student runs. */
extern bool harness_works;

/* A barrier releases all its threads at once by starting the next epoch. */
static inline bool thread_is_ready(const struct thread *thread)
{
    return thread->state == THREAD_READY ||
           (thread->state == THREAD_AT_BARRIER && thread->barrier_epoch != thread->block->epoch);
}

static inline unsigned thread_lane(const struct thread *thread)
{
    return thread->number % WARP_SIZE;
}

#endif
