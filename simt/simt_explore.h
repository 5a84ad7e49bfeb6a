/* simt_explore.h: every execution that the memory model allows, of programs whose threads talk by volatile and atomic accesses. Part
 * of simt.h.
 *
 * A program runs the same launches again and again, each time with the choices that the last run reports, one of them changed:
 * core/explore.h describes what is chosen. */
#ifndef SIMT_EXPLORE_API_H
#define SIMT_EXPLORE_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SIMT_CHOICES = 320, /* of a run */
    SIMT_STEPS = 96,    /* of a story */
    SIMT_CHOICE_WAIT =
        62, /* the read takes none of the options: with each of them its thread would read again */
    SIMT_CHOICE_LATER = 63 /* the read takes none of the options, although it could */
};

struct simt_explore {
    uint32_t on;        /* 1: launches are explored */
    uint32_t symmetric; /* 1: all blocks are equal, as long as no kernel reads blockIdx */
    uint32_t story;     /* 1: the steps are wanted */
    uint32_t
        choices; /* the choices of the run up to some point; from there on it chooses the newest values */
    uint8_t choice[SIMT_CHOICES];
};

/* A choice that a run has made: from which write to a place a read reads (the number of the write, 0 is what the place held before
 * the kernel); or for a write how many other writes come after it in coherence order. */
struct simt_choice {
    uint64_t options, failed; /* bits: what may be chosen; with which values the read is repeated */
    uint8_t chosen;
    uint8_t reads;   /* 1: a read; 0: a write */
    uint8_t witness; /* 1: a later write does not depend on this read, so SIMT_CHOICE_LATER is an option */
    uint8_t waits;   /* 1: the thread waits here for a value */
    uint8_t
        unstarted; /* 1: nothing that the thread has read before shows that the block which wrote the value has started */
    uint64_t by_other;     /* bits: the options that this block has written, if it is unstarted */
    uint32_t block, other; /* numbers of the reader's block and of the writer's */
    int32_t line;          /* of an unstarted one */
};

enum simt_explored_end {
    SIMT_EXPLORED_NOT,   /* not explored: see `why` */
    SIMT_EXPLORED_WHOLE, /* an execution up to its end */
    SIMT_EXPLORED_STUCK, /* one in which threads wait for ever */
    SIMT_EXPLORED_AGAIN, /* the thread of `failed_choice` does not take that value; or run it again with the same choices */
    SIMT_EXPLORED_REDUNDANT, /* the choices lead to no other execution than others do */
    SIMT_EXPLORED_ENDS
};

enum simt_unexplored {
    SIMT_UNEXPLORED_NOTHING,
    SIMT_UNEXPLORED_OVERLAP, /* strong accesses that overlap and differ in address or size */
    SIMT_UNEXPLORED_PLAIN,   /* a plain write to a place that is also accessed strongly */
    SIMT_UNEXPLORED_MUCH,    /* too many strong accesses, places, writes to a place or choices */
    SIMT_UNEXPLORED_DIFFERENT, /* the same choices lead to another run: something else than the choices decides */
    SIMT_UNEXPLORED_BLOCKS,  /* too many blocks to run at the same time */
    SIMT_UNEXPLORED_STREAMS, /* kernels may run at the same time */
    SIMT_UNEXPLORED_REASONS
};

/* A strong access of a run, in the order of the run. */
struct simt_step {
    uint32_t thread[3], block[3];
    int32_t line;
    uint8_t reads, writes;
    uint8_t stale;         /* 1: it reads an older value than the newest one */
    uint32_t bytes, place; /* bytes of the place, and its offset in its allocation */
    int32_t allocated;     /* line of the cudaMalloc; 0: unknown, or another kind of memory */
    char name[24];         /* of an array of the harness */
    uint64_t read, written;
    int32_t from; /* the step that has written what it reads; -1: no step */
};

struct simt_explored {
    uint32_t end;           /* enum simt_explored_end */
    uint32_t why;           /* enum simt_unexplored */
    uint32_t index_read;    /* 1: a kernel has read blockIdx although blocks should be equal */
    uint32_t failed_choice; /* UINT32_MAX: none */
    uint32_t blocks, events;
    uint32_t choices, steps;
    struct simt_choice choice[SIMT_CHOICES];
    struct simt_step step[SIMT_STEPS];
};

/* For all later launches, until the next call. */
void simt_set_explore(const struct simt_explore *explore);

/* What launches have done since then. */
const struct simt_explored *simt_get_explored(void);

#ifdef __cplusplus
}
#endif

#endif
