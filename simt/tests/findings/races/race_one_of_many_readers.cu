/* A warp that has waited only for its own lanes writes what other warps may still read.
 * expect: race on shared word */
#include "pair.h"

__global__ void renew(int *out, bool faulty)
{
    __shared__ int word;
    unsigned t = threadIdx.x;
    if (t == 0)
        word = 7;
    __syncthreads();
    if (t < 32 || t == 77 || !faulty)
        out[t] = word; //! read
    if (faulty)
        __syncwarp();
    else
        __syncthreads();
    if (t == 0)
        word = 8; //! write
}

PAIR(race_one_of_many_readers)
{
    renew<<<1, 96>>>(zeros<int>(96), faulty);
}

//= race_one_of_many_readers.cu:19  renew: race on shared word
//=     thread 77 reads it at line 13, thread 0 writes it at line 19, and no barrier stands between
//=     try: if both accesses are meant, a second __syncthreads() after every thread has read its operand
