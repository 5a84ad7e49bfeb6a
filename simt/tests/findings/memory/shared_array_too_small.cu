/* The tile has as many elements as threads, but the tree needs twice as many. */
__global__ void load(const float *in, float *out)
{
    __shared__ float tile[64];
    tile[2 * threadIdx.x] = in[2 * threadIdx.x];
    tile[2 * threadIdx.x + 1] = in[2 * threadIdx.x + 1];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMemset(in, 0, 128 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    load<<<1, 64>>>(in, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= shared_array_too_small.cu:5  load: index out of bounds: tile[64]
//=     thread 32 of block 0; the array is float [64]
//=     the kernel ends here
//=     try: guard the access, or make the array as long as the largest index needs
