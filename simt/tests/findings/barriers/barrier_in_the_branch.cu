/* A step of a scan with its barriers inside the branch, so that half of the threads wait at other barriers.
 * expect: threads of one block wait at different barriers */
#include "pair.h"

__global__ void step(int *data, bool faulty)
{
    __shared__ int tile[64];
    unsigned t = threadIdx.x;
    tile[t] = data[t];
    __syncthreads();
    int left = 0;
    if (t >= 32) {
        left = tile[t - 32];
        if (faulty)
            __syncthreads(); //! in the branch
    }
    __syncthreads(); //! of all
    tile[t] += left;
    __syncthreads(); /* so that the first half calls as many as the second */
    data[t] = tile[t];
}

PAIR(barrier_in_the_branch)
{
    step<<<1, 64>>>(zeros<int>(64), faulty);
}
