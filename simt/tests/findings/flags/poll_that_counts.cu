/* No block sets the flag: this is a deadlock, although each iteration changes memory that only its thread uses. */
__device__ int flag, lock, guarded;

__global__ void count_turns(int *turns)
{
    while (atomicAdd(&flag, 0) == 0) turns[blockIdx.x]++;
}

__global__ void take_a_lock(int *turns)
{
    for (bool set = false; !set;) { while (atomicCAS(&lock, 0, 1) != 0) ; __threadfence(); set = guarded; __threadfence(); atomicExch(&lock, 0); }
}

int main()
{
    void (*const kernels[])(int *) = {count_turns, take_a_lock};
    int *turns, wrong = 0;
    for (auto kernel : kernels) {
        cudaMalloc(&turns, 2 * sizeof(int));
        cudaMemset(turns, 0, 2 * sizeof(int));
        kernel<<<2, 1>>>(turns);
        wrong += cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
        cudaDeviceReset();
    }
    return wrong;
}

//= poll_that_counts.cu:6  count_turns: deadlock in count_turns: no thread can go on
//=     thread 0 of block 0 spins at line 6
//=     thread 0 of block 1 spins at line 6
//=     try: who writes the flag that they read, and can that thread still run? A block may wait only for blocks that have started: number tiles with an atomic ticket
//= poll_that_counts.cu:11  take_a_lock: deadlock in take_a_lock: no thread can go on
//=     thread 0 of block 0 spins at line 11
//=     thread 0 of block 1 spins at line 11
//=     try: who writes the flag that they read, and can that thread still run? A block may wait only for blocks that have started: number tiles with an atomic ticket
