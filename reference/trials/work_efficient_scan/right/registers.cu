/* Elements stay in registers: a section of them a thread, sums by warp shuffles, one template for every number of
 * elements a thread. Any length: reduce, scan the sums, scan, on tiles of two sizes.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

constexpr unsigned FULL = 0xffffffffu;

template <class T> __device__ T up(T mine, unsigned delta)
{
    union {
        T value;
        unsigned word[sizeof(T) / 4];
    } is = {mine};
    for (unsigned &word : is.word)
        word = __shfl_up_sync(FULL, word, delta);
    return is.value;
}

/* What the sums of the threads before this one come to, IDENTITY for the first. The block is whole warps; `used` of its
 * threads have something. As few additions as a tree's, and some. */
__device__ elem_t sums_before(elem_t sum, unsigned used)
{
    __shared__ elem_t totals[32];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = (used + 31) / 32;
    elem_t inclusive = sum;
    for (unsigned stride = 1; stride < 32; stride *= 2) { /* up and down a tree of lanes: Brent and Kung */
        elem_t left = up(inclusive, stride);
        if ((lane + 1) % (2 * stride) == 0 && t < used)
            inclusive = combine(left, inclusive);
    }
    for (unsigned stride = 8; stride > 0; stride /= 2) {
        elem_t left = up(inclusive, stride);
        if (lane >= 2 * stride && (lane + 1) % (2 * stride) == stride && t < used)
            inclusive = combine(left, inclusive);
    }
    if (t + 1 == used || (lane == 31 && t < used))
        totals[warp] = inclusive;
    __syncthreads();
    elem_t before = IDENTITY;
    if (warps > 1 && t < used) {
        for (unsigned w = 0; w < warp && lane == 0; w++)
            before = w > 0 ? combine(before, totals[w]) : totals[w];
    }
    union {
        elem_t value;
        unsigned word[sizeof(elem_t) / 4];
    } is = {before};
    for (unsigned &word : is.word)
        word = __shfl_sync(FULL, word, 0);
    before      = is.value;
    elem_t left = up(inclusive, 1);
    if (lane == 0)
        return before;
    return warp > 0 ? combine(before, left) : left;
}

/* One block. Thread t has in[t * ITEMS], ... */
template <unsigned ITEMS, bool INCLUSIVE> __global__ void sections_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned t = threadIdx.x, begin = t * ITEMS, used = (n + ITEMS - 1) / ITEMS;
    elem_t item[ITEMS], sum = IDENTITY;
    for (unsigned k = 0; k < ITEMS; k++)
        if (begin + k < n) {
            item[k] = in[begin + k];
            sum     = k > 0 ? combine(sum, item[k]) : item[k];
        }
    sum = sums_before(sum, used);
    for (unsigned k = 0; k < ITEMS; k++)
        if (begin + k < n) {
            bool last = !INCLUSIVE && (k + 1 == ITEMS || begin + k + 1 == n);
            elem_t next = last ? sum : t + k > 0 ? combine(sum, item[k]) : item[k];
            out[begin + k] = INCLUSIVE ? next : sum;
            sum            = next;
        }
}

/* Threads of whole warps. */
static unsigned threads_for(size_t n, unsigned items)
{
    return (unsigned)((n + items - 1) / items + 31) / 32 * 32;
}

/* A pair a thread: Brent and Kung's places are the pairs' ends. */
__global__ void pairs_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned t = threadIdx.x;
    elem_t low = IDENTITY, both = IDENTITY;
    if (2 * t < n) {
        low  = in[2 * t];
        both = combine(low, in[2 * t + 1]);
    }
    __shared__ elem_t ends[TILE / 2 + 32];
    ends[t] = both;
    for (unsigned stride = 1; 2 * stride < n; stride *= 2) {
        __syncthreads();
        unsigned right = (t + 1) * 2 * stride - 1;
        if (right < n / 2)
            ends[right] = combine(ends[right - stride], ends[right]);
    }
    for (unsigned stride = n / 8; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned finished = (t + 1) * 2 * stride - 1;
        if (finished + stride < n / 2)
            ends[finished + stride] = combine(ends[finished], ends[finished + stride]);
    }
    __syncthreads();
    if (2 * t < n) {
        out[2 * t]     = t > 0 ? combine(ends[t - 1], low) : low;
        out[2 * t + 1] = ends[t];
    }
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    sections_kernel<32, false><<<1, threads_for(n, 32)>>>(in, out, (unsigned)n);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    pairs_kernel<<<1, threads_for(n, 2)>>>(in, out, (unsigned)n);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    scan_blelloch(in, out, n);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    sections_kernel<32, true><<<1, threads_for(n, 32)>>>(in, out, (unsigned)n);
}

/* ---- any length: a grid of bounded size strides over each level ------------------------------------------ */

__global__ void up_kernel(elem_t *tree, size_t n, size_t stride)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x + 1; pair * 2 * stride <= n; pair += threads) {
        elem_t *right = tree + pair * 2 * stride - 1;
        *right        = combine(right[-(ptrdiff_t)stride], *right);
    }
}

__global__ void down_kernel(elem_t *tree, size_t n, size_t stride)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x + 1; (2 * pair + 1) * stride <= n; pair += threads) {
        elem_t *finished = tree + pair * 2 * stride - 1;
        finished[stride] = combine(*finished, finished[stride]);
    }
}

__global__ void first_kernel(elem_t *out)
{
    *out = IDENTITY;
}

static unsigned blocks_for(size_t pairs)
{
    return pairs < 256 * 256 ? (unsigned)(pairs / 256 + 1) : 256;
}

/* Inclusive in an array of any length, whose missing places nobody asks for; then one place further. */
void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    elem_t *tree;
    cudaMalloc(&tree, n * sizeof *tree);
    cudaMemcpy(tree, in, n * sizeof *tree, cudaMemcpyDeviceToDevice);
    size_t stride = 1;
    for (; stride < n; stride *= 2)
        up_kernel<<<blocks_for(n / stride / 2), 256>>>(tree, n, stride);
    for (; stride > 0; stride /= 2)
        down_kernel<<<blocks_for(n / stride / 2), 256>>>(tree, n, stride);
    first_kernel<<<1, 1>>>(out);
    cudaMemcpy(out + 1, tree, (n - 1) * sizeof *tree, cudaMemcpyDeviceToDevice);
    cudaFree(tree);
}
