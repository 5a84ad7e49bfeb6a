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

//= grid_barrier_in_ordinary_launch.cu:5  step: step synchronizes its grid, and its launch is not cooperative
//=     blocks of an ordinary launch need not run at the same time, so they cannot wait for each other
//=     try: launch it with cudaLaunchCooperativeKernel
