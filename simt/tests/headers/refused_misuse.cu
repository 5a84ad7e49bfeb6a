/* Code that nvcc refuses too. */
#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__global__ void kernel(short *s, size_t *z, double *d, float *f, long *l)
{
    atomicAdd(s, (short)1);                                 // refused: no matching function for call to
    atomicAdd(z, (size_t)1);                                // refused: invalid conversion from
    atomicSub(f, 1.0f);                                     // refused: no matching function for call to
    atomicOr(d, 1.0);                                       // refused: no matching function for call to
    atomicInc((int *)s, 1);                                 // refused: invalid conversion from
    *l = min(*l, 3ull * *z) + min(*z, 3);                   // refused: call of overloaded
    threadIdx.x = 3;                                        // refused: read-only object
    __shfl_sync(0xffffffffu, make_float2(1, 2), 1);         // refused: no matching function for call to
}

__global__ void groups()
{
    auto block = cg::this_thread_block();
    auto odd = cg::tiled_partition<24>(block);              // refused: the size of a tile is a power of two
    auto large = cg::tiled_partition<96>(block);            // refused: the size of a tile is a power of two
    odd.sync();
    large.sync();
}
