#include <cooperative_groups.h>

__global__ void step()
{
    cooperative_groups::this_grid().sync();
}

int main()
{
    step<<<2, 32>>>();
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
