/* Threads that go past a barrier and are gone when the others wait at it: at the end of the kernel, and by a `return`
 * below it. */
__global__ void to_the_end(int *data, int n)
{
    if (threadIdx.x < n) {
        __syncthreads();
        data[threadIdx.x] = 1;
    }
}

__global__ void to_a_return(int *data, int n)
{
    if (threadIdx.x < n)
        __syncthreads();
    if (threadIdx.x >= n)
        return;
    data[threadIdx.x] = 1;
}

__global__ void out_of_the_loop(int *data, int n)
{
    for (unsigned stride = 1; stride < n; stride *= 2) {
        if (threadIdx.x < stride)
            break;
        __syncthreads();
        data[threadIdx.x] += 1;
    }
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    to_the_end<<<1, 32>>>(data, 20);
    to_a_return<<<1, 32>>>(data, 20);
    out_of_the_loop<<<1, 32>>>(data, 20);
    return cudaDeviceSynchronize() != cudaSuccess;
}
