/* Constexpr functions of the host in device code, which nvcc accepts with --expt-relaxed-constexpr only. */
#include <algorithm>
#include <array>
#include <limits>
#include <stdio.h>

struct fraction {
    int above, below;

    constexpr fraction(int a, int b) : above(a), below(b)
    {
    }
    constexpr fraction operator*(fraction other) const
    {
        const int a = above * other.above;
        return fraction(a, below * other.below);
    }
};

#ifdef WRONG
int half(int x)
{
    return x / 2;
}
#else
template <class T> constexpr T half(T x)
{
    return x / 2;
}
#endif

__global__ void fill(int *out)
{
    std::array<int, 3> three{5, 3, 4};
    for (int &value : three)
        value = std::max(value, 4);
    const fraction product = fraction(three[threadIdx.x], 3) * fraction(2, 7);
    out[threadIdx.x] = product.above * product.below + half(std::numeric_limits<int>::max() - 1);
}

int main()
{
    int *out, host[3];
    cudaMalloc(&out, sizeof host);
    fill<<<1, 3>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0] - (1 << 30), host[1] - (1 << 30), host[2] - (1 << 30));
    return cudaFree(out);
}
