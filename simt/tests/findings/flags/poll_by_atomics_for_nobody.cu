/* No block sets the flag: a deadlock, though each poll writes. */
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
