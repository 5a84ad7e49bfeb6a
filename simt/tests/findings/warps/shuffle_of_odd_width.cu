__global__ void rotate(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffffu, (int)threadIdx.x, 1, 12);
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    rotate<<<1, 32>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(out);
    return error != cudaSuccess;
}

//= shuffle_of_odd_width.cu:3  rotate: __shfl_sync with a width of 12
//=     try: the width is 1, 2, 4, 8, 16 or 32
