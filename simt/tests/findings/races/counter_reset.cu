/* The block that draws the last number may reset the counter, because all others have drawn. The first one may not.
 * expect: race on __device__ counter */
#include "pair.h"

__device__ unsigned counter;

__global__ void draw(unsigned *out, bool faulty)
{
    __shared__ unsigned mine;
    if (threadIdx.x == 0)
        mine = atomicAdd(&counter, 1u); //! draws
    __syncthreads();
    if (threadIdx.x == 1 && mine == (faulty ? 0 : gridDim.x - 1))
        counter = 0; //! resets
    if (threadIdx.x == 0)
        out[blockIdx.x] = mine;
}

PAIR(counter_reset)
{
    draw<<<6, 64>>>(zeros<unsigned>(6), faulty);
    if (!faulty)
        draw<<<6, 64>>>(zeros<unsigned>(6), faulty);
}
