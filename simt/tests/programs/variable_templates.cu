// Variables of templates in each memory space, and static variables in functions of the device, which are in global memory.
#include "program.h"

enum { TAPS = 3, THREADS = 32 };

template <typename T> __constant__ T taps[TAPS];
template <class T> __device__ T total;
template <typename T, int N> __device__ T table[N];
template <int N> static __device__ int number = N;
template <class... Parts> __device__ int parts = 10 * sizeof...(Parts);
template <typename T> __managed__ T largest;

namespace limits
{
template <typename T> static __constant__ const T half = T(0.5);
template <typename T> __constant__ T *const none = nullptr;
} // namespace limits

template <typename T> __device__ T calls_of_template()
{
    static T plain = 10;
    static __device__ T counted[2];
    counted[1] += 1;
    return ++plain + counted[1];
}

template <typename T> struct counter {
    __device__ T next()
    {
        static T value = 100;
        return ++value;
    }
};

__host__ __device__ inline int five_times(int x)
{
    static int factor = 5;
    return factor * x;
}

template <typename T> __global__ void weigh(const T *in, T *out)
{
    const T *const nothing = limits::none<T>;
    T sum = 0;
    for (int i = 0; i < TAPS; i++)
        sum += taps<T>[i] * in[threadIdx.x + i];
    out[threadIdx.x] = nothing ? *nothing : sum * limits::half<T>;
    atomicAdd(&total<T>, sum);
    if (threadIdx.x == THREADS - 1)
        largest<T> = sum;
    table<T, 2 * THREADS>[threadIdx.x + THREADS] = sum;
}

__global__ void count(int *out)
{
    static unsigned launches;
    out[0] = ++launches;
    out[1] = calls_of_template<int>() + 1000 * (int)calls_of_template<float>();
    out[2] = counter<int>().next() + counter<long>().next();
    out[3] = five_times(number<7>) + parts<> + parts<int, char>;
}

template <typename T> static void run(const char *name)
{
    std::vector<T> in(THREADS + TAPS), weights = {1, 2, 4}, out(THREADS), kept(2 * THREADS), wanted(THREADS);
    T sum = 0, got = 0;
    for (size_t i = 0; i < in.size(); i++)
        in[i] = T(i * i % 19);
    for (int i = 0; i < THREADS; i++) {
        const T one = in[i] + 2 * in[i + 1] + 4 * in[i + 2];
        wanted[i] = one * T(0.5);
        sum += one;
    }
    T *from = to_device(in), *to = device_alloc<T>(THREADS);
    CUDA_CHECK(cudaMemcpyToSymbol(taps<T>, weights.data(), TAPS * sizeof(T)));
    weigh<<<1, THREADS>>>(from, to);
    expect_equal(name, from_device(to, THREADS), wanted);
    CUDA_CHECK(cudaMemcpyFromSymbol(&got, total<T>, sizeof got));
    expect_true("total", got == sum && largest<T> == in[THREADS - 1] + 2 * in[THREADS] + 4 * in[THREADS + 1]);
    void *address = NULL;
    size_t bytes = 0;
    CUDA_CHECK(cudaGetSymbolAddress(&address, table<T, 2 * THREADS>));
    CUDA_CHECK(cudaGetSymbolSize(&bytes, table<T, 2 * THREADS>));
    expect_number("bytes of the table", bytes, 2 * THREADS * sizeof(T));
    CUDA_CHECK(cudaMemcpy(kept.data(), address, bytes, cudaMemcpyDeviceToHost));
    expect_true("table", kept[0] == 0 && kept[THREADS] == in[0] + 2 * in[1] + 4 * in[2]);
    CUDA_CHECK(cudaFree(from));
    CUDA_CHECK(cudaFree(to));
}

int main()
{
    run<float>("float");
    run<double>("double");
    int *numbers = device_alloc<int>(4);
    for (int i = 0; i < 3; i++)
        count<<<1, 1>>>(numbers);
    const std::vector<int> got = from_device(numbers, 4);
    expect_number("launches", got[0], 3);
    expect_number("calls of a template", got[1], 16016);
    expect_number("calls of a method", got[2], 206);
    expect_number("numbers", got[3], 55);
    expect_number("on the host", five_times(3), 15);
    CUDA_CHECK(cudaFree(numbers));
    return program_end();
}
