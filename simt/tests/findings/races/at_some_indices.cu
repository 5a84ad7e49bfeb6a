/* Only the elements at the border of two tiles collide.
 * expect: race on */
#include "pair.h"

__global__ void write_tiles(int *out, bool faulty)
{
    unsigned width = faulty ? 31 : 32;
    out[blockIdx.x * width + threadIdx.x] = (int)(blockIdx.x * 100 + threadIdx.x); //! write
}

PAIR(at_some_indices)
{
    write_tiles<<<3, 32>>>(zeros<int>(96), faulty);
}
