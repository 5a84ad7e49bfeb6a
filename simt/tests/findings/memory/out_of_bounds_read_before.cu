/* Thread 0 reads the element before the first. */
__global__ void shift(const int *in, int *out)
{
    out[threadIdx.x] = in[(int)threadIdx.x - 1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    shift<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= out_of_bounds_read_before.cu:4  shift: read out of bounds: in[-1]
//=     thread 0 of block 0 reads 4 bytes; in has 32 elements
//=     the kernel ends here
//=     try: check the index arithmetic: is the index below 0?
