/* The lower half names itself, the upper half the whole warp. */
__global__ void sum(int *out)
{
    unsigned lane = threadIdx.x % 32;
    int value = 1;
    value += __shfl_xor_sync(lane < 16 ? 0x0000ffffu : 0xffffffffu, value, 1);
    __syncthreads();
    out[threadIdx.x] = value;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    sum<<<1, 64>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error == cudaSuccess;
}
