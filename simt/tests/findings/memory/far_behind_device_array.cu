/* So far that the device's own variables lie there: nobody is told of those. */
__device__ int sums[16];

__global__ void write_behind(int i)
{
    int *at = sums;
    at[i] = 1;
}

int main()
{
    write_behind<<<1, 1>>>(1000);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
