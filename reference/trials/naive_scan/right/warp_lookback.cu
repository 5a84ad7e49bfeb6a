/* Any length in one launch: tiles drawn by tickets, and a warp looks back over 32 tiles at a time (Merrill & Garland,
 * 2016). States are cuda::atomic_ref, released and acquired. Tiles of one block: all of TILE threads start, and those
 * past n leave before the first barrier.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"
#include <cuda/atomic>

constexpr unsigned FULL = 0xffffffffu, WARP = 32, THREADS = 128, WARPS = THREADS / WARP;

enum : unsigned { NOTHING, SUM, PREFIX };

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> state_t;

union words {
    elem_t value;
    unsigned word[sizeof(elem_t) / 4];
    __device__ words() {}
};

__device__ elem_t shuffle_up(elem_t mine, unsigned delta)
{
    words is;
    is.value = mine;
    for (unsigned &word : is.word)
        word = __shfl_up_sync(FULL, word, delta);
    return is.value;
}

__device__ elem_t shuffle_down(elem_t mine, unsigned delta)
{
    words is;
    is.value = mine;
    for (unsigned &word : is.word)
        word = __shfl_down_sync(FULL, word, delta);
    return is.value;
}

__device__ elem_t shuffle_from(elem_t mine, unsigned lane)
{
    words is;
    is.value = mine;
    for (unsigned &word : is.word)
        word = __shfl_sync(FULL, word, lane);
    return is.value;
}

__device__ elem_t scan_warp(elem_t mine)
{
    unsigned lane = threadIdx.x % WARP;
    for (unsigned stride = 1; stride < WARP; stride *= 2) {
        elem_t left = shuffle_up(mine, stride);
        if (lane >= stride)
            mine = combine(left, mine);
    }
    return mine;
}

/* What all tiles before this one hold. The first warp calls it. */
__device__ elem_t look_back(unsigned tile, unsigned *states, const elem_t *sums, const elem_t *prefixes)
{
    unsigned lane = threadIdx.x;
    elem_t before = IDENTITY;
    for (long long last = (long long)tile - 1; last >= 0; last -= WARP) {
        long long at = last - lane; /* lane 0 looks at the nearest */
        unsigned is  = PREFIX;
        elem_t here  = IDENTITY;
        if (at >= 0)
            while ((is = state_t(states[at]).load(cuda::memory_order_acquire)) == NOTHING)
                ;
        if (at >= 0)
            here = is == PREFIX ? prefixes[at] : sums[at];
        unsigned found = __ballot_sync(FULL, is == PREFIX);
        unsigned end   = found ? __ffs(found) - 1 : WARP - 1; /* lanes past it are not needed */
        if (lane > end)
            here = IDENTITY;
        for (unsigned stride = 1; stride < WARP; stride *= 2) { /* neighbours first: the order is to stay */
            elem_t earlier = shuffle_down(here, stride);
            if (lane + stride < WARP)
                here = combine(earlier, here);
        }
        before = combine(shuffle_from(here, 0), before);
        if (found)
            break;
    }
    return before;
}

__global__ void look_back_kernel(const elem_t *in, elem_t *out, size_t n, unsigned *ticket, unsigned *states,
                                 elem_t *sums, elem_t *prefixes)
{
    __shared__ elem_t totals[WARPS], before;
    __shared__ unsigned drawn;
    unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    if (t == 0)
        drawn = atomicAdd(ticket, 1);
    __syncthreads();
    unsigned tile = drawn;
    size_t i      = (size_t)tile * THREADS + t;

    elem_t sum = scan_warp(i < n ? in[i] : IDENTITY);
    if (lane == WARP - 1)
        totals[warp] = sum;
    __syncthreads();
    elem_t ahead = IDENTITY, all = totals[0];
    for (unsigned w = 1; w < WARPS; w++) {
        if (w == warp)
            ahead = all;
        all = combine(all, totals[w]);
    }
    if (warp == 0) {
        if (lane == 0) {
            (tile == 0 ? prefixes : sums)[tile] = all;
            state_t(states[tile]).store(tile == 0 ? PREFIX : SUM, cuda::memory_order_release);
        }
        elem_t found = look_back(tile, states, sums, prefixes);
        if (lane == 0) {
            before = found;
            if (tile > 0) {
                prefixes[tile] = combine(found, all);
                state_t(states[tile]).store(PREFIX, cuda::memory_order_release);
            }
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = combine(combine(before, ahead), sum);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t tiles = (n + THREADS - 1) / THREADS;
    unsigned *states;
    elem_t *sums;
    cudaMalloc(&states, (tiles + 1) * sizeof *states);
    cudaMalloc(&sums, 2 * tiles * sizeof *sums);
    cudaMemset(states, 0, (tiles + 1) * sizeof *states);
    look_back_kernel<<<(unsigned)tiles, THREADS>>>(in, out, n, states + tiles, states, sums, sums + tiles);
    cudaFree(sums);
    cudaFree(states);
}

__global__ void quadratic_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned t = threadIdx.x;
    if (t >= n)
        return;
    elem_t sum = in[t];
    for (unsigned i = t; i-- > 0;)
        sum = combine(in[i], sum);
    out[t] = sum;
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    quadratic_kernel<<<1, TILE>>>(in, out, (unsigned)n);
}

/* TILE threads, those past n leave. */
__global__ void two_buffers_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    __shared__ elem_t a[TILE], b[TILE];
    elem_t *from = a, *to = b;
    unsigned t = threadIdx.x;
    if (t >= n)
        return;
    elem_t sum = in[t];
    for (unsigned stride = 1; stride < n; stride <<= 1) {
        from[t] = sum;
        __syncthreads();
        if (t >= stride)
            sum = combine(from[t - stride], sum);
        elem_t *swap = from;
        from         = to;
        to           = swap;
    }
    __syncthreads(); /* in place: the neighbours have read */
    out[t] = sum;
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    two_buffers_kernel<<<1, TILE>>>(in, out, (unsigned)n);
}

__global__ void one_buffer_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    extern __shared__ elem_t buffer[];
    unsigned t = threadIdx.x;
    if (t >= n)
        return;
    buffer[t] = in[t];
    __syncthreads();
    for (unsigned stride = 1; stride < n; stride <<= 1) {
        elem_t left = t < stride ? IDENTITY : buffer[t - stride];
        __syncthreads();
        if (t >= stride)
            buffer[t] = combine(left, buffer[t]);
        if (2 * stride < n)
            __syncthreads();
    }
    out[t] = buffer[t];
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    one_buffer_kernel<<<1, TILE, n * sizeof(elem_t)>>>(in, out, (unsigned)n);
}

/* A grid of few blocks strides over the array. */
__global__ void shift_kernel(const elem_t *__restrict__ in, elem_t *__restrict__ out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = i == 0 ? IDENTITY : in[i - 1];
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    shift_kernel<<<64, 256>>>(in, out, n);
}

__global__ void own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    own_kernel<<<64, 256>>>(scanned, in, out, n);
}
