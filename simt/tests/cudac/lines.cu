/* Every construct that cudac rewrites, spread over lines; each line must keep its number. */
#include <type_traits>

#define AT(line) static_assert(__LINE__ == (line), "a line has moved")
#define ARGUMENT(line, value) ([] { AT(line); return value; }())

#define LAUNCH_ONE(kernel, ...) \
    kernel /* its name,
              and more */ \
        <<<1, 1>>> (__VA_ARGS__)

AT(12);
extern __shared__ float at_file_scope[];
__device__
int counter; AT(15);
__device__ const int table[] = {1, 2,
    3}; AT(17);
__device__ int (*pointer)(int) = nullptr; __device__ int doubled(int x) { return 2 * x; }

template <class T> constexpr int size_of = sizeof(T);

namespace deep
{
template <class T, int n = 1> __global__ void scale(T *out, T by)
{
    extern /* dynamic */
        __shared__ T
        shared[]; AT(28);
    extern __shared__ __align__(16) volatile T aligned[], rows[][4];
    shared[0] = by;
    aligned[1] = rows[0][2] = shared[0];
    *out = n * aligned[1];
}
} // namespace deep

__global__ void none()
{
}

__global__ void one(const int *in, void *out, float x, unsigned long long n)
{
    (void)in, (void)out, (void)x, (void)n, (void)at_file_scope;
}

struct member {
    int *cell;
    void (*kernel)(int *, int) = deep::scale<int>;
    template <class T> void start(T value)
    {
        this->kernel<<<1, 1>>>(cell, value); AT(50);
        deep::template scale<T, (3 > 2)><<<1,
            1>>>(cell, value); AT(52);
    }
};

int start(int *cell, bool second)
{
    void (*kernels[])(int *, int) = {deep::scale<int>, deep::scale<int, 2>}; AT(58);

    LAUNCH_ONE(none); LAUNCH_ONE(one, cell, cell, 1, 2); AT(60);
    none<<<dim3(1, 1), dim3{1}, 0, 0>>>(/* nothing */); AT(61);
    if (second)
        one
            <<<1,             // blocks
               1              // threads
            >>>               // and the arguments
            (0, NULL,
             ARGUMENT(68, 3),
             0);
    else
        kernels[1]<<<1, 1>>>(cell, 4); AT(71);
    (second ? kernels[0] : kernels[1])<<<1, 1>>>(cell, 5), none<<<1, 1>>>();
    deep::scale<<<1, 1, 2 * sizeof(int)>>>(cell,
        ARGUMENT(74, 6)); AT(74);
    auto later = [=](int blocks) {
        ::none<<<blocks, size_of<std::remove_const_t<
            std::remove_reference_t<char>>>>>>(); AT(77);
        deep::scale<std::remove_const_t<std::remove_reference_t<const int>>><<<blocks, 1>>>(cell, 8); AT(78);
    };
    member{cell}.start(9);
#if 0
    no <<<launch
#endif
    return later(1), none<<<1'0, 1>>>(), __LINE__; AT(84);
}
