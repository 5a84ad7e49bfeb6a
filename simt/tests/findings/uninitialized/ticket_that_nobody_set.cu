/* A counter from cudaMalloc that starts with an arbitrary value.
 * expect: atomic operation on uninitialized */
#include "pair.h"

__global__ void draw(unsigned *ticket, unsigned *out)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = atomicAdd(ticket, 1u); //! atomic
}

PAIR(ticket_that_nobody_set)
{
    unsigned *ticket;
    must(cudaMalloc(&ticket, sizeof *ticket));
    if (!faulty)
        must(cudaMemset(ticket, 0, sizeof *ticket));
    draw<<<4, 32>>>(ticket, zeros<unsigned>(4));
}
