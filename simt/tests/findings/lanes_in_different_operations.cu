/* Each branch has an operation of its own, and both name the whole warp. */
__global__ void both(int *out)
{
    unsigned t = threadIdx.x;
    int value = (int)t;
    if (t % 2)
        value = __shfl_down_sync(0xffffffffu, value, 1);
    else
        __syncwarp();
    out[t] = value;
    __syncthreads();
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    both<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error == cudaSuccess;
}
