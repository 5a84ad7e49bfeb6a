/* The mask lacks the lane that calls.
 * expect: lane */
#include "pair.h"

__global__ void shift(int *out, bool faulty)
{
    unsigned t = threadIdx.x;
    out[t] = __shfl_up_sync(faulty ? 0x7fffffffu : 0xffffffffu, (int)t, 1); //! shuffle
}

PAIR(lane_not_in_its_mask)
{
    shift<<<1, 32>>>(zeros<int>(32), faulty);
}

//= lane_not_in_its_mask.cu:8  shift: lane 31 is not in the mask 0x7fffffff of its own warp operation
//=     thread 31 of block 0 calls it
//=     try: name every lane that takes part: 0xffffffff for the whole warp
