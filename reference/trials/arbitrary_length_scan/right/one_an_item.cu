/* One element a thread, by warp shuffles: n log2 32 combines and a few more. Warps past the end of the last tile return
 * before the barriers of the others. Flags are read with acquire and written with release, and one thread looks back.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass */
#include "arbitrary_length_scan.h"
#include <cuda/atomic>

enum { WARP = 32, WARPS = TILE / WARP };
enum : unsigned { NOTHING, SUM, PREFIX };

/* The lanes that have an element: of a warp that has not returned, the lowest ones. */
__device__ elem_t from_lane_below(unsigned lanes, elem_t value, unsigned by)
{
    union words {
        elem_t value;
        int word[sizeof(elem_t) / sizeof(int)];
        __device__ words(elem_t v) : value(v) {}
    } both(value);
    for (int &word : both.word)
        word = __shfl_up_sync(lanes, word, by);
    return both.value;
}

/* Inclusive scan of the first `count` threads' values; they are the ones that call it. Returns the sum of the tile in
 * *sum. of_warps: shared memory of WARPS elements. */
__device__ elem_t scan_block(elem_t value, unsigned count, elem_t *of_warps, elem_t *sum)
{
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned last = (count - 1) / WARP; /* warp that holds the last element */
    unsigned here = warp < last ? WARP : count - last * WARP;
    unsigned lanes = here == WARP ? 0xffffffffu : (1u << here) - 1;

    for (unsigned stride = 1; stride < WARP; stride *= 2) {
        elem_t left = from_lane_below(lanes, value, stride);
        if (lane >= stride)
            value = combine(left, value);
    }
    if (lane == here - 1)
        of_warps[warp] = value;
    __syncthreads(); /* of the threads that have not returned */
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w <= last; w++)
            of_warps[w] = combine(of_warps[w - 1], of_warps[w]);
        if (sum)
            *sum = of_warps[last];
    }
    __syncthreads();
    if (warp > 0)
        value = combine(of_warps[warp - 1], value);
    return value;
}

__device__ unsigned elements_of_tile(size_t n, size_t first)
{
    return n - first < TILE ? (unsigned)(n - first) : (unsigned)TILE;
}

__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    __shared__ elem_t of_warps[WARPS];
    size_t first   = (size_t)blockIdx.x * TILE;
    unsigned t     = threadIdx.x, count = elements_of_tile(n, first);
    if (t >= count)
        return;
    elem_t value = scan_block(in[first + t], count, of_warps, NULL);
    out[first + t] = value;
    if (sums && t == count - 1)
        sums[blockIdx.x] = value;
}

static unsigned tiles_of(size_t n)
{
    return (unsigned)(n / TILE + (n % TILE > 0));
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    if (n > 0)
        tiles_kernel<<<tiles_of(n), TILE>>>(in, out, sums, n);
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    if (i >= n)
        return;
    elem_t value = in[i];
    if (blockIdx.x > 0)
        value = combine(sums[blockIdx.x - 1], value);
    out[i] = value;
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        add_kernel<<<tiles_of(n), TILE>>>(sums, in, out, n);
}

/* Levels of sums, one behind the other in one allocation. */
void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    size_t lengths[8], offsets[8], room = 0;
    unsigned levels = 0;
    elem_t *sums    = NULL;
    if (n == 0)
        return;
    for (size_t length = n; length > TILE;) {
        length           = tiles_of(length);
        lengths[levels]  = length;
        offsets[levels++] = room;
        room += length;
    }
    if (levels > 0)
        cudaMalloc(&sums, room * sizeof(elem_t));
    scan_tiles(in, out, levels > 0 ? sums : NULL, n);
    for (unsigned level = 0; level < levels; level++) {
        elem_t *own = sums + offsets[level];
        scan_tiles(own, own, level + 1 < levels ? sums + offsets[level + 1] : NULL, lengths[level]);
    }
    for (unsigned level = levels; level-- > 0;) {
        elem_t *below = level > 0 ? sums + offsets[level - 1] : out;
        add_block_sums(sums + offsets[level], below, below, level > 0 ? lengths[level - 1] : n);
    }
    cudaFree(sums);
}

/* The inclusive scan, moved on by one: through an array of its own, so that in and out may be the same. */
__global__ void move_on_kernel(const elem_t *scanned, elem_t *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    if (i < n)
        out[i] = i > 0 ? scanned[i - 1] : elem_t(IDENTITY);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    elem_t *scanned;
    if (n == 0)
        return;
    cudaMalloc(&scanned, n * sizeof(elem_t));
    scan_inclusive(in, scanned, n);
    move_on_kernel<<<tiles_of(n), TILE>>>(scanned, out, n);
    cudaFree(scanned);
}

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag;

__global__ void single_pass_kernel(const elem_t *in, elem_t *out, size_t n, unsigned *ticket, unsigned *status,
                                   elem_t *sums, elem_t *prefixes)
{
    __shared__ elem_t of_warps[WARPS], sum, before;
    __shared__ unsigned drawn;
    unsigned t = threadIdx.x;
    if (t == 0)
        drawn = flag(*ticket).fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    unsigned b     = drawn;
    size_t first   = (size_t)b * TILE;
    unsigned count = elements_of_tile(n, first);
    if (t >= count)
        return;
    elem_t value = scan_block(in[first + t], count, of_warps, &sum);
    if (t == 0) {
        elem_t prefix = sum;
        if (b > 0) {
            sums[b] = sum;
            flag(status[b]).store(SUM, cuda::memory_order_release);
            unsigned seen = NOTHING, from = b;
            bool some = false;
            while (seen != PREFIX) {
                from--;
                while ((seen = flag(status[from]).load(cuda::memory_order_acquire)) == NOTHING)
                    ;
                elem_t found = seen == PREFIX ? prefixes[from] : sums[from];
                before       = some ? combine(found, before) : found;
                some         = true;
            }
            prefix = combine(before, sum);
        }
        prefixes[b] = prefix;
        flag(status[b]).store(PREFIX, cuda::memory_order_release);
    }
    __syncthreads();
    out[first + t] = b > 0 ? combine(before, value) : value;
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    if (n == 0)
        return;
    unsigned tiles = tiles_of(n), *flags;
    elem_t *values;
    cudaMalloc(&flags, (tiles + (size_t)1) * sizeof *flags);
    cudaMalloc(&values, (size_t)tiles * 2 * sizeof *values);
    cudaMemset(flags, 0, (tiles + (size_t)1) * sizeof *flags);
    single_pass_kernel<<<tiles, TILE>>>(in, out, n, flags, flags + 1, values, values + tiles);
    cudaFree(flags);
    cudaFree(values);
}
