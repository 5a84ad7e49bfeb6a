__global__ void set(int *data)
{
    extern __shared__ int tile[];
    __shared__ int more[1024];
    tile[threadIdx.x] = more[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = tile[31 - threadIdx.x] + more[31 - threadIdx.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    set<<<1, 32, 48 * 1024>>>(data);
    return cudaGetLastError() != cudaErrorInvalidValue;
}

//= launch_with_too_much_shared.cu:14  main: launch of set refused: 49152 bytes of dynamic and 4096 of static shared memory; at most 49152
//=     the kernel does not run, and later results are missing
//=     try: the third launch argument is in bytes; above 48 KiB first call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)
