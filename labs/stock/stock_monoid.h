/* stock_monoid.h: scans and a reduction of any monoid, called by host code.
 *
 * A monoid is a struct that names the type of its values and has two functions, both for host and device:
 *
 *     struct longest {
 *         typedef unsigned value;
 *         static __host__ __device__ value identity() { return 0; }
 *         static __host__ __device__ value combine(value left, value right) { return max(left, right); }
 *     };
 *     stock_scan_inclusive<longest>(in, out, n);
 *
 * combine must be associative. It need not be commutative: left always comes before right in the input. A value is
 * any type that can be copied as bytes. All functions take device pointers to n values, for any n, and use the
 * default stream. in and out may be the same. The contract of a part says which of these functions it may call.
 *
 * A scan of n values counts as 2(n - 1) combines and a reduction as n - 1, whatever the implementation does. On the
 * CPU device the functions are implemented by the harness, on a GPU by CUB. */
#ifndef LABS_STOCK_MONOID_H
#define LABS_STOCK_MONOID_H

#ifdef __CUDACC__
#include "stock_scan.h"

/* out[i] = in[0] + ... + in[i]. May return before the work is done. */
template <class M>
static inline void stock_scan_inclusive(const typename M::value *in, typename M::value *out, size_t n);

/* out[i] = in[0] + ... + in[i - 1], out[0] = identity. May return before the work is done. */
template <class M>
static inline void stock_scan_exclusive(const typename M::value *in, typename M::value *out, size_t n);

/* Returns in[0] + ... + in[n - 1], or the identity when n = 0. */
template <class M> static inline typename M::value stock_reduce(const typename M::value *in, size_t n);

#ifdef __SIMT__

/* One combine of the harness, in a thread of the device. The operator is inlined, because the device cannot check a
 * struct of more than two words that is passed in memory. */
template <class M> __attribute__((flatten)) static void stock_combine_values(void *left, const void *right)
{
    typedef typename M::value value;
    static_assert(sizeof(value) <= 4096, "a value of the stock scans has at most 4096 bytes");
    *(value *)left = M::combine(*(value *)left, *(const value *)right);
}

template <class M>
static __forceinline__ void stock_scan_inclusive(const typename M::value *in, typename M::value *out,
                                                 size_t n)
{
    stock_scan_values(in, out, n, sizeof *in, stock_combine_values<M>, NULL);
}

template <class M>
static __forceinline__ void stock_scan_exclusive(const typename M::value *in, typename M::value *out,
                                                 size_t n)
{
    const typename M::value identity = M::identity();
    stock_scan_values(in, out, n, sizeof *in, stock_combine_values<M>, &identity);
}

template <class M>
static __forceinline__ typename M::value stock_reduce(const typename M::value *in, size_t n)
{
    typename M::value sum = M::identity();
    stock_reduce_values(in, n, sizeof *in, stock_combine_values<M>, &sum);
    return sum;
}

#else
#include "stock_cub.h"
#endif
#endif
#endif
