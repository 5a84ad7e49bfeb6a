/* A flag that is not volatile is read for ever, and no other thread gets its turn. */
__device__ int flag;

__global__ void wait(int *out, unsigned signaller)
{
    if (threadIdx.x == signaller)
        flag = 1;
    while (flag == 0) {
    }
    *out = flag;
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof *out);
    wait<<<1, 1>>>(out, 1);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
