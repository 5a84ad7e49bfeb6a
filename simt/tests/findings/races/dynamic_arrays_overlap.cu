/* Two arrays in dynamic shared memory overlap: the second one begins too early.
 * expect: race on dynamic shared memory */
#include "pair.h"

__global__ void two_arrays(int *out, bool faulty)
{
    extern __shared__ int memory[];
    unsigned t = threadIdx.x;
    int *first = memory, *second = memory + (faulty ? 32 : 64);
    first[t] = (int)t; //! write
    second[t] = -(int)t; //! write
    __syncthreads();
    out[t] = first[t] + second[t];
}

PAIR(dynamic_arrays_overlap)
{
    two_arrays<<<1, 64, 128 * sizeof(int)>>>(zeros<int>(64), faulty);
}
