/* stock_cuda.cu: the stock functions for a GPU that are not templates: see stock_scan.h. Labs that use them link
 * this file. */
#include "parts.h"
#include "stock_monoid.h"
#include <cub/device/device_radix_sort.cuh>
#include <stdint.h>
#include <stdio.h>

/* Set by the runner to the part that it calls. If null, all stock functions may be called. */
extern "C" {
extern __attribute__((visibility("default"))) const struct part *stock_part;
const struct part *stock_part;
}

template <class T> struct sum_of {
    typedef T value;
    static __host__ __device__ __forceinline__ value identity()
    {
        return 0;
    }
    static __host__ __device__ __forceinline__ value combine(value left, value right)
    {
        return left + right;
    }
};

bool stock_may_call(const char *name, unsigned function)
{
    if (!stock_part || stock_part->stock & function)
        return true;
    fprintf(stderr, "%s calls %s, and its contract does not allow that\n", stock_part->name, name);
    return false;
}

void *stock_allocate(size_t bytes)
{
    static bool kept;
    if (!kept) {
        int device;
        cudaMemPool_t pool;
        uint64_t all = UINT64_MAX;
        kept = cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) == cudaSuccess;
    }
    void *memory = nullptr;
    if (bytes > 0)
        cudaMallocAsync(&memory, bytes, 0);
    return memory;
}

void stock_free(void *memory)
{
    if (memory)
        cudaFreeAsync(memory, 0);
}

void stock_scan_exclusive(const unsigned *in, unsigned *out, size_t n)
{
    stock_scan_exclusive<sum_of<unsigned>>(in, out, n);
}

void stock_scan_exclusive_long(const size_t *in, size_t *out, size_t n)
{
    stock_scan_exclusive<sum_of<size_t>>(in, out, n);
}

void stock_scan_inclusive(const unsigned *in, unsigned *out, size_t n)
{
    stock_scan_inclusive<sum_of<unsigned>>(in, out, n);
}

void stock_scan_inclusive_long(const size_t *in, size_t *out, size_t n)
{
    stock_scan_inclusive<sum_of<size_t>>(in, out, n);
}

/* CUB does not sort in place, so this sorts a copy then. */
void stock_sort(const unsigned *in, unsigned *out, size_t n)
{
    if (n == 0 || !stock_may_call("stock_sort", STOCK_SORT))
        return;
    unsigned *copy = nullptr;
    if (in == out) {
        copy = (unsigned *)stock_allocate(n * sizeof *copy);
        cudaMemcpyAsync(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);
        in = copy;
    }
    stock_with_scratch(
        [=](void *scratch, size_t &bytes) { cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n); });
    stock_free(copy);
}
