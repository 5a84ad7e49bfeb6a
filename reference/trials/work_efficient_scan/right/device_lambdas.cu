/* Launches of device lambdas, whose shared memory is declared in the lambda. One union of it takes the elements in the
 * order of memory, then the sums, then the elements again, with a barrier each time that its use changes.
 *
 * parts: scan_blelloch scan_coarsened scan_global_tree */
#include "work_efficient_scan.h"

template <typename T, int size> struct array_t {
    T data[size];
    __device__ T &operator[](int i) { return data[i]; }
    __device__ const T &operator[](int i) const { return data[i]; }
};

template <int i, int count, bool valid = (i < count)> struct iterate_t {
    template <typename F> __device__ static void eval(F f)
    {
        f(i);
        iterate_t<i + 1, count>::eval(f);
    }
};
template <int i, int count> struct iterate_t<i, count, false> {
    template <typename F> __device__ static void eval(F) {}
};
template <int count, typename F> __device__ void iterate(F f) { iterate_t<0, count>::eval(f); }
template <int nt, int vt, typename F> __device__ void strided_iterate(F f, int tid)
{
    iterate<vt>([=](int i) { f(i, nt * i + tid); });
}
template <int vt, typename F> __device__ void thread_iterate(F f, int tid)
{
    iterate<vt>([=](int i) { f(i, vt * tid + i); });
}

template <typename F> __global__ void launch_box(F f, size_t count) { f(threadIdx.x, blockIdx.x, count); }

template <int nt, typename F> void cta_launch(F f, size_t num_ctas, size_t count)
{
    launch_box<<<(unsigned)num_ctas, nt>>>(f, count);
}
template <typename F> void transform(F f, size_t count)
{
    if (count == 0) return;
    const int nt = 128;
    auto k = [=] __device__(int tid, int cta, size_t n) {
        size_t index = (size_t)cta * nt + tid;
        if (index < n) f(index);
    };
    cta_launch<nt>(k, (count + nt - 1) / nt, count);
}

/* exclusive scan over a cta of nt values, work-efficient */
template <int nt> struct cta_scan_t {
    struct storage_t { elem_t v[nt]; };
    __device__ elem_t scan(int tid, elem_t x, storage_t &shared, int count) const
    {
        shared.v[tid] = x;
        int offset = 1;
        for (; offset < count; offset *= 2) {
            __syncthreads();
            int at = (tid + 1) * 2 * offset - 1;
            if (at < count) shared.v[at] = combine(shared.v[at - offset], shared.v[at]);
        }
        if (tid == 0) shared.v[count - 1] = IDENTITY;
        while (offset > 1) {
            offset /= 2;
            __syncthreads();
            int at = (tid + 1) * 2 * offset - 1;
            if (at < count) {
                elem_t left = shared.v[at - offset];
                shared.v[at - offset] = shared.v[at];
                shared.v[at] = combine(shared.v[at], left);
            }
        }
        __syncthreads();
        return shared.v[tid];
    }
};

void scan_blelloch(const elem_t *in, elem_t *out, size_t n)
{
    cta_launch<TILE>([=] __device__(int tid, int, size_t count) {
        __shared__ typename cta_scan_t<TILE>::storage_t shared;
        int m = (int)count;
        elem_t x = IDENTITY;
        if (tid < m) x = in[tid];
        x = cta_scan_t<TILE>().scan(tid, x, shared, m);
        if (tid < m) out[tid] = x;
    }, 1, n);
}

void scan_coarsened(const elem_t *in, elem_t *out, size_t n)
{
    enum { nt = TILE / 4, vt = 16 };
    cta_launch<nt>([=] __device__(int tid, int, size_t count) {
        __shared__ union {
            elem_t v[nt * vt];
            struct { elem_t sums[nt]; } scan;
        } shared;
        int m = (int)count;
        array_t<elem_t, vt> x;
        strided_iterate<nt, vt>([&](int, int j) { if (j < m) shared.v[j] = in[j]; }, tid);
        __syncthreads();
        thread_iterate<vt>([&](int i, int j) { x[i] = IDENTITY; if (j < m) x[i] = shared.v[j]; }, tid);
        __syncthreads();
        elem_t total = x[0];
        for (int i = 1; i < vt; ++i) total = combine(total, x[i]);
        elem_t mine = total;
        shared.scan.sums[tid] = total;
        __syncthreads();
        for (int o = 1; o < nt; o += o) {
            elem_t t = mine;
            if (tid >= o) t = combine(shared.scan.sums[tid - o], mine);
            __syncthreads();
            shared.scan.sums[tid] = mine = t;
            __syncthreads();
        }
        elem_t carry = tid ? shared.scan.sums[tid - 1] : elem_t(IDENTITY);
        __syncthreads();
        for (int i = 0; i < vt; ++i) {
            carry = combine(carry, x[i]);
            x[i] = carry;
        }
        thread_iterate<vt>([&](int i, int j) { shared.v[j] = x[i]; }, tid);
        __syncthreads();
        strided_iterate<nt, vt>([&](int, int j) { if (j < m) out[j] = shared.v[j]; }, tid);
    }, 1, n);
}

void scan_global_tree(const elem_t *in, elem_t *out, size_t n)
{
    if (!n) return;
    size_t padded = 1;
    while (padded < n) padded *= 2;
    elem_t *mem;
    cudaMalloc(&mem, padded * sizeof *mem);
    transform([=] __device__(size_t i) { mem[i] = i < n ? in[i] : elem_t(IDENTITY); }, padded);
    for (size_t o = 1; o < padded; o *= 2)
        transform([=] __device__(size_t i) {
            size_t at = (i + 1) * 2 * o - 1;
            mem[at] = combine(mem[at - o], mem[at]);
        }, padded / (2 * o));
    transform([=] __device__(size_t) { mem[padded - 1] = IDENTITY; }, 1);
    for (size_t o = padded / 2; o; o /= 2)
        transform([=] __device__(size_t i) {
            size_t at = (i + 1) * 2 * o - 1;
            elem_t left = mem[at - o];
            mem[at - o] = mem[at];
            mem[at] = combine(mem[at], left);
        }, padded / (2 * o));
    transform([=] __device__(size_t i) { out[i] = mem[i]; }, n);
    cudaFree(mem);
}
