/* Bits have no addresses of their own: word |= bit needs atomicOr.
 * expect: race on shared bits */
#include "pair.h"

__global__ void mark(unsigned *out, bool faulty)
{
    __shared__ unsigned bits[2];
    unsigned t = threadIdx.x;
    if (t < 2)
        bits[t] = 0;
    __syncthreads();
    if (t % 3 == 0) {
        if (faulty)
            bits[t / 32] |= 1u << t % 32; //! both
        else
            atomicOr(&bits[t / 32], 1u << t % 32);
    }
    __syncthreads();
    if (t < 2)
        out[t] = bits[t];
}

PAIR(bits_of_one_word)
{
    mark<<<1, 64>>>(zeros<unsigned>(2), faulty);
}
