/* Hillis and Steele's scan in global memory, one launch a stride, for every operator; and atomics, searches and powers
 * by squaring where no scan is needed.
 *
 * parts: write_lines tree_depths histogram compare_strings linear_recurrence polynomial_value
 * parts: second_order lex split_segments quicksort */
#include "applications.h"

static dim3 grid(size_t n)
{
    return dim3((unsigned)((n + 63) / 64));
}

static __device__ size_t self()
{
    return blockIdx.x * (size_t)64 + threadIdx.x;
}

template <class T> static T *room(size_t n)
{
    void *p = nullptr;
    cudaMalloc(&p, n * sizeof(T));
    return (T *)p;
}

template <class T, class Op> __global__ void add_far(const T *from, T *to, size_t n, size_t stride, Op op)
{
    size_t i = self();
    if (i < n)
        to[i] = i >= stride ? op(from[i - stride], from[i]) : from[i];
}

/* Inclusive. Frees `values` and returns the scan, which the caller frees. */
template <class T, class Op> T *doubled(T *values, size_t n, Op op)
{
    T *other = room<T>(n);
    for (size_t stride = 1; stride < n; stride *= 2) {
        add_far<<<grid(n), 64>>>((const T *)values, other, n, stride, op);
        T *swap = values;
        values  = other;
        other   = swap;
    }
    cudaFree(other);
    return values;
}

struct add {
    __device__ unsigned operator()(unsigned a, unsigned b) const { return a + b; }
};

template <class T> T last(const T *values, size_t n)
{
    T value;
    cudaMemcpy(&value, values + n - 1, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
}

/* ---- a thread for every byte of the text, which looks for its line ---- */

__global__ void count_digits(const unsigned *numbers, unsigned *lengths, size_t n)
{
    if (self() >= n)
        return;
    unsigned long long limit = 10;
    unsigned digits          = 1;
    while (numbers[self()] >= limit) {
        limit *= 10;
        digits++;
    }
    lengths[self()] = digits + 1;
}

__global__ void write_byte(const unsigned *numbers, const unsigned *ends, size_t n, unsigned char *out, size_t bytes)
{
    size_t at = self(), low = 0, high = n - 1; /* the first line that ends behind it */
    if (at >= bytes)
        return;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ends[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    unsigned behind = ends[low] - 1 - (unsigned)at, number = numbers[low];
    if (behind == 0) {
        out[at] = '\n';
        return;
    }
    while (--behind > 0)
        number /= 10;
    out[at] = (unsigned char)(number % 10 + '0');
}

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    if (n == 0)
        return 0;
    unsigned *ends = room<unsigned>(n);
    count_digits<<<grid(n), 64>>>(numbers, ends, n);
    ends         = doubled(ends, n, add());
    size_t bytes = last(ends, n);
    write_byte<<<grid(bytes), 64>>>(numbers, ends, n, out, bytes);
    cudaFree(ends);
    return bytes;
}

/* ---- the sum after a move; a move down is not above itself ---- */

__global__ void plus_minus(const int *tour, unsigned *steps, size_t moves)
{
    if (self() < moves)
        steps[self()] = (unsigned)(1 | tour[self()] >> 31);
}

__global__ void settle(const int *tour, const unsigned *after, unsigned *depths, size_t moves)
{
    if (self() >= moves)
        return;
    int move = tour[self()];
    if (move < 0)
        depths[~move] = after[self()]; /* after the move up, as many are open as before the one down */
}

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    if (n == 0)
        return;
    unsigned *sums = room<unsigned>(2 * n);
    plus_minus<<<grid(2 * n), 64>>>(tour, sums, 2 * n);
    sums = doubled(sums, 2 * n, add());
    settle<<<grid(2 * n), 64>>>(tour, sums, depths, 2 * n);
    cudaFree(sums);
}

/* ---- groups, counted by atomics ---- */

__global__ void begins_group(const unsigned *sorted, unsigned *flags, size_t n)
{
    if (self() < n)
        flags[self()] = self() == 0 || sorted[self()] > sorted[self() - 1] ? 1 : 0;
}

__global__ void count_key(const unsigned *sorted, const unsigned *groups, unsigned *values, unsigned *counts, size_t n)
{
    if (self() >= n)
        return;
    unsigned k = groups[self()] - 1;
    if (atomicAdd(counts + k, 1) == 0)
        values[k] = sorted[self()];
}

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    if (n == 0)
        return 0;
    unsigned *sorted = room<unsigned>(n), *groups = room<unsigned>(n);
    stock_sort(keys, sorted, n);
    begins_group<<<grid(n), 64>>>(sorted, groups, n);
    groups           = doubled(groups, n, add());
    size_t different = last(groups, n);
    cudaMemset(counts, 0, different * sizeof *counts);
    count_key<<<grid(n), 64>>>(sorted, groups, values, counts, n);
    cudaFree(sorted);
    cudaFree(groups);
    return different;
}

/* ---- the least place, by atomicMin ---- */

__global__ void differ(const unsigned char *left, const unsigned char *right, unsigned *least, size_t n)
{
    if (self() < n && left[self()] != right[self()])
        atomicMin(least, (unsigned)self());
}

__global__ void decide(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n,
                       unsigned *least, int *order)
{
    unsigned at = *least;
    int a = at < left_n ? left[at] : -1, b = at < right_n ? right[at] : -1;
    *order = a < b ? -1 : a > b ? 1 : 0;
}

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n, int *order)
{
    unsigned n = (unsigned)min(left_n, right_n), place = n, *least = room<unsigned>(1);
    cudaMemcpy(least, &place, sizeof place, cudaMemcpyHostToDevice);
    if (n > 0)
        differ<<<grid(n), 64>>>(left, right, least, n);
    decide<<<1, 1>>>(left, left_n, right, right_n, least, order);
    place = last(least, 1);
    cudaFree(least);
    return place;
}

/* ---- recurrences ---- */

struct follow {
    __device__ uint2 operator()(uint2 f, uint2 g) const { return make_uint2(f.x * g.x, f.y * g.x + g.y); }
};

__global__ void zip(const unsigned *a, const unsigned *b, uint2 *maps, size_t n)
{
    if (self() < n)
        maps[self()] = make_uint2(a[self()], b[self()]);
}

__global__ void apply(const uint2 *maps, unsigned start, unsigned *x, size_t n)
{
    if (self() < n)
        x[self()] = maps[self()].x * start + maps[self()].y;
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    if (n == 0)
        return;
    uint2 *maps = room<uint2>(n);
    zip<<<grid(n), 64>>>(a, b, maps, n);
    maps = doubled(maps, n, follow());
    apply<<<grid(n), 64>>>(maps, start, x, n);
    cudaFree(maps);
}

__global__ void add_terms(const unsigned *c, unsigned x, unsigned *value, size_t n)
{
    unsigned term = self() < n ? c[self()] : 0, square = x;
    for (size_t bits = self(); bits > 0; bits /= 2, square *= square)
        if (bits & 1)
            term *= square;
    for (int lanes = 16; lanes > 0; lanes /= 2)
        term += __shfl_xor_sync(0xffffffffu, term, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(value, term);
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    unsigned *value = room<unsigned>(1);
    cudaMemset(value, 0, sizeof *value);
    if (n > 0)
        add_terms<<<grid(n), 64>>>(c, x, value, n);
    unsigned sum = last(value, 1);
    cudaFree(value);
    return sum;
}

struct multiply { /* rows (x, y) and (z, w); the later step on the left */
    __device__ uint4 operator()(uint4 f, uint4 g) const
    {
        return make_uint4(g.x * f.x + g.y * f.z, g.x * f.y + g.y * f.w, g.z * f.x + g.w * f.z, g.z * f.y + g.w * f.w);
    }
};

__global__ void steps_of(const unsigned *a, const unsigned *b, uint4 *steps, size_t n)
{
    if (self() < n)
        steps[self()] = make_uint4(a[self()], b[self()], 1, 0);
}

__global__ void first_row(const uint4 *steps, unsigned last, unsigned before, unsigned *x, size_t n)
{
    if (self() < n)
        x[self()] = steps[self()].x * last + steps[self()].y * before;
}

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    if (n == 0)
        return;
    uint4 *steps = room<uint4>(n);
    steps_of<<<grid(n), 64>>>(a, b, steps, n);
    steps = doubled(steps, n, multiply());
    first_row<<<grid(n), 64>>>(steps, last, last_but_one, x, n);
    cudaFree(steps);
}

/* ---- lex: maps of two words ---- */

struct chain {
    __device__ uint2 operator()(uint2 f, uint2 g) const
    {
        uint2 both = make_uint2(0, 0);
        for (unsigned s = 0; s < LEX_STATES; s++) {
            unsigned between = (s < 8 ? f.x : f.y) >> s % 8 * 4 & 15;
            unsigned after   = (between < 8 ? g.x : g.y) >> between % 8 * 4 & 15;
            (s < 8 ? both.x : both.y) |= after << s % 8 * 4;
        }
        return both;
    }
};

__global__ void byte_map(const unsigned char *text, uint2 *maps, size_t n)
{
    if (self() >= n)
        return;
    uint2 map = make_uint2(0, 0);
    for (unsigned s = 0; s < LEX_STATES; s++)
        (s < 8 ? map.x : map.y) |= (unsigned)lex_next(s, text[self()]) << s % 8 * 4;
    maps[self()] = map;
}

__global__ void from_start(const uint2 *maps, unsigned char *states, size_t n)
{
    if (self() < n)
        states[self()] = (unsigned char)(maps[self()].x >> 4 * LEX_START & 15);
}

__global__ void first_bytes(const unsigned char *states, unsigned *flags, size_t n)
{
    if (self() < n)
        flags[self()] = lex_begins(self() > 0 ? states[self() - 1] : (unsigned)LEX_START, states[self()]);
}

/* The scan rises where a token begins. */
__global__ void places_of_rises(const unsigned *tokens, unsigned *begins, size_t n)
{
    if (self() >= n)
        return;
    unsigned before = self() > 0 ? tokens[self() - 1] : 0;
    if (tokens[self()] > before)
        begins[before] = (unsigned)self();
}

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    if (n == 0)
        return 0;
    uint2 *maps      = room<uint2>(n);
    unsigned *tokens = room<unsigned>(n);
    byte_map<<<grid(n), 64>>>(text, maps, n);
    maps = doubled(maps, n, chain());
    from_start<<<grid(n), 64>>>(maps, states, n);
    first_bytes<<<grid(n), 64>>>(states, tokens, n);
    tokens = doubled(tokens, n, add());
    places_of_rises<<<grid(n), 64>>>(tokens, begins, n);
    size_t count = last(tokens, n);
    cudaFree(maps);
    cudaFree(tokens);
    return count;
}

/* ---- quicksort: all that a key needs in one segmented scan from the left and one from the right ---- */

struct tally {
    unsigned head, all, less, equal;
};

struct segmented_tally {
    __device__ tally operator()(tally a, tally b) const
    {
        return b.head ? b : tally{a.head, a.all + b.all, a.less + b.less, a.equal + b.equal};
    }
};

__global__ void one_each(const unsigned *heads, tally *tallies, size_t n)
{
    if (self() < n)
        tallies[self()] = tally{heads[self()], 1, 0, 0};
}

/* From the right a segment begins where from the left the next one does. */
__global__ void one_each_back(const unsigned *heads, tally *tallies, size_t n)
{
    size_t i = n - 1 - self();
    if (self() < n)
        tallies[self()] = tally{i + 1 == n || heads[i + 1], 1, 0, 0};
}

__device__ unsigned pivot_of(const unsigned *in, const tally *left, const tally *right, size_t n, size_t i)
{
    size_t before = left[i].all - 1, length = before + right[n - 1 - i].all;
    return in[i - before + length / 2];
}

__global__ void compare(const unsigned *in, const unsigned *heads, const tally *left, const tally *right, tally *sides,
                        size_t n)
{
    size_t i = self();
    if (i >= n)
        return;
    unsigned pivot = pivot_of(in, left, right, n, i);
    sides[i]       = tally{heads[i], 1, in[i] < pivot, in[i] == pivot};
}

__global__ void put_keys(const unsigned *in, const tally *left, const tally *right, const tally *sides, unsigned *out,
                         unsigned *out_heads, size_t n)
{
    size_t i = self();
    if (i >= n)
        return;
    tally own = sides[i], whole = sides[i + right[n - 1 - i].all - 1];
    unsigned pivot = pivot_of(in, left, right, n, i);
    size_t begin   = i + 1 - own.all;
    size_t group   = in[i] < pivot ? 0 : in[i] == pivot ? whole.less : whole.less + whole.equal;
    unsigned rank  = in[i] < pivot ? own.less : in[i] == pivot ? own.equal : own.all - own.less - own.equal;
    out[begin + group + rank - 1]       = in[i];
    out_heads[begin + group + rank - 1] = rank == 1;
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    if (n == 0)
        return;
    tally *left = room<tally>(n), *right = room<tally>(n), *sides = room<tally>(n);
    one_each<<<grid(n), 64>>>(heads, left, n);
    one_each_back<<<grid(n), 64>>>(heads, right, n);
    left  = doubled(left, n, segmented_tally());
    right = doubled(right, n, segmented_tally());
    compare<<<grid(n), 64>>>(in, heads, left, right, sides, n);
    sides = doubled(sides, n, segmented_tally());
    put_keys<<<grid(n), 64>>>(in, left, right, sides, out, out_heads, n);
    cudaFree(left);
    cudaFree(right);
    cudaFree(sides);
}

__global__ void mark_first(unsigned *heads, size_t n)
{
    if (self() < n)
        heads[self()] = self() == 0;
}

__global__ void count_descents(const unsigned *keys, unsigned *descents, size_t n)
{
    if (self() + 1 < n && keys[self()] > keys[self() + 1])
        atomicAdd(descents, 1);
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0)
        return;
    unsigned *keys = room<unsigned>(n), *heads = room<unsigned>(n), *more_heads = room<unsigned>(n);
    unsigned *descents = room<unsigned>(1), left;
    cudaMemcpy(out, in, n * sizeof *out, cudaMemcpyDeviceToDevice);
    mark_first<<<grid(n), 64>>>(heads, n);
    do {
        cudaMemcpy(keys, out, n * sizeof *keys, cudaMemcpyDeviceToDevice);
        split_segments(keys, heads, out, more_heads, n);
        unsigned *swap = heads;
        heads          = more_heads;
        more_heads     = swap;
        cudaMemset(descents, 0, sizeof *descents);
        count_descents<<<grid(n), 64>>>(out, descents, n);
        left = last(descents, 1);
    } while (left > 0);
    cudaFree(keys);
    cudaFree(heads);
    cudaFree(more_heads);
    cudaFree(descents);
}
