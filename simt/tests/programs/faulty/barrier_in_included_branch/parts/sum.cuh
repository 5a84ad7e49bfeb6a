#ifndef SUM_CUH
#define SUM_CUH
/* The body of the loop is in a file of its own, which kernels of several types share. */
static __global__ void sum_ints(const int *in, int *out)
{
    extern __shared__ int buffer[];
    const int t = threadIdx.x;
    buffer[t] = in[t];
    __syncthreads();
#include "tree.inl"
    if (t == 0)
        *out = buffer[0];
}
#endif
