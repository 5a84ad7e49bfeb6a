// Types of cuda::std in kernels, next to the device's own atomics; and a __device__ lambda within another's instance.
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/atomic>
#include <cstdio>

template <class T> using vector3 = cuda::std::array<T, 3>;

template <class T> __host__ __device__ constexpr T dot(const vector3<T> &a, const vector3<T> &b)
{
    T sum{};
    for (int i = 0; i < 3; i++)
        sum += a[i] * b[i];
    return sum;
}
static_assert(dot(vector3<int>{1, 2, 3}, vector3<int>{4, 5, 6}) == 32);

__host__ __device__ cuda::std::tuple<int, float> split(float value)
{
    const int whole = (int)value;
    return {whole, value - whole};
}

__device__ cuda::std::optional<int> position(cuda::std::span<const float> values, float wanted)
{
    for (size_t i = 0; i < values.size(); i++)
        if (values[i] == wanted)
            return (int)i;
    return cuda::std::nullopt;
}

template <class F> __global__ void invoke(int n, F f)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}

template <class F> void for_each_index(int n, F f)
{
    invoke<<<(n + 31) / 32, 32>>>(n, [f] __device__(int i) { f(i); });
}

int main()
{
    const int n = 100;
    float *values;
    int *result;
    cudaMallocManaged(&values, n * sizeof *values);
    cudaMallocManaged(&result, 3 * sizeof *result);
    for_each_index(n, [=] __device__(int i) { values[i] = 0.25f * dot(vector3<int>{i, 1, 0}, vector3<int>{1, 2, 3}); });
    cudaDeviceSynchronize();
    result[0] = cuda::std::numeric_limits<int>::max();
    result[1] = result[2] = 0;
    for_each_index(n, [=] __device__(int i) {
        auto [whole, part] = split(values[i]);
        atomicMin(&result[0], whole);
        if (part == 0.5f)
            cuda::atomic_ref<int, cuda::thread_scope_device>(result[1]).fetch_add(1, cuda::std::memory_order_relaxed);
    });
    for_each_index(1, [=] __device__(int) {
        const cuda::std::span<const float> all(values, n);
        result[2] = position(all, 12.5f).value_or(-1) + 1000 * position(all, 0.1f).value_or(-1);
    });
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("least %d, halves %d, positions %d\n", result[0], result[1], result[2]);
    printf("%s\n", result[0] == 0 && result[1] == n / 4 && result[2] == -952 ? "PASS" : "FAIL");
    cudaFree(values);
    cudaFree(result);
    return 0;
}
