/* Block scans made of warp scans: a class template whose storage lives in shared memory, inclusive and exclusive
 * in one call, vectors of four a thread, blocks that are not whole warps' powers, and an operator that does not
 * commute. */
#include "program.h"

namespace scan {

constexpr unsigned FULL = 0xffffffffu;

struct Add {
    __host__ __device__ __forceinline__ int operator()(int left, int right) const { return left + right; }
};

struct Max {
    __host__ __device__ __forceinline__ int operator()(int left, int right) const { return left > right ? left : right; }
};

/* (length << 16) + a hash of the text so far: concatenation, which does not commute. 8193 to the 8th is 1. */
struct Append {
    __host__ __device__ __forceinline__ unsigned operator()(unsigned left, unsigned right) const
    {
        unsigned hash = left & 0xffff, length = right >> 16;
        for (unsigned i = 0; i < (length & 7); i++)
            hash = (hash * 8193u) & 0xffff;
        return ((left >> 16) + length) << 16 | ((hash + right) & 0xffff);
    }
};

template <typename T, class Op> __device__ __forceinline__ T warp_inclusive(T value, Op op)
{
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        T left = __shfl_up_sync(FULL, value, offset);
        if (lane >= offset)
            value = op(left, value);
    }
    return value;
}

template <typename T, int THREADS> class Block
{
public:
    static constexpr int WARPS = THREADS / 32;
    struct Storage {
        T of_warp[WARPS];
    };

    __device__ explicit Block(Storage &storage) : storage(storage) {}

    template <class Op> __device__ T inclusive(T value, Op op, T *total)
    {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        value = warp_inclusive(value, op);
        if (lane == 31)
            storage.of_warp[warp] = value;
        __syncthreads();
        if (warp == 0) {
            T sum = storage.of_warp[lane < WARPS ? lane : WARPS - 1];
            sum = warp_inclusive(sum, op);
            __syncwarp();
            if (lane < WARPS)
                storage.of_warp[lane] = sum;
        }
        __syncthreads();
        if (warp > 0)
            value = op(storage.of_warp[warp - 1], value);
        *total = storage.of_warp[WARPS - 1];
        __syncthreads();                                        /* the storage may be used again */
        return value;
    }

private:
    Storage &storage;
};

} /* namespace scan */

/* One block processes the whole array, tile by tile, and carries the sum. */
template <typename T, int THREADS, class Op> __global__ void scan_running(const T *in, T *out, int n, T identity, Op op)
{
    __shared__ typename scan::Block<T, THREADS>::Storage storage;
    scan::Block<T, THREADS> block(storage);
    T carry = identity;

    for (int first = 0; first < n; first += THREADS) {
        int i = first + threadIdx.x;
        T total, value = block.inclusive(i < n ? in[i] : identity, op, &total);
        if (i < n)
            out[i] = op(carry, value);
        carry = op(carry, total);
    }
}

/* Exclusive, four elements per thread by int4. n is a multiple of four. */
template <int THREADS> __global__ void scan_vectors(const int4 *__restrict__ in, int4 *__restrict__ out, int vectors)
{
    __shared__ typename scan::Block<int, THREADS>::Storage storage;
    scan::Block<int, THREADS> block(storage);
    int carry = 0;

    for (int first = 0; first < vectors; first += THREADS) {
        const int i = first + threadIdx.x;
        int4 v = i < vectors ? in[i] : make_int4(0, 0, 0, 0);
        int own = v.x + v.y + v.z + v.w, total;
        int before = carry + block.inclusive(own, scan::Add(), &total) - own;
        int4 result;
        result.x = before;
        result.y = result.x + v.x;
        result.z = result.y + v.y;
        result.w = result.z + v.z;
        if (i < vectors)
            out[i] = result;
        carry += total;
    }
}

template <int THREADS, typename T, class Op> void run(const char *name, const std::vector<T> &values, T identity, Op op)
{
    const int n = (int)values.size();
    T *in = to_device(values), *out = device_alloc<T>(n);
    std::vector<T> want(n);
    char what[40];

    T running = identity;
    for (int i = 0; i < n; i++)
        want[i] = running = op(running, values[i]);
    scan_running<T, THREADS><<<1, THREADS>>>(in, out, n, identity, op);
    CUDA_CHECK(cudaGetLastError());
    snprintf(what, sizeof what, "%s, %d threads", name, THREADS);
    expect_equal(what, from_device(out, n), want);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

int main()
{
    for (int n : {1, 32, 333, 4100}) {
        std::vector<int> values = random_ints(n, 1000, n + 1);
        std::vector<unsigned> letters(n);
        for (int i = 0; i < n; i++)
            letters[i] = 1u << 16 | (unsigned)(values[i] & 0xff);

        run<32>("add", values, 0, scan::Add());
        run<96>("add", values, 0, scan::Add());
        run<1024>("add", values, 0, scan::Add());
        run<160>("max", values, -1000000, scan::Max());
        run<64>("append", letters, 0u, scan::Append());

        const int vectors = (n + 3) / 4;
        values.resize(4 * vectors, 0);
        std::vector<int> want(4 * vectors, 0);
        for (int i = 1; i < 4 * vectors; i++)
            want[i] = want[i - 1] + values[i - 1];
        int *in = to_device(values), *out = device_alloc<int>(4 * vectors);
        scan_vectors<128><<<1, 128>>>(reinterpret_cast<const int4 *>(in), reinterpret_cast<int4 *>(out), vectors);
        CUDA_CHECK(cudaGetLastError());
        expect_equal("exclusive by int4", from_device(out, 4 * vectors), want);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(out));
    }
    return program_end();
}
