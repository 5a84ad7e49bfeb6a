/* All blocks wait for each other, but not all of them fit on the device at once. */
__device__ volatile int arrived;

__global__ void phases(int *data)
{
    data[blockIdx.x] = 1;
    atomicAdd((int *)&arrived, 1);
    while (arrived < gridDim.x)
        ;
    data[blockIdx.x] += data[(blockIdx.x + 1) % gridDim.x];
}

int main()
{
    int *data;
    cudaMalloc(&data, 100 * sizeof(int));
    phases<<<100, 1>>>(data);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= grid_barrier_by_hand.cu:8  phases: deadlock in phases: no thread can go on
//=     thread 0 of block 0 spins at line 8
//=     thread 0 of block 1 spins at line 8
//=     and 14 more blocks
//=     84 of 100 blocks have not started: the device is full of blocks that wait
//=     try: who writes the flag that they read, and can that thread still run? A block may wait only for blocks that have started: number tiles with an atomic ticket
