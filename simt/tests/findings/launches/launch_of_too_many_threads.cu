__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 2048 * sizeof(int));
    set<<<1, 2048>>>(data);
    return cudaGetLastError() != cudaErrorInvalidValue || cudaDeviceSynchronize() != cudaSuccess;
}

//= launch_of_too_many_threads.cu:10  main: launch of set refused: a block of 2048 x 1 x 1 = 2048 threads; at most 1024, and 64 in z
//=     the kernel does not run, and later results are missing
//=     try: use more blocks of fewer threads
