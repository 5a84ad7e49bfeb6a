__global__ void check(int n)
{
    if (threadIdx.x >= n)
        __trap();
}

int main()
{
    check<<<1, 32>>>(31);
    return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}

//= trap_in_kernel.cu:4  check: __trap() ends the kernel
//=     thread 31 of block 0 calls it
