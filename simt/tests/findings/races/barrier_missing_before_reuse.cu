/* A tile in shared memory is used in several rounds: it must not be filled while other threads still read it.
 * expect: race on shared tile */
#include "pair.h"

__global__ void sum_rounds(const int *in, int *out, bool faulty)
{
    __shared__ int tile[64];
    unsigned t = threadIdx.x;
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        tile[t] = in[round * 64 + t]; //! write
        __syncthreads();
        sum += tile[63 - t]; //! read
        if (!faulty)
            __syncthreads();
    }
    out[t] = sum;
}

PAIR(barrier_missing_before_reuse)
{
    sum_rounds<<<1, 64>>>(zeros<int>(256), zeros<int>(64), faulty);
}
