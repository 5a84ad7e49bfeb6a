/* Trees inside warps, by shuffles: registers instead of shared memory, and one barrier or two a tile.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

#define FULL 0xFFFFFFFFu
enum { WARP = 32, WARPS = TILE / WARP };

/* The network of Brent and Kung over the first `count` lanes, a power of two. Up: the last lane has the sum. */
__device__ elem_t warp_up(elem_t value, unsigned count)
{
    unsigned lane = threadIdx.x % WARP;
    for (unsigned stride = 1; stride < count; stride *= 2) {
        elem_t left = __shfl_up_sync(FULL, value, stride);
        if (lane < count && (lane + 1) % (2 * stride) == 0)
            value = combine(left, value);
    }
    return value;
}

/* Down: the last lane has an inclusive sum; *before, unless null, is the sum before the first lane. */
__device__ elem_t warp_down(elem_t value, unsigned count, const elem_t *before)
{
    unsigned lane = threadIdx.x % WARP;
    for (unsigned stride = count / 2; stride > 0; stride /= 2) {
        elem_t left = __shfl_up_sync(FULL, value, stride);
        if (lane < count && (lane + 1) % (2 * stride) == stride) {
            if (lane >= stride)
                value = combine(left, value);
            else if (before)
                value = combine(*before, value);
        }
    }
    return value;
}

/* Whole warps, at least one; n a power of two. out[i + exclusive] receives the inclusive sum of in[0..i]. */
__global__ void scan_warps_kernel(const elem_t *in, elem_t *out, unsigned n, unsigned exclusive)
{
    __shared__ elem_t totals[WARPS];
    unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, warps = n / WARP;

    elem_t value = IDENTITY;
    if (t < n)
        value = in[t];
    if (warps < 2) {
        value = warp_down(warp_up(value, n), n, nullptr);
    } else {
        value = warp_up(value, WARP);
        if (lane == WARP - 1)
            totals[warp] = value;
        __syncthreads();
        if (warp == 0) {
            elem_t total = IDENTITY;
            if (lane < warps)
                total = totals[lane];
            total = warp_down(warp_up(total, warps), warps, nullptr);
            if (lane < warps)
                totals[lane] = total;
        }
        __syncthreads();
        if (lane == WARP - 1)
            value = totals[warp];
        value = warp_down(value, WARP, warp > 0 ? &totals[warp - 1] : nullptr);
    }
    __syncwarp(); /* in place, a lane writes what its neighbour has read, and shuffles order no memory */
    if (t + exclusive < n)
        out[t + exclusive] = value;
    if (exclusive && t == 0)
        out[0] = IDENTITY;
}

static void scan_warps(const elem_t *in, elem_t *out, size_t n, unsigned exclusive)
{
    scan_warps_kernel<<<1, (unsigned)(n < 32 ? 32 : n)>>>(in, out, (unsigned)n, exclusive);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n) { scan_warps(in, out, n, 1); }
void scan_brent_kung(const elem_t *in, elem_t *out, size_t n) { scan_warps(in, out, n, 0); }
void scan_conflict_free(const elem_t *in, elem_t *out, size_t n) { scan_warps(in, out, n, 1); }

/* 8 elements a thread, in registers. */
__global__ void scan_coarsened_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    enum { ITEMS = 8, THREADS = 4 * TILE / ITEMS };
    __shared__ elem_t totals[THREADS / WARP];
    unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP, begin = t * ITEMS;
    elem_t item[ITEMS];

    for (unsigned i = 0; i < ITEMS; i++) {
        item[i] = begin + i < n ? in[begin + i] : IDENTITY;
        if (i > 0 && begin + i < n)
            item[i] = combine(item[i - 1], item[i]);
        else if (i > 0)
            item[i] = item[i - 1];
    }
    elem_t sum = warp_down(warp_up(item[ITEMS - 1], WARP), WARP, nullptr);
    if (lane == WARP - 1)
        totals[warp] = sum;
    __syncthreads(); /* in place: everything is read as well */
    if (t == 0)
        for (unsigned w = 1; w < THREADS / WARP; w++)
            totals[w] = combine(totals[w - 1], totals[w]);
    __syncthreads();
    elem_t before = __shfl_up_sync(FULL, sum, 1);
    if (lane == 0 && warp > 0)
        before = totals[warp - 1];
    else if (warp > 0)
        before = combine(totals[warp - 1], before);
    for (unsigned i = 0; i < ITEMS; i++)
        if (begin + i < n)
            out[begin + i] = t > 0 ? combine(before, item[i]) : item[i];
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n) { scan_coarsened_kernel<<<1, TILE / 2>>>(in, out, (unsigned)n); }

/* Inclusive by Brent and Kung in one array of any length, whose places past n are left out; then a shift. */
__global__ void up_kernel(elem_t *tree, size_t n, size_t stride)
{
    size_t right = ((size_t)blockIdx.x * blockDim.x + threadIdx.x + 1) * 2 * stride - 1;
    if (right < n)
        tree[right] = combine(tree[right - stride], tree[right]);
}

__global__ void down_kernel(elem_t *tree, size_t n, size_t stride)
{
    size_t finished = ((size_t)blockIdx.x * blockDim.x + threadIdx.x + 1) * 2 * stride - 1;
    if (finished + stride < n)
        tree[finished + stride] = combine(tree[finished], tree[finished + stride]);
}

__global__ void shift_kernel(const elem_t *tree, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i > 0 ? tree[i - 1] : IDENTITY;
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    const unsigned threads = 128;
    if (n == 0)
        return;
    elem_t *tree;
    cudaMalloc(&tree, n * sizeof(elem_t));
    cudaMemcpy(tree, in, n * sizeof(elem_t), cudaMemcpyDeviceToDevice);
    size_t stride = 1;
    for (; stride < n; stride *= 2)
        up_kernel<<<(unsigned)(n / (2 * stride) / threads + 1), threads>>>(tree, n, stride);
    for (stride /= 2; stride > 0; stride /= 2)
        down_kernel<<<(unsigned)(n / (2 * stride) / threads + 1), threads>>>(tree, n, stride);
    shift_kernel<<<(unsigned)((n + threads - 1) / threads), threads>>>(tree, out, n);
    cudaFree(tree);
}
