__global__ void exchange(int *data)
{
    __shared__ int tile[32];
    if (threadIdx.x % 2 == 0) {
        tile[threadIdx.x] = data[threadIdx.x];
        __syncthreads();
    } else {
        tile[threadIdx.x] = -data[threadIdx.x];
        __syncthreads();
    }
    data[threadIdx.x] = tile[threadIdx.x ^ 1];
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    exchange<<<1, 32>>>(data);
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= barrier_in_both_branches.cu:6  exchange: threads of one block wait at different barriers
//=     threads 0, 2, 4 ... 30 of block 0 wait at the block's barrier at line 6
//=     threads 1, 3, 5 ... 31 of block 0 wait at the block's barrier at line 9
//=     try: move the barrier out of the branch or loop that only some threads take
