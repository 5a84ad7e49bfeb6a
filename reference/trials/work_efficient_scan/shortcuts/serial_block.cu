/* serial_block: one block walks through an array of any length, a section for each thread. The parts of one tile
 * are the work of one block by their contract, and do it.
 *
 * parts: scan_global_tree
 * says: the work is one after the other */
#include "work_efficient_scan.h"

enum { SECTION = 8 };

/* One block; n at most 2^32. Each thread sums its section, thread 0 scans the sums, each scans its section. */
__global__ void scan_kernel(const elem_t *in, elem_t *out, size_t n, bool inclusive)
{
    __shared__ elem_t sums[1024];
    __shared__ elem_t total;
    unsigned t = threadIdx.x;
    if (t == 0)
        total = IDENTITY;
    for (size_t first = 0; first < n; first += (size_t)blockDim.x * SECTION) {
        size_t begin = first + t * SECTION < n ? first + t * SECTION : n;
        size_t end   = begin + SECTION < n ? begin + SECTION : n;
        elem_t own[SECTION], sum = IDENTITY;
        for (unsigned k = 0; k < SECTION; k++) {
            own[k] = begin + k < end ? in[begin + k] : IDENTITY;
            if (begin + k < end)
                sum = k > 0 ? combine(sum, own[k]) : own[k];
        }
        __syncthreads();
        sums[t] = sum;
        __syncthreads();
        if (t == 0)
            for (unsigned s = 0; s < blockDim.x && first + s * SECTION < n; s++) {
                elem_t here = sums[s];
                sums[s]     = total;
                total       = combine(total, here);
            }
        __syncthreads();
        sum = sums[t];
        for (unsigned k = 0; begin + k < end; k++) {
            elem_t next = combine(sum, own[k]);
            out[begin + k] = inclusive ? next : sum;
            sum            = next;
        }
    }
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (n > 0)
        scan_kernel<<<1, 1024>>>(in, out, n, false);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, 32>>>(in, out, n, false);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, 32>>>(in, out, n, false);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, 32>>>(in, out, n, true);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    scan_kernel<<<1, 128>>>(in, out, n, true);
}
