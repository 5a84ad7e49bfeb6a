/* Every way to write a launch: from macros, through function pointers and tables, with deduced, explicit and
 * non-type template arguments, in namespaces, templates, members, lambdas and conditionals, spread over lines, with
 * comments, dim3 braces and expressions as configuration; and kernels that take functors, structs, braces, references
 * to pointers, function pointers and packs. */
#include "program.h"

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<(blocks), (threads)>>>(__VA_ARGS__)
#define ARGS(...) <<<__VA_ARGS__>>> /* hidden from editors */
#define LAUNCH_CHECKED(kernel, blocks, threads, ...)                                                                  \
    do {                                                                                                             \
        kernel<<<blocks, threads>>>(__VA_ARGS__);                                                                    \
        CUDA_CHECK(cudaGetLastError());                                                                              \
    } while (0)

__global__ void set(int *cell, int value) { *cell = value; }

static __global__ void set_static(int *cell, int value) { cell[0] = value + 1; }

extern "C" __global__ void set_c_linkage(int *cell, int value) { *cell = value + 2; }

template <typename T> __global__ void set_typed(T *cell, T value) { *cell = value; }

template <int N, bool DOUBLE = false> __global__ void set_constant(int *cell) { *cell = DOUBLE ? 2 * N : N; }

template <typename T, int N> struct Shift {
    T base;
    __host__ __device__ T operator()(T x) const { return base + (x << N); }
};

template <class F, typename... Args> __global__ void apply(int *cell, F f, Args... args) { *cell = f(args...); }

template <int (*F)(int)> __global__ void apply_static(int *cell, int x) { *cell = F(x); }

__host__ __device__ int triple(int x) { return 3 * x; }
__device__ int negate_it(int x) { return -x; }
__device__ int square_it(int x) { return x * x; }

typedef int (*Unary)(int);
__device__ Unary device_table[2] = {negate_it, square_it};

__global__ void apply_from_table(int *cell, int which, int x) { *cell = device_table[which](x); }

struct Settings {
    int add;
    short scale[3];
    struct {
        unsigned char shift;
        double bias;
    } inner;
};

__global__ void use_settings(int *cell, Settings settings, const char letter, long long wide, float half, bool flag)
{
    settings.add += settings.scale[2];                          /* a kernel may change its copy */
    *cell = settings.add + (settings.scale[1] << settings.inner.shift) + (int)settings.inner.bias + letter + (int)(wide >> 32) +
            (int)(half * 4.0f) + flag;
}

namespace outer {
namespace inner {
__global__ void set_deep(int *cell, int value) { *cell = value * 10; }
template <class T> __global__ void set_deep_typed(T *cell, T value) { *cell = value * 11; }
} /* namespace inner */
using inner::set_deep;
namespace {
__global__ void set_hidden(int *cell, int value) { *cell = value * 12; }
} /* namespace */
} /* namespace outer */

struct Factory {
    int *cell;
    template <int N> void run() { set_constant<N, true><<<1, 1>>>(cell); }
    void run_plain(int value) const { outer::inner::set_deep<<<1, 1>>>(this->cell, value); }
    static void run_static(int *cell, int value)
    {
        static const unsigned threads = (unsigned)triple(value > 0) / 3; /* the guard records whether it is set */
        ::set<<<1, threads>>>(cell, value);
    }
};

template <typename T> static void dependent(T *cell, T value)
{
    set_typed<T><<<1, 1>>>(cell, value);
}

__global__ void shape(int *out)
{
    if (threadIdx.x == blockDim.x - 1 && threadIdx.y == blockDim.y - 1 && threadIdx.z == blockDim.z - 1 &&
        blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1 && blockIdx.z == gridDim.z - 1)
        *out = (int)(gridDim.x * 100000 + gridDim.y * 10000 + gridDim.z * 1000 + blockDim.x * 100 + blockDim.y * 10 + blockDim.z);
}

static int *cell;
static int launches_seen;

static int fetch()
{
    int value = -1;
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&value, cell, sizeof value, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(cell, 0xff, sizeof value));
    launches_seen++;
    return value;
}

int main()
{
    const char *text = "a string with set<<<1, 1>>>(cell, 1); in it";
    CUDA_CHECK(cudaMalloc(&cell, 64));

    set<<<1, 1>>>(cell, 1);
    expect_number("plain", fetch(), 1);
    set_static <<< 1, 1, 0 >>> (cell, 1);
    expect_number("spaces and shared size", fetch(), 2);
    set_c_linkage ARGS(1, 1, 0, 0)(cell, 1);
    expect_number("null stream", fetch(), 3);
    set<<<1,
          1 /* one thread, not set<<<2, 2>>>(x) */
          >>>(cell, // the first argument
              4);
    expect_number("over lines", fetch(), 4);
    LAUNCH(set, 1, 1, cell, 5);
    expect_number("macro", fetch(), 5);
    LAUNCH_CHECKED(set_typed<int>, 1, 1, cell, 6);
    expect_number("checked macro", fetch(), 6);

    void (*pointer)(int *, int) = set;
    pointer<<<1, 1>>>(cell, 7);
    expect_number("function pointer", fetch(), 7);
    (*pointer)<<<1, 1>>>(cell, 8);
    expect_number("function pointer, dereferenced", fetch(), 8);
    void (*table[])(int *, int) = {set, set_static, &set_c_linkage, set_typed<int>, outer::inner::set_deep_typed};
    for (int k = 0; k < 5; k++) {
        table[k]<<<1, 1>>>(cell, 9);
        printf("table %d: %d\n", k, fetch());
    }
    auto chosen = launches_seen > 3 ? set_static : set;
    chosen<<<1, 1>>>(cell, 10);
    expect_number("chosen", fetch(), 11);

    set_typed<<<1, 1>>>(cell, 12);
    expect_number("deduced", fetch(), 12);
    set_typed<int><<<1, 1>>>(cell, 13.9);
    expect_number("explicit, converted", fetch(), 13);
    set_constant<14><<<1, 1>>>(cell);
    expect_number("non-type argument", fetch(), 14);
    set_constant<(8 > 7 ? 15 : 0), true><<<1, 1>>>(cell);
    expect_number("with > inside parentheses", fetch(), 30);
    set_constant<16 << 1><<<1, 1>>>(cell);
    expect_number("with << inside", fetch(), 32);
    dependent(cell, 17);
    expect_number("dependent", fetch(), 17);
    float *float_cell = reinterpret_cast<float *>(cell);
    dependent<float>(float_cell, 18.5f);
    int bits = fetch();
    float as_float;
    memcpy(&as_float, &bits, sizeof bits);
    expect_float("dependent float", as_float, 18.5f);

    outer::set_deep<<<1, 1>>>(cell, 2);
    expect_number("namespace", fetch(), 20);
    outer::set_hidden<<<1, 1>>>(cell, 2);
    expect_number("namespace without a name", fetch(), 24);
    ::outer::inner::set_deep_typed<int><<<dim3(1), dim3(1, 1, 1)>>>(cell, 2);
    expect_number("namespace and template", fetch(), 22);
    {
        using namespace outer::inner;
        set_deep_typed<<<dim3{1, 1, 1}, dim3{1}>>>(cell, 3);
        expect_number("using namespace", fetch(), 33);
    }
    Factory factory = {cell};
    factory.run<21>();
    expect_number("member template", fetch(), 42);
    factory.run_plain(4);
    expect_number("member", fetch(), 40);
    Factory::run_static(cell, 23);
    expect_number("static member", fetch(), 23);

    auto launch = [&](int value) { set<<<1, 1>>>(cell, value); };
    launch(24);
    expect_number("lambda", fetch(), 24);
    auto generic = [](auto *where, auto value) { set_typed<<<1, 1>>>(where, value); };
    generic(cell, 25);
    expect_number("generic lambda", fetch(), 25);
    if (launches_seen > 1)
        set<<<1, 1>>>(cell, 26);
    else
        set<<<1, 1>>>(cell, -26);
    expect_number("conditional", fetch(), 26);
    for (int k = 0; k < 3; k++) set<<<1, 1>>>(cell, 27 + k);
    expect_number("loop", fetch(), 29);
    switch (launches_seen & 0) {
    case 0: set<<<1, 1>>>(cell, 30); break;
    default: set<<<1, 1>>>(cell, 31);
    }
    expect_number("switch", fetch(), 30);

    apply<<<1, 1>>>(cell, Shift<int, 3>{2}, 4);
    expect_number("functor", fetch(), 34);
    apply<Shift<int, 1>, int><<<1, 1>>>(cell, Shift<int, 1>{1}, 17);
    expect_number("functor, explicit", fetch(), 35);
    apply_static<triple><<<1, 1>>>(cell, 12);
    expect_number("function as template argument", fetch(), 36);
    apply_from_table<<<1, 1>>>(cell, 0, -37);
    expect_number("device function pointer", fetch(), 37);
    apply_from_table<<<1, 1>>>(cell, true, 6);
    expect_number("another", fetch(), 36);
    Settings settings = {1, {2, 3, 4}, {5, 6.75}};
    use_settings<<<1, 1>>>(cell, settings, 'A', 7ll << 32, 0.25f, launches_seen);
    expect_number("struct and converted arguments", fetch(), 1 + 4 + (3 << 5) + 6 + 'A' + 7 + 1 + 1);
    expect_number("the caller's struct", settings.add, 1);
    use_settings<<<1, 1>>>({cell}, {2, {2, 3, 4}, {5, 6.75}}, 'A', 7ll << 32, {0.25f}, {});
    expect_number("braces", fetch(), 2 + 4 + (3 << 5) + 6 + 'A' + 7 + 1);

    const int n = 1000, block = 96;
    shape<<<(n + block - 1) / block, block>>>(cell);
    expect_number("expression", fetch(), 1100000 + 11000 + 9600 + 11);
    shape<<<dim3(2, 3), dim3(4, 5, 6)>>>(cell);
    expect_number("dim3", fetch(), 200000 + 30000 + 1000 + 400 + 50 + 6);
    shape<<<n > 10 ? 2 : 1, n >> 8>>>(cell);
    expect_number("comparison and shift", fetch(), 200000 + 10000 + 1000 + 300 + 11);
    dim3 grid(1), threads;
    threads.x = 7;
    grid.z = 2;
    shape<<<grid, threads, sizeof(int) * 4, cudaStream_t(0)>>>(cell);
    expect_number("dim3 variables", fetch(), 100000 + 10000 + 2000 + 700 + 11);

    void *arguments[2];
    int value = 50;
    arguments[0] = &cell;
    arguments[1] = &value;
    CUDA_CHECK(cudaLaunchKernel((const void *)set, dim3(1), dim3(1), arguments, 0, NULL));
    expect_number("cudaLaunchKernel", fetch(), 50);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributePriority;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.attrs = attributes;
    config.numAttrs = 2;
    CUDA_CHECK(cudaLaunchKernelEx(&config, set, cell, 51L));
    expect_number("cudaLaunchKernelEx", fetch(), 51);
    printf("%s, after %d launches\n", text, launches_seen);
    CUDA_CHECK(cudaFree(cell));
    return program_end();
}
