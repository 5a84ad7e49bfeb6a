/* Helpers in front of the kernels: a macro that ends the program where a call fails, timers in a struct, launchers that take a
 * kernel by its address or a lambda by value, and the elements of a thread in a struct with an operator [].
 *
 * parts: scan_quadratic scan_double_buffered scan_global inclusive_to_exclusive exclusive_to_inclusive */
#include "naive_scan.h"
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/utility>

#define CHECK(call)                                                                                              \
    do {                                                                                                         \
        const cudaError_t error = (call);                                                                        \
        if (error != cudaSuccess) {                                                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                       \
            exit(EXIT_FAILURE);                                                                                  \
        }                                                                                                        \
    } while (0)

struct timer { cudaEvent_t start, stop; };
static void begin(struct timer *timer)
{
    CHECK(cudaEventCreate(&timer->start));
    CHECK(cudaEventCreate(&timer->stop));
    CHECK(cudaEventRecord(timer->start));
}
static void end(struct timer *timer)
{
    CHECK(cudaEventRecord(timer->stop));
    CHECK(cudaEventSynchronize(timer->stop));
    CHECK(cudaEventDestroy(timer->start));
    CHECK(cudaEventDestroy(timer->stop));
}

template <class Kernel, class... Arguments> static void launch(Kernel kernel, size_t n, Arguments... arguments)
{
    struct timer timer;
    begin(&timer);
    if (n > 0)
        kernel<<<(unsigned)((n + 255) / 256), 256>>>(arguments..., n);
    CHECK(cudaGetLastError());
    end(&timer);
}
template <class F> __global__ void each_kernel(F f, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
template <class F> static void each(size_t n, F f)
{
    if (n > 0)
        each_kernel<<<(unsigned)((n + 127) / 128), 128>>>(std::move(f), n);
}

/* Owns memory of the device. */
class buffer
{
  public:
    explicit buffer(size_t n) { CHECK(cudaMalloc(&elements, n * sizeof *elements)); }
    buffer(buffer &&other) : elements(cuda::std::exchange(other.elements, nullptr)) {}
    buffer(const buffer &) = delete;
    ~buffer() { cudaFree(elements); }
    elem_t *get() const { return elements; }

  private:
    elem_t *elements = nullptr;
};

__global__ void step_kernel(const elem_t *from, elem_t *to, size_t stride, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = i < stride ? from[i] : combine(from[i - stride], from[i]);
}
void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    buffer first(n), second(n);
    elem_t *from = first.get(), *to = second.get();
    CHECK(cudaMemcpy(from, in, n * sizeof *in, cudaMemcpyDeviceToDevice));
    for (size_t stride = 1; stride < n; stride *= 2) {
        launch(step_kernel, n, from, to, stride);
        cuda::std::swap(from, to);
    }
    CHECK(cudaMemcpy(out, from, n * sizeof *out, cudaMemcpyDeviceToDevice));
}
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i > 0 ? in[i - 1] : IDENTITY;
}
void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n) { launch(shift_kernel, n, in, out); }
void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    each(n, [=] __device__(size_t i) { out[i] = combine(scanned[i], in[i]); });
}

/* A thread has up to two elements. */
using items = cuda::std::array<elem_t, 2>;
__global__ void quadratic_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    items mine;
    for (unsigned k = 0, i = threadIdx.x; k < 2; k++, i += blockDim.x)
        if (i < n) {
            mine[k] = in[0];
            for (unsigned j = 1; j <= i; j++)
                mine[k] = combine(mine[k], in[j]);
        }
    for (unsigned k = 0, i = threadIdx.x; k < 2; k++, i += blockDim.x)
        if (i < n)
            out[i] = cuda::std::move(mine[k]);
}
void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    quadratic_kernel<<<1, TILE / 2>>>(in, out, (unsigned)n);
}

namespace cg = cooperative_groups;
__device__ elem_t from_left(const cg::thread_block &block, elem_t mine, cuda::std::span<elem_t> row, unsigned stride)
{
    row[block.thread_rank()] = mine;
    block.sync();
    return block.thread_rank() < stride ? mine : combine(row[block.thread_rank() - stride], mine);
}
__global__ void swapping_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t rows[2][TILE];
    const cg::thread_block block = cg::this_thread_block();
    cuda::std::pair<elem_t *, elem_t *> both(rows[0], rows[1]);
    elem_t mine = in[block.thread_rank()];
    for (unsigned stride = 1; stride < n; stride *= 2) {
        mine = from_left(block, mine, {both.first, TILE}, stride);
        both = cuda::std::make_pair(both.second, both.first);
    }
    out[block.thread_rank()] = mine;
}
static void scan_swapping(const elem_t *in, elem_t *out, unsigned n)
{
    if (in == out) /* the part may be called so */
        swapping_kernel<<<1, n>>>(out, out, n);
    else
        swapping_kernel<<<1, n>>>(in, out, n);
}
void scan_double_buffered(const elem_t *in, elem_t *out, size_t n) { scan_swapping(in, out, (unsigned)n); }
