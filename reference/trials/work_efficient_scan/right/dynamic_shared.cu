/* Shared memory whose size the launch gives; blocks of any size, whose threads take several
 * pairs each; eight levels of the global tree a launch.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

/* Conflict-free by a stride of 16 or 32 elements a row, as the argument says; 0: not padded. */
struct layout {
    unsigned row;
    __device__ unsigned operator()(unsigned i) const { return row ? i + i / row : i; }
};

template <bool INCLUSIVE>
__global__ void tree_kernel(const elem_t *in, elem_t *out, unsigned n, layout at)
{
    extern __shared__ __align__(8) unsigned char memory[];
    elem_t *tree = reinterpret_cast<elem_t *>(memory);
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        tree[at(i)] = in[i];

    unsigned stride = 1;
    for (unsigned pairs = n >> 1; pairs > 0; pairs >>= 1, stride <<= 1) {
        __syncthreads();
        for (unsigned p = threadIdx.x; p < pairs; p += blockDim.x) {
            unsigned left = stride * (2 * p + 1) - 1, right = stride * (2 * p + 2) - 1;
            tree[at(right)] = combine(tree[at(left)], tree[at(right)]);
        }
    }
    if (INCLUSIVE) {
        for (stride >>= 2; stride > 0; stride >>= 1) {
            __syncthreads();
            for (unsigned i = (threadIdx.x + 1) * 2 * stride - 1; i + stride < n; i += blockDim.x * 2 * stride)
                tree[at(i + stride)] = combine(tree[at(i)], tree[at(i + stride)]);
        }
    } else {
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1)
            tree[at(n - 1)] = IDENTITY;
        for (unsigned pairs = 1; pairs < n; pairs <<= 1) {
            stride >>= 1;
            __syncthreads();
            for (unsigned p = threadIdx.x; p < pairs; p += blockDim.x) {
                unsigned left = stride * (2 * p + 1) - 1, right = stride * (2 * p + 2) - 1;
                elem_t kept     = tree[at(left)];
                tree[at(left)]  = tree[at(right)];
                tree[at(right)] = combine(tree[at(left)], kept);
            }
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = tree[at(i)];
}

static size_t bytes(size_t n) { return (n + n / 16 + 1) * sizeof(elem_t); }

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    tree_kernel<false><<<1, 96, bytes(n)>>>(in, out, (unsigned)n, layout{0});
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    tree_kernel<true><<<1, 1024, bytes(n)>>>(in, out, (unsigned)n, layout{0});
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    tree_kernel<false><<<1, dim3(TILE / 4, 1, 1), bytes(n), 0>>>(in, out, (unsigned)n, layout{128 / sizeof(elem_t)});
}

/* Sections as long as they need to be for 64 threads; the sums by a tree. */
__global__ void coarsened_kernel(const elem_t *in, elem_t *out, unsigned n, unsigned section)
{
    extern __shared__ __align__(8) unsigned char memory[];
    elem_t *tile = reinterpret_cast<elem_t *>(memory), *sums = tile + n;
    unsigned t = threadIdx.x, threads = blockDim.x;
    for (unsigned i = t; i < n; i += threads)
        tile[i] = in[i];
    __syncthreads();
    unsigned begin = min(t * section, n), end = min(begin + section, n);
    for (unsigned i = begin; i + 1 < end; i++)
        tile[i + 1] = combine(tile[i], tile[i + 1]);
    sums[t] = begin < end ? tile[end - 1] : IDENTITY;
    for (unsigned stride = 1; stride < threads; stride *= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < threads)
            sums[right] = combine(sums[right - stride], sums[right]);
    }
    for (unsigned stride = threads / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned middle = (t + 1) * 2 * stride - 1 + stride;
        if (middle < threads)
            sums[middle] = combine(sums[middle - stride], sums[middle]);
    }
    __syncthreads();
    if (t > 0)
        for (unsigned i = begin; i < end; i++)
            tile[i] = combine(sums[t - 1], tile[i]);
    __syncthreads();
    for (unsigned i = t; i < n; i += threads)
        out[i] = tile[i];
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    const unsigned threads = 64;
    coarsened_kernel<<<1, threads, (n + threads) * sizeof(elem_t)>>>(in, out, (unsigned)n,
                                                                     (unsigned)((n + threads - 1) / threads));
}

/* Eight levels a launch: a tile's part of the tree in shared memory, its root handed to the tree of roots. */
enum { WIDTH = 256 };

__global__ void up_tiles_kernel(elem_t *tree, elem_t *roots)
{
    extern __shared__ elem_t part[];
    elem_t *global = tree + (size_t)blockIdx.x * WIDTH;
    unsigned t     = threadIdx.x;
    part[t]             = global[t];
    part[t + WIDTH / 2] = global[t + WIDTH / 2];
    for (unsigned stride = 1; stride < WIDTH; stride *= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < WIDTH)
            part[right] = combine(part[right - stride], part[right]);
    }
    __syncthreads();
    global[t]             = part[t];
    global[t + WIDTH / 2] = part[t + WIDTH / 2];
    if (t == 0)
        roots[blockIdx.x] = part[WIDTH - 1];
}

__global__ void down_tiles_kernel(elem_t *tree, const elem_t *roots)
{
    extern __shared__ elem_t part[];
    elem_t *global = tree + (size_t)blockIdx.x * WIDTH;
    unsigned t     = threadIdx.x;
    for (unsigned i = t; i < WIDTH; i += WIDTH / 2)
        part[i] = i < WIDTH - 1 ? global[i] : roots[blockIdx.x];
    for (unsigned stride = WIDTH / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < WIDTH) {
            elem_t left          = part[right - stride];
            part[right - stride] = part[right];
            part[right]          = combine(part[right], left);
        }
    }
    __syncthreads();
    for (unsigned i = t; i < WIDTH; i += WIDTH / 2)
        global[i] = part[i];
}

/* In place, P a power of two. */
static void scan_padded(elem_t *tree, size_t P)
{
    if (P <= WIDTH) {
        tree_kernel<false><<<1, 32, bytes(P)>>>(tree, tree, (unsigned)P, layout{0});
        return;
    }
    elem_t *roots;
    cudaMalloc(&roots, P / WIDTH * sizeof(elem_t));
    up_tiles_kernel<<<(unsigned)(P / WIDTH), WIDTH / 2, WIDTH * sizeof(elem_t)>>>(tree, roots);
    scan_padded(roots, P / WIDTH);
    down_tiles_kernel<<<(unsigned)(P / WIDTH), WIDTH / 2, WIDTH * sizeof(elem_t)>>>(tree, roots);
    cudaFree(roots);
}

__global__ void fill_kernel(elem_t *tree, size_t from, size_t to)
{
    for (size_t i = from + threadIdx.x; i < to; i += blockDim.x)
        tree[i] = IDENTITY;
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    size_t P = 1;
    while (P < n)
        P *= 2;
    if (n == 0)
        return;
    elem_t *tree;
    cudaMalloc(&tree, P * sizeof(elem_t));
    cudaMemcpyAsync(tree, in, n * sizeof(elem_t), cudaMemcpyDeviceToDevice, 0);
    if (n < P)
        fill_kernel<<<1, 512>>>(tree, n, P);
    scan_padded(tree, P);
    cudaMemcpyAsync(out, tree, n * sizeof(elem_t), cudaMemcpyDeviceToDevice, 0);
    cudaFree(tree);
}
