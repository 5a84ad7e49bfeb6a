/* A carry from round to round that is not set before the first round.
 * expect: read of uninitialized shared carry */
#include "pair.h"

__global__ void rounds(const int *in, int *out, bool faulty)
{
    __shared__ int carry;
    unsigned t = threadIdx.x;
    if (!faulty && t == 0)
        carry = 0;
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        int value = in[round * 32 + t] + carry; //! read
        out[round * 32 + t] = value;
        __syncthreads();
        if (t == 31)
            carry = value;
        __syncthreads();
    }
}

PAIR(carry_of_the_first_round)
{
    rounds<<<1, 32>>>(zeros<int>(96), zeros<int>(96), faulty);
}
