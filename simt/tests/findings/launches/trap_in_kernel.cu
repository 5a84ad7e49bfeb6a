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
