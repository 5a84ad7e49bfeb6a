/* Threads that have returned are not waited for: by a `return` above the barrier, of a macro, in a loop around the
 * barrier, and where the barrier stands in a function. Warnings all. */
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
