/* The mask leaves out the lane that calls.
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
