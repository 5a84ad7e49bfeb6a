/* Ways to wait for another block that work in any order of blocks: an atomic operation that changes nothing, one that
 * writes the old value, a counter in memory, and polling under a lock. */
__device__ int flag, lock, guarded;
__device__ unsigned arrived;

__global__ void by_atomic_add(int *turns)
{
    if (blockIdx.x == 0)
        atomicExch(&flag, 1);
    else
        while (atomicAdd(&flag, 0) == 0)
            ;
}

__global__ void by_exchange(int *turns)
{
    if (blockIdx.x == 1) {
        while (atomicExch(&lock, 1) != 0)
            ;
        atomicExch(&lock, 0);
    } else {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        atomicExch(&lock, 0);
    }
}

__global__ void counting(int *turns)
{
    __shared__ int local;
    local = 0;
    if (blockIdx.x == 0)
        atomicExch(&flag, 1);
    else
        while (atomicAdd(&flag, 0) == 0) {
            turns[blockIdx.x]++;
            local++;
        }
}

__global__ void under_a_lock(int *turns)
{
    for (bool done = false; !done;) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence();
        if (blockIdx.x == 0)
            guarded = 1;
        done = guarded;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

__global__ void grid_barrier(int *turns)
{
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x)
        ;
}

int main()
{
    int *turns;
    void (*const kernels[])(int *) = {by_atomic_add, by_exchange, counting, under_a_lock, grid_barrier};
    cudaMalloc(&turns, 2 * sizeof(int));
    for (auto kernel : kernels) {
        int zero = 0;
        cudaMemset(turns, 0, 2 * sizeof(int));
        cudaMemcpyToSymbol(flag, &zero, sizeof zero);
        kernel<<<2, 1>>>(turns);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
    }
    return 0;
}

//= (nothing)
