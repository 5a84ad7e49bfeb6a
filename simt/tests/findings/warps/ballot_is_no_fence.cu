/* A ballot orders no memory, either. One warp per block, several blocks.
 * expect: race on shared kept */
#include "pair.h"

__global__ void compact(const int *in, int *out, bool faulty)
{
    __shared__ int kept[32];
    unsigned t = threadIdx.x;
    kept[t] = 0;
    __syncwarp();
    bool keep = (in[blockIdx.x * 32 + t] + t) % 3 == 0;
    unsigned all = __ballot_sync(0xffffffffu, keep);
    if (keep)
        kept[__popc(all & ((1u << t) - 1))] = (int)t; //! write
    if (!faulty)
        __syncwarp();
    out[blockIdx.x * 32 + t] = kept[t]; //! read
}

PAIR(ballot_is_no_fence)
{
    compact<<<3, 32>>>(zeros<int>(96), zeros<int>(96), faulty);
}
