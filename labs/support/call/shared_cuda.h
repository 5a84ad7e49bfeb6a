/* shared_cuda.h: memory of a GPU that one process makes and another one maps (CUDA's virtual memory management).
 *
 * The owner sends the descriptor over a Unix socket. A process that has not received it cannot reach the memory: it
 * has neither a name nor an address that could be guessed. Memory exists until both have dropped it. */
#ifndef LABS_SHARED_CUDA_H
#define LABS_SHARED_CUDA_H

#include <stddef.h>
#include <stdint.h>

struct shared_memory {
    void *pointer;   /* on the device; null: nothing is mapped */
    size_t bytes;    /* size of the mapping, a multiple of the device's granularity */
    uint64_t handle; /* the driver's number for the memory in this process */
    int descriptor;  /* of the owner; -1: none */
};

/* Makes memory of at least `bytes` bytes, at least one, on the current device. Returns null, or why there is none; then
 * nothing has to be dropped. */
const char *shared_make(size_t bytes, struct shared_memory *memory);

/* Maps the memory of a received descriptor, which can be closed afterwards. `bytes` is as for shared_make. */
const char *shared_map(int descriptor, size_t bytes, struct shared_memory *memory);

/* Unmaps the memory and closes the owner's descriptor. Nothing happens if nothing is mapped. */
void shared_drop(struct shared_memory *memory);

#endif
