/* A maximum by atomicCAS, which another line reads plainly: no compare-and-swap finds out that this read came too early.
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
