/* Three launches a scan, without the stock scans: tiles are summed up, one block scans the sums, and tiles are scanned from there.
 * What is read and what is done with a prefix are lambdas. A round of quicksort copies the totals of its scans to the host, and
 * asks a kernel whether another round is needed.
 *
 * parts: quicksort */
#include "applications.h"

enum { NT = 128, VT = 4, NV = NT * VT };
template <class M>
__device__ typename M::T block_scan(typename M::T x, typename M::T *s, typename M::T *total)
{
    int t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    for (int d = 1; d < NT; d *= 2) {
        typename M::T y = x;
        if (t >= d)
            y = M::op(s[t - d], x);
        __syncthreads();
        s[t] = x = y;
        __syncthreads();
    }
    *total = s[NT - 1];
    typename M::T before = t ? s[t - 1] : M::zero();
    __syncthreads();
    return before;
}
template <class M, class Load> __global__ void up(Load load, typename M::T *sums, size_t n)
{
    __shared__ typename M::T s[NT];
    size_t first = (size_t)blockIdx.x * NV + threadIdx.x * VT;
    typename M::T x = M::zero(), total;
    for (int k = 0; k < VT; k++)
        if (first + k < n)
            x = M::op(x, load(first + k));
    block_scan<M>(x, s, &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}
template <class M> __global__ void spine(typename M::T *sums, size_t count)
{
    __shared__ typename M::T s[NT];
    typename M::T carry = M::zero(), total;
    for (size_t base = 0; base < count; base += NT) {
        size_t i = base + threadIdx.x;
        typename M::T x = i < count ? sums[i] : M::zero();
        typename M::T before = block_scan<M>(x, s, &total);
        if (i < count)
            sums[i] = M::op(carry, before);
        carry = M::op(carry, total);
    }
    if (threadIdx.x == 0)
        sums[count] = carry;
}
/* store(i, before, through) */
template <class M, class Load, class Store>
__global__ void down(Load load, Store store, const typename M::T *sums, size_t n)
{
    __shared__ typename M::T s[NT];
    size_t first = (size_t)blockIdx.x * NV + threadIdx.x * VT;
    typename M::T x[VT], sum = M::zero(), total;
    for (int k = 0; k < VT; k++) {
        x[k] = first + k < n ? load(first + k) : M::zero();
        sum = M::op(sum, x[k]);
    }
    typename M::T run = M::op(sums[blockIdx.x], block_scan<M>(sum, s, &total));
    for (int k = 0; k < VT; k++) {
        typename M::T through = M::op(run, x[k]);
        if (first + k < n)
            store(first + k, run, through);
        run = through;
    }
}
template <class M, class Load, class Store> typename M::T scan(size_t n, Load load, Store store)
{
    if (n == 0)
        return M::zero();
    size_t tiles = (n + NV - 1) / NV;
    typename M::T *sums, total;
    cudaMalloc(&sums, (tiles + 1) * sizeof *sums);
    up<M><<<(unsigned)tiles, NT>>>(load, sums, n);
    spine<M><<<1, NT>>>(sums, tiles);
    down<M><<<(unsigned)tiles, NT>>>(load, store, sums, n);
    cudaMemcpy(&total, sums + tiles, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(sums);
    return total;
}
struct Sum {
    typedef unsigned T;
    static __host__ __device__ T zero()
    {
        return 0;
    }
    static __device__ T op(T a, T b)
    {
        return a + b;
    }
};
/* segmented counts: three counts and a head flag, Sengupta's operator */
struct Counts {
    struct T {
        unsigned less, equal, greater, head;
    };
    static __host__ __device__ T zero()
    {
        return T{0, 0, 0, 0};
    }
    static __device__ T op(T l, T r)
    {
        if (r.head)
            return r;
        return T{l.less + r.less, l.equal + r.equal, l.greater + r.greater, l.head};
    }
};
__global__ void mark_ends(const unsigned *heads, const unsigned *number, unsigned *begin, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && heads[i])
        begin[number[i] - 1] = (unsigned)i;
    if (i + 1 == n)
        begin[number[i]] = (unsigned)n;
}
void split_segments(const unsigned *in, const unsigned *heads, unsigned *out, unsigned *out_heads, size_t n)
{
    if (!n)
        return;
    unsigned *number, *begin;
    Counts::T *before, *total;
    cudaMalloc(&number, (2 * n + 1) * sizeof *number);
    begin = number + n;
    cudaMalloc(&before, 2 * n * sizeof *before);
    total = before + n;
    scan<Sum>(
        n, [=] __device__(size_t i) { return heads[i]; },
        [=] __device__(size_t i, unsigned, unsigned s) { number[i] = s; });
    mark_ends<<<(unsigned)((n + 255) / 256), 256>>>(heads, number, begin, n);
    auto load = [=] __device__(size_t i) {
        unsigned b = begin[number[i] - 1], e = begin[number[i]], pivot = in[b + (e - b) / 2], k = in[i];
        return Counts::T{k<pivot, k == pivot, k> pivot, heads[i]};
    };
    scan<Counts>(n, load, [=] __device__(size_t i, Counts::T b, Counts::T t) {
        before[i] = heads[i] ? Counts::T{0, 0, 0, 0} : b;
        if (i + 1 == n || heads[i + 1])
            total[number[i] - 1] = t;
    });
    scan<Sum>(
        n, [=] __device__(size_t) { return 0u; },
        [=] __device__(size_t i, unsigned, unsigned) {
            unsigned b = begin[number[i] - 1], e = begin[number[i]], pivot = in[b + (e - b) / 2], k = in[i];
            Counts::T all = total[number[i] - 1], mine = before[i];
            unsigned place = k < pivot    ? mine.less
                             : k == pivot ? all.less + mine.equal
                                          : all.less + all.equal + mine.greater;
            out[b + place] = k;
            out_heads[b + place] = place == 0 || place == all.less || place == all.less + all.equal;
        });
    cudaFree(number);
    cudaFree(before);
}
__global__ void any_descent(const unsigned *keys, size_t n, unsigned *found)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n && keys[i] > keys[i + 1])
        *found = 1;
}
void quicksort(const unsigned *in, unsigned *out, size_t n)
{
    if (!n)
        return;
    unsigned *keys, *heads, *found, again;
    cudaMalloc(&keys, n * sizeof *keys);
    cudaMalloc(&heads, 2 * n * sizeof *heads);
    cudaMalloc(&found, sizeof *found);
    cudaMemset(heads, 0, n * sizeof *heads);
    unsigned one = 1;
    cudaMemcpy(heads, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaMemcpy(out, in, n * sizeof *out, cudaMemcpyDeviceToDevice);
    unsigned *h = heads, *h2 = heads + n;
    for (;;) {
        cudaMemset(found, 0, sizeof *found);
        any_descent<<<(unsigned)((n + 255) / 256), 256>>>(out, n, found);
        cudaMemcpy(&again, found, sizeof again, cudaMemcpyDeviceToHost);
        if (!again)
            break;
        split_segments(out, h, keys, h2, n);
        cudaMemcpy(out, keys, n * sizeof *out, cudaMemcpyDeviceToDevice);
        unsigned *x = h;
        h = h2;
        h2 = x;
    }
    cudaFree(keys);
    cudaFree(heads);
    cudaFree(found);
}
