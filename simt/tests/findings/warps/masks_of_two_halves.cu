/* Half of the lanes name themselves, and the others the whole warp.
 * expect: the lanes of one __ballot_sync name different masks */
#include "pair.h"

__global__ void vote(unsigned *out, bool faulty)
{
    unsigned lane = threadIdx.x % 32;
    unsigned mask = lane < 16 && faulty ? 0x0000ffffu : 0xffffffffu;
    out[threadIdx.x] = __ballot_sync(mask, lane % 3 == 0); //! vote
    __syncthreads();                                       //! the first half
}

PAIR(masks_of_two_halves)
{
    vote<<<1, 64>>>(zeros<unsigned>(64), faulty);
}
