/* Keys and values travel in streams of their own, ordered by events; flips are vector loads with a head and a tail; warps
 * past the end return before the others' barrier. A split counts by ballots and looks its block's place up in a scan of
 * the blocks' counts.
 *
 * parts: split sort_tile merge_tiles radix_sort radix_sort_pairs radix_sort_digits radix_sort_int
 * parts: radix_sort_float */
#include "radix_sort.h"

enum { THREADS = 128, WARP = 32, WARPS = THREADS / WARP, EACH = 4, SHARE = THREADS * EACH };

static unsigned blocks_for(size_t n)
{
    return (unsigned)((n + SHARE - 1) / SHARE);
}

/* Four neighbouring warps' widths of keys a warp: lane l has keys l, l + 32, l + 64 and l + 96 of them. */
__device__ size_t own_key(unsigned k)
{
    return (size_t)blockIdx.x * SHARE + threadIdx.x / WARP * (WARP * EACH) + k * WARP + threadIdx.x % WARP;
}

__global__ void count_kernel(const unsigned *in, unsigned *zeros, size_t n, unsigned bit)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (own_key(0) - threadIdx.x % WARP >= n) /* the whole warp is past the end */
        return;
    unsigned own = 0;
    for (unsigned k = 0; k < EACH; k++)
        own += __popc(__ballot_sync(~0u, own_key(k) < n && !(in[own_key(k)] >> bit & 1)));
    if (threadIdx.x % WARP == 0)
        atomicAdd(&sum, own);
    __syncthreads();
    if (threadIdx.x == 0)
        zeros[blockIdx.x] = sum;
}

/* slots[i]: where key i goes. zeros: of each block, and before: their exclusive scan. */
__global__ void slots_kernel(const unsigned *in, const unsigned *zeros, const unsigned *before, unsigned *slots, size_t n,
                             unsigned bit)
{
    __shared__ unsigned of_warps[WARPS];
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, below = (1u << lane) - 1, votes[EACH], own = 0;
    for (unsigned k = 0; k < EACH; k++) {
        votes[k] = __ballot_sync(~0u, own_key(k) < n && !(in[own_key(k)] >> bit & 1));
        own += __popc(votes[k]);
    }
    if (lane == 0)
        of_warps[warp] = own;
    __syncthreads();
    size_t all  = (size_t)before[gridDim.x - 1] + zeros[gridDim.x - 1];
    size_t zero = before[blockIdx.x]; /* zeros before this warp's keys */
    for (unsigned w = 0; w < warp; w++)
        zero += of_warps[w];
    for (unsigned k = 0; k < EACH; k++) {
        size_t i = own_key(k), rank = zero + __popc(votes[k] & below);
        if (i < n)
            slots[i] = (unsigned)(votes[k] >> lane & 1 ? rank : all + i - rank);
        zero += __popc(votes[k]);
    }
}

__global__ void move_kernel(const unsigned *from, const unsigned *slots, unsigned *to, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
        to[slots[i]] = from[i];
}

struct buffers {
    unsigned *zeros, *before, *slots;
};

static buffers allocate(size_t n)
{
    buffers all = {};
    cudaMalloc(&all.zeros, blocks_for(n) * sizeof(unsigned));
    cudaMalloc(&all.before, blocks_for(n) * sizeof(unsigned));
    cudaMalloc(&all.slots, n * sizeof(unsigned));
    return all;
}

static void release(buffers all)
{
    cudaFree(all.zeros);
    cudaFree(all.before);
    cudaFree(all.slots);
}

static void find_slots(const unsigned *in, buffers all, size_t n, unsigned bit)
{
    count_kernel<<<blocks_for(n), THREADS>>>(in, all.zeros, n, bit);
    stock_scan_exclusive(all.zeros, all.before, blocks_for(n));
    slots_kernel<<<blocks_for(n), THREADS>>>(in, all.zeros, all.before, all.slots, n, bit);
}

void split(const unsigned *in, unsigned *out, size_t n, unsigned bit)
{
    if (n == 0)
        return;
    buffers all = allocate(n);
    find_slots(in, all, n, bit);
    move_kernel<<<blocks_for(n), THREADS>>>(in, all.slots, out, n);
    release(all);
}

void radix_sort(const unsigned *in, unsigned *out, size_t n)
{
    unsigned *ping;
    if (n == 0)
        return;
    buffers all = allocate(n);
    cudaMalloc(&ping, n * sizeof *ping);
    for (unsigned bit = 0; bit < KEY_BITS; bit++) {
        const unsigned *from = bit == 0 ? in : bit % 2 ? ping : out;
        find_slots(from, all, n, bit);
        move_kernel<<<blocks_for(n), THREADS>>>(from, all.slots, bit % 2 ? out : ping, n);
    }
    cudaFree(ping);
    release(all);
}

/* The default stream makes the slots and moves the keys, another stream the values. */
void radix_sort_pairs(const unsigned *keys, const unsigned *values, unsigned *keys_out, unsigned *values_out, size_t n)
{
    unsigned *ping, *values_ping, *other;
    cudaStream_t stream;
    cudaEvent_t known, moved;
    if (n == 0)
        return;
    buffers all = allocate(n);
    cudaMalloc(&ping, n * sizeof *ping);
    cudaMalloc(&values_ping, n * sizeof *values_ping);
    cudaMalloc(&other, n * sizeof *other);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&known, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&moved, cudaEventDisableTiming);
    unsigned *slots[2] = {all.slots, other};
    for (unsigned bit = 0; bit < KEY_BITS; bit++) {
        const unsigned *from = bit == 0 ? keys : bit % 2 ? ping : keys_out;
        all.slots            = slots[bit % 2];
        if (bit >= 2) /* the values have used these slots */
            cudaStreamWaitEvent(0, moved, 0);
        find_slots(from, all, n, bit);
        cudaEventRecord(known, 0);
        move_kernel<<<blocks_for(n), THREADS>>>(from, all.slots, bit % 2 ? keys_out : ping, n);
        cudaStreamWaitEvent(stream, known, 0);
        move_kernel<<<blocks_for(n), THREADS, 0, stream>>>(bit == 0 ? values : bit % 2 ? values_ping : values_out,
                                                           all.slots, bit % 2 ? values_out : values_ping, n);
        cudaEventRecord(moved, stream);
    }
    cudaStreamSynchronize(stream);
    cudaEventDestroy(known);
    cudaEventDestroy(moved);
    cudaStreamDestroy(stream);
    cudaFree(ping);
    cudaFree(values_ping);
    cudaFree(other);
    all.slots = slots[0];
    release(all);
}

/* A warp counts its tile of 32 * 32 keys for 16 digits and fewer; `bits` more than four go in two steps. */
enum { WARP_TILE = 1024, MOST = 16 };

__global__ void count_digits_kernel(const unsigned *in, unsigned *counts, size_t n, unsigned shift, unsigned digits)
{
    __shared__ unsigned histogram[MOST];
    size_t first = (size_t)blockIdx.x * WARP_TILE, end = min(first + WARP_TILE, n);
    unsigned lane = threadIdx.x;
    if (lane < MOST)
        histogram[lane] = 0;
    __syncwarp();
    for (size_t i = first + lane; i < end; i += WARP)
        atomicAdd(&histogram[in[i] >> shift & (digits - 1)], 1u);
    __syncwarp();
    if (lane < digits)
        counts[(size_t)lane * gridDim.x + blockIdx.x] = histogram[lane];
}

/* places: where the tile's next key of each digit goes, kept by the lane of that number. */
__global__ void move_digits_kernel(const unsigned *in, const unsigned *places, unsigned *out, size_t n, unsigned shift,
                                   unsigned digits)
{
    size_t first = (size_t)blockIdx.x * WARP_TILE, end = min(first + WARP_TILE, n);
    unsigned lane = threadIdx.x, next = lane < digits ? places[(size_t)lane * gridDim.x + blockIdx.x] : 0;
    for (size_t begin = first; begin < end; begin += WARP) {
        bool inside  = begin + lane < end;
        unsigned key = inside ? in[begin + lane] : 0, digit = key >> shift & (digits - 1);
        unsigned peers = __match_any_sync(~0u, inside ? digit : MOST);
        unsigned place = __shfl_sync(~0u, next, digit) + __popc(peers & ((1u << lane) - 1));
        if (inside)
            out[place] = key;
        for (unsigned d = 0; d < digits; d++) {
            unsigned votes = __ballot_sync(~0u, inside && digit == d);
            next += lane == d ? __popc(votes) : 0;
        }
    }
}

void radix_sort_digits(const unsigned *in, unsigned *out, size_t n, unsigned bits)
{
    unsigned *ping, *counts, *scanned, step = bits < 4 ? bits : 4, passes = (KEY_BITS + step - 1) / step;
    unsigned tiles = (unsigned)((n + WARP_TILE - 1) / WARP_TILE);
    if (n == 0)
        return;
    size_t places = (size_t)tiles * MOST;
    cudaMalloc(&ping, n * sizeof *ping);
    cudaMalloc(&counts, places * sizeof *counts);
    cudaMalloc(&scanned, places * sizeof *scanned);
    for (unsigned shift = 0; shift < KEY_BITS; shift += step) {
        unsigned digits = 1u << (KEY_BITS - shift < step ? KEY_BITS - shift : step), *to = --passes % 2 ? ping : out;
        count_digits_kernel<<<tiles, WARP>>>(in, counts, n, shift, digits);
        stock_scan_exclusive(counts, scanned, (size_t)tiles * digits);
        move_digits_kernel<<<tiles, WARP>>>(in, scanned, to, n, shift, digits);
        in = to;
    }
    cudaFree(ping);
    cudaFree(counts);
    cudaFree(scanned);
}

/* Bits in the order of the keys; `back` for the way back. */
__device__ unsigned flip(unsigned key, bool floats, bool back)
{
    bool all = floats && (key >> 31 != 0) != back;
    return key ^ (all ? ~0u : 0x80000000u);
}

/* The head up to the first multiple of 16 bytes and the tail go one by one. In place. */
__global__ void flip_kernel(unsigned *keys, size_t n, bool floats, bool back)
{
    size_t head = ((16 - (size_t)keys % 16) % 16) / sizeof *keys, stride = (size_t)gridDim.x * THREADS;
    head = head < n ? head : n;
    size_t fours = (n - head) / 4, t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    uint4 *middle = (uint4 *)(keys + head);
    for (size_t i = t; i < fours; i += stride) {
        uint4 four = middle[i];
        middle[i]  = make_uint4(flip(four.x, floats, back), flip(four.y, floats, back), flip(four.z, floats, back),
                                flip(four.w, floats, back));
    }
    for (size_t i = t; i < n - fours * 4; i += stride) {
        size_t at = i < head ? i : i + fours * 4;
        keys[at]  = flip(keys[at], floats, back);
    }
}

static void sort_flipped(const void *in, void *out, size_t n, bool floats)
{
    unsigned *keys;
    if (n == 0)
        return;
    cudaMalloc(&keys, n * sizeof *keys);
    cudaMemcpy(keys, in, n * sizeof *keys, cudaMemcpyDeviceToDevice);
    flip_kernel<<<blocks_for(n), THREADS>>>(keys, n, floats, false);
    radix_sort(keys, (unsigned *)out, n);
    flip_kernel<<<blocks_for(n), THREADS>>>((unsigned *)out, n, floats, true);
    cudaFree(keys);
}

void radix_sort_int(const int *in, int *out, size_t n)
{
    sort_flipped(in, out, n, false);
}

void radix_sort_float(const float *in, float *out, size_t n)
{
    sort_flipped(in, out, n, true);
}

/* Every bit a split in shared memory; the block scan is two levels of ballots. */
__global__ void sort_tile_kernel(const unsigned *in, unsigned *out, unsigned n)
{
    extern __shared__ unsigned keys[]; /* two tiles, then the counts of the warps */
    unsigned t = threadIdx.x, lane = t % WARP, *counts = keys + 2 * TILE;
    unsigned key = t < n ? in[t] : ~0u;
    for (unsigned bit = 0; bit < KEY_BITS; bit++) {
        unsigned *tile = keys + bit % 2 * TILE, zero = ~key >> bit & 1, votes = __ballot_sync(~0u, zero);
        if (lane == 0)
            counts[t / WARP] = __popc(votes);
        __syncthreads();
        unsigned before = __popc(votes & ((1u << lane) - 1)), all = 0;
        for (unsigned w = 0; w < blockDim.x / WARP; w++) {
            before += w < t / WARP ? counts[w] : 0;
            all += counts[w];
        }
        tile[zero ? before : all + t - before] = key;
        __syncthreads();
        key = tile[t];
    }
    if (t < n)
        out[t] = key;
}

void sort_tile(const unsigned *in, unsigned *out, size_t n)
{
    unsigned threads = ((unsigned)n + WARP - 1) / WARP * WARP;
    sort_tile_kernel<<<1, threads, (2 * TILE + WARP) * sizeof(unsigned)>>>(in, out, (unsigned)n);
}

/* Every key looks its rank in the other tile up. */
__global__ void merge_by_rank_kernel(const unsigned *left, unsigned left_n, const unsigned *right, unsigned right_n,
                                     unsigned *out)
{
    __shared__ unsigned keys[2 * TILE];
    for (unsigned i = threadIdx.x; i < left_n + right_n; i += blockDim.x)
        keys[i] = i < left_n ? left[i] : right[i - left_n];
    left = keys, right = keys + left_n;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < left_n + right_n; i += blockDim.x) {
        bool is_left          = i < left_n;
        unsigned own          = is_left ? i : i - left_n, low = 0, high = is_left ? right_n : left_n;
        unsigned key          = is_left ? left[own] : right[own];
        const unsigned *other = is_left ? right : left;
        while (low < high) {
            unsigned middle = (low + high) / 2;
            if (is_left ? other[middle] < key : other[middle] <= key)
                low = middle + 1;
            else
                high = middle;
        }
        out[own + low] = key;
    }
}

void merge_tiles(const unsigned *left, size_t left_n, const unsigned *right, size_t right_n, unsigned *out)
{
    merge_by_rank_kernel<<<1, TILE>>>(left, (unsigned)left_n, right, (unsigned)right_n, out);
}
