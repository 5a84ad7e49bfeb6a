/* stock: scans by the harness's scans, which this lab does not have.
 *
 * parts: scan_inclusive scan_exclusive scan_single_pass
 * says: stock_monoid.h */
#include "arbitrary_length_scan.h"
#include "stock_monoid.h"

struct monoid {
    typedef elem_t value;
    static __host__ __device__ value identity() { return IDENTITY; }
    static __host__ __device__ value combine(value left, value right) { return ::combine(left, right); }
};

void scan_inclusive(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_single_pass(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_exclusive(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_exclusive<monoid>(in, out, n);
}
