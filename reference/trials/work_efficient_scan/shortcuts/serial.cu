/* serial: one thread goes through the array, in every function.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree
 * says: one thread does */
#include "work_efficient_scan.h"

__global__ void inclusive_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = in[0];
    out[0]     = sum;
    for (size_t i = 1; i < n; i++) {
        sum    = combine(sum, in[i]);
        out[i] = sum;
    }
}

__global__ void exclusive_kernel(const elem_t *in, elem_t *out, size_t n)
{
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++) {
        elem_t own = in[i];
        out[i]     = sum;
        if (i + 1 < n)
            sum = i > 0 ? combine(sum, own) : own;
    }
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        exclusive_kernel<<<1, 1>>>(in, out, n);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    exclusive_kernel<<<1, 1>>>(in, out, n);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    exclusive_kernel<<<1, 1>>>(in, out, n);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    inclusive_kernel<<<1, 1>>>(in, out, n);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    inclusive_kernel<<<1, 1>>>(in, out, n);
}
