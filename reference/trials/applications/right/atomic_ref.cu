/* Library-style, without the stock scans: one launch a scan, one element a thread, by warp shuffles and decoupled
 * look-back with cuda::atomic_ref, acquire and release.
 *
 * parts: write_lines tree_depths histogram compare_strings linear_recurrence polynomial_value
 * parts: second_order lex split_segments quicksort */
#include "applications.h"
#include <cuda/atomic>

enum { WARP = 32, WIDTH = 256, WARPS = WIDTH / WARP };
enum : unsigned { NOTHING, OWN, PREFIX };

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag;

/* Any type, through shuffles of words. */
template <class T> static __device__ T shuffle_up(T value, unsigned by)
{
    static_assert(sizeof(T) % sizeof(unsigned) == 0, "whole words");
    union Box {
        T value;
        unsigned words[sizeof(T) / sizeof(unsigned)];
        __device__ Box(T v) : value(v) {}
    } box(value);
    for (unsigned &word : box.words)
        word = __shfl_up_sync(0xffffffffu, word, by);
    return box.value;
}

template <class T> struct Board {
    unsigned *ticket, *status;
    T *own, *prefix;
};

template <class M, class IO> static __global__ void scan_tiles(IO io, Board<typename M::T> board, size_t n)
{
    typedef typename M::T T;
    __shared__ T of_warps[WARPS], front;
    __shared__ unsigned drawn;
    unsigned t = threadIdx.x, lane = t % WARP, warp = t / WARP;
    if (t == 0)
        drawn = flag(*board.ticket).fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    unsigned tile = drawn;
    size_t i      = (size_t)tile * WIDTH + t;
    T after       = i < n ? io.load(i) : M::zero();
    for (unsigned by = 1; by < WARP; by *= 2) {
        T left = shuffle_up(after, by);
        if (lane >= by)
            after = M::plus(left, after);
    }
    T before = shuffle_up(after, 1);
    if (lane == WARP - 1)
        of_warps[warp] = after;
    __syncthreads();
    if (t == 0) {
        T sum = of_warps[0], found = M::zero();
        for (unsigned w = 1; w < WARPS; w++)
            sum = M::plus(sum, of_warps[w]);
        if (tile > 0) {
            board.own[tile] = sum;
            flag(board.status[tile]).store(OWN, cuda::memory_order_release);
        }
        for (unsigned from = tile, seen = NOTHING; from > 0 && seen != PREFIX;) {
            from--;
            do
                seen = flag(board.status[from]).load(cuda::memory_order_acquire);
            while (seen == NOTHING);
            found = M::plus(seen == PREFIX ? board.prefix[from] : board.own[from], found);
        }
        board.prefix[tile] = M::plus(found, sum);
        flag(board.status[tile]).store(PREFIX, cuda::memory_order_release);
        front = found;
    }
    __syncthreads();
    T start = front;
    for (unsigned w = 0; w < warp; w++)
        start = M::plus(start, of_warps[w]);
    if (i < n)
        io.store(i, lane ? M::plus(start, before) : start, M::plus(start, after));
}

template <class M, class IO> static void scan(IO io, size_t n)
{
    typedef typename M::T T;
    unsigned tiles = (unsigned)((n + WIDTH - 1) / WIDTH);
    Board<T> board;
    if (n == 0)
        return;
    cudaMalloc((void **)&board.ticket, (tiles + 1) * sizeof(unsigned));
    cudaMalloc((void **)&board.own, 2 * tiles * sizeof(T));
    cudaMemset(board.ticket, 0, (tiles + 1) * sizeof(unsigned));
    board.status = board.ticket + 1;
    board.prefix = board.own + tiles;
    scan_tiles<M><<<tiles, WIDTH>>>(io, board, n);
    cudaFree(board.ticket);
    cudaFree(board.own);
}

/* ---- applications: each is a scan from a load to a store ------------------------------------------------------- */

#define DEVICE static __host__ __device__ __forceinline__

template <class T> static T *alloc(size_t n)
{
    T *p = nullptr;
    cudaMalloc((void **)&p, (n ? n : 1) * sizeof(T));
    return p;
}

template <class T> static T last_of(T *p)
{
    T value{};
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(p);
    return value;
}

struct Plus {
    typedef unsigned T;
    DEVICE T zero() { return 0; }
    DEVICE T plus(T a, T b) { return a + b; }
};

struct Lines {
    const unsigned *numbers;
    unsigned char *out;
    unsigned *total;
    size_t n;
    __device__ unsigned load(size_t i) const
    {
        unsigned x = numbers[i];
        return 2 + (x >= 10) + (x >= 100) + (x >= 1000) + (x >= 10000) + (x >= 100000) + (x >= 1000000) +
               (x >= 10000000) + (x >= 100000000) + (x >= 1000000000);
    }
    __device__ void store(size_t i, unsigned before, unsigned after) const
    {
        out[after - 1] = '\n';
        unsigned x     = numbers[i];
        for (unsigned at = after - 1; at > before; x /= 10)
            out[--at] = (unsigned char)('0' + x % 10);
        if (i + 1 == n)
            *total = after;
    }
};

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    if (!n)
        return 0;
    unsigned *total = alloc<unsigned>(1);
    scan<Plus>(Lines{numbers, out, total, n}, n);
    return last_of(total);
}

struct Depths {
    const int *tour;
    unsigned *depths;
    __device__ unsigned load(size_t i) const { return tour[i] < 0 ? ~0u : 1u; }
    __device__ void store(size_t i, unsigned before, unsigned) const
    {
        if (tour[i] >= 0)
            depths[tour[i]] = before;
    }
};

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    scan<Plus>(Depths{tour, depths}, 2 * n);
}

struct Groups {
    const unsigned *sorted;
    unsigned *values, *counts, *total;
    size_t n;
    __device__ unsigned load(size_t i) const { return i == 0 || sorted[i - 1] < sorted[i]; }
    __device__ void store(size_t i, unsigned before, unsigned after) const
    {
        if (after > before) {
            size_t low = i + 1, high = n; /* the first key that is greater */
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (sorted[middle] == sorted[i])
                    low = middle + 1;
                else
                    high = middle;
            }
            values[before] = sorted[i];
            counts[before] = (unsigned)(low - i);
        }
        if (i + 1 == n)
            *total = after;
    }
};

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    if (!n)
        return 0;
    unsigned *sorted = alloc<unsigned>(n), *total = alloc<unsigned>(1);
    stock_sort(keys, sorted, n);
    scan<Plus>(Groups{sorted, values, counts, total, n}, n);
    cudaFree(sorted);
    return last_of(total);
}

/* The smallest place, with the order in its lowest bit. */
struct Least {
    typedef unsigned T;
    DEVICE T zero() { return ~0u; }
    DEVICE T plus(T a, T b) { return a < b ? a : b; }
};

struct Differences {
    const unsigned char *left, *right;
    size_t n;
    unsigned *first;
    __device__ unsigned load(size_t i) const
    {
        return left[i] == right[i] ? ~0u : 2 * (unsigned)i + (left[i] > right[i]);
    }
    __device__ void store(size_t i, unsigned, unsigned after) const
    {
        if (i + 1 == n)
            *first = after;
    }
};

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n, int *order)
{
    size_t n       = left_n < right_n ? left_n : right_n;
    unsigned first = ~0u;
    if (n > 0) {
        unsigned *device = alloc<unsigned>(1);
        scan<Least>(Differences{left, right, n, device}, n);
        first = last_of(device);
    }
    int result = first != ~0u ? (first & 1 ? 1 : -1) : left_n < right_n ? -1 : left_n > right_n;
    cudaMemcpy(order, &result, sizeof result, cudaMemcpyHostToDevice);
    return first != ~0u ? first / 2 : n;
}

struct Line {
    unsigned slope, offset;
};

struct Compose {
    typedef Line T;
    DEVICE T zero() { return T{1, 0}; }
    DEVICE T plus(T f, T g) { return T{g.slope * f.slope, g.slope * f.offset + g.offset}; }
};

struct First {
    const unsigned *a, *b;
    unsigned start, *x;
    __device__ Line load(size_t i) const { return Line{a[i], b[i]}; }
    __device__ void store(size_t i, Line, Line after) const { x[i] = after.slope * start + after.offset; }
};

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    scan<Compose>(First{a, b, start, x}, n);
}

struct Terms { /* Horner: the last coefficient first */
    const unsigned *c;
    unsigned x, *value;
    size_t n;
    __device__ Line load(size_t i) const { return Line{x, c[n - i - 1]}; }
    __device__ void store(size_t i, Line, Line after) const
    {
        if (i == n - 1)
            *value = after.offset;
    }
};

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    if (!n)
        return 0;
    unsigned *value = alloc<unsigned>(1);
    scan<Compose>(Terms{c, x, value, n}, n);
    return last_of(value);
}

struct Square {
    unsigned m[4];
};

struct Times {
    typedef Square T;
    DEVICE T zero() { return T{{1, 0, 0, 1}}; }
    DEVICE T plus(T f, T g)
    {
        T both{};
        for (int row = 0; row < 2; row++)
            for (int column = 0; column < 2; column++)
                both.m[2 * row + column] = g.m[2 * row] * f.m[column] + g.m[2 * row + 1] * f.m[2 + column];
        return both;
    }
};

struct Second {
    const unsigned *a, *b;
    unsigned last, before_last, *x;
    __device__ Square load(size_t i) const { return Square{{a[i], b[i], 1, 0}}; }
    __device__ void store(size_t i, Square, Square after) const { x[i] = after.m[0] * last + after.m[1] * before_last; }
};

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    scan<Times>(Second{a, b, last, last_but_one, x}, n);
}

struct Chain {
    typedef unsigned long long T;
    DEVICE T zero() { return 0xfedcba9876543210u; }
    DEVICE T plus(T f, T g)
    {
        T both = 0;
        for (int shift = 4 * LEX_STATES - 4; shift >= 0; shift -= 4)
            both = both << 4 | (g >> ((f >> shift & 15) * 4) & 15);
        return both;
    }
};

struct States {
    const unsigned char *text;
    unsigned char *states;
    __device__ unsigned long long load(size_t i) const
    {
        unsigned long long map = 0;
        for (int state = LEX_STATES; state-- > 0;)
            map = map << 4 | lex_next((unsigned)state, text[i]);
        return map;
    }
    __device__ void store(size_t i, unsigned long long, unsigned long long after) const
    {
        states[i] = (unsigned char)(after >> 4 * LEX_START & 15);
    }
};

struct Begins {
    const unsigned char *states;
    unsigned *begins, *total;
    size_t n;
    __device__ unsigned load(size_t i) const { return lex_begins(i ? states[i - 1] : (unsigned)LEX_START, states[i]); }
    __device__ void store(size_t i, unsigned before, unsigned after) const
    {
        if (after > before)
            begins[before] = (unsigned)i;
        if (i + 1 == n)
            *total = after;
    }
};

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    if (!n)
        return 0;
    unsigned *total = alloc<unsigned>(1);
    scan<Chain>(States{text, states}, n);
    scan<Plus>(Begins{states, begins, total, n}, n);
    return last_of(total);
}

/* Where a key's segment begins, from the left, and where it ends, from the right. */
struct Most {
    typedef unsigned T;
    DEVICE T zero() { return 0; }
    DEVICE T plus(T a, T b) { return a > b ? a : b; }
};

struct FirstPlaces {
    const unsigned *heads;
    unsigned *first;
    __device__ unsigned load(size_t i) const { return heads[i] ? (unsigned)i : 0; }
    __device__ void store(size_t i, unsigned, unsigned after) const { first[i] = after; }
};

struct LastPlaces {
    const unsigned *heads;
    unsigned *last;
    size_t n;
    __device__ unsigned load(size_t j) const
    {
        size_t i = n - 1 - j;
        return i + 1 == n || heads[i + 1] ? (unsigned)i : ~0u;
    }
    __device__ void store(size_t j, unsigned, unsigned after) const { last[n - 1 - j] = after; }
};

/* Sums of keys less and equal, over all segments: what came before a segment is taken off later. */
struct Sides {
    const unsigned *in, *first, *last;
    unsigned long long *sums;
    __device__ unsigned long long load(size_t i) const
    {
        unsigned pivot = in[(first[i] + last[i] + 1) / 2];
        return (unsigned long long)(in[i] < pivot) << 32 | (in[i] == pivot);
    }
    __device__ void store(size_t i, unsigned long long, unsigned long long after) const { sums[i] = after; }
};

struct PlusLong {
    typedef unsigned long long T;
    DEVICE T zero() { return 0; }
    DEVICE T plus(T a, T b) { return a + b; }
};

static __global__ void rearrange(const unsigned *in, const unsigned *first, const unsigned *last,
                                 const unsigned long long *sums, unsigned *out, unsigned *out_heads, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned f = first[i], l = last[i], pivot = in[(f + l + 1) / 2], key = in[i];
    unsigned long long base = f ? sums[f - 1] : 0, here = sums[i] - base, all = sums[l] - base;
    unsigned less = (unsigned)(here >> 32), equal = (unsigned)here;
    unsigned all_less = (unsigned)(all >> 32), all_equal = (unsigned)all, rank, begin;
    if (key < pivot)
        rank = less - 1, begin = f;
    else if (key == pivot)
        rank = equal - 1, begin = f + all_less;
    else
        rank = (unsigned)i - f - less - equal, begin = f + all_less + all_equal;
    out[begin + rank]       = key;
    out_heads[begin + rank] = !rank;
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    if (!n)
        return;
    unsigned *first = alloc<unsigned>(n), *last = alloc<unsigned>(n);
    unsigned long long *sums = alloc<unsigned long long>(n);
    scan<Most>(FirstPlaces{heads, first}, n);
    scan<Least>(LastPlaces{heads, last, n}, n);
    scan<PlusLong>(Sides{in, first, last, sums}, n);
    rearrange<<<(unsigned)((n + 127) / 128), 128>>>(in, first, last, sums, out, out_heads, n);
    cudaFree(first);
    cudaFree(last);
    cudaFree(sums);
}

static __global__ void one_segment(const unsigned *in, unsigned *keys, unsigned *heads, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    keys[i]  = in[i];
    heads[i] = i == 0;
}

static __global__ void look(const unsigned *keys, int *unsorted, size_t n)
{
    size_t i   = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int breaks = __syncthreads_or(i + 1 < n && keys[i] > keys[i + 1]);
    if (breaks && threadIdx.x == 0)
        atomicExch(unsorted, 1);
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    if (!n)
        return;
    unsigned blocks = (unsigned)((n + 127) / 128), *keys[2] = {out, alloc<unsigned>(n)};
    unsigned *heads[2] = {alloc<unsigned>(n), alloc<unsigned>(n)};
    int *unsorted = alloc<int>(1), now = 0, again = 1;
    one_segment<<<blocks, 128>>>(in, keys[0], heads[0], n);
    for (;; now = 1 - now) {
        cudaMemset(unsorted, 0, sizeof *unsorted);
        look<<<blocks, 128>>>(keys[now], unsorted, n);
        cudaMemcpy(&again, unsorted, sizeof again, cudaMemcpyDeviceToHost);
        if (!again)
            break;
        split_segments(keys[now], heads[now], keys[1 - now], heads[1 - now], n);
    }
    if (now == 1)
        cudaMemcpy(out, keys[1], n * sizeof *out, cudaMemcpyDeviceToDevice);
    cudaFree(keys[1]);
    cudaFree(heads[0]);
    cudaFree(heads[1]);
    cudaFree(unsorted);
}
