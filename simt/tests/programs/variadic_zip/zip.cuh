#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace zip {

/// A span whose element type remembers its length's type; trivially copyable, so a kernel takes it by value.
template <class T, class Index = unsigned> struct span {
    T *first;
    Index count;
    __host__ __device__ constexpr T &operator[](Index i) const noexcept { return first[i]; }
    [[nodiscard]] __host__ __device__ constexpr Index size() const noexcept { return count; }
};
template <class T, class I> span(T *, I) -> span<T, I>;

template <class F, class Out, class... In> __global__ void transform(F f, span<Out> out, span<In>... in)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < out.size(); i += blockDim.x * gridDim.x) {
        if constexpr (sizeof...(In) == 0)
            out[i] = f(i);
        else
            out[i] = f(in[i]...);
    }
}

template <class F, class T> __global__ void fold(F f, span<const T> in, T *result)
{
    T mine{};
    for (unsigned i = threadIdx.x; i < in.size(); i += warpSize)
        mine = f(mine, in[i]);
    for (int d = 16; d; d /= 2)
        mine = f(mine, __shfl_down_sync(0xffffffff, mine, d));
    if (threadIdx.x == 0)
        *result = mine;
}

template <class T> struct array {
    explicit array(unsigned n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
    array(array &&o) noexcept : p(std::exchange(o.p, nullptr)), n(o.n) {}
    ~array() { cudaFree(p); }
    operator span<T>() const { return {p, n}; }
    operator span<const T>() const { return {p, n}; }
    T *p;
    unsigned n;
};

template <class F, class... A> auto map(F f, const array<A> &...in)
{
    using R = std::invoke_result_t<F, A...>;
    const unsigned n = std::get<0>(std::tie(in...)).n;
    array<R> out(n);
    transform<F, R, A...><<<(n + 127) / 128, 128>>>(f, out, span<A>(in)...);
    return out;
}

} // namespace zip
