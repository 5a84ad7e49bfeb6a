/* A stencil in place reads what the next block writes in the same launch; it needs a second array.
 * What lanes of the block exchange before is no flag for another block.
 * expect: race on
 * also: warning: lanes of a warp rely on lockstep for shared lanes */
#include "pair.h"

__global__ void smooth(int *in, int *out, bool faulty)
{
    __shared__ volatile int lanes[32];
    lanes[threadIdx.x] = 1;
    if (!faulty)
        __syncwarp();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    int right = i + lanes[threadIdx.x ^ 1] < n ? in[i + 1] : 0; //! read
    __syncthreads();
    out[i] = right; //! write
}

PAIR(halo_of_the_next_block)
{
    int *in = zeros<int>(96), *out = zeros<int>(96);
    smooth<<<3, 32>>>(in, faulty ? in : out, faulty);
}

//= halo_of_the_next_block.cu:14  smooth: warning: lanes of a warp rely on lockstep for shared lanes[1]
//=     thread 1 writes it (volatile) at line 10, thread 0 reads it (volatile) at line 14, and no __syncwarp() makes one wait for the other
//=     in block 0
//=     try: __syncwarp() after each step: lanes of a warp need not run in lockstep, whatever is volatile
//= halo_of_the_next_block.cu:16  smooth: race on byte 128 of an allocation
//=     thread 31 of block 0 reads it at line 14, thread 0 of block 1 writes it at line 16, and nothing orders blocks of one launch
//=     try: end the kernel between the two: a second launch sees all that the first one wrote
