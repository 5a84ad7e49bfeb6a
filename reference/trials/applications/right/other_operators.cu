/* The stock scans with operators and values that the reference does not have: powers of x by products, pairs and bytes
 * in structs, exclusive scans where it has inclusive ones, and sums that need no segments.
 *
 * parts: write_lines tree_depths histogram compare_strings linear_recurrence polynomial_value
 * parts: second_order lex split_segments quicksort */
#include "applications.h"

#define OWN (blockIdx.x * (size_t)blockDim.x + threadIdx.x)

static unsigned blocks(size_t n)
{
    return (unsigned)((n + 191) / 192);
}

template <typename T> struct array { /* frees itself */
    T *at;
    explicit array(size_t n) { cudaMalloc(reinterpret_cast<void **>(&at), n * sizeof(T)); }
    ~array() { cudaFree(at); }
    operator T *() const { return at; }
    T get(size_t i) const
    {
        T value;
        cudaMemcpy(&value, at + i, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    }
};

/* Lines from the front: a writer has its begin, and counts its digits again. */
__device__ unsigned power_below(unsigned x)
{
    unsigned power = 1;
    while (x / power >= 10)
        power *= 10;
    return power;
}

__global__ void lengths_of(const unsigned *numbers, size_t n, size_t *lengths)
{
    if (OWN >= n)
        return;
    size_t length = 1;
    for (unsigned power = power_below(numbers[OWN]); power > 0; power /= 10)
        length++;
    lengths[OWN] = length;
}

__global__ void write_from(const unsigned *numbers, size_t n, const size_t *begins, unsigned char *out)
{
    if (OWN >= n)
        return;
    unsigned char *to = out + begins[OWN];
    for (unsigned power = power_below(numbers[OWN]); power > 0; power /= 10)
        *to++ = (unsigned char)(numbers[OWN] / power % 10 + '0');
    *to = '\n';
}

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    if (n == 0)
        return 0;
    array<size_t> lengths(n), begins(n);
    lengths_of<<<blocks(n), 192>>>(numbers, n, lengths);
    stock_scan_exclusive_long(lengths, begins, n);
    write_from<<<blocks(n), 192>>>(numbers, n, begins, out);
    return begins.get(n - 1) + lengths.get(n - 1);
}

/* Moves down alone: of i moves before move i, `downs` went down and i - downs up. */
__global__ void mark_downs(const int *tour, size_t moves, unsigned *downs)
{
    if (OWN < moves)
        downs[OWN] = !(tour[OWN] & 1u << 31);
}

__global__ void depths_from_downs(const int *tour, size_t moves, const unsigned *downs, unsigned *depths)
{
    if (OWN < moves && tour[OWN] >= 0)
        depths[tour[OWN]] = 2 * downs[OWN] - (unsigned)OWN - 2; /* its own move is among them */
}

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    if (n == 0)
        return;
    array<unsigned> downs(2 * n);
    mark_downs<<<blocks(2 * n), 192>>>(tour, 2 * n, downs);
    stock_scan_inclusive(downs, downs, 2 * n);
    depths_from_downs<<<blocks(2 * n), 192>>>(tour, 2 * n, downs, depths);
}

/* Groups are numbered from 0 on, by the heads but the first. */
__global__ void single_heads(const unsigned *sorted, size_t n, unsigned *heads)
{
    if (OWN < n)
        heads[OWN] = OWN == 0 ? 0 : sorted[OWN - 1] != sorted[OWN]; /* the first one is number 0 */
}

__global__ void heads_and_tails(const unsigned *sorted, size_t n, const unsigned *group, unsigned *values,
                                unsigned *counts)
{
    size_t i = OWN;
    if (i >= n)
        return;
    if (i == 0 || group[i] != group[i - 1])
        values[group[i]] = sorted[i];
    if (i + 1 == n || group[i] != group[i + 1])
        counts[group[i]] = (unsigned)i + 1; /* where it ends, for now */
}

/* counts[k] - counts[k - 1], into a second array, since neighbours are read. */
__global__ void differences_of(const unsigned *ends, size_t different, unsigned *counts)
{
    if (OWN < different)
        counts[OWN] = ends[OWN] - (OWN ? ends[OWN - 1] : 0);
}

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    if (n == 0)
        return 0;
    array<unsigned> sorted(n), group(n), ends(n);
    stock_sort(keys, sorted, n);
    single_heads<<<blocks(n), 192>>>(sorted, n, group);
    stock_scan_inclusive(group, group, n);
    heads_and_tails<<<blocks(n), 192>>>(sorted, n, group, values, ends);
    size_t different = group.get(n - 1) + 1u;
    differences_of<<<blocks(different), 192>>>(ends, different, counts);
    return different;
}

/* The least place that differs. */
struct least {
    typedef size_t value;
    static __host__ __device__ value identity() { return ~(size_t)0; }
    static __host__ __device__ value combine(value left, value right) { return right < left ? right : left; }
};

__global__ void places_that_differ(const unsigned char *left, const unsigned char *right, size_t n, size_t *places)
{
    if (OWN < n)
        places[OWN] = left[OWN] != right[OWN] ? OWN : ~(size_t)0;
}

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n, int *order)
{
    size_t n = left_n < right_n ? left_n : right_n, place = n;
    if (n > 0) {
        array<size_t> places(n);
        places_that_differ<<<blocks(n), 192>>>(left, right, n, places);
        place = stock_reduce<least>(places, n);
        place = place < n ? place : n;
    }
    unsigned char a = 0, b = 0;
    if (place < n) {
        cudaMemcpy(&a, left + place, 1, cudaMemcpyDeviceToHost);
        cudaMemcpy(&b, right + place, 1, cudaMemcpyDeviceToHost);
    }
    int result = a != b ? (a < b ? -1 : 1) : (left_n > right_n) - (left_n < right_n);
    cudaMemcpy(order, &result, sizeof result, cudaMemcpyHostToDevice);
    return place;
}

/* Both numbers of a map in one of 64 bits; and the exclusive scan, so that each place makes its own step. */
struct packed_maps {
    typedef unsigned long long value;
    static __host__ __device__ value identity() { return 1; }
    static __host__ __device__ value combine(value left, value right)
    {
        unsigned a = (unsigned)left * (unsigned)right;
        unsigned b = (unsigned)(left >> 32) * (unsigned)right + (unsigned)(right >> 32);
        return (value)b << 32 | a;
    }
};

__global__ void pack_maps(const unsigned *a, const unsigned *b, size_t n, unsigned long long *maps)
{
    if (OWN < n)
        maps[OWN] = (unsigned long long)b[OWN] << 32 | a[OWN];
}

__global__ void own_steps(const unsigned *a, const unsigned *b, size_t n, const unsigned long long *maps,
                          unsigned start, unsigned *x)
{
    if (OWN >= n)
        return;
    unsigned before = (unsigned)maps[OWN] * start + (unsigned)(maps[OWN] >> 32);
    x[OWN]          = a[OWN] * before + b[OWN];
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    if (n == 0)
        return;
    array<unsigned long long> maps(n);
    pack_maps<<<blocks(n), 192>>>(a, b, n, maps);
    stock_scan_exclusive<packed_maps>(maps, maps, n);
    own_steps<<<blocks(n), 192>>>(a, b, n, maps, start, x);
}

/* Powers of x by a scan of products, then the sum of the terms. */
struct products {
    typedef unsigned value;
    static __host__ __device__ value identity() { return 1; }
    static __host__ __device__ value combine(value left, value right) { return left * right; }
};

struct sums {
    typedef unsigned value;
    static __host__ __device__ value identity() { return 0; }
    static __host__ __device__ value combine(value left, value right) { return left + right; }
};

__global__ void fill_with(unsigned x, size_t n, unsigned *all)
{
    if (OWN < n)
        all[OWN] = x;
}

__global__ void times(const unsigned *c, size_t n, unsigned *powers)
{
    if (OWN < n)
        powers[OWN] *= c[OWN];
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    if (n == 0)
        return 0;
    array<unsigned> powers(n);
    fill_with<<<blocks(n), 192>>>(x, n, powers);
    stock_scan_exclusive<products>(powers, powers, n);
    times<<<blocks(n), 192>>>(c, n, powers);
    return stock_reduce<sums>(powers, n);
}

/* Rows as vectors, transposed: the product in the order of the steps. */
struct transposed {
    struct value {
        uint2 row[2];
    };
    static __host__ __device__ value identity() { return {{{1, 0}, {0, 1}}}; }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = {};
        for (int i = 0; i < 2; i++) {
            both.row[i].x = left.row[i].x * right.row[0].x + left.row[i].y * right.row[1].x;
            both.row[i].y = left.row[i].x * right.row[0].y + left.row[i].y * right.row[1].y;
        }
        return both;
    }
};

__global__ void transposed_steps(const unsigned *a, const unsigned *b, size_t n, transposed::value *steps)
{
    if (OWN >= n)
        return;
    transposed::value step = {};
    step.row[0].x          = a[OWN];
    step.row[0].y          = 1;
    step.row[1].x          = b[OWN];
    steps[OWN]             = step;
}

__global__ void first_of_pairs(const transposed::value *steps, size_t n, unsigned last, unsigned before, unsigned *x)
{
    if (OWN < n)
        x[OWN] = last * steps[OWN].row[0].x + before * steps[OWN].row[1].x;
}

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    if (n == 0)
        return;
    array<transposed::value> steps(n), all(n);
    transposed_steps<<<blocks(n), 192>>>(a, b, n, steps);
    stock_scan_inclusive<transposed>(steps, all, n);
    first_of_pairs<<<blocks(n), 192>>>(all, n, last, last_but_one, x);
}

/* A map as an array of bytes; from the state before, which the exclusive scan gives, each byte makes its own step. */
struct byte_maps {
    struct value {
        unsigned char to[16];
    };
    static __host__ __device__ value identity()
    {
        value same = {};
        for (unsigned i = 0; i < 16; i++)
            same.to[i] = (unsigned char)i;
        return same;
    }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = {};
        for (unsigned i = 0; i < LEX_STATES; i++)
            both.to[i] = right.to[left.to[i]];
        return both;
    }
};

__global__ void byte_steps(const unsigned char *text, size_t n, byte_maps::value *maps)
{
    if (OWN >= n)
        return;
    byte_maps::value map = {};
    for (unsigned i = 0; i < LEX_STATES; i++)
        map.to[i] = (unsigned char)lex_next(i, text[OWN]);
    maps[OWN] = map;
}

__global__ void lex_steps(const unsigned char *text, size_t n, const byte_maps::value *maps, unsigned char *states,
                          unsigned *flags)
{
    if (OWN >= n)
        return;
    unsigned before = maps[OWN].to[LEX_START], after = lex_next(before, text[OWN]);
    states[OWN]     = (unsigned char)after;
    flags[OWN]      = lex_begins(before, after) ? 1 : 0;
}

__global__ void keep_places(const unsigned *flags, const unsigned *slots, size_t n, unsigned *begins)
{
    if (OWN < n && flags[OWN])
        begins[slots[OWN]] = (unsigned)OWN;
}

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    if (n == 0)
        return 0;
    array<byte_maps::value> maps(n);
    array<unsigned> flags(n), slots(n);
    byte_steps<<<blocks(n), 192>>>(text, n, maps);
    stock_scan_exclusive<byte_maps>(maps, maps, n);
    lex_steps<<<blocks(n), 192>>>(text, n, maps, states, flags);
    stock_scan_exclusive(flags, slots, n);
    keep_places<<<blocks(n), 192>>>(flags, slots, n, begins);
    return slots.get(n - 1) + flags.get(n - 1);
}

/* Where a segment begins: the largest place of a head so far. Where it ends: found from the right. */
struct latest_head {
    typedef unsigned value;
    static __host__ __device__ value identity() { return 0; }
    static __host__ __device__ value combine(value left, value right) { return right > left ? right : left; }
};

__global__ void head_places(const unsigned *heads, size_t n, unsigned *first)
{
    if (OWN < n)
        first[OWN] = heads[OWN] ? (unsigned)OWN : 0;
}

/* The last key of a segment stores the length at the segment's head, where all its keys read it. */
__global__ void lengths_to_heads(const unsigned *heads, const unsigned *first, size_t n, unsigned *length)
{
    if (OWN < n && (OWN + 1 == n || heads[OWN + 1]))
        length[first[OWN]] = (unsigned)OWN + 1 - first[OWN];
}

__global__ void two_sums(const unsigned *in, const unsigned *first, const unsigned *length, size_t n, size_t *sums)
{
    if (OWN >= n)
        return;
    unsigned pivot = in[first[OWN] + length[first[OWN]] / 2];
    sums[OWN]      = (size_t)(in[OWN] > pivot) << 32 | (size_t)(in[OWN] == pivot);
}

__global__ void move_keys(const unsigned *in, const unsigned *first, const unsigned *length, const size_t *sums,
                          size_t n, unsigned *out, unsigned *out_heads)
{
    if (OWN >= n)
        return;
    unsigned begin = first[OWN], end = begin + length[begin], pivot = in[begin + length[begin] / 2], key = in[OWN];
    size_t base = begin ? sums[begin - 1] : 0, own = sums[OWN] - base, all = sums[end - 1] - base;
    unsigned greater = (unsigned)(own >> 32), equal = (unsigned)own, all_greater = (unsigned)(all >> 32);
    unsigned all_equal = (unsigned)all, less_end = end - all_greater - all_equal, slot;
    if (key > pivot)
        slot = end - all_greater + greater - 1;
    else if (key == pivot)
        slot = less_end + equal - 1;
    else
        slot = (unsigned)OWN - greater - equal;
    out[slot]       = key;
    out_heads[slot] = slot == begin || slot == less_end || slot == end - all_greater;
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    if (n == 0)
        return;
    array<unsigned> first(n), length(n);
    array<size_t> sums(n);
    head_places<<<blocks(n), 192>>>(heads, n, first);
    stock_scan_inclusive<latest_head>(first, first, n);
    lengths_to_heads<<<blocks(n), 192>>>(heads, first, n, length);
    two_sums<<<blocks(n), 192>>>(in, first, length, n, sums);
    stock_scan_inclusive_long(sums, sums, n);
    move_keys<<<blocks(n), 192>>>(in, first, length, sums, n, out, out_heads);
}

/* A round changes nothing once all keys of each segment are equal. */
__global__ void first_heads(unsigned *heads, size_t n)
{
    if (OWN < n)
        heads[OWN] = OWN ? 0 : 1;
}

__global__ void unequal_neighbours(const unsigned *keys, const unsigned *heads, size_t n, unsigned *unequal)
{
    if (OWN < n)
        unequal[OWN] = OWN + 1 < n && !heads[OWN + 1] && keys[OWN] != keys[OWN + 1];
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0)
        return;
    array<unsigned> keys(n), heads(n), next_heads(n), unequal(n);
    cudaMemcpy(out, in, n * sizeof *out, cudaMemcpyDefault);
    first_heads<<<blocks(n), 192>>>(heads, n);
    unequal_neighbours<<<blocks(n), 192>>>(out, heads, n, unequal);
    while (stock_reduce<sums>(unequal, n) > 0) {
        split_segments(out, heads, keys, next_heads, n);
        split_segments(keys, next_heads, out, heads, n); /* two rounds, and the keys are where they shall be */
        unequal_neighbours<<<blocks(n), 192>>>(out, heads, n, unequal);
    }
}
