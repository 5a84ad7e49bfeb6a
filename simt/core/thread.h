/* thread.h: the running threads, blocks and launch, and the limits of the device. Internal. */
#ifndef SIMT_CORE_THREAD_H
#define SIMT_CORE_THREAD_H

#include "core/host.h"
#include "core/returns.h"
#include "simt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- limits of compute capability 9.0 ------------------------------------------------------------- */

enum {
    WARP_SIZE = 32,
    MAX_THREADS_PER_BLOCK = SIMT_BLOCK_THREADS,
    MAX_BLOCK_X = 1024,
    MAX_BLOCK_Y = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_Y = 65535,
    MAX_GRID_Z = 65535,         /* for grid x see MAX_GRID_X */
    SHARED_DEFAULT = 48 * 1024, /* bytes that any block may have */
    SHARED_OPT_IN = 227 * 1024, /* bytes that a block may have after cudaFuncSetAttribute */
    MAX_RESIDENT_BLOCKS = 256,
    STACK_BYTES = 64 * 1024 /* stack size of one thread, which is its local memory */
};
#define MAX_GRID_X 2147483647u

struct index3 {
    unsigned x, y, z;
};

/* ---- threads, blocks, launches -------------------------------------------------------------------- */

enum thread_state {
    THREAD_READY,
    THREAD_AT_BARRIER,
    THREAD_AT_WARP,
    THREAD_AT_GRID,
    THREAD_HELD,
    THREAD_EXITED
};

enum chain { CHAIN_STEPS, CHAIN_SPAN, CHAIN_INSTRUCTIONS, CHAINS };
enum share { SHARE_WORK, SHARE_JOINS, SHARE_OUTPUTS, SHARE_LOCAL, SHARE_INSTRUCTIONS, SHARES };
enum { CHAIN_POLLED = 4 /* flags that a thread may poll at the same time */ };
enum { READS_KEPT = 4 /* number of volatile reads that the race check remembers */ };

struct warp_request;
struct simt_local_memory;

/* The fields that every switch accesses come first and fill one cache line. The size is an odd number of cache lines, so
 * that these lines of neighbouring threads fall into different sets of a cache. */
struct thread {
    void *context;       /* its fiber, while it does not run */
    struct thread *next; /* ring of the block's unfinished threads, in schedule order */
    struct block *block;
    const void *wait_site;    /* code address where it waits or yielded last; null before that */
    const void *barrier_site; /* the last barrier at which it arrived; null before the first */
    uint32_t executed;        /* instructions in its turns that have ended */
    uint32_t clock;           /* its logical time: see vector_clock.h; managed by races.c */
    struct index3 index;      /* threadIdx */
    uint16_t number;          /* x + y * Dx + z * Dx * Dy */
    uint8_t state;            /* enum thread_state */
    uint8_t barrier_epoch;    /* the block's epoch at its arrival at the barrier: see thread_is_ready */

    struct vector_clock *vc; /* managed by races.c */
    struct thread *previous;
    struct warp_request *request;     /* its warp operation; valid while THREAD_AT_WARP */
    struct simt_local_memory *locals; /* its local arrays in scope, innermost first */
    const void *warp_site;            /* site of its last warp operation; null before the first */
    uint32_t warp_mask;               /* mask of that operation */
    uint32_t warp_active;             /* the last result of __activemask(); 0: never called */
    char *stack_low, *stack_high;     /* the range of its local memory */
    char *local_high;                 /* the end of the memory that it may write there: see returns.h */
    struct returns returns;
    bool begun;             /* it has run, so its stack contains frames */
    const void *left_site;  /* the `return` that ended it; null when it ran to its end */
    uint64_t path;          /* managed by divergence.c */
    uint32_t chain[CHAINS]; /* the longest chains that end in this thread; managed by chains.c */
    struct polled {
        const void *address;
        uint64_t value; /* the value that was read; hashed when it is longer */
    } polled
        [CHAIN_POLLED]; /* flags read since it last did anything else; ended by null; managed by chains.c */
    uint32_t polled_at; /* its instruction count at the last of those reads */
    uint32_t waited;    /* instructions between those reads, which become free when a flag changes */
    bool wait_over;     /* a flag has changed since the thread last met its warp */
    uint32_t share[SHARES]; /* managed by shares.c */
    struct volatile_read {
        const char *address;
        uint32_t site;
    } volatile_read[READS_KEPT]; /* the latest ones; managed by race_suspects.c */
    unsigned volatile_reads;     /* total number of volatile reads */
    uint64_t misled; /* the last launch in which it had a race or read junk; managed by finding.c */
    char unused[64];
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct thread) / 64 % 2 == 1, "the number of cache lines is odd");

struct block {
    struct thread *threads;   /* [block_threads] */
    struct thread *ring;      /* first unfinished thread in schedule order; null when all are finished */
    struct thread *resume;    /* the thread that begins the next turn; null: the first of the ring */
    struct index3 index;      /* blockIdx */
    uint64_t number;          /* x + y * Gx + z * Gx * Gy */
    unsigned unfinished;      /* threads that have not returned */
    unsigned at_barrier;      /* threads that wait at the block's barrier */
    unsigned at_grid;         /* threads that wait at the grid's barrier */
    unsigned true_count;      /* threads at the barrier whose predicate is not 0 */
    unsigned released_count;  /* threads that the last barrier released */
    unsigned released_true;   /* number of them whose predicate was not 0 */
    const void *barrier_site; /* where the first thread waits */
    uint8_t epoch;            /* block barriers passed, modulo 256 */
    bool barrier_mixed;       /* some threads wait at a different barrier in the code */
    unsigned at_warp;         /* threads that wait for their warp */
    uint64_t idle_yields;     /* yields since the last change: see schedule_progress */
    uint64_t turn_yields;     /* yields since its turn began */
    uint64_t seen_progress;   /* schedule_progress at the last yield */
    char *static_image;       /* copy of its shared memory while another block's is loaded; may be null */
    char *dynamic_image;
    uintptr_t image_begin, image_bytes; /* the range of static shared memory in static_image */
    struct race_block *races;           /* managed by races.c */
    uint64_t *written; /* a bit for each written byte of shared memory, by offset: see shared_layout */
    bool active;       /* it has started and has not finished */
};

struct launch {
    const char *kernel;      /* demangled, without parameters */
    const void *site;        /* code address of the launch */
    struct index3 grid, dim; /* gridDim, blockDim */
    unsigned block_threads;
    uint64_t grid_blocks;
    uint64_t blocks_done;
    size_t static_bytes; /* bytes of static shared memory in the kernel's module */
    char *static_base;
    size_t dynamic_bytes; /* bytes of dynamic shared memory */
    bool cooperative;
    bool harness;    /* a kernel of the harness: `kernel` is the name of the function that was called */
    uint64_t number; /* 1 for the first launch of the process */
    void *stream;
};

/* Null in host code. It is also null in other host threads while a kernel runs. */
#define current_thread (host_thread.current)

/* Null while no kernel runs. */
extern struct block *current_block;
extern struct launch *current_launch;

/* True while a stock function of the harness runs as a kernel: its accesses and combines do not count as the
 * student's. False while code of the student runs. */
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
