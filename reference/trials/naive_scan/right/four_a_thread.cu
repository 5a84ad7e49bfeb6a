/* Four elements a thread: warp-shuffle scans of registers, sums of blocks scanned by the same kernel, level by level, on a
 * stream with events. Conversions move 16 bytes at a time where the addresses allow it.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive */
#include "naive_scan.h"

constexpr unsigned FULL = 0xffffffffu, ITEMS = 4, THREADS = 256, CHUNK = THREADS * ITEMS;

template <class T> __device__ T shuffle_up(T mine, unsigned delta)
{
    enum { WORDS = sizeof(T) / 4 };
    union {
        T value;
        unsigned word[WORDS];
    } is = {mine};
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        is.word[w] = __shfl_up_sync(FULL, is.word[w], delta);
    return is.value;
}

/* Inclusive, of all threads of whole warps, one value each. The `count` first matter. */
template <unsigned MOST> __device__ elem_t scan_threads(elem_t mine, unsigned count)
{
    __shared__ elem_t totals[32];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = (count + 31) / 32;
    for (unsigned stride = 1; stride < 32 && stride < count; stride *= 2) {
        elem_t left = shuffle_up(mine, stride);
        if (lane >= stride && t < count)
            mine = combine(left, mine);
    }
    if (MOST <= 32 || warps <= 1)
        return mine;
    if (lane == 31)
        totals[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        elem_t total = lane < warps ? totals[lane] : IDENTITY;
        for (unsigned stride = 1; stride < warps; stride *= 2) {
            elem_t left = shuffle_up(total, stride);
            if (lane >= stride && lane < warps)
                total = combine(left, total);
        }
        totals[lane] = total;
    }
    __syncthreads();
    if (warp > 0 && t < count)
        mine = combine(totals[warp - 1], mine);
    return mine;
}

__global__ void tile_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    unsigned t = threadIdx.x;
    elem_t sum = scan_threads<TILE>(t < n ? in[t] : IDENTITY, n);
    __syncthreads(); /* in place: everything is read, also in a lone warp */
    if (t < n)
        out[t] = sum;
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    tile_kernel<<<1, (unsigned)(n + 31) / 32 * 32>>>(in, out, (unsigned)n);
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    scan_double_buffered(in, out, n);
}

/* Four threads an element share its prefix. */
__global__ void quarters_kernel(const elem_t *in, elem_t *out, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        elem_t sum = in[0];
        unsigned k = 1;
        for (; k + 3 <= i; k += 4)
            sum = combine(sum, combine(combine(in[k], in[k + 1]), combine(in[k + 2], in[k + 3])));
        for (; k <= i; k++)
            sum = combine(sum, in[k]);
        out[i] = sum;
    }
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    quarters_kernel<<<1, n < 64 ? (unsigned)n : 64>>>(in, out, (unsigned)n);
}

/* out[i]: the scan within the chunk; sums, unless null: the chunks' sums. */
__global__ void chunks_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ elem_t ends[THREADS];
    unsigned t   = threadIdx.x;
    size_t first = ((size_t)blockIdx.x * THREADS + t) * ITEMS;
    elem_t item[ITEMS];
    for (unsigned k = 0; k < ITEMS; k++) {
        item[k] = first + k < n ? in[first + k] : IDENTITY;
        if (k > 0 && first + k < n)
            item[k] = combine(item[k - 1], item[k]);
        else if (k > 0)
            item[k] = item[k - 1];
    }
    ends[t] = scan_threads<THREADS>(item[ITEMS - 1], THREADS);
    __syncthreads();
    for (unsigned k = 0; k < ITEMS && first + k < n; k++)
        out[first + k] = t > 0 ? combine(ends[t - 1], item[k]) : item[k];
    if (sums && t == THREADS - 1)
        sums[blockIdx.x] = ends[t];
}

__global__ void add_kernel(elem_t *out, const elem_t *sums, size_t n)
{
    size_t first = (size_t)(blockIdx.x + 1) * CHUNK;
    elem_t before = sums[blockIdx.x];
    for (unsigned k = 0; k < ITEMS; k++) {
        size_t i = first + k * THREADS + threadIdx.x;
        if (i < n)
            out[i] = combine(before, out[i]);
    }
}

static void scan_on(cudaStream_t stream, const elem_t *in, elem_t *out, size_t n, elem_t *scratch)
{
    size_t chunks = (n + CHUNK - 1) / CHUNK;
    chunks_kernel<<<(unsigned)chunks, THREADS, 0, stream>>>(in, out, chunks > 1 ? scratch : nullptr, n);
    if (chunks == 1)
        return;
    scan_on(stream, scratch, scratch, chunks, scratch + chunks);
    add_kernel<<<(unsigned)chunks - 1, THREADS, 0, stream>>>(out, scratch, n);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    cudaStream_t stream;
    cudaEvent_t done;
    elem_t *scratch;
    cudaStreamCreate(&stream);
    cudaEventCreate(&done);
    cudaMallocAsync((void **)&scratch, (n / CHUNK + 1) * 2 * sizeof *scratch, stream);
    scan_on(stream, in, out, n, scratch);
    cudaFreeAsync(scratch, stream);
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
}

struct __attribute__((aligned(16))) wide {
    elem_t of[16 / sizeof(elem_t)];
};
constexpr unsigned WIDE = sizeof(wide) / sizeof(elem_t);

/* Loads are wide, the stores one place further are not. */
__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n, size_t head)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        out[0] = IDENTITY;
    if (i < head)
        out[i + 1] = in[i];
    size_t first = head + i * WIDE;
    if (first + WIDE < n) {
        wide x = *(const wide *)(in + first);
        for (unsigned k = 0; k < WIDE; k++)
            out[first + 1 + k] = x.of[k];
    } else
        for (; first + 1 < n; first++)
            out[first + 1] = in[first];
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    size_t head = (16 - (size_t)in % 16) % 16 / sizeof(elem_t);
    if (head >= n)
        head = n - 1;
    shift_kernel<<<(unsigned)(n / WIDE / 128 + 1), 128>>>(in, out, n, head);
}

__global__ void own_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < 4; k++, i += 256)
        if (i < n)
            out[i] = combine(scanned[i], in[i]);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        own_kernel<<<(unsigned)((n + 1023) / 1024), 256>>>(scanned, in, out, n);
}
