__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaFree(data);
    set<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= kernel_uses_freed_memory.cu:3  set: write of freed memory: data[0]
//=     thread 0 of block 0 writes 4 bytes; it was allocated at kernel_uses_freed_memory.cu:9 and freed at kernel_uses_freed_memory.cu:10
//=     the kernel ends here
//=     try: free device memory only after the last kernel that uses it
