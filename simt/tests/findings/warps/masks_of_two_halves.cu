/* Half of the lanes have only themselves in their mask, and the others the whole warp.
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

//= masks_of_two_halves.cu:9  vote: the lanes of one __ballot_sync name different masks
//=     lanes 0-15 wait at the block's barrier at line 10
//=     lanes 16-31 wait in __ballot_sync(0xffffffff) at line 9
//=     lane 0 came to it before with the mask 0x0000ffff
//=     in block 0, warp 0
//=     try: compute the mask once for all, before the branch: unsigned mask = __ballot_sync(0xffffffff, condition)
