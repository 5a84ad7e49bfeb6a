/* A tile that is longer than the input: the threads past the end must store a neutral value.
 * expect: read of uninitialized shared tile */
#include "pair.h"

__global__ void sum(const int *in, int *out, int n, bool faulty)
{
    __shared__ int tile[64];
    int t = (int)threadIdx.x;
    if (t < n)
        tile[t] = in[t];
    else if (!faulty)
        tile[t] = 0;
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        int right = t < stride ? tile[t + stride] : 0; //! read
        __syncthreads();
        if (t < stride)
            tile[t] += right;
        __syncthreads();
    }
    if (t == 0)
        *out = tile[0];
}

PAIR(uninitialized_shared)
{
    sum<<<1, 64>>>(zeros<int>(50), zeros<int>(1), 50, faulty);
}

//= uninitialized_shared.cu:15  sum: read of uninitialized shared tile[50]
//=     thread 18 of block 0 reads 4 bytes that nothing has written since the block began
//=     written so far: elements 0-49 of the 64 of tile
//=     try: is this the index that is meant? Then some thread must store this element first, past the end of the input a value that changes no result, with a __syncthreads() between that store and this read
