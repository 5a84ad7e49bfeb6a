/* Two buffers in a struct with a selector, as CUB's DoubleBuffer, and in a std::array of pointers on the host; whole scans by lambdas
 * for each stride.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive exclusive_to_inclusive */
#include "naive_scan.h"
#include <array>
#include <utility>

template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    __host__ __device__ DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
    __host__ __device__ T *Current() { return d_buffers[selector]; }
    __host__ __device__ T *Alternate() { return d_buffers[selector ^ 1]; }
    __host__ __device__ void Flip() { selector ^= 1; }
};

__global__ void QuadraticKernel(const elem_t *in, elem_t *out, int n)
{
    const auto fold = [in](int last) {
        elem_t sum = in[0];
        for (const elem_t *p = in + 1, *end = in + last; p <= end; ++p)
            sum = combine(sum, *p);
        return sum;
    };
    if (const int i = threadIdx.x; i < n)
        out[i] = fold(i);
}

__global__ void DoubleBufferedKernel(const elem_t *in, elem_t *out, int n)
{
    __shared__ elem_t ping[TILE], pong[TILE];
    DoubleBuffer<elem_t> buffers(ping, pong);
    const int i = threadIdx.x;
    buffers.Current()[i] = in[i];
    for (int d = 1; d < n; d <<= 1) {
        __syncthreads();
        elem_t *from = buffers.Current(), *to = buffers.Alternate();
        to[i] = i >= d ? combine(from[i - d], from[i]) : from[i];
        buffers.Flip();
    }
    out[i] = buffers.Current()[i];
}

__global__ void InPlaceKernel(const elem_t *in, elem_t *out, int n)
{
    __shared__ elem_t s[TILE];
    const int i = threadIdx.x;
    s[i] = in[i];
    for (int d = 1; d < n; d <<= 1) {
        __syncthreads();
        elem_t x = s[i];
        if (i >= d)
            x = combine(s[i - d], x);
        __syncthreads();
        s[i] = x;
    }
    out[i] = s[i];
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n) { QuadraticKernel<<<1, (int)n>>>(in, out, (int)n); }
void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    DoubleBufferedKernel<<<1, (int)n>>>(in, out, (int)n);
}
void scan_in_place(const elem_t *in, elem_t *out, size_t n) { InPlaceKernel<<<1, (int)n>>>(in, out, (int)n); }

__global__ void StepKernel(const elem_t *from, elem_t *to, size_t n, size_t d)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    to[i] = i < d ? from[i] : combine(from[i - d], from[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    const auto grid = static_cast<unsigned>((n - 1) / 480 + 1);
    std::array<elem_t *, 2> buffer{};
    for (elem_t *&b : buffer)
        cudaMalloc(&b, n * sizeof(elem_t));
    cudaMemcpy(buffer[0], in, n * sizeof(elem_t), cudaMemcpyDeviceToDevice);
    for (size_t d = 1; d < n; d *= 2) {
        StepKernel<<<grid, 480>>>(buffer[0], buffer[1], n, d);
        std::swap(buffer[0], buffer[1]);
    }
    cudaMemcpyAsync(out, buffer[0], n * sizeof(elem_t), cudaMemcpyDeviceToDevice);
    for (elem_t *b : buffer)
        cudaFree(b);
}

template <class F> __global__ void ForEach(size_t n, F f)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
static const int kThreads = 96;
#define FOR_EACH(n, ...) if (n) ForEach<<<(unsigned)(((n) + kThreads - 1) / kThreads), kThreads>>>(n, __VA_ARGS__)

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    FOR_EACH(n, [=] __device__(size_t i) { out[i] = i == 0 ? IDENTITY : in[i - 1]; });
}
void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    FOR_EACH(n, [=] __device__(size_t i) { out[i] = combine(scanned[i], in[i]); });
}
