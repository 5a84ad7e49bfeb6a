/* One thread does everything: the plain loop, in a kernel of <<<1, 1>>>.
 *
 * parts: write_lines tree_depths histogram compare_strings linear_recurrence polynomial_value
 * parts: second_order lex split_segments quicksort
 * says: one thread does */
#include "applications.h"

__device__ size_t lines_loop(const unsigned *numbers, unsigned char *out, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char digits[10];
        unsigned count = 0;
        for (unsigned rest = numbers[i]; count == 0 || rest > 0; rest /= 10)
            digits[count++] = (unsigned char)('0' + rest % 10);
        while (count > 0)
            out[length++] = digits[--count];
        out[length++] = '\n';
    }
    return length;
}

__device__ void depths_loop(const int *tour, unsigned *depths, size_t n)
{
    unsigned above = 0;
    for (size_t i = 0; i < 2 * n; i++)
        if (tour[i] >= 0)
            depths[tour[i]] = above++;
        else
            above--;
}

/* By bytes; sorted into keys, with as many others for scratch. */
__device__ void sort_loop(unsigned *keys, unsigned *other, size_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t starts[257] = {};
        for (size_t i = 0; i < n; i++)
            starts[(keys[i] >> shift & 255) + 1]++;
        for (unsigned d = 0; d < 256; d++)
            starts[d + 1] += starts[d];
        for (size_t i = 0; i < n; i++)
            other[starts[keys[i] >> shift & 255]++] = keys[i];
        unsigned *sorted = other;
        other            = keys;
        keys             = sorted;
    }
}

__device__ size_t groups_loop(const unsigned *sorted, unsigned *values, unsigned *counts, size_t n)
{
    size_t groups = 0;
    for (size_t i = 0, begin = 0; i < n; i++)
        if (i + 1 == n || sorted[i + 1] != sorted[i]) {
            values[groups]   = sorted[i];
            counts[groups++] = (unsigned)(i + 1 - begin);
            begin            = i + 1;
        }
    return groups;
}

__device__ size_t difference_loop(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n,
                         int *order)
{
    size_t i = 0, shorter = left_n < right_n ? left_n : right_n;
    while (i < shorter && left[i] == right[i])
        i++;
    size_t l = i < shorter ? left[i] : left_n, r = i < shorter ? right[i] : right_n;
    *order = (l > r) - (l < r);
    return i;
}

__device__ void recurrence_loop(const unsigned *a, const unsigned *b, unsigned x, unsigned *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x = a[i] * x + b[i];
}

__device__ unsigned polynomial_loop(const unsigned *c, size_t n, unsigned x)
{
    unsigned value = 0;
    while (n > 0)
        value = value * x + c[--n];
    return value;
}

__device__ void second_loop(const unsigned *a, const unsigned *b, unsigned last, unsigned before, unsigned *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned x = a[i] * last + b[i] * before;
        out[i]     = x;
        before     = last;
        last       = x;
    }
}

__device__ size_t lex_loop(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    size_t tokens  = 0;
    unsigned state = LEX_START;
    for (size_t i = 0; i < n; i++) {
        unsigned before = state;
        state           = lex_next(state, text[i]);
        states[i]       = (unsigned char)state;
        if (lex_begins(before, state))
            begins[tokens++] = (unsigned)i;
    }
    return tokens;
}

__device__ void split_loop(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    size_t place = 0;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && !heads[end];)
            end++;
        unsigned pivot = in[first + (end - first) / 2];
        for (int side = -1; side <= 1; side++) {
            size_t group = place;
            for (size_t i = first; i < end; i++)
                if ((in[i] > pivot) - (in[i] < pivot) == side) {
                    out[place]         = in[i];
                    out_heads[place++] = 0;
                }
            if (place > group)
                out_heads[group] = 1;
        }
    }
}

/* ---- a kernel a loop ------------------------------------------------------------------------------------ */

__global__ void lines_kernel(const unsigned *numbers, unsigned char *out, size_t n, size_t *result)
{
    *result = lines_loop(numbers, out, n);
}

__global__ void depths_kernel(const int *tour, unsigned *depths, size_t n)
{
    depths_loop(tour, depths, n);
}

__global__ void sort_kernel(const unsigned *in, unsigned *out, unsigned *other, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = in[i];
    sort_loop(out, other, n);
}

__global__ void groups_kernel(const unsigned *sorted, unsigned *values, unsigned *counts, size_t n, size_t *result)
{
    *result = groups_loop(sorted, values, counts, n);
}

__global__ void difference_kernel(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n,
                                  int *order, size_t *result)
{
    *result = difference_loop(left, left_n, right, right_n, order);
}

__global__ void recurrence_kernel(const unsigned *a, const unsigned *b, unsigned x, unsigned *out, size_t n)
{
    recurrence_loop(a, b, x, out, n);
}

__global__ void polynomial_kernel(const unsigned *c, size_t n, unsigned x, size_t *result)
{
    *result = polynomial_loop(c, n, x);
}

__global__ void second_kernel(const unsigned *a, const unsigned *b, unsigned last, unsigned before, unsigned *out,
                              size_t n)
{
    second_loop(a, b, last, before, out, n);
}

__global__ void lex_kernel(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n, size_t *result)
{
    *result = lex_loop(text, states, begins, n);
}

__global__ void split_kernel(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    split_loop(in, heads, out, out_heads, n);
}

/* ---- the parts ------------------------------------------------------------------------------------------ */

static size_t *new_result()
{
    size_t *result;
    cudaMalloc(&result, sizeof *result);
    return result;
}

static size_t take_result(size_t *result)
{
    size_t value;
    cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(result);
    return value;
}

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    size_t *result = new_result();
    lines_kernel<<<1, 1>>>(numbers, out, n, result);
    return take_result(result);
}

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    depths_kernel<<<1, 1>>>(tour, depths, n);
}

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    unsigned *sorted;
    size_t *result = new_result();
    cudaMalloc(&sorted, (2 * n + 1) * sizeof *sorted);
    sort_kernel<<<1, 1>>>(keys, sorted, sorted + n, n);
    groups_kernel<<<1, 1>>>(sorted, values, counts, n, result);
    cudaFree(sorted);
    return take_result(result);
}

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n, int *order)
{
    size_t *result = new_result();
    difference_kernel<<<1, 1>>>(left, left_n, right, right_n, order, result);
    return take_result(result);
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    recurrence_kernel<<<1, 1>>>(a, b, start, x, n);
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    size_t *result = new_result();
    polynomial_kernel<<<1, 1>>>(c, n, x, result);
    return (unsigned)take_result(result);
}

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    second_kernel<<<1, 1>>>(a, b, last, last_but_one, x, n);
}

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    size_t *result = new_result();
    lex_kernel<<<1, 1>>>(text, states, begins, n, result);
    return take_result(result);
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    split_kernel<<<1, 1>>>(in, heads, out, out_heads, n);
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    unsigned *other;
    if (n == 0)
        return;
    cudaMalloc(&other, n * sizeof *other);
    sort_kernel<<<1, 1>>>(in, out, other, n);
    cudaFree(other);
}
