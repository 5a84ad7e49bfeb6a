/* host: the array comes to the host, which loops over it, and goes back.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree
 * says: the host gets the data */
#include "work_efficient_scan.h"
#include <vector>

void scan_on_host(const elem_t *in, elem_t *out, size_t n, bool inclusive)
{
    std::vector<elem_t> all(n);
    cudaMemcpy(all.data(), in, n * sizeof(elem_t), cudaMemcpyDeviceToHost);
    elem_t sum = IDENTITY;
    for (size_t i = 0; i < n; i++) {
        elem_t before = sum;
        sum           = combine(sum, all[i]);
        all[i]        = inclusive ? sum : before;
    }
    cudaMemcpy(out, all.data(), n * sizeof(elem_t), cudaMemcpyHostToDevice);
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    scan_on_host(in, out, n, false);
}

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    scan_on_host(in, out, n, false);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    scan_on_host(in, out, n, false);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    scan_on_host(in, out, n, true);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    scan_on_host(in, out, n, true);
}
