/* Threads skip a barrier and have ended when the others wait at it: by reaching the end of the kernel, or by a `return`
 * below the barrier. */
__global__ void to_the_end(int *data, int n)
{
    if (threadIdx.x < n) {
        __syncthreads();
        data[threadIdx.x] = 1;
    }
}

__global__ void to_a_return(int *data, int n)
{
    if (threadIdx.x < n)
        __syncthreads();
    if (threadIdx.x >= n)
        return;
    data[threadIdx.x] = 1;
}

__global__ void out_of_the_loop(int *data, int n)
{
    for (unsigned stride = 1; stride < n; stride *= 2) {
        if (threadIdx.x < stride)
            break;
        __syncthreads();
        data[threadIdx.x] += 1;
    }
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    to_the_end<<<1, 32>>>(data, 20);
    to_a_return<<<1, 32>>>(data, 20);
    out_of_the_loop<<<1, 32>>>(data, 20);
    return cudaDeviceSynchronize() != cudaSuccess;
}

//= barrier_passed_by.cu:6  to_the_end: 20 of 32 threads reach this barrier
//=     threads 0-19 of block 0 wait at the block's barrier at line 6
//=     threads 20-31 of block 0 have returned
//=     try: let every thread come here: no if around the barrier, and no loop that some threads leave before
//= barrier_passed_by.cu:14  to_a_return: 20 of 32 threads reach this barrier
//=     threads 0-19 of block 0 wait at the block's barrier at line 14
//=     threads 20-31 of block 0 have returned
//=     try: let every thread come here: no if around the barrier, and no loop that some threads leave before
//= barrier_passed_by.cu:25  out_of_the_loop: 31 of 32 threads reach this barrier
//=     threads 1-31 of block 0 wait at the block's barrier at line 25
//=     thread 0 of block 0 has returned
//=     try: let every thread come here: no if around the barrier, and no loop that some threads leave before
