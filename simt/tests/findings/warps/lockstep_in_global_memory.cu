/* The last steps of a reduction in global memory, written for warps whose lanes ran in lockstep. There is no flag, so no fence
 * is missing.
 * expect: warning: lanes of a warp rely on lockstep for */
#include "pair.h"

__global__ void sum(volatile int *data, bool faulty)
{
    const int lane = threadIdx.x;
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance)
            data[lane] += data[lane + distance]; //! read, write
        if (!faulty)
            __syncwarp();
    }
}

PAIR(lockstep_in_global_memory)
{
    sum<<<1, 32>>>(zeros<int>(64), faulty);
}
