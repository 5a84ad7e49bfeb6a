__global__ void wait(volatile int *flag, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    __syncthreads();
    out[threadIdx.x] = 1;
}

int main()
{
    int *flag, *out;
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    wait<<<1, 64>>>(flag, out);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= flag_that_nobody_sets.cu:4  wait: deadlock in wait: no thread can go on
//=     thread 0 of block 0 spins at line 4
//=     threads 1-63 of block 0 wait at the block's barrier at line 6
//=     try: who writes the flag that they read, and can that thread still run? A block may wait only for blocks that have started: number tiles with an atomic ticket
