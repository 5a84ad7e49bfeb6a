/* As a library would: one agent with block size and items a thread as template parameters, in dynamic shared memory,
 * behind every part; the recursion over tiles in a class. The network is Brent and Kung's for any length.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"

struct Combine {
    __host__ __device__ elem_t operator()(const elem_t &left, const elem_t &right) const { return combine(left, right); }
};

/* Inclusive scan of tree[0..n) by the block. 2 ceil(log2 n) - 1 barriers; the first comes before the first read. */
template <typename T, typename Op> __device__ void scan_tree(T *tree, unsigned n, Op op)
{
    unsigned stride = 1;
    for (; stride < n; stride *= 2) {
        __syncthreads();
        for (unsigned right = (threadIdx.x + 1) * 2 * stride - 1; right < n; right += blockDim.x * 2 * stride)
            tree[right] = op(tree[right - stride], tree[right]);
    }
    for (stride /= 4; stride > 0; stride /= 2) {
        __syncthreads();
        for (unsigned right = (threadIdx.x + 1) * 2 * stride + stride - 1; right < n; right += blockDim.x * 2 * stride)
            tree[right] = op(tree[right - stride], tree[right]);
    }
}

template <typename T, unsigned THREADS, unsigned ITEMS, typename Op>
__global__ void __launch_bounds__(THREADS) scan_agent(const T *in, T *out, T *sums, size_t n, Op op)
{
    extern __shared__ T tile[];
    const size_t first   = (size_t)blockIdx.x * (THREADS * ITEMS);
    const unsigned count = n - first < THREADS * ITEMS ? (unsigned)(n - first) : THREADS * ITEMS;

    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        tile[i] = in[first + i];
    scan_tree(tile, count, op);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        out[first + i] = tile[i];
    if (sums && threadIdx.x == 0)
        sums[blockIdx.x] = tile[count - 1];
}

template <typename T, unsigned THREADS, unsigned ITEMS, typename Op>
__global__ void add_agent(const T *sums, T *out, size_t n, Op op)
{
    size_t first = (size_t)(blockIdx.x + 1) * (THREADS * ITEMS);
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        size_t i = first + k * THREADS + threadIdx.x;
        if (i < n)
            out[i] = op(sums[blockIdx.x], out[i]);
    }
}

template <typename T, unsigned THREADS, unsigned ITEMS> struct DeviceScan {
    static constexpr size_t CHUNK = THREADS * ITEMS;

    template <typename Op> static void inclusive(const T *in, T *out, size_t n, Op op)
    {
        if (n == 0)
            return;
        size_t tiles = (n + CHUNK - 1) / CHUNK;
        T *sums      = nullptr;
        if (tiles > 1)
            cudaMallocAsync((void **)&sums, tiles * sizeof(T), 0);
        scan_agent<T, THREADS, ITEMS><<<(unsigned)tiles, THREADS, CHUNK * sizeof(T)>>>(in, out, sums, n, op);
        if (tiles > 1) {
            inclusive(sums, sums, tiles - 1, op);
            add_agent<T, THREADS, ITEMS><<<(unsigned)(tiles - 1), THREADS>>>(sums, out, n, op);
            cudaFreeAsync(sums, 0);
        }
    }
};

void scan_quadratic(const elem_t *in, elem_t *out, size_t n) { DeviceScan<elem_t, 64, 8>::inclusive(in, out, n, Combine()); }
void scan_in_place(const elem_t *in, elem_t *out, size_t n) { DeviceScan<elem_t, 128, 4>::inclusive(in, out, n, Combine()); }
void scan_global(const elem_t *in, elem_t *out, size_t n) { DeviceScan<elem_t, 128, 7>::inclusive(in, out, n, Combine()); }

/* The tree has too many barriers for this one: two buffers behind a template parameter. */
template <typename T, unsigned CAPACITY, typename Op>
__global__ void swap_agent(const T *in, T *out, unsigned n, Op op)
{
    struct Buffers { T slot[2][CAPACITY]; };
    extern __shared__ char storage[];
    Buffers &buffers = *reinterpret_cast<Buffers *>(storage);
    unsigned t = threadIdx.x, now = 0;
    T mine     = in[t];
    for (unsigned stride = 1; stride < n; stride <<= 1, now ^= 1) {
        buffers.slot[now][t] = mine;
        __syncthreads();
        if (t >= stride)
            mine = op(buffers.slot[now][t - stride], mine);
    }
    out[t] = mine;
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    swap_agent<elem_t, TILE><<<1, (unsigned)n, 2 * TILE * sizeof(elem_t)>>>(in, out, (unsigned)n, Combine());
}

/* out[i] = make(i) */
template <typename T, typename Make> __global__ void transform_kernel(T *out, size_t n, Make make)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = make(i);
}

struct Shifted {
    const elem_t *in;
    __device__ elem_t operator()(size_t i) const { return i > 0 ? in[i - 1] : elem_t(IDENTITY); }
};

struct Combined {
    const elem_t *left, *right;
    __device__ elem_t operator()(size_t i) const { return combine(left[i], right[i]); }
};

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        transform_kernel<<<640, 96>>>(out, n, Shifted{in});
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        transform_kernel<<<640, 96>>>(out, n, Combined{scanned, in});
}
