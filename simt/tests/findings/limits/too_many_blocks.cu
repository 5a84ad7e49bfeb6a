/* The launch has the largest grid there is, for a kernel that does nothing in almost all blocks. */
__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 0 && i < n) out[i] = i;
}

int main()
{
    const int n = 1000;
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    fill<<<2147483647, 256>>>(out, n);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= too_many_blocks.cu:13  main: fill is too slow
//=     after SOME executed instructions (the budget: 10,000,000) SOME of 2147483647 blocks are done
//=     try: so many blocks take too long even if they do nothing: divide the threads that are needed by those of a block, and round up
