/* serial: one thread goes through the array, in every function.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global inclusive_to_exclusive
 * parts: exclusive_to_inclusive
 * says: one thread does */
#include "naive_scan.h"

__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = in[0];
    out[0]     = sum;
    for (size_t i = 1; i < n; i++) {
        sum    = combine(sum, in[i]);
        out[i] = sum;
    }
}

__global__ void shift_kernel(const elem_t *in, elem_t *out, size_t n)
{
    out[0] = IDENTITY;
    for (size_t i = 1; i < n; i++)
        out[i] = in[i - 1];
}

__global__ void combine_kernel(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = combine(scanned[i], in[i]);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_kernel<<<1, 1>>>(in, out, n);
}

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    scan_global(in, out, n);
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    scan_global(in, out, n);
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    scan_global(in, out, n);
}

void inclusive_to_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        shift_kernel<<<1, 1>>>(in, out, n);
}

void exclusive_to_inclusive(const elem_t *scanned, const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        combine_kernel<<<1, 1>>>(scanned, in, out, n);
}
