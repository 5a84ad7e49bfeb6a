/* A shift by the width of a type: a GPU shifts all bits out, but this processor none.
 * expect: a value of 32 bits is shifted by 32 */
#include "pair.h"

__global__ void lanes_before(unsigned ballot, int *out, bool faulty)
{
    const unsigned lane = threadIdx.x;
    if (!faulty && lane == 0)
        out[lane] = 0;
    else
        out[lane] = __popc(ballot << (32 - lane)); //! both
}

PAIR(shift_by_the_width)
{
    lanes_before<<<1, 32>>>(0xf0f0f0f0u, zeros<int>(32), faulty);
}

/* expect: a value of 64 bits is shifted by -1 */
__global__ void halves(long long *out, int count)
{
    out[threadIdx.x] = (long long)threadIdx.x >> count; //! both
}

PAIR(shift_by_a_negative_count)
{
    halves<<<1, 32>>>(zeros<long long>(32), faulty ? -1 : 1);
}
