__device__ int depth(const int *in, int n)
{
    return in[n & 31] + depth(in, n + 1) + 1;
}

__global__ void recurse(const int *in, int *out)
{
    out[threadIdx.x] = depth(in, 0);
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    recurse<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
