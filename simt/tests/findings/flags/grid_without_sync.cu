/* Blocks of a cooperative launch synchronize by grid.sync(); a barrier of the block does not synchronize the grid.
 * expect: race on */
#include "pair.h"

#include <cooperative_groups.h>

__global__ void shift(int *data, int *out, bool faulty)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    data[i] = (int)i; //! write
    if (faulty)
        __syncthreads();
    else
        cooperative_groups::this_grid().sync();
    out[i] = data[(i + 40) % n]; //! read
}

PAIR(grid_without_sync)
{
    int *data = zeros<int>(128), *out = zeros<int>(128);
    void *arguments[] = {&data, &out, &faulty};
    must(cudaLaunchCooperativeKernel((void *)shift, dim3(4), dim3(32), arguments, 0, 0));
}
