/* applications.cu: lab 8, problems that become scans. The contract is in labs/8-applications/applications.h.
 *
 * Part 1    write_lines          sums of lengths: where does each writer write?
 * Part 2    tree_depths          sums of steps down and up: how deep?
 * Part 3    histogram            sort, then sums of heads: which group?
 * Part 4    compare_strings      the first difference
 * Part 5    linear_recurrence    composition of maps x -> a x + b
 *           polynomial_value     the same operator, all of it in one number
 * Part 6    second_order         products of matrices
 * Part 7    lex                  composition of an automaton's steps
 * Part 8    split_segments       sums that begin anew at each head
 *           quicksort            round after round of it
 *
 * stock_scan_inclusive(in, out, n) and stock_scan_exclusive scan sums of unsigned. With a monoid of your own,
 * stock_scan_inclusive<monoid>(in, out, n) scans its values, and stock_reduce<monoid>(in, n) returns the
 * value of all of them together. */
#include "applications.h"

enum { THREADS = 256 /* of a block; a thread handles one element */ };

/* Enough blocks for a thread an element. */
unsigned blocks_for(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

/* The element that this thread handles; threads of the last block may have none. */
__device__ size_t own_element()
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

/* An array on the device. */
template <class T> T *allocate(size_t n)
{
    T *array;
    cudaMalloc(&array, n * sizeof(T));
    return array;
}

/* Frees arrays. */
template <class... T> void release(T *...arrays)
{
    (cudaFree(arrays), ...);
}

/* One element of an array, on the host: waits for the kernels before. */
template <class T> T fetch(const T *element)
{
    T value;
    cudaMemcpy(&value, element, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

/* ---- Part 1: a place for every writer ---------------------------------------------------------------
 *
 *     end = 0
 *     for i = 0 ... n - 1:    end += length of line i;  write it so that it ends there
 *
 * A writer can compute its own line's length. Where the line ends depends on all lines before: the inclusive
 * scan of the lengths. The last end is the length of the text.
 *
 *     numbers     7      120        0      45
 *     lines       7\n    120\n      0\n    45\n
 *     lengths     2      4          2      3
 *     ends        2      6          8      11
 *     out         7 \n 1 2 0 \n 0 \n 4 5 \n */

__global__ void measure_lines_kernel(const unsigned *numbers, unsigned *lengths, size_t n)
{
    /* TODO: how long is line i? Mind the newline, and the number 0. */
    /* solution */
    size_t i = own_element();
    if (i >= n)
        return;
    unsigned length = 2;
    for (unsigned rest = numbers[i]; rest >= 10; rest /= 10)
        length++;
    lengths[i] = length;
    /* end solution */
}

__global__ void write_lines_kernel(const unsigned *numbers, const unsigned *ends, unsigned char *out,
                                   size_t n)
{
    /* TODO: write line i. Which digit comes out of a division first, and where does it belong? */
    /* solution */
    size_t i = own_element();
    if (i >= n)
        return;
    unsigned rest = numbers[i], place = ends[i];
    out[--place]  = '\n';
    do {
        out[--place] = (unsigned char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    /* end solution */
}

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    size_t length = 0;

    /* TODO: which scan, and of what? Where is the length of the text? And for n = 0? Free what you
     * allocate. */
    /* solution */
    if (n == 0)
        return 0;
    unsigned *ends = allocate<unsigned>(n);
    measure_lines_kernel<<<blocks_for(n), THREADS>>>(numbers, ends, n);
    stock_scan_inclusive(ends, ends, n);
    write_lines_kernel<<<blocks_for(n), THREADS>>>(numbers, ends, out, n);
    length = fetch(&ends[n - 1]);
    release(ends);
    /* end solution */

    return length;
}

/* ---- Part 2: the depths of a tree -------------------------------------------------------------------
 *
 *     above = 0
 *     for each move:    down into v: depths[v] = above;  above += 1        up: above -= 1
 *
 * A move down is +1 and a move up -1. Before the move into v, the sum is the number of nodes that the walk is
 * in: those above v. It is the exclusive scan, and v, wherever it is numbered, gets it (Tarjan & Vishkin
 * 1985).
 *
 *         2            tour      2   0   3  ~3  ~0   1  ~1  ~2
 *        / \           steps    +1  +1  +1  -1  -1  +1  -1  -1
 *       0   1          before    0   1   2   3   2   1   2   1
 *      /                         |   |   |           |
 *     3                depths of 2   0   3           1 */

__global__ void steps_kernel(const int *tour, unsigned *steps, size_t moves)
{
    /* TODO: how does move i change the depth? An unsigned -1 is 2^32 - 1, and sums that wrap around are right. */
    /* solution */
    size_t i = own_element();
    if (i < moves)
        steps[i] = tour[i] >= 0 ? 1u : -1u;
    /* end solution */
}

__global__ void depths_kernel(const int *tour, const unsigned *before, unsigned *depths, size_t moves)
{
    /* TODO: which moves give a depth, and of which node? */
    /* solution */
    size_t i = own_element();
    if (i < moves && tour[i] >= 0)
        depths[tour[i]] = before[i];
    /* end solution */
}

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    /* TODO: steps, scan, depths, for 2n moves. */
    /* solution */
    if (n == 0)
        return;
    size_t moves     = 2 * n;
    unsigned *before = allocate<unsigned>(moves);
    steps_kernel<<<blocks_for(moves), THREADS>>>(tour, before, moves);
    stock_scan_exclusive(before, before, moves);
    depths_kernel<<<blocks_for(moves), THREADS>>>(tour, before, depths, moves);
    release(before);
    /* end solution */
}

/* ---- Part 3: a histogram by sorting -----------------------------------------------------------------
 *
 * Counters that all threads raise would need one for every key that there could be: 2^32 of them. Sorted,
 * equal keys stand together. The first of each group is its head; the inclusive scan of the heads numbers the
 * groups from 1 on; a group's length is the distance to the next head.
 *
 *     keys       5   9   5   7   9   5
 *     sorted     5   5   5   7   9   9
 *     heads      1   0   0   1   1   0
 *     groups     1   1   1   2   3   3
 *     values     5           7   9
 *     starts     0           3   4
 *     counts     3           1   2 */

__global__ void heads_kernel(const unsigned *sorted, unsigned *heads, size_t n)
{
    /* TODO: does a group begin at slot i? What about i = 0? */
    /* solution */
    size_t i = own_element();
    if (i < n)
        heads[i] = i == 0 || sorted[i] != sorted[i - 1];
    /* end solution */
}

/* The slots of the 1s: compaction, as in lab 4. numbers is the inclusive scan of flags. */
__global__ void places_kernel(const unsigned *flags, const unsigned *numbers, unsigned *places, size_t n)
{
    /* TODO: slot i, if it is flagged, goes into places. Where? The numbers count from 1. */
    /* solution */
    size_t i = own_element();
    if (i < n && flags[i])
        places[numbers[i] - 1] = (unsigned)i;
    /* end solution */
}

__global__ void groups_kernel(const unsigned *sorted, const unsigned *starts, unsigned *values,
                              unsigned *counts, size_t n, size_t different)
{
    /* TODO: a thread for each group: its key and its length. Where does the last group end? */
    /* solution */
    size_t k = own_element();
    if (k >= different)
        return;
    values[k] = sorted[starts[k]];
    counts[k] = (k + 1 < different ? starts[k + 1] : (unsigned)n) - starts[k];
    /* end solution */
}

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    size_t different = 0;

    /* TODO: sort, then the rows of the handout's table. How many groups are there? */
    /* solution */
    if (n == 0)
        return 0;
    unsigned *sorted = allocate<unsigned>(n), *heads = allocate<unsigned>(n);
    unsigned *groups = allocate<unsigned>(n), *starts = allocate<unsigned>(n);
    stock_sort(keys, sorted, n);
    heads_kernel<<<blocks_for(n), THREADS>>>(sorted, heads, n);
    stock_scan_inclusive(heads, groups, n);
    places_kernel<<<blocks_for(n), THREADS>>>(heads, groups, starts, n);
    different = fetch(&groups[n - 1]);
    groups_kernel<<<blocks_for(different), THREADS>>>(sorted, starts, values, counts, n, different);
    release(sorted, heads, groups, starts);
    /* end solution */

    return different;
}

/* ---- Part 4: two strings ----------------------------------------------------------------------------
 *
 *     for i = 0 ...:    if left[i] != right[i]: this decides; stop
 *
 * "Stop" is an operator: of two results the left one counts, unless it has found no difference (Blelloch
 * 1990). One more place follows the shorter string: there the lengths decide.
 *
 *     left       s  c  a  n  s             place   0  1  2  3  4
 *     right      s  c  a  r                order   .  .  .  -1 1         3, -1 is the first: left < right */

struct difference {
    unsigned place;
    int order; /* -1: left comes first; 1: right does; 0: no difference here */
};

struct first_difference {
    typedef difference value;
    static __host__ __device__ value identity() { return value{0, 0}; }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = left;

        /* TODO: which of the two decides? */
        /* solution */
        if (left.order == 0)
            both = right;
        /* end solution */

        return both;
    }
};

/* One thread a place of the shorter string, and one for the place behind it. */
__global__ void differences_kernel(const unsigned char *left, size_t left_n, const unsigned char *right,
                                   size_t right_n, difference *differences)
{
    /* TODO: the result for slot i alone. What decides after the shorter string? */
    /* solution */
    size_t i = own_element(), shorter = left_n < right_n ? left_n : right_n;
    if (i > shorter)
        return;
    size_t l       = i < shorter ? left[i] : left_n;
    size_t r       = i < shorter ? right[i] : right_n;
    differences[i] = difference{(unsigned)i, l < r ? -1 : l > r ? 1 : 0};
    /* end solution */
}

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n,
                       int *order)
{
    size_t place = 0;

    /* TODO: one result for each slot, then stock_reduce<first_difference>. Copy the order to the device. What is
     * returned when the strings are equal? */
    /* solution */
    size_t shorter          = left_n < right_n ? left_n : right_n;
    difference *differences = allocate<difference>(shorter + 1);
    differences_kernel<<<blocks_for(shorter + 1), THREADS>>>(left, left_n, right, right_n, differences);
    difference first = stock_reduce<first_difference>(differences, shorter + 1);
    cudaMemcpy(order, &first.order, sizeof first.order, cudaMemcpyHostToDevice);
    release(differences);
    place = first.order != 0 ? first.place : shorter;
    /* end solution */

    return place;
}

/* ---- Part 5: recurrences ----------------------------------------------------------------------------
 *
 *     x = start
 *     for i = 0 ... n - 1:    x = a[i] * x + b[i];  store it
 *
 * Each step is a map, x -> a x + b. First (a, b) and then (c, d) is c (a x + b) + d = (a c) x + (b c + d):
 * two steps are one map again, and maps do not care how they are bracketed. Their scan gives, at each place,
 * all steps up to it as one map, which only has to be applied to the start (Kogge & Stone 1973).
 *
 *     a          2       3       1            start 1
 *     b          1       0       5
 *     scan       2x+1    6x+3    6x+8
 *     x          3       9       14 */

struct map {
    unsigned a, b; /* x -> a x + b */
};

struct affine {
    typedef map value;
    static __host__ __device__ value identity() { return value{1, 0}; }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = left;

        /* TODO: first left, then right. */
        /* solution */
        both.a = left.a * right.a;
        both.b = left.b * right.a + right.b;
        /* end solution */

        return both;
    }
};

__global__ void maps_kernel(const unsigned *a, const unsigned *b, map *maps, size_t n)
{
    /* TODO: the map of step i. */
    /* solution */
    size_t i = own_element();
    if (i < n)
        maps[i] = map{a[i], b[i]};
    /* end solution */
}

__global__ void apply_kernel(const map *maps, unsigned start, unsigned *x, size_t n)
{
    /* TODO: apply all steps up to i to the start. */
    /* solution */
    size_t i = own_element();
    if (i < n)
        x[i] = maps[i].a * start + maps[i].b;
    /* end solution */
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    /* TODO: maps, their scan, and the result. Which scan: inclusive or exclusive? */
    /* solution */
    if (n == 0)
        return;
    map *maps = allocate<map>(n);
    maps_kernel<<<blocks_for(n), THREADS>>>(a, b, maps, n);
    stock_scan_inclusive<affine>(maps, maps, n);
    apply_kernel<<<blocks_for(n), THREADS>>>(maps, start, x, n);
    release(maps);
    /* end solution */
}

/* Horner's rule is a recurrence, from the last coefficient to the first:
 *
 *     value = 0
 *     for i = n - 1 ... 0:    value = value * x + c[i]
 *
 * Only its end is needed, so a reduction is enough. The maps are in the order of the steps: reversed. */

__global__ void horner_kernel(const unsigned *c, map *maps, size_t n, unsigned x)
{
    /* TODO: the map of c[i]. Which step of Horner's rule uses it? */
    /* solution */
    size_t i = own_element();
    if (i < n)
        maps[n - 1 - i] = map{x, c[i]};
    /* end solution */
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    unsigned value = 0;

    /* TODO: Horner's maps, all steps as one, applied to 0. */
    /* solution */
    if (n == 0)
        return 0;
    map *maps = allocate<map>(n);
    horner_kernel<<<blocks_for(n), THREADS>>>(c, maps, n, x);
    value = stock_reduce<affine>(maps, n).b;
    release(maps);
    /* end solution */

    return value;
}

/* ---- Part 6: second order ---------------------------------------------------------------------------
 *
 * x[i] depends on two numbers before it. The pair of two neighbours depends on one pair, by a matrix:
 *
 *     | x[i]     |     | a[i]  b[i] |   | x[i - 1] |
 *     | x[i - 1] |  =  |  1     0   | * | x[i - 2] |
 *
 * The steps up to i are the product of their matrices, the later ones on the left. With a = b = 1:
 *
 *     scan       1 1     2 1     3 2     5 3           last 1, last but one 0
 *                1 0     1 1     2 1     3 2
 *     x          1       2       3       5 */

struct matrix {
    unsigned a, b; /* first row */
    unsigned c, d;
};

struct product {
    typedef matrix value;
    static __host__ __device__ value identity() { return value{1, 0, 0, 1}; }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = left;

        /* TODO: first left, then right. Which matrix product is that? */
        /* solution */
        both.a = right.a * left.a + right.b * left.c;
        both.b = right.a * left.b + right.b * left.d;
        both.c = right.c * left.a + right.d * left.c;
        both.d = right.c * left.b + right.d * left.d;
        /* end solution */

        return both;
    }
};

__global__ void matrices_kernel(const unsigned *a, const unsigned *b, matrix *matrices, size_t n)
{
    /* TODO: the matrix of step i. */
    /* solution */
    size_t i = own_element();
    if (i < n)
        matrices[i] = matrix{a[i], b[i], 1, 0};
    /* end solution */
}

__global__ void apply_matrices_kernel(const matrix *matrices, unsigned last, unsigned last_but_one,
                                      unsigned *x, size_t n)
{
    /* TODO: the first row of the matrix times the pair that it all starts from. */
    /* solution */
    size_t i = own_element();
    if (i < n)
        x[i] = matrices[i].a * last + matrices[i].b * last_but_one;
    /* end solution */
}

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x,
                  size_t n)
{
    /* TODO: as linear_recurrence, with matrices. */
    /* solution */
    if (n == 0)
        return;
    matrix *matrices = allocate<matrix>(n);
    matrices_kernel<<<blocks_for(n), THREADS>>>(a, b, matrices, n);
    stock_scan_inclusive<product>(matrices, matrices, n);
    apply_matrices_kernel<<<blocks_for(n), THREADS>>>(matrices, last, last_but_one, x, n);
    release(matrices);
    /* end solution */
}

/* ---- Part 7: lexing ---------------------------------------------------------------------------------
 *
 *     state = LEX_START
 *     for i = 0 ... n - 1:    state = lex_next(state, text[i]);  store it
 *
 * What a byte means depends on all bytes before: the / in "a / b" and the one in a comment. But a byte by
 * itself is a map from states to states: for each state that there could be before it, the state after it. Of
 * two maps, one after the other, the composition is a map again; their scan, applied to the start, is the
 * state after every byte (Hillis & Steele 1986).
 *
 * With 13 states a map fits one number of 64 bits: four bits for each state before hold the state after. */

typedef unsigned long long state_map;

struct transitions {
    typedef state_map value;
    /* Every state stays as it is. */
    static __host__ __device__ value identity() { return 0xfedcba9876543210u; }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = left;

        /* TODO: first left, then right, for each of the LEX_STATES states before. Shift values of 64 bits
         * only. */
        /* solution */
        both = 0;
        for (unsigned before = 0; before < LEX_STATES; before++) {
            unsigned between = left >> 4 * before & 15;
            both |= (right >> 4 * between & 15) << 4 * before;
        }
        /* end solution */

        return both;
    }
};

__global__ void transitions_kernel(const unsigned char *text, state_map *maps, size_t n)
{
    /* TODO: the map of one byte. Widen a state before you shift it. */
    /* solution */
    size_t i = own_element();
    if (i >= n)
        return;
    state_map own = 0;
    for (unsigned before = 0; before < LEX_STATES; before++)
        own |= (state_map)lex_next(before, text[i]) << 4 * before;
    maps[i] = own;
    /* end solution */
}

/* The state after the byte before i; maps is the scan of the bytes' maps. */
__device__ unsigned state_before(const state_map *maps, size_t i)
{
    unsigned state = LEX_START;

    /* TODO: which map has been applied to the start before byte i? There is none for i = 0. */
    /* solution */
    if (i > 0)
        state = (unsigned)(maps[i - 1] >> 4 * LEX_START & 15);
    /* end solution */

    return state;
}

__global__ void states_kernel(const state_map *maps, unsigned char *states, unsigned *flags, size_t n)
{
    /* TODO: the state after byte i, and whether a token begins with it (lex_begins). */
    /* solution */
    size_t i = own_element();
    if (i >= n)
        return;
    unsigned after = state_before(maps, i + 1);
    states[i]      = (unsigned char)after;
    flags[i]       = lex_begins(state_before(maps, i), after);
    /* end solution */
}

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    size_t tokens = 0;

    /* TODO: two scans: one gives the states, and one collects the tokens, as in histogram. Which is inclusive? */
    /* solution */
    if (n == 0)
        return 0;
    state_map *maps = allocate<state_map>(n);
    unsigned *flags = allocate<unsigned>(n), *numbers = allocate<unsigned>(n);
    transitions_kernel<<<blocks_for(n), THREADS>>>(text, maps, n);
    stock_scan_inclusive<transitions>(maps, maps, n);
    states_kernel<<<blocks_for(n), THREADS>>>(maps, states, flags, n);
    stock_scan_inclusive(flags, numbers, n);
    places_kernel<<<blocks_for(n), THREADS>>>(flags, numbers, begins, n);
    tokens = fetch(&numbers[n - 1]);
    release(maps, flags, numbers);
    /* end solution */

    return tokens;
}

/* ---- Part 8: quicksort ------------------------------------------------------------------------------
 *
 * Quicksort splits the keys by a pivot, and then both sides by a pivot each. The recursion becomes rounds:
 * all segments are split at once. What each key has to know is how many keys before it in its own segment go
 * to which side: a sum that starts again at each head. That is an operator too: on pairs of a head and a
 * count, (f, x) and (g, y) give (f or g, g ? y : x + y). It is associative (Blelloch 1990).
 *
 *     in             5   2   8   5   1 | 9   7   7          pivots 8 and 7
 *     heads          1   0   0   0   0 | 1   0   0
 *     less           1   1   0   1   1 | 0   0   0
 *     equal          0   0   1   0   0 | 0   1   1
 *     scan: less     1   2   2   3   4 | 0   0   0          the last one is the sum of the segment
 *           equal    0   0   1   1   1 | 0   1   2
 *     out            5   2   5   1 | 8 | 7   7 | 9 */

struct count {
    unsigned head, less, equal;
};

struct segmented {
    typedef count value;
    static __host__ __device__ value identity() { return value{0, 0, 0}; }
    static __host__ __device__ value combine(value left, value right)
    {
        value both = left;

        /* TODO: when there is a head in right, left belongs to another segment. */
        /* solution */
        if (right.head)
            both = right;
        else {
            both.less += right.less;
            both.equal += right.equal;
        }
        /* end solution */

        return both;
    }
};

/* The segment of a key: its places are first to last. */
struct segment {
    size_t first, last;
    unsigned pivot;
};

/* segments is the inclusive scan of the heads, starts are their slots. */
__device__ segment segment_of(const unsigned *in, const unsigned *segments, const unsigned *starts, size_t n,
                              size_t i)
{
    segment s = {};

    /* TODO: the first and last slot of key i's segment, and its pivot. Where does the last segment end? */
    /* solution */
    unsigned next = segments[i];
    s.first       = starts[next - 1];
    s.last        = next < segments[n - 1] ? starts[next] - 1 : n - 1;
    s.pivot       = in[s.first + (s.last + 1 - s.first) / 2];
    /* end solution */

    return s;
}

__global__ void sides_kernel(const unsigned *in, const unsigned *heads, const unsigned *segments,
                             const unsigned *starts, count *counts, size_t n)
{
    /* TODO: the count of key i alone. */
    /* solution */
    size_t i = own_element();
    if (i >= n)
        return;
    unsigned pivot = segment_of(in, segments, starts, n, i).pivot;
    counts[i]      = count{heads[i], in[i] < pivot, in[i] == pivot};
    /* end solution */
}

__global__ void split_kernel(const unsigned *in, const unsigned *segments, const unsigned *starts,
                             const count *counts, unsigned *out, unsigned *out_heads, size_t n)
{
    /* TODO: the rank of key i in its group, from 0 on, and the slot where its group begins. Which counts are in
     * counts[i], and which in that of the segment's last key? Which keys are heads? */
    /* solution */
    size_t i = own_element();
    if (i >= n)
        return;
    segment s      = segment_of(in, segments, starts, n, i);
    count here     = counts[i], all = counts[s.last];
    size_t begin   = s.first, rank;
    unsigned key   = in[i];
    if (key < s.pivot) {
        rank = here.less - 1;
    } else if (key == s.pivot) {
        begin += all.less;
        rank = here.equal - 1;
    } else {
        begin += all.less + all.equal;
        rank = i - s.first - here.less - here.equal;
    }
    out[begin + rank]       = key;
    out_heads[begin + rank] = rank == 0;
    /* end solution */
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    /* TODO: number the segments, find their starts; count, scan, split. */
    /* solution */
    if (n == 0)
        return;
    unsigned *segments = allocate<unsigned>(n), *starts = allocate<unsigned>(n);
    count *counts = allocate<count>(n);
    stock_scan_inclusive(heads, segments, n);
    places_kernel<<<blocks_for(n), THREADS>>>(heads, segments, starts, n);
    sides_kernel<<<blocks_for(n), THREADS>>>(in, heads, segments, starts, counts, n);
    stock_scan_inclusive<segmented>(counts, counts, n);
    split_kernel<<<blocks_for(n), THREADS>>>(in, segments, starts, counts, out, out_heads, n);
    release(segments, starts, counts);
    /* end solution */
}

/* Rounds, until no key comes before a smaller one. Keys in order are halved by the pivot in the middle, so
 * sorted input is no bad case; and keys equal to the pivot are done. */

struct sum {
    typedef unsigned value;
    static __host__ __device__ value identity() { return 0; }
    static __host__ __device__ value combine(value left, value right)
    {
        return left + right;
    }
};

__global__ void descents_kernel(const unsigned *keys, unsigned *descents, size_t n)
{
    /* TODO: descents[i] is 1 if a smaller key follows, else 0. */
    /* solution */
    size_t i = own_element();
    if (i < n)
        descents[i] = i + 1 < n && keys[i] > keys[i + 1];
    /* end solution */
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    /* TODO: the loop of the handout. How many heads are there at first? Two pairs of arrays swap roles. Which of
     * them holds the keys in the end? */
    /* solution */
    if (n == 0)
        return;
    unsigned *keys = allocate<unsigned>(n), *heads = allocate<unsigned>(n), *descents = allocate<unsigned>(n);
    unsigned *next_keys = allocate<unsigned>(n), *next_heads = allocate<unsigned>(n), one = 1;
    cudaMemcpy(keys, in, n * sizeof *keys, cudaMemcpyDeviceToDevice);
    cudaMemset(heads, 0, n * sizeof *heads);
    cudaMemcpy(heads, &one, sizeof one, cudaMemcpyHostToDevice);
    for (;;) {
        descents_kernel<<<blocks_for(n), THREADS>>>(keys, descents, n);
        if (stock_reduce<sum>(descents, n) == 0)
            break;
        split_segments(keys, heads, next_keys, next_heads, n);
        unsigned *split_keys = next_keys, *split_heads = next_heads;
        next_keys  = keys;
        next_heads = heads;
        keys       = split_keys;
        heads      = split_heads;
    }
    cudaMemcpy(out, keys, n * sizeof *out, cudaMemcpyDeviceToDevice);
    release(keys, heads, descents, next_keys, next_heads);
    /* end solution */
}
