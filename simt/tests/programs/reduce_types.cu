/* Reductions over many types and operators: operators are functors, dynamic shared memory of a type that
 * depends on a template argument comes from one char buffer. */
#include "program.h"

#include <limits.h>

template <typename T> struct Sum {
    static __host__ __device__ T identity() { return T(0); }
    __host__ __device__ T operator()(const T &left, const T &right) const { return left + right; }
};

template <typename T> struct Largest {
    __host__ __device__ Largest(T least) : least(least) {}
    __host__ __device__ T identity() const { return least; }
    __host__ __device__ T operator()(T left, T right) const { return left < right ? right : left; }
    T least;
};

struct Complex {
    float re, im;
};

struct ComplexProduct {
    __host__ __device__ Complex identity() const
    {
        Complex one = {1.0f, 0.0f};
        return one;
    }
    __host__ __device__ Complex operator()(Complex a, Complex b) const
    {
        Complex c;
        c.re = a.re * b.re - a.im * b.im;
        c.im = a.re * b.im + a.im * b.re;
        return c;
    }
};

/* Gives a kernel template its dynamic shared memory as T: one declaration a name for all types. */
template <typename T> struct SharedArray {
    __device__ operator T *()
    {
        extern __shared__ __align__(16) unsigned char shared_bytes[];
        return reinterpret_cast<T *>(shared_bytes);
    }
};

template <typename T, class Op>
__global__ void reduce(const T *__restrict__ in, T *__restrict__ out, unsigned n, Op op)
{
    T *part = SharedArray<T>();
    const unsigned t = threadIdx.x;

    T mine = op.identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        mine = op(mine, in[i]);
    part[t] = mine;
    for (unsigned stride = blockDim.x >> 1; stride != 0; stride >>= 1) {
        __syncthreads();
        if (t < stride)
            part[t] = op(part[t], part[t + stride]);
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

/* The same order of operations on the CPU, so that floats are equal to the bit. */
template <typename T, class Op> T reduce_on_cpu(const std::vector<T> &in, unsigned grid, unsigned block, Op op)
{
    T total = op.identity();
    for (unsigned b = 0; b < grid; b++) {
        std::vector<T> part(block, op.identity());
        for (unsigned t = 0; t < block; t++)
            for (size_t i = (size_t)b * block + t; i < in.size(); i += (size_t)grid * block)
                part[t] = op(part[t], in[i]);
        for (unsigned stride = block / 2; stride != 0; stride /= 2)
            for (unsigned t = 0; t < stride; t++)
                part[t] = op(part[t], part[t + stride]);
        total = op(total, part[0]);
    }
    return total;
}

template <typename T, class Op> void run(const char *name, const std::vector<T> &values, Op op)
{
    const unsigned block = 64, grid = 5;
    T *in = to_device(values), *out = device_alloc<T>(grid);

    reduce<<<grid, block, block * sizeof(T)>>>(in, out, (unsigned)values.size(), op);   /* all deduced */
    CUDA_CHECK(cudaGetLastError());
    std::vector<T> partials = from_device(out, grid);
    T total = op.identity(), want = reduce_on_cpu(values, grid, block, op);
    for (unsigned b = 0; b < grid; b++)
        total = op(total, partials[b]);
    expect_equal(name, &total, &want, 1);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

template <typename T> std::vector<T> converted(const std::vector<int> &ints, T scale)
{
    std::vector<T> values(ints.size());
    for (size_t i = 0; i < ints.size(); i++)
        values[i] = (T)ints[i] * scale;
    return values;
}

int main()
{
    static const unsigned sizes[] = {1, 63, 320, 1021, 5000};

    for (unsigned n : sizes) {
        std::vector<int> ints = random_ints(n, 30000, n + 7);

        printf("n = %u\n", n);
        run("sum of int", ints, Sum<int>());
        run("sum of short", converted<short>(ints, 1), Sum<short>());
        run("sum of unsigned char", converted<unsigned char>(ints, 1), Sum<unsigned char>());
        run("sum of long long", converted<long long>(ints, 1000000007ll), Sum<long long>());
        run("sum of float", converted<float>(ints, 0.1f), Sum<float>());
        run("sum of double", converted<double>(ints, 0.1), Sum<double>());
        run("largest int", ints, Largest<int>(INT_MIN));
        run("largest float", converted<float>(ints, 0.01f), Largest<float>(-1e30f));

        std::vector<Complex> turns(n);
        for (unsigned i = 0; i < n; i++) {
            turns[i].re = ints[i] % 2 == 0 ? 0.6f : -0.8f;
            turns[i].im = ints[i] % 2 == 0 ? 0.8f : 0.6f;
        }
        run("complex product", turns, ComplexProduct());
    }
    return program_end();
}
