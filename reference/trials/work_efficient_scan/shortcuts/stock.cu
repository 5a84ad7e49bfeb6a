/* stock: scans by the harness's scans, which this lab does not have.
 *
 * parts: scan_blelloch scan_brent_kung scan_conflict_free scan_coarsened scan_global_tree
 * says: stock_monoid.h */
#include "work_efficient_scan.h"
#include "stock_monoid.h"

struct monoid {
    typedef elem_t value;
    static __host__ __device__ value identity() { return IDENTITY; }
    static __host__ __device__ value combine(value left, value right) { return ::combine(left, right); }
};

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_exclusive<monoid>(in, out, n);
}

void scan_brent_kung(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_conflict_free(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_exclusive<monoid>(in, out, n);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_exclusive<monoid>(in, out, n);
}
