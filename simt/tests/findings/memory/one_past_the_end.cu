/* The last thread reads one element past the end.
 * expect: read out of bounds */
#include "pair.h"

__global__ void differences(const int *in, int *out, unsigned n, bool faulty)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (faulty ? n : n - 1))
        out[i] = in[i + 1] - in[i]; //! read
}

PAIR(one_past_the_end)
{
    differences<<<2, 32>>>(zeros<int>(64), zeros<int>(64), 64, faulty);
}
