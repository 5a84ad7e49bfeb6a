/* Runs the random programs of check_race_model.c: each thread executes its list of operations. */
#include "race_model.h"

#include <cuda_runtime.h>

__device__ struct op device_ops[ALL_THREADS][MOST_OPS];
__device__ long long device_stamps[ALL_THREADS][MOST_OPS];
__device__ int global_words[WORDS];

__device__ int execute(const struct op *op, int *words)
{
    int *word = &words[op->word];
    unsigned char *byte = (unsigned char *)word + op->byte;
    switch (op->kind) {
    case OP_READ:
        return *word;
    case OP_WRITE:
        *word = (int)op->value;
        break;
    case OP_READ_BYTE:
        return *byte;
    case OP_WRITE_BYTE:
        *byte = (unsigned char)op->value;
        break;
    case OP_VOLATILE_READ:
        return *(volatile int *)word;
    case OP_VOLATILE_WRITE:
        *(volatile int *)word = (int)op->value;
        break;
    case OP_ATOMIC:
        return atomicAdd(word, 1);
    case OP_ATOMIC_BLOCK:
        return atomicAdd_block(word, 1);
#ifndef WITHOUT_FENCES /* code without fences is checked in another way */
    case OP_FENCE:
        __threadfence();
        break;
    case OP_FENCE_BLOCK:
        __threadfence_block();
        break;
#endif
    case OP_SYNCWARP:
        __syncwarp(op->value);
        break;
    case OP_BARRIER:
        __syncthreads();
        break;
    }
    return 0;
}

__global__ void interpret(int *sink)
{
    __shared__ int shared_words[WORDS];
    const unsigned me = blockIdx.x * THREADS + threadIdx.x;
    int sum = 0;
    if (threadIdx.x < WORDS)
        shared_words[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = 0; device_ops[me][i].kind != OP_END; i++) {
        const struct op op = device_ops[me][i];
        sum += execute(&op, op.shared ? shared_words : global_words);
        device_stamps[me][i] = clock64();
    }
    sink[me] = sum;
}

extern "C" __attribute__((visibility("default"))) void interpret_on_device(program ops,
                                                                           long long stamps[ALL_THREADS][MOST_OPS])
{
    static int *sink;
    if (!sink)
        cudaMalloc(&sink, ALL_THREADS * sizeof *sink);
    cudaMemcpyToSymbol(device_ops, ops, sizeof(program));
    const int zeros[WORDS] = {0};
    cudaMemcpyToSymbol(global_words, zeros, sizeof zeros);
    interpret<<<BLOCKS, THREADS>>>(sink);
    cudaMemcpyFromSymbol(stamps, device_stamps, ALL_THREADS * MOST_OPS * sizeof(long long));
}
