__global__ void stuck(int *data)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
    data[threadIdx.x] = 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    stuck<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}

//= barrier_and_warp_wait_for_each_other.cu:6  stuck: __syncwarp waits for lanes that never come
//=     lanes 0-15 wait at the block's barrier at line 4
//=     lanes 16-31 wait in __syncwarp(0xffffffff) at line 6
//=     in block 0, warp 0
//=     try: let every lane that the mask names come here: move the operation out of the branch or loop, or name only the lanes that take it
