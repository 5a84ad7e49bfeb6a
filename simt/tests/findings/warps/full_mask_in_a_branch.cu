/* The shuffle's mask has the whole warp, but half of the lanes are in another branch.
 * expect: __shfl_down_sync waits for lanes that never come */
#include "pair.h"

__global__ void reduce(int *out, bool faulty)
{
    unsigned t = threadIdx.x;
    int value = (int)t;
    if (t < 16)
        value += __shfl_down_sync(faulty ? 0xffffffffu : 0x0000ffffu, value, 8, 16); //! shuffle
    __syncthreads(); //! the others
    out[t] = value;
}

PAIR(full_mask_in_a_branch)
{
    reduce<<<1, 64>>>(zeros<int>(64), faulty);
}

//= full_mask_in_a_branch.cu:10  reduce: __shfl_down_sync waits for lanes that never come
//=     lanes 0-15 wait in __shfl_down_sync(0xffffffff) at line 10
//=     lanes 16-31 wait at the block's barrier at line 11
//=     in block 0, warp 0
//=     try: let every lane that the mask names come here: move the operation out of the branch or loop, or name only the lanes that take it
