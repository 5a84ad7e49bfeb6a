/* A vote in one branch and a shuffle in the other, both of the whole warp.
 * expect: the lanes of a warp wait in different operations */
#include "pair.h"

__global__ void work(int *out, bool faulty)
{
    unsigned t = threadIdx.x;
    int any = 0, value = (int)t;
    if (!faulty) {
        any = __any_sync(0xffffffffu, t == 3);
        value = __shfl_xor_sync(0xffffffffu, value, 1);
    } else if (t % 2) {
        any = __any_sync(0xffffffffu, t == 3); //! odd lanes
    } else {
        value = __shfl_xor_sync(0xffffffffu, value, 1); //! even lanes
    }
    __syncthreads();
    out[t] = any + value;
}

PAIR(lanes_at_different_operations)
{
    work<<<1, 32>>>(zeros<int>(32), faulty);
}

//= lanes_at_different_operations.cu:15  work: the lanes of a warp wait in different operations: __shfl_xor_sync and __any_sync
//=     lanes 0, 2, 4 ... 30 wait in __shfl_xor_sync(0xffffffff) at line 15
//=     lanes 1, 3, 5 ... 31 wait in __any_sync(0xffffffff) at line 13
//=     in block 0, warp 0
//=     try: let every lane that the mask names come here: move the operation out of the branch or loop, or name only the lanes that take it
