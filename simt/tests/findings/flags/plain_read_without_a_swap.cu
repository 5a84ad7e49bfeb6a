/* A maximum by atomicCAS, and a plain read on another line: no compare-and-swap detects that it was too early.
 * expect: race on */
#include "pair.h"

__global__ void maximum(int *most, int *seen, bool faulty)
{
    const int mine = blockIdx.x * blockDim.x + threadIdx.x;
    int old = *(volatile int *)most, assumed;
    while (old < mine) {
        assumed = old;
        old = atomicCAS(most, assumed, mine); //! swap
        if (old == assumed)
            break;
    }
    seen[mine] = faulty ? *most //! read
                        : atomicAdd(most, 0);
}

PAIR(plain_read_without_a_swap)
{
    maximum<<<2, 64>>>(zeros<int>(1), zeros<int>(128), faulty);
}
