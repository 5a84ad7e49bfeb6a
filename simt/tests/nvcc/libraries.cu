/* What kernels have of the libraries. */
//// builtin_in_kernel
__global__ void k(int *p)
{
    p[0] = __builtin_popcount(p[1]) + __builtin_clz(p[2]);
}
//// cout_in_kernel
#include <iostream>
__global__ void k()
{
    std::cout << "hello";                          // refused: std::char_traits is a host function, and the kernel k calls it
}
//// cuda_malloc_in_kernel
__global__ void k(int *p)
{
    int *q;
    cudaMalloc(&q, 4);
    p[0] = 1;
}
//// cuda_memcpy_in_kernel
__global__ void k(int *p)
{
    cudaMemcpy(p, p + 1, 4, cudaMemcpyDeviceToDevice); // refused: cudaMemcpy is a host function, and the kernel k calls it
}
//// cuda_synchronize_in_kernel
__global__ void k(int *p)
{
    cudaDeviceSynchronize();                       // refused: cudaDeviceSynchronize is a host function, and the kernel k calls it
    p[0] = 1;
}
//// exit_in_kernel
#include <cstdlib>
__global__ void k(int *p)
{
    if (!p)
        exit(1);                                   // refused: exit is a host function, and the kernel k calls it
}
//// initializer_list_in_kernel
#include <initializer_list>
__global__ void k(int *p)
{
    for (int x : {1, 2, 3})
        p[x] = x;
}
//// libc_that_kernels_have
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <ctime>
__global__ void k(int *p, float *f)
{
    int *q = (int *)malloc(16);
    memcpy(q, p, 16);
    memset(p, 0, 16);
    free(q);
    printf("%d\n", p[0]);
    assert(p[0] == 0);
    p[1] = abs(p[2]) + (int)clock() + (int)clock64();
    f[0] = sqrtf(f[1]) + std::sqrt(f[2]) + std::abs(f[3]) + pow(f[4], 2.0f) + fmaxf(f[5], 1.0f) + std::fabs(f[6]) + std::floor(f[7]) + logf(f[8]) + std::isnan(f[9]) + fmod(f[10], 2.0f) + std::exp(f[11]) + ceil(f[12]) + (float)lrintf(f[13]);
    int *n = new int[4];
    delete[] n;
    p[3] = min(p[4], p[5]) + max(p[6], 3) + std::abs(p[3]);
}
//// calloc_in_kernel
#include <cstdlib>
__global__ void k(int **p)
{
    *p = (int *)calloc(4, 4);                      // refused: calloc is a host function, and the kernel k calls it
}
//// memmove_in_kernel
#include <cstring>
__global__ void k(int *p)
{
    memmove(p, p + 1, 8);                          // refused: memmove is a host function, and the kernel k calls it
}
//// numeric_limits_as_a_constant_in_kernel
#include <limits>
__global__ void k(int *p)
{
    constexpr int most = std::numeric_limits<int>::max(); // refused: the functions of std::numeric_limits are for host code
    p[0] = most;
}
//// numeric_limits_in_kernel
#include <limits>
__global__ void k(int *p)
{
    p[0] = std::numeric_limits<int>::max();        // refused: the functions of std::numeric_limits are for host code
}
//// puts_in_kernel
#include <cstdio>
__global__ void k()
{
    puts("hello");                                 // refused: puts is a host function, and the kernel k calls it
}
//// qsort_in_kernel
#include <cstdlib>
__global__ void k(int *p)
{
    qsort(p, 3, sizeof(int), nullptr);             // refused: qsort is a host function, and the kernel k calls it
}
//// rand_in_kernel
#include <cstdlib>
__global__ void k(int *p)
{
    p[0] = rand();                                 // refused: rand is a host function, and the kernel k calls it
}
//// std_array_in_kernel
#include <array>
__global__ void k(int *p)
{
    std::array<int, 3> a = {1, 2, 3};
    p[0] = a[p[1]];                                // refused: std::array<int, 3>::operator[] is a host function, and the kernel k calls it
}
//// std_max_in_kernel
#include <algorithm>
__global__ void k(int *p)
{
    p[0] = std::max(p[1], p[2]);                   // refused: std::max<int> is a host function, and the kernel k calls it
}
//// std_move_in_kernel
#include <utility>
__global__ void k(int *p)
{
    int x = p[0];
    p[1] = std::move(x);
    p[2] = std::forward<int>(x);
}
//// std_sort_in_kernel
#include <algorithm>
__global__ void k(int *p)
{
    std::sort(p, p + 8);                           // refused: std::sort<int*> is a host function, and the kernel k calls it
}
//// std_swap_in_kernel
#include <utility>
__global__ void k(int *p)
{
    std::swap(p[0], p[1]);                         // refused: std::swap<int> is a host function, and the kernel k calls it
}
//// strlen_in_kernel
#include <cstring>
__global__ void k(int *p)
{
    p[0] = (int)strlen("hello");
}
//// vector_in_kernel
#include <vector>
__global__ void k(int *p)
{
    std::vector<int> v(3);                         // refused: std::allocator<int>::allocator is a host function, and the kernel k calls it
    p[0] = v[1];                                   // refused: std::vector<int>::operator[] is a host function, and the kernel k calls it
}

//// functions_of_cuda_std_in_kernel
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/utility>
namespace renamed = cuda::std;
__device__ cuda::std::optional<int> positive(int x)
{
    return x > 0 ? cuda::std::optional<int>(x) : cuda::std::nullopt;
}
__global__ void kernel(int *p, cuda::std::pair<int, int> *pairs)
{
    cuda::std::array<int, 4> values{};
    cuda::std::swap(values[0], values[3]);
    auto [least, most] = pairs[threadIdx.x];
    pairs[threadIdx.x] = cuda::std::make_pair(renamed::get<1>(values), renamed::exchange(least, most));
    renamed::tuple<int, float> both(p[0], 2);
    for (int value : values)
        p[0] += value + renamed::get<0>(both) + positive(p[1]).value_or(3);
}

//// function_of_std_beside_cuda_std_in_kernel
#include <cuda/std/utility>
#include <utility>
__global__ void kernel(int *p)
{
    p[0] = cuda::std::exchange(p[1], p[2]);
    p[1] = std::exchange(p[2], p[3]); // refused: is a host function
    std::swap(p[0], p[1]);            // refused: is a host function
}
