/* An index so large that it reaches the device's own variables, which the finding must not name. */
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

//= far_behind_device_array.cu:7  write_behind: write out of bounds: behind __device__ sums[15]
//=     thread 0 of block 0 writes 4 bytes; it is 2912 bytes away, where the module has no variable
//=     the kernel ends here
//=     try: check the index against the length of the __device__ array
