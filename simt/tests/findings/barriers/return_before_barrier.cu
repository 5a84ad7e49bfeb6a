/* A barrier does not wait for threads that have returned: by a `return` above it, in a macro, or in a loop around it,
 * or when the barrier is in a function. All of these are warnings. */
#define LEAVE_IF(condition) if (condition) return
#define LEAVE_UNLESS(condition) \
    do {                        \
        if (!(condition))       \
            return;             \
    } while (0)

__global__ void by_macros(int *data, int n)
{
    LEAVE_IF(threadIdx.x >= n);
    __syncthreads();
    LEAVE_UNLESS(threadIdx.x > 0);
    __syncthreads();
    data[threadIdx.x] = 1;
}

__global__ void in_a_loop(int *data)
{
    for (unsigned left = 32; left > 0; left /= 2) {
        __syncthreads();
        data[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x >= left / 2)
            return;
    }
}

static __device__ __noinline__ void meet()
{
    __syncthreads();
}

template <int n> __global__ void in_a_function(int *data)
{
    auto late = [&](int t) {
        if (t < n)
            return;
        data[t] = 0;
    };
    late(threadIdx.x);
    if (threadIdx.x >= n) { return; }
    meet();
    data[threadIdx.x] = __syncthreads_count(threadIdx.x % 2);
}

int main()
{
    int *data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    by_macros<<<1, 32>>>(data, 20);
    in_a_loop<<<1, 32>>>(data);
    in_a_function<20><<<1, 32>>>(data);
    int last = 0;
    cudaMemcpy(&last, data + 19, sizeof last, cudaMemcpyDeviceToHost);
    return cudaDeviceSynchronize() != cudaSuccess || last != 10;
}

//= return_before_barrier.cu:13  by_macros: warning: 20 of 32 threads reach this barrier
//=     threads 0-19 of block 0 wait at the block's barrier at line 13
//=     threads 20-31 of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
//= return_before_barrier.cu:15  by_macros: warning: 19 of 32 threads reach this barrier
//=     threads 1-19 of block 0 wait at the block's barrier at line 15
//=     threads 0 and 12 more of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
//= return_before_barrier.cu:22  in_a_loop: warning: 16 of 32 threads reach this barrier
//=     threads 0-15 of block 0 wait at the block's barrier at line 22
//=     threads 16-31 of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
//= return_before_barrier.cu:24  in_a_loop: warning: 16 of 32 threads reach this barrier
//=     threads 0-15 of block 0 wait at the block's barrier at line 24
//=     threads 16-31 of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
//= return_before_barrier.cu:32  meet: warning: 20 of 32 threads reach this barrier
//=     threads 0-19 of block 0 wait at the block's barrier at line 32
//=     threads 20-31 of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
//= return_before_barrier.cu:45  in_a_function<20>: warning: 20 of 32 threads reach this barrier
//=     threads 0-19 of block 0 wait at the block's barrier at line 45
//=     threads 20-31 of block 0 have returned
//=     try: it waits for those only that have not returned since compute capability 7.0; for older GPUs let every thread come here
