/* A barrier in each of two branches, and a branch that returns: the finding names every group with its place. */
__global__ void branches(int *data)
{
    if (threadIdx.x < 8) {
        data[threadIdx.x] = 1;
        __syncthreads();
    } else if (threadIdx.x < 24) {
        data[threadIdx.x] = 2;
        __syncthreads();
    } else if (threadIdx.x < 28) {
        return;
    } else {
        data[threadIdx.x] = 3;
        __syncthreads();
    }
    data[threadIdx.x] += 1;
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof *data);
    branches<<<1, 32>>>(data);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(data);
    return error != cudaSuccess;
}

//= barriers_in_three_places.cu:6  branches: threads of one block wait at different barriers
//=     threads 0-7 of block 0 wait at the block's barrier at line 6
//=     threads 8-23 of block 0 wait at the block's barrier at line 9
//=     threads 28-31 of block 0 wait at the block's barrier at line 14
//=     threads 24-27 of block 0 have returned
//=     try: move the barrier out of the branch or loop that only some threads take
