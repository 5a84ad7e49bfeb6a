/* redundant_warp: every lane of a few warps goes through the whole input in registers, by shuffles and plain arithmetic, and
 * writes elements of its own.
 *
 * parts: linear_recurrence polynomial_value second_order lex split_segments quicksort
 * says: instructions
 * says quicksort: one after the other */
#include "applications.h"

/* The body once for each element i of the array, in every lane of a warp: each loads one element in 32, and shuffles hand it
 * round. */
#define EACH(i, value, array, n)                                                                             \
    for (size_t base_ = 0; base_ < (n); base_ += 32)                                                         \
        if (const auto own_ = base_ + threadIdx.x % 32 < (n) ? (array)[base_ + threadIdx.x % 32] : 0; true)  \
            for (size_t i = base_; i < base_ + 32 && i < (n); i++)                                           \
                if (const auto value = __shfl_sync(0xffffffffu, own_, (int)(i - base_)); true)
#define IS_OWN(i) ((i) % ((size_t)gridDim.x * blockDim.x) == (size_t)blockIdx.x * blockDim.x + threadIdx.x)

__global__ void recurrence_kernel(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    unsigned value = start, lane = threadIdx.x % 32;
    for (size_t base = 0; base < n; base += 32) {
        const unsigned factor = base + lane < n ? a[base + lane] : 0, add = base + lane < n ? b[base + lane] : 0;
        for (size_t i = base; i < base + 32 && i < n; i++) {
            const unsigned by = __shfl_sync(0xffffffffu, factor, (int)(i - base));
            value = by * value + __shfl_sync(0xffffffffu, add, (int)(i - base));
            if (IS_OWN(i))
                x[i] = value;
        }
    }
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    if (n > 0)
        recurrence_kernel<<<4, 32>>>(a, b, start, x, n);
}

__global__ void polynomial_kernel(const unsigned *c, size_t n, unsigned x, unsigned *result)
{
    unsigned value = 0, power = 1;
    EACH(i, factor, c, n)
    {
        value += factor * power;
        power *= x;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *result = value;
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    unsigned *result, value = 0;
    if (n == 0)
        return 0;
    cudaMalloc(&result, sizeof *result);
    polynomial_kernel<<<4, 32>>>(c, n, x, result);
    cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(result);
    return value;
}

/* One warp of which every lane has the whole chain, and many threads that do the rest. */
enum { THREADS = 256 };
static unsigned blocks_for(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}
__device__ size_t own_element()
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}
template <class T> T *allocate(size_t n)
{
    T *array;
    cudaMalloc(&array, n * sizeof(T));
    return array;
}

__global__ void second_kernel(const unsigned *a, const unsigned *b, unsigned last, unsigned before, unsigned *x, size_t n)
{
    unsigned lane = threadIdx.x, own = 0;
    for (size_t base = 0; base < n; base += 32) {
        unsigned by = base + lane < n ? a[base + lane] : 0, by_before = base + lane < n ? b[base + lane] : 0;
#pragma GCC unroll 32
        for (int k = 0; k < 32; k++) {
            unsigned next = __shfl_sync(~0u, by, k) * last + __shfl_sync(~0u, by_before, k) * before;
            before        = last;
            last          = next;
            own           = lane == k ? next : own;
        }
        if (base + lane < n)
            x[base + lane] = own;
    }
}

template <class T> __global__ void copy_kernel(const T *from, T *to, size_t n)
{
    size_t i = own_element();
    if (i < n)
        to[i] = from[i];
}

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    if (n == 0)
        return;
    unsigned *scratch = allocate<unsigned>(n);
    second_kernel<<<1, 32>>>(a, b, last, last_but_one, scratch, n);
    copy_kernel<<<blocks_for(n), THREADS>>>(scratch, x, n);
    cudaFree(scratch);
}

typedef unsigned long long state_map;

__global__ void maps_kernel(const unsigned char *text, state_map *maps, size_t n)
{
    size_t i      = own_element();
    state_map map = 0;
    if (i >= n)
        return;
    for (unsigned before = 0; before < LEX_STATES; before++)
        map |= (state_map)lex_next(before, text[i]) << 4 * before;
    maps[i] = map;
}

__global__ void states_kernel(const state_map *maps, unsigned char *states, size_t n)
{
    unsigned lane = threadIdx.x, own = 0, state = LEX_START;
    for (size_t base = 0; base < n; base += 32) {
        state_map map = base + lane < n ? maps[base + lane] : 0;
#pragma GCC unroll 32
        for (int k = 0; k < 32; k++) {
            state = (unsigned)(__shfl_sync(~0u, map, k) >> 4 * state & 15);
            own   = lane == k ? state : own;
        }
        if (base + lane < n)
            states[base + lane] = (unsigned char)own;
    }
}

__global__ void flags_kernel(const unsigned char *after, unsigned char *states, unsigned *flags, size_t n)
{
    size_t i = own_element();
    if (i >= n)
        return;
    states[i] = after[i];
    flags[i]  = lex_begins(i > 0 ? after[i - 1] : LEX_START, after[i]);
}

__global__ void places_kernel(const unsigned *flags, const unsigned *numbers, unsigned *places, size_t n)
{
    size_t i = own_element();
    if (i < n && flags[i])
        places[numbers[i] - 1] = (unsigned)i;
}

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    unsigned tokens = 0;
    if (n == 0)
        return 0;
    state_map *maps      = allocate<state_map>(n);
    unsigned char *after = allocate<unsigned char>(n);
    unsigned *flags = allocate<unsigned>(n), *numbers = allocate<unsigned>(n);
    maps_kernel<<<blocks_for(n), THREADS>>>(text, maps, n);
    states_kernel<<<1, 32>>>(maps, after, n);
    flags_kernel<<<blocks_for(n), THREADS>>>(after, states, flags, n);
    stock_scan_inclusive(flags, numbers, n);
    places_kernel<<<blocks_for(n), THREADS>>>(flags, numbers, begins, n);
    cudaMemcpy(&tokens, &numbers[n - 1], sizeof tokens, cudaMemcpyDeviceToHost);
    cudaFree(maps);
    cudaFree(after);
    cudaFree(flags);
    cudaFree(numbers);
    return tokens;
}

struct segment {
    size_t first, last;
    unsigned pivot;
};

__device__ segment segment_of(const unsigned *in, const unsigned *segments, const unsigned *starts, size_t n, size_t i)
{
    unsigned next = segments[i];
    size_t first = starts[next - 1], last = next < segments[n - 1] ? starts[next] - 1 : n - 1;
    return segment{first, last, in[first + (last + 1 - first) / 2]};
}

/* Bit 0: a head; bit 1: less than the pivot; bit 2: equal to it. */
__global__ void kinds_kernel(const unsigned *in, const unsigned *heads, const unsigned *segments, const unsigned *starts,
                             unsigned *kinds, size_t n)
{
    size_t i = own_element();
    if (i >= n)
        return;
    unsigned pivot = segment_of(in, segments, starts, n, i).pivot;
    kinds[i]       = heads[i] | (in[i] < pivot) << 1 | (in[i] == pivot) << 2;
}

__global__ void counts_kernel(const unsigned *kinds, uint2 *counts, size_t n)
{
    unsigned lane = threadIdx.x, less = 0, equal = 0;
    uint2 own = {};
    for (size_t base = 0; base < n; base += 32) {
        unsigned kind  = base + lane < n ? kinds[base + lane] : 0;
        unsigned heads = __ballot_sync(~0u, kind & 1), lesses = __ballot_sync(~0u, kind & 2);
        unsigned equals = __ballot_sync(~0u, kind & 4);
#pragma GCC unroll 32
        for (int k = 0; k < 32; k++) {
            unsigned keep = (heads >> k & 1) - 1;
            less          = (less & keep) + (lesses >> k & 1);
            equal         = (equal & keep) + (equals >> k & 1);
            own           = lane == k ? uint2{less, equal} : own;
        }
        if (base + lane < n)
            counts[base + lane] = own;
    }
}

__global__ void split_kernel(const unsigned *in, const unsigned *segments, const unsigned *starts, const uint2 *counts,
                             unsigned *out, unsigned *out_heads, size_t n)
{
    size_t i = own_element();
    if (i >= n)
        return;
    segment s  = segment_of(in, segments, starts, n, i);
    uint2 here = counts[i], all = counts[s.last];
    size_t begin = s.first, rank = here.x - 1;
    if (in[i] == s.pivot) {
        begin += all.x;
        rank = here.y - 1;
    } else if (in[i] > s.pivot) {
        begin += all.x + all.y;
        rank = i - s.first - here.x - here.y;
    }
    out[begin + rank]       = in[i];
    out_heads[begin + rank] = rank == 0;
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    if (n == 0)
        return;
    unsigned *segments = allocate<unsigned>(n), *starts = allocate<unsigned>(n), *kinds = allocate<unsigned>(n);
    uint2 *counts = allocate<uint2>(n);
    stock_scan_inclusive(heads, segments, n);
    places_kernel<<<blocks_for(n), THREADS>>>(heads, segments, starts, n);
    kinds_kernel<<<blocks_for(n), THREADS>>>(in, heads, segments, starts, kinds, n);
    counts_kernel<<<1, 32>>>(kinds, counts, n);
    split_kernel<<<blocks_for(n), THREADS>>>(in, segments, starts, counts, out, out_heads, n);
    cudaFree(segments);
    cudaFree(starts);
    cudaFree(kinds);
    cudaFree(counts);
}

/* Each lane sorts a copy of its own, by Shell's method. */
__global__ void each_sorts_kernel(const unsigned *in, unsigned *copies, unsigned *out, size_t n)
{
    unsigned *keys = copies + threadIdx.x * n;
    size_t gap     = 1;
    for (size_t i = 0; i < n; i++)
        keys[i] = in[i];
    while (gap < n / 3)
        gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap, to; i < n; i++) {
            unsigned key = keys[i];
            for (to = i; to >= gap && keys[to - gap] > key; to -= gap)
                keys[to] = keys[to - gap];
            keys[to] = key;
        }
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = keys[i];
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0)
        return;
    unsigned *copies = allocate<unsigned>(64 * n);
    each_sorts_kernel<<<1, 64>>>(in, copies, out, n);
    cudaFree(copies);
}
