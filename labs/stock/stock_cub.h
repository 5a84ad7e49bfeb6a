/* stock_cub.h: the stock scans of any monoid on a GPU, by CUB. stock_monoid.h includes it. */
#ifndef LABS_STOCK_CUB_H
#define LABS_STOCK_CUB_H

#include <cub/device/device_scan.cuh>
#include <cuda_runtime.h>
#include <stddef.h>

/* Scratch memory from the device's pool. The pool keeps freed memory, so freeing does not wait. Returns null for 0
 * bytes or when memory runs out. */
void *stock_allocate(size_t bytes);
void stock_free(void *memory);

/* May the running part call `function`, one of enum stock_functions? If not, reports that on stderr. */
bool stock_may_call(const char *name, unsigned function);

template <class M> struct stock_operator {
    __host__ __device__ __forceinline__ typename M::value operator()(const typename M::value &left,
                                                                     const typename M::value &right) const
    {
        return M::combine(left, right);
    }
};

/* Calls run(scratch, bytes) twice, as CUB's functions require: the first call only asks for the number of bytes. */
template <class Run> static void stock_with_scratch(Run run)
{
    size_t bytes = 0;
    run(nullptr, bytes);
    void *scratch = stock_allocate(bytes > 0 ? bytes : 1);
    run(scratch, bytes);
    stock_free(scratch);
}

template <class M>
static inline void stock_scan_inclusive(const typename M::value *in, typename M::value *out, size_t n)
{
    if (n > 0 && stock_may_call("stock_scan_inclusive", 1))
        stock_with_scratch([=](void *scratch, size_t &bytes) {
            cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, stock_operator<M>(), n);
        });
}

template <class M>
static inline void stock_scan_exclusive(const typename M::value *in, typename M::value *out, size_t n)
{
    if (n > 0 && stock_may_call("stock_scan_exclusive", 1))
        stock_with_scratch([=](void *scratch, size_t &bytes) {
            cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, stock_operator<M>(), M::identity(), n);
        });
}

/* Uses a scan, because CUB's reduction requires a commutative operator. */
template <class M> static inline typename M::value stock_reduce(const typename M::value *in, size_t n)
{
    typename M::value sum = M::identity();
    if (n == 0 || !stock_may_call("stock_reduce", 2))
        return sum;
    typename M::value *sums = (typename M::value *)stock_allocate(n * sizeof *sums);
    stock_with_scratch([=](void *scratch, size_t &bytes) {
        cub::DeviceScan::InclusiveScan(scratch, bytes, in, sums, stock_operator<M>(), n);
    });
    cudaMemcpy(&sum, sums + n - 1, sizeof sum, cudaMemcpyDeviceToHost);
    stock_free(sums);
    return sum;
}

#endif
