/* As a library would: the operator a functor, block size and items a thread template parameters, all loops over
 * them unrolled, shared memory dynamic, the block size chosen at run time among those compiled.
 *
 * parts: reduce_tile reduce_tile_packed reduce mean */
#include "reduction.h"

struct Plus {
    __host__ __device__ static elem_t identity() { return IDENTITY; }
    __host__ __device__ elem_t operator()(elem_t left, elem_t right) const { return combine(left, right); }
};

/* Reduces one value a thread; the result is thread 0's. storage: THREADS values. */
template <typename T, unsigned THREADS, typename Op> struct BlockReduce {
    T *storage;
    __device__ explicit BlockReduce(T *shared) : storage(shared) {}

    template <unsigned REST> __device__ void step(Op op)
    {
        if constexpr (REST > 0) {
            __syncthreads();
            if (threadIdx.x < REST)
                storage[threadIdx.x] = op(storage[threadIdx.x], storage[threadIdx.x + REST]);
            step<REST / 2>(op);
        }
    }

    __device__ T reduce(T mine, Op op)
    {
        storage[threadIdx.x] = mine;
        step<THREADS / 2>(op);
        return threadIdx.x == 0 ? storage[0] : mine; /* nobody else has waited for it */
    }
};

template <typename T, unsigned THREADS, unsigned ITEMS, typename Op>
__global__ void __launch_bounds__(THREADS) reduce_full_kernel(const T *__restrict__ in, T *__restrict__ out, Op op)
{
    extern __shared__ T shared[];
    T mine = in[threadIdx.x];
#pragma unroll
    for (unsigned i = 1; i < ITEMS; i++)
        mine = op(mine, in[threadIdx.x + i * THREADS]);
    T sum = BlockReduce<T, THREADS, Op>(shared).reduce(mine, op);
    if (threadIdx.x == 0)
        *out = sum;
}

template <unsigned THREADS> void launch(const elem_t *in, elem_t *out)
{
    reduce_full_kernel<elem_t, THREADS, 2><<<1, THREADS, THREADS * sizeof(elem_t)>>>(in, out, Plus());
}

static void reduce_power(const elem_t *in, elem_t *out, size_t n)
{
    switch (n) {
    case 2: return launch<1>(in, out);
    case 4: return launch<2>(in, out);
    case 8: return launch<4>(in, out);
    case 16: return launch<8>(in, out);
    case 32: return launch<16>(in, out);
    case 64: return launch<32>(in, out);
    case 128: return launch<64>(in, out);
    case 256: return launch<128>(in, out);
    case 512: return launch<256>(in, out);
    default: return launch<512>(in, out);
    }
}

void reduce_tile(const elem_t *in, elem_t *out, size_t n) { reduce_power(in, out, n); }
void reduce_tile_packed(const elem_t *in, elem_t *out, size_t n) { reduce_power(in, out, n); }

/* A thread's items are adjacent. */
template <typename T, unsigned THREADS, unsigned ITEMS, typename Op>
__global__ void reduce_blocked_kernel(const T *in, T *sums, size_t n, Op op)
{
    extern __shared__ T shared[];
    size_t first = ((size_t)blockIdx.x * THREADS + threadIdx.x) * ITEMS;
    T mine       = Op::identity();
    for (unsigned i = 0; i < ITEMS; i++)
        if (first + i < n)
            mine = op(mine, in[first + i]);
    T sum = BlockReduce<T, THREADS, Op>(shared).reduce(mine, op);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

template <typename T, typename Op> struct DeviceReduce {
    static constexpr unsigned THREADS = 128, ITEMS = 12, CHUNK = THREADS * ITEMS;

    static void run(const T *in, T *out, size_t n, Op op)
    {
        size_t chunks = n > 0 ? (n + CHUNK - 1) / CHUNK : 1;
        T *sums       = out;
        if (chunks > 1)
            cudaMalloc(&sums, chunks * sizeof(T));
        reduce_blocked_kernel<T, THREADS, ITEMS><<<(unsigned)chunks, THREADS, THREADS * sizeof(T)>>>(in, sums, n, op);
        if (chunks > 1) {
            run(sums, out, chunks, op);
            cudaFree(sums);
        }
    }
};

void reduce(const elem_t *in, elem_t *out, size_t n) { DeviceReduce<elem_t, Plus>::run(in, out, n, Plus()); }

#if MONOID == MONOID_FLOAT_SUM
template <typename T> __global__ void divide_kernel(T *value, T divisor) { *value /= divisor; }

void mean(const float *in, float *out, size_t n)
{
    DeviceReduce<float, Plus>::run(in, out, n, Plus());
    divide_kernel<float><<<1, 1>>>(out, (float)n);
}
#endif
