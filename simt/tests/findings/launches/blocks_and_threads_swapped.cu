/* The number of blocks comes first in a launch. When the two are exchanged, each block has only one thread. */
__global__ void number(int *data)
{
    data[threadIdx.x] = 7;
}

int main()
{
    int *data, n = 3;
    cudaMalloc(&data, n * sizeof(int));
    number<<<n, 1>>>(data);
    number<<<n / 4, 1>>>(data);
    const bool refused = cudaGetLastError() == cudaErrorInvalidValue;
    cudaFree(data);
    return !refused;
}

//= blocks_and_threads_swapped.cu:4  number: warning: the same value is written several times to data[0]
//=     thread 0 of block 0 writes it at line 4, thread 0 of block 1 writes it at line 4, the same value, and nothing orders them
//=     try: each block has only one thread: in <<<blocks, threads>>> the number of blocks comes first
//= blocks_and_threads_swapped.cu:12  main: launch of number refused: a grid of 0 x 1 x 1 blocks
//=     the kernel does not run, and later results are missing
//=     try: each block has only one thread: in <<<blocks, threads>>> the number of blocks comes first. When n is 0, return before the launch
