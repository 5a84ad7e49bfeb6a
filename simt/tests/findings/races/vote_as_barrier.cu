/* __syncthreads_count is a barrier too; a vote of each warp does not synchronize the block.
 * expect: race on shared flags */
#include "pair.h"

__global__ void count(int *out, bool faulty)
{
    __shared__ int flags[64];
    unsigned t = threadIdx.x;
    flags[t] = 0;
    __syncthreads();
    flags[t] = (int)(t & 1); //! write
    int total = faulty ? __popc(__ballot_sync(0xffffffffu, t & 1)) : __syncthreads_count(t & 1);
    out[t] = total + flags[(t + 32) % 64]; //! read
}

PAIR(vote_as_barrier)
{
    count<<<1, 64>>>(zeros<int>(64), faulty);
}
