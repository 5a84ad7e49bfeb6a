/* The output is added to, and nobody has written it yet.
 * expect: read of uninitialized */
#include "pair.h"

__global__ void scale(const float *in, float *out, bool faulty)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (faulty)
        out[i] += 2 * in[i]; //! read
    else
        out[i] = 2 * in[i];
}

PAIR(output_taken_for_input)
{
    float *out;
    must(cudaMalloc(&out, 128 * sizeof *out));
    scale<<<4, 32>>>(zeros<float>(128), out, faulty);
}
