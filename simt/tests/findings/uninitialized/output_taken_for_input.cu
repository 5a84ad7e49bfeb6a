/* The kernel adds to the output, which has not been written yet.
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

//= output_taken_for_input.cu:9  scale: read of uninitialized out[0]
//=     thread 0 of block 0 reads 4 bytes that nothing has written since they were allocated at output_taken_for_input.cu:17
//=     none of the 128 elements of out is written so far
//=     try: cudaMalloc does not clear memory: fill it with a kernel, cudaMemcpy or cudaMemset first; is this the array, and the index, that is meant?
