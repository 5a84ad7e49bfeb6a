__global__ void set(int *data)
{
    data[threadIdx.x] = 1;
}

int main()
{
    int *data, n = 0;
    cudaMalloc(&data, sizeof(int));
    set<<<(n + 31) / 32, 32>>>(data);
    return cudaGetLastError() != cudaErrorInvalidValue;
}

//= launch_of_no_blocks.cu:10  main: launch of set refused: a grid of 0 x 1 x 1 blocks
//=     the kernel does not run, and later results are missing
//=     try: is the number of blocks rounded up, (n + threads - 1) / threads? When n is 0, return before the launch
