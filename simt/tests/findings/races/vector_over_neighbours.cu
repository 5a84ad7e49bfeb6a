/* One thread reads four elements as a float4 while others write them.
 * expect: race on shared row */
#include "pair.h"

__global__ void gather(float4 *out, bool faulty)
{
    __shared__ __align__(16) float row[64];
    unsigned t = threadIdx.x;
    row[t] = 0;
    __syncthreads();
    row[t] = (float)t; //! write
    if (!faulty)
        __syncthreads();
    if (t < 16)
        out[t] = ((const float4 *)row)[t]; //! read
}

PAIR(vector_over_neighbours)
{
    gather<<<1, 64>>>(zeros<float4>(16), faulty);
}
