/* The mask leaves out the lane that calls.
 * expect: lane */
#include "pair.h"

__global__ void shift(int *out, bool faulty)
{
    unsigned t = threadIdx.x;
    out[t] = __shfl_up_sync(faulty ? 0x7fffffffu : 0xffffffffu, (int)t, 1); //! shuffle
}

static void run(bool faulty)
{
    shift<<<1, 32>>>(zeros<int>(32), faulty);
}
