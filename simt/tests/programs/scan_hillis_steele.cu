/* Log-step scans of one block: double buffered, in place with two barriers a step (Kogge-Stone), exclusive by
 * shifting; for a template of element types and for an operator that does not commute. */
#include "program.h"

#define SECTION 256

struct Line {                                                   /* x -> slope * x + offset, modulo 2^32 */
    unsigned slope, offset;
};

__host__ __device__ inline unsigned combine(unsigned left, unsigned right) { return left + right; }
__host__ __device__ inline float combine(float left, float right) { return left > right ? left : right; }
__host__ __device__ inline Line combine(Line left, Line right)
{
    Line both = {left.slope * right.slope, left.offset * right.slope + right.offset};
    return both;
}

/* The two halves of one dynamic array alternate as source and target. */
template <typename T> __global__ void scan_double_buffer(T *out, const T *in, int n)
{
    extern __shared__ __align__(8) char buffers[];
    T *temp = (T *)buffers;
    const int t = threadIdx.x;
    int source = 1, target = 0;

    temp[target * n + t] = in[t];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        target = 1 - target;
        source = 1 - target;
        if (t >= offset)
            temp[target * n + t] = combine(temp[source * n + t - offset], temp[source * n + t]);
        else
            temp[target * n + t] = temp[source * n + t];
        __syncthreads();
    }
    out[t] = temp[target * n + t];
}

template <typename T> __global__ void scan_kogge_stone(T *out, const T *in, unsigned n)
{
    __shared__ T section[SECTION];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        section[threadIdx.x] = in[i];
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        T sum;
        const bool active = threadIdx.x >= stride && i < n;
        if (active)
            sum = combine(section[threadIdx.x - stride], section[threadIdx.x]);
        __syncthreads();
        if (active)
            section[threadIdx.x] = sum;
    }
    if (i < n)
        out[i] = section[threadIdx.x];
}

/* Exclusive: the input is shifted by one when it is loaded. */
__global__ void scan_exclusive(unsigned *out, const unsigned *in, int n)
{
    __shared__ unsigned temp[2][SECTION];
    int t = threadIdx.x, now = 0;

    temp[now][t] = t > 0 ? in[t - 1] : 0u;
    __syncthreads();
    for (int offset = 1; offset < n; offset <<= 1, now ^= 1) {
        temp[now ^ 1][t] = temp[now][t] + (t >= offset ? temp[now][t - offset] : 0u);
        __syncthreads();
    }
    out[t] = temp[now][t];
}

template <typename T> void run(const char *name, const std::vector<T> &values)
{
    const unsigned n = (unsigned)values.size();
    T *in = to_device(values), *out = device_alloc<T>(n);
    std::vector<T> want(n);
    char what[64];

    if (n <= 1024) {
        want[0] = values[0];
        for (unsigned i = 1; i < n; i++)
            want[i] = combine(want[i - 1], values[i]);
        scan_double_buffer<T><<<1, n, 2 * n * sizeof(T)>>>(out, in, (int)n);
        CUDA_CHECK(cudaGetLastError());
        snprintf(what, sizeof what, "%s, double buffer", name);
        expect_equal(what, from_device(out, n), want);
    }
    for (unsigned i = 0; i < n; i++)
        want[i] = i % SECTION == 0 ? values[i] : combine(want[i - 1], values[i]);
    scan_kogge_stone<<<(n + SECTION - 1) / SECTION, SECTION>>>(out, in, n);
    CUDA_CHECK(cudaGetLastError());
    snprintf(what, sizeof what, "%s, Kogge-Stone sections", name);
    expect_equal(what, from_device(out, n), want);
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(out));
}

int main()
{
    for (unsigned n : {1u, 2u, 33u, 255u, 256u, 1000u, 3001u}) {
        std::vector<unsigned> keys = random_keys(2 * n, 0, n);
        std::vector<Line> lines(n);
        for (unsigned i = 0; i < n; i++)
            lines[i] = Line{keys[2 * i], keys[2 * i + 1]};
        run("sum", std::vector<unsigned>(keys.begin(), keys.begin() + n));
        run("largest", random_floats(n, n));
        run("lines", lines);

        if (n <= SECTION) {
            unsigned *in = to_device(keys), *out = device_alloc<unsigned>(n);
            scan_exclusive<<<1, n>>>(out, in, n);
            CUDA_CHECK(cudaGetLastError());
            std::vector<unsigned> want(n, 0);
            for (unsigned i = 1; i < n; i++)
                want[i] = want[i - 1] + keys[i - 1];
            expect_equal("exclusive", from_device(out, n), want);
            CUDA_CHECK(cudaFree(in));
            CUDA_CHECK(cudaFree(out));
        }
    }
    return program_end();
}
