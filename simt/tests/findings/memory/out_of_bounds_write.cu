/* The guard compares with <= and lets one thread too many through. */
__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = i;
}

int main()
{
    int *out;
    cudaMalloc(&out, 33 * sizeof(int));
    fill<<<2, 32>>>(out, 33);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

//= out_of_bounds_write.cu:6  fill: write out of bounds: out[33]
//=     thread 1 of block 1 writes 4 bytes; out has 132 bytes, for 33 elements, made at out_of_bounds_write.cu:12
//=     the kernel ends here
//=     try: guard the access: threads whose index is not below n must not touch memory; or is the allocation too small? Its size is in bytes
