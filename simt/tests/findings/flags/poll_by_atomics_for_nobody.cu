/* No block sets the flag: this is a deadlock, although each poll writes. */
__device__ int flag;

__global__ void wait_for_it()
{
    while (atomicAdd(&flag, 0) == 0)
        ;
}

int main()
{
    wait_for_it<<<2, 1>>>();
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= poll_by_atomics_for_nobody.cu:6  wait_for_it: deadlock in wait_for_it: no thread can go on
//=     thread 0 of block 0 spins at line 6
//=     thread 0 of block 1 spins at line 6
//=     try: who writes the flag that they read, and can that thread still run? A block may wait only for blocks that have started: number tiles with an atomic ticket
