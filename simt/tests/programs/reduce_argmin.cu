/* Reductions of structs: place of the least value (the leftmost of equals), and mean and variance by merging
 * (count, mean, sum of squared deviations) as Chan, Golub and LeVeque do. */
#include "program.h"

struct Place {
    float value;
    unsigned index;
};

struct Moments {
    float count, mean, squares;
};

static __host__ __device__ inline Place better(Place a, Place b)
{
    if (b.value < a.value || (b.value == a.value && b.index < a.index))
        return b;
    return a;
}

static __host__ __device__ inline Moments merged(Moments a, Moments b)
{
    Moments m = {a.count + b.count, 0.0f, 0.0f};
    if (m.count > 0.0f) {
        float gap = b.mean - a.mean;
        m.mean = a.mean + gap * (b.count / m.count);
        m.squares = a.squares + b.squares + gap * gap * (a.count * b.count / m.count);
    }
    return m;
}

template <int BLOCK> __global__ void least_of_blocks(const float *values, unsigned n, Place *best)
{
    __shared__ Place part[BLOCK];
    unsigned t = threadIdx.x;
    Place mine = {3.0e38f, 0xffffffffu};

    for (unsigned i = blockIdx.x * BLOCK + t; i < n; i += BLOCK * gridDim.x) {
        Place here = {values[i], i};
        mine = better(mine, here);
    }
    part[t] = mine;
    __syncthreads();
#pragma unroll
    for (unsigned stride = BLOCK / 2; stride >= 1; stride /= 2) {
        if (t < stride)
            part[t] = better(part[t], part[t + stride]);
        __syncthreads();
    }
    if (t == 0)
        best[blockIdx.x] = part[0];
}

/* One warp; the three words of a Moments are exchanged by three shuffles. */
__global__ void moments_by_shuffle(const float *values, unsigned n, Moments *out)
{
    const unsigned full = 0xffffffffu;
    Moments mine = {0.0f, 0.0f, 0.0f};

    for (unsigned i = threadIdx.x; i < n; i += warpSize) {
        Moments one = {1.0f, values[i], 0.0f};
        mine = merged(mine, one);
    }
    for (int offset = warpSize / 2; offset > 0; offset /= 2) {
        Moments other;
        other.count = __shfl_down_sync(full, mine.count, offset);
        other.mean = __shfl_down_sync(full, mine.mean, offset);
        other.squares = __shfl_down_sync(full, mine.squares, offset);
        mine = merged(mine, other);
    }
    if (threadIdx.x == 0)
        *out = mine;
}

static Moments moments_on_cpu(const std::vector<float> &values)
{
    Moments lanes[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        Moments none = {0.0f, 0.0f, 0.0f};
        lanes[lane] = none;
        for (size_t i = lane; i < values.size(); i += 32) {
            Moments one = {1.0f, values[i], 0.0f};
            lanes[lane] = merged(lanes[lane], one);
        }
    }
    for (unsigned offset = 16; offset > 0; offset /= 2)
        for (unsigned lane = 0; lane < offset; lane++)
            lanes[lane] = merged(lanes[lane], lanes[lane + offset]);
    return lanes[0];
}

int main()
{
    for (unsigned n : {1u, 50u, 777u, 20000u}) {
        std::vector<float> values = random_floats(n, 3 * n);
        if (n > 600) {
            values[600] = -2.0f;                        /* equal values: the first one counts */
            values[n - 1] = -2.0f;
        }
        Place want = {values[0], 0};
        for (unsigned i = 1; i < n; i++)
            if (values[i] < want.value)
                want = Place{values[i], i};

        float *in = to_device(values);
        Place *places = device_alloc<Place>(6);
        Moments *moments = device_alloc<Moments>(1);
        const dim3 grid(6), block(128);
        least_of_blocks<128><<<grid, block>>>(in, n, places);
        CUDA_CHECK(cudaGetLastError());
        least_of_blocks<32><<<1, 32>>>(in, 1, places + 5);       /* stream order: overwrites the last */
        CUDA_CHECK(cudaGetLastError());
        least_of_blocks<128><<<grid, block>>>(in, n, places);
        CUDA_CHECK(cudaGetLastError());
        std::vector<Place> blocks = from_device(places, 6);
        Place got = blocks[0];
        for (unsigned b = 1; b < 6; b++)
            got = better(got, blocks[b]);
        printf("n = %u\n", n);
        expect_number("index of the least", got.index, want.index);
        expect_float("least", got.value, want.value);

        moments_by_shuffle<<<1, 32>>>(in, n, moments);
        CUDA_CHECK(cudaGetLastError());
        Moments m = from_device(moments, 1)[0], m_want = moments_on_cpu(values);
        expect_float("count", m.count, m_want.count);
        expect_float("mean", m.mean, m_want.mean);
        expect_float("variance", m.squares / m.count, m_want.squares / m_want.count);
        CUDA_CHECK(cudaFree(in));
        CUDA_CHECK(cudaFree(places));
        CUDA_CHECK(cudaFree(moments));
    }
    return program_end();
}
