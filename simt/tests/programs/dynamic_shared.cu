/* Dynamic shared memory: several arrays of different types carved out of one, next to static arrays, as two
 * declarations that are the same memory, above 48 KiB by attribute; and what the occupancy calls promise. */
#include "program.h"

#include <math.h>

extern __shared__ double raw_doubles[];

__global__ void carved(const double *d, const int *i, const unsigned char *c, int n, double *out)
{
    extern __shared__ double whole[];
    double *doubles = whole;
    int *ints = (int *)(doubles + n);
    unsigned char *bytes = (unsigned char *)&ints[n];
    __shared__ int fixed[3];
    const int t = threadIdx.x;

    if (t < 3)
        fixed[t] = t * 100;
    doubles[t] = d[t];
    ints[t] = i[t];
    bytes[t] = c[t];
    __syncthreads();
    const int other = n - 1 - t;
    out[t] = doubles[other] + ints[(t + 1) % n] + bytes[other] + fixed[t % 3];
}

__global__ void same_memory(double *out)
{
    extern __shared__ double raw_again[];
    raw_doubles[threadIdx.x] = threadIdx.x * 0.5;
    __syncthreads();
    out[threadIdx.x] = raw_again[blockDim.x - 1 - threadIdx.x];
}

template <typename T> struct SharedOf;
template <> struct SharedOf<int> {
    static __device__ int *get() { extern __shared__ int shared_ints[]; return shared_ints; }
};
template <> struct SharedOf<float> {
    static __device__ float *get() { extern __shared__ float shared_floats[]; return shared_floats; }
};

/* Scans in one block as many elements as fit: PER_THREAD for each thread. */
template <typename T, int PER_THREAD> __global__ void big_scan(const T *in, T *out, int n)
{
    T *all = SharedOf<T>::get();
    T *sums = all + n;
    const int t = threadIdx.x, threads = blockDim.x;

    for (int i = t; i < n; i += threads)
        all[i] = in[i];
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < PER_THREAD; k++) {
        int i = t * PER_THREAD + k;
        if (i < n)
            all[i] = sum = sum + all[i];
    }
    sums[t] = sum;
    for (int stride = 1; stride < threads; stride *= 2) {
        __syncthreads();
        T left = t >= stride ? sums[t - stride] : T(0);
        __syncthreads();
        if (t >= stride)
            sums[t] = left + sums[t];
    }
    __syncthreads();
    for (int k = 0; k < PER_THREAD; k++) {
        int i = t * PER_THREAD + k;
        if (i < n && t > 0)
            all[i] = sums[t - 1] + all[i];
    }
    __syncthreads();
    for (int i = t; i < n; i += threads)
        out[i] = all[i];
}

template <typename T, int PER_THREAD> void run_big(const char *name, const std::vector<T> &values, int threads)
{
    const int n = (int)values.size();
    const size_t bytes = (n + threads) * sizeof(T);
    auto kernel = big_scan<T, PER_THREAD>;
    T *in = to_device(values), *out = device_alloc<T>(n);
    std::vector<T> want(n), sums(threads, T(0));

    for (int t = 0; t < threads; t++)
        for (int i = t * PER_THREAD; i < (t + 1) * PER_THREAD && i < n; i++)
            want[i] = sums[t] = sums[t] + values[i];
    for (int stride = 1; stride < threads; stride *= 2)
        for (int t = threads - 1; t >= stride; t--)
            sums[t] = sums[t - stride] + sums[t];
    for (int i = PER_THREAD; i < n; i++)
        want[i] = sums[i / PER_THREAD - 1] + want[i];

    printf("%s: %zu bytes of shared memory\n", name, bytes);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    kernel<<<1, threads, bytes>>>(in, out, n);
    CUDA_CHECK(cudaGetLastError());
    expect_equal(name, from_device(out, n), want);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

static size_t shared_for(int block_size) { return (size_t)block_size * 4; }

int main()
{
    const int n = 77;
    std::vector<double> d(n), want(n);
    std::vector<int> i = random_ints(n, 1000, 1);
    std::vector<unsigned char> c(n);
    for (int k = 0; k < n; k++) {
        d[k] = sqrt((double)k);
        c[k] = (unsigned char)(k * 5);
    }
    for (int k = 0; k < n; k++)
        want[k] = d[n - 1 - k] + i[(k + 1) % n] + c[n - 1 - k] + k % 3 * 100;
    double *dd = to_device(d), *out = device_alloc<double>(n);
    int *di = to_device(i);
    unsigned char *dc = to_device(c);
    carved<<<1, n, n * (sizeof(double) + sizeof(int) + 1)>>>(dd, di, dc, n, out);
    CUDA_CHECK(cudaGetLastError());
    expect_equal("three arrays in one", from_device(out, n), want);

    same_memory<<<1, n, n * sizeof(double)>>>(out);
    CUDA_CHECK(cudaGetLastError());
    for (int k = 0; k < n; k++)
        want[k] = (n - 1 - k) * 0.5;
    expect_equal("two names, one memory", from_device(out, n), want);

    run_big<int, 12>("within 48 KiB", random_ints(12 * 256, 1000, 2), 256);
    run_big<int, 80>("80 ints a thread", random_ints(80 * 256 - 3, 1000, 3), 256);
    run_big<float, 100>("100 floats a thread", random_floats(100 * 512, 4), 512);

    int blocks = 0, grid = 0, block = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, carved, 128, 1024));
    expect_true("some blocks fit", blocks >= 1);
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, carved, 0, 0));
    expect_true("a block size to use", grid >= 1 && block >= 32 && block <= 1024 && block % 32 == 0);
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, same_memory, shared_for, 0));
    expect_true("and with memory that depends on it", grid >= 1 && block >= 32 && block <= 1024);
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, carved));
    expect_true("attributes", attributes.maxThreadsPerBlock >= 256 && attributes.sharedSizeBytes >= 12);
    int optin = 0, per_block = 0, device = 0, sms = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&per_block, cudaDevAttrMaxSharedMemoryPerBlock, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    expect_number("shared memory a block", per_block, 48 * 1024);
    expect_true("more by choice, on at least one multiprocessor", optin > 200 * 1024 && sms >= 1);
    return program_end();
}
