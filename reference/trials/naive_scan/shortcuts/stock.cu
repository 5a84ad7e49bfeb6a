/* stock: scans by the harness's scans, which this lab does not have.
 *
 * parts: scan_quadratic scan_double_buffered scan_in_place scan_global
 * says: stock_monoid.h */
#include "naive_scan.h"
#include "stock_monoid.h"

struct monoid {
    typedef elem_t value;
    static __host__ __device__ value identity() { return IDENTITY; }
    static __host__ __device__ value combine(value left, value right) { return ::combine(left, right); }
};

void scan_quadratic(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_double_buffered(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_in_place(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}

void scan_global(const elem_t *in, elem_t *out, size_t n)
{
    stock_scan_inclusive<monoid>(in, out, n);
}
