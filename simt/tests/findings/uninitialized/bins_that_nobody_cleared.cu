/* A histogram in shared memory that starts with what an earlier block left there.
 * expect: atomic operation on uninitialized shared bins */
#include "pair.h"

__global__ void count(const unsigned *in, unsigned *out, bool faulty)
{
    __shared__ unsigned bins[16];
    unsigned t = threadIdx.x;
    if (t < 16 && !faulty)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % 16], 1u); //! atomic
    __syncthreads();
    if (t < 16)
        atomicAdd(&out[t], bins[t % (faulty ? 1 : 16)]);
}

PAIR(bins_that_nobody_cleared)
{
    count<<<2, 64>>>(zeros<unsigned>(64), zeros<unsigned>(16), faulty);
}
