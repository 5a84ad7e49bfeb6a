int table[4] = {1, 2, 3, 4};

__global__ void look_up(const int *table, int *out)
{
    out[threadIdx.x] = table[threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    look_up<<<1, 4>>>(table, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= host_variable_in_kernel.cu:5  look_up: read of host variable table[0] in a kernel
//=     thread 0 of block 0 reads 4 bytes; it is not declared __device__, so a GPU cannot reach it
//=     the kernel ends here
//=     try: pass its value as an argument, or declare it __device__ and fill it with cudaMemcpyToSymbol
