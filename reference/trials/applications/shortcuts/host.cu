/* The host does everything: copy back, the plain loop, copy in.
 *
 * parts: write_lines tree_depths histogram compare_strings linear_recurrence polynomial_value
 * parts: second_order lex split_segments quicksort
 * says: the host */
#include "applications.h"
#include <vector>

static size_t lines_loop(const unsigned *numbers, unsigned char *out, size_t n)
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

static void depths_loop(const int *tour, unsigned *depths, size_t n)
{
    unsigned above = 0;
    for (size_t i = 0; i < 2 * n; i++)
        if (tour[i] >= 0)
            depths[tour[i]] = above++;
        else
            above--;
}

/* By bytes; sorted into keys, with as many others for scratch. */
static void sort_loop(unsigned *keys, unsigned *other, size_t n)
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

static size_t groups_loop(const unsigned *sorted, unsigned *values, unsigned *counts, size_t n)
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

static size_t difference_loop(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n,
                         int *order)
{
    size_t i = 0, shorter = left_n < right_n ? left_n : right_n;
    while (i < shorter && left[i] == right[i])
        i++;
    size_t l = i < shorter ? left[i] : left_n, r = i < shorter ? right[i] : right_n;
    *order = (l > r) - (l < r);
    return i;
}

static void recurrence_loop(const unsigned *a, const unsigned *b, unsigned x, unsigned *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x = a[i] * x + b[i];
}

static unsigned polynomial_loop(const unsigned *c, size_t n, unsigned x)
{
    unsigned value = 0;
    while (n > 0)
        value = value * x + c[--n];
    return value;
}

static void second_loop(const unsigned *a, const unsigned *b, unsigned last, unsigned before, unsigned *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned x = a[i] * last + b[i] * before;
        out[i]     = x;
        before     = last;
        last       = x;
    }
}

static size_t lex_loop(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
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

static void split_loop(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
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

/* ---- there and back ------------------------------------------------------------------------------------- */

template <class T> static std::vector<T> get(const T *array, size_t n)
{
    std::vector<T> values(n);
    cudaMemcpy(values.data(), array, n * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

template <class T> static void put(T *array, const std::vector<T> &values, size_t n)
{
    cudaMemcpy(array, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
}

size_t write_lines(const unsigned *numbers, unsigned char *out, size_t n)
{
    std::vector<unsigned> all = get(numbers, n);
    std::vector<unsigned char> text(LINE_MOST * n);
    size_t length = lines_loop(all.data(), text.data(), n);
    put(out, text, length);
    return length;
}

void tree_depths(const int *tour, unsigned *depths, size_t n)
{
    std::vector<int> moves = get(tour, 2 * n);
    std::vector<unsigned> all(n);
    depths_loop(moves.data(), all.data(), n);
    put(depths, all, n);
}

size_t histogram(const unsigned *keys, unsigned *values, unsigned *counts, size_t n)
{
    std::vector<unsigned> sorted = get(keys, n), other(n), different(n), many(n);
    sort_loop(sorted.data(), other.data(), n);
    size_t groups = groups_loop(sorted.data(), different.data(), many.data(), n);
    put(values, different, groups);
    put(counts, many, groups);
    return groups;
}

size_t compare_strings(const unsigned char *left, size_t left_n, const unsigned char *right, size_t right_n, int *order)
{
    std::vector<unsigned char> a = get(left, left_n), b = get(right, right_n);
    std::vector<int> first(1);
    size_t place = difference_loop(a.data(), left_n, b.data(), right_n, first.data());
    put(order, first, 1);
    return place;
}

void linear_recurrence(const unsigned *a, const unsigned *b, unsigned start, unsigned *x, size_t n)
{
    std::vector<unsigned> factors = get(a, n), summands = get(b, n), all(n);
    recurrence_loop(factors.data(), summands.data(), start, all.data(), n);
    put(x, all, n);
}

unsigned polynomial_value(const unsigned *c, size_t n, unsigned x)
{
    std::vector<unsigned> all = get(c, n);
    return polynomial_loop(all.data(), n, x);
}

void second_order(const unsigned *a, const unsigned *b, unsigned last, unsigned last_but_one, unsigned *x, size_t n)
{
    std::vector<unsigned> near = get(a, n), far = get(b, n), all(n);
    second_loop(near.data(), far.data(), last, last_but_one, all.data(), n);
    put(x, all, n);
}

size_t lex(const unsigned char *text, unsigned char *states, unsigned *begins, size_t n)
{
    std::vector<unsigned char> bytes = get(text, n), after(n);
    std::vector<unsigned> places(n);
    size_t tokens = lex_loop(bytes.data(), after.data(), places.data(), n);
    put(states, after, n);
    put(begins, places, tokens);
    return tokens;
}

void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    std::vector<unsigned> keys = get(in, n), marks = get(heads, n), keys_after(n), marks_after(n);
    split_loop(keys.data(), marks.data(), keys_after.data(), marks_after.data(), n);
    put(out, keys_after, n);
    put(out_heads, marks_after, n);
}

void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    std::vector<unsigned> keys = get(in, n), other(n);
    sort_loop(keys.data(), other.data(), n);
    put(out, keys, n);
}
