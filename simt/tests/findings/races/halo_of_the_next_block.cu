/* A stencil in place reads what the next block writes in the same launch; it needs a second array.
 * expect: race on */
#include "pair.h"

__global__ void smooth(int *in, int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    int right = i + 1 < n ? in[i + 1] : 0; //! read
    __syncthreads();
    out[i] = right; //! write
}

PAIR(halo_of_the_next_block)
{
    int *in = zeros<int>(96), *out = zeros<int>(96);
    smooth<<<3, 32>>>(in, faulty ? in : out);
}

//= halo_of_the_next_block.cu:10  smooth: race on byte 128 of an allocation
//=     thread 31 of block 0 reads it at line 8, thread 0 of block 1 writes it at line 10, and nothing orders blocks of one launch
//=     try: end the kernel between the two: a second launch sees all that the first one wrote
