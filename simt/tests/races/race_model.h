/* race_model.h: random programs for the race check, run by interpret.cu and judged by check_race_model.c. */
#ifndef RACE_MODEL_H
#define RACE_MODEL_H

enum { BLOCKS = 12, THREADS = 64, ALL_THREADS = BLOCKS * THREADS, MOST_OPS = 24, WORDS = 3 };

enum op_kind {
    OP_END,
    OP_READ,
    OP_WRITE,
    OP_READ_BYTE,
    OP_WRITE_BYTE,
    OP_VOLATILE_READ,
    OP_VOLATILE_WRITE,
    OP_ATOMIC,
    OP_ATOMIC_BLOCK,
    OP_FENCE,
    OP_FENCE_BLOCK,
    OP_SYNCWARP,
    OP_BARRIER
};

struct op {
    unsigned char kind;
    unsigned char shared; /* 1 for shared memory, 0 for global memory */
    unsigned char word, byte;
    unsigned value; /* the value to write, or the mask of an OP_SYNCWARP */
};

/* A program: [ALL_THREADS][MOST_OPS], where OP_END ends each thread's operations. */
typedef struct op program[ALL_THREADS][MOST_OPS];

#ifdef __cplusplus
extern "C"
#endif
    /* Runs a program. stamps[thread][i] is a number that grows from operation to operation in the order in which they
     * happened. */
    void
    interpret_on_device(program ops, long long stamps[ALL_THREADS][MOST_OPS]);

#endif
