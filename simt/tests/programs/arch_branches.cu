// Functions for host and device that ask by __CUDA_ARCH__ which of the two they run on.
#include "program.h"
#include <stdexcept>
#include <string>

__host__ __device__ inline int place()
{
#ifdef __CUDA_ARCH__ // an index on the device
    return threadIdx.x + 1;
#else
    return -1;
#endif
}

__host__ __device__ float scaled(float x)
{
    float result = 0;
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 350)
    result = __fdividef(x, 2);
#else
    result = x / 4;
#endif
    return result;
}

template <class T> struct checked {
    T limit;

    __host__ __device__ T at_most(T value) const
    {
        if (value <= limit)
            return value;
#ifndef __CUDA_ARCH__
        std::string text = "more than " + std::to_string(limit);
        throw std::out_of_range(text);
#else
        return limit;
#endif
    }
};

__host__ __device__ constexpr int kind(int x)
{
#if !defined(__CUDA_ARCH__)
    return x + 1;
#else
    return x + 2;
#endif
}

// Branches that are no whole statements, or declare what is used behind them.
#define BOTH __host__ __device__
BOTH inline int steps(int x)
{
    for (int i = 0; i < 2; i++) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
        const int step = 100 + threadIdx.x;
#elif defined(__CUDA_ARCH__)
        const int step = 50;
#else
        static int calls = 0;
        const int step = ++calls;
#endif
        x += step;
    }
    return x +
#ifdef __CUDA_ARCH__
           1000;
#else
           2000;
#endif
}

struct place_of_birth {
    int place;
    BOTH place_of_birth()
    {
        auto compute = [](int x) {
#ifdef __CUDA_ARCH__
            const int y = x + threadIdx.x;
#else
            const int y = -x;
#endif
            return y;
        };
        place = compute(5);
    }
};

__global__ void ask_more(int *out)
{
    out[threadIdx.x] = steps(0) + 10000 * place_of_birth().place;
}

__global__ void ask(float *out, checked<int> range)
{
    out[threadIdx.x] = place() + scaled(8) * 100 + range.at_most(5000) + kind(threadIdx.x) * 10000;
}

int main()
{
    float *out = device_alloc<float>(4);
    ask<<<1, 4>>>(out, checked<int>{2000});
    expect_equal("on the device", from_device(out, 4), std::vector<float>{22401, 32402, 42403, 52404});
    expect_number("place", place(), -1);
    expect_float("scaled", scaled(8), 2);
    expect_number("kind", kind(1), 2);
    try {
        checked<int>{2000}.at_most(5000);
    } catch (const std::out_of_range &error) {
        puts(error.what());
    }
    int *more = device_alloc<int>(2);
    ask_more<<<1, 2>>>(more);
    expect_equal("more on the device", from_device(more, 2), std::vector<int>{51200, 61202});
    expect_number("steps", steps(0), 2003);
    expect_number("place of birth", place_of_birth().place, -5);
    CUDA_CHECK(cudaFree(more));
    CUDA_CHECK(cudaFree(out));
    return program_end();
}
