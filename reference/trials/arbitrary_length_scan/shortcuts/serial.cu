/* One thread does everything: a loop over the elements in a kernel of <<<1, 1>>>.
 *
 * parts: scan_tiles add_block_sums scan_inclusive scan_exclusive scan_single_pass
 * says: one thread does */
#include "arbitrary_length_scan.h"

__global__ void tiles_kernel(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    for (size_t first = 0; first < n; first += TILE) {
        elem_t sum = in[first];
        out[first] = sum;
        for (size_t i = first + 1; i < first + TILE && i < n; i++)
            out[i] = sum = combine(sum, in[i]);
        sums[first / TILE] = sum;
    }
}

void scan_tiles(const elem_t *in, elem_t *out, elem_t *sums, size_t n)
{
    tiles_kernel<<<1, 1>>>(in, out, sums, n);
}

__global__ void add_kernel(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = i < TILE ? in[i] : combine(sums[i / TILE - 1], in[i]);
}

void add_block_sums(const elem_t *sums, const elem_t *in, elem_t *out, size_t n)
{
    add_kernel<<<1, 1>>>(sums, in, out, n);
}

__global__ void inclusive_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++)
        out[i] = sum = combine(sum, in[i]);
}

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    inclusive_kernel<<<1, 1>>>(in, out, n);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    inclusive_kernel<<<1, 1>>>(in, out, n);
}

__global__ void exclusive_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++) {
        elem_t own = in[i];
        out[i]     = sum;
        sum        = combine(sum, own);
    }
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    exclusive_kernel<<<1, 1>>>(in, out, n);
}
