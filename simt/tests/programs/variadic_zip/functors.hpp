#pragma once
#ifndef __CUDACC__
#define __host__
#define __device__
#endif

struct iota_fn {
    int from = 0, step = 1;
    __host__ __device__ constexpr int operator()(unsigned i) const { return from + step * (int)i; }
};
struct axpby_fn {
    double a, b;
    template <class X, class Y> __host__ __device__ constexpr double operator()(X x, Y y) const { return a * x + b * y; }
};
struct clamp_fn {
    template <class X> __host__ __device__ constexpr auto operator()(X x, X lo, X hi) const { return x < lo ? lo : hi < x ? hi : x; }
};
struct plus_fn {
    template <class X> __host__ __device__ constexpr X operator()(X a, X b) const { return a + b; }
};

/// What main.cpp compares with.
constexpr double expected(int i)
{
    return axpby_fn{2.0, 0.5}(clamp_fn{}(iota_fn{-50, 3}(i), iota_fn{0, 0}(i), iota_fn{100, -1}(i)), iota_fn{}(i));
}
static_assert(expected(0) == 0.0 && expected(20) == 2.0 * 10 + 10.0, "the same at compile time");
