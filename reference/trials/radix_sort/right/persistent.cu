/* Few blocks that stay, each with a stretch of the keys: it counts the digits of the whole stretch, and moves it tile by
 * tile with its own running places. One template for splits, digits, pairs, ints and floats: flips are made on the way to
 * the digit. A tile is sorted by a bitonic network, and two tiles are merged along the merge path, four keys a thread.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"

enum { BLOCKS = 20, THREADS = 256, WARP = 32, WARPS = THREADS / WARP, MOST = 256 };

struct AsItIs {
    __device__ static unsigned order(unsigned key) { return key; }
};
struct AsInt {
    __device__ static unsigned order(unsigned key) { return key + 0x80000000u; }
};
struct AsFloat {
    __device__ static unsigned order(unsigned key) { return key >> 31 ? ~key : key | 0x80000000u; }
};

/* Where a block's stretch begins: at a whole tile. */
__device__ size_t stretch(size_t n, unsigned block)
{
    size_t begin = (n + THREADS - 1) / THREADS * block / gridDim.x * THREADS;
    return begin < n ? begin : n;
}

template <class Order>
__global__ void count_kernel(const unsigned *keys, unsigned *counts, size_t n, unsigned shift, unsigned digits)
{
    __shared__ unsigned histogram[MOST];
    size_t end = stretch(n, blockIdx.x + 1);
    histogram[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = stretch(n, blockIdx.x) + threadIdx.x; i < end; i += THREADS)
        atomicAdd(&histogram[Order::order(keys[i]) >> shift & (digits - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < digits)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = histogram[threadIdx.x];
}

/* A thread a digit: the places of its keys, block after block. */
__global__ void places_kernel(unsigned *counts, unsigned digits, unsigned blocks)
{
    __shared__ unsigned of_warps[WARPS];
    unsigned t = threadIdx.x, lane = t % WARP, sum = 0;
    for (unsigned b = 0; t < digits && b < blocks; b++)
        sum += counts[t * blocks + b];
    unsigned own = sum;
    for (unsigned by = 1; by < WARP; by *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, by);
        sum += lane >= by ? left : 0;
    }
    if (lane == WARP - 1)
        of_warps[t / WARP] = sum;
    __syncthreads();
    unsigned place = sum - own;
    for (unsigned w = 0; w < t / WARP; w++)
        place += of_warps[w];
    for (unsigned b = 0; t < digits && b < blocks; b++) {
        unsigned count         = counts[t * blocks + b];
        counts[t * blocks + b] = place;
        place += count;
    }
}

template <class Order, bool PAIRS>
__global__ void move_kernel(const unsigned *keys, const unsigned *values, const unsigned *places, unsigned *keys_out,
                            unsigned *values_out, size_t n, unsigned shift, unsigned digits)
{
    __shared__ unsigned next[MOST], before[WARPS][MOST];
    unsigned t = threadIdx.x, warp = t / WARP, below = (1u << t % WARP) - 1;
    size_t end = stretch(n, blockIdx.x + 1);
    if (t < digits)
        next[t] = places[t * gridDim.x + blockIdx.x];
    for (size_t first = stretch(n, blockIdx.x); first < end; first += THREADS) {
        size_t i    = first + t;
        bool inside = i < end;
        for (unsigned w = 0; w < WARPS; w++)
            before[w][t] = 0;
        __syncthreads();
        unsigned key = inside ? keys[i] : 0, digit = inside ? Order::order(key) >> shift & (digits - 1) : MOST;
        unsigned peers = __match_any_sync(~0u, digit), rank = __popc(peers & below);
        if (inside && rank == 0)
            before[warp][digit] = __popc(peers);
        __syncthreads();
        if (inside) {
            unsigned slot = next[digit] + rank;
            for (unsigned w = 0; w < warp; w++)
                slot += before[w][digit];
            keys_out[slot] = key;
            if constexpr (PAIRS)
                values_out[slot] = values[i];
        }
        __syncthreads();
        for (unsigned w = 0; t < digits && w < WARPS; w++)
            next[t] += before[w][t];
    }
}

template <class Order, bool PAIRS>
static void sort(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n,
                 unsigned begin, unsigned end, unsigned bits)
{
    unsigned *scratch, *counts, passes = (end - begin + bits - 1) / bits;
    size_t tiles    = (n + THREADS - 1) / THREADS;
    unsigned blocks = (unsigned)(tiles < BLOCKS ? tiles : BLOCKS);
    if (n == 0)
        return;
    cudaMalloc(&scratch, (PAIRS ? 2 : 1) * n * sizeof *scratch);
    cudaMalloc(&counts, ((size_t)blocks << bits) * sizeof *counts);
    for (unsigned shift = begin; shift < end; shift += bits) {
        unsigned digits = 1u << (end - shift < bits ? end - shift : bits);
        unsigned *keys_to = --passes % 2 ? scratch : keys_out, *values_to = passes % 2 ? scratch + n : values_out;
        count_kernel<Order><<<blocks, THREADS>>>(keys, counts, n, shift, digits);
        places_kernel<<<1, THREADS>>>(counts, digits, blocks);
        move_kernel<Order, PAIRS><<<blocks, THREADS>>>(keys, values, counts, keys_to, values_to, n, shift, digits);
        keys   = keys_to;
        values = values_to;
    }
    cudaFree(scratch);
    cudaFree(counts);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    sort<AsItIs, false>(in, NULL, out, NULL, n, bit, bit + 1, 1);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    sort<AsItIs, false>(in, NULL, out, NULL, n, 0, KEY_BITS, 8);
}

void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    sort<AsItIs, true>(keys, values, keys_out, values_out, n, 0, KEY_BITS, 8);
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    sort<AsItIs, false>(in, NULL, out, NULL, n, 0, KEY_BITS, bits);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort<AsInt, false>((const unsigned *)in, NULL, (unsigned *)out, NULL, n, 0, KEY_BITS, 7);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort<AsFloat, false>((const unsigned *)in, NULL, (unsigned *)out, NULL, n, 0, KEY_BITS, 6);
}

/* Half as many threads as places; what has no key counts as the largest. */
__global__ void network_kernel(const unsigned *in, unsigned *out, unsigned n, unsigned places)
{
    __shared__ unsigned keys[TILE];
    unsigned t = threadIdx.x, half = places / 2;
    keys[t]        = t < n ? in[t] : ~0u;
    keys[t + half] = t + half < n ? in[t + half] : ~0u;
    for (unsigned run = 2; run <= places; run *= 2)
        for (unsigned stride = run / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned low = 2 * t - t % stride, high = low + stride, a = keys[low], b = keys[high];
            bool up = (low & run) == 0;
            if ((a > b) == up) {
                keys[low]  = b;
                keys[high] = a;
            }
        }
    __syncthreads();
    if (t < n)
        out[t] = keys[t];
    if (t + half < n)
        out[t + half] = keys[t + half];
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    unsigned places = 2;
    while (places < n)
        places *= 2;
    network_kernel<<<1, places / 2>>>(in, out, (unsigned)n, places);
}

enum { EACH = 4 };

/* Thread t has outputs t * EACH on: how many of the keys before them come from the left is found by halving. */
__global__ void merge_path_kernel(const unsigned *left, unsigned left_n, const unsigned *right, unsigned right_n,
                                  unsigned *out)
{
    __shared__ unsigned keys[2 * TILE];
    for (unsigned i = threadIdx.x; i < left_n + right_n; i += blockDim.x)
        keys[i] = i < left_n ? left[i] : right[i - left_n];
    left = keys, right = keys + left_n;
    __syncthreads();
    unsigned diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * EACH, n = left_n + right_n;
    if (diagonal >= n)
        return;
    unsigned low = diagonal > right_n ? diagonal - right_n : 0, high = min(diagonal, left_n);
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (left[middle] <= right[diagonal - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    unsigned l = low, r = diagonal - low;
    for (unsigned k = diagonal; k < diagonal + EACH && k < n; k++) {
        bool from_left = r == right_n || (l < left_n && left[l] <= right[r]);
        out[k]         = from_left ? left[l++] : right[r++];
    }
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_path_kernel<<<1, 2 * TILE / EACH>>>(left, (unsigned)left_n, right, (unsigned)right_n, out);
}
